"""A library on a server: indexed by one machine, searched by all, without being loaded."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dateline.errors import BadInput, StoreFailed
from dateline.search import FolderSearch, shared_folder_search
from dateline.search.index import FolderIndex
from dateline.search.index.opening import open_library
from dateline.text.lexical import LexicalEmbeddings

CORPUS = Path(__file__).parents[2] / "examples" / "corpus"
LEXICAL = LexicalEmbeddings()
QUESTIONS = [
    "Who was prime minister of Japan in 2005?",
    "Who was elected pope before 2010?",
    "How many countries are in the EU?",
]


@pytest.mark.parametrize("graph", [False, True], ids=["compared with all", "by the graph"])
def test_it_finds_what_the_search_in_memory_finds(
    empty_library: str, graph: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dateline.search.index import postgres_store

    if graph:
        monkeypatch.setattr(postgres_store, "GRAPH_FROM", 1)
    FolderIndex(CORPUS, embeddings=LEXICAL, output=empty_library).update()
    library, memory = open_library(empty_library, embeddings=LEXICAL), FolderSearch.open(CORPUS, embeddings=LEXICAL)
    for year in (1998, 2012, 2024):
        for question in QUESTIONS:
            day = datetime(year, 6, 1, tzinfo=UTC)
            mine, other = (each.search(question, as_of=day, k=5) for each in (library, memory))
            assert mine.evidence[0].id == other.evidence[0].id
            assert len({each.id for each in mine.evidence} & {each.id for each in other.evidence}) >= 4
            assert mine.skipped == other.skipped


def test_only_files_that_changed_are_read_and_those_gone_leave(empty_library: str, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "2021-05-01.md").write_text("Ada Berg is mayor.")
    (folder / "2022-05-01.md").write_text("The ferry runs daily.")
    index = FolderIndex(folder, embeddings=LEXICAL, output=empty_library)
    assert (index.update().read, index.update().read) == (2, 0)
    (folder / "2021-05-01.md").write_text("Bo Lind is mayor.")
    (folder / "2022-05-01.md").unlink()
    made = index.update()
    assert (made.read, made.removed, made.passages) == (1, 1, 1)
    search = shared_folder_search(empty_library, embeddings=LEXICAL)
    found = search.search("mayor ferry", as_of=datetime(2024, 1, 1, tzinfo=UTC))
    assert [each.text for each in found.evidence] == ["Bo Lind is mayor."]
    shutil.rmtree(folder)
    assert search.search("mayor", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence, "others need no folder"


def test_an_empty_database_and_other_embeddings_are_told_in_one_sentence(empty_library: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="dateline index"):
        open_library(empty_library, embeddings=LEXICAL)
    (tmp_path / "a.md").write_text("Ada Berg is mayor.")
    FolderIndex(tmp_path, embeddings=LEXICAL, output=empty_library).update()
    with pytest.raises(BadInput, match="lexical"):
        open_library(empty_library, embeddings=LexicalEmbeddings(dimensions=64))
    with pytest.raises(BadInput, match="other settings"):
        FolderIndex(CORPUS, embeddings=LEXICAL, output=empty_library)


@pytest.mark.parametrize(
    "address",
    ["postgresql://ana:s3cret@127.0.0.1:1/notes", "postgresql://ana:s3/cret@127.0.0.1:1/notes?password=s3cret"],
)
def test_no_password_is_in_an_error(address: str) -> None:
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    with pytest.raises((StoreFailed, BadInput)) as told:
        open_library(address, embeddings=LEXICAL)
    shown = f"{told.value!r} {told.value}"
    assert "s3" not in shown
    assert str(told.value).count("\n") == 0
