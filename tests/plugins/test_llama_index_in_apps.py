"""dateline's parts for LlamaIndex in apps that grow, that wrap, and that pass the wrong thing."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core import VectorStoreIndex
from llama_index.core.indices.query.query_transform import HyDEQueryTransform
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.llms import (
    ChatMessage,
    CompletionResponse,
    CompletionResponseGen,
    CustomLLM,
    LLMMetadata,
    MockLLM,
)
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import TransformQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import (
    BaseNode,
    Document,
    ImageNode,
    IndexNode,
    MediaResource,
    MetadataMode,
    Node,
    NodeWithScore,
    QueryBundle,
    TextNode,
)
from llama_index.core.workflow import Context, JsonSerializer

from dateline import BadInput
from dateline.reading import ExtractiveReader
from dateline.search import RetrieverSearch
from dateline.search.sources import is_store
from dateline.temporal import asked_at
from dateline.testing import ReadingEstimator
from dateline.text.lexical import LexicalEmbeddings
from llama_index.callbacks.dateline import CostEventHandler
from llama_index.callbacks.dateline.spans import MOST_STREAMS
from llama_index.embeddings.dateline import LocalEmbedding
from llama_index.node_parser.dateline import DateStamper
from llama_index.postprocessor.dateline import AuditedNodes, DatedNodes, TemporalReranker
from llama_index.query_engine.dateline import AnswerQueryEngine, CertaintyQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import TemporalRetriever
from llama_index.workflow.dateline import AnswerWorkflow
from llama_index.workflow.dateline.packing import packed, unpacked

LEXICAL = LexicalEmbeddings()
NOW = datetime(2024, 6, 1, tzinfo=UTC)
ASKED = "Who is the director of Acme?"


def yearly(first: int = 1964) -> list[TextNode]:
    """A director for each year up to 2063, all told in the same words."""
    return [
        TextNode(text=f"The director of Acme is Person{year}.", id_=str(year), metadata={"date": f"{year}-02-03"})
        for year in range(first, 2064)
    ]


def index_of(nodes: Sequence[BaseNode], kind: type[VectorStoreIndex] = VectorStoreIndex) -> Any:
    return kind(nodes, embed_model=LocalEmbedding(LEXICAL))


def workflow(source: Any) -> AnswerWorkflow:
    return AnswerWorkflow(
        source, reader=ExtractiveReader(), embeddings=LEXICAL, estimator=ReadingEstimator(), clock=lambda: NOW
    )


@pytest.mark.parametrize("stamped", [True, False])
@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(("asked", "as_of", "name"), [
    (ASKED, "2011-06", "Person2011"),
    (ASKED, "1970-06", "Person1970"),
    ("Who was the director of Acme in 1980?", "2011-06", "Person1980"),
])  # fmt: skip
async def test_a_workflow_answers_from_an_index_that_holds_more_than_it_reads(
    stamped: bool, plain: bool, asked: str, as_of: str, name: str
) -> None:
    index = index_of(DateStamper(prepare=False)(yearly()) if stamped else yearly())
    response: Any = await workflow(index.as_retriever() if plain else index).run(question=asked, as_of=as_of)
    assert name in str(response)
    assert max(each.node.metadata["date"] for each in response.source_nodes) <= f"{as_of}-31"


async def test_a_workflow_asks_a_retriever_that_understands_dates_about_the_time_in_question() -> None:
    retriever = TemporalRetriever(index_of(yearly()), reranker=TemporalReranker(embeddings=LEXICAL), k=5)
    response = await workflow(retriever).run(question="Who was the director of Acme in 1980?", as_of="2011")
    assert "Person1980" in str(response)


class Later(BaseRetriever):
    """Brings the newest alone."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=each) for each in yearly(first=2040)]


async def test_a_workflow_tells_that_all_its_retriever_brought_was_published_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        await workflow(Later()).run(question=ASKED, as_of="1994-03")
    assert "All that Later brought for a question as of 1994-03-31 was published later" in caplog.text


class OwnRetriever(BaseRetriever):
    """An app's own way to an index's nodes."""

    def __init__(self, index: VectorStoreIndex, k: int) -> None:
        super().__init__()
        self._inner = VectorStoreIndex.as_retriever(index, similarity_top_k=k)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._inner.retrieve(query_bundle)


