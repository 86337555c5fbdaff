"""No door shows what was published after the asking moment, unless it is told to keep it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import VectorStoreIndex
from llama_index.core.schema import NodeWithScore, TextNode

from dateline import Evidence, Interval
from dateline.search import RetrieverSearch
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import DateStamper, EvidenceRetriever, FreshPromptTemplate, TemporalReranker, TemporalRetriever
from llama_index.embeddings.dateline import LocalEmbedding
from llama_index.postprocessor.dateline import DatedNodes
from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker
from llama_index.retrievers.dateline import EvidenceRetriever as NodeEvidenceRetriever
from llama_index.retrievers.dateline import TemporalRetriever as NodeRetriever

QUESTION = "Who leads the choir?"
NOW = datetime(2024, 6, 1, tzinfo=UTC)
DATES = ("2015-05-01", "2019-06", "2019", "2021-03-02", "2024-07-01", "2031")
EMBEDDINGS = LexicalEmbeddings()


def clock() -> datetime:
    return NOW


def text(date: str) -> str:
    return f"Singer {date.replace('-', '')} leads the choir."


NOTES = [Document(text(date), metadata={"date": date}) for date in DATES] + [Document("Nobody leads the choir.")]
NODES = [TextNode(text=each.page_content, metadata=each.metadata) for each in NOTES]


class Later(BaseRetriever):
    """Brings everything."""

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        return NOTES


class CarelessSearch(FixedSearch):
    """Brings everything, whenever it is asked about."""


def evidence() -> list[Evidence]:
    pieces = [Evidence.make(text(date), published=Interval.parse(date)) for date in DATES]
    return [*pieces, Evidence.make("Nobody leads the choir.")]


def texts(documents: list[Document]) -> set[str]:
    return {each.page_content for each in documents}


def of_nodes(nodes: list[NodeWithScore]) -> set[str]:
    return {each.text for each in nodes}


def store(*, stamped: bool) -> InMemoryVectorStore:
    notes = DateStamper().transform_documents(NOTES) if stamped else NOTES
    return InMemoryVectorStore.from_documents(list(notes), EMBEDDINGS)


def reranker(as_of: str | None, **options: Any) -> TemporalReranker:
    return TemporalReranker(embeddings=EMBEDDINGS, as_of=as_of, clock=clock, **options)


def node_reranker(as_of: str | None, **options: Any) -> NodeReranker:
    return NodeReranker(embeddings=EMBEDDINGS, as_of=as_of, clock=clock, **options)


def scored() -> list[NodeWithScore]:
    return [NodeWithScore(node=each) for each in NODES]


def index() -> VectorStoreIndex:
    return VectorStoreIndex(NODES, embed_model=LocalEmbedding(EMBEDDINGS))


KEEPING: dict[str, Callable[..., set[str]]] = {
    "reranker": lambda as_of, **o: texts(list(reranker(as_of, **o).compress_documents(NOTES, QUESTION))),
    "compression": lambda as_of, **o: texts(
        ContextualCompressionRetriever(base_compressor=reranker(as_of, **o), base_retriever=Later()).invoke(QUESTION)
    ),
    "retriever": lambda as_of, **o: texts(
        TemporalRetriever(retriever=Later(), reranker=reranker(as_of), k=99, **o).invoke(QUESTION)
    ),
    "store": lambda as_of, **o: texts(
        TemporalRetriever(retriever=store(stamped=False), reranker=reranker(as_of), k=99, **o).invoke(QUESTION)
    ),
    "stamped store": lambda as_of, **o: texts(
        TemporalRetriever(retriever=store(stamped=True), reranker=reranker(as_of), k=99, **o).invoke(QUESTION)
    ),
    "node reranker": lambda as_of, **o: of_nodes(
        node_reranker(as_of, **o).postprocess_nodes(scored(), query_str=QUESTION)
    ),
    "node retriever": lambda as_of, **o: of_nodes(
        NodeRetriever(index(), reranker=node_reranker(as_of), k=99, **o).retrieve(QUESTION)
    ),
    "dated nodes": lambda as_of, **o: of_nodes(DatedNodes(as_of=as_of, clock=clock, **o).postprocess_nodes(scored())),
}
"""Doors with an option that keeps what was published later."""

STRICT: dict[str, Callable[[str | None], set[str]]] = {
    "evidence": lambda as_of: texts(
        EvidenceRetriever(search=CarelessSearch(evidence()), as_of=as_of, clock=clock, k=99).invoke(QUESTION)
    ),
    "node evidence": lambda as_of: of_nodes(
        NodeEvidenceRetriever(CarelessSearch(evidence()), as_of=as_of, clock=clock, k=99).retrieve(QUESTION)
    ),
    "search": lambda as_of: {
        each.text
        for each in RetrieverSearch(Later()).search(QUESTION, as_of=_moment(as_of), k=99).evidence
    },
    "prompt": lambda as_of: {
        each.text
        for each in FreshPromptTemplate(clock=clock).build(question=QUESTION, documents=NOTES, as_of=as_of).evidence
    },
}  # fmt: skip


def _moment(as_of: str | None) -> datetime:
    return NOW if as_of is None else Interval.parse(as_of).last_moment()


def known(as_of: str | None) -> set[str]:
    day = _moment(as_of)
    pieces = [Interval.parse(date).start or 0 for date in DATES]
    seen = {text(date) for date, start in zip(DATES, pieces, strict=True) if start <= day.timestamp()}
    return seen | {"Nobody leads the choir."}


@pytest.mark.parametrize("as_of", [None, "2019-06-15", "2014", "2021-03-02"])
@pytest.mark.parametrize("door", [*KEEPING, *STRICT])
def test_a_door_shows_what_was_known_then_and_nothing_later(door: str, as_of: str | None) -> None:
    assert (KEEPING | STRICT)[door](as_of) == known(as_of)


@pytest.mark.parametrize("door", KEEPING)
def test_a_door_that_is_told_to_keeps_what_was_published_later(door: str) -> None:
    assert KEEPING[door]("2019-06-15", keep_later=True) == {each.page_content for each in NOTES}
