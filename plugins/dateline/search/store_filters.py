"""Candidate filters in the languages of LangChain's vector stores.

Stores that compare by functions, in SQL, or by operators with a dollar sign are served here; those with a language of
their own by langchain-community's translators, where that is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from langchain_core.structured_query import (
    Comparator,
    Comparison,
    FilterDirective,
    Operation,
    Operator,
    StructuredQuery,
    Visitor,
)

from dateline.documents.stamp import PUBLISHED, VALID_FROM, VALID_UNTIL
from dateline.errors import BadInput
from dateline.ranking.candidates import CandidateFilter

StoreFilter = Callable[[CandidateFilter, Mapping[str, Any]], dict[str, Any]]
"""Adds a candidate filter to the arguments of a search, beside a filter that stands there already."""

DOLLAR_STORES: Mapping[str, str] = {
    "Chroma": "filter",
    "PGVector": "filter",
    "PGVectorStore": "filter",
    "AsyncPGVectorStore": "filter",
    "PineconeVectorStore": "filter",
    "Pinecone": "filter",
    "MongoDBAtlasVectorSearch": "pre_filter",
    "Neo4jVector": "filter",
    "AstraDBVectorStore": "filter",
    "HanaDB": "filter",
}
"""Class of a store -> the argument that takes `{"field": {"$lt": 1}}`."""

TRANSLATORS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    "QdrantVectorStore": ("qdrant", "QdrantTranslator", {"metadata_key": "metadata_payload_key"}),
    "Qdrant": ("qdrant", "QdrantTranslator", {"metadata_key": "metadata_payload_key"}),
    "Milvus": ("milvus", "MilvusTranslator", {}),
    "Zilliz": ("milvus", "MilvusTranslator", {}),
    "ElasticsearchStore": ("elasticsearch", "ElasticsearchTranslator", {}),
    "OpenSearchVectorSearch": ("opensearch", "OpenSearchTranslator", {}),
    "Redis": ("redis", "RedisTranslator", {"schema": "_schema"}),
    "Weaviate": ("weaviate", "WeaviateTranslator", {}),
    "SupabaseVectorStore": ("supabase", "SupabaseVectorTranslator", {}),
    "TimescaleVector": ("timescalevector", "TimescaleVectorTranslator", {}),
    "MyScale": ("myscale", "MyScaleTranslator", {"metadata_key": "metadata_column"}),
    "DashVector": ("dashvector", "DashvectorTranslator", {}),
    "Vectara": ("vectara", "VectaraTranslator", {}),
}
"""Class of a store -> module and class of langchain-community's translator, and its arguments: attributes of the store."""


def store_filter(store: Any) -> StoreFilter | None:
    """Return how a store filters, or `None` where that is not known."""
    names = [each.__name__ for each in type(store).__mro__]
    if "InMemoryVectorStore" in names:
        return _of_documents
    if "FAISS" in names:
        return partial(_of_metadata, store)
    if "LanceDB" in names:
        return _in_sql
    if (key := next((DOLLAR_STORES[name] for name in names if name in DOLLAR_STORES), None)) is not None:
        return _translated(_DollarTranslator(key))
    known = next((TRANSLATORS[name] for name in names if name in TRANSLATORS), None)
    translator = None if known is None else _community(store, *known)
    return None if translator is None else _translated(translator)


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


def passes(asked: CandidateFilter, metadata: Mapping[str, Any]) -> bool:
    """Return whether a stamped document's metadata pass a filter."""
    return asked.knows(metadata[PUBLISHED]) and (
        not asked.has_period or asked.is_about(metadata[VALID_FROM], metadata[VALID_UNTIL])
    )


def is_stamped(metadata: Mapping[str, Any]) -> bool:
    """Return whether `DateStamper` wrote its numbers into metadata."""
    return all(isinstance(metadata.get(name), int | float) for name in (PUBLISHED, VALID_FROM, VALID_UNTIL))


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
    parts = [f"metadata.{each.attribute} {_SIGNS[each.comparator]} {each.value}" for each in _conditions(asked)]
    return {**given, "filter": " AND ".join([*([f"({own})"] if own else []), *parts]), "prefilter": True}


def _column(name: object) -> str:
    if not all(part.isidentifier() for part in str(name).split(".")):
        raise BadInput(f"A filter cannot name the field {name!r}; write a name such as kind or metadata.kind.")
    return str(name)


def _quoted(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def _is_wanted(asked: CandidateFilter, metadata: Mapping[str, Any]) -> bool:
    return not is_stamped(metadata) or passes(asked, metadata)  # without a stamp it is dated when it is found


def _translated(translator: Visitor) -> StoreFilter:
    def applied(asked: CandidateFilter, given: Mapping[str, Any]) -> dict[str, Any]:
        conditions: list[FilterDirective] = [*_conditions(asked)]
        key, ours = _visited(translator, conditions)
        own = given.get(key)
        if own is None:
            return {**given, key: ours}
        if isinstance(ours, list):
            return {**given, key: [*ours, *(own if isinstance(own, list) else [own])]}
        return {**given, key: _visited(translator, [_Given(native=own), *conditions])[1]}

    return applied


def _visited(translator: Visitor, conditions: list[FilterDirective]) -> tuple[str, Any]:
    whole = conditions[0] if len(conditions) == 1 else Operation(Operator.AND, conditions)
    arguments: dict[str, Any] = translator.visit_structured_query(StructuredQuery("", whole))[1]
    return next(iter(arguments.items()))


_SIGNS = {Comparator.LT: "<", Comparator.GT: ">"}


def _conditions(asked: CandidateFilter) -> list[Comparison]:
    # Less and greater alone: not every translator knows "or equal".
    found = [Comparison(Comparator.LT, PUBLISHED, asked.known_before)]
    if asked.since is not None:
        found.append(Comparison(Comparator.GT, PUBLISHED, asked.since - 1))
    if asked.end is not None:
        found.append(Comparison(Comparator.LT, VALID_FROM, asked.end))
    if asked.start is not None:
        found.append(Comparison(Comparator.GT, VALID_UNTIL, asked.start))
    return found


class _Given(FilterDirective):
    """A person's own filter, in the store's language already."""

    native: Any

    def accept(self, visitor: Visitor) -> Any:
        return self.native


class _DollarTranslator(Visitor):
    """Translates into `{"$and": [{"field": {"$lt": 1}}, …]}`."""

    def __init__(self, key: str) -> None:
        self._key = key

    def visit_operation(self, operation: Operation) -> dict[str, Any]:
        """Translate a conjunction."""
        return {f"${operation.operator.value}": [each.accept(self) for each in operation.arguments]}

    def visit_comparison(self, comparison: Comparison) -> dict[str, Any]:
        """Translate one condition."""
        return {comparison.attribute: {f"${comparison.comparator.value}": comparison.value}}

    def visit_structured_query(self, structured_query: StructuredQuery) -> tuple[str, dict[str, Any]]:
        """Return the query with its arguments."""
        assert structured_query.filter is not None
        return structured_query.query, {self._key: structured_query.filter.accept(self)}


def _community(store: Any, module: str, name: str, arguments: Mapping[str, str]) -> Visitor | None:
    try:
        made = getattr(import_module(f"langchain_community.query_constructors.{module}"), name)
        translator: Visitor = made(**{key: getattr(store, attribute) for key, attribute in arguments.items()})
    except (ImportError, AttributeError):
        return None
    return translator
