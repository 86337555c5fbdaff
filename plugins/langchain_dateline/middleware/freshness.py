"""`AnswerFreshness`: how fresh, and how certain, an agent's answer is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.runtime import Runtime

from dateline import Certainty, Evidence, Question, Reading
from dateline.documents import DateField
from dateline.evidence.claims import claims_of
from dateline.evidence.freshness import freshness_of
from dateline.flow import Flow, call, twins
from dateline.limits import QUESTION
from dateline.options import checked_arguments
from dateline.protocols import Estimator
from dateline.temporal.as_of import AsOf, Clock, now
from dateline.temporal.decomposition import decompose
from langchain_dateline.middleware.state import AsOfMiddleware, DatelineState, Json, kept_evidence

_PROSE = "What the tools showed is prose without dates of its parts, so nobody can tell how fresh it is."


@dataclass(frozen=True)
class _Answer:
    message: AIMessage
    question: str
    shown: tuple[Evidence, ...]
    used: tuple[Evidence, ...]
    prose: bool
    """Whether a tool said something that is no evidence of its own."""
    as_of: datetime


@checked_arguments
class AnswerFreshness(AsOfMiddleware):
    """Middleware that tells how fresh, and how certain, an answer is.

    It writes `freshness`, and with an estimator `certainty`, into the state and the answer's `response_metadata`.

    A sentence of the answer stands on those results of this turn's tools that hold most of its words, and at least
    half. Where no sentence does, all that was shown counts, and the statement says "shown" in place of "used".

    Args:
        estimator: any of `dateline.certainty`, or your own; `None`: certainty is left out.
        tools: names of the tools whose results are evidence, as for `DatedToolResults`.
        date_field: the field or fields of the date in documents that a tool gives, or `DateRules`; empty: the usual ones.
        as_of: the asking moment; the state's `as_of` counts before it. `None`: when called.
        clock: what "when called" means.

    Raises:
        BadInput: for an unreadable date, or tools that are one text.

    Example:
        >>> from langchain.agents import create_agent
        >>> from langchain_core.tools import tool
        >>> from langchain_dateline.testing import ScriptedChatModel, calls_tool
        >>> @tool
        ... def web_search(query: str) -> str:
        ...     '''Search the web.'''
        ...     return '[{"text": "Ben leads Acme.", "date": "2021-03-02"}]'
        >>> model = ScriptedChatModel(replies=[calls_tool("web_search", query="Acme"), "Ben leads Acme."])
        >>> agent = create_agent(model, [web_search], middleware=[AnswerFreshness(as_of="2024")])
        >>> agent.invoke({"messages": "Who leads Acme?"})["freshness"]["statement"]
        'The newest evidence used is of 2021-03-02 (1400 days before the asking date).'
    """

    def __init__(
        self,
        *,
        estimator: Estimator | None = None,
        tools: Collection[str] | None = None,
        date_field: DateField = (),
        as_of: AsOf = None,
        clock: Clock = now,
    ) -> None:
        super().__init__(tools=tools, date_field=date_field, as_of=as_of, clock=clock)
        self._estimator = estimator

    def _after_agent(self, state: DatelineState, runtime: Runtime[Any]) -> Flow[Json | None]:
        """Add the answer's freshness and certainty."""
        answer = self._answer(state)
        if answer is None or self._estimator is None:
            return None if answer is None else _update(answer, None)
        question, reading = _task(answer)
        certainty = yield from call(self._estimator.estimate, question, evidence=answer.shown, reading=reading)
        return _update(answer, certainty)

    after_agent, aafter_agent = twins(_after_agent)

    def _answer(self, state: DatelineState) -> _Answer | None:
        messages = _this_turn(state["messages"])
        final = next((each for each in reversed(messages) if isinstance(each, AIMessage)), None)
        if final is None:
            return None
        as_of = self._asked_at(state)
        shown = tuple(self._shown(messages, as_of=as_of))
        prose = not shown and any(self._is_prose(each) for each in messages if isinstance(each, ToolMessage))
        return _Answer(final, _asked(messages), shown, _used(str(final.text), shown), prose, as_of)

    def _is_prose(self, message: ToolMessage) -> bool:
        """Return whether a tool's result is prose, not evidence left out."""
        if message.status == "error" or kept_evidence(message) is not None or not str(message.text).strip():
            return False
        return not self._read(message)


def _this_turn(messages: list[AnyMessage]) -> list[AnyMessage]:
    """Return the messages from a person's last one on."""
    last = max((place for place, each in enumerate(messages) if isinstance(each, HumanMessage)), default=0)
    return messages[last:]


def _asked(messages: Sequence[AnyMessage]) -> str:
    return str(messages[0].text) if messages and isinstance(messages[0], HumanMessage) else ""


def _used(text: str, shown: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return, for each sentence, the pieces that hold most of its words.

    At least half of them.
    """
    linked: set[str] = set()
    for claim in claims_of(text, used=shown):
        held = [support for support in claim.support if support.sentence]
        most = max((support.share for support in held), default=0.0)
        linked |= {support.evidence_id for support in held if support.share == most}
    return tuple(piece for piece in shown if piece.id in linked)


def _task(answer: _Answer) -> tuple[Question, Reading]:
    """Return the question for an estimator."""
    reading = Reading(answer=str(answer.message.text), evidence_ids=tuple(piece.id for piece in answer.used))
    return decompose((answer.question or reading.answer)[-QUESTION:], as_of=answer.as_of), reading


def _update(answer: _Answer, certainty: Certainty | None) -> Json:
    standing = freshness_of(
        answer.used or answer.shown,
        as_of=answer.as_of,
        standing="used" if answer.used else "shown",
        question=answer.question,
    )
    if answer.prose:
        standing = standing.model_copy(update={"statement": _PROSE})
    told: Json = {"freshness": standing.model_dump(mode="json")}
    if certainty is not None:
        told["certainty"] = {**certainty.model_dump(mode="json"), "label": certainty.label}
    metadata = {**answer.message.response_metadata, "as_of": answer.as_of.isoformat(), **told}
    return {"messages": [answer.message.model_copy(update={"response_metadata": metadata})], **told}