class OwnIndex(VectorStoreIndex):
    """A vector index with a retriever of its own, as the multi-modal one has."""

    def as_retriever(self, **kwargs: Any) -> BaseRetriever:
        return OwnRetriever(self, kwargs.get("similarity_top_k", 2))


class SameIndex(VectorStoreIndex):
    """A vector index that changes how its usual retriever is made."""

    def as_retriever(self, **kwargs: Any) -> BaseRetriever:
        return super().as_retriever(**kwargs)


@pytest.mark.parametrize(("kind", "by_date"), [(OwnIndex, False), (SameIndex, True)])
async def test_an_index_is_asked_as_its_own_retriever_can_be(kind: type[VectorStoreIndex], by_date: bool) -> None:
    index = index_of(yearly(), kind)
    assert is_store(index) is by_date
    retriever = TemporalRetriever(
        index, k=1, as_of="2011-06", candidates=30 if by_date else 100, reranker=TemporalReranker(embeddings=LEXICAL)
    )
    assert [each.node.node_id for each in retriever.retrieve(ASKED)] == ["2011"]
    assert [each.node.node_id for each in await retriever.aretrieve(ASKED)] == ["2011"]
    found = RetrieverSearch(index, embeddings=LEXICAL, candidates=100).search(ASKED, as_of=NOW, k=100).evidence
    assert "Person2024" in "".join(each.text for each in found)


def issued(*names: str) -> list[NodeWithScore]:
    return [
        NodeWithScore(
            node=TextNode(text=f"{name} leads Acme.", id_=name, metadata={"issued": f"{year}-03-02"}), score=0.5
        )
        for name, year in zip(names, (2015, 2021, 2023), strict=True)
    ]


@pytest.mark.parametrize(
    "part",
    [DatedNodes(date_field="issued"), AuditedNodes(date_field="issued"),
     TemporalReranker(date_field="issued", embeddings=LEXICAL)],
)  # fmt: skip
def test_the_date_that_a_postprocessor_read_is_read_by_those_behind_it(part: Any) -> None:
    given = issued("Ana", "Ben", "Eve")
    with asked_at("2022-06"):
        left = part.postprocess_nodes(given, query_str=ASKED)
        assert {each.node.node_id for each in left} == {"Ana", "Ben"}
        dates = {each.node.node_id: each.node.metadata["dateline_date"] for each in left}
        assert dates == {"Ana": "2015-03-02", "Ben": "2021-03-02"}
        assert "Ben" in str(ReaderSynthesizer(reader=ExtractiveReader()).synthesize("Who leads Acme?", left))
    assert all("dateline_date" not in each.node.get_content(MetadataMode.LLM) for each in left)
    assert all("dateline" not in each.node.get_content(MetadataMode.EMBED) for each in left)
    assert all(set(each.node.metadata) == {"issued"} for each in given)


