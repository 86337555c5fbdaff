"""Spans of OpenTelemetry: what they tell of dated answers, and what they never do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

pytest.importorskip("opentelemetry.sdk")

from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableLambda
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from dateline import Evidence, Interval
from dateline.temporal import asked_at
from dateline.testing import FixedSearch, ReadingEstimator
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import AnswerOptions, answer_graph, ask_as_of
from dateline_graphs.components import Components, default_components
from langchain_dateline import EvidenceRetriever, TemporalReranker, instrument
from langchain_dateline.testing import ScriptedChatModel, calls_tool

ASKED = "Who is the director of Acme?"
KEY = "sk-live-1234567890abcdefghij"
PIECES = [
    Evidence.make("Anna Berg is the director of Acme.", title="Berg", published=Interval.of_day(2015, 3, 2)),
    Evidence.make("Carl Dahl is the director of Acme.", title="Dahl", published=Interval.of_day(2021, 9, 14)),
]


class Traced:
    """A provider of the test's own, and the spans that ended."""

    def __init__(self) -> None:
        self.exporter, self.provider = InMemorySpanExporter(), TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        return self.exporter.get_finished_spans()

    def named(self, name: str) -> ReadableSpan:
        (found,) = (span for span in self.spans if span.name == name)
        return found

    def of(self, kind: str) -> list[ReadableSpan]:
        return [span for span in self.spans if about(span)["openinference.span.kind"] == kind]


