"""Certainty from the meanings of sampled answers, and from uqlm's scorers."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from dateline.certainty import SemanticEntropyEstimator, UqlmEstimator
from dateline.certainty.gate import NOTHING
from dateline.certainty.semantic_entropy import meanings_of, of_meanings
from dateline.errors import BadInput
from dateline.protocols import Verdict
from dateline.records import Evidence, Reading
from dateline.temporal import decompose, now
from langchain_dateline.testing import ScriptedChatModel

QUESTION = decompose("Who chairs Borth Council?", as_of=now())
EVIDENCE = [Evidence.make("Bo Lind chairs Borth Council."), Evidence.make("The council met.")]


class Prefixes:
    """A judge for which one text supports another that it begins with."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        self.asked += pairs
        return ["supports" if premise.startswith(hypothesis) else "neither" for premise, hypothesis in pairs]


def model_of(*answers: str) -> ScriptedChatModel:
    return ScriptedChatModel(replies=[f"answer: {answer}" for answer in answers])


def reliable(given: str, *answers: str) -> float:
    estimator = SemanticEntropyEstimator(model_of(*answers), samples=len(answers), judge=Prefixes())
    return estimator.estimate(QUESTION, evidence=EVIDENCE, reading=Reading(answer=given)).reliable


def test_one_meaning_in_several_words_is_certain_and_many_meanings_are_not() -> None:
    assert reliable("Bo Lind", "Bo Lind", "the Bo Lind", "Bo Lind") == 1.0
    assert reliable("Bo Lind", "Bo Lind", "Ada Berg", "Carl Dahl") == pytest.approx(0.0, abs=1e-9)
    assert reliable("Ada Berg", "Bo Lind", "Bo Lind", "Bo Lind") == 0.0


def test_more_agreement_is_more_certain() -> None:
    certain = [reliable("Bo Lind", *["Bo Lind"] * same, *["Ada Berg"] * (5 - same)) for same in (3, 4, 5)]
    assert certain == sorted(certain)
    assert certain[0] < certain[-1] == 1.0


def test_support_must_go_both_ways() -> None:
    one_way = {("a b", "a")}
    assert meanings_of(["a b", "a"], supported=one_way) == {"a b": 0, "a": 1}
    assert meanings_of(["a b", "a"], supported=one_way | {("a", "a b")}) == {"a b": 0, "a": 0}


def test_samples_without_an_answer_are_uncertain_and_other_answers_misleading() -> None:
    assert of_meanings(0, others=[None, None, None]).uncertain == 1.0
    assert of_meanings(0, others=[1, 1, 1]).misleading == 1.0
    mixed = of_meanings(0, others=[0, 0, None, 1])
    assert mixed.uncertain > 0
    assert mixed.reliable + mixed.misleading + mixed.uncertain == pytest.approx(1.0)


def test_the_judge_reads_answers_behind_the_question_and_each_pair_once() -> None:
    judge = Prefixes()
    estimator = SemanticEntropyEstimator(model_of("Bo Lind", "Ada Berg", "Ada Berg"), samples=3, judge=judge)
    estimator.estimate(QUESTION, evidence=EVIDENCE, reading=Reading(answer="Bo Lind"))
    assert all(premise.startswith(QUESTION.text) for premise, _ in judge.asked)
    assert len(judge.asked) == len(set(judge.asked)) == 2


async def test_blocking_and_async_agree_and_calls_are_bounded() -> None:
    def estimator() -> tuple[ScriptedChatModel, SemanticEntropyEstimator]:
        model = model_of("Bo Lind", "Ada Berg", "Bo Lind")
        return model, SemanticEntropyEstimator(model, samples=3, judge=Prefixes())

    model, first = estimator()
    one = first.estimate(QUESTION, evidence=EVIDENCE, reading=Reading(answer="Bo Lind"))
    other = await estimator()[1].aestimate(QUESTION, evidence=EVIDENCE, reading=Reading(answer="Bo Lind"))
    assert one == other
    assert len(model.history) == 3


def test_no_answer_costs_no_call() -> None:
    model = model_of("Bo Lind")
    found = SemanticEntropyEstimator(model).estimate(QUESTION, evidence=EVIDENCE, reading=Reading(answer=""))
    assert found == NOTHING
    assert not model.history


@pytest.mark.parametrize("samples", [0, 21])
def test_samples_are_bounded(samples: int) -> None:
    with pytest.raises(BadInput, match="between 1 and 20"):
        SemanticEntropyEstimator(model_of("x"), samples=samples)


# -- uqlm -----------------------------------------------------------------------------------------


class BlackBox:
    """Has the interface of uqlm's `BlackBoxUQ.score`: the share of samples that match exactly."""

    def score(
        self, responses: list[str], sampled_responses: list[list[str]], show_progress_bars: bool | None = True
    ) -> Any:
        assert show_progress_bars is False
        shares = [
            sum(one == response for one in samples) / len(samples)
            for response, samples in zip(responses, sampled_responses, strict=True)
        ]
        return SimpleNamespace(data={"responses": responses, "exact_match": shares})


class Panel:
    """Has the interface of uqlm's `LLMPanel.score`, which is a coroutine and reads the question."""

    def __init__(self, score: float) -> None:
        self.given, self.asked = score, [""]

    async def score(self, prompts: list[str], responses: list[str] | None = None) -> Any:
        self.asked = prompts
        return SimpleNamespace(data={"avg": [self.given for _ in responses or ()]})


class WhiteBox:
    """Has the interface of uqlm's `WhiteBoxUQ.score`, which needs log-probabilities."""

    async def score(self, logprobs_results: list[Any], responses: list[str] | None = None) -> Any:
        raise AssertionError


async def test_a_black_box_scorer_compares_samples_of_the_model() -> None:
    for way in ("blocking", "async"):
        model = model_of("Bo Lind", "Bo Lind", "Ada Berg", "Bo Lind")
        estimator = UqlmEstimator(BlackBox(), column="exact_match", model=model, samples=4)
        reading = Reading(answer="Bo Lind")
        if way == "blocking":
            found = estimator.estimate(QUESTION, evidence=EVIDENCE, reading=reading)
        else:
            found = await estimator.aestimate(QUESTION, evidence=EVIDENCE, reading=reading)
        assert found.reliable == 0.75
        assert found.misleading == 0.25
        assert len(model.history) == 4


async def test_a_panel_scores_the_answer_without_samples() -> None:
    panel = Panel(0.9)
    estimator = UqlmEstimator(panel, column="avg")
    found = await estimator.aestimate(QUESTION, evidence=EVIDENCE, reading=Reading(answer="Bo Lind"))
    assert found.reliable == 0.9
    assert panel.asked == [QUESTION.text]


def test_a_coroutine_is_awaited_from_blocking_code_and_a_missing_score_is_uncertain() -> None:
    found = UqlmEstimator(Panel(float("nan")), column="avg").estimate(
        QUESTION, evidence=EVIDENCE, reading=Reading(answer="Bo Lind")
    )
    assert found == NOTHING


def test_what_cannot_score_a_given_answer_is_refused() -> None:
    with pytest.raises(BadInput, match="logprobs_results"):
        UqlmEstimator(WhiteBox(), column="x")
    with pytest.raises(BadInput, match="pass model="):
        UqlmEstimator(BlackBox(), column="exact_match")
    with pytest.raises(BadInput, match="no column 'best'"):
        UqlmEstimator(Panel(0.5), column="best").estimate(
            QUESTION, evidence=EVIDENCE, reading=Reading(answer="Bo Lind")
        )
