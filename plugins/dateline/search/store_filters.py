"""Candidate filters in the languages of LangChain's vector stores.

A store that is not known here is asked for more documents, which are then cut by date.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Literal, NamedTuple

from dateline.documents.fields import PUBLISHED
from dateline.documents.stamp import VALID_FROM, VALID_UNTIL, stamped_times
from dateline.errors import BadInput
from dateline.ranking.candidates import CandidateFilter

StoreFilter = Callable[[CandidateFilter, Mapping[str, Any]], dict[str, Any]]
"""Adds a candidate filter to the arguments of a search, beside a filter that stands there already."""


class _Condition(NamedTuple):
    """A bound of one of the stamp's numbers.

    Less and greater alone: not every store knows "or equal".
    """

    field: str
    sign: Literal["lt", "gt"]
    value: int


_Language = Callable[[Any, Sequence[_Condition], Any], Any]
"""Writes conditions in a store's language, beside a person's own filter or `None`."""


def store_filter(store: Any) -> StoreFilter | None:
    """Return how a store filters, or `None` where that is not known."""
    names = [each.__name__ for each in type(store).__mro__]
    if "InMemoryVectorStore" in names:
        return _of_documents
    if "FAISS" in names:
        return partial(_of_metadata, store)
    if "LanceDB" in names:
        return _in_sql
    known = next((STORES[name] for name in names if name in STORES), None)
    return None if known is None else partial(_written, store, *known)


def among_all(store: Any, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Let a person's own filter choose among all that a store holds.

    FAISS and LanceDB apply it to the few nearest, if nobody says otherwise.
    """
    names = [each.__name__ for each in type(store).__mro__]
    if given.get("filter") is None:
        return given
    if "FAISS" in names:
        return {**given, "fetch_k": store.index.ntotal}
    return {**given, "prefilter": True} if "LanceDB" in names else given


def _of_documents(asked: CandidateFilter, given: Mapping[str, Any]) -> dict[str, Any]:
    """Filter by a function over documents, as LangChain's own store does."""
    own = given.get("filter")

    def passed(document: Any) -> bool:
        return _is_wanted(asked, document.metadata) and (own is None or own(document))

    return {**given, "filter": passed}


def _of_metadata(store: Any, asked: CandidateFilter, given: Mapping[str, Any]) -> dict[str, Any]:
    """Filter by a function over metadata, among all of a FAISS index."""
    own = given.get("filter")
    further = None if own is None else store._create_filter_func(own)

    def passed(metadata: Mapping[str, Any]) -> bool:
        return _is_wanted(asked, metadata) and (further is None or further(metadata))

    return {**given, "filter": passed, "fetch_k": store.index.ntotal}


def _in_sql(asked: CandidateFilter, given: Mapping[str, Any]) -> dict[str, Any]:
    """Filter by SQL, before LanceDB looks for the nearest."""
    own = given.get("filter")
    if isinstance(own, Mapping):
        own = " AND ".join(f"{_column(name)} = {_quoted(value)}" for name, value in own.items())
    parts = [f"metadata.{each.field} {_SIGNS[each.sign]} {each.value}" for each in _conditions(asked)]
    return {**given, "filter": " AND ".join([*([f"({own})"] if own else []), *parts]), "prefilter": True}


def _column(name: object) -> str:
    if not all(part.isidentifier() for part in str(name).split(".")):
        raise BadInput(f"A filter cannot name the field {name!r}; write a name such as kind or metadata.kind.")
    return str(name)


def _quoted(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def _is_wanted(asked: CandidateFilter, metadata: Mapping[str, Any]) -> bool:
    times = stamped_times(metadata)
    return times is None or asked.lets(*times)  # without a stamp it is dated when it is found


def _written(
    store: Any, key: str, language: _Language, asked: CandidateFilter, given: Mapping[str, Any]
) -> dict[str, Any]:
    return {**given, key: language(store, _conditions(asked), given.get(key))}


_SIGNS = {"lt": "<", "gt": ">"}


def _conditions(asked: CandidateFilter) -> list[_Condition]:
    found = [_Condition(PUBLISHED, "lt", asked.known_before)]
    if asked.since is not None:
        found.append(_Condition(PUBLISHED, "gt", asked.since - 1))
    if asked.end is not None:
        found.append(_Condition(VALID_FROM, "lt", asked.end))
    if asked.start is not None:
        found.append(_Condition(VALID_UNTIL, "gt", asked.start))
    return found


def _in_dollars(store: Any, conditions: Sequence[_Condition], own: Any) -> Any:
    """Write `{"$and": [{"field": {"$lt": 1}}, …]}`."""
    parts = [*([own] if own else []), *({each.field: {f"${each.sign}": each.value}} for each in conditions)]
    return parts[0] if len(parts) == 1 else {"$and": parts}


def _in_qdrant(store: Any, conditions: Sequence[_Condition], own: Any) -> Any:
    models = import_module("qdrant_client.models")  # a Qdrant store has it
    ours = [
        models.FieldCondition(
            key=f"{store.metadata_payload_key}.{each.field}", range=models.Range(**{each.sign: each.value})
        )
        for each in conditions
    ]
    return models.Filter(must=ours if own is None else [own, *ours])


def _in_words(store: Any, conditions: Sequence[_Condition], own: Any) -> str:
    """Write `(kind == 'a') and field < 1`, as Milvus reads it."""
    ours = [f"{each.field} {_SIGNS[each.sign]} {each.value}" for each in conditions]
    return " and ".join([*([f"({own})"] if own else []), *ours])


def _in_ranges(store: Any, conditions: Sequence[_Condition], own: Any) -> list[Any]:
    """Write a list of Elasticsearch's clauses, which all hold."""
    ours = [{"range": {f"metadata.{each.field}": {each.sign: each.value}}} for each in conditions]
    return [*(own if isinstance(own, list) else [own] if own else []), *ours]


def _in_bool(store: Any, conditions: Sequence[_Condition], own: Any) -> Any:
    """Write OpenSearch's one clause."""
    return {"bool": {"must": _in_ranges(store, conditions, own)}}


STORES: Mapping[str, tuple[str, _Language]] = {
    "Chroma": ("filter", _in_dollars),
    "PGVector": ("filter", _in_dollars),
    "PGVectorStore": ("filter", _in_dollars),
    "AsyncPGVectorStore": ("filter", _in_dollars),
    "PineconeVectorStore": ("filter", _in_dollars),
    "Pinecone": ("filter", _in_dollars),
    "MongoDBAtlasVectorSearch": ("pre_filter", _in_dollars),
    "Neo4jVector": ("filter", _in_dollars),
    "AstraDBVectorStore": ("filter", _in_dollars),
    "HanaDB": ("filter", _in_dollars),
    "QdrantVectorStore": ("filter", _in_qdrant),
    "Qdrant": ("filter", _in_qdrant),
    "Milvus": ("expr", _in_words),
    "Zilliz": ("expr", _in_words),
    "ElasticsearchStore": ("filter", _in_ranges),
    "OpenSearchVectorSearch": ("filter", _in_bool),
}
"""Class of a store -> the argument that takes a filter, and the language it is written in."""
