"""A fact store behind LangChain, LangGraph and LlamaIndex."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from dateline import BadInput, Evidence, Interval
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.temporal import asked_at
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import recall_facts
from langchain_dateline import FactStoreRetriever, dated_context

KNOWN = datetime(2022, 1, 1, tzinfo=UTC)
QUESTION = "Who is the director of the Northern Observatory?"
ANNA = "The director of the Northern Observatory is Anna Berg."
CARL = "The director of the Northern Observatory is Carl Dahl."


@pytest.fixture
def store() -> Iterator[FactStore]:
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings()) as made:
        for text, when, source in ((ANNA, "2015-03-01", "Gazette"), (CARL, "2021-09-14", "Courier")):
            evidence = Evidence.make(text, source=source, channel=source, published=Interval.parse(when))
            LocalUpdater(made).update([evidence], known_at=KNOWN)
        yield made


def test_a_langchain_retriever_reads_the_store_as_of_its_date(store: FactStore) -> None:
    (document,) = FactStoreRetriever(store=store, as_of="2018").invoke(QUESTION)
    assert document.page_content == f"{ANNA} (true at 2015-03-01)"
    assert document.metadata["true"] is True
    assert document.metadata["since"] == "2015-03-01"
    assert [entry["source"] for entry in document.metadata["history"]] == ["Gazette"]
    assert json.loads(json.dumps(document.metadata)) == document.metadata


def test_the_date_the_knowledge_and_the_number_can_be_given_while_asking(store: FactStore) -> None:
    retriever = FactStoreRetriever(store=store, as_of="2018", which="any")
    assert len(retriever.invoke(QUESTION, as_of=date(2023, 1, 1))) == 2
    assert len(retriever.invoke(QUESTION, as_of=date(2023, 1, 1), k=1)) == 1
    assert len(retriever.invoke(QUESTION, as_of=date(2023, 1, 1), k="1")) == 1
    assert retriever.invoke(QUESTION, known_at="2021") == []
    false = next(found for found in retriever.invoke(QUESTION, as_of="2023") if not found.metadata["true"])
    assert false.page_content == f"{ANNA} (true at 2015-03-01, false at 2021-09-14)"


async def test_a_langchain_retriever_reads_without_blocking(store: FactStore) -> None:
    (document,) = await FactStoreRetriever(store=store).ainvoke(QUESTION)
    assert CARL in document.page_content


def test_a_langchain_retriever_keeps_to_sources_and_tags(store: FactStore) -> None:
    anybody: dict[str, Any] = {"store": store, "which": "any"}
    assert len(FactStoreRetriever(**anybody, sources=("Gazette",)).invoke(QUESTION)) == 1
    assert FactStoreRetriever(**anybody, fact_tags=("nothing",)).invoke(QUESTION) == []


@pytest.mark.parametrize("wrong", [{"as_of": "soon"}, {"k": 0}, {"known_at": datetime(2020, 1, 1)}])
def test_wrong_options_are_refused_while_building(store: FactStore, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        FactStoreRetriever(store=store, **wrong)


def test_what_reads_facts_follows_the_day_that_they_were_asked_for(store: FactStore) -> None:
    chain = FactStoreRetriever(store=store) | dated_context
    assert chain.invoke({"question": QUESTION, "as_of": "2018"}).startswith("asked on: Dec 31, 2018")
    (fact,) = FactStoreRetriever(store=store, as_of="2018").invoke(QUESTION)
    assert fact.metadata["dateline_asked"] == "2018-12-31T23:59:59+00:00"


async def test_facts_of_a_period_are_retrieved_in_every_framework(store: FactStore) -> None:
    retriever = FactStoreRetriever(store=store, as_of="2023")
    nodes = pytest.importorskip("llama_index.retrievers.dateline").FactStoreRetriever(store)
    asked: list[tuple[dict[str, Any], set[str]]] = [
        ({"during": "2021"}, {ANNA, CARL}),
        ({"during": "2016"}, {ANNA}),
        ({"before": "2020"}, {ANNA}),
        ({"after": "2021"}, {CARL}),
        ({"after": "2015", "as_of": "2018"}, {ANNA}),
    ]
    for window, expected in asked:
        found = {
            "call": retriever.invoke(QUESTION, **window),
            "input": retriever.invoke({"question": QUESTION, **window}),
            "made": FactStoreRetriever(store=store, **window).invoke(QUESTION),
            "async": await retriever.ainvoke(QUESTION, **window),
            "node": [Document(each.text) for each in nodes.at(**window).retrieve(QUESTION)],
            "state": [
                Document(each["text"])
                for each in recall_facts(store).invoke({"question": QUESTION, **window})["recalled"]
            ],
        }
        told = {name: {each.page_content.partition(" (")[0] for each in facts} for name, facts in found.items()}
        assert told == dict.fromkeys(found, expected), window
    with asked_at("2018"):
        (known,) = FactStoreRetriever(store=store, after="2014").invoke(QUESTION)
    assert ANNA in known.page_content
    with pytest.raises(BadInput, match="no moment in common"):
        retriever.invoke(QUESTION, during="2016", after="2018")
    assert retriever.invoke({"question": QUESTION, "known_at": "1999"}) == []


async def test_a_llama_index_retriever_reads_the_store_as_of_its_date(store: FactStore) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.schema import MetadataMode

    from llama_index.retrievers.dateline import FactStoreRetriever as Retriever

    retriever = Retriever(store, as_of="2018")
    (node,) = retriever.retrieve(QUESTION)
    assert node.node.get_content(metadata_mode=MetadataMode.LLM) == f"{ANNA} (true at 2015-03-01)"
    assert node.score == pytest.approx(node.metadata["score"])
    (later,) = await retriever.at("2023", k=1).aretrieve(QUESTION)
    assert CARL in later.text
    assert [ANNA in each.text for each in retriever.at(k=3).retrieve(QUESTION)] == [True]
    with pytest.raises(BadInput, match="k must be at least 1"):
        Retriever(store, k=0)
    with pytest.raises(BadInput):
        Retriever(store, as_of="soon")


class Theirs(TypedDict, total=False):
    ask: str
    when: str
    memory: list[dict[str, Any]]


async def test_a_node_recalls_facts_in_anybodys_graph(store: FactStore) -> None:
    graph = StateGraph(Theirs)
    graph.add_node("recall", recall_facts(store, question="ask", as_of="when", into="memory"))
    graph.add_edge(START, "recall")
    graph.add_edge("recall", END)
    app = graph.compile()
    (fact,) = app.invoke({"ask": QUESTION, "when": "2018"})["memory"]
    assert fact["fact"] == ANNA
    assert json.loads(json.dumps(fact)) == fact
    (fact,) = (await app.ainvoke({"ask": QUESTION}))["memory"]
    assert fact["fact"] == CARL


def test_a_node_reads_the_last_message_and_refuses_a_state_without_a_question(store: FactStore) -> None:
    node = recall_facts(store, question="messages", k=1)
    (fact,) = node.invoke({"messages": [HumanMessage(QUESTION)], "as_of": "2018"})["recalled"]
    assert fact["fact"] == ANNA
    with pytest.raises(BadInput, match="holds no question"):
        node.invoke({"messages": []})
