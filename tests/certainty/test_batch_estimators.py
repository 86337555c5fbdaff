from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import BadInput, Candidate, Certainty, Cost, Evidence, Question, Reading
from dateline.certainty import (
    BatchEstimator,
    CertaintyLog,
    Gate,
    MarginEstimator,
    SecondReadingEstimator,
    estimate_each,
)
from dateline.certainty.signals import signals
from dateline.testing import ReadingEstimator, ScriptedReader

QUESTION = Question("Who chairs Borth Council?", "Who chairs Borth Council?", None, datetime(2024, 5, 1, tzinfo=UTC))
PIECES = [Evidence.make(f"Bo Lind chairs Borth Council, says paper {n}.") for n in range(8)]
SHAKY = Certainty(reliable=0.2, misleading=0.3, uncertain=0.5)


def told(answer: str, probability: float = 0.8) -> Reading:
    candidates = (Candidate(answer=answer, probability=probability),)
    return Reading(answer=answer, probability=probability, no_answer=1 - probability, candidates=candidates)


def test_another_round_is_refused_when_it_would_not_fit() -> None:
    decision = Gate(max_rounds=5, max_model_calls=5).decide(
        SHAKY, spent=Cost(model_calls=3), expected=Cost(model_calls=3)
    )
    assert decision.outcome == "adopt"
    assert "no room" in decision.reason


def test_what_other_pieces_say_the_same_of_is_more_reliable() -> None:
    estimator = MarginEstimator()
    assert isinstance(estimator, BatchEstimator)
    backed = estimate_each(estimator, QUESTION, evidence=PIECES[:3], readings=[told("Bo Lind")] * 3)
    contested = estimate_each(
        estimator, QUESTION, evidence=PIECES[:3], readings=[told("Bo Lind"), told("Ann Hale"), told("Ann Hale")]
    )
    assert backed[0].reliable > contested[0].reliable


def test_an_empty_reading_is_uncertain_and_does_not_disturb_the_others() -> None:
    readings = [Reading(answer="", no_answer=1.0), told("Bo Lind")]
    found = MarginEstimator().estimate_each(QUESTION, evidence=PIECES[:2], readings=readings)
    assert found[0].label == "uncertain"
    assert found[1].reliable > 0


@given(st.text(max_size=40), st.text(max_size=80), st.floats(0, 1), st.floats(0, 1))
def test_every_signal_of_any_text_lies_between_0_and_1(answer: str, text: str, one: float, other: float) -> None:
    reading = Reading(
        answer=answer, probability=one, no_answer=other, candidates=(Candidate(answer="x", probability=other),)
    )
    seen = signals(QUESTION, evidence=[Evidence.make(text)], reading=reading, others=[told("Bo Lind", one)], place=3)
    assert all(0 <= getattr(seen, name) <= 1 for name in seen.__slots__)


def test_a_sentence_around_the_readers_own_answer_is_trusted_as_that_answer_is() -> None:
    estimator = SecondReadingEstimator(reader=ScriptedReader([told("Bo Lind")]))
    sentence, short, strange = (
        estimator.estimate(QUESTION, evidence=PIECES[:1], reading=Reading(answer=answer)).reliable
        for answer in ("It is Bo Lind who chairs the council.", "Bo Lind", "Cy Moe")
    )
    assert sentence == short > strange


async def test_second_readings_are_the_same_without_blocking() -> None:
    estimator = SecondReadingEstimator(reader=ScriptedReader([told("Bo Lind")]))
    given_readings = [Reading(answer="Bo Lind"), Reading(answer="Cy Moe")]
    one = estimator.estimate_each(QUESTION, evidence=PIECES[:2], readings=given_readings)
    assert await estimator.aestimate_each(QUESTION, evidence=PIECES[:2], readings=given_readings) == one
    single = estimator.estimate(QUESTION, evidence=PIECES[:1], reading=given_readings[0])
    assert await estimator.aestimate(QUESTION, evidence=PIECES[:1], reading=given_readings[0]) == single


def test_an_answer_that_stands_beside_everything_is_trusted_more() -> None:
    evidence, readings = PIECES[:3], [told("Bo Lind"), told("Ann Hale"), told("Cy Moe")]

    def reliable(joint: str) -> float:
        reader = ScriptedReader([told(joint)])
        return MarginEstimator(reader=reader).estimate_each(QUESTION, evidence=evidence, readings=readings)[0].reliable

    assert reliable("Bo Lind") > reliable("Ann Hale")


async def test_all_pieces_are_read_at_once_without_blocking_too_and_only_where_there_are_several() -> None:
    reader = ScriptedReader([told("Bo Lind")])
    estimator, readings = MarginEstimator(reader=reader), [told("Bo Lind"), told("Ann Hale")]
    one = estimator.estimate_each(QUESTION, evidence=PIECES[:2], readings=readings)
    assert await estimator.aestimate_each(QUESTION, evidence=PIECES[:2], readings=readings) == one
    assert [len(evidence) for _, evidence in reader.history] == [2, 2]
    alone = MarginEstimator().estimate_each(QUESTION, evidence=PIECES[:1], readings=readings[:1])
    assert estimator.estimate_each(QUESTION, evidence=PIECES[:1], readings=readings[:1]) == alone
    chosen = [one.model_copy(update={"choice": 0}) for one in readings]
    estimator.estimate_each(QUESTION, evidence=PIECES[:2], readings=chosen)
    assert len(reader.history) == 2


def test_a_log_estimates_beside_the_app_and_never_raises() -> None:
    class Broken(ReadingEstimator):
        def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
            raise RuntimeError("no")

    with CertaintyLog(Broken()) as log:
        log.offer("Who?", answer="Bo Lind", evidence=lambda: PIECES[:1])
        log.offer("", answer="nobody asked", evidence=lambda: PIECES[:1])
        log.flush()
        assert (log.failed, log.records) == (1, ())
    log.offer("Who?", answer="too late", evidence=list)
    assert log.dropped == 1
    with pytest.raises(BadInput):
        CertaintyLog(capacity=0)
