"""A ranking put in order by what the reader finds in it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from numpy.typing import NDArray

from dateline.errors import BadInput
from dateline.protocols import Ranker
from dateline.ranking import HybridRanker
from dateline.reading import ExtractiveReader, TrainedReader
from dateline.reading.piece_order import SIGNALS, order_model, signals
from dateline.reading.reading_ranker import DEPTH, ReadingRanker, read_first, reorder
from dateline.records import Evidence, RankedEvidence
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval
from dateline.text.lexical import LexicalEmbeddings

AS_OF = datetime(2024, 6, 1, tzinfo=UTC)
KEY = decompose("Who keeps the key of the boathouse?", as_of=AS_OF)
OLD = Evidence.make("Ada Holm keeps the key of the boathouse.", published=Interval.of_day(2021, 5, 4))
NEW = Evidence.make("The boathouse: Bo Lind keeps the key from now on.", published=Interval.of_day(2024, 3, 4))
OTHERS = [
    Evidence.make(f"The ferry of line {n} runs daily.", published=Interval.of_day(2023, 1, n)) for n in range(1, 9)
]


class Given:
    """A ranker that leaves evidence in the order in which it comes."""

    def rank(self, question: Question, *, evidence: Sequence[Evidence], k: int) -> list[RankedEvidence]:
        if k < 1:
            raise BadInput(f"k must be at least 1, not {k}.")
        return [RankedEvidence(evidence=piece, score=0.9 - n / 20) for n, piece in enumerate(evidence)][:k]


@pytest.fixture(scope="module")
def reader() -> TrainedReader:
    return TrainedReader()


@pytest.fixture(scope="module")
def ranker(reader: TrainedReader) -> ReadingRanker:
    return ReadingRanker(Given(), reader=reader)


def order(ranker: Ranker, evidence: Sequence[Evidence], *, k: int = 20) -> list[Evidence]:
    return [one.evidence for one in ranker.rank(KEY, evidence=evidence, k=k)]


def test_a_newer_note_that_answers_otherwise_comes_before_the_old_one(ranker: ReadingRanker) -> None:
    assert order(ranker, [OLD, NEW]) == [NEW, OLD]


def test_a_date_of_a_texts_own_words_makes_it_no_newer_than_better_dates(reader: TrainedReader) -> None:
    notes = [OLD, NEW.model_copy(update={"dated_by": "text"}), Evidence.make("Cem Aral keeps a key.")]
    ages = told(signals(KEY, evidence=notes, look=reader.look(KEY, evidence=notes)), "age")
    assert 0 < ages[0] < ages[1] == ages[2]
    assert np.expm1(ages[1]) == pytest.approx(np.expm1(ages[0]) * 5 / 3)


def test_a_note_that_answers_comes_before_one_that_does_not(ranker: ReadingRanker) -> None:
    assert order(ranker, [OTHERS[0], OTHERS[1], OLD])[0] == OLD


def test_nothing_is_lost_and_scores_stay_in_order(ranker: ReadingRanker) -> None:
    given = [*OTHERS[:4], OLD, NEW, *OTHERS[4:]]
    ranked = ranker.rank(KEY, evidence=given, k=len(given))
    assert {one.evidence.id for one in ranked} == {piece.id for piece in given}
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert [one.evidence for one in ranked][DEPTH:] == given[DEPTH:]


def test_where_none_of_the_first_surely_answers_more_are_looked_at(ranker: ReadingRanker) -> None:
    later = [*OTHERS[:DEPTH], OLD, NEW]
    assert order(ranker, later)[0] == NEW
    sure = [OLD, *OTHERS[: DEPTH - 1], NEW]
    assert order(ranker, sure)[-1] == NEW


def test_few_are_asked_for_and_many_are_looked_at(ranker: ReadingRanker) -> None:
    assert order(ranker, [*OTHERS[:3], NEW], k=1) == [NEW]


def test_an_order_of_none_or_one_is_kept(ranker: ReadingRanker) -> None:
    assert order(ranker, []) == []
    assert order(ranker, [OLD]) == [OLD]
    with pytest.raises(BadInput):
        order(ranker, [OLD], k=0)


def test_for_yes_or_no_the_verdict_counts(reader: TrainedReader) -> None:
    question = decompose("Is the side door locked?", as_of=AS_OF)
    notes = [OTHERS[0], Evidence.make("The side door is locked.", published=Interval.of_day(2024, 1, 2))]
    ranked = Given().rank(question, evidence=notes, k=2)
    seen = signals(question, evidence=notes, look=reader.look(question, evidence=notes))
    assert not told(seen, "answer").any()
    assert told(seen, "verdict")[1] > told(seen, "verdict")[0]
    assert np.isfinite(seen).all()
    assert reorder(ranked, question=question, reader=reader)[0].evidence == notes[1]


def test_what_is_said_of_a_ranking_and_of_others_is_known_by_name(reader: TrainedReader) -> None:
    again = Evidence.make("Bo Lind keeps the key of the boathouse.", published=Interval.of_day(2024, 5, 4))
    notes = [OLD, NEW, again]
    look = reader.look(KEY, evidence=notes)
    ranked = [RankedEvidence(evidence=piece, score=0.5, semantic=0.8, temporal=0.7) for piece in notes]
    seen = signals(KEY, evidence=notes, look=look, found=ranked)
    assert seen.shape == (3, len(SIGNALS)) == (3, len(order_model().mean))
    assert told(seen, "found").all()
    assert told(seen, "semantic") == pytest.approx(np.log(0.8), abs=1e-4)
    assert not told(
        signals(KEY, evidence=notes, look=look, found=Given().rank(KEY, evidence=notes, k=3)), "found"
    ).any()
    assert told(seen, "agreed")[0] == 0 < told(seen, "agreed")[1]
    assert told(seen, "outdone")[0] > 0 == told(seen, "outdone")[2]
    assert (told(seen, "stated") > 0).all()
    assert seen[:, SIGNALS.index("holds") :].sum(axis=1).max() <= 1


def told(seen: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    return seen[:, SIGNALS.index(name)]


def test_async_gives_the_same(ranker: ReadingRanker) -> None:
    assert asyncio.run(ranker.arank(KEY, evidence=[OLD, NEW], k=2)) == ranker.rank(KEY, evidence=[OLD, NEW], k=2)


def test_only_the_trained_reader_puts_in_order(reader: TrainedReader) -> None:
    plain = HybridRanker(embeddings=LexicalEmbeddings())
    assert isinstance(read_first(plain, reader=reader), ReadingRanker)
    assert read_first(plain, reader=ExtractiveReader()) is plain
