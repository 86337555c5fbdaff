"""`DatelineMiddleware`: everything that makes an agent time-aware, as one middleware."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Any

from langchain.agents.middleware.types import ModelRequest, ModelResponse, ToolCallRequest
from langchain_core.messages import ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Command

from dateline.documents import DateField
from dateline.facts import Updater
from dateline.facts.updater import check_updater
from dateline.options import checked_arguments
from dateline.protocols import Estimator
from dateline.temporal.as_of import AsOf, Clock, is_given, now
from langchain_dateline.middleware.calls import DatedToolCalls
from langchain_dateline.middleware.dates import DatedToolResults
from langchain_dateline.middleware.facts import FactEdits, UpdaterOf
from langchain_dateline.middleware.freshness import AnswerFreshness
from langchain_dateline.middleware.prompt import RULES, DatelinePrompt
from langchain_dateline.middleware.state import AsOfMiddleware, DatelineState, Json


@checked_arguments
class DatelineMiddleware(DatelinePrompt, DatedToolCalls, DatedToolResults, AnswerFreshness, FactEdits):
    """All middleware of dateline as one, under one set of options.

    `DatelinePrompt`, `DatedToolCalls`, `DatedToolResults`, `AnswerFreshness` and, with an updater, `FactEdits`.

    `create_agent(model, tools, middleware=[DatelineMiddleware()])`, then `agent.invoke({"messages": ..., "as_of":
    "2021-05-06"})`. The day is that turn's: the next turn of a thread that gives none is asked now. The five are middleware of their
    own, for agents that want only some of them.

    Args:
        as_of: the asking moment; the state's `as_of` counts before it. `None`: when called.
        tools: names of the tools whose results are evidence; `None`: those with "search" in their name, and all that
            give documents as their artifact.
        date_field: the field or fields of the date in documents that a tool gives, or `DateRules`; empty: the usual ones.
        estimator: says how certain the answer is; `None`: that is left out.
        updater: lets a fact store learn from results; edits that its policy holds wait for a person. A function gives
            that of a run, as for `FactEdits`.
        rules: what the prompt is told; see `langchain_dateline.middleware.prompt.RULES`.
        clock: what "when called" means.

    Raises:
        BadInput: for an unreadable date, tools that are one text, or what is no updater.

    Example:
        >>> from langchain.agents import create_agent
        >>> from langchain_core.tools import tool
        >>> from langchain_dateline.testing import ScriptedChatModel, calls_tool
        >>> @tool
        ... def web_search(query: str) -> str:
        ...     '''Search the web.'''
        ...     return '[{"text": "Ben leads Acme.", "date": "2021-03-02"}]'
        >>> model = ScriptedChatModel(replies=[calls_tool("web_search", query="Acme"), "Ben leads Acme."])
        >>> agent = create_agent(model, [web_search], middleware=[DatelineMiddleware()])
        >>> agent.invoke({"messages": "Who leads Acme?", "as_of": "2024"})["freshness"]["statement"]
        'The newest evidence used is of 2021-03-02 (1400 days before the asking date).'
    """

    def __init__(
        self,
        *,
        as_of: AsOf = None,
        tools: Collection[str] | None = None,
        date_field: DateField = (),
        estimator: Estimator | None = None,
        updater: Updater | UpdaterOf | None = None,
        rules: str = RULES,
        clock: Clock = now,
    ) -> None:
        AsOfMiddleware.__init__(self, tools=tools, date_field=date_field, as_of=as_of, clock=clock)
        if updater is not None and not callable(updater):
            check_updater(updater)
        self._rules, self._estimator, self._updater = rules, estimator, updater

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model with the day and what was known then."""
        return DatelinePrompt.wrap_model_call(self, self.as_known(request), handler)

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Wrap model call asynchronously."""
        return await DatelinePrompt.awrap_model_call(self, self.as_known(request), handler)

    def after_agent(self, state: DatelineState, runtime: Runtime[Any]) -> Json | None:
        """Add the answer's freshness; the day was this turn's alone."""
        return _forget_day(AnswerFreshness.after_agent(self, state, runtime), state)

    async def aafter_agent(self, state: DatelineState, runtime: Runtime[Any]) -> Json | None:
        """Add it asynchronously."""
        return _forget_day(await AnswerFreshness.aafter_agent(self, state, runtime), state)

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Call the tool as of the day, then date what it brought."""
        with self.asking(request):
            return DatedToolResults.wrap_tool_call(self, self.with_asking_day(request), handler)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        """Wrap tool call asynchronously."""
        with self.asking(request):
            return await DatedToolResults.awrap_tool_call(self, self.with_asking_day(request), handler)


def _forget_day(update: Json | None, state: DatelineState) -> Json | None:
    return {**(update or {}), "as_of": ""} if is_given(state.get("as_of")) else update
