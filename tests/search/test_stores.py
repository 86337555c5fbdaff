"""Vector stores that run here without a server: which of them filter by the stamps, and that all bring the right one.

Those whose package is missing are skipped; docs/search.md says with which versions they were last run.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import VectorStore

from dateline.errors import BadInput
from dateline.flow import run
from dateline.ranking.candidates import CandidateFilter
from dateline.search.over_fetch import dated_candidates
from dateline.search.store_filters import store_filter
from dateline.search.vector_store import VectorStoreCandidates
from dateline.temporal import decompose
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import DateStamper

EMBEDDINGS = LexicalEmbeddings(dimensions=128)
QUESTION = "Who runs the ferry to Holm?"
YEARS = range(1991, 2021)


def history() -> list[Document]:
    """A version a month, with a look-alike each, among notes about rooms."""
    months = [(year, month) for year in YEARS for month in range(1, 13)]
    rows = [
        *((f"Captain{year}x{month} runs the ferry to Holm.", "state", year, month) for year, month in months),
        *((f"Captain{year}x{month} runs the ferry to Vik.", "alike", year, month) for year, month in months),
        *((f"Room {year}x{month} was painted.", "room", year, month) for year, month in months),
    ]
    return [
        Document(text, metadata={"date": f"{year}-{month:02}-01", "kind": kind}) for text, kind, year, month in rows
    ]


DOCUMENTS = list(DateStamper().transform_documents(history()))
Make = Callable[[pytest.FixtureRequest], VectorStore]


def community(request: pytest.FixtureRequest, name: str, package: str, **given: Any) -> VectorStore:
    pytest.importorskip(package, reason=f"needs {package}")
    store = getattr(pytest.importorskip("langchain_community.vectorstores"), name)
    made: VectorStore = store.from_documents(DOCUMENTS, EMBEDDINGS, **given)
    return made


def folder(request: pytest.FixtureRequest, name: str) -> str:
    return str(request.getfixturevalue("tmp_path") / name)


def chroma(request: pytest.FixtureRequest) -> VectorStore:
    store = pytest.importorskip("langchain_chroma").Chroma
    # Chroma's usual graph misses one in twenty of what a filter lets through; a broad one finds all.
    broad = {"hnsw": {"ef_construction": 400, "max_neighbors": 64, "ef_search": 400}}
    made: VectorStore = store.from_documents(
        DOCUMENTS, EMBEDDINGS, persist_directory=folder(request, "chroma"), collection_configuration=broad
    )
    return made


def qdrant(request: pytest.FixtureRequest) -> VectorStore:
    store = pytest.importorskip("langchain_qdrant").QdrantVectorStore
    made: VectorStore = store.from_documents(DOCUMENTS, EMBEDDINGS, location=":memory:", collection_name="notes")
    return made


def only_alike_in_qdrant() -> Any:
    models = pytest.importorskip("qdrant_client.models")
    return models.Filter(must=[models.FieldCondition(key="metadata.kind", match=models.MatchValue(value="alike"))])


def milvus(request: pytest.FixtureRequest) -> VectorStore:
    pytest.importorskip("milvus_lite", reason="needs milvus-lite")
    made: VectorStore = pytest.importorskip("langchain_milvus").Milvus.from_documents(
        DOCUMENTS,
        EMBEDDINGS,
        connection_args={"uri": folder(request, "notes.db")},
        index_params={"index_type": "FLAT", "metric_type": "L2"},
    )
    return made


def postgres(request: pytest.FixtureRequest) -> VectorStore:
    store = pytest.importorskip("langchain_postgres").PGVector
    address = request.getfixturevalue("pgvector_url").replace("postgresql://", "postgresql+psycopg://")
    made: VectorStore = store.from_documents(DOCUMENTS, EMBEDDINGS, connection=address, pre_delete_collection=True)
    return made


def postgres_table(request: pytest.FixtureRequest) -> VectorStore:
    package = pytest.importorskip("langchain_postgres")
    address = request.getfixturevalue("pgvector_url").replace("postgresql://", "postgresql+psycopg://")
    engine = package.PGEngine.from_connection_string(address)
    engine.init_vectorstore_table("dateline_notes", vector_size=128, overwrite_existing=True)
    made: VectorStore = package.PGVectorStore.create_sync(engine, EMBEDDINGS, "dateline_notes")
    made.add_documents(DOCUMENTS)
    return made


FILTERING: dict[str, tuple[Make, Callable[[], dict[str, Any]]]] = {
    "Chroma": (chroma, lambda: {"filter": {"kind": "alike"}}),
    # Left alone, FAISS and LanceDB apply a person's filter to the nearest only.
    "FAISS": (
        lambda each: community(each, "FAISS", "faiss"),
        lambda: {"filter": {"kind": "alike"}, "fetch_k": len(DOCUMENTS)},
    ),
    "LanceDB": (
        lambda each: community(each, "LanceDB", "lancedb", uri=folder(each, "lance")),
        lambda: {"filter": "metadata.kind = 'alike'", "prefilter": True},
    ),
    "Milvus": (milvus, lambda: {"expr": "kind == 'alike'"}),
    "PGVector": (postgres, lambda: {"filter": {"kind": {"$eq": "alike"}}}),
    "PGVectorStore": (postgres_table, lambda: {"filter": {"kind": {"$eq": "alike"}}}),
    "QdrantVectorStore": (qdrant, lambda: {"filter": only_alike_in_qdrant()}),
}
"""Stores that filter, each with a filter of a person's own."""

