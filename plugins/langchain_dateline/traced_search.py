"""`TracedSearch`: a search that LangChain's callbacks see like any retriever."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar

from langchain_core.callbacks import (
    AsyncCallbackManager,
    AsyncCallbackManagerForLLMRun,
    CallbackManager,
    CallbackManagerForLLMRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables.config import var_child_runnable_config

from dateline import Evidence, Interval
from dateline.protocols import Search, SearchResult
from dateline.search.retriever import RetrieverSearch
from langchain_dateline.documents import document_of

_Manager = TypeVar("_Manager", CallbackManager, AsyncCallbackManager)


class TracedSearch:
    """A search that reports each question to LangChain's callbacks.

    `on_retriever_start`, `_end` and `_error` fire under the run that the callbacks belong to. A LangChain retriever is invoked
    with the callbacks and fires them itself, its own tags and metadata with it.
    """

    def __init__(self, search: Search, *, callbacks: CallbackManager | AsyncCallbackManager) -> None:
        self._search, self._callbacks, self._traces_itself = search, callbacks, False
        if isinstance(search, RetrieverSearch) and isinstance(search.retriever, BaseRetriever):
            inner = search.retriever.with_config(callbacks=callbacks)
            self._search = RetrieverSearch(inner, date_field=search.date_field, name=search.name)
            self._traces_itself = True

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return what the search brings; raise what it raises."""
        if self._traces_itself or not isinstance(self._callbacks, CallbackManager):
            return self._search.search(query, as_of=as_of, k=k, window=window)
        run = self._callbacks.on_retriever_start({"name": self._name}, query, name=self._name)
        try:
            result = self._search.search(query, as_of=as_of, k=k, window=window)
        except Exception as error:
            run.on_retriever_error(error)
            raise
        run.on_retriever_end(_documents(result.evidence))
        return result

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        """Search without blocking."""
        if self._traces_itself or not isinstance(self._callbacks, AsyncCallbackManager):
            return await self._search.asearch(query, as_of=as_of, k=k, window=window)
        run = await self._callbacks.on_retriever_start({"name": self._name}, query, name=self._name)
        try:
            result = await self._search.asearch(query, as_of=as_of, k=k, window=window)
        except Exception as error:
            await run.on_retriever_error(error)
            raise
        await run.on_retriever_end(_documents(result.evidence))
        return result

    @property
    def _name(self) -> str:
        return type(self._search).__name__


def under(
    run: CallbackManagerForLLMRun | AsyncCallbackManagerForLLMRun | None, kind: type[_Manager]
) -> _Manager | None:
    """Return callbacks for work inside a model's run, sync or async.

    LangChain itself gives them to chains and retrievers only. A model that streams is not told its run: then those of
    the chain around it, where there is one.
    """
    if run is None:
        around = _around()
        return around if isinstance(around, kind) else None
    made = kind(handlers=[], parent_run_id=run.run_id)
    made.set_handlers(run.inheritable_handlers)
    made.add_tags(run.inheritable_tags)
    made.add_metadata(run.inheritable_metadata)
    return made


def _around() -> Any:
    """The callbacks of the runnable that is running in this context."""
    config = var_child_runnable_config.get()
    return config.get("callbacks") if config else None


def _documents(evidence: Sequence[Evidence]) -> list[Document]:
    return [document_of(each) for each in evidence]
