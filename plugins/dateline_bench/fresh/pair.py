"""Both modes together, and many cases at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from langchain_core.language_models import BaseChatModel

from dateline.chat import TRIES
from dateline.errors import ModelFailed
from dateline.evaluation.fresheval import FreshEvalJudge
from dateline.evaluation.judgement import AnswerCase, AnswerJudge, Judgement
from dateline.evaluation.rule_judge import RuleAnswerJudge
from dateline.flow import Flow, arun, call, run
from dateline_bench.parallel import AT_ONCE, amapped, mapped


class FreshJudges(NamedTuple):
    """A relaxed and a strict judge."""

    relaxed: AnswerJudge
    strict: AnswerJudge

    @classmethod
    def by_rules(cls) -> FreshJudges:
        """Judges without a model."""
        return cls(RuleAnswerJudge("relaxed"), RuleAnswerJudge("strict"))

    @classmethod
    def by_model(cls, model: BaseChatModel, *, tries: int = TRIES) -> FreshJudges:
        """FreshEval with a chat model."""
        return cls(
            FreshEvalJudge(model, mode="relaxed", tries=tries), FreshEvalJudge(model, mode="strict", tries=tries)
        )

    def judge(self, case: AnswerCase) -> tuple[Judgement, Judgement]:
        """Judge (relaxed, strict), which never contradict each other.

        A relaxed refusal is strict, too; strict credit is relaxed, too, where relaxed judging is undecided. A judge whose
        model fails is undecided: both are where relaxed judging fails, and a relaxed judgement stays where strict fails.
        """
        return run(self._judging(case))

    async def ajudge(self, case: AnswerCase) -> tuple[Judgement, Judgement]:
        """Judge asynchronously."""
        return await arun(self._judging(case))

    def _judging(self, case: AnswerCase) -> Flow[tuple[Judgement, Judgement]]:
        try:
            relaxed = yield from call(self.relaxed.judge, case)
        except ModelFailed as error:
            relaxed = _undecided(error)
            return relaxed, relaxed
        if relaxed.correct is False:
            return relaxed, relaxed
        try:
            strict = yield from call(self.strict.judge, case)
        except ModelFailed as error:
            return relaxed, _undecided(error)
        if relaxed.correct is None and strict.correct:
            relaxed = relaxed.model_copy(update={"correct": True, "reason": strict.reason})
        return relaxed, strict


def _undecided(error: ModelFailed) -> Judgement:
    return Judgement(correct=None, reason=str(error))


def judge_all(cases: Sequence[AnswerCase], *, judge: AnswerJudge, at_once: int = AT_ONCE) -> list[Judgement]:
    """Judge each case, in order, at most `at_once` at a time.

    Raises:
        BadInput: when `at_once` is below 1.
        ModelFailed: when the judge's model fails.
    """
    return list(mapped(judge.judge, cases, at_once=at_once))


async def ajudge_all(cases: Sequence[AnswerCase], *, judge: AnswerJudge, at_once: int = AT_ONCE) -> list[Judgement]:
    """Judge all asynchronously."""
    return await amapped(judge.ajudge, cases, at_once=at_once)