OTHERS: dict[str, Make] = {
    "DuckDB": lambda each: community(each, "DuckDB", "duckdb"),
    "SKLearnVectorStore": lambda each: community(each, "SKLearnVectorStore", "sklearn"),
}


def candidates(store: VectorStore, day: date, **given: Any) -> list[Document]:
    asked = decompose(QUESTION, as_of=datetime(day.year, day.month, day.day, 12, tzinfo=UTC))
    source = VectorStoreCandidates(store, asked.content, given=given)
    return run(dated_candidates(source, asked.content, asked=CandidateFilter.of(asked), k=50))


def check(store: VectorStore) -> None:
    for year in (1992, 2003, 2019):
        found = {each.page_content for each in candidates(store, date(year, 6, 15))}
        assert f"Captain{year}x6 runs the ferry to Holm." in found, year


@pytest.mark.parametrize("name", FILTERING)
def test_a_store_filters_by_the_stamps_beside_a_persons_own_filter(
    name: str, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    make, own = FILTERING[name]
    store = make(request)
    with caplog.at_level(logging.WARNING, "dateline"):
        check(store)
        found = candidates(store, date(2003, 6, 15), **own())
    assert "asked for more" not in caplog.text
    assert {each.metadata["kind"] for each in found} == {"alike"}
    assert max(each.metadata["date"] for each in found) == "2003-06-01"


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.filterwarnings("ignore:No DuckDB connection")
def test_a_store_without_filters_is_asked_for_more_and_that_is_said(
    name: str, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    check(OTHERS[name](request))
    assert "its filters are not known" in caplog.text


class LanceDB:
    """A store that filters by SQL, known by the name of its class."""


SHIPS = ["Ada", "O'Hara", "' OR 1 = 1 --", "''", "", "x\\' OR 'a' = 'a"]
ASKED_AT = CandidateFilter(100)


def lance_filter(own: dict[str, str]) -> str:
    filtered = store_filter(LanceDB())
    assert filtered is not None
    return str(filtered(ASKED_AT, {"filter": own})["filter"])


@pytest.mark.parametrize("name", SHIPS)
@pytest.mark.parametrize("column", ["ship", "metadata.ship"])
def test_a_value_of_a_filter_is_compared_and_never_read_as_sql(name: str, column: str) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE metadata (ship TEXT, dateline_published INTEGER)")
        connection.executemany(
            "INSERT INTO metadata VALUES (?, ?)", [(each, day) for each in SHIPS for day in (9, 900)]
        )
        found = connection.execute(f"SELECT * FROM metadata WHERE {lance_filter({column: name})}").fetchall()
    assert found == [(name, 9)]


@pytest.mark.parametrize("name", ["ship = '' OR 1", "1 = 1 --", "a b", "", "metadata."])
def test_what_is_no_name_of_a_field_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(BadInput, match=r"^A filter cannot name the field .*; write a name such as kind"):
        lance_filter({name: "Ada"})


@pytest.mark.parametrize(
    ("make", "own"),
    [
        (lambda each: community(each, "FAISS", "faiss"), {"kind": "alike"}),
        (lambda each: community(each, "LanceDB", "lancedb", uri=folder(each, "lance")), "metadata.kind = 'alike'"),
    ],
    ids=["FAISS", "LanceDB"],
)
def test_a_persons_own_filter_chooses_among_all_and_dates_still_decide(
    make: Make, own: Any, request: pytest.FixtureRequest
) -> None:
    found = candidates(make(request), date(2003, 6, 15), filter=own)
    assert {each.metadata["kind"] for each in found} == {"alike"}
    assert max(each.metadata["date"] for each in found) == "2003-06-01"
