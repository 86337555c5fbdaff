"""A corrective-RAG graph in LangGraph: it grades documents by topic, and is blind to their time and to its own answer.

    python examples/crag_graph.py [DAY]

`before` is the well-known graph: retrieve, grade, then answer, or rewrite the question and retrieve again. `after` is the same
graph with a retriever that hears when, and an answer node that says how far its answer can be trusted and withholds what
cannot be: the lines marked `# dateline`. The day comes with each call, in the config of the run. (A graph that also retrieves
again, by itself and a bounded number of times, is `dateline_graphs.answer_graph`.)
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypedDict

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
from langgraph.graph import END, START, StateGraph
from notes import load_notes

from dateline.certainty import Gate, MarginEstimator
from dateline.reading import local_reader
from dateline.temporal import asking_moment, decompose, now
from dateline.text import content_words
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import DateStamper, ReaderChatModel, TemporalReranker, TemporalRetriever, evidence_of_document

EMBEDDINGS = LexicalEmbeddings()  # yours: any embeddings
MODEL = ReaderChatModel()  # yours: init_chat_model("openai:gpt-4o-mini"); this one reads locally, without a key

QUESTIONS = (
    "Who was the president of the United States in 2010?",
    "Who was the chief executive of Microsoft in 2016?",
    "Who is the trainer of Arsenal?",
)


class State(TypedDict, total=False):
    """What the graph carries."""

    question: str
    query: str
    documents: list[Document]
    answer: str
    why: str
    rewritten: bool


Node = Callable[[State], State]


def plain_answer(state: State) -> State:
    """The answer node that the app has."""
    context = "\n\n".join(document.page_content for document in state["documents"])
    return {"answer": str(MODEL.invoke(f"Context:\n{context}\n\nQuestion: {state['question']}").content)}


def checked_answer(state: State) -> State:
    """The same as of the run's day, with a gate. Yours: ChatReader(init_chat_model(...)) in the place of the local reader."""
    question = decompose(state["question"], as_of=asking_moment(clock=now))  # dateline
    evidence = [evidence_of_document(document) for document in state["documents"]]  # dateline
    reading = local_reader().read(question, evidence=evidence).reading  # dateline
    certainty = MarginEstimator().estimate(question, evidence=evidence, reading=reading)  # dateline
    gated = Gate(max_rounds=0, abstain_below=0.5).decide(certainty)  # dateline
    return {"answer": reading.answer if gated.outcome == "adopt" else "I do not know.", "why": gated.reason}  # dateline


def crag(retriever: BaseRetriever, *, answer: Node) -> Runnable[Any, Any]:
    """The graph that the app has. Grader and rewriter stand for prompts of yours."""

    def retrieve(state: State) -> State:
        return {"documents": retriever.invoke(state.get("query") or state["question"])}

    def grade(state: State) -> State:
        asked = set(content_words(state["question"]))
        return {"documents": [one for one in state["documents"] if asked & set(content_words(one.page_content))]}

    def rewrite(state: State) -> State:
        return {"query": " ".join(content_words(state["question"])), "rewritten": True}

    def graded(state: State) -> str:
        return "answer" if state["documents"] or state.get("rewritten") else "rewrite"

    graph = StateGraph(State)
    for node in (retrieve, grade, rewrite):
        graph.add_node(node.__name__, node)
    graph.add_node("answer", answer)
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "grade")
    graph.add_conditional_edges("grade", graded, ["answer", "rewrite"])
    graph.add_edge("rewrite", "retrieve")
    graph.add_edge("answer", END)
    return graph.compile()


def before(store: VectorStore) -> Runnable[Any, Any]:
    """The graph over the plain store."""
    return crag(store.as_retriever(search_kwargs={"k": 5}), answer=plain_answer)


def after(store: VectorStore) -> Runnable[Any, Any]:
    """The same graph, aware of time and of its own doubt."""
    timed = TemporalRetriever(retriever=store, k=5, reranker=TemporalReranker(embeddings=EMBEDDINGS))  # dateline
    return crag(timed, answer=checked_answer)


def index() -> VectorStore:
    """The vector store that the app has."""
    documents = [
        Document(note.text, metadata={"title": note.title, "date": note.date, "source": note.source})
        for note in load_notes()
    ]
    stamped = DateStamper().transform_documents(documents)  # dateline: dates found once, for the store to filter by
    return InMemoryVectorStore.from_documents(list(stamped), EMBEDDINGS)


def main(day: str = "2025-06-01") -> None:
    """Ask both, the second as of a day."""
    asking: RunnableConfig = {"configurable": {"as_of": day}}  # the day of these calls
    store = index()
    plain, checked = before(store), after(store)
    for question in QUESTIONS:
        found = checked.invoke({"question": question}, asking)
        print(question)
        print("  before:", plain.invoke({"question": question})["answer"])
        print("  after: ", found["answer"], f"({found['why']})")


if __name__ == "__main__":
    main(*sys.argv[1:2])
