"""The answering loop: rounds, budgets, and the same blocking and async."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline import BadInput, Candidate, Cost, Evidence, Question, Reading
from dateline.certainty import Answer, CheckedReader, Gate, RankedSource, Rescorer
from dateline.certainty.attempt import Attempt
from dateline.flow import run
from dateline.protocols import ReadResult
from dateline.testing import ReadingEstimator, ScriptedReader
from dateline.text.lexical import LexicalEmbeddings

QUESTION = Question("Who chairs Borth Council?", "Who chairs Borth Council?", None, datetime(2024, 5, 1, tzinfo=UTC))
PIECES = [Evidence.make(f"Bo Lind chairs Borth Council, says paper {n}.") for n in range(8)]


def told(answer: str, probability: float = 0.2) -> Reading:
    candidates = (Candidate(answer=answer, probability=probability),)
    return Reading(answer=answer, probability=probability, no_answer=1 - probability, candidates=candidates)


def reader(readings: Sequence[Reading] = (told("a"),), *, cost: Cost | None = None, **options: Any) -> CheckedReader:
    inner = ScriptedReader(readings, cost=cost or Cost(model_calls=1))
    given = {"estimator": ReadingEstimator(), "k": 2, "clock": lambda: 0.0, **options}
    return CheckedReader(inner, **given)


@given(st.integers(0, 12), st.booleans())
def test_model_calls_never_exceed_their_budget_after_the_first_round(budget: int, per_document: bool) -> None:
    made = reader(gate=Gate(max_rounds=9, max_model_calls=budget), per_document=per_document)
    assert made.check(QUESTION, evidence=PIECES).cost.model_calls <= max(2, budget)


def test_tokens_and_seconds_have_budgets_too() -> None:
    made = reader(gate=Gate(max_rounds=9, max_tokens=500), cost=Cost(input_tokens=100))
    assert made.check(QUESTION, evidence=PIECES).cost.input_tokens == 400
    ticks = iter(range(0, 100, 10))
    slow = reader(gate=Gate(max_rounds=9, max_seconds=25.0), clock=lambda: float(next(ticks)))
    answer = slow.check(QUESTION, evidence=PIECES)
    assert "no room" in answer.decision.reason
    assert answer.rounds == 1


READINGS = st.lists(
    st.builds(told, st.sampled_from(["Bo Lind", "Ann Hale", ""]), st.sampled_from([0.1, 0.3, 0.45, 0.9])), min_size=1
)
GATES = st.builds(
    Gate,
    max_rounds=st.integers(0, 4),
    abstain_below=st.sampled_from([0.0, 0.4]),
    max_model_calls=st.none() | st.integers(0, 8),
)


@settings(max_examples=60)
@given(READINGS, GATES, st.booleans(), st.booleans(), st.integers(1, 4))
def test_blocking_and_async_give_the_same_answer(
    readings: list[Reading], gate: Gate, per_document: bool, published: bool, k: int
) -> None:
    def made() -> CheckedReader:
        embeddings = LexicalEmbeddings() if published else None
        return reader(readings, gate=gate, per_document=per_document, embeddings=embeddings, k=k)

    blocking = made().check(QUESTION, evidence=PIECES)
    assert asyncio.run(made().acheck(QUESTION, evidence=PIECES)) == blocking
    assert blocking.rounds <= gate.max_rounds
    rounds = [step.details for step in blocking.steps if step.name == "answer"]
    # Each round at once reads all that was read before: its word is the last, where it has one.
    stands = rounds[-1] if rounds[-1]["answer"] and not per_document else None
    reliable = (
        stands["certainty"] if stands else max((each["certainty"] for each in rounds), key=lambda one: one["reliable"])
    )
    assert blocking.certainty.reliable == reliable["reliable"]
    assert Answer.model_validate_json(blocking.model_dump_json()) == blocking


def test_documents_of_a_round_are_read_alone_or_all_at_once() -> None:
    for per_document, sizes in ((True, [1, 1]), (False, [2])):
        inner = ScriptedReader([told("Bo Lind", 0.9)])
        CheckedReader(inner, estimator=ReadingEstimator(), k=2, per_document=per_document).check(
            QUESTION, evidence=PIECES
        )
        assert [len(shown) for _, shown in inner.history] == sizes


def test_a_reader_that_takes_all_pieces_in_one_batch_is_given_them_so() -> None:
    class Batching(ScriptedReader):
        sizes: tuple[int, ...] = ()

        def read_each(
            self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
        ) -> list[ReadResult]:
            self.sizes = (*self.sizes, len(evidence))
            return [self.read(question, evidence=[piece], choices=choices) for piece in evidence]

    inner = Batching([told("Bo Lind", 0.9)])
    assert CheckedReader(inner, estimator=ReadingEstimator()).check(QUESTION, evidence=PIECES).answer == "Bo Lind"
    assert inner.sizes == (3,)


def test_unread_evidence_that_names_the_answer_comes_first() -> None:
    first = Attempt(
        reading=told("Ann Hale", 0.4),
        certainty=ReadingEstimator().estimate(QUESTION, evidence=(), reading=told("Ann Hale", 0.4)),
        shown=(PIECES[0].id,),
    )
    named = Evidence.make("Ann Hale spoke.")
    ranked = RankedSource.in_order([*PIECES[:3], named], k=1, reranker=Rescorer())
    (chosen,) = run(ranked.choose(QUESTION, attempts=[first]))
    assert chosen.evidence == named


def test_sizes_that_read_nothing_are_refused() -> None:
    for wrong in ({"k": 0}, {"candidates": -1}):
        with pytest.raises(BadInput):
            reader(**wrong)


def test_an_unlikely_answer_does_not_undo_the_order_of_a_retrieval_without_scores() -> None:
    named = Evidence.make("Ann Hale spoke.")
    pieces = [*PIECES[:7], named]
    for probability, first in ((0.1, PIECES[1]), (0.9, named)):
        reading = told("Ann Hale", probability)
        attempt = Attempt(
            reading=reading,
            certainty=ReadingEstimator().estimate(QUESTION, evidence=(), reading=reading),
            shown=(PIECES[0].id,),
        )
        ranked = RankedSource.in_order(pieces, k=1, reranker=Rescorer())
        (chosen,) = run(ranked.choose(QUESTION, attempts=[attempt]))
        assert chosen.evidence == first
    scores = [one.score for one in RankedSource.in_order(pieces).ranked]
    assert scores == sorted(set(scores), reverse=True)
