"""The hybrid ranker and the index on evidence small enough to judge by eye."""

from datetime import UTC, datetime

import pytest

from dateline import BadInput, Constraint, Evidence, Interval, Question
from dateline.ranking import HybridRanker, PassageIndex
from dateline.text.lexical import LexicalEmbeddings

CAPTAINS = [
    Evidence.make("Ada Quill became captain of the Northern Rowers in 1998 .", title="Northern Rowers"),
    Evidence.make("Bo Winter was captain of the Northern Rowers from 2004 to 2011 .", title="Northern Rowers"),
    Evidence.make("Cy Flint has been captain of the Northern Rowers since 2012 .", title="Northern Rowers"),
    Evidence.make("The bakery on the corner sells rye bread and tea .", title="Corner Bakery"),
]


def asked(constraint: Constraint | None = None, *, as_of: int = 2021) -> Question:
    content = "Who was captain of the Northern Rowers?"
    return Question(content, content, constraint, datetime(as_of, 12, 1, tzinfo=UTC))


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    return PassageIndex.build(CAPTAINS, embeddings=LexicalEmbeddings())


@pytest.mark.parametrize(("year", "captain"), [(2007, "Bo"), (2015, "Cy"), (1999, "Ada")])
def test_the_state_that_covers_the_asked_year_comes_first(index: PassageIndex, year: int, captain: str) -> None:
    question = asked(Constraint("at", Interval.of_year(year)))
    assert index.search(question, 1)[0].evidence.text.startswith(captain)


def test_without_a_constraint_the_asking_day_counts(index: PassageIndex) -> None:
    assert index.search(asked(), 1)[0].evidence.text.startswith("Cy")


def test_evidence_that_speaks_of_something_else_comes_last(index: PassageIndex) -> None:
    assert index.search(asked(), 4)[-1].evidence.title == "Corner Bakery"


def test_the_best_come_first_and_scores_are_never_negative(index: PassageIndex) -> None:
    scores = [found.score for found in index.search(asked(), 4)]
    assert scores == sorted(scores, reverse=True)
    assert min(scores) >= 0


def test_an_undated_sentence_keeps_a_neutral_score(index: PassageIndex) -> None:
    bakery = index.search(asked(), 4)[-1]
    assert (bakery.temporal, bakery.matched) == (0.5, None)


async def test_ranking_without_blocking_gives_the_same(index: PassageIndex) -> None:
    ranker = HybridRanker(embeddings=LexicalEmbeddings())
    assert await ranker.arank(asked(), evidence=CAPTAINS, k=3) == ranker.rank(asked(), evidence=CAPTAINS, k=3)


def test_nothing_to_rank_gives_nothing() -> None:
    assert HybridRanker(embeddings=LexicalEmbeddings()).rank(asked(), evidence=[], k=3) == []
    assert PassageIndex.build([], embeddings=LexicalEmbeddings()).search(asked(), 3) == []


def test_asking_for_no_passages_is_refused() -> None:
    with pytest.raises(BadInput, match="k must be at least 1"):
        HybridRanker(embeddings=LexicalEmbeddings()).rank(asked(), evidence=CAPTAINS, k=0)
