"""A language model of LlamaIndex's that looks things up while it writes, alone and inside engines of an app."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("llama_index.core")
pytest.importorskip("torch")

from dynamic_parts import DOCUMENTS, QUESTION, SEARCH, generator, looked_at, progress_of
from langchain_core.messages import BaseMessage
from llama_index.core import PromptTemplate, Settings, VectorStoreIndex
from llama_index.core.base.llms.types import ChatMessage, CompletionResponse, MessageRole
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.llms import LLM, CustomLLM, MockLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.prompts.chat_prompts import CHAT_REFINE_PROMPT
from llama_index.core.prompts.default_prompts import DEFAULT_REFINE_PROMPT, DEFAULT_TEXT_QA_PROMPT
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from dateline import BadInput, Evidence, Interval, ModelFailed
from dateline.dynamic import AttentionQuery, CertainSentence, ChatGenerator, LookAhead, RetrievingGenerator, Rind
from dateline.dynamic.app_prompt import AppLayout
from dateline.dynamic.progress import Context
from dateline.dynamic.prompt import PlainLayout
from dateline.dynamic.queries import QuestionQuery
from dateline.dynamic.triggers import EveryTokens, Firing, Once
from dateline.protocols import SearchResult
from dateline.reading.prompted import question_in
from dateline.temporal import decompose
from dateline.testing import FixedSearch
from langchain_dateline.testing import AnsweringChatModel, ScriptedChatModel
from llama_index.callbacks.dateline import CostEventHandler, EvidenceTraceEventHandler
from llama_index.llms.dateline import LookedUpEvent, RetrievingLLM, as_chat_model
from llama_index.llms.dateline.retrieving import RETRIEVALS

DRAFT = "The director is Anna Berg. She lives there."
FINAL = "The director is Carl Dahl."
CONTEXT = "In 1999 the observatory was painted white.\nQuestion: who painted it?"
NOTE = TextNode(text=CONTEXT, id_="painted")


def says(messages: list[BaseMessage]) -> str:
    return FINAL if DOCUMENTS[0] in str(messages[-1].text) else DRAFT


def chat(respond: Callable[[list[BaseMessage]], str] = says, retriever: Any = SEARCH, **options: Any) -> ChatGenerator:
    model = AnsweringChatModel(respond=respond)
    given: dict[str, Any] = {"trigger": LookAhead(), "query": CertainSentence(0.0), **options}
    return ChatGenerator(model, retriever=retriever, **given)


def local(**options: Any) -> RetrievingGenerator:
    return generator(trigger=Rind(0.02), query=AttentionQuery(), max_new_tokens=16, max_retrievals=2, **options)


def llm(made: RetrievingGenerator | None = None, **options: Any) -> RetrievingLLM:
    return RetrievingLLM(made or chat(), as_of="2024-06-01", **options)


def prompts_of(made: RetrievingLLM) -> list[str]:
    return [str(messages[-1].text) for messages in made.generator.model.history]  # type: ignore[attr-defined]


class Recording(FixedSearch):
    """Keeps when it was asked, and for which time."""

    def __init__(self) -> None:
        super().__init__([Evidence.make(DOCUMENTS[0])])
        self.moments: list[datetime] = []
        self.windows: list[Interval | None] = []

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        self.moments.append(as_of)
        self.windows.append(window)
        return super().search(query, as_of=as_of, k=k, window=window)


class Notes(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=NOTE, score=1.0)]


# -- every way to ask -----------------------------------------------------------------------------


@pytest.mark.parametrize("made", [chat, local])
async def test_all_eight_ways_to_ask_write_the_same(made: Callable[[], RetrievingGenerator]) -> None:
    model = llm(made())
    assert isinstance(model, CustomLLM)
    messages = [ChatMessage(role="user", content=QUESTION)]
    whole = model.complete(QUESTION)
    texts = {
        "acomplete": (await model.acomplete(QUESTION)).text,
        "stream_complete": "".join(each.delta or "" for each in model.stream_complete(QUESTION)),
        "astream_complete": "".join([each.delta or "" async for each in await model.astream_complete(QUESTION)]),
        "chat": model.chat(messages).message.content,
        "achat": (await model.achat(messages)).message.content,
        "stream_chat": "".join(each.delta or "" for each in model.stream_chat(messages)),
        "astream_chat": "".join([each.delta or "" async for each in await model.astream_chat(messages)]),
    }
    assert whole.text
    assert texts == dict.fromkeys(texts, whole.text)


@pytest.mark.parametrize("made", [chat, local])
def test_a_response_shows_its_retrievals_its_ending_and_its_usage(made: Callable[[], RetrievingGenerator]) -> None:
    whole = llm(made()).complete(QUESTION)
    found = whole.additional_kwargs[RETRIEVALS]
    assert {"trigger", "score", "query", "documents", "position"} <= set(found[0])
    assert whole.raw is not None
    assert whole.raw["dateline"]["retrievals"] == len(found) >= 1
    assert whole.raw["usage"]["output_tokens"] > 0
    said = llm(made()).chat([ChatMessage(role="user", content=QUESTION)])
    assert len(said.additional_kwargs[RETRIEVALS]) == len(found)
    assert said.message.additional_kwargs == {}  # an app shows the message to its models again


def test_a_stream_shows_text_before_the_end_and_takes_nothing_back() -> None:
    parts: list[CompletionResponse] = list(
        llm(chat(respond=lambda _: f"{DRAFT} He is well. She is, too.")).stream_complete(QUESTION)
    )
    for earlier, later in pairwise(parts):
        assert later.text == earlier.text + (later.delta or "")
        assert len(later.additional_kwargs[RETRIEVALS]) >= len(earlier.additional_kwargs[RETRIEVALS])
    assert sum(bool(part.delta) for part in parts[:-1]) > 1
    assert [part.raw is not None for part in parts] == [False] * (len(parts) - 1) + [True]


async def test_a_stream_that_nobody_reads_to_its_end_stops() -> None:
    model = llm(local())
    blocking = model.stream_complete(QUESTION)
    next(blocking)
    blocking.close()
    running = await model.astream_complete(QUESTION)
    await anext(running)
    await running.aclose()
    assert model.complete(QUESTION).text


def test_retrievals_and_requests_are_bounded() -> None:
    numbers = iter(range(1000))
    endless = chat(
        respond=lambda _: f"Number {next(numbers)} it was. And more.",
        retriever=FixedSearch([Evidence.make(DOCUMENTS[1])]),
        max_calls=4,
        max_retrievals=2,
    )
    model = llm(endless)
    whole = model.complete(QUESTION)
    assert len(whole.additional_kwargs[RETRIEVALS]) <= 2
    assert len(prompts_of(model)) <= 4


def test_a_text_to_stop_at_ends_the_answer_and_the_generator_stays_as_it_was() -> None:
    made = chat()
    before = made.options
    assert llm(made).complete(QUESTION, stop=["Dahl"]).text == "The director is Carl"
    assert llm(made).complete(QUESTION, stop="Dahl").text == "The director is Carl"
    assert made.options is before
    assert made.search is SEARCH


# -- inside an app --------------------------------------------------------------------------------


@pytest.mark.parametrize("made", [chat, local])
async def test_inside_a_query_engine_it_sees_the_context_and_asks_about_the_question(
    made: Callable[..., RetrievingGenerator],
) -> None:
    asked = FixedSearch([Evidence.make(DOCUMENTS[0])])
    model = llm(made(retriever=asked).with_options(trigger=Once(), query=QuestionQuery()))
    engine = RetrieverQueryEngine.from_args(Notes(), llm=model)
    assert str(engine.query(QUESTION)) == str(await engine.aquery(QUESTION))
    assert asked.history == [QUESTION] * 2
    if isinstance(model.generator, ChatGenerator):
        assert CONTEXT in prompts_of(model)[-1]
        assert DOCUMENTS[0] in prompts_of(model)[-1]


@pytest.mark.parametrize("mode", [ResponseMode.REFINE, ResponseMode.COMPACT, ResponseMode.TREE_SUMMARIZE])
def test_it_serves_every_kind_of_response_synthesis(mode: ResponseMode) -> None:
    asked = FixedSearch([Evidence.make(DOCUMENTS[0])])
    model = llm(chat(retriever=asked, trigger=Once(), query=QuestionQuery()))
    nodes = [NodeWithScore(node=TextNode(text=f"{CONTEXT} {number}")) for number in range(3)]

    class Three(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return nodes

    assert str(RetrieverQueryEngine.from_args(Three(), llm=model, response_mode=mode).query(QUESTION)) == FINAL
    assert set(asked.history) == {QUESTION}
    assert len(asked.history) == (3 if mode == ResponseMode.REFINE else 1)


def test_settings_take_it_and_a_streaming_engine_streams_it() -> None:
    before = Settings._llm
    Settings.llm = llm()
    try:
        index = VectorStoreIndex([NOTE], embed_model=MockEmbedding(8))
        response: Any = index.as_query_engine(streaming=True).query(QUESTION)
        assert "".join(response.response_gen) == FINAL
    finally:
        Settings._llm = before


def test_a_chat_engine_s_context_is_seen_and_a_follow_up_asks_the_question_before_again() -> None:
    asked = FixedSearch([Evidence.make(DOCUMENTS[0])])
    model = llm(chat(retriever=asked, trigger=Once(), query=QuestionQuery()))
    engine = ContextChatEngine.from_defaults(
        retriever=Notes(), llm=model, memory=ChatMemoryBuffer.from_defaults(token_limit=3000)
    )
    assert str(engine.chat("Who was the director in 2015?")) == FINAL
    engine.chat("And in 2021?")
    assert CONTEXT in prompts_of(model)[0]
    assert asked.history[0] == "Who was the director in 2015?"
    assert "director" in asked.history[1]
    assert "painted" not in asked.history[1]
    assert "2021" in asked.history[1]
    assert asked.history[1] in prompts_of(model)[1]


def test_handlers_hear_of_each_retrieval_and_of_what_it_cost() -> None:
    heard: list[Any] = []

    class Keeps(BaseEventHandler):
        def handle(self, event: Any, **kwargs: Any) -> None:
            heard.append(event)

    root, keeps = get_dispatcher(), Keeps()
    root.add_event_handler(keeps)
    try:
        with EvidenceTraceEventHandler() as trace, CostEventHandler() as cost:
            RetrieverQueryEngine.from_args(Notes(), llm=llm()).query(QUESTION)
    finally:
        root.event_handlers.remove(keeps)
    [seen] = [event for event in heard if isinstance(event, LookedUpEvent)]
    assert (seen.trigger, seen.query) == ("look ahead", "The director is Anna Berg.")
    [answer] = trace.answers
    assert [each.by for each in answer.retrievals] == ["Notes", "LookUp"]
    assert DOCUMENTS[0] in [piece.text for piece in answer.retrievals[1].evidence]
    assert (cost.total.model_calls, cost.total.searches) == (1, 2)
    assert cost.total.output_tokens > 0


def test_a_retriever_of_llama_index_tells_of_itself_once() -> None:
    with EvidenceTraceEventHandler() as trace:
        told = llm(chat(retriever=Notes())).complete(QUESTION).additional_kwargs[RETRIEVALS]
    assert [each.by for each in trace.answers[-1].retrievals] == ["Notes"] * len(told)


def test_a_retriever_that_fails_ends_nothing() -> None:
    whole = llm(chat(retriever=FixedSearch(error=ConnectionError("down")))).complete(QUESTION)
    assert whole.text.startswith("The director is Anna Berg.")
    assert whole.raw is not None
    assert "failed" in whole.raw["dateline"]["statement"]


def test_it_asks_a_model_of_llama_index_as_well() -> None:
    inner = MockLLM(max_tokens=3)
    made = ChatGenerator(as_chat_model(inner), retriever=SEARCH, trigger=EveryTokens(2), max_calls=3)
    assert llm(made).complete(QUESTION).text.startswith("text")


# -- the question in a prompt ---------------------------------------------------------------------


@pytest.mark.parametrize("template", [DEFAULT_TEXT_QA_PROMPT, DEFAULT_REFINE_PROMPT, CHAT_REFINE_PROMPT])
@pytest.mark.parametrize("question", [QUESTION, "Two lines:\nwho leads it, and since when?"])
def test_the_question_is_found_in_the_prompts_of_llama_index(template: Any, question: str) -> None:
    given = {"context_str": CONTEXT, "context_msg": CONTEXT, "existing_answer": "Anna Berg"}
    wanted = {name: value for name, value in given.items() if name in template.template_vars}
    assert question_in(template.format(query_str=question, **wanted)) == question


def test_what_has_no_mark_is_the_question_and_another_form_can_be_read() -> None:
    assert question_in(f" {QUESTION} ") == QUESTION
    template = PromptTemplate("Notes: {notes}\nAsked: {query_str}")
    asked = FixedSearch([Evidence.make(DOCUMENTS[0])])
    made = chat(retriever=asked, trigger=Once(), query=QuestionQuery())
    model = llm(made, question_of=lambda prompt: prompt.rpartition("Asked: ")[2])
    model.predict(template, notes=CONTEXT, query_str=QUESTION)
    assert asked.history == [QUESTION]


def test_a_time_in_the_context_is_not_asked_about() -> None:
    asked = Recording()
    model = llm(chat(retriever=asked, trigger=Once(), query=QuestionQuery()))
    model.complete(DEFAULT_TEXT_QA_PROMPT.format(query_str=QUESTION, context_str="In 1999 it rained."))
    model.complete(DEFAULT_TEXT_QA_PROMPT.format(query_str="Who led it in 2015?", context_str="In 1999 it rained."))
    assert [window.isoformat() if window else None for window in asked.windows] == [None, "2015"]


def test_a_query_of_question_and_answer_takes_no_word_of_the_context() -> None:
    written = f"Context: {CONTEXT}\nQuery: {QUESTION}"
    progress = progress_of("The director is Carl Dahl")
    prompt = AppLayout(PlainLayout(), written).prompt(QUESTION, documents=(), as_of=None)
    assert prompt.text[slice(*prompt.question)] == QUESTION
    tokenizer = progress.context.tokenizer
    progress.context = Context(prompt, tuple(tokenizer(prompt.text)["input_ids"]), tokenizer)
    token = progress.answer.token_at(progress.answer.text.index("Dahl"))
    looked_at(progress, row=token, weights={"painted": 0.9, "Northern": 0.5, "Query": 0.8})
    firing = Firing(token, 1.0, "test", "test", token)
    assert AttentionQuery(1, scope="question and answer").text(progress, firing=firing) == "Northern"
    assert AttentionQuery(1, scope="everything").text(progress, firing=firing) == "painted"


def test_a_question_taken_apart_asks_of_the_day_that_it_is_asked_on() -> None:
    asked = Recording()
    made = chat(retriever=asked, trigger=Once(), query=QuestionQuery())
    question = decompose("Who led it last year?", as_of=datetime(2024, 6, 1, tzinfo=UTC))
    made.generate(question)
    made.generate(question, as_of="2020")
    assert [moment.year for moment in asked.moments] == [2024, 2020]
    assert [window.isoformat() for window in asked.windows if window] == ["2023", "2019"]


def test_the_asking_moment_is_one_s_own_or_when_called() -> None:
    asked = Recording()
    noon = datetime(2030, 1, 2, tzinfo=UTC)
    model = RetrievingLLM(chat(retriever=asked, trigger=Once()), clock=lambda: noon)
    model.complete(QUESTION)
    model.at("2020-05").complete(QUESTION)
    assert asked.moments[0] == noon
    assert asked.moments[1].year == 2020
    assert model.as_of is None


# -- refusals -------------------------------------------------------------------------------------


def test_what_cannot_be_used_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match="no generator"):
        RetrievingLLM(MockLLM())  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="hold must be 0"):
        llm(hold=-1)
    with pytest.raises(BadInput):
        RetrievingLLM(chat(), as_of="soon")
    with pytest.raises(BadInput, match="at least one visible character"):
        llm().complete("  ")
    silent: list[Sequence[ChatMessage]] = [[], [ChatMessage(role=MessageRole.ASSISTANT, content="Hello.")]]
    for messages in silent:
        with pytest.raises(BadInput, match="no question"):
            llm().chat(messages)
    broken = ChatGenerator(ScriptedChatModel(replies=[RuntimeError("no")]), retriever=SEARCH, trigger=LookAhead())
    with pytest.raises(ModelFailed):
        llm(broken).complete(QUESTION)


def test_what_is_given_stays_as_it_was() -> None:
    messages = [ChatMessage(role="system", content="Be brief."), ChatMessage(role="user", content=QUESTION)]
    before = [message.model_dump_json() for message in messages]
    node = NOTE.model_dump_json()
    RetrieverQueryEngine.from_args(Notes(), llm=llm()).query(QUESTION)
    llm().chat(messages)
    assert [message.model_dump_json() for message in messages] == before
    assert NOTE.model_dump_json() == node


def test_it_tells_its_sizes_and_can_be_written_as_json() -> None:
    model: LLM = llm(chat(context_tokens=4000, max_new_tokens=100))
    assert 2000 <= model.metadata.context_window < 4000
    assert model.metadata.num_output == 100
    written = json.loads(model.to_json())
    assert (written["class_name"], written["as_of"][:10]) == ("RetrievingLLM", "2024-06-01")
    assert "generator" not in written
