"""Code as the pages of the documentation have their readers write it; it is type-checked, never run."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import ConfigurableField, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from llama_index.core import VectorStoreIndex
from llama_index.core.llms import MockLLM
from llama_index.core.memory import Memory
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.tools import QueryEngineTool
from typing_extensions import TypedDict

from dateline import AsOf, BadInput, Certainty, Evidence, Interval, Question, Reading, read_moment
from dateline.certainty import CheckedReader, Gate
from dateline.dynamic import AnyOf, Bm25Search, CertainSentence, ChatGenerator, LookAhead, Outdated
from dateline.dynamic.triggers import Once
from dateline.evaluation import AnswerCase, FreshEvalJudge
from dateline.evidence import SIZES, find_conflicts, prepare
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger, Policy, open_store
from dateline.protocols import Estimator
from dateline.ranking import HybridRanker, PassageIndex
from dateline.reading import ExtractiveReader, local_reader
from dateline.reading.strategies import LocalStages, SelfMrag
from dateline.search import FolderSearch, load_documents
from dateline.temporal import decompose, find_expressions
from dateline.text import default_embeddings
from dateline_graphs import (
    AnswerOptions,
    AnswerReport,
    GenerateOptions,
    UpdateFactsOptions,
    answer_graph,
    as_node,
    ask_as_of,
    default_components,
    generate_graph,
    recall_facts,
    self_mrag_graph,
    update_facts_graph,
)
from dateline_graphs.page import render
from langchain_dateline import (
    AdaptiveRetriever,
    CertaintyCallbackHandler,
    CertaintyGate,
    CostCallbackHandler,
    DateStamper,
    EvidenceRetriever,
    EvidenceTraceCallbackHandler,
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
)
from langchain_dateline.middleware import DatelineMiddleware
from langchain_dateline.testing import ScriptedChatModel
from llama_index.callbacks.dateline import CostEventHandler, EvidenceTraceEventHandler, FreshnessEventHandler
from llama_index.llms.dateline import RetrievingLLM
from llama_index.memory.dateline import FactMemoryBlock
from llama_index.postprocessor.dateline import DatedNodes
from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker
from llama_index.query_engine.dateline import AnswerQueryEngine, CertaintyQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import EvidenceRetriever as NodeEvidence
from llama_index.retrievers.dateline import FactStoreRetriever as FactNodes
from llama_index.retrievers.dateline import TemporalRetriever as NodeRetriever
from llama_index.workflow.dateline import AnswerWorkflow, Ask, StepTaken

ASKED = "Who is the director of Acme?"
NOW = datetime(2024, 6, 1, tzinfo=UTC)
MOMENTS: list[AsOf] = ["2024-05-01", date(2024, 5, 1), NOW, Interval.parse("2024-05"), 2024, None]


def moments() -> datetime:
    return read_moment("March 2019") if MOMENTS else read_moment(date(2019, 3, 1), clock=lambda: NOW)


def langchain(store: InMemoryVectorStore, model: BaseChatModel) -> list[Document]:
    retriever = TemporalRetriever(retriever=store, k=1, as_of="2024-05-01")
    TemporalRetriever(retriever=store.as_retriever(), as_of=date(2024, 5, 1))
    TemporalRetriever(retriever=store, reranker=TemporalReranker(as_of=NOW))
    TemporalRetriever(retriever=store, as_of=2.5)  # type: ignore[arg-type]
    reranker = TemporalReranker(top_n=2, as_of=2024, embeddings=default_embeddings())
    stamped = DateStamper().transform_documents([Document("Ana Bell is the director.", metadata={"date": "2019"})])
    at_run_time = retriever.configurable_fields(k=ConfigurableField(id="k"), as_of=ConfigurableField(id="as_of"))
    found = at_run_time.invoke(ASKED, {"configurable": {"k": 3, "as_of": "2020"}})
    ranked = reranker.compress_documents([*stamped, *found], ASKED)
    prompt = ChatPromptTemplate.from_template("{context}\n\n{question}")
    chain = {"context": retriever, "question": RunnablePassthrough()} | prompt | model
    chain.invoke(ASKED, config={"callbacks": [FreshnessCallbackHandler(as_of="2024-05-01"), CostCallbackHandler()]})
    chain.invoke(ASKED, config={"callbacks": [EvidenceTraceCallbackHandler()]})
    return [*ranked, *retriever.invoke(ASKED, as_of="2020-01-01")]


def agents(model: BaseChatModel) -> str:
    agent = create_agent(model, [], middleware=[DatelineMiddleware(as_of=date(2024, 5, 1))])
    agent.invoke({"messages": [HumanMessage(ASKED)]})
    tool = ask_as_of(options=AnswerOptions(docs="notes/"))
    return str(tool.invoke({"question": ASKED, "as_of": "2020-01-01"}))


def prompts(engine: FolderSearch) -> str:
    retriever = EvidenceRetriever(search=engine, as_of=datetime(2023, 1, 1, tzinfo=UTC), k=3)
    prompt = FreshPromptTemplate(sizes="small", check_premise=True, as_of=retriever.as_of)
    built = prompt.build(question=ASKED, documents=retriever.invoke(ASKED), as_of="2022-12-31")
    return prompt.invoke({"question": ASKED, "as_of": "2022"}).to_string() + str(built)


def readers(documents: list[Document]) -> str:
    answering = ReaderRunnable(reader=local_reader(), as_of="2024")
    told = answering.invoke({"question": ASKED, "documents": documents, "as_of": date(2024, 5, 1)})
    chain = ChatPromptTemplate.from_template("{question}") | ReaderChatModel(reader=ExtractiveReader(), as_of="2024")
    StandaloneQuestion(as_of="2024").invoke({"input": "And in 2015?", "chat_history": [HumanMessage(ASKED)]})
    judged = FreshEval().invoke({"question": ASKED, "answer": told["answer"], "golds": ["Ana Bell"], "as_of": "2024"})
    return told["answer"] + str(chain.invoke({"question": ASKED}).content) + str(judged.correct)


class Trusting:
    """An estimator of one's own."""

    def estimate(self, question: Question, *, evidence: object, reading: Reading) -> Certainty:
        return Certainty(reliable=1.0, misleading=0.0, uncertain=0.0)

    async def aestimate(self, question: Question, *, evidence: object, reading: Reading) -> Certainty:
        return self.estimate(question, evidence=evidence, reading=reading)


