"""LlamaIndex drop-ins with LlamaIndex's own parts around them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import (
    MetadataMode,
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)

from dateline import BadInput
from dateline.text.lexical import LexicalEmbeddings
from llama_index.node_parser.dateline import DateStamper
from llama_index.postprocessor.dateline import DatedNodes, TemporalReranker
from llama_index.retrievers.dateline import TemporalRetriever

NOW = datetime(2024, 6, 1, tzinfo=UTC)
NODES = [
    NodeWithScore(node=TextNode(text="Anna Berg became director of the observatory in March 2015."), score=0.2),
    NodeWithScore(
        node=TextNode(text="Carl Dahl became director of the observatory in 2021.", metadata={"date": "2021-09-14"}),
        score=0.9,
    ),
    NodeWithScore(node=TextNode(text="Eva Holm was director of the observatory from 1998 to 2004."), score=None),
]


class Everything(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.asked = query_bundle.query_str
        return NODES


@pytest.fixture
def reranker() -> TemporalReranker:
    return TemporalReranker(as_of=NOW, embeddings=LexicalEmbeddings())


@pytest.mark.parametrize(("year", "name"), [("2016", "Anna Berg"), ("2022", "Carl Dahl"), ("2001", "Eva Holm")])
def test_the_node_that_holds_at_the_asked_time_comes_first(reranker: TemporalReranker, year: str, name: str) -> None:
    ranked = reranker.postprocess_nodes(NODES, query_str=f"Who was director of the observatory in {year}?")
    assert name in ranked[0].node.get_content(metadata_mode=MetadataMode.NONE)


def test_nodes_are_copied_and_scores_stay_out_of_what_models_see(reranker: TemporalReranker) -> None:
    before = [node.model_dump_json() for node in NODES]
    ranked = reranker.postprocess_nodes(NODES, query_str="Who was director of the observatory in 2016?")
    assert [node.model_dump_json() for node in NODES] == before
    assert all("dateline_score" in node.node.metadata for node in ranked)
    assert all("dateline_" not in node.node.get_content(metadata_mode=MetadataMode.LLM) for node in ranked)
    assert len(ranked) == len(NODES)


def test_a_missing_question_is_refused_in_one_sentence(reranker: TemporalReranker) -> None:
    with pytest.raises(BadInput, match="needs the question"):
        reranker.postprocess_nodes(NODES)


async def test_a_retriever_is_asked_for_the_content_without_the_date(reranker: TemporalReranker) -> None:
    inner = Everything()
    retriever = TemporalRetriever(inner, reranker=reranker)
    for found in (
        retriever.retrieve("Who was director of the observatory in 2016?"),
        await retriever.aretrieve("Who was director of the observatory in 2016?"),
    ):
        assert "Anna Berg" in found[0].node.get_content(metadata_mode=MetadataMode.NONE)
        assert "2016" not in inner.asked


@pytest.mark.parametrize(
    ("kept", "asked", "brought"), [(None, None, 3), (None, 2, 2), (1, 3, 1), (2, 1, 1), (2, None, 2)]
)
async def test_as_many_nodes_come_as_both_retriever_and_reranker_let_through(
    reranker: TemporalReranker, kept: int | None, asked: int | None, brought: int
) -> None:
    question = "Who was director of the observatory in 2016?"
    retriever = TemporalRetriever(Everything(), reranker=reranker.model_copy(update={"top_n": kept}), k=asked)
    best = [node.text for node in reranker.postprocess_nodes(NODES, query_str=question)][:brought]
    assert [node.text for node in retriever.retrieve(question)] == best
    assert [node.text for node in await retriever.aretrieve(question)] == best


async def test_a_retriever_reads_the_clock_once_so_that_one_question_is_asked_at_one_moment() -> None:
    read: list[datetime] = []

    def clock() -> datetime:
        read.append(NOW)
        return NOW

    retriever = TemporalRetriever(Everything(), reranker=TemporalReranker(embeddings=LexicalEmbeddings(), clock=clock))
    retriever.retrieve("Who is director of the observatory now?")
    assert len(read) == 1
    await retriever.aretrieve("Who is director of the observatory now?")
    assert len(read) == 2


def test_a_copy_can_be_written_into_at_any_depth(reranker: TemporalReranker) -> None:
    metadata = {"tags": ["news", {"place": "hill"}], "date": "2019-05-06"}
    node = NodeWithScore(node=TextNode(text="Anna Berg is director.", metadata=metadata))
    for copy in (
        reranker.postprocess_nodes([node], query_str="Who is director?")[0].node,
        DatedNodes(as_of=NOW).postprocess_nodes([node])[0].node,
        DateStamper()([node.node])[0],
    ):
        copy.metadata["tags"][1]["place"] = "harbour"
        copy.metadata["tags"].append("new")
        copy.excluded_llm_metadata_keys.append("tags")
        copy.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(node_id="other")
    assert node.node.metadata == {"tags": ["news", {"place": "hill"}], "date": "2019-05-06"}
    assert not node.node.relationships
    assert not node.node.excluded_llm_metadata_keys
