"""Of many reports of one state the newest known comes first; what merely looks like it does not."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from dateline import Evidence, Interval
from dateline.ranking import HybridRanker
from dateline.ranking.states import newest, on_topic
from dateline.temporal import decompose
from dateline.text import encoder
from dateline.text.lexical import LexicalEmbeddings

WORDINGS = (
    "{} is the director of the Glass Museum.",
    "{} now leads the Glass Museum.",
    "{} has been appointed director of the Glass Museum.",
    "The Glass Museum has chosen {} as its director.",
    "The Glass Museum is headed by {}.",
)
LOOK_ALIKES = (
    "{} is the deputy director of the Glass Museum.",
    "{} has been appointed director of the Iron Museum.",
    "{} is the director of education at the Glass Museum.",
    "Former director {} of the Glass Museum has written a book.",
)
NAMES = (
    "Ana Lee",
    "Bo Ek",
    "Cy Flint",
    "Di Holm",
    "Ed Vik",
    "Fay Lund",
    "Gil Berg",
    "Hal Dahl",
    "Ida Falk",
    "Jo Strand",
)
QUESTION = "Who is the director of the Glass Museum?"


UNLIKE = "Wordings whose vectors are so unlike the others' pass for reports about something else."
MISSED = {
    *((f"whatever_it_is[{encoder}-{wording}]", UNLIKE) for encoder in ("lexical", "minilm") for wording in (1, 4)),
    (f"takes_nothing_away[minilm-{LOOK_ALIKES[3]}]", "A past holder's other news is near to what is asked."),
}
"""Ends of the names of tests that are known to fail, and why."""


@pytest.fixture(autouse=True)
def known_misses(request: pytest.FixtureRequest) -> None:
    for end, reason in MISSED:
        if request.node.name.endswith(end):
            request.applymarker(pytest.mark.xfail(strict=True, reason=reason))


@pytest.fixture(scope="module", params=["lexical", "minilm"])
def ranker(request: pytest.FixtureRequest) -> HybridRanker:
    if request.param == "minilm" and not encoder.available():
        pytest.skip("the extra embeddings is not installed")
    inner: Embeddings = LexicalEmbeddings() if request.param == "lexical" else encoder.MiniLMEmbeddings()
    return HybridRanker(embeddings=inner)


def told(text: str, year: int, month: int = 1) -> Evidence:
    return Evidence.make(text, published=Interval.of_day(year, month, 10))


def first(ranker: HybridRanker, notes: list[Evidence], *, year: int, question: str = QUESTION) -> str:
    asked = decompose(question, as_of=datetime(year, 12, 31, tzinfo=UTC))
    return ranker.rank(asked, evidence=notes, k=1)[0].evidence.text


@pytest.mark.parametrize("last", range(len(WORDINGS)))
def test_the_newest_wording_comes_first_whatever_it_is(ranker: HybridRanker, last: int) -> None:
    notes = [told(WORDINGS[n % 5].format(name), 1980 + n) for n, name in enumerate(NAMES * 3)]
    notes.append(told(WORDINGS[last].format("Zoe Quill"), 2015))
    assert "Zoe Quill" in first(ranker, notes, year=2020)


@pytest.mark.parametrize("alike", LOOK_ALIKES)
def test_a_newer_look_alike_takes_nothing_away(ranker: HybridRanker, alike: str) -> None:
    notes = [told(WORDINGS[n % 3].format(name), 1990 + n) for n, name in enumerate(NAMES)]
    notes += [told(alike.format(name), 2001 + n) for n, name in enumerate(NAMES)]
    assert first(ranker, notes, year=2020) == notes[9].text


def test_a_later_look_back_says_nothing_about_now(ranker: HybridRanker) -> None:
    notes = [
        told("Ana Lee is the director of the Glass Museum.", 2003),
        told("Bo Ek is the director of the Glass Museum.", 2010),
        told("In 2003, Ana Lee was the director of the Glass Museum.", 2020),
    ]
    assert first(ranker, notes, year=2021) == notes[1].text
    assert "Ana Lee" in first(ranker, notes, year=2021, question="Who was the director of the Glass Museum in 2003?")


def test_a_plan_says_nothing_about_now(ranker: HybridRanker) -> None:
    notes = [
        told("Bo Ek is the director of the Glass Museum.", 2010),
        told("Cy Flint will be the director of the Glass Museum in 2027.", 2020),
    ]
    assert first(ranker, notes, year=2021) == notes[0].text


def test_what_lasts_since_a_year_lasts_no_longer_than_it_was_told(ranker: HybridRanker) -> None:
    notes = [
        told("Ana Lee has been the director of the Glass Museum since 2001.", 2005),
        told("Bo Ek is the director of the Glass Museum.", 2010),
    ]
    assert first(ranker, notes, year=2012) == notes[1].text
    assert (
        first(ranker, notes, year=2012, question="Who was the director of the Glass Museum in 2004?") == notes[0].text
    )


@pytest.mark.parametrize(
    "report",
    [
        "Bo Ek has been the director of the Glass Museum since this weekend.",
        "This afternoon Bo Ek became the director of the Glass Museum.",
        "Bo Ek is the director of the Glass Museum until Friday.",
    ],
)
def test_a_report_of_its_own_days_is_the_newest_until_the_next(ranker: HybridRanker, report: str) -> None:
    notes = [told(WORDINGS[0].format(name), 2001 + n) for n, name in enumerate(NAMES[2:6])]
    notes += [told(report, 2010), told(WORDINGS[0].format("Cy Flint"), 2014)]
    assert first(ranker, notes, year=2012) == report
    assert first(ranker, notes, year=2015) == notes[-1].text
    assert first(ranker, notes, year=2009) == notes[3].text


def test_an_undated_note_never_comes_before_a_dated_one_that_suits(ranker: HybridRanker) -> None:
    notes = [Evidence.make("Ana Lee is the director of the Glass Museum."), told(WORDINGS[1].format("Bo Ek"), 2010)]
    assert first(ranker, notes, year=2012) == notes[1].text


def test_of_equal_dates_the_content_decides(ranker: HybridRanker) -> None:
    notes = [told("The café serves rye bread.", 2010), told("Bo Ek is the director of the Glass Museum.", 2010)]
    assert first(ranker, notes, year=2012) == notes[1].text


def test_what_is_off_the_topic_changes_no_order() -> None:
    odds, days = np.array([2.0, 1.0, 1.5]), np.array([1.0, 3.0, 2.0])
    alone = newest(odds, places=days, weights=np.ones(3))
    more = newest(np.append(odds, -9.0), places=np.append(days, 4.0), weights=np.ones(4))
    assert np.argsort(alone).tolist() == np.argsort(more[:3]).tolist()
    assert more[:3] == pytest.approx(alone, rel=1e-3)


def test_what_is_told_of_another_time_hides_nothing() -> None:
    odds, days = np.array([2.0, 1.0, 1.5]), np.array([1.0, 3.0, 2.0])
    alone = newest(odds, places=days, weights=np.ones(3))
    more = newest(np.append(odds, 9.0), places=np.append(days, -np.inf), weights=np.ones(4))
    assert more[:3] == pytest.approx(alone)


def test_where_all_that_suits_is_off_the_topic_nothing_breaks() -> None:
    odds, days, vectors = np.array([-np.inf, 2.0]), np.array([1.0, -np.inf]), np.eye(2, dtype=np.float32)
    joined = on_topic(odds, relevance=np.array([0.1, 0.9]), vectors=vectors, places=days)
    assert np.isfinite(newest(joined, places=days, weights=np.ones(2))).all()
