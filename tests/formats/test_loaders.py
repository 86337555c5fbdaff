"""What loaders of the frameworks bring is the evidence that the folder's own reading makes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_community.document_loaders import PyPDFLoader, TextLoader
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import SimpleDirectoryReader
from made_files import WHEN, pdf

from dateline.errors import BadInput
from dateline.records import Evidence
from dateline.search import FolderSearch, RetrieverSearch, load_documents
from dateline.text.lexical import LexicalEmbeddings

EMBEDDINGS = LexicalEmbeddings()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "2021-05-06-ferry.txt").write_text("The ferry runs hourly.")
    (tmp_path / "minutes.txt").write_text("Minutes of 3 March 2018\n\nThe ferry stops in winter.")
    return tmp_path


def told(documents: tuple[Evidence, ...]) -> set[tuple[str, str, str, str]]:
    return {(each.title, each.text, str(each.published), each.dated_by) for each in documents}


def test_loaders_of_both_frameworks_bring_what_the_folder_holds(notes: Path) -> None:
    by_langchain = [document for file in sorted(notes.iterdir()) for document in TextLoader(file).lazy_load()]
    by_llama_index = SimpleDirectoryReader(str(notes)).load_data()
    expected = told(load_documents(notes).documents)
    for brought in (by_langchain, by_llama_index):
        assert told(FolderSearch.from_documents(brought, embeddings=EMBEDDINGS).documents) == expected


def test_documents_are_taken_from_a_loader_one_after_another() -> None:
    class Wiki(BaseLoader):
        def lazy_load(self) -> Iterator[Document]:
            for year in (2019, 2023):
                yield Document(f"Price of {year}.", metadata={"info": {"valid": f"03/04/{year}"}, "date": "1999"})

    search = FolderSearch.from_documents(Wiki().lazy_load(), date_field="info.valid", embeddings=EMBEDDINGS)
    assert [(str(each.published), each.dated_by) for each in search.documents] == [
        (f"{year}", f"field info.valid, only the year: 03/04/{year} may have the day or the month first")
        for year in (2019, 2023)
    ]


def test_a_pdf_through_a_loader_has_the_date_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("The quay is closed."))
    (piece,) = FolderSearch.from_documents(PyPDFLoader(tmp_path / "a.pdf").lazy_load(), embeddings=EMBEDDINGS).documents
    assert (str(piece.published)[:10], piece.dated_by) == (WHEN.date().isoformat(), "field creationdate")


def test_documents_given_directly_are_refused_with_what_to_call() -> None:
    with pytest.raises(
        BadInput, match=r"FolderSearch takes Evidence; give documents .* to FolderSearch\.from_documents\."
    ):
        FolderSearch([Document("The quay is closed.")])  # type: ignore[list-item]


def test_a_vector_store_is_searched_as_it_is() -> None:
    store = InMemoryVectorStore.from_documents([Document("The quay is closed.", metadata={"date": "2021"})], EMBEDDINGS)
    (piece,) = RetrieverSearch(store, embeddings=EMBEDDINGS).search("quay", as_of=WHEN.replace(year=2024), k=1).evidence
    assert (piece.text, str(piece.published)) == ("The quay is closed.", "2021")
