"""Handlers that tell of each answer of a LlamaIndex app, with LlamaIndex's own engines, models and dispatcher."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("llama_index.core")

from llama_index.core.base.llms.types import CompletionResponse
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.llms import MockLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from dateline import BadInput, Evidence, Interval
from dateline.evidence import run_tree
from dateline.evidence.freshness import Freshness
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.text.lexical import LexicalEmbeddings
from llama_index.callbacks.dateline import CostEventHandler, EvidenceTraceEventHandler, FreshnessEventHandler
from llama_index.callbacks.dateline.spans import SpanTree
from llama_index.postprocessor.dateline import DatedNodes, TemporalReranker
from llama_index.retrievers.dateline import FactStoreRetriever, TemporalRetriever

NOW = datetime(2024, 6, 1, tzinfo=UTC)
ASKED = "Who leads the choir?"
NODES = [
    NodeWithScore(node=TextNode(text="Tom Reyes leads the choir.", metadata={"date": "2023-02-03"}), score=0.5),
    NodeWithScore(node=TextNode(text="Ana Bell leads the choir.", metadata={"date": "2019-02-03"}), score=0.4),
    NodeWithScore(node=TextNode(text="Mia Lund leads the choir.", metadata={"date": "2025-02-03"}), score=0.3),
]


class Everything(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if "fail" in query_bundle.query_str:
            raise RuntimeError("no")
        return NODES


class Reporting(MockLLM):
    """Reports its usage as providers do."""

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text="Tom", raw={"usage": {"prompt_tokens": 20, "completion_tokens": 2}})


def engine(**options: Any) -> RetrieverQueryEngine:
    synthesizer = get_response_synthesizer(llm=Reporting(), **options)
    return RetrieverQueryEngine(
        Everything(), response_synthesizer=synthesizer, node_postprocessors=[DatedNodes(as_of=NOW)]
    )


@pytest.fixture
def trace() -> Iterator[EvidenceTraceEventHandler]:
    with EvidenceTraceEventHandler() as handler:
        yield handler


@pytest.fixture
def freshness() -> Iterator[FreshnessEventHandler]:
    with FreshnessEventHandler(as_of=NOW) as handler:
        yield handler


@pytest.fixture
def cost() -> Iterator[CostEventHandler]:
    with CostEventHandler() as handler:
        yield handler


async def test_together_they_tell_of_each_answer_sync_and_async(
    trace: EvidenceTraceEventHandler, freshness: FreshnessEventHandler, cost: CostEventHandler
) -> None:
    engine().query(ASKED)
    await engine().aquery(ASKED)
    assert [answer.asked for answer in trace.answers] == [ASKED] * 2
    for answer in trace.answers:
        (retrieval,) = answer.retrievals
        assert retrieval.by == "Everything"
        assert [str(piece.published) for piece in retrieval.evidence] == ["2023-02-03", "2019-02-03", "2025-02-03"]
        assert "2025-02-03" in answer.describe()
    # What the postprocessor left out was not shown.
    assert [told.newest for told in freshness.answers] == ["2023-02-03"] * 2
    assert freshness.answers[0].statement.startswith("The newest evidence shown is of 2023-02-03")
    for spent in cost.answers:
        assert (spent.model_calls, spent.searches, spent.input_tokens, spent.output_tokens) == (1, 1, 20, 2)
    assert cost.total.model_calls == 2
    assert cost.total.seconds == pytest.approx(sum(spent.seconds for spent in cost.answers))


def test_a_retriever_alone_is_an_answer_and_what_runs_inside_it_is_its_own(
    trace: EvidenceTraceEventHandler, freshness: FreshnessEventHandler, cost: CostEventHandler
) -> None:
    reranker = TemporalReranker(as_of=NOW, embeddings=LexicalEmbeddings())
    TemporalRetriever(Everything(), reranker=reranker, k=1).retrieve("Who led the choir in 2020?")
    ((retrieval,),) = [answer.retrievals for answer in trace.answers]
    assert (retrieval.by, len(retrieval.evidence)) == ("TemporalRetriever", 1)
    assert freshness.answers[0].statement.startswith("The newest evidence retrieved is of 2019-02-03")
    assert [spent.searches for spent in cost.answers] == [1]


def test_nodes_are_dated_by_a_field_of_their_own() -> None:
    class Own(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return [NodeWithScore(node=TextNode(text="Tom Reyes leads.", metadata={"stand": "2021-02-03"}))]

    with FreshnessEventHandler(date_field="stand") as fresh, EvidenceTraceEventHandler(date_field="stand") as trace:
        Own().retrieve(ASKED)
    assert fresh.answers[0].newest == "2021-02-03"
    assert str(trace.answers[0].retrievals[0].evidence[0].published) == "2021-02-03"


def test_a_chat_made_of_a_completion_is_one_call(cost: CostEventHandler) -> None:
    from llama_index.core.base.llms.types import ChatMessage

    Reporting().chat([ChatMessage(role="user", content="hi")])
    assert (cost.total.model_calls, cost.total.input_tokens) == (1, 20)


def test_an_answer_that_fails_is_complete_too(trace: EvidenceTraceEventHandler, cost: CostEventHandler) -> None:
    with pytest.raises(RuntimeError):
        engine().query("fail")
    engine().query(ASKED)
    assert [(answer.asked, len(answer.retrievals)) for answer in trace.answers] == [("fail", 0), (ASKED, 1)]
    assert not trace._tree._runs


def test_answers_of_many_threads_and_tasks_do_not_mix(trace: EvidenceTraceEventHandler) -> None:
    questions = [f"{ASKED} {number}" for number in range(12)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(engine().query, questions))

    async def together() -> None:
        await asyncio.gather(*(engine().aquery(question) for question in questions))

    asyncio.run(together())
    assert sorted(answer.asked for answer in trace.answers) == sorted(questions * 2)
    assert all([each.query for each in answer.retrievals] == [answer.asked] for answer in trace.answers)


def test_a_stream_is_an_answer_whose_call_comes_after_it(cost: CostEventHandler) -> None:
    synthesizer = get_response_synthesizer(llm=MockLLM(max_tokens=3), streaming=True)
    response = RetrieverQueryEngine(Everything(), response_synthesizer=synthesizer).query(ASKED)
    assert "".join(response.response_gen).split() == ["text"] * 3  # type: ignore[union-attr]
    assert (cost.total.searches, cost.total.model_calls) == (1, 1)


def test_a_fact_is_as_old_as_the_last_word_about_it(freshness: FreshnessEventHandler) -> None:
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings()) as store:
        piece = Evidence.make("The director of Acme is Ana Bell.", published=Interval.parse("2015-03-01"))
        LocalUpdater(store).update([piece], known_at=NOW)
        FactStoreRetriever(store).retrieve("Who is the director of Acme?")
    assert freshness.answers[0].newest == "2015-03-01"


def test_a_stale_answer_can_raise_an_alarm_and_the_app_goes_on() -> None:
    told: list[str] = []

    def alarm(found: Any) -> None:
        told.append(found.statement)
        raise RuntimeError("the alarm is broken")

    with FreshnessEventHandler(as_of="2024-06-01", on_answer=alarm):
        assert str(engine().query(ASKED)) == "Tom"
    assert len(told) == 1


@pytest.mark.parametrize("asks", [lambda: Everything().retrieve("And now?"), lambda: Reporting().complete("And now?")])
def test_an_alarm_may_ask_the_app_and_is_not_raised_by_its_own_question(
    asks: Callable[[], object], cost: CostEventHandler
) -> None:
    told: list[str] = []

    def alarm(found: Freshness) -> None:
        told.append(found.statement)
        asks()

    answers: list[str] = []
    with FreshnessEventHandler(as_of=NOW, on_answer=alarm):
        asking = Thread(target=lambda: answers.append(str(engine().query(ASKED))), daemon=True)
        asking.start()
        asking.join(60)
    assert (answers, len(told)) == (["Tom"], 1)


def test_what_an_alarm_raises_is_logged_without_keys(caplog: pytest.LogCaptureFixture) -> None:
    def alarm(found: Freshness) -> None:
        raise RuntimeError("refused the key sk-live-1234567890abcdefghij")

    with FreshnessEventHandler(as_of=NOW, on_answer=alarm) as handler:
        Everything().retrieve(ASKED)
    assert len(handler.answers) == 1
    assert "RuntimeError: refused the key ***" in caplog.text
    assert "sk-live" not in caplog.text


def test_only_the_latest_answers_are_kept() -> None:
    with EvidenceTraceEventHandler(keep=2) as trace:
        for number in range(4):
            Everything().retrieve(str(number))
    assert [answer.asked for answer in trace.answers] == ["2", "3"]
    with pytest.raises(BadInput, match="at least 1"):
        CostEventHandler(keep=0)
    with pytest.raises(BadInput):
        FreshnessEventHandler(as_of="soon")


def test_nobody_listens_any_longer_when_detached() -> None:
    dispatcher = get_dispatcher()
    before = (list(dispatcher.event_handlers), list(dispatcher.span_handlers))
    handler = EvidenceTraceEventHandler()
    handler.attach().attach()
    Everything().retrieve(ASKED)
    handler.detach()
    handler.detach()
    Everything().retrieve(ASKED)
    assert len(handler.answers) == 1
    assert (list(dispatcher.event_handlers), list(dispatcher.span_handlers)) == before


def test_without_a_day_of_its_own_a_handler_counts_from_that_of_the_retriever() -> None:
    found = TemporalRetriever(Everything(), reranker=TemporalReranker(embeddings=LexicalEmbeddings(), as_of=NOW))
    with FreshnessEventHandler() as handler:
        found.retrieve(ASKED)
    assert "2023-02-03 (484 days before the asking date)" in handler.answers[0].statement


def test_an_answer_of_more_calls_than_are_remembered_is_told_whole(
    monkeypatch: pytest.MonkeyPatch, trace: EvidenceTraceEventHandler, cost: CostEventHandler
) -> None:
    class Asks(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return [Everything().retrieve(query_bundle)[0] for _ in range(100)][:1]

    monkeypatch.setattr(run_tree, "OPEN", 20)
    Asks().retrieve(ASKED)
    ((retrieval,),) = [answer.retrievals for answer in trace.answers]
    assert (retrieval.by, len(retrieval.evidence), cost.total.searches) == ("Asks", 1, 1)
    assert not trace._tree._runs


def test_answers_that_an_app_never_ends_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tree, "OPEN", 20)
    tree = SpanTree(lambda span, seconds: None)
    nothing = inspect.signature(lambda: None).bind()
    for number in range(50):
        tree.new_span(f"Everything.retrieve-{number}", nothing)
    assert len(tree._runs) == 20
