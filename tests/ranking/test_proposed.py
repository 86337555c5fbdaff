"""Which passages an index proposes: those known, the nearest, and the nearest of the newest at the asked time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from dateline import Evidence, Interval
from dateline.ranking import PassageIndex
from dateline.ranking.index import CANDIDATES, LEADING
from dateline.ranking.topic import Topic
from dateline.temporal.decomposition import decompose
from dateline.text.lexical import LexicalEmbeddings

FIRST = datetime(1990, 1, 1, tzinfo=UTC)
TOLD = (
    "{} is keeper of the Saltmere light.",
    "The Saltmere light is in the keeping of {}.",
    "{} keeps the light at Saltmere.",
)
AROUND = (
    "The Saltmere ferry runs at nine in week {}.",
    "A light rain fell on Saltmere in week {}.",
    "Week {} was quiet.",
)


def day(number: int) -> datetime:
    return FIRST + timedelta(weeks=number)


def at(number: int, text: str) -> Evidence:
    when = day(number)
    return Evidence.make(text, published=Interval.of_day(when.year, when.month, when.day))


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    """Keepers of every second week, told in turns, among other news."""
    notes = [at(week, TOLD[week % 3].format(f"Keeper{week}")) for week in range(0, 1600, 2)]
    others = [at(week, told.format(week)) for week in range(1, 1600, 2) for told in AROUND]
    return PassageIndex.build([*notes, *others], embeddings=LexicalEmbeddings(dimensions=256))


def proposed(index: PassageIndex, text: str, week: int, known: np.ndarray) -> list[str]:
    question = decompose(text, as_of=day(week))
    topic = Topic.of(question, passages=index.passages, embeddings=index.ranker.embeddings)
    return [index.passages.evidence[place].text for place in index.candidates(question, topic=topic, known=known)]


def known_by(index: PassageIndex, week: int) -> np.ndarray:
    end = day(week).timestamp()
    return np.flatnonzero([each.published.start <= end for each in index.passages.evidence if each.published])


@pytest.mark.parametrize("week", [4, 100, 501, 900, 1598])
def test_the_newest_version_known_is_proposed_however_many_there_are(index: PassageIndex, week: int) -> None:
    found = proposed(index, "Who is keeper of the Saltmere light?", week, known_by(index, week))
    assert TOLD[week // 2 * 2 % 3].format(f"Keeper{week // 2 * 2}") in found


def test_the_newest_at_a_time_in_the_question_is_proposed(index: PassageIndex) -> None:
    for week in (100, 501, 900):
        text = f"Who was keeper of the Saltmere light on {day(week):%d %B %Y}?"
        found = proposed(index, text, 1599, known_by(index, 1599))
        assert TOLD[week // 2 * 2 % 3].format(f"Keeper{week // 2 * 2}") in found


def test_nothing_unknown_is_proposed_and_what_is_known_is_not_cut(index: PassageIndex) -> None:
    for week in (3, 40, 300):
        known = known_by(index, week)
        found = proposed(index, "Who is keeper of the Saltmere light?", week, known)
        texts = {index.passages.evidence[place].text for place in known}
        assert set(found) <= texts
        assert len(found) >= min(CANDIDATES, len(known))


def test_their_number_does_not_grow_with_the_passages(index: PassageIndex) -> None:
    found = proposed(index, "Who is keeper of the Saltmere light?", 1599, np.arange(len(index)))
    assert len(found) <= 2 * CANDIDATES + LEADING


def test_a_search_gives_as_many_as_asked_for(index: PassageIndex) -> None:
    question = decompose("Who is keeper of the Saltmere light?", as_of=day(800))
    known = np.zeros(len(index), dtype=bool)
    known[:700] = True
    assert len(index.search(question, 300, allowed=known)) == 300
    assert index.search(question, 3, allowed=np.zeros(len(index), dtype=bool)) == []
