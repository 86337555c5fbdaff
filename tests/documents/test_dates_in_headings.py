"""A date in a document's heading or title dates it, before those in its text."""

from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.documents import Document

from dateline.documents import evidence_of
from dateline.formats.html_page import read_html
from dateline.search import load_documents

BORN = "The chair of the club is Tom Reyes. He was born on 3 May 1980.\n"


@pytest.mark.parametrize("ending", ["md", "txt"])
@pytest.mark.parametrize("heading", ["Minutes of 12 June 2024", "2024-06-12 Minutes", "12.06.2024"])
def test_a_date_in_a_heading_dates_a_file_as_it_does_in_a_store(ending: str, heading: str, tmp_path: Path) -> None:
    text = f"# {heading}\n\n{BORN}"
    (tmp_path / f"new.{ending}").write_text(text)
    (piece,) = load_documents(tmp_path).documents
    of_store = evidence_of(Document(text))
    assert (piece.title, str(piece.published), piece.dated_by) == (heading, "2024-06-12", "text")
    assert (of_store.published, of_store.dated_by) == (piece.published, piece.dated_by)


def test_a_title_of_front_matter_or_a_field_dates_like_a_heading(tmp_path: Path) -> None:
    (tmp_path / "new.md").write_text(f"---\ntitle: Minutes of 12 June 2024\n---\n{BORN}")
    (piece,) = load_documents(tmp_path).documents
    of_store = evidence_of(Document(BORN, metadata={"title": "Minutes of 12 June 2024"}))
    assert str(piece.published) == str(of_store.published) == "2024-06-12"


def test_the_heading_of_a_page_that_is_cut_from_its_text_dates_it() -> None:
    page = read_html(f"<h1>Minutes of 12 June 2024</h1><p>{BORN}</p>")
    assert str(page.dated(None, by_text=True).published) == "2024-06-12"


def test_a_title_that_is_kept_from_models_dates_for_them_too() -> None:
    schema = pytest.importorskip("llama_index.core.schema")
    node = schema.TextNode(
        text=BORN, metadata={"title": "Minutes of 12 June 2024"}, excluded_llm_metadata_keys=["title"]
    )
    piece = evidence_of(node, seen_by="model")
    assert (piece.title, str(piece.published)) == ("", "2024-06-12")


def test_the_first_heading_of_a_journal_is_the_day_of_its_first_entry(tmp_path: Path) -> None:
    said = "## 2018-01-02\nAda leads.\n\n## 2023-03-01\nCy leads.\n"
    (tmp_path / "diary.md").write_text(said, encoding="utf-8")
    entries = load_documents(tmp_path).documents
    assert [str(entry.published) for entry in entries] == ["2018-01-02", "2023-03-01"]
    assert ["Cy" in entry.text for entry in entries] == [False, True]


def test_a_note_that_is_only_a_heading_says_what_that_says(tmp_path: Path) -> None:
    (tmp_path / "2023-05-01-a.md").write_text("# Ada Berg was elected mayor of Lund\n", encoding="utf-8")
    (note,) = load_documents(tmp_path).documents
    assert (str(note.published), note.text) == ("2023-05-01", "Ada Berg was elected mayor of Lund")
