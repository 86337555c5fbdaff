"""`FreshEval`: judges of free-form answers as a Runnable (FreshLLMs, appendix B)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig
from pydantic import Field, PrivateAttr
from typing_extensions import TypedDict

from dateline.chat import TRIES
from dateline.errors import BadInput
from dateline.evaluation import AnswerCase, AnswerJudge, FreshEvalJudge, Judgement, JudgeMode, RuleAnswerJudge
from dateline.flow import Flow, call
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOfField, is_given, read_moment
from langchain_dateline.flows import FlowRunnable


class FreshEvalInput(TypedDict):
    """One answer to be judged."""

    question: str
    answer: str
    golds: Sequence[str]
    false_premise: NotRequired[bool | None]
    as_of: NotRequired[AsOfField]
    evidence: NotRequired[Sequence[str]]


@checked_arguments
class FreshEval(FlowRunnable[FreshEvalInput, Judgement]):
    """A judge of `{"question", "answer", "golds"}`; it gives a `Judgement`.

    With `batch` and `abatch` many at a time, `max_concurrency` in the config sets how many; calls of the model are
    traced as its children. A reply that cannot be read gives an undecided judgement, never an exception.

    Raises:
        BadInput: while running, for a missing field.
        ModelFailed: while running, when the model fails.

    Example:
        >>> asked = {"question": "Who leads Acme?", "golds": ["Ben Hall"]}
        >>> [FreshEval().invoke({**asked, "answer": answer}).correct for answer in ("It is Ben Hall.", "Ana Bell.")]
        [True, False]
    """

    model: BaseChatModel | None = Field(default=None, description="The judging chat model; None: judge by rules.")
    mode: JudgeMode = Field(default="relaxed", description="relaxed: the main answer counts; strict: everything does.")
    tries: int = Field(default=TRIES, ge=1, description="How often one answer is put to the model at most.")
    _judge: AnswerJudge = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Build the judge once."""
        self._judge = (
            RuleAnswerJudge(self.mode)
            if self.model is None
            else FreshEvalJudge(self.model, mode=self.mode, tries=self.tries)
        )

    def _flow(self, given: FreshEvalInput, config: RunnableConfig) -> Flow[Judgement]:
        return (yield from call(self._judge.judge, _case(given)))


_NEEDED = ("question", "answer", "golds")


def _case(given: FreshEvalInput) -> AnswerCase:
    known = FreshEvalInput.__annotations__
    if missing := [name for name in _NEEDED if name not in given]:
        raise BadInput(f"FreshEval needs {', '.join(missing)}; give question, answer and golds.")
    if unknown := [name for name in given if name not in known]:
        raise BadInput(f"FreshEval does not know {', '.join(unknown)}; it takes {', '.join(known)}.")
    as_of = given.get("as_of")
    fields: dict[str, Any] = {**given, "as_of": read_moment(as_of) if is_given(as_of) else None}
    return AnswerCase(**fields)