class Recorder(LexicalEmbeddings):
    """Embeddings that keep what they are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = list[str]()

    def embed_query(self, text: str) -> list[float]:
        self.asked.append(text)
        return super().embed_query(text)


@pytest.mark.parametrize("plain", [True, False])
def test_what_an_app_has_embedded_in_place_of_a_question_stays_where_it_names_a_date(plain: bool) -> None:
    recorder, asked = Recorder(), "Who was the director of Acme in 1980?"
    index = VectorStoreIndex(yearly(), embed_model=LocalEmbedding(recorder))
    source = index.as_retriever(vector_store_query_mode="mmr") if plain else index
    retriever = TemporalRetriever(source, reranker=TemporalReranker(embeddings=LEXICAL), as_of="2011")
    bundle = QueryBundle(asked, custom_embedding_strs=["In that year Acme was led by a baker.", asked])
    retriever.retrieve(bundle)
    assert recorder.asked == ["In that year Acme was led by a baker.", "Who was the director of Acme?"]
    assert bundle.custom_embedding_strs == ["In that year Acme was led by a baker.", asked]


async def test_stamping_in_an_async_pipeline_leaves_the_event_loop_to_others() -> None:
    threads = set[int]()

    class Watched(TextNode):
        def get_content(self, metadata_mode: MetadataMode = MetadataMode.NONE) -> str:
            threads.add(threading.get_ident())
            return super().get_content(metadata_mode)

    given = [Watched(**each.model_dump(exclude={"class_name"})) for each in yearly(first=2060)]
    found = await IngestionPipeline(transformations=[DateStamper(prepare=False)], disable_cache=True).arun(nodes=given)
    assert [each.metadata["dateline_date"] for each in found] == [f"{year}-02-03" for year in range(2060, 2064)]
    assert threads
    assert threading.get_ident() not in threads


INDEX = index_of(yearly(first=2060))
ENGINE = INDEX.as_query_engine(llm=MockLLM())
SYNTHESIZER = ReaderSynthesizer(reader=ExtractiveReader())
WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "an engine around an engine": (
        lambda: CertaintyQueryEngine.from_engine(TransformQueryEngine(ENGINE, HyDEQueryTransform(llm=MockLLM()))),  # type: ignore[arg-type]
        "index.as_query_engine.*, or the engine inside, not a TransformQueryEngine",
    ),
    "an engine that gates itself": (
        lambda: CertaintyQueryEngine.from_engine(AnswerQueryEngine(workflow(INDEX))),  # type: ignore[arg-type]
        "not an AnswerQueryEngine",
    ),
    "an index for an engine": (lambda: CertaintyQueryEngine.from_engine(INDEX), "engine must be .*VectorStoreIndex"),
    "no engine": (lambda: CertaintyQueryEngine.from_engine(None), "engine must be .* not None"),  # type: ignore[arg-type]
    "no retriever": (lambda: CertaintyQueryEngine(None, response_synthesizer=SYNTHESIZER), "retriever must be .*None"),  # type: ignore[arg-type]
    "an llm for a synthesizer": (
        lambda: CertaintyQueryEngine(INDEX, response_synthesizer=MockLLM()),  # type: ignore[arg-type]
        "response_synthesizer must be .*MockLLM",
    ),
    "the gate's estimator": (
        lambda: CertaintyQueryEngine(INDEX, response_synthesizer=SYNTHESIZER, estimator="margin"),  # type: ignore[arg-type]
        "estimator must be .*'margin'",
    ),
    "the workflow's estimator": (lambda: AnswerWorkflow(INDEX, estimator="margin"), "estimator must be .*'margin'"),  # type: ignore[arg-type]
    "the name of a model": (lambda: ReaderSynthesizer(llm="openai"), "llm must be .* not 'openai'"),  # type: ignore[arg-type]
    "a synthesizer for a reader": (lambda: ReaderSynthesizer(reader=SYNTHESIZER), "reader must be .*ReaderSynthesizer"),  # type: ignore[arg-type]
    "the workflow's reader": (lambda: AnswerWorkflow(INDEX, reader=SYNTHESIZER), "reader must be .*ReaderSynthesizer"),  # type: ignore[arg-type]
    "another postprocessor": (lambda: TemporalRetriever(INDEX, reranker=DatedNodes()), "reranker must be .*DatedNodes"),  # type: ignore[arg-type]
    "texts for nodes": (lambda: DateStamper()(["x"]), "Each node must be .* not 'x'"),  # type: ignore[list-item]
    "nodes without scores": (
        lambda: DatedNodes().postprocess_nodes(yearly(first=2060)),  # type: ignore[arg-type]
        "Each node must be a NodeWithScore",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_part_of_the_wrong_kind_is_refused_in_one_sentence_when_it_is_given(name: str) -> None:
    given, told = WRONG[name]
    with pytest.raises(BadInput, match=told):
        given()


def test_an_index_may_stand_for_its_retriever_in_the_gate() -> None:
    engine = CertaintyQueryEngine(
        index_of(yearly()), response_synthesizer=SYNTHESIZER, estimator=ReadingEstimator(), as_of="1980-06"
    )
    assert "Person1980" in str(engine.query(ASKED))


def test_nodes_that_come_one_by_one_are_taken_as_a_list_is() -> None:
    given = yearly()[:4]
    stamped = DateStamper(prepare=False)(given)
    assert [each.metadata for each in DateStamper(prepare=False)(iter(given))] == [each.metadata for each in stamped]
    for part in (DatedNodes(), TemporalReranker(embeddings=LEXICAL), AuditedNodes()):
        scored = [NodeWithScore(node=each, score=0.5) for each in given]
        with asked_at("1966-06"):
            wanted = part.postprocess_nodes(scored, query_str=ASKED)
            assert [each.node.node_id for each in wanted]
            assert part.postprocess_nodes(iter(scored), query_str=ASKED) == wanted  # type: ignore[arg-type]


class Minute(TextNode):
    """A node of an app's own."""

    meeting: str = ""
    held: date | None = None