def gates(store: InMemoryVectorStore) -> str:
    trusting: Estimator = Trusting()
    retriever = AdaptiveRetriever(retriever=TemporalRetriever(retriever=store))
    chain = {"question": RunnablePassthrough(), "documents": retriever} | ReaderRunnable()
    gate = CertaintyGate(chain=chain, retriever=retriever, estimator=trusting, gate=Gate(max_rounds=2), as_of="2024")
    result = gate.invoke("Who leads the harbour board?")
    with CertaintyCallbackHandler() as watching:
        chain.invoke(ASKED, config={"callbacks": [watching]})
    return result["answer"] + str(result["dateline"]) + str([one.certainty.label for one in watching.records])


def facts(folder: str) -> Iterator[str]:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=default_embeddings())
    evidence = Evidence.make("Anna Berg is the director.", source="Gazette", published=Interval.parse("2015"))
    LocalUpdater(store, policy=Policy(sources=("Gazette",))).update([evidence], known_at=NOW)
    for moment in ("2018", date(2018, 1, 1), Interval.parse("2018"), 2018, NOW, "March 2018"):
        for found in store.search(ASKED, as_of=moment, known_at="2024", k=1):
            yield found.describe()
        yield from (history.fact.text for history in store.at(moment))
    with open_store(folder, embeddings=default_embeddings()) as kept:
        FactStoreRetriever(store=kept, as_of="2018", known_at=date(2024, 1, 1)).invoke(ASKED, as_of="2018")
        FactNodes(kept, as_of="2018").at("2022").retrieve(ASKED)


class Desk(TypedDict, total=False):
    request: str
    day: str
    reply: str


def graphs(search: FolderSearch) -> str:
    graph = answer_graph().compile()
    asked = graph.invoke({"question": ASKED, "as_of": "2010"}, context=AnswerOptions(docs="notes/"))
    report = AnswerReport.model_validate(asked["report"])
    parts = default_components(search=search, options=AnswerOptions())
    answer_graph(parts).compile().invoke({"question": ASKED, "as_of": date(2024, 5, 1)})
    ask = as_node(
        answer_graph().compile(name="ask"),
        inputs={"question": "request", "as_of": "day"},
        outputs={"reply": "report.answer"},
        context=AnswerOptions(docs="notes/"),
    )
    app = StateGraph(Desk)
    app.add_node("ask", ask)
    app.add_node("recall", recall_facts(open_store("facts", embeddings=default_embeddings()), question="request"))
    app.add_edge(START, "ask")
    app.add_edge("ask", END)
    app.compile().invoke({"request": ASKED, "day": "2010"})
    mrag = self_mrag_graph(SelfMrag(LocalStages(ExtractiveReader()))).compile()
    mrag.invoke({"question": ASKED, "as_of": "2024-05-01", "evidence": [{"text": "Ana Bell.", "published": "2019"}]})
    generate_graph().compile().invoke({"question": ASKED, "as_of": "2024"}, context=GenerateOptions(docs="notes/"))
    updating = update_facts_graph().compile(checkpointer=InMemorySaver())
    updating.invoke({"documents": [Document("Ana Bell.", metadata={"date": "2019"})]}, context=UpdateFactsOptions())
    updating.invoke(
        {"documents": [{"text": "Ana Bell.", "published": "2019"}]}, context=UpdateFactsOptions(facts="facts")
    )
    updating.invoke(Command(resume="approve"), {"configurable": {"thread_id": "1"}})
    return render(report)


