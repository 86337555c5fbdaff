"""Chains that hold dateline's runnables are drawn, give schemas and become tools, as any others do."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough

from dateline import Evidence
from dateline.dynamic import ChatGenerator
from dateline.dynamic.triggers import Once
from dateline.facts import FactStore
from dateline.facts.index import ExactIndex
from dateline.facts.ledger import MemoryLedger
from dateline.testing import FixedSearch, ReadingEstimator
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import (
    AdaptiveRetriever,
    CertaintyGate,
    EvidenceRetriever,
    FactStoreRetriever,
    FreshEval,
    FreshPromptTemplate,
    ReaderChatModel,
    ReaderRunnable,
    RetrievingChatModel,
    StandaloneQuestion,
    TemporalRetriever,
)
from langchain_dateline.testing import ScriptedChatModel

SEARCH = FixedSearch([Evidence.make("Ana Bell leads the choir.")])
EMBEDDINGS = LexicalEmbeddings()


def gate() -> CertaintyGate:
    retriever = AdaptiveRetriever(retriever=EvidenceRetriever(search=SEARCH), embeddings=EMBEDDINGS)
    chain: Runnable[Any, Any] = retriever | RunnableLambda(lambda documents: "Ana Bell")
    return CertaintyGate(chain=chain, retriever=retriever, estimator=ReadingEstimator())


RUNNABLES: dict[str, Runnable[Any, Any]] = {
    "adaptive retriever": gate().retriever,
    "certainty gate": gate(),
    "evidence retriever": EvidenceRetriever(search=SEARCH),
    "fact store retriever": FactStoreRetriever(
        store=FactStore(MemoryLedger(), index=ExactIndex(), embeddings=EMBEDDINGS)
    ),
    "fresheval": FreshEval(),
    "prompt": FreshPromptTemplate(),
    "reader": ReaderRunnable(),
    "reader chat model": ReaderChatModel(),
    "retrieving chat model": RetrievingChatModel(
        generator=ChatGenerator(ScriptedChatModel(replies=["Ana Bell."]), retriever=SEARCH, trigger=Once())
    ),
    "standalone question": StandaloneQuestion(),
    "temporal retriever": TemporalRetriever(retriever=EvidenceRetriever(search=SEARCH)),
}


@pytest.mark.parametrize("name", RUNNABLES)
def test_a_chain_with_it_is_drawn_gives_schemas_and_becomes_a_tool(name: str) -> None:
    for made in (RUNNABLES[name], RunnablePassthrough() | RUNNABLES[name] | RunnableLambda(str)):
        assert type(RUNNABLES[name]).__name__ in made.get_graph().draw_mermaid()
        assert made.get_input_jsonschema()
        assert made.get_output_jsonschema()
        assert made.get_input_schema().model_json_schema() == made.get_input_jsonschema()
    assert RUNNABLES[name].as_tool(name="ask", description="Asks.", **_fields(RUNNABLES[name])).name == "ask"


def _fields(made: Runnable[Any, Any]) -> dict[str, Any]:
    """What a tool is called with, where the input is no object with fields."""
    return {} if made.get_input_jsonschema().get("type") in ("object", "string") else {"arg_types": {"question": str}}


def test_the_schema_of_a_reader_names_its_fields() -> None:
    asked = RUNNABLES["reader"].get_input_jsonschema()["$defs"]["ReaderInput"]
    assert {"question", "documents", "as_of", "choices", "chat_history"} <= set(asked["properties"])
    assert asked["properties"]["as_of"]["type"] == "string"


def test_a_reader_as_a_tool_answers() -> None:
    fields = {"question": str, "documents": list[Document], "as_of": str}
    tool = ReaderRunnable().as_tool(name="read", description="Reads.", arg_types=fields)
    documents = [Document("Ana Bell leads the choir.", metadata={"date": "2019"})]
    told = tool.invoke({"question": "Who leads the choir?", "documents": documents, "as_of": "2020"})
    assert told["answer"] == "Ana Bell"


def test_a_chain_that_passes_its_whole_input_on_as_the_question_is_understood() -> None:
    notes = [
        Document("Ana Bell leads the choir.", metadata={"date": "2019"}),
        Document("Tom Reyes leads the choir.", metadata={"date": "2022"}),
    ]
    chain = {"question": RunnablePassthrough(), "documents": RunnableLambda(lambda _: notes)} | ReaderRunnable()
    asked = {"question": "Who leads the choir?", "as_of": "2020"}
    assert (chain.invoke(asked)["answer"], chain.invoke(asked)["as_of"][:4]) == ("Ana Bell", "2020")
    assert chain.invoke({**asked, "as_of": "2023"})["answer"] == "Tom Reyes"
