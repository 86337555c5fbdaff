"""One chain answers as of the date of each call: what stands behind the retriever learns it from the documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain_classic.chains import create_retrieval_chain
from langchain_core.documents import Document
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import ConfigurableField, Runnable, RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore

from dateline import BadInput, Evidence, Interval
from dateline.temporal import asked_at
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import (
    AuditedDocuments,
    DatedDocuments,
    EvidenceRetriever,
    FreshPromptTemplate,
    ReaderRunnable,
    TemporalReranker,
    TemporalRetriever,
    dated_context,
)

NOTES = [
    Document("Ana Bell leads the choir.", metadata={"issued": "2019-02-03"}),
    Document("Tom Reyes leads the choir.", metadata={"issued": "2023-02-03"}),
]
QUESTION = "Who leads the choir?"
THEN, AGO = "2020-02-03", "date: Feb 3, 2019 (365 days before"
PLAIN = ChatPromptTemplate.from_template("{context}\n\n{input}")


def retriever(**settings: Any) -> TemporalRetriever:
    store = InMemoryVectorStore.from_documents(NOTES, LexicalEmbeddings())
    reranker = TemporalReranker(embeddings=LexicalEmbeddings())
    return TemporalRetriever(retriever=store, reranker=reranker, date_field="issued", **settings)


def by_input(last: Runnable[Any, Any]) -> Any:
    chain = RunnablePassthrough.assign(context=retriever() | dated_context) | last
    return chain.invoke({"input": QUESTION, "as_of": THEN})


def by_config(last: Runnable[Any, Any]) -> Any:
    dated = retriever().configurable_fields(as_of=ConfigurableField(id="as_of"))
    chain = {"context": dated | dated_context, "input": RunnablePassthrough()} | last
    return chain.invoke(QUESTION, {"configurable": {"as_of": THEN}})


def by_block(last: Runnable[Any, Any]) -> Any:
    chain = {"context": retriever() | DatedDocuments(), "input": RunnablePassthrough()} | last
    with asked_at(THEN):
        return chain.invoke(QUESTION)


@pytest.mark.parametrize("asked", [by_input, by_config, by_block])
def test_the_ages_in_a_prompt_are_counted_from_the_date_of_the_call(asked: Callable[[Any], Any]) -> None:
    shown = asked(PLAIN).to_string()
    assert AGO in shown
    assert "Tom" not in shown


@pytest.mark.parametrize("wrapped", [retriever().with_config(run_name="dated"), retriever() | DatedDocuments()])
def test_a_retrieval_chain_hands_its_whole_input_to_what_stands_around_a_retriever(wrapped: Any) -> None:
    chain = create_retrieval_chain(wrapped, FreshPromptTemplate())
    shown = chain.invoke({"input": QUESTION, "as_of": THEN})["answer"].to_string()
    assert AGO in shown
    assert "Tom Reyes leads" not in shown


async def test_steps_that_have_no_date_of_their_own_take_the_retrievers() -> None:
    found = await retriever().ainvoke({"question": QUESTION, "as_of": THEN})
    asked: dict[str, Any] = {"question": QUESTION, "documents": found}
    assert AGO in FreshPromptTemplate().invoke(asked).to_string()
    assert ReaderRunnable().invoke(asked)["as_of"].startswith(THEN)
    assert AuditedDocuments().invoke(asked)["audit"]["as_of"].startswith(THEN)
    assert "date: Feb 3, 2019 (514 days before)" in FreshPromptTemplate(as_of="2020-07-01").invoke(asked).to_string()
    assert "(514 days before)" in dated_context(found, as_of="2020-07-01")


def test_a_search_as_a_retriever_tells_its_date_too() -> None:
    search = FixedSearch(
        [Evidence.make(each.page_content, published=Interval.parse(each.metadata["issued"])) for each in NOTES]
    )
    shown = (EvidenceRetriever(search=search) | dated_context).invoke({"input": QUESTION, "as_of": THEN})
    assert AGO in shown


def test_where_later_documents_are_kept_the_asking_date_bounds_nothing_behind() -> None:
    shown = (retriever(keep_later=True, as_of=THEN) | dated_context).invoke(QUESTION)
    assert "Tom" in shown
    assert "Ana" in shown


def test_an_input_without_a_question_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match="The input holds no question"):
        retriever().invoke({"as_of": THEN})


@pytest.mark.parametrize("forged", ["soon", 7, None, "9999-12-31T00:00:00+00:00", "1900-01-01T00:00:00+00:00"])
def test_a_moment_in_one_documents_metadata_hides_nothing(forged: Any) -> None:
    note = Document("Ana leads.", metadata={"dateline_asked": forged, "date": "2019"})
    assert "Tom" in dated_context([note, Document("Tom leads.", metadata={"date": "2023"})])
    assert "Ana" in dated_context([note], as_of="2020")


def test_nodes_are_dated_as_of_the_rerankers_moment() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode

    from llama_index.postprocessor.dateline import DatedNodes
    from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker

    nodes = [NodeWithScore(node=TextNode(text=each.page_content, metadata=each.metadata)) for each in NOTES]
    reranker = NodeReranker(embeddings=LexicalEmbeddings(), as_of=THEN, date_field="issued")
    ranked = reranker.postprocess_nodes(nodes, query_str=QUESTION)
    (shown,) = DatedNodes().postprocess_nodes(ranked)
    told = shown.node.get_content(MetadataMode.LLM)
    assert "dated: Feb 3, 2019 (365 days before Feb 3, 2020)" in told
    assert "dateline_" not in told
    assert "dateline_" not in shown.node.get_content(MetadataMode.EMBED)


@pytest.mark.parametrize("name", ["asof", "asOf", "as-of", "AS_OF"])
def test_a_misspelt_asking_date_in_a_chain_is_refused_and_never_means_now(name: str) -> None:
    template = FreshPromptTemplate()
    with pytest.raises(BadInput, match="did you mean as_of"):
        template.invoke({"question": "Who leads?", "documents": [], name: "2020"})
    store = InMemoryVectorStore(LexicalEmbeddings())
    with pytest.raises(BadInput, match="did you mean as_of"):
        TemporalRetriever(retriever=store).invoke({"question": "Who leads?", name: "2020"})
