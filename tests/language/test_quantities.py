"""Numbers, units and dates in English text, one reading for all that compare them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.evaluation.values import amounts
from dateline.handwritten.facts.statement import Statement
from dateline.handwritten.facts.wording import undated
from dateline.handwritten.labels.sentence_content import SentenceContent
from dateline.handwritten.reading.spans import find_spans
from dateline.language.calendar import MONTHS
from dateline.language.numbers import SUFFIXES
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


@pytest.mark.parametrize(
    ("text", "long"),
    [
        ("$1.5bn and 20%", "$1.5 billion and 20 percent"),
        ("£5m or 5M", "£5 million or 5 million"),
        ("the 400 m race, the 400m race", "the 400 m race, the 400m race"),
        ("$2B for class 6B", "$2 billion for class 6B"),
        ("1,500k in 2019", "1,500 thousand in 2019"),
    ],
)
def test_letters_behind_digits_are_written_out(text: str, long: str) -> None:
    assert written_out(text) == long


def test_a_small_m_is_a_million_of_money_and_else_a_metre() -> None:
    assert [(one.value, one.unit) for one in quantities("$5m for 400m")] == [(5e6, "$"), (400, "metre")]
    assert [one.value for one in quantities("£2.5m, 3M, 4bn", dates=True)] == [2.5e6, 3e6, 4e9]


@pytest.mark.parametrize("letter", SUFFIXES)
def test_a_number_with_a_letter_is_a_candidate_whole(letter: str) -> None:
    (found,) = (one for one in find_spans(f"It cost $3{letter} in all.") if one.kind == "number")
    assert found.text == f"$3{letter}"
    assert quantities(found.text)[0].value == 3 * SUFFIXES[letter]


@pytest.mark.parametrize("month", ["march", "may"])
def test_a_verb_behind_a_number_is_a_month_by_a_capital_or_a_year(month: str) -> None:
    assert [one.kind for one in quantities(f"Only 3 {month} on.", dates=True)] == ["number"]
    assert undated(f"Only 3 {month} on") == f"Only 3 {month} on"
    for text in (f"on 3 {month} 2020", f"on 3rd {month}, 2020", f"on {month} 3, 2020"):
        assert quantities(text, dates=True)[0].date == (2020, MONTHS[month], 3)
        assert undated(f"It opened {text}") == "It opened"
    for text in (f"on 3 {month.title()}", f"on 3 {month.upper()}", f"on {month} 3"):
        assert quantities(text, dates=True)[0].date == (None, MONTHS[month], 3)
        assert undated(f"It opened {text}") == "It opened"


@pytest.mark.parametrize("sign", "$€£¥₹")
def test_every_currency_is_read_alike(sign: str) -> None:
    assert [one.bound for one in magnitudes(f"more than {sign}300")] == [">"]
    assert [one.bound for one in magnitudes(f"between {sign}300 and {sign}400")] == [">=", "<="]
    assert [one.kind for one in magnitudes(f"for {sign}1950")] == ["number"]
    assert (
        Statement.read(f"The price of the Tolvex card is {sign}5.").slot
        == Statement.read("The price of the Tolvex card is $5.").slot
    )
    assert (
        Statement.read(f"The price of the Tolvex card is {sign}5.").value
        != Statement.read("The price of the Tolvex card is 5.").value
    )


@pytest.mark.parametrize(("words", "sign"), [("dollars", "$"), ("euros", "€"), ("yen", "¥"), ("rupees", "₹")])
def test_a_word_for_money_is_its_currency(words: str, sign: str) -> None:
    (worded,), (signed,), (other,) = (quantities(text) for text in (f"5 {words}", f"{sign}5", "5 roubles"))
    assert worded.equals(signed)
    assert not worded.equals(other)
    assert [one.text for one in find_spans(f"It cost 5 {words}.") if one.kind == "number"] == [f"5 {words}"]


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
