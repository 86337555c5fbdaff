"""Notes whose date stands in their text alone are dated alike, stamped or not, in a folder or in a store."""

from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from dateline import Evidence
from dateline.documents import evidence_of
from dateline.documents.document_date import date_of_text
from dateline.search import load_documents
from dateline.text.lexical import LexicalEmbeddings
from langchain_dateline import DateStamper, TemporalReranker, TemporalRetriever, dated_context

OLD = "Ana Bell leads the choir. Noted 2 March 2019."
NEW = "Tom Reyes leads the choir. Noted 18 November 2024."
HEADED = "---\ndate: 2023-02-01\ntitle: The price\n---\n\nThe price is 9."


def asked(notes: list[Document], as_of: str) -> list[Document]:
    store = InMemoryVectorStore.from_documents(notes, LexicalEmbeddings())
    reranker = TemporalReranker(embeddings=LexicalEmbeddings())
    return TemporalRetriever(retriever=store, reranker=reranker, as_of=as_of).invoke("Who leads the choir?")


@pytest.mark.parametrize("stamped", [True, False])
def test_a_later_day_in_the_text_is_later_in_any_store(stamped: bool) -> None:
    notes = [Document(OLD), Document(NEW)]
    notes = list(DateStamper().transform_documents(notes)) if stamped else notes
    assert [each.page_content for each in asked(notes, "2020")] == [OLD]
    assert "date: Nov 18, 2024" in dated_context(asked(notes, "2025"))


def test_a_document_is_the_same_evidence_in_a_folder_and_in_a_store(tmp_path: Path) -> None:
    for text in (OLD, HEADED, "Date: 2022-09-01\n\nThe price is 8.", "The price will be 7 from 1 May 2031 on."):
        (tmp_path / "note.txt").write_text(text, encoding="utf-8")
        (of_file,) = load_documents(tmp_path / "note.txt").documents
        of_store = evidence_of(Document(text, metadata={"source": "note.txt"}))
        assert (of_store.text, of_store.published) == (of_file.text, of_file.published)
        assert (of_store.dated_by == "text") == (of_file.dated_by == "text")


def test_nodes_are_dated_by_their_texts_too() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.schema import NodeWithScore, TextNode

    from llama_index.postprocessor.dateline import DatedNodes

    nodes = [NodeWithScore(node=TextNode(text=text)) for text in (NEW, OLD)]
    assert [each.text for each in DatedNodes(as_of="2020").postprocess_nodes(nodes)] == [OLD]


def test_front_matter_that_a_loader_left_dates_a_document_and_is_not_shown() -> None:
    assert dated_context([Document(HEADED)], as_of="2023-02-03").splitlines()[3:] == [
        "date: Feb 1, 2023 (2 days before)",
        "title: The price",
        "text: The price is 9.",
    ]


@pytest.mark.parametrize(
    ("text", "date", "by"),
    [
        ("Date: 2022-09-01\n\nThe price is 8.", "2022-09-01", "field Date"),
        ("# Prices\n\nAuthor: Ana Bell\n**Date:** 1 September 2022\n\nThe price is 8.", "2022-09-01", "field Date"),
        ("Author: Ana Bell\nThe price is 8.", None, ""),
        ("Date: soon\nNoted 1 May 2021.", "2021-05-01", "text"),
    ],
)
def test_a_line_that_names_a_date_first_in_the_text_is_a_field(text: str, date: str | None, by: str) -> None:
    found = evidence_of(Document(text))
    assert (found.published and str(found.published), found.dated_by, found.text) == (date, by, text)


def test_what_metadata_say_comes_before_the_text() -> None:
    assert str(evidence_of(Document(HEADED, metadata={"dateline_date": "2020-01-01"})).published) == "2020-01-01"
    assert str(evidence_of(Document(NEW, metadata={"date": "2020-01-01"})).published) == "2020-01-01"


def test_a_stamped_document_without_a_date_is_not_looked_at_again() -> None:
    (stamped,) = DateStamper().transform_documents([Document("No day.")])
    assert evidence_of(Document(NEW, metadata=stamped.metadata)).published is None


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("The fair will open on 5 May 2031.", None),
        ("The fair will be held on 5 May 2031.", None),
        ("The fair is planned for 5 May 2031, as was agreed on 3 May 2021.", "2021-05-03"),
        ("5 May 2021\nThe fair will open.", "2021-05-05"),
        ("Minutes. 5 May 2021. The fair will open soon.", "2021-05-05"),
    ],
)
def test_a_day_that_a_text_looks_ahead_to_does_not_date_it(text: str, date: str | None) -> None:
    found = date_of_text(text)
    assert (None if found is None else str(found.interval)) == date


def test_passages_that_are_handed_over_are_dated_by_hand_alone() -> None:
    assert [evidence_of(each).published for each in (NEW, {"text": NEW}, Evidence.make(NEW))] == [None] * 3
