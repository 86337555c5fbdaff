"""Answers judged in both modes and summed (FreshLLMs, tables 1, 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dateline.errors import BadInput, DatelineError, ModelFailed, SearchFailed
from dateline.evaluation.judgement import AnswerCase, Judgement
from dateline.records import Cost, Evidence
from dateline_bench.benchmark import Progress, watched
from dateline_bench.fresh.pair import FreshJudges
from dateline_bench.fresh.questions import FreshQuestion
from dateline_bench.parallel import mapped
from dateline_bench.shares import share_right


@dataclass(frozen=True, slots=True)
class FreshAnswer:
    """Answer with evidence and cost, or the reason it failed."""

    text: str
    evidence: tuple[Evidence, ...] = ()
    cost: Cost = field(default_factory=Cost)
    failed: str = ""


FreshAnswerer = Callable[[FreshQuestion], FreshAnswer]
"""Answers one question; may be called from several threads."""


@dataclass(frozen=True, slots=True)
class FreshResult:
    """One question, its answer, and both judgements of it."""

    question: FreshQuestion
    answer: FreshAnswer
    relaxed: Judgement
    strict: Judgement


@dataclass(frozen=True, slots=True)
class FreshEvaluation:
    """Results of one way of answering, in question order."""

    results: tuple[FreshResult, ...]

    def metrics(self) -> dict[str, float]:
        """Return the paper's columns, 0 to 100; `_relaxed`: table 5.

        A column without questions is left out; an undecided judgement gives no credit.
        """
        figures: dict[str, float] = {}
        for name, belongs in COLUMNS.items():
            chosen = [each for each in self.results if belongs(each.question)]
            if chosen:
                strict = f"{name}_strict" if name == "all" else name
                figures[strict] = share_right([each.strict.correct is True for each in chosen])
                figures[f"{name}_relaxed"] = share_right([each.relaxed.correct is True for each in chosen])
        return figures

    def cost(self) -> dict[str, float]:
        """Sum the cost of answering and judging, and its failures."""
        answers = sum((each.answer.cost for each in self.results), Cost())
        judged = sum((cost for each in self.results for cost in _judging(each)), Cost())
        return {
            "model_calls": float(answers.model_calls),
            "input_tokens": float(answers.input_tokens),
            "output_tokens": float(answers.output_tokens),
            "searches": float(answers.searches),
            "judge_model_calls": float(judged.model_calls),
            "judge_tokens": float(judged.input_tokens + judged.output_tokens),
            "undecided_relaxed": float(sum(each.relaxed.correct is None for each in self.results)),
            "undecided_strict": float(sum(each.strict.correct is None for each in self.results)),
            "failed_answers": float(sum(bool(each.answer.failed) for each in self.results)),
            "milliseconds_per_question": round(1000 * answers.seconds / max(1, len(self.results)), 2),
        }


COLUMNS: Mapping[str, Callable[[FreshQuestion], bool]] = {
    "all": lambda asked: True,
    "valid premise": lambda asked: not asked.false_premise,
    "fast": lambda asked: not asked.false_premise and asked.fact_type == "fast-changing",
    "slow": lambda asked: not asked.false_premise and asked.fact_type == "slow-changing",
    "never": lambda asked: not asked.false_premise and asked.fact_type == "never-changing",
    "<2022": lambda asked: not asked.false_premise and asked.since_2022 is False,
    ">=2022": lambda asked: not asked.false_premise and asked.since_2022 is True,
    "1-hop": lambda asked: not asked.false_premise and asked.hops == "one-hop",
    "multi-hop": lambda asked: not asked.false_premise and asked.hops == "multi-hop",
    "false premise": lambda asked: asked.false_premise,
    "false premise <2022": lambda asked: asked.false_premise and asked.since_2022 is False,
}
"""The columns of tables 1 and 5; all between "all" and "false premise" are about valid premises only."""


def evaluate(
    questions: Sequence[FreshQuestion],
    *,
    answer: FreshAnswerer,
    judge: FreshJudges,
    at_once: int = 1,
    progress: Progress | None = None,
    stage: str = "questions",
) -> FreshEvaluation:
    """Answer and judge every question, at most `at_once` at a time.

    An answer or a judgement for which a model or a search failed counts as none, and is counted.

    Raises:
        BadInput: when there are no questions, or `at_once` is below 1.
        ModelFailed, SearchFailed: when none at all could be answered.
    """
    if not questions:
        raise BadInput("There are no questions to evaluate; give at least one.")
    failures: list[DatelineError] = []

    def one(question: FreshQuestion) -> FreshResult:
        try:
            answered = answer(question)
        except (ModelFailed, SearchFailed) as error:
            failures.append(error)
            answered = FreshAnswer("", failed=str(error))
        return FreshResult(question, answered, *_judged(question, answered, judge))

    asked = mapped(one, questions, at_once=at_once)
    results = list(watched(asked, stage=stage, progress=progress, total=len(questions)))
    if len(failures) == len(questions):
        raise failures[0]
    return FreshEvaluation(tuple(results))


def _judged(question: FreshQuestion, answer: FreshAnswer, judge: FreshJudges) -> tuple[Judgement, Judgement]:
    case = AnswerCase(
        question.text,
        answer=answer.text,
        golds=question.golds,
        false_premise=question.false_premise,
        as_of=question.as_of,
        evidence=tuple(f"{each.title} {each.text}" for each in answer.evidence),
    )
    if not answer.text.strip():
        empty = Judgement(correct=False, reason=answer.failed or "The response is empty.")
        return empty, empty
    return judge.judge(case)


def _judging(result: FreshResult) -> Sequence[Cost]:
    # What relaxed judging refuses is refused by the same judgement in both modes.
    return [result.relaxed.cost] if result.strict is result.relaxed else [result.relaxed.cost, result.strict.cost]
