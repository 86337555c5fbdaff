"""Generation with retrieval in apps: a chat model, a query engine, a graph and a step of the answer graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from dynamic_parts import DOCUMENTS, QUESTION, SEARCH, generator
from langchain_core.callbacks import BaseCallbackHandler, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from telling_model import TellingChatModel

from dateline import BadInput, Certainty, Evidence, Question, Reading
from dateline.dynamic import AttentionQuery, Bm25Search, ChatGenerator, Flare, RetrievingGenerator, Rind
from dateline.dynamic.settled_text import SettledText
from dateline.dynamic.triggers import EveryTokens
from dateline.protocols import SearchResult
from dateline.testing import FixedSearch, ReadingEstimator
from dateline_graphs import AnswerOptions, answer_by_generating, answer_graph, generate_graph
from dateline_graphs.components import default_components
from langchain_dateline import RetrievingChatModel
from langchain_dateline.generation import RETRIEVAL_EVENT

pytest.importorskip("torch")

NOW = datetime(2024, 6, 1, tzinfo=UTC)


def told(asked: str) -> str:
    if "Carl Dahl was named" not in asked:
        return "The director is Anna Berg. She lives in Tromso."
    return " Carl Dahl. He took office in 2021." if asked.endswith("director is") else "The director is Carl Dahl."


def chat(retriever: Any = SEARCH) -> ChatGenerator:
    model = TellingChatModel(respond=told, unsure={"Anna": 0.3})
    return ChatGenerator(model, retriever=retriever, trigger=Flare(0.5))


def local() -> RetrievingGenerator:
    return generator(trigger=Rind(0.02), query=AttentionQuery(), max_new_tokens=16, max_retrievals=2)


def chat_model(made: RetrievingGenerator | None = None) -> RetrievingChatModel:
    return RetrievingChatModel(generator=made or chat(), as_of=NOW)


class Notes(BaseRetriever):
    """A retriever of somebody's own."""

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [Document(page_content=DOCUMENTS[0], metadata={"published": "2021-09-14"})]


