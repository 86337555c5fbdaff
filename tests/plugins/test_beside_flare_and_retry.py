"""The frameworks' FLARE and retrying engines beside ours, on the same input: what goes wrong there, and does not here.

As in `test_beside_built_in_components.py`, each test first shows the fault in the released version that is installed.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest

pytest.importorskip("langchain_classic")
pytest.importorskip("llama_index.core")
pytest.importorskip("transformers")

from langchain_classic.chains.flare.base import FlareChain
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import PromptTemplate
from langchain_core.retrievers import BaseRetriever as LangChainRetriever
from llama_index.core import Settings
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response, StreamingResponse
from llama_index.core.callbacks import CallbackManager
from llama_index.core.evaluation import BaseEvaluator, EvaluationResult
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata, MockLLM
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.query_engine import FLAREInstructQueryEngine, RetryQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from dateline import Certainty, Cost, Evidence, Interval, Question, Reading
from dateline.certainty import Gate
from dateline.dynamic import DynamicGenerator, Flare
from dateline.dynamic.triggers import EveryTokens
from dateline.dynamic.values import TokenEvent
from dateline.protocols import ReadResult, SearchResult
from dateline.testing import TinyModel, tiny_causal_model
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline.testing import ScriptedChatModel
from llama_index.query_engine.dateline import CertaintyQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer

QUESTION = "Who is the director of the harbour?"
OLD, NEW = "The director of the harbour is Eva Holm.", "The director of the harbour is Jon Lund."


@cache
def tiny() -> TinyModel:
    return tiny_causal_model()


def ours(retriever: Any, **options: Any) -> DynamicGenerator:
    """FLARE of dateline around a transformers model; its weights are random, so it is in doubt at once."""
    given: dict[str, Any] = {"trigger": Flare(0.9), "max_new_tokens": 12, "max_retrievals": 2, **options}
    return DynamicGenerator(tiny().model, tokenizer=tiny().tokenizer, retriever=retriever, **given)


# -- LangChain's FlareChain -------------------------------------------------------------------------


class _Notes(LangChainRetriever):
    """Two notes of different days, whatever is asked."""

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        return [Document(OLD, metadata={"date": "1999-02-03"}), Document(NEW, metadata={"date": "2024-02-03"})]


def test_any_model_will_do_and_not_one_class_of_one_provider() -> None:
    with pytest.raises((ImportError, TypeError), match="OpenAI"):
        FlareChain.from_llm(ScriptedChatModel(replies=["Jon Lund FINISHED"]), retriever=_Notes())
    assert ours(_Notes()).generate(QUESTION).retrievals, "a model of transformers, and LangChain's own retriever"


def test_a_chain_made_by_hand_needs_the_log_probabilities_in_the_form_of_that_provider() -> None:
    model = ScriptedChatModel(replies=["Jon Lund FINISHED"])
    chain = FlareChain(
        response_chain=PromptTemplate.from_template("{user_input}{context}{response}") | model,
        question_generator_chain=PromptTemplate.from_template("{user_input}") | model | StrOutputParser(),
        retriever=_Notes(),
    )
    with pytest.raises(KeyError, match="logprobs"):
        chain.invoke({"user_input": QUESTION})
    generation = ours(_Notes()).generate(QUESTION)
    told = [token.probability for token in generation.tokens]
    assert all(each is not None and 0 <= each <= 1 for each in told), "the model itself says them here"


def test_what_was_published_after_the_asking_day_is_not_looked_up() -> None:
    found = ours(_Notes()).generate(QUESTION, as_of=datetime(2010, 1, 1, tzinfo=UTC))
    assert {piece.text for each in found.retrievals for piece in each.documents} == {OLD}
    late = ours(_Notes()).generate(QUESTION, as_of=datetime(2024, 6, 1, tzinfo=UTC))
    assert NEW in {piece.text for each in late.retrievals for piece in each.documents}


# -- LlamaIndex's FLARE -----------------------------------------------------------------------------


class _Says(CustomLLM):
    """Says the given texts in turn, then the last one again."""

    texts: list[str]
    said: int = 0

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        text = self.texts[min(self.said, len(self.texts) - 1)]
        self.said += 1
        return CompletionResponse(text=text)

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        yield self.complete(prompt)


class _Engine(BaseQueryEngine):
    """An engine with a blocking and an async way; keeps which was taken, in which thread, with which words."""

    def __init__(self, *, streams: bool = False) -> None:
        super().__init__(CallbackManager([]))
        self.streams = streams
        self.ways: list[str] = []
        self.threads: list[int] = []
        self.asked: list[str] = []

    def _get_prompt_modules(self) -> dict[str, Any]:
        return {}

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return self._answer("sync", query_bundle)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return self._answer("async", query_bundle)

    def _answer(self, way: str, query: QueryBundle) -> RESPONSE_TYPE:
        self.ways.append(way)
        self.threads.append(threading.get_ident())
        self.asked.append(query.query_str)
        if self.streams:
            return StreamingResponse(response_gen=_tokens("Jon Lund"))
        return Response("Jon Lund")


def _tokens(text: str) -> Generator[str, None, None]:
    yield from text.split()


def flare(*texts: str, engine: _Engine | None = None) -> FLAREInstructQueryEngine:
    return FLAREInstructQueryEngine(engine or _Engine(), llm=_Says(texts=list(texts)), max_iterations=3)


class _Awaited:
    """A search that may only be awaited."""

    def __init__(self) -> None:
        self.threads: list[int] = []

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        raise AssertionError("The blocking way was taken.")

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        await asyncio.sleep(0)
        self.threads.append(threading.get_ident())
        return SearchResult(evidence=(Evidence.make(NEW),), cost=Cost(searches=1))


def test_an_answer_with_done_in_a_word_is_neither_ended_nor_mutilated_by_it() -> None:
    there = flare("The pier was abandoned in 2003.").query(QUESTION)
    assert str(there).strip() == "The pier was aband in 2003.", "it ends there, and letters are cut out"
    here = ours(_Notes(), trigger=EveryTokens(4)).generate(QUESTION)
    assert here.text == "".join(token.text for token in here.tokens).strip(), "every kept token is in the text"


def test_a_bracket_in_an_answer_is_not_a_command() -> None:
    with pytest.raises(IndexError):
        flare("Jon Lund [1] is the director.").query(QUESTION)
    cited = [Document(f"{NEW} [1] [Search(of nothing", metadata={})]

    class Cited(LangChainRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
            return cited

    assert ours(Cited()).generate(f"{QUESTION} [1]").retrievals


async def test_awaiting_an_answer_awaits_what_is_inside() -> None:
    engine = _Engine()
    await flare("He is [Search(director of the harbour)]", "Jon Lund", "Jon Lund, done", engine=engine).aquery(QUESTION)
    assert set(engine.ways) == {"sync"}, "the engine's async way is never taken there"
    assert set(engine.threads) == {threading.get_ident()}, "the event loop is blocked there"
    search = _Awaited()
    found = await ours(search).agenerate(QUESTION)
    assert len(search.threads) == len(found.retrievals) > 0


def test_an_answer_can_be_streamed() -> None:
    streaming = flare("He is [Search(director of the harbour)]", engine=_Engine(streams=True))
    with pytest.raises(ValueError, match="Expected Response"):
        streaming.query(QUESTION)
    with ours(_Notes()).stream(QUESTION) as events:
        first = next(event for event in events if isinstance(event, TokenEvent))
    assert first.token.text is not None
    assert events.generation.ended == "interrupted", "the first token is there long before the last"


# -- LlamaIndex's RetryQueryEngine ------------------------------------------------------------------


class _Never(BaseEvaluator):
    """Finds no answer good enough."""

    def _get_prompts(self) -> PromptDictType:
        return {}

    def _update_prompts(self, prompts: PromptDictType) -> None:
        """There are none."""

    async def aevaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        return EvaluationResult(query=query, response=response, passing=False, feedback="NO")


class _Nodes(BaseRetriever):
    """Nodes one behind the other; may only be awaited where `awaited` says so."""

    def __init__(self, *, awaited: bool = False) -> None:
        super().__init__()
        self.awaited = awaited
        self.asked: list[str] = []

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        assert not self.awaited, "The blocking way was taken."
        return self._found(query_bundle)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._found(query_bundle)

    def _found(self, query: QueryBundle) -> list[NodeWithScore]:
        self.asked.append(query.query_str)
        texts = (f"The harbour closed berth {number}." for number in range(4))
        return [NodeWithScore(node=TextNode(text=text), score=0.5) for text in texts]


class _Reads:
    """A reader that gives the number of the berth."""

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        return ReadResult(Reading(answer=evidence[0].text.split()[-1].rstrip("."), probability=0.5), Cost())

    async def aread(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> ReadResult:
        return self.read(question, evidence=evidence, choices=choices)


class _Doubts:
    """Trusts no answer."""

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        return Certainty(reliable=0.1, misleading=0.0, uncertain=0.9)

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        return self.estimate(question, evidence=evidence, reading=reading)


def gated(nodes: _Nodes) -> CertaintyQueryEngine:
    return CertaintyQueryEngine(
        nodes,
        response_synthesizer=ReaderSynthesizer(_Reads()),
        estimator=_Doubts(),
        gate=Gate(max_rounds=1, abstain_below=0.5),
        embeddings=LexicalEmbeddings(),
        abstention="I cannot tell.",
        k=1,
    )


@pytest.fixture
def mocked_settings() -> Iterator[None]:
    """A language model that retrying wants, though it asks it nothing."""
    before, Settings.llm = Settings._llm, MockLLM()
    yield
    Settings._llm = before


@pytest.mark.usefixtures("mocked_settings")
async def test_retrying_does_not_block_who_awaits_it() -> None:
    inner = _Engine()
    await RetryQueryEngine(inner, evaluator=_Passes(), max_retries=2).aquery(QUESTION)
    assert (inner.ways, set(inner.threads)) == (["sync"], {threading.get_ident()}), "blocked in the event loop there"
    nodes = _Nodes(awaited=True)
    await gated(nodes).aquery(QUESTION)
    assert nodes.asked


class _Passes(_Never):
    """Finds every answer good enough, and may be called inside an event loop."""

    def evaluate(
        self,
        query: str | None = None,
        response: str | None = None,
        contexts: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        return EvaluationResult(query=query, response=response, passing=True, feedback="YES")


@pytest.mark.usefixtures("mocked_settings")
def test_retrying_keeps_the_question_and_reads_something_else() -> None:
    inner = _Engine()
    RetryQueryEngine(inner, evaluator=_Never(), max_retries=1).query(QUESTION)
    assert inner.asked[0] == QUESTION
    assert "Jon Lund" in inner.asked[1], "the bad answer is part of the question there"
    nodes = _Nodes()
    response = gated(nodes).query(QUESTION)
    assert nodes.asked == [QUESTION]
    assert response.metadata is not None
    assert response.metadata["dateline"]["rounds"] == 1, "another node was read"


@pytest.mark.usefixtures("mocked_settings")
def test_an_answer_that_was_never_good_enough_is_not_given_as_if_it_were() -> None:
    there = RetryQueryEngine(_Engine(), evaluator=_Never(), max_retries=1).query(QUESTION)
    assert (str(there), there.metadata) == ("Jon Lund", None), "nothing tells that it failed there"
    here = gated(_Nodes()).query(QUESTION)
    assert here.metadata is not None
    assert (str(here), here.metadata["dateline"]["decision"]["outcome"]) == ("I cannot tell.", "abstain")
