"""One description of what may answer: known by then, about that time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dateline.evidence.knowledge import published_from, was_known
from dateline.ranking.candidates import CandidateFilter
from dateline.records import Evidence
from dateline.temporal import Interval, decompose

NOON = datetime(2019, 6, 1, 12, tzinfo=UTC)


def of(text: str) -> CandidateFilter:
    return CandidateFilter.of(decompose(text, as_of=NOON))


@pytest.mark.parametrize("published", ["2019-05-31", "2019-06-01", "2019-06-02", "2019-06", "2019", "2020", None])
def test_it_knows_exactly_what_was_known_on_the_asking_day(published: str | None) -> None:
    evidence = Evidence.make("Acme closed.", published=None if published is None else Interval.parse(published))
    assert of("Who led Acme?").knows(published_from(evidence)) == was_known(evidence, as_of=NOON)


def test_a_question_without_a_time_asks_about_no_period() -> None:
    asked = of("Who led Acme?")
    assert not asked.has_period
    assert asked.latest == asked.known_before
    assert asked.without_period() == asked


def test_what_shares_a_moment_with_the_asked_period_is_about_it() -> None:
    asked, year = of("Who led Acme in 2010?"), Interval.of_year(2010)
    assert (asked.start, asked.end) == (year.start, year.end)
    for stretch, expected in (((2009, 2009), False), ((2008, 2010), True), ((2010, 2010), True), ((2011, 2012), False)):
        other = Interval.of_years(*stretch)
        assert asked.is_about(other.start or 0, other.end or 0) is expected


def test_the_newest_that_is_meant_began_before_the_period_ended_and_was_known() -> None:
    assert of("Who led Acme before 2010?").latest == Interval.of_year(2010).start
    assert of("Who will lead Acme in 2030?").latest == of("Who led Acme?").known_before
