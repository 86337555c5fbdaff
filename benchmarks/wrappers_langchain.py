"""LangChain's drop-ins, each beside the piece inside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.callbacks import BaseCallbackHandler, CallbackManagerForLLMRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import BaseChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig, RunnableLambda, RunnableSerializable
from langchain_core.tools import StructuredTool, tool
from langchain_core.vectorstores import InMemoryVectorStore
from wrappers_timing import Call, Case
from wrappers_world import NOW, REAL, AgentModel, Learner, Sure, World, documents

from dateline import Evidence, Reading
from dateline.certainty import Gate
from dateline.certainty.batch_estimator import estimate_each
from dateline.certainty.rerank import rerank
from dateline.documents.stamp import stamp_all
from dateline.evaluation import AnswerCase, RuleAnswerJudge
from dateline.evidence import FreshPrompt
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.ranking import HybridRanker
from dateline.reading import local_reader
from dateline.reading.history import Turn
from dateline.reading.rewriting import RuleRewriter
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_graphs import AnswerOptions, answer_graph, ask_as_of
from dateline_graphs.components import default_components
from langchain_dateline import (
    AdaptiveRetriever,
    CertaintyCallbackHandler,
    CertaintyGate,
    CostCallbackHandler,
    DateStamper,
    EvidenceRetriever,
    EvidenceTraceCallbackHandler,
    FactStoreCallbackHandler,
    FactStoreRetriever,
    FreshEval,
    FreshnessCallbackHandler,
    FreshPromptTemplate,
    ReaderChatModel,
    ReaderRunnable,
    RetrievingChatModel,
    StandaloneQuestion,
    TemporalReranker,
    TemporalRetriever,
    evidence_of_document,
)
from langchain_dateline.middleware import (
    AnswerFreshness,
    DatedToolResults,
    DatelineMiddleware,
    DatelinePrompt,
    FactEdits,
)

BEST = 5
"""Documents that a retriever returns."""


class Ready(BaseRetriever):
    """An instant retriever."""

    found: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return self.found


class ReadyRunnable(RunnableSerializable[Any, Any]):
    """An instant runnable."""

    given: Any

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """What it was given."""
        return self._call_with_config(lambda _: self.given, input, config)


class ReadyPrompt(BaseChatPromptTemplate):
    """An instant prompt."""

    ready: list[Any]

    def format_messages(self, **kwargs: Any) -> list[BaseMessage]:
        """What it was given."""
        return self.ready

    def pretty_repr(self, html: bool = False) -> str:
        """Nothing."""
        return ""


class ReadyModel(BaseChatModel):
    """An instant chat model."""

    @property
    def _llm_type(self) -> str:
        return "ready"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage("Person 2010"))])


class Silent(BaseCallbackHandler):
    """Hears everything, does nothing."""


def langchain_cases(world: World) -> dict[str, Callable[[], Case]]:
    """By name; each is made when it is its turn."""
    made: dict[str, Callable[[], Case]] = {
        "TemporalReranker": lambda: _reranker(world),
        "TemporalRetriever, over a retriever": lambda: _over_a_retriever(world),
        "TemporalRetriever, over a vector store": lambda: _over_a_store(world),
        "AdaptiveRetriever, first round": lambda: _first_round(world),
        "AdaptiveRetriever, asked again": lambda: _asked_again(world),
        "EvidenceRetriever": lambda: _evidence(world),
        "FactStoreRetriever": lambda: _facts(world),
        "DateStamper": lambda: _stamper(world),
        "FreshPromptTemplate": lambda: _prompt(world),
        "ReaderRunnable": lambda: _reader(world),
        "ReaderChatModel": lambda: _reader_model(world),
        "StandaloneQuestion, rules": lambda: _standalone(world),
        "FreshEval, rules, relaxed": lambda: _fresh_eval(world, strict=False),
        "FreshEval, rules, strict": lambda: _fresh_eval(world, strict=True),
        "CertaintyGate": lambda: _gate(world),
        "RetrievingChatModel": lambda: _generation(world),
        "the three callback handlers together": lambda: _callbacks(world),
        "CertaintyCallbackHandler": lambda: _background(world, CertaintyCallbackHandler(Sure())),
        "FactStoreCallbackHandler": lambda: _background(world, FactStoreCallbackHandler(Learner())),
        "ask_as_of": lambda: _tool(world),
    }
    for name, middleware in _MIDDLEWARE.items():
        made[name] = lambda middleware=middleware: _middleware(world, middleware())
    return made


# -- retrieval --------------------------------------------------------------------------------


def _reranker(world: World) -> Case:
    ranker = HybridRanker(embeddings=world.embeddings)
    reranker, notes = TemporalReranker(as_of=NOW, embeddings=world.embeddings), documents(world.pieces)
    return Case(
        lambda i: ranker.rank(world.asked(i), evidence=world.pieces, k=len(notes)),
        lambda i: reranker.compress_documents(notes, world.question(i)),
    )


def _over_a_retriever(world: World) -> Case:
    ranker, notes = HybridRanker(embeddings=world.embeddings), documents(world.pieces)
    inner = Ready(found=notes)
    retriever = TemporalRetriever(
        retriever=inner, reranker=TemporalReranker(as_of=NOW, embeddings=world.embeddings), k=BEST
    )

    def found_and_ranked(i: int) -> Any:
        question = world.asked(i)
        inner.invoke(question.content)
        return ranker.rank(question, evidence=world.pieces, k=BEST)

    return Case(found_and_ranked, lambda i: retriever.invoke(world.question(i)), _ready(notes[:BEST]))


def _over_a_store(world: World) -> Case:
    ranker = HybridRanker(embeddings=world.embeddings)
    world.embed(ranker)
    store = InMemoryVectorStore.from_documents(documents(world.stored), world.embeddings)
    retriever = TemporalRetriever(
        retriever=store,
        reranker=TemporalReranker(as_of=NOW, embeddings=world.embeddings),
        candidates=world.sizes.candidates,
        k=BEST,
    )
    places = {piece.text: piece for piece in world.stored}

    def found_and_ranked(i: int) -> Any:
        question = world.asked(i)
        found = store.similarity_search(question.content, k=world.sizes.candidates)
        return ranker.rank(question, evidence=[places[each.page_content] for each in found], k=BEST)

    return Case(found_and_ranked, lambda i: retriever.invoke(world.question(i)), _ready(documents(world.pieces[:BEST])))


def _first_round(world: World) -> Case:
    store = InMemoryVectorStore.from_documents(documents(world.stored), world.embeddings)
    retriever = AdaptiveRetriever(retriever=store, embeddings=world.embeddings)
    size = retriever.k + retriever.pool
    return Case(
        lambda i: store.similarity_search(world.question(i), k=size)[: retriever.k],
        lambda i: retriever.invoke(world.question(i)),
        _ready(documents(world.pieces[:3])),
    )


def _asked_again(world: World) -> Case:
    store = InMemoryVectorStore.from_documents(documents(world.stored), world.embeddings)
    retriever = AdaptiveRetriever(retriever=store, embeddings=world.embeddings)
    places = {piece.text: piece for piece in world.stored}
    size = retriever.k + retriever.pool

    def again(i: int) -> Any:
        question = world.question(i)
        found = store.similarity_search(question, k=size)[retriever.k :]
        return rerank(
            [places[each.page_content] for each in found],
            question=question,
            answer="Person 2010",
            reliable=0.4,
            embeddings=world.embeddings,
            k=retriever.k,
            skip=0,
            pool=retriever.candidates,
        )

    for place in range(len(world.questions)):
        again(place)  # embeds what will be ranked
    return Case(
        again,
        lambda i: retriever.invoke(world.question(i), answer="Person 2010", reliable=0.4),
        _ready(documents(world.pieces[:3])),
    )


def _evidence(world: World) -> Case:
    retriever = EvidenceRetriever(search=world.search, as_of=NOW)
    return Case(
        lambda i: world.search.search(world.question(i), as_of=NOW, k=10),
        lambda i: retriever.invoke(world.question(i)),
        _ready(documents(world.pieces[:10])),
    )


def _facts(world: World) -> Case:
    retriever = FactStoreRetriever(store=world.facts)
    return Case(
        lambda i: world.facts.search(world.question(i), k=10),
        lambda i: retriever.invoke(world.question(i)),
        _ready(retriever.invoke(world.question(0))),
    )


def _stamper(world: World) -> Case:
    notes, stamper = documents(world.pieces), DateStamper()
    return Case(
        lambda i: [one.metadata() for one in stamp_all([(note.page_content, note.metadata) for note in notes])],
        lambda i: stamper.transform_documents(notes),
    )


def _ready(found: list[Document]) -> Call:
    ready = Ready(found=found)
    return lambda i: ready.invoke("a question")


# -- prompts, readers, judges -----------------------------------------------------------------


def _prompt(world: World) -> Case:
    prompt, template = FreshPrompt(), FreshPromptTemplate(as_of=NOW)
    ready = ReadyPrompt(
        input_variables=["question"],
        ready=prompt.build(world.asked(0), evidence=world.evidence).messages(),
    )
    return Case(
        lambda i: prompt.build(world.asked(i), evidence=world.evidence).messages(),
        lambda i: template.invoke({"question": world.question(i), "evidence": world.evidence}),
        lambda i: ready.invoke({"question": world.question(i), "evidence": world.evidence}),
    )


def _reader(world: World) -> Case:
    reader, few = local_reader(), world.few
    step, notes = ReaderRunnable(reader=reader, as_of=NOW), documents(few)
    return Case(
        lambda i: reader.read(world.asked(i), evidence=few),
        lambda i: step.invoke({"question": world.question(i), "documents": notes}),
        _ready_runnable({"answer": "x"}),
    )


def _reader_model(world: World) -> Case:
    reader, few = local_reader(), world.few
    model, ready = ReaderChatModel(reader=reader, as_of=NOW), ReadyModel()
    passages = "\n\n".join(f"date: {piece.published}\ntitle: {piece.title}\n{piece.text}" for piece in few)

    def messages(i: int) -> list[BaseMessage]:
        return [HumanMessage(f"Context:\n{passages}\n\nQuestion: {world.question(i)}")]

    return Case(
        lambda i: reader.read(world.asked(i), evidence=few),
        lambda i: model.invoke(messages(i)),
        lambda i: ready.invoke(messages(i)),
    )


def _standalone(world: World) -> Case:
    turns = [
        Turn("user" if turn % 2 == 0 else "assistant", world.pieces[turn].text[:200])
        for turn in range(world.sizes.turns)
    ]
    history = [{"role": turn.role, "content": turn.content} for turn in turns]
    rewriter, step = RuleRewriter(), StandaloneQuestion(as_of=NOW)
    return Case(
        lambda i: rewriter.rewrite("And in 2015?", history=turns, as_of=NOW),
        lambda i: step.invoke({"input": "And in 2015?", "chat_history": history}),
        _ready_runnable("x"),
    )


def _fresh_eval(world: World, *, strict: bool) -> Case:
    mode: Any = "strict" if strict else "relaxed"
    judge, step = RuleAnswerJudge(mode), FreshEval(mode=mode)
    long = world.sizes is REAL
    case: Any = {
        "question": "Who was the director of the observatory in 2010?",
        "answer": " ".join(["Person 2010 was.", *([world.evidence[0].text] if long else [])]),
        "golds": ["Person 2010", "P. 2010", "the person of 2010"] if long else ["Person 2010"],
    }
    if strict:
        case["evidence"] = [piece.text for piece in (world.evidence if long else world.pieces)[:10]]
    return Case(lambda i: judge.judge(AnswerCase(**case)), lambda i: step.invoke(case), _ready_runnable("x"))


def _ready_runnable(given: Any) -> Call:
    ready = ReadyRunnable(given=given)
    return lambda i: ready.invoke({"question": "a question"})


# -- models, gates, tools ---------------------------------------------------------------------


def _gate(world: World) -> Case:
    """One round over three documents, each read alone."""
    reader = local_reader()
    step, estimator = ReaderRunnable(reader=reader, as_of=NOW), Sure()
    inner = Ready(found=documents(world.pieces))
    retriever = AdaptiveRetriever(retriever=inner, embeddings=world.embeddings)

    def chain(given: dict[str, Any]) -> Any:
        return step.invoke({"question": given["question"], "documents": retriever.invoke(given["question"])})

    gate = CertaintyGate(
        chain=RunnableLambda(chain),
        retriever=retriever,
        estimator=estimator,
        per_document=True,
        gate=Gate(max_rounds=0),
        as_of=NOW,
    )
    each = [
        RunnableLambda(lambda given, note=note: step.invoke({**given, "documents": [note]})) for note in inner.found
    ]
    evidence = [evidence_of_document(note) for note in inner.found[: retriever.k]]

    def by_hand(i: int) -> Any:
        question = world.asked(i)
        inner.invoke(question.text)
        outputs = [one.invoke({"question": question.text}) for one in each[: retriever.k]]
        readings = [Reading(answer=output["answer"]) for output in outputs]
        return estimate_each(estimator, question, evidence=evidence, readings=readings)

    return Case(by_hand, lambda i: gate.invoke({"question": world.question(i)}), _ready_runnable("x"))


def _generation(world: World) -> Case:
    generator = world.generator()
    model, ready = RetrievingChatModel(generator=generator, as_of=NOW), ReadyModel()
    return Case(
        lambda i: generator.generate(world.asked(i)),
        lambda i: model.invoke(world.question(i)),
        lambda i: ready.invoke(world.question(i)),
        waited=world.writing,
    )


def _tool(world: World) -> Case:
    parts = default_components(search=world.search, options=AnswerOptions(), embeddings=world.embeddings)
    graph, asking = answer_graph(parts).compile(), ask_as_of(parts)
    ready = StructuredTool.from_function(lambda question: "x", name="ready", description="Says x.")
    return Case(
        lambda i: graph.invoke({"question": world.question(i), "as_of": "2024-06-01"}),
        lambda i: asking.invoke({"question": world.question(i), "as_of": "2024-06-01"}),
        lambda i: ready.invoke({"question": world.question(i)}),
    )


# -- callbacks and middleware -----------------------------------------------------------------


def _callbacks(world: World) -> Case:
    """On a retriever that ranks what another one finds."""
    return _heard(world, [EvidenceTraceCallbackHandler(), FreshnessCallbackHandler(as_of=NOW), CostCallbackHandler()])


def _background(world: World, handler: BaseCallbackHandler) -> Case:
    """What the app pays for, in its own thread."""
    return _heard(world, [handler], clock="thread")


def _heard(world: World, handlers: list[BaseCallbackHandler], *, clock: Any = "processor") -> Case:
    retriever = TemporalRetriever(
        retriever=Ready(found=documents(world.pieces)),
        reranker=TemporalReranker(as_of=NOW, embeddings=RememberedEmbeddings(world.embeddings)),
        k=BEST,
    )
    chain = RunnableLambda(lambda question: " ".join(each.page_content for each in retriever.invoke(question)))
    silent: Any = [Silent() for _ in handlers]

    def without(i: int) -> Any:
        return chain.invoke(world.question(i))

    def nothing(question: str) -> str:
        return question

    # A chain around nothing with handlers that do nothing; the same chain without a handler is in the piece.
    ready = RunnableLambda(nothing)
    return Case(
        without,
        lambda i: chain.invoke(world.question(i), {"callbacks": handlers}),
        lambda i: ready.invoke(world.question(i), {"callbacks": silent}),
        clock=clock,
    )


class _Idle(Learner):
    """An updater that takes no time, with the review queue that `FactEdits` asks for."""

    def __init__(self) -> None:
        store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        self.review_queue = LocalUpdater(store).review_queue

    async def aupdate(self, evidence: Sequence[Evidence], *, known_at: datetime) -> list[Any]:
        """Learns nothing."""
        return []


_MIDDLEWARE: dict[str, Callable[[], AgentMiddleware[Any, Any, Any]]] = {
    "DatelineMiddleware": lambda: DatelineMiddleware(as_of=NOW),
    "DatelineMiddleware, with an updater": lambda: DatelineMiddleware(as_of=NOW, updater=_Idle()),
    "DatelinePrompt": lambda: DatelinePrompt(as_of=NOW),
    "DatedToolResults": lambda: DatedToolResults(as_of=NOW),
    "AnswerFreshness": lambda: AnswerFreshness(as_of=NOW),
    "FactEdits": lambda: FactEdits(_Idle(), as_of=NOW),
}


def _middleware(world: World, middleware: AgentMiddleware[Any, Any, Any]) -> Case:
    """An agent with one search and two calls of a model, without and with it."""
    few = documents(world.evidence[:10])

    @tool(response_format="content_and_artifact")
    def web_search(query: str) -> tuple[str, list[Document]]:
        """Search the web."""
        return "\n\n".join(each.page_content for each in few), few

    plain = create_agent(AgentModel(), [web_search])
    aware = create_agent(AgentModel(), [web_search], middleware=[middleware])
    return Case(
        lambda i: plain.invoke({"messages": [("user", world.question(i))]}),
        lambda i: aware.invoke({"messages": [("user", world.question(i))]}),
        waited=2 * world.sizes.wait,
    )
