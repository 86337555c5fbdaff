"""Numbers in English words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.language.numbers import ORDINALS, TENS, UNITS, digits_value, ordinal_value, words_value


def spell(number: int, joint: str = "") -> str:
    """The words of a number below a billion; `joint` stands behind "hundred"."""
    for scale, word in ((10**6, "million"), (10**3, "thousand")):
        if number >= scale:
            rest = f" {spell(number % scale, joint)}" if number % scale else ""
            return f"{spell(number // scale, joint)} {word}{rest}"
    if number >= 100:
        rest = f" {joint}{spell(number % 100)}" if number % 100 else ""
        return f"{UNITS[number // 100]} hundred{rest}"
    if number >= 20:
        return TENS[number // 10 - 2] + (f" {UNITS[number % 10]}" if number % 10 else "")
    return UNITS[number]


@given(st.integers(0, 10**6), st.sampled_from(["", "and "]))
def test_every_number_that_is_spelt_reads_back(number: int, joint: str) -> None:
    assert words_value(spell(number, joint).split()) == number


def test_every_number_below_two_thousand_reads_back() -> None:
    assert all(words_value(spell(number).split()) == number for number in range(2000))


@given(st.integers(0, 10**9))
def test_every_number_in_digits_reads_back(number: int) -> None:
    assert digits_value(str(number)) == digits_value(f"{number:,}") == number


@pytest.mark.parametrize(
    "text", ["", "a", "and", "five twenty", "ten five", "twenty twelve", "cat", "one cat", "five and"]
)
def test_what_is_no_number_has_no_value(text: str) -> None:
    assert words_value(text.split()) is None


def test_a_version_is_no_number_and_a_comma_may_be_a_point() -> None:
    assert digits_value("3.2.1") is None
    assert digits_value("3,5") == digits_value("3.5") == 3.5


def test_ordinals_are_read_as_words_and_as_digits() -> None:
    assert all(ordinal_value(word) == value for word, value in ORDINALS.items())
    assert (ordinal_value("21st"), ordinal_value("twenty-first"), ordinal_value("Third")) == (21, 21, 3)
    assert ordinal_value("one") is ordinal_value("five-first") is None
