"""The rules of the house for words: first lines of docstrings, as `make house` counts them."""

from __future__ import annotations

import pytest

import house


def test_first_lines_are_short_and_say_what_a_thing_is_or_does() -> None:
    faults = {place: fault for place, fault in house.faulty_first_lines().items() if "/handwritten/" not in place}
    assert not faults, "\n".join(f"{place}: {fault}" for place, fault in faults.items())


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("Whether a thing is.", "opens with 'whether'"),
        ("What it does.", "opens with 'what'"),
        ("The same, without blocking.", "opens with 'the same'"),
        ("One two three four five six seven eight nine ten eleven twelve thirteen.", "13 words"),
        ("Return the moment of a text.", ""),
        ("Read `a.b.c` and ``d e f``.", ""),
    ],
)
def test_the_rule_knows_its_faults(line: str, fault: str) -> None:
    assert house.fault_of(line) == fault


def test_patterns_with_letters_are_found() -> None:
    assert all(house.LETTERS.search(pattern) for pattern in ("[A-Z]", "[^a-z ]"))
    assert not any(house.LETTERS.search(pattern) for pattern in (r"[^\W\d_]", "[0-9]"))
