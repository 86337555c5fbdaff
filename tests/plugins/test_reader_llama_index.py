"""dateline's readers as a response synthesiser inside LlamaIndex's own query engine."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core import VectorStoreIndex
from llama_index.core.base.llms.types import ChatMessage, ChatResponse
from llama_index.core.base.response.schema import AsyncStreamingResponse, Response, StreamingResponse
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from dateline import BadInput
from dateline.reading import ExtractiveReader
from dateline.reading.strategies import reader_for
from dateline.testing import ReadingEstimator
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline.testing import ScriptedChatModel
from llama_index.embeddings.dateline import LocalEmbedding
from llama_index.postprocessor.dateline import TemporalReranker
from llama_index.query_engine.dateline import CertaintyQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.workflow.dateline import AnswerWorkflow

NOW = datetime(2024, 6, 1, tzinfo=UTC)
ASKED = "Who leads the choir?"


def node(text: str, day: str | None, name: str) -> NodeWithScore:
    return NodeWithScore(node=TextNode(text=text, id_=name, metadata={} if day is None else {"date": day}), score=0.5)


NODES = [
    node("Tom Reyes leads the choir.", "2023-02-03", "new"),
    node("Ana Bell leads the choir.", "2019-02-03", "old"),
    node("Mia Lund leads the choir.", "2025-02-03", "later"),
]


class Everything(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return NODES


def synthesiser(**settings: Any) -> ReaderSynthesizer:
    return ReaderSynthesizer(ExtractiveReader(), **{"as_of": NOW, **settings})


def test_dated_nodes_become_an_answer_with_all_about_it() -> None:
    before = [each.model_dump_json() for each in NODES]
    response = synthesiser().synthesize(ASKED, NODES)
    assert isinstance(response, Response)
    assert str(response) == "Tom Reyes"
    assert response.metadata is not None
    assert response.metadata["dateline"]["evidence_ids"] == ["new"]
    assert response.metadata["new"] == {"date": "2023-02-03"}
    assert [each.node.node_id for each in response.source_nodes] == ["new", "old", "later"]
    assert [each.model_dump_json() for each in NODES] == before


@pytest.mark.parametrize(("as_of", "answer"), [("2020", "Ana Bell"), ("2024", "Tom Reyes"), ("2026", "Mia Lund")])
async def test_the_asking_day_may_come_with_the_call_sync_and_async(as_of: str, answer: str) -> None:
    assert str(synthesiser().synthesize(ASKED, NODES, as_of=as_of)) == answer
    response = await synthesiser(as_of=None, clock=lambda: datetime(2026, 6, 1, tzinfo=UTC)).asynthesize(
        QueryBundle(ASKED), NODES, as_of=as_of
    )
    assert str(response) == answer
    assert response.metadata is not None
    assert response.metadata["dateline"]["as_of"].startswith(as_of)


async def test_streams_bring_the_answer_word_by_word() -> None:
    streamed = synthesiser(streaming=True).synthesize(ASKED, NODES)
    assert isinstance(streamed, StreamingResponse)
    assert list(streamed.response_gen) == ["Tom ", "Reyes"]
    assert streamed.metadata is not None
    assert streamed.metadata["dateline"]["answer"] == "Tom Reyes"
    astreamed = await synthesiser(streaming=True).asynthesize(ASKED, NODES)
    assert isinstance(astreamed, AsyncStreamingResponse)
    assert [word async for word in astreamed.response_gen] == ["Tom ", "Reyes"]


async def test_it_answers_in_a_query_engine_behind_the_reranker_without_any_llm() -> None:
    engine = RetrieverQueryEngine(
        Everything(), response_synthesizer=synthesiser(), node_postprocessors=[TemporalReranker(as_of=NOW)]
    )
    assert str(engine.query(ASKED)) == "Tom Reyes"
    assert str(await engine.aquery(ASKED)) == "Tom Reyes"


def test_any_strategy_answers_and_tells_its_cost() -> None:
    reader = reader_for("self_mrag", model=ScriptedChatModel(replies=["answer: yes, Tom Reyes leads"]))
    response = ReaderSynthesizer(reader, as_of=NOW).synthesize(ASKED, NODES)
    assert response.metadata is not None
    assert response.metadata["dateline"]["cost"]["model_calls"] == 5


def test_where_nothing_answers_it_says_so() -> None:
    silent = [node("It rains.", None, "rain")]
    assert str(synthesiser().synthesize(ASKED, silent)) == "unknown"
    assert str(synthesiser(empty_response="no idea").synthesize(ASKED, [])) == "no idea"
    assert list(synthesiser(streaming=True).synthesize(ASKED, silent).response_gen) == ["unknown"]  # type: ignore[union-attr, arg-type]


@pytest.mark.parametrize("streaming", [False, True])
async def test_without_nodes_the_response_tells_that_nothing_answers(streaming: bool) -> None:
    reader = synthesiser(streaming=streaming)
    now, earlier = reader.synthesize(ASKED, []), await reader.asynthesize(QueryBundle(ASKED), [], as_of="2020")
    for response, day in ((now, "2024-06-01"), (earlier, "2020-12-31")):
        assert response.metadata is not None
        assert response.metadata["dateline"]["answer"] == ""
        assert response.metadata["dateline"]["evidence_ids"] == []
        assert response.metadata["dateline"]["as_of"].startswith(day)


class AskedNever(MockLLM):
    """A model that must not be asked."""

    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        raise AssertionError("a model answers from memory without nodes")

    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return self.chat(messages, **kwargs)


class Nothing(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return []


@pytest.mark.parametrize("streaming", [False, True])
async def test_without_nodes_a_language_model_is_not_asked(streaming: bool) -> None:
    model = ReaderSynthesizer(llm=AskedNever(), as_of=NOW, streaming=streaming)
    gate = CertaintyQueryEngine(Nothing(), response_synthesizer=model, estimator=ReadingEstimator())
    for response in (model.synthesize(ASKED, []), await model.asynthesize(ASKED, [])):
        assert response.metadata is not None
        assert response.metadata["dateline"]["answer"] == ""
        assert response.metadata["dateline"]["cost"]["model_calls"] == 0
        if not streaming:
            assert str(response) == "unknown"
    for gated in (gate.query(ASKED), await gate.aquery(ASKED)):
        assert str(gated) == "No answer in these documents"
        assert (gated.metadata or {})["dateline"]["answer"] == ""
        assert (gated.metadata or {})["dateline"]["cost"]["model_calls"] == 0


async def test_a_date_s_field_of_ones_own_is_read_by_reader_gate_and_workflow() -> None:
    issued = [
        NodeWithScore(node=TextNode(text=f"{who} leads the choir.", metadata={"issued": day}), score=0.5)
        for who, day in (("Tom Reyes", "2023-02-03"), ("Ana Bell", "2019-02-03"))
    ]

    class Issued(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return issued

    own = synthesiser(as_of=None, date_field="issued")
    parts: dict[str, Any] = {"date_field": "issued", "estimator": ReadingEstimator()}
    gate = CertaintyQueryEngine(Issued(), response_synthesizer=own, as_of="2020", **parts)
    workflow = AnswerWorkflow(Issued(), reader=ExtractiveReader(), embeddings=LexicalEmbeddings(), **parts)
    assert str(own.synthesize(ASKED, issued, as_of="2020")) == "Ana Bell"
    assert gate.query(ASKED).metadata["dateline"]["answer"] == "Ana Bell"
    assert (await workflow.run(question=ASKED, as_of="2020")).metadata["dateline"]["answer"] == "Ana Bell"
    index = VectorStoreIndex([each.node for each in issued], embed_model=LocalEmbedding(LexicalEmbeddings()))
    over = CertaintyQueryEngine(index, response_synthesizer=synthesiser(as_of=None), as_of="2020", **parts)
    assert over.query(ASKED).metadata["dateline"]["answer"] == "Ana Bell"


def test_bare_texts_are_read_as_undated() -> None:
    assert synthesiser().get_response(ASKED, ["Tom Reyes leads the choir."]) == "Tom Reyes"


def test_what_cannot_be_set_is_refused() -> None:
    with pytest.raises(BadInput):
        ReaderSynthesizer(as_of="soon")
    with pytest.raises(BadInput):
        synthesiser().update_prompts({"text_qa_template": None})  # type: ignore[dict-item]
    assert synthesiser().get_prompts() == {}
