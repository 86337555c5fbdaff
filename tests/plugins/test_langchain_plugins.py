"""LangChain drop-ins with LangChain's own parts around them."""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore
from pydantic import Field

from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import TemporalReranker, TemporalRetriever

NOW = datetime(2024, 6, 1, tzinfo=UTC)
DOCUMENTS = [
    Document(page_content="Anna Berg became director of the observatory in March 2015.", metadata={"title": "Berg"}),
    Document(page_content="Carl Dahl became director of the observatory in 2021.", metadata={"date": "2021-09-14"}),
    Document(page_content="Eva Holm was director of the observatory from 1998 to 2004."),
    Document(page_content="Fish is sold at the harbour.", metadata={"date": "2016-01-01"}),
]


class Everything(BaseRetriever):
    asked: list[str] = Field(default_factory=list)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.asked.append(query)
        return DOCUMENTS


@pytest.fixture
def reranker() -> TemporalReranker:
    return TemporalReranker(as_of=NOW, embeddings=LexicalEmbeddings())


@pytest.mark.parametrize(
    ("year", "name"), [("2016", "Anna Berg"), ("2022", "Carl Dahl"), ("2001", "Eva Holm"), ("May 2019", "Anna Berg")]
)
def test_the_document_that_holds_at_the_asked_time_comes_first(
    reranker: TemporalReranker, year: str, name: str
) -> None:
    ranked = reranker.compress_documents(DOCUMENTS, f"Who was director of the observatory in {year}?")
    assert name in ranked[0].page_content


def test_no_document_is_lost_and_none_is_changed(reranker: TemporalReranker) -> None:
    before = copy.deepcopy(DOCUMENTS)
    ranked = reranker.compress_documents(DOCUMENTS, "Who was director of the observatory in 2016?")
    assert before == DOCUMENTS
    assert sorted(d.page_content for d in ranked) == sorted(d.page_content for d in DOCUMENTS)
    assert all(
        {"dateline_score", "dateline_semantic", "dateline_temporal", "dateline_matched"} <= d.metadata.keys()
        for d in ranked
    )


def test_an_empty_list_stays_empty(reranker: TemporalReranker) -> None:
    assert list(reranker.compress_documents([], "Who?")) == []


def test_the_wrapped_retriever_is_asked_for_the_content_without_the_date(reranker: TemporalReranker) -> None:
    inner = Everything()
    retriever = TemporalRetriever(retriever=inner, reranker=reranker, k=1)
    (found,) = retriever.invoke("Who was director of the observatory in 2016?")
    assert "Anna Berg" in found.page_content
    assert "2016" not in inner.asked[-1]


def test_k_may_be_given_when_made_and_when_asked(reranker: TemporalReranker) -> None:
    retriever = TemporalRetriever(retriever=Everything(), reranker=reranker, k=2)
    assert len(retriever.invoke("Who was director?")) == 2
    assert len(retriever.invoke("Who was director?", k=3)) == 3


@pytest.mark.parametrize(("kept", "asked", "brought"), [(None, 2, 2), (1, 3, 1), (3, 2, 2), (None, 9, 4)])
async def test_as_many_documents_come_as_both_retriever_and_reranker_let_through(
    reranker: TemporalReranker, kept: int | None, asked: int, brought: int
) -> None:
    question = "Who was director of the observatory in 2016?"
    few = reranker.model_copy(update={"top_n": kept})
    retriever = TemporalRetriever(retriever=Everything(), reranker=few, k=asked)
    best = [each.page_content for each in reranker.compress_documents(DOCUMENTS, question)][:brought]
    assert [each.page_content for each in retriever.invoke(question)] == best
    assert [each.page_content for each in await retriever.ainvoke(question)] == best


async def test_a_vector_store_may_stand_behind_it_asynchronously_too(reranker: TemporalReranker) -> None:
    store = InMemoryVectorStore.from_documents(DOCUMENTS, LexicalEmbeddings())
    retriever = TemporalRetriever(retriever=store, reranker=reranker, k=1)
    (found,) = await retriever.ainvoke("Who was director of the observatory in 2016?")
    assert "Anna Berg" in found.page_content


def test_the_scripted_model_says_its_replies_in_order_and_keeps_what_it_was_asked() -> None:
    from langchain_dateline.testing import ScriptedChatModel

    model = ScriptedChatModel(replies=["one", RuntimeError("down"), "three"])
    assert model.invoke("a").content == "one"
    with pytest.raises(RuntimeError, match="down"):
        model.invoke("b")
    assert [model.invoke("c").content, model.invoke("d").content] == ["three", "three"]
    asked: list[Any] = [messages[0].content for messages in model.history]
    assert asked == ["a", "b", "c", "d"]


def test_an_asking_date_may_be_written_and_is_never_guessed() -> None:
    # It is kept as written and read when something is asked: "today" is another day tomorrow.
    assert TemporalReranker(as_of="2020", embeddings=LexicalEmbeddings()).as_of == "2020"
    for wrong in ("soon", 20200501, "2023-02-30"):
        with pytest.raises(ValueError, match=r"date|calendar"):
            TemporalReranker(as_of=wrong, embeddings=LexicalEmbeddings())
