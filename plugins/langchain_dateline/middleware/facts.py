"""`FactEdits`: an agent whose fact store learns from its tools."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

from langchain_core.messages import AIMessage
from langgraph.func import task
from langgraph.runtime import Runtime

from dateline import DatelineError, Evidence
from dateline.documents import DateField
from dateline.evidence import in_order
from dateline.facts import Changes, ReviewQueue, Updater
from dateline.facts.updater import check_updater
from dateline.flow import Flow, arun, call, run, twins
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, Clock, now
from langchain_dateline.approval import approve_edits
from langchain_dateline.middleware.state import AsOfMiddleware, DatelineState, Json

UpdaterOf: TypeAlias = Callable[[Runtime[Any]], Updater]
"""Gives the updater of one run of an agent."""


@checked_arguments
class FactEdits(AsOfMiddleware):
    """Middleware that lets a fact store learn from new tool results.

    Edits that the updater's policy holds for a person (`Policy(interrupt_on=...)`) stop the agent with `interrupt`;
    resume it with `Command(resume="approve")`, "reject", or the list of edits as it should be. That needs a checkpointer. When
    the agent is resumed, no tool is called again and no document is read twice. `fact_changes` tells what landed before the
    agent stopped and what was decided, and of a document that fails why; the agent goes on.

    Args:
        updater: any with a review queue, or a function that gives the one of a run, such as that of its user.
        tools: names of the tools whose results are evidence, as for `DatedToolResults`.
        date_field: the field or fields of the date in documents that a tool gives, or `DateRules`; empty: the usual ones.
        as_of: the asking moment; later results are not learnt. The state's `as_of` counts before it. `None`: when called.
        clock: tells when the store learns of them, and what "when called" means.

    Raises:
        BadInput: for an unreadable date, tools that are one text, or what is no updater.

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

    def __init__(
        self,
        updater: Updater | UpdaterOf,
        *,
        tools: Collection[str] | None = None,
        date_field: DateField = (),
        as_of: AsOf = None,
        clock: Clock = now,
    ) -> None:
        super().__init__(tools=tools, date_field=date_field, as_of=as_of, clock=clock)
        if not callable(updater):
            check_updater(updater)
        self._updater: Updater | UpdaterOf | None = updater

    def _before_model(self, state: DatelineState, runtime: Runtime[Any]) -> Flow[Json | None]:
        """Learn, and ask about what waits."""
        # When the store learnt it is this machine's word, never the asker's.
        known_at = self._clock()
        brought = self._brought(state, self._asked_at(state))
        if self._updater is None or not brought:
            return None
        updater = self._updater(runtime) if callable(self._updater) else self._updater
        learnt = yield from call(_once, partial(_learnt, brought, updater, known_at))
        decided = _told((yield from call(_decided, brought, updater.review_queue, known_at)))
        changes = [*learnt["learnt"], *decided]
        return {"fact_changes": changes} if changes else None

    before_model, abefore_model = twins(_before_model)

    def _brought(self, state: DatelineState, as_of: datetime) -> list[Evidence]:
        """Return the tools' new results, each once, oldest first."""
        messages = state["messages"]
        spoke = max((place for place, each in enumerate(messages) if isinstance(each, AIMessage)), default=-1)
        found = self._shown(messages[spoke + 1 :], as_of=as_of)
        return in_order([piece for piece in found if piece.kind != "fact"], order="time")


def _once(flow: Callable[[], Flow[Json]]) -> Json:
    """Return a flow's result, which stands when the graph is resumed.

    LangGraph keeps what a task did: a node that stops behind it runs again from its beginning, but not the task.
    """

    def learn_facts() -> Json:
        return run(flow())

    return task(learn_facts)().result()


async def _aonce(flow: Callable[[], Flow[Json]]) -> Json:
    async def learn_facts() -> Json:
        return await arun(flow())

    return await task(learn_facts)()


def _learnt(brought: Sequence[Evidence], updater: Updater, known_at: datetime) -> Flow[Json]:
    changes: list[Json] = []
    for document in (yield from call(_unread, brought, updater.review_queue)):
        try:
            changes += _told((yield from call(updater.update, [document], known_at=known_at)))
        except DatelineError as problem:
            changes.append({"document": document.id, "failed": str(problem)})
    return {"learnt": changes}


def _unread(brought: Sequence[Evidence], queue: ReviewQueue) -> list[Evidence]:
    """Leave out documents with a waiting edit, read before the agent stopped."""
    held = {one.document for one in queue.pending()}
    return [document for document in brought if document.id not in held]


def _decided(brought: Sequence[Evidence], queue: ReviewQueue, known_at: datetime) -> list[Changes]:
    documents = {document.id for document in brought}
    held = {one.id for one in queue.pending("person") if one.document in documents}
    return approve_edits(queue, held, known_at=known_at)


def _told(changes: Sequence[Changes]) -> list[Json]:
    return [each.model_dump(mode="json") for each in changes]
