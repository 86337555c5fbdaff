"""Temporal scores: the paper's shapes, and what intervals add."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.errors import BadInput
from dateline.temporal import Constraint, Interval, IntervalScorer, MragScorer, Ordinal, Relation, Spans, TemporalScorer
from dateline.temporal.constraint import RELATIONS
from dateline.temporal.scoring import NEUTRAL, calendar_years
from dateline_bench.score_figure import scores_figure

YEARS = range(1900, 2060)
YEAR_SPANS = Spans.of([Interval.of_year(year) for year in YEARS])
SCORERS: tuple[TemporalScorer, ...] = (MragScorer(), MragScorer(years_only=True), IntervalScorer())


def scores(
    scorer: TemporalScorer,
    relation: Relation,
    interval: Interval,
    *texts: Interval | None,
    ordinal: Ordinal | None = None,
) -> list[float]:
    return [float(value) for value in scorer.score(Constraint(relation, interval, ordinal), list(texts))]


@pytest.mark.parametrize("years_only", [False, True])
def test_the_paper_gives_1970_about_nine_tenths_for_the_last_before_1981(years_only: bool) -> None:
    (value,) = scores(
        MragScorer(years_only=years_only), "as_of", Interval.of_year(1981), Interval.of_year(1970), ordinal="last"
    )
    assert value == pytest.approx(0.9, abs=0.02)


@pytest.mark.parametrize("relation", ["before", "after", "between"])
def test_the_paper_rises_with_time_for_last_and_falls_for_first(relation: Relation) -> None:
    interval = Interval.of_years(1970, 1990) if relation == "between" else Interval.of_year(1980)
    last = MragScorer().score(Constraint(relation, interval, "last"), YEAR_SPANS)
    first = MragScorer().score(Constraint(relation, interval, "first"), YEAR_SPANS)
    neither = MragScorer().score(Constraint(relation, interval, None), YEAR_SPANS)
    inside = last > NEUTRAL
    assert np.all(np.diff(last[inside]) >= 0)
    assert np.all(np.diff(first[inside]) <= 0)
    assert np.array_equal(last, neither)
    assert np.all(last[~inside] == NEUTRAL)
    assert np.all((last[inside] >= 0.6) & (last[inside] <= 1.0))


def test_the_published_years_only_take_december_for_as_of_may_and_days_do_not() -> None:
    asked, text = Interval.of_day(2021, 5, 6), Interval.of_day(2021, 12, 1)
    assert scores(MragScorer(years_only=True), "as_of", asked, text)[0] > NEUTRAL
    assert scores(MragScorer(), "as_of", asked, text)[0] == NEUTRAL


def test_an_undated_sentence_keeps_a_neutral_score() -> None:
    for scorer in SCORERS:
        for relation in RELATIONS:
            assert scores(scorer, relation, Interval.of_year(2000), None) == [NEUTRAL]  # type: ignore[arg-type]


def test_a_state_that_covers_the_asked_date_beats_every_other_text() -> None:
    covering = Interval.of_years(2001, 2009)
    others = (
        Interval.of_years(1990, 2000),
        Interval.of_years(2010, 2015),
        Interval.of_year(1999),
        Interval.of_year(2011),
        None,
    )
    for relation in ("at", "as_of", "by", "between"):
        best, *rest = scores(IntervalScorer(), relation, Interval.of_day(2005, 3, 1), covering, *others)
        assert best == 1.0
        assert max(rest) < best


def test_since_a_year_is_a_stated_stretch_like_since_a_day() -> None:
    year = Interval.of_year(2015)
    since_year, since_day = Interval(year.start, None, "year"), Interval(year.start, None)
    for relation in RELATIONS:
        one, other = scores(IntervalScorer(), relation, Interval.of_year(2018), since_year, since_day)
        assert one == other


def test_two_points_miss_the_state_that_an_interval_covers() -> None:
    asked, text = Interval.of_year(2020), Interval.of_years(2019, 2022)
    assert scores(MragScorer(), "at", asked, text) == [NEUTRAL]
    assert scores(IntervalScorer(), "at", asked, text) == [1.0]


def test_an_earlier_event_is_the_likely_beginning_of_the_state_and_the_nearest_is_likeliest() -> None:
    near, far, later = scores(
        IntervalScorer(),
        "as_of",
        Interval.of_year(2000),
        Interval.of_year(1998),
        Interval.of_year(1970),
        Interval.of_year(2003),
    )
    assert near > far > NEUTRAL > later


def test_a_vague_date_counts_by_the_share_that_fits() -> None:
    day, month, year = scores(
        IntervalScorer(),
        "before",
        Interval.of_month(2021, 7),
        Interval.of_day(2021, 6, 30),
        Interval.of_month(2021, 6),
        Interval.of_year(2021),
    )
    assert day >= month > year > IntervalScorer().outside


def test_around_loves_what_is_near_on_either_side() -> None:
    exact, before, after, far = scores(
        IntervalScorer(),
        "around",
        Interval.of_year(1994),
        *(Interval.of_year(year) for year in (1994, 1993, 1995, 2005)),
    )
    assert exact == 1.0
    assert before == pytest.approx(after, abs=0.01)
    assert exact > before > far


@given(
    st.sampled_from(RELATIONS),
    st.sampled_from(["first", "last", None]),
    st.integers(-500, 2500),
    st.lists(
        st.tuples(st.integers(-500, 2500), st.integers(0, 60), st.sampled_from(["closed", "from", "to", "none"])),
        min_size=1,
    ),
)
def test_scores_are_finite_shares_for_any_constraint_and_spans(
    relation: Relation, ordinal: Ordinal | None, year: int, texts: list[tuple[int, int, str]]
) -> None:
    spans: list[Interval | None] = []
    for first, length, shape in texts:
        whole = Interval.of_years(first, first + length)
        spans.append(
            None
            if shape == "none"
            else Interval(None if shape == "to" else whole.start, None if shape == "from" else whole.end)
        )
    for scorer in SCORERS:
        values = scorer.score(Constraint(relation, Interval.of_year(year), ordinal), spans)
        assert values.shape == (len(spans),)
        assert np.all(np.isfinite(values))
        assert np.all((values >= 0) & (values <= 1))


@given(st.datetimes(min_value=datetime(1, 1, 1)))
def test_calendar_years_are_exact(moment: datetime) -> None:
    seconds = np.array([(moment - datetime(1970, 1, 1)).total_seconds() // 1, np.inf])
    assert calendar_years(seconds).tolist() == [moment.year, np.inf]


def test_scoring_arrays_equals_scoring_intervals_one_by_one() -> None:
    constraint = Constraint("between", Interval.of_years(1990, 1999))
    for scorer in SCORERS:
        single = [float(scorer.score(constraint, [Interval.of_year(year)])[0]) for year in YEARS]
        assert scorer.score(constraint, YEAR_SPANS).tolist() == single


def test_options_that_make_no_sense_are_refused_while_building() -> None:
    with pytest.raises(BadInput):
        MragScorer(reach=0)
    with pytest.raises(BadInput):
        IntervalScorer(memory=-1)
    with pytest.raises(BadInput):
        IntervalScorer(outside=0.7)


def test_the_figure_is_drawn_or_its_extra_named(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert scores_figure(SCORERS, tmp_path / "scores.png").stat().st_size > 1000
    with pytest.raises(BadInput):
        scores_figure([], tmp_path / "none.png")


@pytest.mark.parametrize("ordinal", ["first", "last", None])
def test_a_window_of_one_year_gives_its_year_the_whole_score_whichever_is_asked_for(ordinal: Ordinal | None) -> None:
    asked = Interval.of_year(2013)
    inside, outside = scores(MragScorer(years_only=True), "at", asked, asked, Interval.of_year(2012), ordinal=ordinal)
    assert (inside, outside) == (1.0, NEUTRAL)