def about(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


@pytest.fixture
def traced() -> Traced:
    return Traced()


@pytest.fixture
def instrumented(traced: Traced) -> Iterator[Traced]:
    with instrument(tracer_provider=traced.provider, clock=lambda: datetime(2024, 6, 1, tzinfo=UTC)):
        yield traced


def parts() -> Components:
    options = AnswerOptions(reader="rules")
    made = default_components(search=FixedSearch(PIECES), options=options, embeddings=LexicalEmbeddings())
    return replace(made, clock=lambda: datetime(2024, 6, 1, tzinfo=UTC))


def test_a_retriever_tells_its_documents_and_how_fresh_they_are(instrumented: Traced) -> None:
    EvidenceRetriever(search=FixedSearch(PIECES)).invoke(ASKED)
    (span,) = instrumented.of("RETRIEVER")
    told = about(span)
    assert told["input.value"] == ASKED
    assert told["retrieval.documents.0.document.content"] == PIECES[0].text
    assert told["retrieval.documents.1.document.id"] == PIECES[1].id
    assert json.loads(told["retrieval.documents.1.document.metadata"])["published"] == "2021-09-14"
    assert (told["dateline.freshness.newest"], told["dateline.freshness.newest_age_days"]) == ("2021-09-14", 991)


@pytest.mark.parametrize("how", ["invoke", "stream", "astream"])
async def test_a_streamed_chain_tells_its_question_and_its_day_as_one_that_is_called(
    instrumented: Traced, how: str
) -> None:
    steps: Runnable[Any, Any] = RunnableLambda(lambda given: given) | RunnableLambda(
        lambda given: {"answer": "Ben Hall"}
    )
    chain = steps.with_config(run_name="chain")
    given: Any = {"question": ASKED, "as_of": "2020"}
    if how == "invoke":
        chain.invoke(given)
    elif how == "stream":
        list(chain.stream(given))
    else:
        assert [piece async for piece in chain.astream(given)]
    told = about(instrumented.named("chain"))
    assert (told["input.value"], told["dateline.as_of"], told["output.value"]) == (ASKED, "2020", "Ben Hall")


def test_scores_of_documents_are_told_where_they_are_known(instrumented: Traced) -> None:
    ranked = TemporalReranker(embeddings=LexicalEmbeddings()).compress_documents(
        [Document(piece.text, metadata={"published": str(piece.published)}) for piece in PIECES], ASKED
    )
    from langchain_core.retrievers import BaseRetriever

    class Ranked(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            return list(ranked)

    Ranked().invoke(ASKED)
    (span,) = instrumented.of("RETRIEVER")
    assert about(span)["retrieval.documents.0.document.score"] == ranked[0].metadata["dateline_score"]


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_an_answer_tells_its_asking_date_freshness_certainty_and_decision(
    instrumented: Traced, asynchronous: bool
) -> None:
    graph = answer_graph(parts()).compile(name="answer graph")
    given: Any = {"question": ASKED, "as_of": "2018"}
    report = (await graph.ainvoke(given) if asynchronous else graph.invoke(given))["report"]
    span = instrumented.named("answer graph")
    told = about(span)
    assert told["dateline.as_of"] == report["asked"]["as_of"]
    assert told["dateline.freshness.newest"] == "2015-03-02"
    assert told["dateline.certainty.reliable"] == report["certainty"]["reliable"]
    assert told["dateline.certainty.label"] == report["label"]
    assert told["dateline.decision.outcome"] == report["decision"]["outcome"]
    assert (told["input.value"], told["output.value"]) == (ASKED, report["headline"])
    nodes = [each for each in instrumented.spans if each is not span]
    assert {"decompose", "search", "answer", "gate", "finish"} <= {each.name for each in nodes}
    assert {each.parent.span_id for each in nodes if each.parent} == {span.context.span_id}
    assert {each.context.trace_id for each in nodes} == {span.context.trace_id}
    (search,), (ranking,) = instrumented.of("RETRIEVER"), instrumented.of("RERANKER")
    assert about(search)["retrieval.documents.0.document.id"] == PIECES[0].id
    assert about(ranking)["reranker.output_documents.0.document.content"] == PIECES[0].text
    assert about(ranking)["reranker.output_documents.0.document.score"] > 0
    assert instrumented.named("gate").attributes["graph.node.name"] == "gate"  # type: ignore[index]


async def test_an_agent_is_one_trace_of_models_tools_and_graph(instrumented: Traced) -> None:
    replies = [calls_tool("ask_as_of", question=ASKED, as_of="2018"), "Anna Berg."]
    agent = create_agent(ScriptedChatModel(replies=replies), [ask_as_of(parts(), name="ask_as_of")])
    await agent.ainvoke({"messages": [("user", ASKED)]}, {"configurable": {"thread_id": "7"}})
    models, (tool,) = instrumented.of("LLM"), instrumented.of("TOOL")
    assert [about(each)["llm.model_name"] for each in models] == ["scripted", "scripted"]
    assert about(models[-1])["llm.output_messages.0.message.content"] == "Anna Berg."
    assert about(models[0])["llm.input_messages.0.message.role"] == "human"
    assert about(models[0])["llm.token_count.total"] > 0
    assert about(tool)["tool.name"] == "ask_as_of"
    assert about(tool)["dateline.freshness.newest"] == "2015-03-02"
    assert len({span.context.trace_id for span in instrumented.spans}) == 1
    assert {about(span).get("session.id") for span in instrumented.of("LLM")} == {"7"}


def test_a_span_of_the_app_is_the_parent(instrumented: Traced) -> None:
    with instrumented.provider.get_tracer("app").start_as_current_span("request") as request:
        ScriptedChatModel(replies=["Good day."]).invoke("Hello")
    (model,) = (span for span in instrumented.spans if span.name != "request")
    assert model.parent is not None
    assert model.parent.span_id == request.get_span_context().span_id


def test_keys_reach_no_span(instrumented: Traced) -> None:
    def fails(_: Any) -> str:
        raise RuntimeError(f"refused the key {KEY}")

    with pytest.raises(RuntimeError):
        RunnableLambda(fails).invoke({"question": f"My key is {KEY}."}, {"metadata": {"authorization": KEY}})
    ScriptedChatModel(replies=[f"Your key is {KEY}."]).invoke(f"What is {KEY}?")
    EvidenceRetriever(search=FixedSearch([Evidence.make(f"The key is {KEY}.")])).invoke(KEY)
    assert len(instrumented.spans) == 3
    told = " ".join(span.to_json() for span in instrumented.spans)
    assert KEY not in told
    assert "***" in told


def test_without_content_only_dates_scores_and_counts_are_told(traced: Traced) -> None:
    with instrument(tracer_provider=traced.provider, content=False):
        replies = [calls_tool("ask_as_of", question=ASKED, as_of="2018"), "Anna Berg."]
        create_agent(ScriptedChatModel(replies=replies), [ask_as_of(parts())]).invoke({"messages": [("user", ASKED)]})
        EvidenceRetriever(search=FixedSearch(PIECES)).invoke(ASKED)
        with pytest.raises(RuntimeError):
            RunnableLambda(lambda _: fail()).invoke(ASKED)
    told = " ".join(span.to_json() for span in traced.spans)
    assert not [word for word in ("Berg", "director", "Acme", "secret") if word in told]
    *_, retrieval = traced.of("RETRIEVER")
    assert about(retrieval)["retrieval.documents.0.document.id"] == PIECES[0].id
    assert about(traced.of("TOOL")[0])["dateline.certainty.reliable"] > 0


def fail() -> Any:
    raise RuntimeError("a secret of Acme")


def test_a_failure_and_a_pause_are_told_apart(instrumented: Traced) -> None:
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import StateGraph
    from langgraph.types import interrupt
    from typing_extensions import TypedDict

    class State(TypedDict):
        question: str

    graph = StateGraph(State).add_node("person", lambda _: interrupt("May it?"))
    graph.set_entry_point("person")
    graph.compile(checkpointer=InMemorySaver()).invoke({"question": ASKED}, {"configurable": {"thread_id": "1"}})
    assert instrumented.named("person").status.status_code.name == "OK"
    assert about(instrumented.named("person"))["dateline.interrupted"] is True
    with pytest.raises(RuntimeError):
        RunnableLambda(lambda _: fail()).with_config(run_name="failing").invoke(ASKED)
    assert instrumented.named("failing").status.status_code.name == "ERROR"
    assert instrumented.named("failing").events[0].attributes["exception.type"] == "RuntimeError"  # type: ignore[index]


def test_nothing_is_written_once_it_is_closed(traced: Traced) -> None:
    running = instrument(tracer_provider=traced.provider)
    running.close()
    running.close()
    ScriptedChatModel(replies=["Good day."]).invoke("Hello")
    assert not traced.spans


def test_llamaindex_has_the_same_spans(traced: Traced) -> None:
    pytest.importorskip("llama_index.core")
    from dateline.reading import ExtractiveReader
    from llama_index.callbacks.dateline import instrument as instrument_llama_index
    from llama_index.query_engine.dateline import CertaintyQueryEngine
    from llama_index.response_synthesizers.dateline import ReaderSynthesizer
    from llama_index.retrievers.dateline import EvidenceRetriever as NodeRetriever

    with instrument_llama_index(tracer_provider=traced.provider, clock=lambda: datetime(2024, 6, 1, tzinfo=UTC)):
        retriever, synthesizer = NodeRetriever(FixedSearch(PIECES)), ReaderSynthesizer(reader=ExtractiveReader())
        engine = CertaintyQueryEngine(retriever, response_synthesizer=synthesizer, estimator=ReadingEstimator())
        engine.query(ASKED)
    retrievals = [span for span in traced.of("RETRIEVER") if "retrieval.documents.0.document.id" in about(span)]
    assert about(retrievals[0])["dateline.freshness.newest_age_days"] == 991
    assert len({span.context.trace_id for span in traced.spans}) == 1
    outer = next(span for span in traced.spans if span.parent is None)
    assert about(outer)["input.value"] == ASKED
    assert about(outer)["output.value"]
    assert "dateline.certainty.reliable" in about(outer)


def test_llamaindex_models_are_told_without_their_settings(traced: Traced) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.llms import MockLLM

    from llama_index.callbacks.dateline import instrument as instrument_llama_index

    with instrument_llama_index(tracer_provider=traced.provider, content=False) as running:
        MockLLM(max_tokens=3).complete(f"one two three {KEY}")
    (model,) = traced.of("LLM")
    assert not any("three" in str(value) for value in about(model).values())
    with instrument_llama_index(tracer_provider=traced.provider):
        MockLLM(max_tokens=3).complete(f"one two three {KEY}")
    assert "one two three ***" in about(traced.of("LLM")[1])["input.value"]
    running.detach()


@pytest.mark.parametrize("content", [True, False])
async def test_llamaindex_streams_reach_their_reader_whole(traced: Traced, content: bool) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
    from llama_index.core.query_engine import RetrieverQueryEngine

    from dateline.reading import ExtractiveReader
    from llama_index.callbacks.dateline import instrument as instrument_llama_index
    from llama_index.response_synthesizers.dateline import ReaderSynthesizer
    from llama_index.retrievers.dateline import EvidenceRetriever as NodeRetriever

    synthesizer = ReaderSynthesizer(reader=ExtractiveReader(), streaming=True)
    engine = RetrieverQueryEngine(NodeRetriever(FixedSearch(PIECES)), response_synthesizer=synthesizer)
    with instrument_llama_index(tracer_provider=traced.provider, content=content):
        streamed, astreamed = engine.query(ASKED), await engine.aquery(ASKED)
        assert isinstance(streamed, StreamingResponse)
        assert isinstance(astreamed, AsyncStreamingResponse)
        pieces = [list(streamed.response_gen), [piece async for piece in astreamed.response_gen]]
    assert pieces == [["Carl ", "Dahl"]] * 2
    outer = [span for span in traced.spans if span.parent is None and "RetrieverQueryEngine" in span.name]
    assert len(outer) == 2
    assert not any("output.value" in about(span) for span in outer)


# -- the asking day --------------------------------------------------------------------------------


def in_a_block(retriever: EvidenceRetriever) -> None:
    with asked_at("2020"):
        retriever.invoke(ASKED)


@pytest.mark.parametrize(
    "ask",
    [
        lambda retriever: retriever.invoke(ASKED, as_of="2020"),
        lambda retriever: retriever.invoke(ASKED, {"configurable": {"as_of": "2020"}}),
        lambda retriever: retriever.with_config(configurable={"as_of": "2020"}).invoke(ASKED),
        lambda retriever: retriever.model_copy(update={"as_of": "2020"}).invoke(ASKED),
        in_a_block,
    ],
)
def test_a_retriever_tells_the_day_that_it_was_asked_for_and_counts_from_it(instrumented: Traced, ask: Any) -> None:
    ask(EvidenceRetriever(search=FixedSearch(PIECES)))
    (span,) = instrumented.of("RETRIEVER")
    told = about(span)
    assert told["dateline.as_of"].startswith("2020-12-31T23:59:59")
    assert (told["dateline.freshness.newest"], told["dateline.freshness.newest_age_days"]) == ("2015-03-02", 2131)


@pytest.mark.parametrize(
    ("given", "config", "day"),
    [
        (ASKED, {"configurable": {"as_of": "2020"}}, "2020"),
        ({"question": ASKED, "as_of": "2018"}, {"configurable": {"as_of": "2020"}}, "2018"),
        ({"question": ASKED, "as_of": 2018}, {}, "2018"),
    ],
)
async def test_all_runs_of_a_chain_tell_the_day_of_its_input_else_of_its_config(
    instrumented: Traced, given: Any, config: Any, day: str
) -> None:
    chain = RunnableLambda(lambda _: ASKED) | ScriptedChatModel(replies=["Anna Berg."] * 2)
    chain.invoke(given, config)
    await chain.ainvoke(given, config)
    assert [about(span).get("dateline.as_of") for span in instrumented.spans] == [day] * 6


def test_the_day_of_a_block_counts_for_what_runs_in_it_and_a_config_before_a_block_around(instrumented: Traced) -> None:
    model = ScriptedChatModel(replies=["Anna Berg."] * 2)

    def earlier(_: Any) -> Any:
        with asked_at("2016"):
            return model.invoke(ASKED)

    RunnableLambda(earlier).invoke({"question": ASKED, "as_of": "2018"})
    with asked_at("2019"):
        (RunnableLambda(lambda _: ASKED) | model).invoke(ASKED, {"configurable": {"as_of": "2020"}})
    days = [about(span)["dateline.as_of"][:4] for span in instrumented.spans]
    assert days == ["2016", "2018", "2020", "2020", "2020"]


def test_llamaindex_tells_the_day_of_a_block_on_all_spans_and_of_a_retriever_on_its_own(traced: Traced) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.query_engine import RetrieverQueryEngine

    from dateline.reading import ExtractiveReader
    from llama_index.callbacks.dateline import instrument as instrument_llama_index
    from llama_index.response_synthesizers.dateline import ReaderSynthesizer
    from llama_index.retrievers.dateline import EvidenceRetriever as NodeRetriever

    with instrument_llama_index(tracer_provider=traced.provider, clock=lambda: datetime(2024, 6, 1, tzinfo=UTC)):
        retriever, synthesizer = NodeRetriever(FixedSearch(PIECES)), ReaderSynthesizer(reader=ExtractiveReader())
        with asked_at("2020"):
            RetrieverQueryEngine(retriever, response_synthesizer=synthesizer).query(ASKED)
        assert {about(span).get("dateline.as_of", "")[:10] for span in traced.spans} == {"2020-12-31"}
        retriever.at("2018").retrieve(ASKED)
    *_, alone = [span for span in traced.of("RETRIEVER") if "retrieval.documents.0.document.id" in about(span)]
    assert about(alone)["dateline.as_of"].startswith("2018-12-31")
    assert about(alone)["dateline.freshness.newest_age_days"] == 1400


def test_a_table_in_an_input_or_output_leaves_a_span_without_text(
    instrumented: Traced, caplog: pytest.LogCaptureFixture
) -> None:
    RunnableLambda(lambda given: {"output": given["input"]}).invoke({"input": np.arange(3)})
    (span,) = instrumented.spans
    assert not {"input.value", "output.value"} & set(about(span))
    assert "Error in" not in caplog.text


def test_everything_else_works_without_opentelemetry() -> None:
    code = (
        "import sys; sys.modules['opentelemetry'] = None; import dateline.tracing, langchain_dateline, dateline_graphs"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_without_the_extra_a_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from dateline import MissingExtra

    monkeypatch.setitem(sys.modules, "opentelemetry.trace", None)
    with pytest.raises(MissingExtra, match=r'pip install "dateline\[otel\]"'):
        instrument()
