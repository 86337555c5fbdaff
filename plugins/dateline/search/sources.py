"""Stores and indexes of LangChain and LlamaIndex as sources of candidates."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from langchain_core.vectorstores import VectorStore, VectorStoreRetriever

from dateline.documents.rules import DateField
from dateline.flow import Flow
from dateline.ranking.candidates import CandidateFilter
from dateline.search.over_fetch import CandidateSource, dated_candidates
from dateline.search.vector_store import VectorStoreCandidates
from dateline.temporal.constraint import Question


def unwrapped(inner: Any) -> tuple[Any, dict[str, Any]]:
    """Return what a retriever only wraps, with its arguments of a search.

    A LangChain retriever that hands a question on to its vector store is that store: its `k` is the number of results that
    an app wants, not of candidates. A vector index of LlamaIndex is its retriever: a class of an app's own may make another.
    Anything else is returned as it is.

    Example:
        >>> from langchain_core.vectorstores import InMemoryVectorStore
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = InMemoryVectorStore(LexicalEmbeddings())
        >>> found, given = unwrapped(store.as_retriever(search_kwargs={"k": 4, "filter": None}))
        >>> found is store, given
        (True, {'filter': None})
    """
    if type(inner) is VectorStoreRetriever and inner.search_type == "similarity":
        return inner.vectorstore, {name: value for name, value in inner.search_kwargs.items() if name != "k"}
    is_index = any(each.__name__ == "VectorStoreIndex" for each in type(inner).__mro__)
    return (inner.as_retriever() if is_index else inner), {}


def is_store(inner: Any) -> bool:
    """Return whether it is a store or index, or wraps one."""
    asked = unwrapped(inner)[0]
    if type(asked).__name__ == "VectorIndexRetriever":
        return str(asked._vector_store_query_mode.value) == "default"
    return isinstance(asked, VectorStore)


def store_candidates(
    store: Any,
    question: Question,
    *,
    k: int,
    keep_later: bool = False,
    date_field: DateField = (),
    given: Mapping[str, Any] | None = None,
) -> Flow[list[Any]]:
    """Find the documents of a store that may answer a question.

    Args:
        store: a LangChain vector store, a LlamaIndex vector index, or a retriever that only asks one.
        question: its content is looked for.
        k: how many of the nearest; of the period and of the newest about half as many more.
        keep_later: whether what was published later counts as known.
        date_field: the name or names of the date's field, for documents without stamps.
        given: further arguments of a vector store's search.

    Returns:
        The documents or nodes, each once; some may have been published later than the asking moment.
    """
    asked = CandidateFilter.of(question, keep_later=keep_later)
    inner, set_there = unwrapped(store)
    source = _source(inner, question.content, given={**set_there, **(given or {})})
    return (yield from dated_candidates(source, question.content, asked=asked, k=k, date_field=date_field))


def _source(store: Any, query: str, *, given: Mapping[str, Any]) -> CandidateSource[Any]:
    if isinstance(store, VectorStore):
        return VectorStoreCandidates(store, query, given=given)
    # LlamaIndex's plug-in, beside the index of a person who has LlamaIndex.
    made: CandidateSource[Any] = import_module("llama_index.retrievers.dateline.candidates").IndexCandidates(
        store, query
    )
    return made
