"""Documents without a stamp are found in a stamped store, and few candidates are asked for more."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from dateline.flow import run
from dateline.ranking.candidates import CandidateFilter
from dateline.search.over_fetch import dated_candidates
from dateline.search.vector_store import VectorStoreCandidates
from dateline.temporal import decompose
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import DateStamper, TemporalReranker, TemporalRetriever

EMBEDDINGS = LexicalEmbeddings()
RERANKER = TemporalReranker(embeddings=EMBEDDINGS)
ASKED = "Who is the mayor of Holm?"
MAYORS = [Document(f"The mayor of Holm is number {year}.", metadata={"date": f"{year}-03-01"}) for year in range(1960, 2020)]  # fmt: skip
NEWEST = Document(
    "As to Holm, at long last a new one was sworn in as mayor, Ida Berg.", metadata={"date": "2025-03-01"}
)


class Counting(InMemoryVectorStore):
    """Notes how many it was asked for, and whether with a filter."""

    sizes: list[tuple[int, bool]]

    def similarity_search_with_score_by_vector(self, embedding: list[float], k: int = 4, **given: Any) -> Any:
        self.sizes.append((k, given.get("filter") is not None))
        return super().similarity_search_with_score_by_vector(embedding, k, **given)


def filled(stamped: list[Document], bare: list[Document]) -> Counting:
    store = Counting(EMBEDDINGS)
    store.sizes = []
    store.add_documents([*DateStamper(embeddings=EMBEDDINGS).transform_documents(stamped), *bare])
    return store


def candidates_of(store: InMemoryVectorStore, *, k: int, year: int, question: str = ASKED) -> list[str]:
    asked = decompose(question, as_of=datetime(year, 6, 1, tzinfo=UTC))
    source = VectorStoreCandidates(store, asked.content, given={})
    found = run(dated_candidates(source, asked.content, asked=CandidateFilter.of(asked), k=k))
    return [each.page_content for each in found]


def test_a_newer_document_without_a_stamp_is_found_among_stamped_ones(caplog: pytest.LogCaptureFixture) -> None:
    store = filled(MAYORS, [NEWEST])
    assert NEWEST not in store.similarity_search(ASKED, k=20)
    with caplog.at_level(logging.WARNING, logger="dateline.search"):
        assert NEWEST.page_content in candidates_of(store, k=20, year=2026)
    assert all(filtered for size, filtered in store.sizes if size != 20), "the filter is used all the same"
    assert caplog.messages == []
    assert NEWEST.page_content not in candidates_of(store, k=20, year=2024)


def test_later_documents_without_a_stamp_do_not_crowd_out_what_was_known() -> None:
    later = [Document(f"As to Holm, vote {n} was held.", metadata={"date": f"2025-03-{n:02}"}) for n in range(1, 29)]
    store = filled(MAYORS, later)
    assert not any("vote" in each.page_content for each in store.similarity_search(ASKED, k=20))
    found = candidates_of(store, k=20, year=2018)
    assert MAYORS[2018 - 1960].page_content in found
    assert not any("vote" in each for each in found)


@pytest.mark.parametrize("question", [ASKED, "Who was the mayor of Holm in 1950?"])
def test_a_day_before_every_document_brings_nothing_with_few_queries(
    question: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = filled(MAYORS, [])
    with caplog.at_level(logging.WARNING, logger="dateline.search"):
        assert candidates_of(store, k=20, year=1955, question=question) == []
    assert len(store.sizes) <= 5
    assert caplog.messages == []


@pytest.mark.parametrize("candidates", [1, 2, 3, 4])
def test_a_few_candidates_that_came_later_are_asked_for_more(candidates: int) -> None:
    notes = [
        Document(f"The director of Acme is person {n}.", metadata={"date": f"{2000 + n}-01-01"}) for n in range(20)
    ]
    store = InMemoryVectorStore.from_documents(notes, EMBEDDINGS)
    retriever = TemporalRetriever(retriever=store, k=1, candidates=candidates, reranker=RERANKER)
    found = retriever.invoke("Is person 19 director of Acme?", as_of="2003")
    assert [each.metadata["date"] for each in found] == ["2003-01-01"]


class Small(InMemoryVectorStore):
    """A store that refuses to bring many."""

    refused = 0

    def similarity_search_with_score_by_vector(self, embedding: list[float], k: int = 4, **given: Any) -> Any:
        if k > 60:
            Small.refused += 1
            raise ValueError("too many")
        return super().similarity_search_with_score_by_vector(embedding, k, **given)


def test_a_store_that_refuses_many_is_asked_for_fewer() -> None:
    store = Small.from_documents(MAYORS, EMBEDDINGS)
    assert MAYORS[10].page_content in candidates_of(store, k=20, year=1970)
    assert 0 < Small.refused < 10
