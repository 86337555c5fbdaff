"""The judge of answers over notes: many spellings of a value are one, another value is none."""

from __future__ import annotations

from typing import Any

import pytest

from dateline_bench.notes.judge import contains, is_right, normal
from dateline_bench.notes.questions import NoteQuestion


def item(match: str, *gold: Any) -> NoteQuestion:
    return NoteQuestion(id="1", corpus="ferry", category="c", question="?", as_of="2024", gold=gold, match=match)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2024-05-04", "4 May 2024"),
        ("2024-05", "May 2024"),
        ("4th May 2024", "04 May 2024".replace("04", "4")),
        ("1,250", "1250"),
        ("€40", "40"),
        ("25MB", "25 mb"),
        ("99.5 per cent", "99.5%"),
        ("the second pier", "2 pier"),
        ("Ana O’Neil.", "ana o'neil"),
        ("\ufb01ve", "5"),
    ],
)
def test_spellings_of_one_value_are_one(one: str, other: str) -> None:
    assert normal(one) == normal(other)


@pytest.mark.parametrize("text", ["TK-340", "a3", "2024-13-40", "1_000"])
def test_identifiers_and_impossible_days_stay_as_they_are(text: str) -> None:
    assert normal(text) == text.lower()


def test_an_answer_may_say_a_little_more() -> None:
    assert is_right("It is run by Bo Lind since then", item=item("any", "Bo Lind"))
    assert not is_right(f"Bo Lind {'and so on ' * 5}", item=item("any", "Bo Lind"))


def test_another_number_makes_it_wrong() -> None:
    assert is_right("about 40 crowns", item=item("any", "40"))
    assert not is_right("40 to 50 crowns", item=item("any", "40"))
    assert not is_right("140", item=item("any", "40"))


def test_a_surname_stands_for_a_name_and_no_other_part_does() -> None:
    assert is_right("Lind", item=item("any", "Bo Lind"))
    assert not is_right("Bo", item=item("any", "Bo Lind"))
    assert not is_right("pier", item=item("any", "north pier"))


def test_any_accepted_answer_will_do_and_nothing_is_none() -> None:
    assert is_right("Pier 4", item=item("any", "quay", "Pier 4"))
    assert not is_right(" ", item=item("any", "quay"))


def test_yes_and_no_are_told_by_the_first_word() -> None:
    assert is_right("Yes, since May.", item=item("yesno", "yes"))
    assert is_right("True", item=item("yesno", "yes"))
    assert not is_right("It does not, no.", item=item("yesno", "no"))
    assert not is_right("", item=item("yesno", "no"))


def test_a_list_needs_every_part_of_one_accepted_answer() -> None:
    wanted = item("all", ["Bo", "Ann"], ["both"])
    assert is_right("Ann and Bo", item=wanted)
    assert is_right("Both of them", item=wanted)
    assert not is_right("Ann", item=wanted)


def test_where_nothing_is_to_be_said_silence_is_right() -> None:
    assert is_right("", item=item("none"))
    assert not is_right("Bo", item=item("none"))


def test_whole_words_are_found_in_a_text() -> None:
    assert contains("The fare is 40 crowns.", gold="40")
    assert not contains("The fare is 140 crowns.", gold="40")
