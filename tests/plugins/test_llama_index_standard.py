"""What LlamaIndex expects of every component: both ways to run, schemas, metadata modes, forms to keep and to send."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.callbacks import CallbackManager, LlamaDebugHandler
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine, RouterQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever, QueryFusionRetriever
from llama_index.core.schema import (
    ImageNode,
    MetadataMode,
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.selectors import LLMSingleSelector
from llama_index.core.tools import QueryEngineTool, RetrieverTool

from dateline import BadInput, Certainty, Evidence, Interval, Question, Reading, SearchFailed
from dateline.facts import ExactIndex, Fact, FactStore, MemoryLedger
from dateline.facts.operation import AddFact
from dateline.reading import ExtractiveReader
from dateline.search import FolderSearch
from dateline.search import evidence_of as read_back
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from llama_index.embeddings.dateline import LocalEmbedding
from llama_index.memory.dateline import FactMemoryBlock
from llama_index.node_parser.dateline import DateStamper
from llama_index.postprocessor.dateline import DatedNodes, TemporalReranker
from llama_index.query_engine.dateline import AnswerQueryEngine, CertaintyQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import EvidenceRetriever, FactStoreRetriever, TemporalRetriever
from llama_index.workflow.dateline import AnswerWorkflow

NOW = datetime(2024, 5, 1, tzinfo=UTC)
QUESTION = "Which bridge crosses the Senn?"
LEXICAL = LexicalEmbeddings()
PIECES = [
    Evidence.make(f"Bridge number {number} crosses the Senn.", published=Interval.of_year(2001 + number), title="Senn")
    for number in range(6)
]


def plain() -> list[TextNode]:
    """Nodes with everything that people give them."""
    return [
        TextNode(
            text=piece.text,
            id_=f"node-{number}",
            metadata={"published": str(piece.published), "title": "Senn", "author": "Ada", "secret": "42"},
            excluded_llm_metadata_keys=["secret"],
            excluded_embed_metadata_keys=["author", "secret"],
            relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id="book")},
        )
        for number, piece in enumerate(PIECES)
    ]


def found() -> list[NodeWithScore]:
    return [NodeWithScore(node=node, score=0.5) for node in plain()]


def reranker() -> TemporalReranker:
    return TemporalReranker(as_of=NOW, embeddings=LEXICAL)


def index() -> VectorStoreIndex:
    return VectorStoreIndex(plain(), embed_model=LocalEmbedding(LEXICAL))


def facts() -> FactStore:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LEXICAL)
    for piece in PIECES:
        added = AddFact(document=piece.id, when=piece.published, known_at=NOW, fact=Fact.make(piece.text))
        store.apply(piece.id, [added])
    return store


class Everything(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.bundle = query_bundle
        return found()


# -- retrievers -------------------------------------------------------------------------------

RETRIEVERS: dict[str, Callable[[], Any]] = {
    "evidence": lambda: EvidenceRetriever(FolderSearch(PIECES, embeddings=LEXICAL), as_of=NOW, k=2),
    "temporal": lambda: TemporalRetriever(Everything(), reranker=reranker(), k=2),
    "temporal over an index": lambda: TemporalRetriever(index(), reranker=reranker(), k=2),
    "facts": lambda: FactStoreRetriever(facts(), k=2),
}
each_retriever = pytest.mark.parametrize("name", RETRIEVERS)


def texts(nodes: list[NodeWithScore]) -> list[str]:
    return [node.node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes]


@each_retriever
async def test_retrievers_bring_the_same_sync_async_and_for_a_bundle(name: str) -> None:
    retriever = RETRIEVERS[name]()
    once = retriever.retrieve(QUESTION)
    assert len(once) == 2
    assert all(isinstance(node, NodeWithScore) and node.score is not None for node in once)
    assert texts(await retriever.aretrieve(QUESTION)) == texts(once) == texts(retriever.retrieve(QueryBundle(QUESTION)))


@each_retriever
def test_the_moment_and_the_number_can_be_set_for_another_call(name: str) -> None:
    retriever = RETRIEVERS[name]()
    before = texts(retriever.retrieve(QUESTION))
    assert len(retriever.at("2004", k=4).retrieve(QUESTION)) == 4
    assert ["number 0" in text for text in texts(retriever.at("2001", k=1).retrieve(QUESTION))] == [True]
    assert texts(retriever.retrieve(QUESTION)) == before
    with pytest.raises(BadInput):
        retriever.at("soon")
    with pytest.raises(BadInput, match="at least 1"):
        retriever.at(k=0)
    early = retriever.at("2001")
    assert texts(early.at(k=3).retrieve(QUESTION)) == texts(early.retrieve(QUESTION))


@each_retriever
def test_retrievers_fit_into_engines_tools_and_fusion(name: str) -> None:
    retriever = RETRIEVERS[name]()
    engine = RetrieverQueryEngine(retriever, response_synthesizer=get_response_synthesizer(llm=MockLLM()))
    assert "crosses the Senn" in str(engine.query(QUESTION))
    assert "crosses the Senn" in str(RetrieverTool.from_defaults(retriever, description="bridges").call(QUESTION))
    fusion = QueryFusionRetriever([retriever], llm=MockLLM(), num_queries=1, use_async=False)
    assert texts(fusion.retrieve(QUESTION))


@each_retriever
def test_older_callbacks_hear_of_retrievals(name: str) -> None:
    heard = LlamaDebugHandler(print_trace_on_end=False)
    retriever = RETRIEVERS[name]()
    retriever.callback_manager = CallbackManager([heard])
    retriever.retrieve(QUESTION)
    assert len(heard.get_event_pairs()) == 1


def test_an_inner_retriever_gets_the_bundle_that_was_given_unless_the_date_goes() -> None:
    inner = Everything()
    retriever = TemporalRetriever(inner, reranker=reranker())
    bundle = QueryBundle(QUESTION, embedding=[1.0], custom_embedding_strs=["bridge"])
    retriever.retrieve(bundle)
    assert inner.bundle is bundle
    retriever.retrieve(QueryBundle(f"{QUESTION[:-1]} in 2004?", embedding=[1.0], image_path="senn.png"))
    assert (inner.bundle.query_str, inner.bundle.embedding, inner.bundle.image_path) == (QUESTION, None, "senn.png")


def test_evidence_comes_oldest_first_or_best_first_and_can_be_read_back() -> None:
    shuffled = [PIECES[number].model_copy(update={"source": "Gazette"}) for number in (3, 0, 5)]
    by_time = EvidenceRetriever(FixedSearch(shuffled), as_of=NOW).retrieve(QUESTION)
    assert [node.metadata["position"] for node in by_time] == [1, 0, 2]
    best_first = EvidenceRetriever(FixedSearch(shuffled), as_of=NOW, order="search").retrieve(QUESTION)
    assert [node.score for node in best_first] == [1, 1 / 2, 1 / 3]
    assert [(read_back(node).published, read_back(node).source) for node in best_first] == [
        (piece.published, "Gazette") for piece in shuffled
    ]
    shown = best_first[0].node.get_content(metadata_mode=MetadataMode.LLM)
    assert "2004" in shown
    assert "position" not in shown
    with pytest.raises(SearchFailed):
        EvidenceRetriever(FixedSearch(error=SearchFailed("down")), as_of=NOW).retrieve(QUESTION)


# -- postprocessors ---------------------------------------------------------------------------

POSTPROCESSORS: dict[str, Callable[[], BaseNodePostprocessor]] = {
    "reranker": lambda: TemporalReranker(as_of=NOW, embeddings=LEXICAL),
    "dated": lambda: DatedNodes(as_of=NOW),
}
each_postprocessor = pytest.mark.parametrize("name", POSTPROCESSORS)


@each_postprocessor
async def test_postprocessors_do_the_same_sync_and_async_and_write_into_nothing(name: str) -> None:
    postprocessor, nodes = POSTPROCESSORS[name](), found()
    once = postprocessor.postprocess_nodes(nodes, query_str=QUESTION)
    again = await postprocessor.apostprocess_nodes(nodes, query_bundle=QueryBundle(QUESTION))
    assert [node.model_dump() for node in again] == [node.model_dump() for node in once]
    assert [node.model_dump() for node in nodes] == [node.model_dump() for node in found()]
    once[0].node.metadata["author"] = "changed"
    once[0].node.excluded_llm_metadata_keys.append("title")
    once[0].node.relationships.clear()
    assert [node.model_dump() for node in nodes] == [node.model_dump() for node in found()]


@each_postprocessor
def test_what_a_node_hides_from_models_and_encoders_stays_hidden(name: str) -> None:
    (node, *_) = POSTPROCESSORS[name]().postprocess_nodes(found(), query_str=QUESTION)
    for mode, hidden in ((MetadataMode.LLM, {"secret"}), (MetadataMode.EMBED, {"secret", "author"})):
        before = next(each for each in plain() if each.node_id == node.node.node_id).get_content(metadata_mode=mode)
        after = node.node.get_content(metadata_mode=mode)
        assert not any(f"{key}:" in after for key in hidden)
        if mode == MetadataMode.EMBED:
            assert after == before
    assert NodeRelationship.SOURCE in node.node.relationships


@pytest.mark.parametrize("component", [TemporalReranker, DatedNodes, DateStamper, FactMemoryBlock])
def test_a_setting_that_is_none_is_refused(component: Any) -> None:
    with pytest.raises(BadInput, match="has no 'keep'"):
        component(keep=3)


@each_postprocessor
def test_postprocessors_can_be_kept_as_json_and_sent_elsewhere(name: str) -> None:
    postprocessor = POSTPROCESSORS[name]()
    kept = json.loads(postprocessor.to_json())
    assert kept["class_name"] == type(postprocessor).class_name()
    assert "embeddings" not in kept
    again = type(postprocessor).from_dict({**kept, **({"embeddings": LEXICAL} if name == "reranker" else {})})
    sent = pickle.loads(pickle.dumps(postprocessor))  # noqa: S301  our own bytes
    once = [node.node_id for node in postprocessor.postprocess_nodes(found(), query_str=QUESTION)]
    for other in (again, sent):
        assert [node.node_id for node in other.postprocess_nodes(found(), query_str=QUESTION)] == once


def test_postprocessing_twice_repeats_no_key() -> None:
    nodes = found()
    for _ in range(2):
        nodes = DatedNodes(as_of=NOW).postprocess_nodes(reranker().postprocess_nodes(nodes, query_str=QUESTION))
    excluded = nodes[0].node.excluded_embed_metadata_keys
    assert len(excluded) == len(set(excluded))


def test_dated_nodes_come_oldest_first_with_their_age_and_nothing_of_later() -> None:
    undated = NodeWithScore(node=TextNode(text="Nobody knows when.", metadata={}), score=0.9)
    day = NodeWithScore(node=TextNode(text="A day.", metadata={"date": "2004-03-01"}), score=0.1)
    dated = DatedNodes(as_of="2004-03-05").postprocess_nodes([*reversed(found()), day, undated])
    assert [node.metadata["dated"] for node in dated] == [
        "unknown",
        "2001",
        "2002",
        "2003",
        "Mar 1, 2004 (4 days before Mar 5, 2004)",
        "2004",
    ]
    assert "dated: Mar 1, 2004" in dated[4].node.get_content(metadata_mode=MetadataMode.LLM)
    assert dated[4].score == 0.1


def test_titles_that_a_node_keeps_from_encoders_are_not_ranked_by() -> None:
    def scores(excluded: list[str]) -> list[float | None]:
        node = TextNode(
            text="It was built well.", metadata={"title": "Senn bridge"}, excluded_embed_metadata_keys=excluded
        )
        return [one.score for one in reranker().postprocess_nodes([NodeWithScore(node=node)], query_str=QUESTION)]

    untitled = TextNode(text="It was built well.")
    bare = [one.score for one in reranker().postprocess_nodes([NodeWithScore(node=untitled)], query_str=QUESTION)]
    assert scores(["title"]) == bare
    assert scores([]) != bare


def test_nodes_of_other_kinds_pass_through_whole() -> None:
    image = ImageNode(
        text="A photo of the Senn bridge.", image_url="https://example.org/senn.png", metadata={"date": "2003"}
    )
    for postprocessor in (reranker(), DatedNodes(as_of=NOW)):
        (node,) = postprocessor.postprocess_nodes([NodeWithScore(node=image, score=0.5)], query_str=QUESTION)
        assert isinstance(node.node, ImageNode)
        assert node.node.image_url == image.image_url


# -- transformation, engines ------------------------------------------------------------------


def test_stamped_nodes_go_through_a_cached_pipeline_and_to_another_process() -> None:
    stamper = DateStamper()
    pipeline = IngestionPipeline(transformations=[stamper])
    first = pipeline.run(nodes=plain())
    again = pipeline.run(nodes=plain())
    assert [node.metadata for node in first] == [node.metadata for node in again]
    sent = pickle.loads(pickle.dumps(stamper))  # noqa: S301  our own bytes
    assert [node.metadata for node in sent(plain())] == [node.metadata for node in first]
    assert stamper.class_name() != ""


async def test_stamping_awaited_is_the_same() -> None:
    awaited = await DateStamper().acall(plain())
    assert [node.model_dump() for node in awaited] == [node.model_dump() for node in DateStamper()(plain())]


def test_an_estimator_sees_no_title_that_a_node_keeps_from_models() -> None:
    seen: list[str] = []

    class Looking:
        def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
            seen.extend(piece.title for piece in evidence)
            return Certainty(reliable=1.0, misleading=0.0, uncertain=0.0)

        async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
            return self.estimate(question, evidence=evidence, reading=reading)

    for node in (nodes := found()):
        node.node.excluded_llm_metadata_keys.append("title")

    class Hiding(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return nodes

    reader, looking = ExtractiveReader(), Looking()
    CertaintyQueryEngine(
        Hiding(),
        response_synthesizer=ReaderSynthesizer(reader, as_of=NOW),
        estimator=looking,
        embeddings=LocalEmbedding(LEXICAL),
        as_of=NOW,
    ).query(QUESTION)
    job = AnswerWorkflow(Hiding(), reader=reader, estimator=looking, embeddings=LEXICAL)
    AnswerQueryEngine(job, as_of=NOW).query(QUESTION)
    assert seen
    assert set(seen) == {""}


ENGINES: dict[str, Callable[[], BaseQueryEngine]] = {
    "reader": lambda: RetrieverQueryEngine(
        Everything(), response_synthesizer=ReaderSynthesizer(ExtractiveReader(), as_of=NOW)
    ),
    "certainty": lambda: CertaintyQueryEngine(
        Everything(),
        response_synthesizer=ReaderSynthesizer(ExtractiveReader(), as_of=NOW),
        embeddings=LEXICAL,
        as_of=NOW,
    ),
    "answer": lambda: AnswerQueryEngine(
        AnswerWorkflow(Everything(), reader=ExtractiveReader(), embeddings=LEXICAL), as_of=NOW
    ),
}


@pytest.mark.parametrize("name", ENGINES)
async def test_engines_answer_sync_async_as_a_tool_and_behind_a_router(name: str) -> None:
    engine = ENGINES[name]()
    once = engine.query(QUESTION)
    again = await engine.aquery(QueryBundle(QUESTION))
    assert str(once) == str(again) != ""
    assert {node.node.node_id for node in once.source_nodes} <= {node.node_id for node in plain()}
    assert engine.get_prompts() is not None
    tool = QueryEngineTool.from_defaults(engine, name="bridges", description="Knows the bridges.")
    assert str(tool.call(input=QUESTION).content) == str(once)

    class First(MockLLM):
        def complete(self, *args: Any, **kwargs: Any) -> Any:
            from llama_index.core.base.llms.types import CompletionResponse

            return CompletionResponse(text='[{"choice": 1, "reason": "bridges"}]')

    router = RouterQueryEngine(
        selector=LLMSingleSelector.from_defaults(llm=First()), query_engine_tools=[tool], llm=First()
    )
    assert str(router.query(QUESTION)) == str(once)