def minutes() -> NodeWithScore:
    fields: dict[str, Any] = {
        "date": date(2019, 2, 3),
        "seen": datetime(2020, 1, 1, tzinfo=UTC),
        "tags": {"board", "acme"},
        "place": (55.7, 13.2),
        "thumb": b"\xff\x00",
        "owner": uuid.UUID(int=7),
        "own": {"dateline_kind": "date", "value": "no date"},
    }
    node = Minute(text="Ana Bell is the director of Acme.", meeting="board", held=date(2019, 2, 3))
    node.metadata = fields
    return NodeWithScore(node=node, score=0.5)


class Meetings(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [minutes()]


async def test_a_run_over_nodes_of_an_apps_own_is_json_at_every_step_and_loses_nothing_of_them() -> None:
    job = workflow(Meetings())
    handler = job.run(question=ASKED)
    response: Any = await handler
    assert str(response) == "Ana Bell"
    (source,) = response.source_nodes
    assert isinstance(source.node, Minute)
    assert (source.node.meeting, source.node.held) == ("board", date(2019, 2, 3))
    given = minutes().node.metadata
    assert {name: source.node.metadata[name] for name in given} == {**given, "owner": str(given["owner"])}
    assert handler.ctx is not None
    kept = json.loads(json.dumps(handler.ctx.to_dict(serializer=JsonSerializer())))
    again = Context.from_dict(job, kept, serializer=JsonSerializer())
    (read,) = unpacked(await again.store.get("nodes"))
    assert isinstance(read.node, Minute)


def test_a_stored_node_imports_nothing_and_is_of_the_nearest_class_that_is_loaded() -> None:
    (stored,) = json.loads(json.dumps(packed([minutes()])))
    elsewhere = {**stored, "classes": ["antigravity.Minute", *stored["classes"][1:]]}
    (read,) = unpacked([elsewhere])
    assert type(read.node) is TextNode
    assert read.node.get_content() == "Ana Bell is the director of Acme."
    assert read.node.metadata["date"] == date(2019, 2, 3)
    assert "antigravity" not in sys.modules
    with pytest.raises(BadInput, match="import that class first"):
        unpacked([{**stored, "classes": ["antigravity.Minute"]}])


@pytest.mark.parametrize("node", [TextNode(text="a"), Document(text="a", metadata={"date": date(2019, 2, 3)}),
    IndexNode(text="a", index_id="b"), ImageNode(text="a", image="aGk="), Node(text_resource=MediaResource(text="a"))])  # fmt: skip
def test_every_class_of_llama_index_comes_back_as_it_was(node: BaseNode) -> None:
    (read,) = unpacked(json.loads(json.dumps(packed([NodeWithScore(node=node, score=None)]))))
    assert type(read.node) is type(node)
    assert read.node.model_dump() == node.model_dump()


class Spelling(CustomLLM):
    """A model of an app's own, as LlamaIndex's documentation has it made."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text="abc")

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        return (CompletionResponse(text=letter, delta=letter) for letter in "abc")


CALLS = ["complete", "chat", "stream_complete", "stream_chat"]


async def asked_once(llm: Any, name: str, given: Any) -> None:
    made = getattr(llm, name)(given)
    if name.startswith("a"):
        made = await made
        if "stream" in name:
            assert [piece async for piece in made]
    elif "stream" in name:
        assert list(made)


@pytest.mark.parametrize("name", [*CALLS, *(f"a{name}" for name in CALLS)])
@pytest.mark.parametrize("llm", [Spelling(), MockLLM(max_tokens=3)], ids=["own", "mock"])
async def test_a_call_of_a_model_is_one_call_however_it_is_made(name: str, llm: Any) -> None:
    given: Any = [ChatMessage(content="Who?")] if "chat" in name else "Who?"
    with CostEventHandler() as cost:
        for _ in range(3):
            await asked_once(llm, name, given)
        assert (cost.total.model_calls, len(cost.answers)) == (3, 3)
        await asked_once(llm, name.removeprefix("a"), given)
        await asyncio.gather(*(asked_once(llm, name, given) for _ in range(4)))
    assert cost.total.model_calls == 8


async def test_streams_that_nobody_takes_are_forgotten() -> None:
    llm, prompts = Spelling(), [f"Who is {number}?" for number in range(MOST_STREAMS + 50)]
    with CostEventHandler() as cost:
        left = [await llm.astream_complete(each) for each in prompts]
        assert len(cost._tree._streams) == MOST_STREAMS
    assert cost.total.model_calls == len(prompts) == len(left)
