"""Embeddings that remember."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings

from dateline import BadInput
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.embeddings import embed
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.memory_cache import RememberedEmbeddings


class Counting(Embeddings):
    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return [[float(len(text)), 1.0] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def test_each_text_is_embedded_once_and_vectors_are_those_of_the_inner_embeddings() -> None:
    counting = Counting()
    remembered = RememberedEmbeddings(counting)
    remembered.embed_documents(["a", "bb", "a"])
    again = remembered.embed_documents(["bb", "ccc"])
    assert counting.asked == ["a", "bb", "ccc"]
    assert np.allclose(again, [[2 / 5**0.5, 1 / 5**0.5], [3 / 10**0.5, 1 / 10**0.5]])


def test_the_oldest_text_is_forgotten_first() -> None:
    counting = Counting()
    remembered = RememberedEmbeddings(counting, size=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        remembered.embed_query(text)
    assert counting.asked == ["a", "b", "c", "b"]


def test_no_texts_give_no_vectors(tmp_path: Path) -> None:
    for inner in (LexicalEmbeddings(), Counting()):
        assert RememberedEmbeddings(inner).embed_documents([]) == []
        assert CachedEmbeddings(inner, name="inner", folder=tmp_path).embed_documents([]) == []
        assert len(embed([], embeddings=inner)) == 0


def test_a_size_that_remembers_nothing_is_refused() -> None:
    with pytest.raises(BadInput, match="0"):
        RememberedEmbeddings(LexicalEmbeddings(), size=0)


def test_sent_to_another_process_it_arrives_whole_and_empty() -> None:
    remembered = RememberedEmbeddings(Counting(), size=2)
    remembered.embed_query("a")
    sent = pickle.loads(pickle.dumps(remembered))  # noqa: S301 - our own bytes
    sent._inner.asked.clear()
    for text in ("a", "b", "c", "c", "a"):
        sent.embed_query(text)
    assert sent._inner.asked == ["a", "b", "c", "a"]
