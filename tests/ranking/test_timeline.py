"""A document's dates in reading order, and what they say of the times between them."""

from collections.abc import Sequence

import numpy as np
import pytest

from dateline import Constraint, Interval
from dateline.ranking.bm25 import Bm25, top
from dateline.ranking.fit import TimelineFit
from dateline.ranking.fusion import reciprocal_rank_fusion
from dateline.ranking.time_table import TimeTable
from dateline.ranking.timeline import Timeline
from dateline.temporal import Relation


def year(number: int) -> Interval:
    return Interval.of_year(number)


def timeline_of(times: list[list[Interval]], *, documents: list[int], published: Sequence[Interval | None]) -> Timeline:
    return Timeline.of(
        TimeTable.of([time for own in times for time in own]),
        counts=np.array(list(map(len, times)), dtype=np.int64),
        documents=np.array(documents, dtype=np.int64),
        published=published,
        sizes=np.ones(len(times), dtype=np.int64),
    )


def scores(
    times: list[list[Interval]], asked: Interval, published: Interval | None = None, *, relation: Relation = "at"
) -> np.ndarray:
    timeline = timeline_of(times, documents=[0] * len(times), published=[published] * len(times))
    return TimelineFit().score(Constraint(relation, asked), timeline.take(np.arange(len(timeline.intervals))))


def test_what_began_last_before_the_asked_time_fits_best() -> None:
    fits = scores([[year(1911)], [year(1916)], [year(1923)], [year(1933)]], year(1920))
    assert int(np.argmax(fits)) == 1


def test_a_stretch_that_covers_the_asked_time_beats_a_date_years_before_it() -> None:
    fits = scores([[Interval.of_years(2004, 2011)], [year(2002)]], year(2007))
    assert fits[0] > fits[1]


def test_a_short_stretch_says_more_than_a_lifetime() -> None:
    fits = scores([[Interval.of_years(1930, 2015)], [Interval.of_years(2004, 2011)]], year(2007))
    assert fits[1] > fits[0]


def test_a_stretch_that_is_over_says_less_than_one_still_open() -> None:
    since = Interval(Interval.of_year(2012).start, None)
    fits = scores([[Interval.of_years(2004, 2011)], [since]], year(2015))
    assert fits[1] > 0.5 > fits[0]


@pytest.mark.parametrize(("relation", "asked"), [("after", 2023), ("since", 2024)])
def test_what_began_last_before_a_window_open_ahead_still_holds_in_it(relation: Relation, asked: int) -> None:
    fits = [scores([[year(began)]], year(asked), relation=relation)[0] for began in (2015, 2019, 2023)]
    assert fits[2] > 0.5 > fits[1] >= fits[0]


def test_an_event_within_a_window_open_ahead_suits_it_as_before() -> None:
    before, within = scores([[year(2005)], [year(2023)]], year(2010), relation="after")
    assert within > 0.5 > before


def test_a_later_date_falls_below_neutral() -> None:
    assert scores([[year(2019)]], year(2012))[0] < 0.5


def test_an_undated_sentence_borrows_from_the_one_before_it_in_its_document_only() -> None:
    timeline = timeline_of([[year(1990)], [], []], documents=[0, 0, 1], published=[None] * 3)
    assert timeline.bounds.tolist() == [0, 1, 2, 2]
    assert timeline.borrowed.tolist() == [False, True]


def test_a_day_of_publication_comes_before_a_neighbours_date() -> None:
    timeline = timeline_of([[year(1990)], []], documents=[0, 0], published=[year(2001)] * 2)
    assert timeline.intervals == (year(1990), year(2001))


@pytest.mark.parametrize("relation", ["before", "after", "since", "until", "by", "around", "between", "as_of"])
def test_every_relation_gives_scores_from_0_to_1(relation: str) -> None:
    timeline = timeline_of(
        [[year(1990), Interval(None, year(1995).start), Interval(year(1995).start, None)], []],
        documents=[0, 0],
        published=[None, None],
    )
    constraint = Constraint(relation, year(1992))  # type: ignore[arg-type]
    fits = TimelineFit().score(constraint, timeline.take(np.arange(len(timeline.intervals))))
    assert ((fits >= 0) & (fits <= 1)).all()


def test_bm25_prefers_the_rarer_word_and_the_shorter_text() -> None:
    index = Bm25.build(["lake ferry", "lake boat", "lake", "lake ferry " + "reed " * 30, "bread"])
    assert top(index.scores("ferry on a lake"), 5).tolist()[:2] == [0, 3]
    assert index.scores("ferry")[4] == 0
    assert not Bm25.build([]).scores("ferry").size


def test_ties_are_taken_in_order_of_position() -> None:
    assert top(np.array([1.0, 2.0, 1.0, 1.0], dtype=np.float32), 3).tolist() == [1, 0, 2]


def test_fusion_rewards_what_both_rankings_hold_high() -> None:
    words, vectors = np.array([4.0, 3, 2, 1], np.float32), np.array([0.0, 3, 2, 4], np.float32)
    assert int(np.argmax(reciprocal_rank_fusion([words, vectors]))) == 1
