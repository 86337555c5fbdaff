"""Evaluators of dated answers, with the signature that LangSmith's evaluators have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from langchain_core.language_models import BaseChatModel

from dateline import BadInput, Evidence
from dateline.audit import Auditor, audit
from dateline.documents import evidence_of_all
from dateline.evaluation import AnswerCase, AnswerJudge, FreshEvalJudge, JudgeMode, RuleAnswerJudge
from dateline.evidence.freshness import freshness_of
from dateline.temporal.as_of import Clock, is_given, now, read_moment
from langchain_dateline.io_fields import DOCUMENTS, answer_in, question_in

if TYPE_CHECKING:
    from datetime import datetime

Values: TypeAlias = Mapping[str, Any]
EvaluationResult: TypeAlias = dict[str, Any]
"""`key`, `score` (a number, or `None` where nothing can be said) and `comment`."""

_GOLDS = ("answers", "golds", "answer", "output", "expected")
_EVIDENCE = (*DOCUMENTS, "evidence", "passages")


class Evaluator(Protocol):
    """Function that scores one run of an app."""

    def __call__(
        self, *, outputs: Values, inputs: Values | None = None, reference_outputs: Values | None = None
    ) -> EvaluationResult:
        """Return key, score and comment."""
        ...


def fresheval(*, model: BaseChatModel | None = None, mode: JudgeMode = "relaxed", clock: Clock = now) -> Evaluator:
    """Make an evaluator of answers by FreshEval.

    Args:
        model: the judging model; `None`: rules.
        mode: relaxed: the main answer counts; strict: everything does.
        clock: tells the asking date where none is given.

    Example:
        >>> judge = fresheval()
        >>> judge(inputs={"question": "Who leads Acme?"}, outputs={"answer": "It is Ben Hall."},
        ...       reference_outputs={"answer": "Ben Hall"})["score"]
        1
    """
    judge: AnswerJudge = RuleAnswerJudge(mode) if model is None else FreshEvalJudge(model, mode=mode)

    def evaluate(
        *, outputs: Values, inputs: Values | None = None, reference_outputs: Values | None = None
    ) -> EvaluationResult:
        asked, golds = _question(inputs), _golds(reference_outputs)
        case = AnswerCase(question=asked, answer=_answer(outputs), golds=golds, as_of=_moment(inputs, outputs, clock))
        said = judge.judge(case)
        return {
            "key": f"fresheval_{mode}",
            "score": None if said.correct is None else int(said.correct),
            "comment": said.reason,
        }

    return evaluate


def freshness(*, days: float = 365.0, clock: Clock = now) -> Evaluator:
    """Make an evaluator of the age of the newest evidence.

    Args:
        days: up to so many the score is 1; it halves with each further so many.
        clock: tells the asking date where none is given.

    Raises:
        BadInput: for `days` that are not above 0.

    Example:
        >>> fresh = freshness(days=30)
        >>> fresh(inputs={"as_of": "2024-06-01"}, outputs={"documents": [{"text": "Ben leads.", "date": "2024-04-02"}]})["score"]
        0.5
    """
    if not days > 0:
        raise BadInput(f"days must be above 0, not {days!r}.")

    def evaluate(
        *, outputs: Values, inputs: Values | None = None, reference_outputs: Values | None = None
    ) -> EvaluationResult:
        told = freshness_of(_evidence(outputs), as_of=_moment(inputs, outputs, clock), standing="retrieved")
        age = told.newest_age_days
        score = 0.0 if age is None else 0.5 ** max(0.0, age / days - 1)
        return {"key": "freshness", "score": round(score, 4), "comment": told.statement}

    return evaluate


def staleness(*, auditor: Auditor | None = None, clock: Clock = now) -> Evaluator:
    """Make an evaluator of the evidence that is out of date.

    Args:
        auditor: by default one made once for all.
        clock: tells the asking date where none is given.

    Example:
        >>> stale = staleness()
        >>> stale(inputs={"question": "Who leads Acme?"}, outputs={"documents": []})["score"] is None
        True
    """

    def evaluate(
        *, outputs: Values, inputs: Values | None = None, reference_outputs: Values | None = None
    ) -> EvaluationResult:
        evidence = _evidence(outputs)
        if not evidence:
            return {"key": "staleness", "score": None, "comment": "No evidence was retrieved."}
        found = audit(_question(inputs), evidence, as_of=_moment(inputs, outputs, clock), auditor=auditor)
        score = len(found.of("later", "outdated")) / len(evidence)
        return {"key": "staleness", "score": round(score, 4), "comment": found.summary()}

    return evaluate


def _question(inputs: Values | None) -> str:
    asked = question_in(inputs or {})
    if not asked:
        raise BadInput("The inputs hold no question; give one as question, input or query.")
    return asked


def _answer(outputs: Values) -> str:
    report = outputs.get("report")
    return answer_in(report if isinstance(report, Mapping) else outputs)


def _golds(reference: Values | None) -> Sequence[str]:
    # Not by their truth: 0 is an answer.
    told = ((reference or {}).get(name) for name in _GOLDS)
    named = next((each for each in told if each not in (None, "", [], ())), None)
    if named is None:
        raise BadInput(f"The reference outputs hold no right answer; give one as {', '.join(_GOLDS)}.")
    return list(map(str, named)) if isinstance(named, list | tuple) else [str(named)]


def _evidence(outputs: Values) -> list[Evidence]:
    report = outputs.get("report")
    held = report if isinstance(report, Mapping) else outputs
    found = next((held[name] for name in _EVIDENCE if isinstance(held.get(name), list | tuple)), ())
    return evidence_of_all(found)


def _moment(inputs: Values | None, outputs: Values, clock: Clock) -> datetime:
    given = [(inputs or {}).get("as_of"), outputs.get("as_of")]
    return read_moment(*(each for each in given if is_given(each)), clock=clock)
