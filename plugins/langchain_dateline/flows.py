"""Retrievers and steps whose body is one flow, blocking or async."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from inspect import Parameter, signature
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForChainRun,
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForChainRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from langchain_core.runnables.utils import Input, Output
from pydantic import ConfigDict

from dateline.flow import Flow, arun, run
from dateline.options import refuse_near_misses, unknown
from dateline.temporal.as_of import AsOf, Clock, if_given, now, read_time
from dateline.temporal.asking import asked_at, call_as_of, followed_day
from langchain_dateline.io_fields import retrieval_in

RetrieverRun = CallbackManagerForRetrieverRun | AsyncCallbackManagerForRetrieverRun

_SEARCHES = ("similarity_search", "max_marginal_relevance_search", "_get_relevant_documents", "_flow")
"""Methods of stores and retrievers whose parameters a call may name."""


class FlowRetriever(BaseRetriever):
    """Base of retrievers whose `_flow` turns a query into documents.

    A query may be a chain's input with `question` (or `input`), `as_of` and the other times that `_flow` takes.

    Raises:
        BadInput: while running, for a name that `_flow` does not take, or, where it hands names on, that resembles one.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    @abstractmethod
    def _flow(self, *args: Any, **given: Any) -> Flow[list[Document]]:
        """Retrieve for a query; `given` holds `run_manager` and what a call sets."""

    def invoke(
        self, input: str | Mapping[str, Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> list[Document]:
        """Retrieve for a question, or for a chain's input with `as_of`."""
        question, asked = retrieval_in(input, taken=self._taken)
        with self._asked(config):
            return super().invoke(question, config, **{**asked, **kwargs})

    async def ainvoke(
        self, input: str | Mapping[str, Any], config: RunnableConfig | None = None, **kwargs: Any
    ) -> list[Document]:
        """Retrieve in the same way without blocking."""
        question, asked = retrieval_in(input, taken=self._taken)
        with self._asked(config):
            return await super().ainvoke(question, config, **{**asked, **kwargs})

    @property
    def _clock(self) -> Clock:
        """Return its own clock, or that of the part that has one."""
        own: Clock = getattr(self, "clock", now)
        return own

    def _asked(self, config: RunnableConfig | None) -> AbstractContextManager[None]:
        """Ask as of a config's day, read by its own clock."""
        day, clock = day_of(config, clock=self._clock)
        return asked_at(day, clock=clock)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **given: Any
    ) -> list[Document]:
        self._check(given)
        return run(self._flow(query, run_manager=run_manager, **given))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **given: Any
    ) -> list[Document]:
        self._check(given)
        return await arun(self._flow(query, run_manager=run_manager, **given))

    @property
    def _taken(self) -> list[str]:
        """Return the names that `_flow` takes."""
        taken = signature(self._flow).parameters.items()
        return [name for name, one in taken if one.kind is Parameter.KEYWORD_ONLY and name != "run_manager"]

    def _check(self, given: Iterable[str]) -> None:
        """Check the names that a call gives."""
        own = self._taken
        further = [name for name in given if name not in own]
        if any(one.kind is Parameter.VAR_KEYWORD for one in signature(self._flow).parameters.values()):
            inner = _names_taken(getattr(self, "retriever", None)) if further else ()
            refuse_near_misses(further, of=type(self).__name__, own=own, taken=inner)
        elif further:
            raise unknown(further[0], of=type(self).__name__, known=own)


def day_of(config: RunnableConfig | None, *, clock: Clock) -> tuple[AsOf, Clock]:
    """Return the day that a run follows, and its clock."""
    day = if_given(followed_day(config))
    read = read_time(day, clock=clock)
    # A moment has been read before, by the clock of whoever asks.
    return day, (lambda: read) if isinstance(read, datetime) else clock


def _names_taken(inner: Any) -> set[str]:
    """Return the names that searches of a store or retriever take."""
    parts = (inner, getattr(inner, "vectorstore", None))
    searches = [getattr(part, name) for part in parts for name in _SEARCHES if hasattr(part, name)]
    return {name for search in searches for name in signature(search).parameters}


class FlowRunnable(RunnableSerializable[Input, Output]):
    """Base of steps whose `_flow` turns an input into an output."""

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    @abstractmethod
    def _flow(self, *args: Any, **kwargs: Any) -> Flow[Output]:
        """Work on an input, under the config of this run."""

    def invoke(self, input: Input, config: RunnableConfig | None = None, **kwargs: Any) -> Output:
        """Run on one input; raises what the class says."""
        return self._call_with_config(self._run, input, config, **kwargs)

    async def ainvoke(self, input: Input, config: RunnableConfig | None = None, **kwargs: Any) -> Output:
        """Run on one input without blocking."""
        return await self._acall_with_config(self._arun, input, config, **kwargs)

    def _run(
        self, given: Input, run_manager: CallbackManagerForChainRun, config: RunnableConfig, **kwargs: Any
    ) -> Output:
        return run(self._flow(given, config, **kwargs))

    async def _arun(
        self, given: Input, run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig, **kwargs: Any
    ) -> Output:
        return await arun(self._flow(given, config, **kwargs))


def ask(retriever: Any, query: str, *, as_of: datetime, run_manager: RetrieverRun, **more: Any) -> Flow[list[Document]]:
    """Ask an inner retriever, as of a moment, in a child run."""
    config = RunnableConfig(callbacks=run_manager.get_child())
    found: list[Document] = yield from call_as_of(as_of, retriever.invoke, query, config=config, **more)
    return found
