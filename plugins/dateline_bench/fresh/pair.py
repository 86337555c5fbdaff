"""Both modes together, and many cases at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from langchain_core.language_models import BaseChatModel

from dateline.chat import TRIES
from dateline.evaluation.fresheval import FreshEvalJudge
from dateline.evaluation.judgement import AnswerCase, AnswerJudge, Judgement
from dateline.evaluation.rule_judge import RuleAnswerJudge
from dateline_bench.fresh.parallel import AT_ONCE, amapped, mapped


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
        """Judge (relaxed, strict); a relaxed refusal is strict, too."""
        relaxed = judge_one(self.relaxed, case)
        return relaxed, relaxed if _refused(relaxed) else judge_one(self.strict, case)

    async def ajudge(self, case: AnswerCase) -> tuple[Judgement, Judgement]:
        """Judge asynchronously."""
        relaxed = await ajudge_one(self.relaxed, case)
        return relaxed, relaxed if _refused(relaxed) else await ajudge_one(self.strict, case)


def _refused(relaxed: Judgement) -> bool:
    return relaxed.correct is False


def judge_one(judge: AnswerJudge, case: AnswerCase) -> Judgement:
    """One case before one judge."""
    return judge.judge(
        case.question,
        answer=case.answer,
        golds=case.golds,
        false_premise=case.false_premise,
        as_of=case.as_of,
        evidence=case.evidence,
    )


async def ajudge_one(judge: AnswerJudge, case: AnswerCase) -> Judgement:
    """Judge one asynchronously."""
    return await judge.ajudge(
        case.question,
        answer=case.answer,
        golds=case.golds,
        false_premise=case.false_premise,
        as_of=case.as_of,
        evidence=case.evidence,
    )


def judge_all(cases: Sequence[AnswerCase], *, judge: AnswerJudge, at_once: int = AT_ONCE) -> list[Judgement]:
    """Judge each case, in order, at most `at_once` at a time.

    Raises:
        BadInput: when `at_once` is below 1.
        ModelFailed: when the judge's model fails.
    """
    return list(mapped(lambda case: judge_one(judge, case), cases, at_once=at_once))


async def ajudge_all(cases: Sequence[AnswerCase], *, judge: AnswerJudge, at_once: int = AT_ONCE) -> list[Judgement]:
    """Judge all asynchronously."""
    return await amapped(lambda case: ajudge_one(judge, case), cases, at_once=at_once)