def generation(model: BaseChatModel) -> str:
    search = Bm25Search(["Carl Dahl was named director in 2021."])
    trigger = AnyOf([Outdated(Interval.parse("2023-06")), LookAhead()])
    generator = ChatGenerator(model, retriever=search, trigger=trigger, query=CertainSentence(0.0))
    found = generator.generate(ASKED, as_of="2024-06-01")
    with generator.with_options(trigger=Once()).stream(ASKED, as_of=date(2024, 6, 1)) as events:
        list(events)
    asked = RetrievingChatModel(generator=generator, as_of="2024-06-01").invoke(ASKED)
    llm = RetrievingLLM(generator, as_of="2024-06-01")
    return found.text + str(asked.content) + str(llm.complete(ASKED))


def llama_index(index: VectorStoreIndex, store: FactStore, search: FolderSearch) -> str:
    retriever = NodeRetriever(index, k=1, as_of="2024-05-01")
    retriever.at(date(2020, 1, 1)).retrieve(ASKED)
    NodeEvidence(search, as_of=2024).at("2020", k=2).retrieve(ASKED)
    reranker = NodeReranker(top_n=2, as_of=date(2024, 6, 1))
    dated = DatedNodes(as_of="2020-01-01")
    engine = index.as_query_engine(llm=MockLLM(), similarity_top_k=3, node_postprocessors=[reranker, dated])
    RetrieverQueryEngine(index.as_retriever(), response_synthesizer=ReaderSynthesizer(as_of="2020-01-01"))
    ReaderSynthesizer(ExtractiveReader(), as_of="2024").synthesize(ASKED, retriever.retrieve(ASKED))
    answering = AnswerQueryEngine(AnswerWorkflow(index), as_of=date(2024, 5, 1))
    QueryEngineTool.from_defaults(answering, name="choir", description="Knows the choir.")
    CertaintyQueryEngine(retriever, response_synthesizer=ReaderSynthesizer(), as_of="2024")
    Memory.from_defaults(memory_blocks=[FactMemoryBlock(store=store, as_of="2024")])
    with EvidenceTraceEventHandler(), FreshnessEventHandler(as_of="2024-05-01") as fresh, CostEventHandler():
        response = engine.query(ASKED)
    return str(response) + str(fresh.answers)


async def workflows(index: VectorStoreIndex) -> str:
    run = AnswerWorkflow(index).run(start_event=Ask(question=ASKED, as_of=date(2024, 5, 1)))
    async for event in run.stream_events():
        if isinstance(event, StepTaken):
            print(event.step.summary)
    return str(await run)


def core(folder: str, model: BaseChatModel) -> str:
    question = decompose("Who led the choir in 2020?", as_of=read_moment("2024-05-01"))
    dates = [found.interval for found in find_expressions("in May 1937", anchor=Interval.parse("1999-06-10"))]
    search = FolderSearch.open(folder, embeddings=default_embeddings())
    found = search.search(question.content, as_of=question.as_of, k=5).evidence
    prepared = prepare(load_documents(folder).documents, sizes=SIZES["small"], as_of=question.as_of)
    ranked = HybridRanker(embeddings=default_embeddings()).rank(question, evidence=prepared.evidence, k=3)
    index = PassageIndex.build([each.evidence for each in ranked], embeddings=default_embeddings())
    conflicts = find_conflicts(question, evidence=found, reader=ExtractiveReader())
    checked = CheckedReader(ExtractiveReader(), estimator=Trusting(), embeddings=default_embeddings())
    FreshEvalJudge(model, mode="strict", tries=2).judge(AnswerCase(ASKED, answer="Ana Bell", golds=["Ana Bell"]))
    try:
        reading = checked.read(question, evidence=found).reading
    except BadInput as refused:
        return str(refused)
    return f"{reading.answer} {dates} {index.search(question, 1)} {conflicts}"


SCRIPTED: BaseChatModel = ScriptedChatModel(replies=["Ana Bell."])
