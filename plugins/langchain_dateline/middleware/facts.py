"""`FactEdits`: an agent whose fact store learns from its tools."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.runtime import Runtime

from dateline import DatelineError, Evidence
from dateline.evidence import in_order
from dateline.facts import Changes, Updater
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, checked, now
from langchain_dateline.approval import approve_edits
from langchain_dateline.middleware.dates import evidence_shown
from langchain_dateline.middleware.state import DatelineState, Json, asked_at


@checked_arguments
class FactEdits(AgentMiddleware[DatelineState, Any, Any]):
    """Middleware that lets a fact store learn from new tool results.

    Edits that the updater's policy holds for a person (`Policy(interrupt_on=...)`) stop the agent with `interrupt`; resume it
    with `Command(resume="approve")`, "reject", or the list of edits as it should be. That needs a checkpointer. When
    the agent is resumed, no tool is called again and no document is read twice. A document that fails is told in
    `fact_changes`; the agent goes on. Of a document with an edit that waits, `fact_changes` tells what was decided,
    not what had landed before the agent stopped; the store's history has both.

    Args:
        updater: any with a review queue.
        tools: names of the tools whose results are evidence, as for `DatedToolResults`.
        as_of: when the store learns of them; the state's `as_of` counts before it. `None`:
            when called.
        clock: what "when called" means.

    Raises:
        BadInput: for an unreadable date.

    Example:
        >>> from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> from langchain.agents import create_agent
        >>> from langchain_core.tools import tool
        >>> from langchain_dateline.testing import ScriptedChatModel, calls_tool
        >>> @tool
        ... def web_search(query: str) -> str:
        ...     '''Search the web.'''
        ...     return '[{"text": "The mayor is Ada Berg.", "date": "2019-03-02"}]'
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> model = ScriptedChatModel(replies=[calls_tool("web_search", query="mayor"), "Ada Berg."])
        >>> agent = create_agent(model, [web_search], middleware=[FactEdits(LocalUpdater(store))])
        >>> state = agent.invoke({"messages": "Who is the mayor?"})
        >>> [each.fact.text for each in store.at("2020")]
        ['The mayor is Ada Berg.']
    """

    state_schema = DatelineState

    def __init__(
        self,
        updater: Updater,
        *,
        tools: Collection[str] | None = None,
        as_of: AsOf = None,
        clock: Callable[[], datetime] = now,
    ) -> None:
        super().__init__()
        self._updater = updater
        self._tools = tools
        self._as_of, self._clock = checked(as_of, clock=clock), clock

    def before_model(self, state: DatelineState, runtime: Runtime[Any]) -> Json | None:
        """Learn, and ask about what waits."""
        brought, known_at = self._brought(state), asked_at(state, default=self._as_of, clock=self._clock)
        changes: list[Json] = []
        for document in self._unread(brought):
            try:
                changes += _told(self._updater.update([document], known_at=known_at))
            except DatelineError as problem:
                changes.append({"document": document.id, "failed": str(problem)})
        return _update(changes, self._decided(brought, known_at))

    async def abefore_model(self, state: DatelineState, runtime: Runtime[Any]) -> Json | None:
        """Before model asynchronously."""
        brought, known_at = self._brought(state), asked_at(state, default=self._as_of, clock=self._clock)
        changes: list[Json] = []
        for document in await asyncio.to_thread(self._unread, brought):
            try:
                changes += _told(await self._updater.aupdate([document], known_at=known_at))
            except DatelineError as problem:
                changes.append({"document": document.id, "failed": str(problem)})
        return _update(changes, await asyncio.to_thread(self._decided, brought, known_at))

    def _brought(self, state: DatelineState) -> list[Evidence]:
        """Return the tools' new results, each once, oldest first."""
        messages = state["messages"]
        spoke = max((place for place, each in enumerate(messages) if isinstance(each, AIMessage)), default=-1)
        as_of = asked_at(state, default=self._as_of, clock=self._clock)
        found = {
            piece.id: piece
            for each in messages[spoke + 1 :]
            if isinstance(each, ToolMessage)
            for piece in evidence_shown(each, as_of=as_of, now=self._clock(), tools=self._tools)
            if piece.kind != "fact"
        }
        return in_order(list(found.values()), order="time")

    def _unread(self, brought: Sequence[Evidence]) -> list[Evidence]:
        """Leave out documents with a waiting edit, read before the agent stopped."""
        held = {one.document for one in self._updater.review_queue.pending()} if brought else set()
        return [document for document in brought if document.id not in held]

    def _decided(self, brought: Sequence[Evidence], known_at: datetime) -> list[Json]:
        if not brought:
            return []
        queue, documents = self._updater.review_queue, {document.id for document in brought}
        held = {one.id for one in queue.pending("person") if one.document in documents}
        return _told(approve_edits(queue, held, known_at=known_at))


def _told(changes: Sequence[Changes]) -> list[Json]:
    return [each.model_dump(mode="json") for each in changes]


def _update(learnt: list[Json], decided: list[Json]) -> Json | None:
    changes = [*learnt, *decided]
    return {"fact_changes": changes} if changes else None
