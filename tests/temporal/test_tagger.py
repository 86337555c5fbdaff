"""The tagger: names, titles and numbers are no times, and nothing that is one is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.temporal import Interval, find_expressions
from dateline.temporal.tagger import JUDGED, accepts, features, is_time, weights
from dateline.temporal.tokens import Tokens

ANCHOR = Interval.of_day(2025, 2, 13)
YEARS = st.integers(1900, 2035).filter(lambda year: year % 100)  # the grammar takes round numbers for amounts

NUMBERS = [
    "My Renault {} is old.",
    "Is extension {} busy?",
    "We moved to office {} upstairs.",
    "Set port {} in the file.",
    "She booked BA {} to Rome.",
    "Their shop is at {} Oak Street.",
    'The novel "{}" won a prize.',
    "Who wrote {}?",
    "The file has {} lines.",
    "Tickets for Expo {} sold out.",
]
TIMES = [
    "In {} the library moved.",
    "The library moved in {}.",
    "{} was a good year.",
    "What was our revenue {}?",
    "Sales in {} were flat.",
    "The summer of {} was dry.",
    "Before {} nobody complained.",
    "She led the club from {} to 2040.",
    "The {} budget was cut.",
]


@given(st.sampled_from(NUMBERS), YEARS)
def test_numbers_in_names_titles_and_labels_are_no_years(text: str, year: int) -> None:
    assert not find_expressions(text.format(year), anchor=ANCHOR)


@given(st.sampled_from(TIMES), YEARS)
def test_years_stay_years(text: str, year: int) -> None:
    assert [one for one in find_expressions(text.format(year), anchor=ANCHOR) if one.interval]


@pytest.mark.parametrize(
    "text",
    [
        "April and June are my cousins.",
        "The third quarter of the derby was rough.",
        "The lighthouse keeper ran it in 2:58:31.",
        "Last time they watched 2013: The Glass War.",
    ],
)
def test_names_and_results_are_no_times(text: str) -> None:
    assert not [one for one in find_expressions(text, anchor=ANCHOR) if one.interval]


@given(st.text(max_size=80), st.integers(0, 20), st.sampled_from(sorted(JUDGED)))
def test_any_place_of_any_text_can_be_judged(text: str, first: int, rule: str) -> None:
    tokens = Tokens(text)
    first = min(first, len(tokens))
    seen = (
        list(features(tokens, first, min(first + 1, len(tokens)), letter=JUDGED[rule])) if len(tokens) > first else []
    )
    assert (
        not seen or accepts(seen, table=weights()) == is_time(tokens, first, first + 1, rule=rule) or rule == "quarter"
    )


def test_what_is_not_judged_is_a_time() -> None:
    assert is_time(Tokens("on 6 May 2021"), 1, 4, rule="calendar_day")