class Heard(BaseCallbackHandler):
    """Keeps what it is told, in order."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []

    def on_retriever_start(self, serialized: Any, query: str, **kwargs: Any) -> None:
        self.heard.append(("start", (query, kwargs["parent_run_id"])))

    def on_retriever_end(self, documents: Any, **kwargs: Any) -> None:
        self.heard.append(("end", [each.page_content for each in documents]))

    def on_retriever_error(self, error: BaseException, **kwargs: Any) -> None:
        self.heard.append(("error", error))

    def on_custom_event(self, name: str, data: Any, **kwargs: Any) -> None:
        self.heard.append((name, data))


# -- LangChain ------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [chat, local])
async def test_a_chat_model_streams_what_it_says_blocking_and_async_alike(made: Any) -> None:
    model = chat_model(made())
    whole = model.invoke(QUESTION)
    parts = list(model.stream(QUESTION))
    assert "".join(str(part.text) for part in parts) == whole.text == (await model.ainvoke(QUESTION)).text
    assert "".join([str(part.text) async for part in model.astream(QUESTION)]) == whole.text
    [first, *_] = whole.additional_kwargs["dateline_retrievals"]
    assert {"trigger", "score", "query", "documents", "position"} <= set(first)
    assert whole.response_metadata["dateline"]["retrievals"] == len(whole.additional_kwargs["dateline_retrievals"])
    assert whole.usage_metadata is not None


def test_text_is_streamed_before_the_generation_is_over() -> None:
    chunks = list(chat_model().stream(QUESTION))
    texts = [bool(chunk.text) for chunk in chunks]
    assert texts.count(True) > 2
    assert any(texts[: len(texts) // 2])


@pytest.mark.parametrize("retriever", [SEARCH, Notes()])
async def test_each_retrieval_fires_the_callbacks_of_a_retriever_under_the_models_run(retriever: Any) -> None:
    runs = {}
    for way in ("blocking", "async"):
        heard = Heard()
        model = chat_model(chat(retriever))
        config: Any = {"callbacks": [heard]}
        _ = model.invoke(QUESTION, config) if way == "blocking" else await model.ainvoke(QUESTION, config)
        runs[way] = [name for name, _ in heard.heard]
        query, parent = heard.heard[0][1]
        assert query
        assert parent is not None
        assert heard.heard[1][1] == [DOCUMENTS[0]] or DOCUMENTS[0] in heard.heard[1][1]
        data = heard.heard[2][1]
        assert (data["trigger"], data["query"]) == ("flare", query)
    assert runs["blocking"] == runs["async"] == ["start", "end", RETRIEVAL_EVENT]


def test_a_retriever_that_fails_is_reported_and_the_answer_goes_on() -> None:
    heard = Heard()
    model = chat_model(chat(FixedSearch(error=ConnectionError("down"))))
    said = model.invoke(QUESTION, {"callbacks": [heard]})
    assert [name for name, _ in heard.heard] == ["start", "error", RETRIEVAL_EVENT]
    assert said.text.startswith("The director is Anna Berg.")
    assert "1 of 1 retrievals failed" in said.response_metadata["dateline"]["statement"]


def test_a_follow_up_asks_the_question_before_it_again_and_no_question_is_refused() -> None:
    seen = FixedSearch([Evidence.make(DOCUMENTS[0])])
    model = chat_model(chat(seen))
    model.invoke([HumanMessage("Who was the director in 2015?"), AIMessage("Anna Berg."), HumanMessage("And in 2021?")])
    asked = model.generator.model.history[0]  # type: ignore[attr-defined]
    assert "director" in asked
    assert "2021" in asked
    with pytest.raises(BadInput, match="no question"):
        model.invoke([AIMessage("Hello.")])


def test_a_text_to_stop_at_is_never_shown() -> None:
    parts = [str(part.text) for part in chat_model().stream(QUESTION, stop=["He took"])]
    assert "".join(parts) == "The director is Carl Dahl."


@pytest.mark.parametrize("hold", [0, 4, 24])
def test_what_was_shown_stays_also_where_the_trigger_could_withdraw_it(hold: int) -> None:
    made = generator(trigger=Rind(0.0), query=AttentionQuery(), max_new_tokens=24)
    with made.stream(QUESTION) as events:
        steady = SettledText(events, hold=hold)
        shown = "".join(steady.take(event) for event in events)
    assert shown == events.generation.text
    assert bool(events.generation.retrievals) == (hold > 0)  # with nothing held back nothing can be withdrawn


# -- LlamaIndex -----------------------------------------------------------------------------------


async def test_a_query_engine_answers_streams_and_tells_its_retrievals() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.instrumentation import get_dispatcher
    from llama_index.core.instrumentation.event_handlers import BaseEventHandler

    from llama_index.llms.dateline import LookedUpEvent
    from llama_index.query_engine.dateline import RetrievingQueryEngine
    from llama_index.query_engine.dateline.generating import GENERATION

    events: list[Any] = []

    class Keeps(BaseEventHandler):
        def handle(self, event: Any, **kwargs: Any) -> None:
            events.append(event)

    root = get_dispatcher()
    handler = Keeps()
    root.add_event_handler(handler)
    try:
        whole = RetrievingQueryEngine(chat(), as_of="2024-06-01").query(QUESTION)
    finally:
        root.event_handlers.remove(handler)
    assert str(whole) == "The director is Carl Dahl. He took office in 2021."
    assert DOCUMENTS[0] in [node.text for node in whole.source_nodes]
    assert whole.metadata[GENERATION]["retrievals"][0]["trigger"] == "flare"
    [seen] = [event for event in events if isinstance(event, LookedUpEvent)]
    assert seen.query == whole.metadata[GENERATION]["retrievals"][0]["query"]
    names = [event.class_name() for event in events]
    assert names.index("RetrievalStartEvent") < names.index("RetrievalEndEvent") < names.index("LookedUpEvent")

    streaming = RetrievingQueryEngine(chat(), as_of="2024-06-01", streaming=True)
    response: Any = streaming.query(QUESTION)
    pieces = list(response.response_gen)
    assert len(pieces) > 2
    assert "".join(pieces) == str(whole)
    assert response.metadata[GENERATION]["ended"] == "finished"
    other: Any = await streaming.aquery(QUESTION)
    assert "".join([piece async for piece in other.async_response_gen()]) == str(whole)
    assert [node.text for node in other.source_nodes] == [node.text for node in whole.source_nodes]


def test_a_model_and_a_query_engine_tell_the_same_of_a_generation() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.llms.dateline import RetrievingLLM
    from llama_index.query_engine.dateline import RetrievingQueryEngine
    from llama_index.query_engine.dateline.generating import GENERATION

    def but_for(told: Any, *left_out: str) -> Any:
        if isinstance(told, dict):
            return {name: but_for(value, *left_out) for name, value in told.items() if name not in left_out}
        return [but_for(each, *left_out) for each in told] if isinstance(told, list) else told

    reply = chat_model().invoke(QUESTION)
    completion: Any = RetrievingLLM(chat(), as_of=NOW).complete(QUESTION)
    response: Any = RetrievingQueryEngine(chat(), as_of=NOW).query(QUESTION)
    found, ending = reply.additional_kwargs["dateline_retrievals"], reply.response_metadata["dateline"]
    assert ending["documents"]
    assert but_for(completion.raw["dateline"], "seconds") == but_for(ending, "seconds")
    whole = but_for({**ending, "retrievals": found}, "seconds", "documents")  # the engine has them as source nodes
    assert but_for(response.metadata[GENERATION], "seconds") == whole


def test_the_metadata_of_a_query_engines_response_holds_no_text_of_its_source_nodes() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.query_engine.dateline import RetrievingQueryEngine
    from llama_index.query_engine.dateline.generating import GENERATION

    response: Any = RetrievingQueryEngine(chat(), as_of=NOW).query(QUESTION)
    assert response.metadata[GENERATION]["retrievals"]
    assert response.source_nodes
    assert [each.text for each in response.source_nodes if each.text in str(response.metadata)] == []


# -- LangGraph ------------------------------------------------------------------------------------


async def test_the_generate_graph_streams_text_and_retrievals_and_ends_in_the_generation() -> None:
    graph = generate_graph(chat(), clock=lambda: NOW).compile()
    parts = list(graph.stream({"question": QUESTION}, stream_mode="custom"))
    text = "".join(part["text"] for part in parts if "text" in part)
    assert text == "The director is Carl Dahl. He took office in 2021."
    assert [part["name"] for part in parts if "name" in part] == ["retrieve", "generate"]
    result = await graph.ainvoke({"question": QUESTION})
    assert result["text"] == text
    assert result["generation"]["retrievals"][0]["trigger"] == "flare"
    with pytest.raises(BadInput, match="question is empty"):
        graph.invoke({"question": " "})


async def test_the_answer_graph_can_write_its_answer_by_generating() -> None:
    shown = Evidence.make("Anna Berg led the Northern Observatory from 2015.")
    later = Evidence.make(DOCUMENTS[0])
    parts = default_components(search=FixedSearch([shown]), options=AnswerOptions(max_rounds=0))
    step = answer_by_generating(chat(Bm25Search([later])))
    graph = answer_graph(parts, answer=step).compile()
    asked: Any = {"question": QUESTION, "as_of": "2024-06-01"}
    report = graph.invoke(asked)["report"]
    assert report["answer"] == "The director is Carl Dahl. He took office in 2021."
    assert {piece["id"] for piece in report["evidence"]} == {shown.id, later.id}
    names = [one["name"] for one in report["steps"]]
    assert names.count("retrieve") == 2  # the evidence shown, and what Anna was looked up with
    assert (await graph.ainvoke(asked))["report"]["answer"] == report["answer"]


def test_a_further_round_leaves_a_generated_answer_with_what_it_looked_up() -> None:
    first, second = Evidence.make("Anna Berg led the Northern Observatory from 2015."), Evidence.make("A ferry runs.")
    later = Evidence.make(DOCUMENTS[0])

    class FoundOnce(FixedSearch):
        def search(self, query: str, **how: Any) -> SearchResult:
            found, self.evidence = super().search(query, **how), ()
            return found

    class FirstIsBetter(ReadingEstimator):
        def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
            sure = 0.45 if first in evidence else 0.2
            return Certainty(reliable=sure, misleading=0.0, uncertain=1.0 - sure)

    found = default_components(search=FixedSearch([first, second]), options=AnswerOptions(max_rounds=1, k=1))
    parts = replace(found, estimator=FirstIsBetter())
    step = answer_by_generating(chat(FoundOnce([later])))
    report = answer_graph(parts, answer=step).compile().invoke({"question": QUESTION})["report"]
    assert [one["name"] for one in report["steps"]].count("answer") == 2
    assert {piece["id"] for piece in report["evidence"]} == {first.id, later.id}
    assert [piece["id"] for piece in report["unread"]] == [second.id]


def test_what_the_model_was_not_shown_is_still_unread() -> None:
    pieces = [Evidence.make(f"Anna Berg led the Northern Observatory in {year}.") for year in range(2015, 2020)]
    parts = default_components(search=FixedSearch(pieces), options=AnswerOptions(max_rounds=0, k=5))
    made = chat(FixedSearch([])).with_options(k=3)
    report = answer_graph(parts, answer=answer_by_generating(made)).compile().invoke({"question": QUESTION})["report"]
    assert len(report["evidence"]) == 3
    assert len(report["unread"]) == 2
    [begun, *_] = [one for one in report["steps"] if one["name"] == "retrieve"]
    assert "3 documents" in begun["summary"]


def test_every_tokens_in_a_step_begins_with_the_evidence_shown() -> None:
    made = generator(trigger=EveryTokens(8), retriever=SEARCH, max_new_tokens=12)
    parts = default_components(search=FixedSearch([Evidence.make(DOCUMENTS[1])]), options=AnswerOptions(max_rounds=0))
    report = answer_graph(parts, answer=answer_by_generating(made)).compile().invoke({"question": QUESTION})["report"]
    first = next(one for one in report["steps"] if one["name"] == "retrieve")
    assert first["details"]["position"] == 0


async def test_the_events_of_a_chain_show_its_retrievals() -> None:
    chain = ChatPromptTemplate.from_messages([("user", "{question}")]) | chat_model()
    seen = [each["event"] async for each in chain.astream_events({"question": QUESTION}, version="v2")]
    assert seen.count("on_retriever_start") == seen.count("on_retriever_end") == seen.count("on_custom_event") >= 1
