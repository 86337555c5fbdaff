"""Callback handlers: what an answer stood on, how fresh that was, what it cost; each alone or together."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Thread
from typing import Any
from uuid import uuid4

import pytest
from langchain.agents import create_agent
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from langchain_core.tools import tool
from langchain_core.vectorstores import InMemoryVectorStore

from dateline import BadInput, Cost, Evidence, Interval
from dateline.evidence import run_tree
from dateline.evidence.freshness import Freshness
from dateline.facts import Fact, FactStore
from dateline.facts.index import ExactIndex
from dateline.facts.ledger import MemoryLedger
from dateline.facts.operation import AddFact
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import (
    CostCallbackHandler,
    EvidenceTraceCallbackHandler,
    FactStoreRetriever,
    FreshnessCallbackHandler,
    TemporalReranker,
    TemporalRetriever,
)
from langchain_dateline.testing import ScriptedChatModel, calls_tool

NOW = datetime(2024, 6, 1, tzinfo=UTC)
NOTES = [
    Document("The director of the harbour is Eva Holm.", metadata={"date": "1999-02-03", "title": "Holm"}),
    Document("The director of the harbour is Jon Lund.", metadata={"date": "2024-02-03", "title": "Lund"}),
    Document("Ships may enter the harbour.", metadata={"title": "Ships"}),
]
QUESTION = "Who is the director of the harbour?"


def retriever(**settings: Any) -> TemporalRetriever:
    """One retriever inside another."""
    store = InMemoryVectorStore.from_documents(NOTES, LexicalEmbeddings())
    reranker = TemporalReranker(as_of=NOW, embeddings=LexicalEmbeddings())
    return TemporalRetriever(retriever=store.as_retriever(search_kwargs={"k": 3}), reranker=reranker, k=2, **settings)


def chain(model: BaseChatModel | None = None) -> Runnable[str, Any]:
    asked = RunnablePassthrough.assign(documents=lambda given: retriever().invoke(given["question"]))
    written = RunnableLambda(lambda given: f"{given['documents']} {given['question']}")
    return (
        RunnableLambda(lambda text: {"question": text})
        | asked
        | written
        | (model or ScriptedChatModel(replies=["Jon"]))
    )


async def ask(how: str, **config: Any) -> None:
    if how == "sync":
        chain().invoke(QUESTION, config)
    elif how == "stream":
        list(chain().stream(QUESTION, config))
    else:
        await chain().ainvoke(QUESTION, config)


@pytest.mark.parametrize("how", ["sync", "async", "stream"])
async def test_together_they_tell_of_an_answer_what_each_tells_alone(how: str) -> None:
    def made() -> list[Any]:
        return [EvidenceTraceCallbackHandler(), FreshnessCallbackHandler(as_of=NOW), CostCallbackHandler()]

    together, alone = made(), made()
    await ask(how, callbacks=together)
    for handler in alone:
        await ask(how, callbacks=[handler])
    for trace, freshness, cost in (together, alone):
        (answer,) = trace.answers
        (retrieval,) = answer.retrievals
        assert answer.asked == QUESTION
        assert [piece.title for piece in retrieval.evidence] == ["Lund", "Holm"], "what the app saw, not the inner one"
        assert [(told.newest, told.oldest) for told in freshness.answers] == [("2024-02-03", "1999-02-03")]
        assert freshness.answers[0].statement.startswith("The newest evidence retrieved is of 2024-02-03")
        (spent,) = cost.answers
        assert (spent.model_calls, spent.searches) == (1, 1)
        assert spent.input_tokens > 0
        assert spent.seconds > 0


def test_a_trace_can_be_read() -> None:
    handler = EvidenceTraceCallbackHandler()
    retriever().invoke(QUESTION, {"callbacks": [handler], "tags": ["harbour"], "run_name": "notes"})
    (answer,) = handler.answers
    assert answer.retrievals[0].tags == ("harbour",)
    lines = answer.describe().splitlines()
    assert lines[0] == QUESTION
    assert lines[1].startswith(f"notes: {QUESTION!r} brought 2 in ")
    assert lines[2:] == ["  2024-02-03  Lund", "  1999-02-03  Holm"]


def test_a_fact_is_as_old_as_the_latest_word_about_it() -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    fact = AddFact(
        document="d", when=Interval.of_day(2023, 5, 1), known_at=NOW, fact=Fact.make("Jon Lund is director.")
    )
    store.apply("d", [fact])
    handler = FreshnessCallbackHandler(as_of=NOW)
    FactStoreRetriever(store=store).invoke("director", {"callbacks": [handler]})
    assert [told.newest for told in handler.answers] == ["2023-05-01"]


@tool
def search_notes(query: str) -> str:
    """Search notes."""
    return json.dumps([{"title": "Lund", "snippet": "Jon Lund.", "date": "2024-02-03"}])


@tool
def search_library(query: str) -> str:
    """A search tool with a retriever inside."""
    return "\n".join(each.page_content for each in retriever().invoke(query))


@tool
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


async def test_an_agents_searches_are_traced_and_counted_once_each() -> None:
    handlers: list[Any] = [EvidenceTraceCallbackHandler(), FreshnessCallbackHandler(as_of=NOW), CostCallbackHandler()]
    replies: list[Any] = [calls_tool("search_notes", query="a"), calls_tool("add", a=1, b=2)]
    replies += [calls_tool("search_library", query=QUESTION), "Jon Lund."]
    agent = create_agent(ScriptedChatModel(replies=replies), [search_notes, search_library, add])
    await agent.ainvoke({"messages": [("user", QUESTION)]}, {"callbacks": handlers})
    (trace,), (freshness,), (cost,) = (handler.answers for handler in handlers)
    assert trace.asked == QUESTION
    assert [len(each.evidence) for each in trace.retrievals] == [1, 2]
    assert freshness.newest == "2024-02-03"
    assert (cost.model_calls, cost.searches) == (4, 2)


class Reporting(ScriptedChatModel):
    """Reports its tokens in the older place only."""

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        generations = [ChatGeneration(message=AIMessage("Jon"))]
        usage = {"prompt_tokens": 7, "completion_tokens": 2}
        return ChatResult(generations=generations, llm_output={"token_usage": usage})


def test_tokens_are_counted_wherever_a_model_reports_them_and_nowhere_else() -> None:
    handler = CostCallbackHandler()
    chain(Reporting(replies=["x"])).invoke(QUESTION, {"callbacks": [handler]})
    assert (handler.total.input_tokens, handler.total.output_tokens) == (7, 2)


def test_answers_at_the_same_time_are_kept_apart_and_the_total_is_their_sum() -> None:
    trace, cost = EvidenceTraceCallbackHandler(), CostCallbackHandler()
    app = chain()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: app.invoke(f"{QUESTION} {n}", {"callbacks": [trace, cost]}), range(12)))
    assert sorted(answer.asked for answer in trace.answers) == sorted(f"{QUESTION} {n}" for n in range(12))
    assert all(len(answer.retrievals) == 1 for answer in trace.answers)
    assert sum(cost.answers, Cost()).model_calls == cost.total.model_calls == 12


def test_a_batch_is_as_many_answers() -> None:
    cost = CostCallbackHandler()
    chain().batch([QUESTION] * 3, {"callbacks": [cost]})
    assert [spent.searches for spent in cost.answers] == [1, 1, 1]


@pytest.mark.parametrize("made", [EvidenceTraceCallbackHandler, FreshnessCallbackHandler, CostCallbackHandler])
def test_a_failing_answer_ends_like_any_other_and_leaves_nothing_behind(made: Callable[[], Any]) -> None:
    handler = made()
    with pytest.raises(RuntimeError, match="down"):
        chain(ScriptedChatModel(replies=[RuntimeError("down")])).invoke(QUESTION, {"callbacks": [handler]})
    assert len(handler.answers) == 1
    assert not handler._runs


def test_only_the_latest_answers_are_kept() -> None:
    handler = CostCallbackHandler(keep=2)
    for _ in range(3):
        retriever().invoke(QUESTION, {"callbacks": [handler]})
    assert len(handler.answers) == 2
    assert handler.total.searches == 3


def test_stale_answers_can_be_warned_of() -> None:
    warned: list[int | None] = []
    handler = FreshnessCallbackHandler(clock=lambda: NOW, on_answer=lambda told: warned.append(told.newest_age_days))
    retriever().invoke(QUESTION, {"callbacks": [handler]})
    assert warned == [119]


@pytest.mark.parametrize(
    "asks",
    [
        lambda config: ScriptedChatModel(replies=["Jon."]).invoke("And now?", config),
        lambda config: retriever().invoke("And now?", config),
    ],
)
def test_a_warning_may_ask_the_app_and_is_not_caused_by_its_own_question(asks: Callable[[Any], Any]) -> None:
    warned: list[str] = []
    config: dict[str, Any] = {}

    def warn(told: Freshness) -> None:
        warned.append(told.statement)
        asks(config)

    config["callbacks"] = [FreshnessCallbackHandler(clock=lambda: NOW, on_answer=warn), CostCallbackHandler()]
    found: list[Document] = []
    asking = Thread(target=lambda: found.extend(retriever().invoke(QUESTION, config)), daemon=True)
    asking.start()
    asking.join(60)
    assert (len(found), len(warned)) == (2, 1)


def test_what_a_warning_raises_is_logged_without_keys(caplog: pytest.LogCaptureFixture) -> None:
    def warn(told: Freshness) -> None:
        raise RuntimeError("refused the key sk-live-1234567890abcdefghij")

    handler = FreshnessCallbackHandler(clock=lambda: NOW, on_answer=warn)
    retriever().invoke(QUESTION, {"callbacks": [handler]})
    assert len(handler.answers) == 1
    assert "RuntimeError: refused the key ***" in caplog.text
    assert "sk-live" not in caplog.text


def test_a_handler_given_to_an_inner_run_only_takes_that_run_for_the_answer() -> None:
    handler = EvidenceTraceCallbackHandler()
    inner = retriever().with_config(callbacks=[handler])
    (RunnableLambda(lambda text: text) | inner).invoke(QUESTION)
    assert [answer.asked for answer in handler.answers] == [QUESTION]


@pytest.mark.parametrize(
    "build",
    [lambda: CostCallbackHandler(keep=0), lambda: FreshnessCallbackHandler(as_of="soon")],
)
def test_wrong_options_are_refused_while_building(build: Callable[[], BaseCallbackHandler]) -> None:
    with pytest.raises(BadInput):
        build()


def test_evidence_is_dated_by_a_field_of_its_own() -> None:
    fresh, trace = FreshnessCallbackHandler(date_field="stand"), EvidenceTraceCallbackHandler(date_field="stand")
    notes = [Document("Jon Lund leads the harbour.", metadata={"stand": "2021-02-03"})]
    store = InMemoryVectorStore.from_documents(notes, LexicalEmbeddings())

    @tool(response_format="content_and_artifact")
    def search_notes(query: str) -> tuple[str, list[Document]]:
        """Search the notes."""
        return "one", notes

    called = {"name": "search_notes", "args": {"query": QUESTION}, "id": "1", "type": "tool_call"}
    for asked in (
        lambda config: store.as_retriever().invoke(QUESTION, config),
        lambda config: search_notes.invoke(called, config),
    ):
        asked({"callbacks": [fresh, trace]})
    assert [told.newest for told in fresh.answers] == ["2021-02-03"] * 2
    found = [piece for answer in trace.answers for each in answer.retrievals for piece in each.evidence]
    assert [str(piece.published) for piece in found] == ["2021-02-03"] * 2


def test_evidence_of_a_tool_that_is_named_counts_too() -> None:
    handler = EvidenceTraceCallbackHandler(tools=["archive"])

    @tool
    def archive(query: str) -> str:
        """Look it up."""
        return json.dumps([{"title": "Lund", "snippet": "Jon Lund.", "date": "2024-02-03"}])

    archive.invoke({"query": "x"}, {"callbacks": [handler]})
    search_notes.invoke({"query": "x"}, {"callbacks": [handler]})
    first, second = handler.answers
    assert [type(piece) for piece in first.retrievals[0].evidence] == [Evidence]
    assert second.retrievals == ()


def test_without_a_day_of_its_own_a_handler_counts_from_that_of_the_retriever() -> None:
    handler = FreshnessCallbackHandler()
    retriever().invoke(QUESTION, {"callbacks": [handler]})
    assert handler.answers[0].statement.endswith("(119 days before the asking date), the oldest of 1999-02-03.")


def test_an_answer_of_more_runs_than_are_remembered_is_told_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tree, "OPEN", 20)
    handlers: list[Any] = [EvidenceTraceCallbackHandler(), FreshnessCallbackHandler(as_of=NOW), CostCallbackHandler()]
    copies = RunnableLambda(lambda question: [question] * 100) | RunnableLambda(str).map()
    (copies | RunnableLambda(lambda texts: retriever().invoke(texts[-1]))).invoke(QUESTION, {"callbacks": handlers})
    (trace,), (freshness,), (cost,) = (handler.answers for handler in handlers)
    assert (trace.asked, [len(each.evidence) for each in trace.retrievals]) == (QUESTION, [2])
    assert freshness.newest == "2024-02-03"
    assert cost.searches == 1
    assert not any(handler._runs for handler in handlers)


def test_answers_that_an_app_never_ends_are_forgotten_with_all_inside_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tree, "OPEN", 20)
    handler = CostCallbackHandler()
    for _ in range(50):
        outer = uuid4()
        handler.on_chain_start({}, QUESTION, run_id=outer)
        handler.on_chain_start({}, QUESTION, run_id=uuid4(), parent_run_id=outer)
    assert len(handler._runs) == 40
