"""Any retriever of LangChain or LlamaIndex as a search."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from langchain_core.embeddings import Embeddings

from dateline.documents.raw import RawDocument
from dateline.documents.reading import dated_evidence, raw_document
from dateline.documents.rules import DateField, date_rules
from dateline.documents.stamp import known_documents
from dateline.errors import BadInput, SearchFailed
from dateline.evidence.knowledge import later_notes, split_known
from dateline.flow import Flow, call, twins
from dateline.protocols import SearchResult
from dateline.ranking import HybridRanker
from dateline.records import Evidence
from dateline.search.folder import question_of
from dateline.search.sources import is_store, store_candidates
from dateline.secrets import without_secrets
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval


class RetrieverSearch:
    """A LangChain or LlamaIndex retriever, store or index as a `Search`.

    A retriever decides how many documents it fetches; the first `k` known on the asking day are returned. A vector store or
    vector index is asked for the nearest of what was known, of the period and of the newest, which are then ranked by
    content and time.

    Args:
        retriever: has `invoke` (LangChain), `retrieve` (LlamaIndex), or `as_retriever`: a vector store or an index.
        date_field: the name or names of the date's field, or `DateRules`; empty: the table of usual names.
        candidates: how many documents to request from a vector store or an index.
        name: the channel of what it brings; empty: its own name, or that of its store's class.
        embeddings: rank what a store brings; by default `default_embeddings()`.

    Raises:
        BadInput: for anything else.

    Example:
        >>> from datetime import UTC, datetime
        >>> from langchain_core.documents import Document
        >>> from langchain_core.retrievers import BaseRetriever
        >>> class Notes(BaseRetriever):
        ...     def _get_relevant_documents(self, query, *, run_manager):
        ...         return [Document("The museum opened in 1927.")]
        >>> RetrieverSearch(Notes()).search("opening", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence[0].text
        'The museum opened in 1927.'
    """

    def __init__(
        self,
        retriever: Any,
        *,
        date_field: DateField = (),
        candidates: int = 50,
        name: str = "",
        embeddings: Embeddings | None = None,
    ) -> None:
        self.retriever = retriever if is_store(retriever) else _retriever(retriever, candidates=candidates)
        self.date_field = date_rules(date_field)
        self.name = name or _name(retriever)
        self._candidates, self._embeddings = candidates, embeddings

    def _search(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> Flow[SearchResult]:
        """Return the first `k` documents known at `as_of`.

        Asynchronously by the retriever's own async method, or in a worker thread.

        Raises:
            SearchFailed: when the retriever does.
        """
        started = time.perf_counter()
        question = question_of(query, as_of=as_of, window=window)
        failed: SearchFailed | None = None
        try:
            items = yield from self._asked(question, k=k)
        except Exception as error:
            failed = _failure(self.retriever, error)
        if failed is not None:
            raise failed
        evidence, skipped = self._evidence(items, as_of)
        known, later = split_known(evidence, as_of=as_of)
        skipped += later_notes(len(later), as_of=as_of, what="result")
        known = list({each.id: each for each in reversed(known)}.values())[::-1]  # of equal passages the first
        if is_store(self.retriever) and known and k > 0:
            ranker = HybridRanker(embeddings=self._embeddings)
            ranked = yield from call(ranker.rank, question, evidence=known, k=k)
            known = [each.evidence for each in ranked]
        return SearchResult.ranked(known[: max(0, k)], skipped=skipped, started=started)

    search, asearch = twins(_search)

    def _asked(self, question: Question, *, k: int) -> Flow[Iterable[Any]]:
        """Ask a store by date, and a retriever as it is."""
        if is_store(self.retriever):
            return (
                yield from store_candidates(
                    self.retriever, question, k=max(k, self._candidates), date_field=self.date_field
                )
            )
        ask: Callable[[str], Iterable[Any]] = getattr(self.retriever, "retrieve", None) or self.retriever.invoke
        return (yield from call(ask, question.text))

    def _evidence(self, items: Iterable[Any], as_of: datetime) -> tuple[list[Evidence], list[str]]:
        raws: list[RawDocument | Evidence] = []
        skipped: list[str] = []
        for item in items or ():
            try:
                read = raw_document(item, rules=self.date_field, channel=self.name)
            except BadInput as error:
                skipped.append(str(error))
                continue
            if isinstance(read, Evidence):
                raws.append(read)
            else:
                raws += known_documents(read, as_of=as_of, rules=self.date_field)
        return dated_evidence(raws, rules=self.date_field), skipped


def _retriever(given: Any, *, candidates: int) -> Any:
    if _asks(given, "invoke") or _asks(given, "retrieve"):
        return given
    if not _asks(given, "as_retriever"):
        raise BadInput(
            f"{type(given).__name__} is no retriever; pass a retriever, a vector store or an index of LangChain or "
            "LlamaIndex."
        )
    return given.as_retriever(similarity_top_k=candidates)


def _name(given: Any) -> str:
    """Return a retriever's name, else its store's or own class's."""
    store = getattr(given, "vectorstore", None)
    named = getattr(given, "name", None)
    return named if isinstance(named, str) and named else type(given if store is None else store).__name__


def _asks(given: Any, method: str) -> bool:
    return callable(getattr(given, method, None))


def _failure(retriever: Any, error: Exception) -> SearchFailed:
    return SearchFailed(f"{type(retriever).__name__} failed with {type(error).__name__}: {without_secrets(str(error))}")
