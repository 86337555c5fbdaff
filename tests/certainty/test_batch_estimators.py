from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import BadInput, Candidate, Certainty, Cost, Evidence, Question, Reading
from dateline.certainty import (
    AgreementEstimator,
    BatchEstimator,
    Calibrated,
    CertaintyLog,
    Gate,
    MarginEstimator,
    SecondReadingEstimator,
    Temperature,
    aestimate_each,
    estimate_each,
)
from dateline.certainty.signals import signals
from dateline.protocols import Estimator
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
    assert decision.outcome == "keep"
    assert "no room" in decision.reason


def test_what_other_pieces_say_the_same_of_is_more_reliable() -> None:
    estimator = MarginEstimator()
    assert isinstance(estimator, BatchEstimator)
    backed = estimate_each(estimator, QUESTION, evidence=PIECES[:3], readings=[told("Bo Lind")] * 3)
    contested = estimate_each(
        estimator, QUESTION, evidence=PIECES[:3], readings=[told("Bo Lind"), told("Ann Hale"), told("Ann Hale")]
    )
    assert backed[0].reliable > contested[0].reliable


def test_one_document_read_alone_is_trusted_as_far_as_the_same_read_at_once() -> None:
    estimator, reading = MarginEstimator(), told("Bo Lind", 0.6)
    (alone,) = estimate_each(estimator, QUESTION, evidence=PIECES[:1], readings=[reading])
    assert alone == estimator.estimate(QUESTION, evidence=PIECES[:1], reading=reading)


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


def test_an_answer_that_stands_beside_everything_is_trusted_more() -> None:
    evidence, readings = PIECES[:3], [told("Bo Lind"), told("Ann Hale"), told("Cy Moe")]

    def reliable(joint: str) -> float:
        reader = ScriptedReader([told(joint)])
        return MarginEstimator(reader=reader).estimate_each(QUESTION, evidence=evidence, readings=readings)[0].reliable

    assert reliable("Bo Lind") > reliable("Ann Hale")


READINGS = st.lists(st.builds(told, st.sampled_from(["Bo Lind", "Cy Moe", ""]), st.floats(0, 1)), max_size=4)


@given(READINGS, READINGS.filter(len))
def test_estimators_give_the_same_without_blocking(readings: list[Reading], own: list[Reading]) -> None:
    pieces = PIECES[: len(readings)]

    def estimators() -> list[Estimator]:
        def reader() -> ScriptedReader:
            return ScriptedReader(own)

        return [
            MarginEstimator(reader=reader()),
            SecondReadingEstimator(reader=reader()),
            AgreementEstimator(reader(), samples=3),
            Calibrated(MarginEstimator(), Temperature(2.0)),
        ]

    for one, other in zip(estimators(), estimators(), strict=True):
        blocking = estimate_each(one, QUESTION, evidence=pieces, readings=readings)
        assert asyncio.run(aestimate_each(other, QUESTION, evidence=pieces, readings=readings)) == blocking
        for reading in readings:
            certainty = one.estimate(QUESTION, evidence=pieces, reading=reading)
            assert asyncio.run(other.aestimate(QUESTION, evidence=pieces, reading=reading)) == certainty


def test_all_pieces_are_read_at_once_only_where_there_are_several() -> None:
    reader = ScriptedReader([told("Bo Lind")])
    estimator, readings = MarginEstimator(reader=reader), [told("Bo Lind"), told("Ann Hale")]
    estimator.estimate_each(QUESTION, evidence=PIECES[:2], readings=readings)
    assert [len(evidence) for _, evidence in reader.history] == [2]
    alone = MarginEstimator().estimate_each(QUESTION, evidence=PIECES[:1], readings=readings[:1])
    assert estimator.estimate_each(QUESTION, evidence=PIECES[:1], readings=readings[:1]) == alone
    chosen = [one.model_copy(update={"choice": 0}) for one in readings]
    estimator.estimate_each(QUESTION, evidence=PIECES[:2], readings=chosen)
    assert len(reader.history) == 1


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
