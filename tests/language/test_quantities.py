"""Numbers, units and dates in English text, one reading for all that compare them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.evaluation.values import amounts
from dateline.handwritten.labels.sentence_content import SentenceContent
from dateline.language.quantities import Quantity, is_pronoun, quantities, written_out
from dateline.reading.magnitudes import compared, magnitudes


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("They counted 1,204 birds.", 1204, ""),
        ("It cost $1.5 billion.", 1.5e9, "$"),
        ("It cost £132K.", 132_000, "£"),
        ("a million people", 1e6, ""),
        ("two hundred and five miles", 205, "mile"),
        ("twenty-five per cent", 25, "%"),
        ("12% of them", 12, "%"),
        ("two dozen eggs", 24, ""),
        ("a three-day walk", 3, "day"),
        ("twice as many", 2, ""),
    ],
)
def test_a_number_has_its_value_and_its_unit(text: str, value: float, unit: str) -> None:
    (found,) = quantities(text)
    assert (found.value, found.unit) == (value, unit)


def test_numbers_that_stand_side_by_side_stay_apart() -> None:
    assert [one.value for one in quantities("between five and seven, in nineteen eighty-four")] == [5, 7, 19, 84]


def test_dates_are_dates_only_where_they_are_asked_for() -> None:
    (day,) = quantities("on 3 May 1990", dates=True)
    assert (day.kind, day.date) == ("date", (1990, 5, 3))
    assert [one.value for one in quantities("on 3 May 1990")] == [3, 1990]
    assert quantities("in the 1990s", dates=True)[0].decade
    assert quantities("2000 people", dates=True)[0].kind == "number"


def test_a_rank_is_read_in_words_and_in_digits() -> None:
    assert {one.value for one in quantities("the third, the 3rd")} == {3}
    assert {one.kind for one in quantities("the third, the 3rd")} == {"ordinal"}


def test_one_of_them_counts_nothing() -> None:
    assert is_pronoun(quantities("one of them")[0], text="one of them")
    assert not is_pronoun(quantities("one goal")[0], text="one goal")


def test_two_units_are_never_equal_and_no_unit_is_equal_to_any() -> None:
    five = [Quantity(0, 1, 5.0, unit=unit) for unit in ("", "$", "€")]
    assert five[0].equals(five[1])
    assert not five[1].equals(five[2])


def test_letters_behind_digits_are_written_out() -> None:
    assert written_out("$1.5bn and 20%") == "$1.5 billion and 20 percent"


@given(st.integers(0, 10**9), st.sampled_from(["{}", "{:,}"]))
def test_a_number_is_of_one_value_for_all_who_compare(number: int, form: str) -> None:
    text = f"They sold {form.format(number)} copies of it."
    assert [one.value for one in quantities(text)] == [one.value for one in amounts(text)] == [number]
    assert [one.value for one in magnitudes(text)] == [number]
    assert [token.low for token in SentenceContent.of(text).tokens if token.kind == "number"] == [number]


@given(st.text(max_size=200), st.booleans())
def test_quantities_lie_in_the_text_in_order(text: str, dates: bool) -> None:
    place = 0
    for one in quantities(text, dates=dates):
        assert place <= one.start < one.end <= one.unit_end <= len(text)
        place = one.end


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("It cost 3 MİLLİON dollars.", "It cost 3 MILLION dollars."),
        ("The ſix men", "The six men"),
        ("He came ſıxth, twıce", "He came sixth, twice"),
        ("In Auguſt 1776", "In August 1776"),
        ("on the 1ſt of August", "on the 1st of August"),
        ("THIRTY-SİX MİLES", "THIRTY-SIX MILES"),
    ],
)
def test_a_letter_that_stands_for_another_is_read_as_that(text: str, plain: str) -> None:
    for dates in (False, True):
        assert quantities(text, dates=dates) == quantities(plain, dates=dates) != []
    assert magnitudes(text) == magnitudes(plain)
    assert compared(text, plain)[1] == compared(plain, plain)[1]


def test_three_kelvin_are_not_three_thousand() -> None:
    assert [one.value for one in quantities("It freezes at 3\u212a.")] == [3]


@given(st.text(alphabet="sixtyonehudrmlaSIXTYONEHUDRMLAſıİ\u212a 0123456789-,.", max_size=60), st.booleans())
def test_no_letters_raise(text: str, dates: bool) -> None:
    assert all(one.end <= len(text) for one in quantities(text, dates=dates))
