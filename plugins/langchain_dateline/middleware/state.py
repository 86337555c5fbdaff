"""Shared base of middleware: fields of the state, the asking moment."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import AgentMiddleware, AgentState, OmitFromSchema, ToolCallRequest
from langchain_core.messages import AnyMessage, ToolMessage

from dateline import BadInput, Evidence
from dateline.documents import DateField
from dateline.documents.rules import date_rules
from dateline.evidence.knowledge import split_known
from dateline.options import suggestion
from dateline.temporal.as_of import AsOf, AsOfField, Clock, checked, now
from dateline.temporal.asking import asking_moment
from dateline.visible import logger, warn_once
from langchain_dateline.tool_results import checked_tools, read_results

Json = dict[str, Any]

EVIDENCE = "dateline_evidence"
"""The field of a tool message's `response_metadata` that holds its evidence as JSON, oldest first, for its call."""

_LOG = logger(__name__)


class DatelineState(AgentState[Any]):
    """An agent's state with its asking date and freshness, all JSON."""

    as_of: NotRequired[Annotated[AsOfField, OmitFromSchema(input=False, output=True)]]
    """Ask as of then; left out or empty: as of what the middleware was told."""
    freshness: NotRequired[Annotated[Json, OmitFromSchema(input=True, output=False)]]
    """`dateline.evidence.freshness.Freshness` of the last answer."""
    certainty: NotRequired[Annotated[Json, OmitFromSchema(input=True, output=False)]]
    """`dateline.Certainty` of the last answer, with its label; where there is an estimator."""
    fact_changes: NotRequired[Annotated[list[Json], OmitFromSchema(input=True, output=False), operator.add]]
    """What changed in the fact store, document by document: `dateline.facts.Changes`, or {"document", "failed"}."""


class AsOfMiddleware(AgentMiddleware[DatelineState, Any, Any]):
    """Base of middleware with an asking moment: its state's or own."""

    state_schema = DatelineState

    def __init__(
        self,
        *,
        tools: Collection[str] | None = None,
        date_field: DateField = (),
        as_of: AsOf = None,
        clock: Clock = now,
    ) -> None:
        super().__init__()
        self._date_field = date_rules(date_field)
        self._tools, self._as_of, self._clock = checked_tools(tools), checked(as_of, clock=clock), clock

    def _asked_at(self, state: Mapping[str, Any]) -> datetime:
        return asking_moment(state.get("as_of"), self._as_of, clock=self._clock)

    def _read(self, message: ToolMessage) -> tuple[Evidence, ...]:
        return read_results(message, now=self._clock(), tools=self._tools, date_field=self._date_field)

    def _check_tools(self, request: ToolCallRequest) -> None:
        """Check the names of tools by those that the agent has.

        Raises:
            BadInput: where it has none of them.
        """
        known = sorted({each.name for each in getattr(request.runtime, "tools", None) or ()})
        named = set(self._tools or ())
        missing = sorted(named.difference(known)) if known and request.tool is not None else []
        for name in missing:
            told = f"tools= names {name!r}, but the agent has no such tool, only {', '.join(known)}"
            if len(missing) == len(named):
                meant = suggestion(name, known=known)
                raise BadInput(f"{told}; did you mean {meant}?" if meant else f"{told}.")
            warn_once(_LOG, f"{told}: nothing of it is dated.")

    def _shown(self, messages: Iterable[AnyMessage], *, as_of: datetime) -> list[Evidence]:
        """Return the evidence of tools' messages known at `as_of`, each once."""
        tools = [each for each in messages if isinstance(each, ToolMessage)]
        return list({piece.id: piece for each in tools for piece in self._known(each, as_of)}.values())

    def _known(self, message: ToolMessage, as_of: datetime) -> list[Evidence]:
        """Return a message's evidence as `DatedToolResults` left it, else read anew."""
        kept = kept_evidence(message)
        return split_known(self._read(message), as_of=as_of)[0] if kept is None else kept


def keep_evidence(message: ToolMessage, evidence: Sequence[Evidence]) -> Json:
    """Return a message's `response_metadata` with its evidence."""
    kept = {"call": message.tool_call_id, "evidence": [each.model_dump(mode="json") for each in evidence]}
    return {**message.response_metadata, EVIDENCE: kept}


def kept_evidence(message: ToolMessage) -> list[Evidence] | None:
    """Return the evidence that `keep_evidence` left in this message.

    `None` where it left none: what a tool wrote there itself is named in a warning. The channel is the tool, whatever
    the message says.
    """
    kept = message.response_metadata.get(EVIDENCE)
    if kept is None:
        return None
    try:
        if kept["call"] != message.tool_call_id:
            raise ValueError("it is of another call")
        found = [Evidence.model_validate(each) for each in kept["evidence"]]
    except (ValueError, TypeError, LookupError) as problem:
        reason = str(problem).splitlines()[0][:100]
        _LOG.warning("%s of a message of %r is not ours and is not read (%s).", EVIDENCE, message.name, reason)
        return None
    return [each.model_copy(update={"channel": message.name or "tool"}) for each in found]
