"""The rerankers of both frameworks put first what the local reader finds to answer."""

from __future__ import annotations

from datetime import UTC, datetime

from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, TextNode

from dateline.reading.reading_ranker import ReadingRanker
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import TemporalReranker
from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker

NOW = datetime(2024, 6, 1, tzinfo=UTC)
ASKED = "Who keeps the key of the boathouse?"
TOLD = {
    "2021-05-04": "Ada Holm keeps the key of the boathouse.",
    "2024-03-04": "The boathouse: Bo Lind keeps the key from now on.",
    "2024-05-01": "The key of the boathouse hangs from a red string.",
}
NEWEST = TOLD["2024-03-04"]


def test_langchains_reranker_reads_where_it_is_told_to() -> None:
    documents = [Document(text, metadata={"date": day}) for day, text in TOLD.items()]
    reranker = TemporalReranker(embeddings=LexicalEmbeddings(), read=True, top_n=1, as_of=NOW)
    assert [one.page_content for one in reranker.compress_documents(documents, ASKED)] == [NEWEST]
    assert not any("dateline_score" in one.metadata for one in documents)


def test_llama_indexs_reranker_reads_where_it_is_told_to() -> None:
    nodes = [NodeWithScore(node=TextNode(text=text, metadata={"date": day})) for day, text in TOLD.items()]
    reranker = NodeReranker(embeddings=LexicalEmbeddings(), read=True, top_n=1, as_of=NOW)
    assert [one.text for one in reranker.postprocess_nodes(nodes, query_str=ASKED)] == [NEWEST]


def test_nothing_is_read_unasked() -> None:
    for made in (TemporalReranker(embeddings=LexicalEmbeddings()), NodeReranker(embeddings=LexicalEmbeddings())):
        assert not isinstance(made._ranker, ReadingRanker)
