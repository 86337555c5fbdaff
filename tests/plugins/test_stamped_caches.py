"""Stamping prepares documents for ranking, so that a question embeds nothing but itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from langchain_core.documents import Document
from llama_index.core.schema import NodeWithScore, TextNode

from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import DateStamper, TemporalReranker
from llama_index.node_parser.dateline import DateStamper as NodeStamper
from llama_index.postprocessor.dateline import TemporalReranker as NodeReranker

QUESTION = "Who leads the museum?"
TEXTS = ("Ana Berg leads the museum. She came in 2015.", "Bo Ek leads the museum.", "The ferry runs daily.")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "dateline"


class Counted(LexicalEmbeddings):
    """Vectors under a name of their own, and the texts they were asked for."""

    def __init__(self, *, name: str | None = "counted") -> None:
        super().__init__(dimensions=128)
        self.kept_as, self.texts = name, list[str]()

    def embed_array(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        return super().embed_array(texts)


def documents() -> list[Document]:
    return [
        Document(text, metadata={"issued": f"{2015 + place}-03-04", "title": f"Note {place}"})
        for place, text in enumerate(TEXTS)
    ]


def test_langchain_documents_are_prepared_when_stamped() -> None:
    counted = Counted()
    stamped = DateStamper(date_field="issued", embeddings=counted).transform_documents(documents())
    assert set(TEXTS[1:]) < set(counted.texts)
    counted.texts.clear()
    for date_field in ("issued", ()):
        reranker = TemporalReranker(embeddings=counted, date_field=date_field)
        assert len(reranker.compress_documents(stamped, QUESTION)) == 3
    assert set(counted.texts) == {QUESTION}


def test_llama_index_nodes_are_prepared_when_stamped() -> None:
    counted = Counted()
    nodes = [TextNode(text=each.page_content, metadata=each.metadata) for each in documents()]
    stamped = NodeStamper(date_field="issued", embeddings=counted)(nodes)
    counted.texts.clear()
    scored = [NodeWithScore(node=node) for node in stamped]
    assert len(NodeReranker(embeddings=counted).postprocess_nodes(scored, query_str=QUESTION)) == 3
    assert set(counted.texts) == {QUESTION}


def test_stamps_are_the_same_with_and_without_preparing(folder: Path) -> None:
    counted = Counted()
    plain = DateStamper(date_field="issued", prepare=False).transform_documents(documents())
    assert not folder.exists()
    assert DateStamper(date_field="issued", embeddings=counted).transform_documents(documents()) == plain


def test_an_encoder_that_nobody_could_find_again_is_not_asked(folder: Path) -> None:
    counted = Counted(name=None)
    DateStamper(embeddings=counted).transform_documents(documents())
    assert counted.texts == []
    assert not folder.exists()


def test_values_that_are_equal_but_of_other_kinds_are_read_apart() -> None:
    from dateline.documents import evidence_of

    read = [evidence_of(Document("A text.", metadata={"position": value})).position for value in (1, True, 1.0, 1)]
    assert read == [1, None, None, 1]
    assert evidence_of(Document("A text.", metadata={"highlights": ["one"]})).highlights == ("one",)
