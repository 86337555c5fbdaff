"""From which day a statement holds."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.facts.onset import announced_days, onset_day
from dateline.protocols import Onset
from dateline.reading.still import shared_still_judge
from dateline.temporal.interval import Interval
from dateline.testing import ScriptedEffectJudge

SAID = Interval.of_day(2024, 5, 30)


@pytest.mark.parametrize(
    ("text", "onset", "day"),
    [
        ("From 1 September 2024 the fee is 20 euros.", "later", "2024-09-01"),
        ("As of September the fee is 20 euros.", "later", "2024-09-01"),  # no year: the one to come
        ("In January 2025 we shut for a week; from 1 July 2024 we open at nine.", "later", "2024-07-01"),
        ("Bo Lind resigned on 11 March and is not replaced.", "earlier", "2024-03-11"),
        ("Bo Lind resigned on 11 March and is not replaced.", "then", None),
        ("The fee rises soon.", "later", None),
        ("The fee was 20 euros all along.", "earlier", None),
        ("We open at 10:00 on Mondays from 1 July 2024.", "later", "2024-07-01"),  # what recurs is no onset
        ("From 1 July 2024 the desk is open Tuesday and Thursday until 7 pm.", "later", "2024-07-01"),
        ("The desk closes at 7 pm.", "later", None),
        ("Bo Lind left last Monday.", "earlier", "2024-05-27"),
        ("Bo Lind leaves at the end of July.", "later", "2024-07-31"),
        ("From 15 May the fee is 20 euros.", "later", None),  # a fortnight ago, not in fifty weeks
        ("From 1 March the fee is 20 euros.", "later", "2025-03-01"),
        ("From the 15th he leads.", "later", "2024-06-15"),  # no month: the one to come
        ("As of August he leads.", "later", "2024-08-01"),
        ("Her last day is 4 July.", "day_after", "2024-07-05"),
        ("We are open until Friday, then no more.", "day_after", "2024-06-01"),
        ("The shop closes for good at the end of July.", "day_after", "2024-08-01"),
        ("The last month of the old fee is September 2024.", "day_after", "2024-10-01"),
        ("After 30 June the gate is shut.", "day_after", "2024-07-01"),  # the day behind is told already
    ],
)
def test_the_day_is_the_nearest_on_its_side(text: str, onset: Onset, day: str | None) -> None:
    found = onset_day(text, anchor=SAID, onset=onset)
    assert (found and str(found)) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("From 1 September 2024 the fee is 20 euros.", "2024-09-01"),
        ("The fee will be 20 euros with effect from 1 March.", "2025-03-01"),
        ("As of September the fee is 20 euros.", "2024-09-01"),
        ("Jana Holt takes over the kitchen on 3 June.", "2024-06-03"),
        ("Come October, the night shift starts at 21:30.", "2024-10-01"),
        ("From 15 May the fee is 20 euros.", None),
        ("From today the gate is shut.", None),
        ("The open day is on 14 June.", None),
        ("We are open until 3 July.", None),
        ("Bo has led since 2019; his contract ends on 1 July 2026.", None),
        ("The lease runs from 1 March 2024 to 1 March 2026.", None),
    ],
)
def test_only_what_begins_with_a_day_to_come_is_announced(text: str, day: str | None) -> None:
    [found] = announced_days([text], anchor=SAID, judge=shared_still_judge())
    assert (found and str(found)) == day


def test_the_judge_is_asked_only_of_what_names_a_day_to_come() -> None:
    told, known = "From 1 July Bo leads.", "Bo leads since 2019."
    judge = ScriptedEffectJudge({(told, ""): "later"})
    days = announced_days([known, told, "Bo leads."], anchor=SAID, judge=judge)
    assert [day and str(day) for day in days] == [None, "2024-07-01", None]
    assert [(later.text, earlier.text) for later, earlier in judge.history] == [(told, "")]


def test_what_is_so_until_a_last_day_ends_on_the_day_behind_it() -> None:
    told = "Her last day is 4 July."
    judge = ScriptedEffectJudge({(told, ""): "day_after"})
    assert [str(day) for day in announced_days([told], anchor=SAID, judge=judge)] == ["2024-07-05"]


def test_nothing_is_announced_on_the_last_day_of_the_calendar() -> None:
    told, last = "From 1 March the fee is 20 euros.", Interval.of_day(9999, 12, 31)
    assert onset_day(told, anchor=last, onset="later") is None
    assert announced_days([told], anchor=last, judge=ScriptedEffectJudge({(told, ""): "later"})) == [None]


def test_an_undated_statement_has_its_own_day_only() -> None:
    assert onset_day("From 1 September 2024 the fee is 20 euros.", anchor=None, onset="later") is None


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.integers(-900, 900))
def test_a_whole_date_is_found_on_its_side_alone(said: date, apart: int) -> None:
    told = said + timedelta(days=apart)
    text = f"The gate was moved with effect from {told:%Y-%m-%d}."
    later, after, earlier = (
        onset_day(text, anchor=Interval.of_moment(said), onset=onset) for onset in ("later", "day_after", "earlier")
    )
    day, behind = Interval.of_moment(told), Interval.of_moment(told + timedelta(days=1))
    assert (later, after, earlier) == ((day, behind, None) if apart > 0 else (None, None, day if apart < 0 else None))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The council drops the fee agreed in February.", None),
        ("The fee that was agreed in February is 20 euros from May.", "2025-05-01"),
        ("The pool is closed in February.", "2026-02-01"),
        ("From February the fee is 20 euros.", "2026-02-01"),
    ],
)
def test_what_happened_in_a_month_is_not_moved_to_the_next_one_of_its_name(text: str, day: str | None) -> None:
    found = onset_day(text, anchor=Interval.of_day(2025, 4, 15), onset="later")
    assert (found and str(found)) == day


@given(
    st.sampled_from(
        [
            "The desk is open until 7 pm.",
            "The desk closes at 7 pm today.",
            "From today the gate is shut.",
            "From tomorrow Bo leads.",
            "Bo Lind left yesterday.",
            "Bo Lind leaves on Friday.",
            "As of August he leads.",
        ]
    ),
    st.sampled_from(["later", "earlier", "day_after", "then"]),
    st.integers(0, 86_399),
)
def test_at_whatever_second_of_a_day_it_is_said_a_statement_holds_from_the_same_day(
    text: str, onset: Onset, second: int
) -> None:
    moment = Interval.of_second((SAID.start or 0) + second)
    assert onset_day(text, anchor=moment, onset=onset) == onset_day(text, anchor=SAID, onset=onset)
