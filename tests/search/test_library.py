"""A library on a server: indexed by one machine, searched by all, without being loaded."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy

from dateline import databases
from dateline.databases import database_url
from dateline.errors import BadInput, MissingExtra, StoreFailed
from dateline.facts import open_store
from dateline.search import shared_folder_search
from dateline.search.index import FolderIndex, PartChange, folder_update
from dateline.search.index.opening import open_library, remove_index
from dateline.text import default_embeddings
from dateline.text.lexical import LexicalEmbeddings
from dateline_cli.main import main

CORPUS = Path(__file__).parents[2] / "examples" / "corpus"
LEXICAL = LexicalEmbeddings()
QUESTIONS = [
    "Who was prime minister of Japan in 2005?",
    "Who was elected pope before 2010?",
    "How many countries are in the EU?",
]


@pytest.mark.parametrize("graph", [False, True], ids=["compared with all", "by the graph"])
def test_it_finds_what_the_index_on_disk_finds(
    empty_library: str, graph: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dateline.search.index import postgres_store

    if graph:
        monkeypatch.setattr(postgres_store, "GRAPH_FROM", 1)
    FolderIndex(CORPUS, embeddings=LEXICAL, output=empty_library).update()
    on_disk = FolderIndex(CORPUS, embeddings=LEXICAL, output=tmp_path / "corpus.index")
    on_disk.update()
    library, disk = open_library(empty_library, embeddings=LEXICAL), on_disk.search()
    for year in (1998, 2012, 2024):
        for question in QUESTIONS:
            day = datetime(year, 6, 1, tzinfo=UTC)
            mine, other = (each.search(question, as_of=day, k=5) for each in (library, disk))
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


def test_a_library_has_the_name_that_it_is_opened_by(empty_library: str, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "town").mkdir(parents=True)
    (folder / "2021-05-01.md").write_text("Ada Berg is mayor.")
    (folder / "town" / "2022-05-01.md").write_text("Bo Lind is mayor.")
    in_a_file = tmp_path / "notes.index"
    for place in (empty_library, in_a_file):
        FolderIndex(folder, embeddings=LEXICAL, output=place).update()
        for name, channels in (("", {"notes", "notes/town"}), ("gazette", {"gazette", "gazette/town"})):
            search = shared_folder_search(place, embeddings=LEXICAL, name=name)
            found = search.search("mayor", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence
            assert {each.channel for each in found} == channels
        with pytest.raises(BadInput, match="without trust in its sources"):
            shared_folder_search(place, embeddings=LEXICAL, trust_sources=True)


def test_the_channels_of_trusted_sources_stay_what_documents_say(empty_library: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nsource: The Gazette\ndate: 2021\n---\nAda Berg is mayor.")
    FolderIndex(tmp_path, embeddings=LEXICAL, output=empty_library, trust_sources=True).update()
    search = shared_folder_search(empty_library, embeddings=LEXICAL, name="archive", trust_sources=True)
    [found] = search.search("mayor", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence
    assert found.channel == "The Gazette"


def test_deleting_tells_whether_there_was_a_library(
    empty_library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text("Ada Berg is mayor.")
    nowhere = f"{empty_library}&options=-csearch_path%3Dnowhere"
    FolderIndex(tmp_path, embeddings=default_embeddings(), output=empty_library).update()
    for address, told in (
        (nowhere, "There is no index"),
        (empty_library, "Deleted"),
        (empty_library, "There is no index"),
    ):
        assert main(["index", str(tmp_path), "--to", address, "--remove"]) == 0
        assert told in capsys.readouterr().out


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


def test_who_may_only_select_can_ask_and_change_nothing(empty_library: str, tmp_path: Path) -> None:
    (tmp_path / "2021-05-01.md").write_text("Ada Berg is mayor.")
    FolderIndex(tmp_path, embeddings=LEXICAL, output=empty_library).update()
    engine = sqlalchemy.create_engine(database_url(empty_library, what="library"))
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP ROLE IF EXISTS reader")
        connection.exec_driver_sql("CREATE ROLE reader LOGIN")
        connection.exec_driver_sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader")
    address = empty_library.replace("postgres:@", "reader:@")
    assert address != empty_library
    library = open_library(address, embeddings=LEXICAL)
    assert library.search("mayor", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence
    with pytest.raises(StoreFailed, match="permission"), library.store.writing():
        library.store.change([PartChange("2021-05-01.md")])
    library.store.close()
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP OWNED BY reader")
        connection.exec_driver_sql("DROP ROLE reader")
    engine.dispose()


def test_two_libraries_of_one_database_know_nothing_of_each_other(empty_library: str, tmp_path: Path) -> None:
    engine = sqlalchemy.create_engine(database_url(empty_library, what="library"))
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE SCHEMA IF NOT EXISTS notes")
    other = f"{empty_library}&options=-csearch_path%3Dnotes,public"
    remove_index(other)
    for name, address in (("Ada", empty_library), ("Bo", other)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "2021-05-01.md").write_text(f"{name} is mayor.")
        FolderIndex(folder, embeddings=LEXICAL, output=address).update()
    for name, address in (("Ada", empty_library), ("Bo", other)):
        found = open_library(address, embeddings=LEXICAL).search("mayor", as_of=datetime(2024, 1, 1, tzinfo=UTC))
        assert [each.text for each in found.evidence] == [f"{name} is mayor."]
    engine.dispose()


def test_a_killed_indexing_goes_on_where_it_was(
    empty_library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for part in range(3):
        rows = [f'{{"text": "Ship {part} {n} sailed.", "title": "Ship {part} {n}"}}' for n in range(900)]
        (folder / f"{part}.jsonl").write_text("\n".join(rows))
    code = (
        "import os, signal, sys; from dateline.search.index import FolderIndex, postgres_store;"
        "from dateline.text.lexical import LexicalEmbeddings;"
        "tidy = postgres_store.PostgresPassageStore.tidy;"
        "kill = lambda self: (tidy(self), os.kill(os.getpid(), signal.SIGKILL) if self.count() else None);"
        "postgres_store.PostgresPassageStore.tidy = kill;"
        "FolderIndex(sys.argv[1], embeddings=LexicalEmbeddings(), output=sys.argv[2]).update()"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(folder), empty_library], check=False)
    assert killed.returncode == -signal.SIGKILL
    index = FolderIndex(folder, embeddings=LEXICAL, output=empty_library)
    before = index.store.count()
    assert 0 < before < 2700
    encoded: list[int] = []
    prepare = folder_update.prepare
    monkeypatch.setattr(
        folder_update, "prepare", lambda evidence, **how: encoded.append(len(evidence)) or prepare(evidence, **how)
    )
    assert index.update().passages == 2700
    assert sum(encoded) == 2700 - before


@pytest.mark.timeout(60)
def test_a_server_that_says_nothing_is_given_up_in_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg", reason="needs the extra postgres")
    monkeypatch.setattr(databases, "CONNECT_SECONDS", 2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgresql://ana@127.0.0.1:{silent.getsockname()[1]}/notes"
        for refused in (
            lambda: open_library(address, embeddings=LEXICAL),
            lambda: open_store(address, embeddings=LEXICAL),
            lambda: remove_index(address),
        ):
            started = time.monotonic()
            with pytest.raises(StoreFailed):
                refused()
            assert time.monotonic() - started < 15


def test_a_library_is_removed_without_its_driver_by_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for refused in (remove_index, lambda address: open_library(address, embeddings=LEXICAL)):
        with pytest.raises(MissingExtra, match=r'pip install "dateline\[postgres\]"'):
            refused("postgresql://ana@127.0.0.1/notes")


def test_the_seconds_that_an_address_names_count() -> None:
    url = database_url("postgresql://ana@db/notes?connect_timeout=3", what="library")
    assert databases.connect_args(url) == {"connect_timeout": "3"}
    assert databases.connect_args(database_url("sqlite:///notes.db", what="library")) == {}
