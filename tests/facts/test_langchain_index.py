"""An index in any vector store of LangChain, beside the exact one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hashed_words import HashedTexts
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore

from dateline.errors import StoreFailed
from dateline.facts import ExactIndex, Fact, FactStore, open_store
from dateline.facts.index import Vectors
from dateline.facts.langchain_index import LangChainIndex, WrittenVectors
from dateline.facts.maintenance import verify
from dateline.text.embeddings import unit_length


def random_vectors(n: int, seed: int = 0) -> Vectors:
    return unit_length(np.random.default_rng(seed).standard_normal((n, 16)).astype(np.float32))


@settings(max_examples=40)
@given(st.integers(0, 70), st.integers(1, 12), st.integers(0, 9), st.sampled_from([None, 0.0, 0.1, 0.6]))
def test_it_finds_what_the_exact_index_finds(rows: int, k: int, seed: int, share: float | None) -> None:
    vectors, exact, index = random_vectors(rows, seed), ExactIndex(), LangChainIndex(InMemoryVectorStore)
    for start in range(0, rows, 9):  # each part again with the next: present rows are kept
        for each in (exact, index):
            each.extend(vectors[max(0, start - 9) : start + 9], start=max(0, start - 9))
    allowed = None if share is None else np.random.default_rng(seed).random(rows) < share
    (query,) = random_vectors(1, seed + 100)
    mine, theirs = index.search(query, k=k, allowed=allowed), exact.search(query, k=k, allowed=allowed)
    assert [row for row, _ in mine] == [row for row, _ in theirs]
    assert [similarity for _, similarity in mine] == pytest.approx([similarity for _, similarity in theirs], abs=1e-6)


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 7, 8, 9, 100, 1_001])
def test_the_rows_of_a_store_are_counted_when_it_is_opened(rows: int) -> None:
    store = InMemoryVectorStore(WrittenVectors())
    index = LangChainIndex(lambda embeddings: store)
    index.extend(random_vectors(rows), start=0)
    again = LangChainIndex(lambda embeddings: store)
    assert index.size == again.size == rows
    assert np.array_equal(again.rows(0, rows + 5), random_vectors(rows).reshape(-1, 16)) or rows == 0
    again.clear()
    assert again.size == len(store.store) == 0


def test_a_store_on_disk_keeps_its_rows_and_no_word(tmp_path: Path) -> None:
    chroma = pytest.importorskip("langchain_chroma").Chroma

    def make(embeddings: Embeddings) -> VectorStore:
        store: VectorStore = chroma(embedding_function=embeddings, persist_directory=str(tmp_path / "vectors"))
        return store

    vectors = random_vectors(300)
    index = LangChainIndex(make)
    index.extend(vectors, start=0)
    again = LangChainIndex(make)
    assert again.size == 300
    assert all(again.search(vectors[row], k=1)[0][0] == row for row in range(0, 300, 7))
    assert np.allclose(again.rows(10, 20), vectors[10:20])


def test_a_whole_store_of_facts_stands_on_it(tmp_path: Path) -> None:
    from test_facts_store import NOW, add

    kept = InMemoryVectorStore(WrittenVectors())
    for start in (0, 150):
        with open_store(tmp_path, embeddings=HashedTexts(), index=LangChainIndex(lambda embeddings: kept)) as store:
            for number in range(start, start + 150):
                fact = Fact.make(f"Ship number{number} lies in dock{number % 7}.")
                store.apply(f"d{number}", [add(fact, f"d{number}", "2020", known_at=NOW)])
            assert store.search("Ship number17 lies in dock3.", k=1)[0].similarity == pytest.approx(1)
            assert verify(store).problems == ()
    assert len(kept.store) == 300
    assert not any("Ship" in str(each) for each in kept.store.values())


def test_a_store_that_fails_is_told_in_one_sentence() -> None:
    class Gone(InMemoryVectorStore):
        def similarity_search(self, *_: Any, **__: Any) -> Any:
            raise ConnectionError("no route to host\nmore")

    index = LangChainIndex(Gone)
    index.extend(random_vectors(3), start=0)
    with pytest.raises(StoreFailed, match=r"The index in Gone could not be used \(no route to host\)"):
        index.search(random_vectors(1)[0], k=1)
    with pytest.raises(StoreFailed, match="vector store"):
        LangChainIndex(lambda embeddings: 1 / 0)  # type: ignore[arg-type, return-value]


def ships(count: int) -> list[Fact]:
    return [Fact.make(f"Ship number{number} lies in dock{number % 7}.") for number in range(count)]


def learn(store: FactStore, facts: Sequence[Fact]) -> None:
    from test_facts_store import NOW, add

    for number, fact in enumerate(facts):
        store.apply(f"d{number}", [add(fact, f"d{number}", "2020", known_at=NOW)])


def found_by_their_words(store: FactStore, facts: Sequence[Fact]) -> list[Fact]:
    return [store.search(fact.text, k=1)[0].fact for fact in facts]


@pytest.mark.parametrize("gone", [17, 130])
def test_forgetting_one_fact_leaves_every_other_one_under_its_own_words(tmp_path: Path, gone: int) -> None:
    facts = ships(150)  # a batch, and half of one that waits
    with open_store(tmp_path, embeddings=HashedTexts(), index=LangChainIndex(InMemoryVectorStore)) as store:
        learn(store, facts)
        store.forget(f"d{gone}", by="Ada", reason="asked to", known_at=datetime(2025, 1, 2, tzinfo=UTC))
        left = [fact for number, fact in enumerate(facts) if number != gone]
        assert found_by_their_words(store, left) == left
        assert verify(store).problems == ()


def test_a_vector_store_that_takes_only_some_rows_gets_the_others_in_their_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Halting(InMemoryVectorStore):
        calls = 0

        def add_documents(self, *given: Any, **named: Any) -> list[str]:
            Halting.calls += 1
            if Halting.calls == 2:
                raise ConnectionError("no route to host")
            return super().add_documents(*given, **named)

    monkeypatch.setattr("dateline.facts.langchain_index._AT_ONCE", 60)
    facts = ships(220)
    with open_store(tmp_path, embeddings=HashedTexts(), index=LangChainIndex(Halting)) as store:
        learn(store, facts)
        assert found_by_their_words(store, facts) == facts
        assert verify(store).problems == ()
