"""Any retriever of LangChain or LlamaIndex as a search."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from dateline.errors import BadInput, SearchFailed
from dateline.evidence.knowledge import later_note, split_known
from dateline.protocols import SearchResult
from dateline.records import Cost, Evidence
from dateline.search.items import evidence_of
from dateline.temporal.interval import Interval
from dateline.text.secrets import without_secrets


class RetrieverSearch:
    """A LangChain or LlamaIndex retriever behind the `Search` protocol.

    Example:
        >>> from datetime import UTC, datetime
        >>> from langchain_core.documents import Document
        >>> from langchain_core.retrievers import BaseRetriever
        >>> class Notes(BaseRetriever):
        ...     def _get_relevant_documents(self, query, *, run_manager):
        ...         return [Document("The museum opened in 1927.")]
        >>> RetrieverSearch(Notes()).search("opening", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence[0].text
        'The museum opened in 1927.'

        The retriever decides how many documents it fetches; of those known at the asking day the first `k` are given.
    """

    def __init__(self, retriever: Any) -> None:
        """Take a retriever.

        Raises:
            BadInput: when it has neither method.
        """
        if not callable(getattr(retriever, "invoke", None)) and not callable(getattr(retriever, "retrieve", None)):
            raise BadInput(
                f"{type(retriever).__name__} is no retriever; pass a LangChain BaseRetriever or a LlamaIndex retriever."
            )
        self.retriever = retriever

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the first `k` documents known at `as_of`.

        Raises:
            SearchFailed: when the retriever does.
        """
        started = time.perf_counter()
        ask = getattr(self.retriever, "retrieve", None) or self.retriever.invoke
        failed: SearchFailed | None = None
        try:
            items = ask(query)
        except Exception as error:
            failed = _failure(self.retriever, error)
        if failed is not None:
            raise failed
        return result_of(_evidence(items), as_of=as_of, k=k, started=started)

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        """Search asynchronously."""
        ask = getattr(self.retriever, "aretrieve", None) or getattr(self.retriever, "ainvoke", None)
        if ask is None:
            return await asyncio.to_thread(self.search, query, as_of=as_of, k=k, window=window)
        started = time.perf_counter()
        failed: SearchFailed | None = None
        try:
            items = await ask(query)
        except Exception as error:
            failed = _failure(self.retriever, error)
        if failed is not None:
            raise failed
        return result_of(_evidence(items), as_of=as_of, k=k, started=started)


def result_of(found: tuple[list[Evidence], list[str]], *, as_of: datetime, k: int, started: float) -> SearchResult:
    """Return the first `k` of the evidence that was known, numbered anew.

    What was published later is counted.
    """
    evidence, skipped = found
    known, later = split_known(evidence, as_of=as_of)
    if later:
        skipped = [*skipped, later_note(len(later), as_of=as_of, what="result")]
    return SearchResult(
        evidence=tuple(each.model_copy(update={"position": rank}) for rank, each in enumerate(known[: max(0, k)])),
        skipped=tuple(skipped),
        cost=Cost(searches=1, seconds=time.perf_counter() - started),
    )


def _evidence(items: Iterable[Any]) -> tuple[list[Evidence], list[str]]:
    evidence: list[Evidence] = []
    skipped: list[str] = []
    for item in items or ():
        try:
            evidence.append(evidence_of(item))
        except BadInput as error:
            skipped.append(str(error))
    return evidence, skipped


def _failure(retriever: Any, error: Exception) -> SearchFailed:
    return SearchFailed(f"{type(retriever).__name__} failed with {type(error).__name__}: {without_secrets(str(error))}")
