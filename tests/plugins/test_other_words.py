"""Arguments by another library's name: one sentence with the name that was meant, at every door alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever as LangChainRetriever
from llama_index.core.retrievers import BaseRetriever as LlamaIndexRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

import langchain_dateline
from dateline import BadInput
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import FreshPromptTemplate
from langchain_dateline.middleware import (
    AnswerFreshness,
    DatedToolResults,
    DatelineMiddleware,
    DatelinePrompt,
    FactEdits,
)
from llama_index.callbacks.dateline import (
    CertaintyEventHandler,
    CostEventHandler,
    EvidenceTraceEventHandler,
    FactStoreEventHandler,
    FreshnessEventHandler,
)
from llama_index.postprocessor.dateline import DatedNodes
from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker
from llama_index.query_engine.dateline import AnswerQueryEngine
from llama_index.response_synthesizers.dateline import ReaderSynthesizer
from llama_index.retrievers.dateline import EvidenceRetriever, FactStoreRetriever, TemporalRetriever
from llama_index.workflow.dateline import AnswerWorkflow


class Nothing(LangChainRetriever):
    def _get_relevant_documents(self, query: str, **kwargs: Any) -> list[Document]:
        return []


class NoNodes(LlamaIndexRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return []


def store() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())


WORDS: list[tuple[Callable[..., Any], str, Any, str]] = [
    (langchain_dateline.TemporalRetriever, "vectorstore", Nothing(), "retriever"),
    (langchain_dateline.TemporalRetriever, "inner", Nothing(), "retriever"),
    (langchain_dateline.TemporalRetriever, "top_k", 2, "k"),
    (langchain_dateline.TemporalRetriever, "similarity_top_k", 2, "k"),
    (langchain_dateline.TemporalReranker, "k", 2, "top_n"),
    (langchain_dateline.TemporalReranker, "top_k", 2, "top_n"),
    (langchain_dateline.TemporalReranker, "date", "2024", "as_of"),
    (langchain_dateline.AdaptiveRetriever, "base_retriever", Nothing(), "retriever"),
    (langchain_dateline.EvidenceRetriever, "engine", FixedSearch([]), "search"),
    (langchain_dateline.FactStoreRetriever, "top_k", 2, "k"),
    (langchain_dateline.ReaderRunnable, "raeder", None, "reader"),
    (langchain_dateline.FreshPromptTemplate, "token_budget", 2, "budget"),
    (langchain_dateline.StandaloneQuestion, "llm", None, "model"),
    (langchain_dateline.FreshEval, "llm", None, "model"),
    (langchain_dateline.DateStamper, "date_feild", "issued", "date_field"),
    (langchain_dateline.ReaderChatModel, "unknown", "no idea", "abstention"),
    (langchain_dateline.ReaderChatModel, "raeder", None, "reader"),
    (langchain_dateline.RetrievingChatModel, "generater", None, "generator"),
    (DatelineMiddleware, "date", "2024", "as_of"),
    (DatelinePrompt, "date", "2024", "as_of"),
    (DatedToolResults, "tool", None, "tools"),
    (AnswerFreshness, "estimater", None, "estimator"),
    (FactEdits, "updatr", None, "updater"),
    (AnswerWorkflow, "empty_response", "no idea", "abstention"),
    (AnswerWorkflow, "top_k", 2, "k"),
    (AnswerQueryEngine, "date", "2024", "as_of"),
    (ReaderSynthesizer, "date", "2024", "as_of"),
    (langchain_dateline.CertaintyGate, "separately", True, "per_document"),
    (langchain_dateline.FreshnessCallbackHandler, "date", "2024", "as_of"),
    (langchain_dateline.FreshnessCallbackHandler, "then", print, ""),
    (TemporalRetriever, "similarity_top_k", 2, "k"),
    (TemporalRetriever, "inner", NoNodes(), "retriever"),
    (TemporalRetriever, "index", NoNodes(), "retriever"),
    (EvidenceRetriever, "engine", FixedSearch([]), "search"),
    (EvidenceRetriever, "top_k", 2, "k"),
    (FactStoreRetriever, "top_k", 2, "k"),
    (NodeReranker, "k", 2, "top_n"),
    (NodeReranker, "top_k", 2, "top_n"),
    (DatedNodes, "date", "2024", "as_of"),
    (CertaintyEventHandler, "kep", 2, "kept"),
    (FreshnessEventHandler, "date", "2024", "as_of"),
    (CostEventHandler, "kep", 2, "keep"),
    (EvidenceTraceEventHandler, "kep", 2, "keep"),
    (FactStoreEventHandler, "updatr", None, "updater"),
]


@pytest.mark.parametrize(("make", "word", "value", "meant"), WORDS)
def test_the_word_of_another_library_is_answered_with_ours(
    make: Callable[..., Any], word: str, value: Any, meant: str
) -> None:
    with pytest.raises(BadInput) as refused:
        make(**{word: value})
    said = str(refused.value)
    assert said.startswith(f"{make.__name__} has no {word!r}; ")  # type: ignore[attr-defined]
    assert said.endswith(f"; did you mean {meant}?" if meant else ".")


class Filtering(LangChainRetriever):
    """Takes arguments of its own, one of which looks like ours."""

    def _get_relevant_documents(self, query: str, *, run_manager: Any, top_k: int = 0, **given: Any) -> list[Document]:
        return [Document(f"{top_k} {given}")]


def test_a_call_that_misses_our_name_is_refused_and_not_lost_inside() -> None:
    for retriever in (
        langchain_dateline.TemporalRetriever(retriever=Nothing()),
        langchain_dateline.AdaptiveRetriever(retriever=Nothing(), embeddings=LexicalEmbeddings()),
        langchain_dateline.EvidenceRetriever(search=FixedSearch([])),
        langchain_dateline.FactStoreRetriever(store=store()),
    ):
        for word, meant in (("asof", "as_of"), ("date", "as_of"), ("num_results", "k")):
            with pytest.raises(BadInput, match=f"{type(retriever).__name__} has no '{word}'; did you mean {meant}"):
                retriever.invoke("Who?", **{word: "2024"})


def test_names_that_the_inner_retriever_takes_reach_it() -> None:
    outer = langchain_dateline.TemporalRetriever(retriever=Filtering())
    assert outer.invoke("Who?", top_k=3, filter="a")[0].page_content == "3 {'filter': 'a'}"


def test_a_chat_model_takes_the_arguments_of_every_chat_model() -> None:
    usual = {
        "model": "any",
        "temperature": 0,
        "max_tokens": 9,
        "timeout": 9,
        "max_retries": 2,
        "streaming": True,
        "seed": 1,
    }
    assert langchain_dateline.ReaderChatModel(**usual).abstention == "unknown"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: langchain_dateline.TemporalRetriever(), "TemporalRetriever needs retriever"),  # type: ignore[call-arg]
        (lambda: TemporalRetriever(), "TemporalRetriever: missing a required argument: 'retriever'"),  # type: ignore[call-arg]
        (lambda: langchain_dateline.TemporalReranker(top_n=0), "top_n must be a whole number of 1 or more, not 0"),
        (lambda: NodeReranker(top_n=0), "top_n must be a whole number of 1 or more, not 0"),
        (lambda: langchain_dateline.TemporalRetriever(retriever=Nothing(), k=0), "k must be a whole number of 1 or more"),
        (lambda: TemporalRetriever(NoNodes(), k=0), "must be at least 1"),
        (
            lambda: langchain_dateline.TemporalRetriever(retriever="notes"),  # type: ignore[arg-type]
            "retriever must be a BaseRetriever or VectorStore, not 'notes'",
        ),
        (
            lambda: langchain_dateline.TemporalRetriever(retriever=Nothing()).invoke("Who?", k="two"),
            "k must be a whole number of 1 or more, not 'two'",
        ),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_is_refused_in_a_sentence(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(BadInput) as refused:
        make()
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_context_is_as_good_a_name_for_documents() -> None:
    notes = [Document("Eva Lund is the mayor.", metadata={"published": "2024-03-01"})]
    asked = {"question": "Who is the mayor?", "as_of": "2024-05-01"}
    assert langchain_dateline.ReaderRunnable().invoke({**asked, "context": notes})["answer"] == "Eva Lund"  # type: ignore[typeddict-item]
    assert FreshPromptTemplate().invoke({**asked, "context": notes}) == FreshPromptTemplate().invoke(
        {**asked, "documents": notes}
    )


def test_a_handler_listens_for_the_length_of_its_block_and_once_only() -> None:
    from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]

    for handler in (CertaintyEventHandler(), FactStoreEventHandler(LocalUpdater(store()))):
        before = list(get_dispatcher().event_handlers)
        with handler as listening:
            assert [one for one in get_dispatcher().event_handlers if one is listening] == [handler]
        assert get_dispatcher().event_handlers == before
