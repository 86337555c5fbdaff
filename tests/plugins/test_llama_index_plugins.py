"""LlamaIndex drop-ins with LlamaIndex's own parts around them."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core import VectorStoreIndex
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import (
    MetadataMode,
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.vector_stores import FilterCondition, MetadataFilter, MetadataFilters

from dateline import BadInput, Evidence, Interval
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.reading import ExtractiveReader
from dateline.temporal import asked_at
from dateline.testing import FixedSearch, ReadingEstimator
from dateline.text.lexical import LexicalEmbeddings
from llama_index.embeddings.dateline import LocalEmbedding
from llama_index.node_parser.dateline import DateStamper
from llama_index.postprocessor.dateline import DatedNodes, TemporalReranker
from llama_index.query_engine.dateline import CertaintyQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import EvidenceRetriever, FactStoreRetriever, TemporalRetriever
from llama_index.workflow.dateline import AnswerWorkflow

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


LEADERS = [
    Evidence.make(f"{who} became director of Acme in {year}.", published=Interval.of_year(year))
    for who, year in (("Ana Bell", 2015), ("Ben Hall", 2021))
]
WHO = "Who is the director of Acme?"


class Leaders(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text=piece.text)) for piece in LEADERS]


def retrieving(kind: str, as_of: str | None) -> BaseRetriever:
    if kind == "facts":
        store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        told = [Evidence.make("The director of Acme is Ana Bell.", published=Interval.of_year(2015))]
        LocalUpdater(store).update(told, known_at=NOW)
        return FactStoreRetriever(store).at(as_of)
    if kind == "search":
        return EvidenceRetriever(FixedSearch(LEADERS), as_of=as_of)
    return TemporalRetriever(Leaders(), reranker=TemporalReranker(embeddings=LexicalEmbeddings()), as_of=as_of)


@pytest.mark.parametrize("kind", ["search", "any", "facts"])
async def test_what_reads_nodes_follows_the_asking_day_of_their_retriever(kind: str) -> None:
    reader = ReaderSynthesizer(reader=ExtractiveReader())
    engine = RetrieverQueryEngine(retrieving(kind, "2018"), response_synthesizer=reader)
    for response in (engine.query(WHO), await engine.aquery(WHO)):
        assert response.metadata["dateline"]["as_of"].startswith("2018-12-31")
    nodes = retrieving(kind, "2018").retrieve(WHO)
    gated = CertaintyQueryEngine(
        retrieving(kind, "2018"), response_synthesizer=reader, estimator=ReadingEstimator()
    ).query(WHO)
    assert gated.metadata["dateline"]["asked"]["as_of"].startswith("2018-12-31")
    assert all("dateline_asked" not in node.node.get_content(metadata_mode=MetadataMode.LLM) for node in nodes)
    assert all("dateline_asked" not in node.node.get_content(metadata_mode=MetadataMode.EMBED) for node in nodes)


async def test_a_workflow_over_facts_is_asked_as_of_their_day() -> None:
    workflow = AnswerWorkflow(retrieving("facts", "2018"), reader=ExtractiveReader(), estimator=ReadingEstimator())
    response = await workflow.run(question=WHO)
    assert response.metadata["dateline"]["asked"]["as_of"].startswith("2018-12-31")


async def test_a_workflow_over_facts_of_a_later_day_is_asked_now() -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    workflow = AnswerWorkflow(
        FactStoreRetriever(store, as_of="2030"),
        reader=ExtractiveReader(),
        estimator=ReadingEstimator(),
        clock=lambda: NOW,
    )
    store.remember("Acme", attribute="director", value="Ana Bell", since="2015", known_at=NOW)
    response = await workflow.run(question=WHO)
    assert str(response) == "Ana Bell"
    assert response.metadata["dateline"]["asked"]["as_of"].startswith("2024-06-01")
    # Her time is over in 2030; what is said of 2028 is not read in 2024.
    store.remember("Acme", attribute="director", value="Tom Reyes", since="2028", known_at=NOW)
    assert str(await workflow.run(question=WHO)) == "No answer in these documents"
    assert str(await workflow.run(question=WHO, as_of="2018")) == "Ana Bell"


def test_filters_of_which_one_must_fit_stay_beside_those_by_date(caplog: pytest.LogCaptureFixture) -> None:
    notes = [
        TextNode(text=f"The fee is {year} crowns.", metadata={"date": f"{year}-03-01", "place": place})
        for year in range(1950, 2020)
        for place in ("Holm", "Vik", "Senn")
    ]
    index = VectorStoreIndex(DateStamper()(notes), embed_model=LocalEmbedding(LexicalEmbeddings()))
    either = MetadataFilters(
        filters=[MetadataFilter(key="place", value=place) for place in ("Holm", "Vik")], condition=FilterCondition.OR
    )
    dated = TemporalRetriever(
        index.as_retriever(filters=either),
        reranker=TemporalReranker(embeddings=LexicalEmbeddings()),
        k=4,
        candidates=20,
        as_of="1960",
    )
    with caplog.at_level(logging.WARNING):
        found = [each.node.metadata for each in dated.retrieve("What is the fee?")]
    assert not caplog.records
    assert len(found) == 4
    assert {each["place"] for each in found} <= {"Holm", "Vik"}
    assert max(each["date"] for each in found) == "1960-03-01"


async def test_one_engine_is_asked_as_of_a_day_for_each_request() -> None:
    engine = RetrieverQueryEngine(
        retrieving("search", None), response_synthesizer=ReaderSynthesizer(reader=ExtractiveReader())
    )
    for day, name in (("2018", "Ana Bell"), ("2023", "Ben Hall")):
        with asked_at(day):
            assert (str(engine.query(WHO)), str(await engine.aquery(WHO))) == (name, name)


def test_two_asking_days_in_one_engine_are_told(caplog: pytest.LogCaptureFixture) -> None:
    nodes = retrieving("any", "2018").retrieve(WHO)
    with caplog.at_level(logging.WARNING):
        DatedNodes(as_of="2018").postprocess_nodes(nodes)
        assert not caplog.records
        DatedNodes(as_of="2024").postprocess_nodes(nodes)
    assert [one.getMessage() for one in caplog.records] == [
        "Nodes that were asked for as of 2018-12-31 are read as of 2024-12-31; give as_of once, to the retriever."
    ]


@pytest.mark.parametrize("said", ["soon", 7, None, ["2018"], "2018-12-31", "2999-01-01T00:00:00+00:00"])
def test_metadata_that_tell_no_asking_day_are_not_followed(said: object) -> None:
    node = TextNode(text="Ana leads.", metadata={"date": "2015-01-01", "dateline_asked": said})
    (dated,) = DatedNodes(clock=lambda: NOW).postprocess_nodes([NodeWithScore(node=node)])
    assert dated.node.metadata["dated"] == "Jan 1, 2015 (3439 days before Jun 1, 2024)"


def test_what_finds_nothing_is_refused() -> None:
    for made in (TemporalRetriever, EvidenceRetriever):
        with pytest.raises(BadInput, match="str finds nothing; pass a"):
            made("hello")  # type: ignore[arg-type]
