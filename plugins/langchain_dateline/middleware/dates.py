"""`DatedToolResults`: an agent's tool results with dates, oldest to newest."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse, ToolCallRequest
from langchain_core.messages import AnyMessage, ToolMessage, convert_to_messages
from langgraph.types import Command

from dateline import Evidence, Interval
from dateline.counted import counted
from dateline.evidence import in_order
from dateline.evidence.blocks import evidence_block
from dateline.evidence.dates import reading_of
from dateline.evidence.knowledge import later_notes, split_known
from dateline.evidence.sanitize import unlinked
from dateline.options import checked_arguments
from langchain_dateline.middleware.state import AsOfMiddleware, keep_evidence, kept_evidence
from langchain_dateline.tool_results import is_report


@checked_arguments
class DatedToolResults(AsOfMiddleware):
    """Middleware that dates search results, oldest first (FreshLLMs, section 4.1).

    Documents in a tool's artifact and lists of results in its content are read, in the messages of a `Command` too; prose, errors
    and reports of `ask_as_of` stay as they are, and so does the artifact. What was published after the asking day is left out, and
    counted in the text. Undated pieces stay, in front. What an earlier turn found for a later day is left out of the model's
    request, and stays in the state.

    Args:
        tools: names of the tools whose results are evidence; `None`: those with "search" in their name, and all that
            give documents as their artifact.
        date_field: the field or fields of the date in documents that a tool gives, or `DateRules`; empty: the usual ones.
        as_of: the asking moment; the state's `as_of` counts before it. `None`: when called.
        clock: what "when called" means, and what relative dates ("3 days ago") in results refer to.

    Raises:
        BadInput: for an unreadable date, or tools that are one text.

    Example:
        >>> from langchain.agents import create_agent
        >>> from langchain_core.tools import tool
        >>> from langchain_dateline.testing import ScriptedChatModel, calls_tool
        >>> @tool
        ... def web_search(query: str) -> str:
        ...     '''Search the web.'''
        ...     return '[{"text": "Ben leads.", "date": "2021-03-02"}, {"text": "Ana leads.", "date": "2015-05-01"}]'
        >>> model = ScriptedChatModel(replies=[calls_tool("web_search", query="Acme"), "Ben."])
        >>> agent = create_agent(model, [web_search], middleware=[DatedToolResults(as_of="2020")])
        >>> state = agent.invoke({"messages": "Who leads Acme?"})
        >>> print(state["messages"][2].text)
        1 result, oldest first, as known on Dec 31, 2020.
        <BLANKLINE>
        [1] source: unknown
        date: May 1, 2015 (2071 days before)
        text: Ana leads.
        <BLANKLINE>
        Left out: 1 result was published after 2020-12-31.
    """

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Call the tool, then date what it brought."""
        self._check_tools(request)
        dated: ToolMessage | Command[Any] = self._dated(request, handler(request))
        return dated

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        """Wrap tool call asynchronously."""
        self._check_tools(request)
        dated: ToolMessage | Command[Any] = self._dated(request, await handler(request))
        return dated

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model without what an earlier, later-dated turn found."""
        return handler(self.as_known(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Wrap model call asynchronously."""
        return await handler(self.as_known(request))

    def as_known(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        """Return a request whose tool results hold nothing later.

        The state keeps them: another turn may ask as of a later day again.
        """
        as_of = self._asked_at(request.state)
        known = [self._known_then(each, as_of) for each in request.messages]
        same = all(one is other for one, other in zip(known, request.messages, strict=True))
        return request if same else request.override(messages=known)

    def _known_then(self, message: AnyMessage, as_of: datetime) -> AnyMessage:
        if not isinstance(message, ToolMessage):
            return message
        report = is_report(message.artifact)
        found = self._read(message) if report else kept_evidence(message) or ()
        known, later = split_known(found, as_of=as_of)
        if not later:
            return message
        left = f"Left out: an answer that rests on what was published after {as_of.date()}."
        text = left if report else _text(known, later=len(later), as_of=as_of)
        return message.model_copy(update={"content": text})

    def _dated(self, request: ToolCallRequest, answer: Any) -> Any:
        """Date each message in what a tool answers with."""
        if isinstance(answer, ToolMessage):
            return self._dated_message(request, answer)
        if isinstance(answer, list):
            return [self._dated(request, each) for each in answer]
        update = answer.update if isinstance(answer, Command) else None
        if isinstance(update, Mapping) and isinstance(said := update.get("messages"), list):
            return replace(answer, update={**update, "messages": self._dated(request, convert_to_messages(said))})
        return answer

    def _dated_message(self, request: ToolCallRequest, result: ToolMessage) -> ToolMessage:
        if is_report(result.artifact):
            return result
        if not result.name:
            result = result.model_copy(update={"name": request.tool_call["name"]})
        as_of, found = self._asked_at(request.state), self._read(result)
        if not found:
            return result
        known, later = split_known(found, as_of=as_of)
        ordered = in_order(known, order="time")
        text = _text(ordered, later=len(later), as_of=as_of)
        return result.model_copy(update={"content": text, "response_metadata": keep_evidence(result, ordered)})


def _text(ordered: Sequence[Evidence], *, later: int, as_of: datetime) -> str:
    day = reading_of(Interval.of_moment(as_of))
    head = f"{counted(len(ordered), 'result')}, oldest first, as known on {day}."
    blocks = [evidence_block(each, label=str(number), as_of=as_of) for number, each in enumerate(ordered, start=1)]
    notes = [f"Left out: {note}." for note in later_notes(later, as_of=as_of, what="result")]
    return unlinked("\n\n".join([head, *blocks, *notes]))
