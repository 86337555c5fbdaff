"""When storage fails: one sentence, and nothing that was acknowledged is lost."""

from __future__ import annotations

import resource
import socket
import sqlite3
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
import servers
from hashed_words import HashedWords
from test_facts_store import ANNA, BRUNO, add, texts

from dateline.errors import BadInput, StoreFailed
from dateline.facts import ExactIndex, Fact, FactStore, open_store
from dateline.facts.chroma import ChromaIndex
from dateline.facts.maintenance import verify
from dateline.facts.opening import rebuild_store
from dateline.facts.sql import SqlLedger

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def one_sentence(error: pytest.ExceptionInfo[StoreFailed]) -> bool:
    return "\n" not in str(error.value) and len(str(error.value)) < 400


def test_a_locked_database_stores_nothing_and_says_so(tmp_path: Path) -> None:
    ledger = SqlLedger.at(tmp_path / "facts.db", timeout=0.1)
    store = FactStore(ledger, index=ExactIndex(), embeddings=HashedWords())
    store.apply("a", [add(ANNA, "a", "2020")])
    other = sqlite3.connect(tmp_path / "facts.db")
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreFailed, match="locked") as error:
        store.apply("b", [add(BRUNO, "b", "2020")])
    assert one_sentence(error)
    assert texts(store) == {ANNA.text}
    other.rollback()
    store.apply("b", [add(BRUNO, "b", "2020")])
    assert texts(store) == {ANNA.text, BRUNO.text}


def test_a_full_disk_keeps_what_was_acknowledged(tmp_path: Path) -> None:
    store = open_store(tmp_path, embeddings=HashedWords(), index="file")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    written = 0
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, limits[1]))

    def write_on_and_on() -> None:
        nonlocal written
        while written < 1_000:
            facts = [Fact.make(f"Lamp {written} of row {row} is on.") for row in range(20)]
            store.apply(f"d{written}", [add(fact, f"d{written}", "2020") for fact in facts])
            written += 1

    try:
        with pytest.raises(StoreFailed) as error:
            write_on_and_on()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert one_sentence(error)
    assert written > 0
    assert len(store.at()) == 20 * written
    store.apply("after", [add(ANNA, "after", "2020")])
    store.close()
    with open_store(tmp_path, embeddings=HashedWords(), index="file") as again:
        assert len(again.at()) == 20 * written + 1
        assert again.search(ANNA.text, k=1)[0].fact == ANNA


def test_a_lost_server_is_told_without_its_password() -> None:
    pytest.importorskip("psycopg")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(StoreFailed, match="could not be opened") as error:
        SqlLedger(f"postgresql+psycopg://dateline:sesame@127.0.0.1:{port}/facts")
    assert one_sentence(error)
    assert "sesame" not in str(error.value)


def test_a_server_lost_in_between_is_told_when_written_and_when_read() -> None:
    pytest.importorskip("psycopg")
    if servers.postgres_programs() is None:
        pytest.skip("install Debian's postgresql to run this")
    with servers.postgres() as url:
        store = open_store(url, embeddings=HashedWords())
        store.apply("a", [add(ANNA, "a", "2020")])
    with pytest.raises(StoreFailed, match="acknowledged before is safe") as error:
        store.apply("b", [add(BRUNO, "b", "2020")])
    assert one_sentence(error)
    with pytest.raises(StoreFailed, match="could not be read") as error:
        store.search("observatory")
    assert one_sentence(error)


def test_a_lost_chroma_server_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    pytest.importorskip("chromadb")
    if servers.chroma_program() is None:
        pytest.skip("the command chroma is not installed beside this Python")
    folder = tmp_path / "store"
    with servers.chroma(tmp_path) as client:
        store = open_store(folder, embeddings=HashedWords(), index=ChromaIndex(client))
        store.apply("a", [add(ANNA, "a", "2020")])
        store.flush()
    with pytest.raises(StoreFailed, match="nothing was lost") as error:
        store.search("observatory")
    assert one_sentence(error)
    store.close()
    with open_store(folder, embeddings=HashedWords()) as again:
        assert texts(again) == {ANNA.text}


def test_a_damaged_file_index_is_told_by_a_check_and_mended_by_a_rebuild(tmp_path: Path) -> None:
    with open_store(tmp_path, embeddings=HashedWords()) as store:
        store.apply("a", [add(ANNA, "a", "2020"), add(BRUNO, "a", "2020")])
    vectors = tmp_path / "vectors.f32"
    vectors.write_bytes(b"\xff" * vectors.stat().st_size)
    with open_store(tmp_path, embeddings=HashedWords()) as store:
        (problem,) = verify(store).problems
        assert "reindex()" in problem
    with rebuild_store(tmp_path, embeddings=HashedWords()) as store:
        assert verify(store).sound


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "facts.db").write_bytes(b"this is not a database" * 100)
    with pytest.raises(StoreFailed, match="not a database") as error:
        open_store(tmp_path, embeddings=HashedWords(), index="file")
    assert one_sentence(error)


def test_a_damaged_chroma_index_is_told_and_its_folder_can_be_deleted(tmp_path: Path) -> None:
    pytest.importorskip("chromadb")
    with open_store(tmp_path, embeddings=HashedWords(), index="chroma") as store:
        store.apply("a", [add(ANNA, "a", "2020")])
    (tmp_path / "chroma" / "chroma.sqlite3").write_bytes(b"this is not a database" * 100)
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()  # as in a new process
    with pytest.raises(StoreFailed, match="rebuild_store") as error:
        open_store(tmp_path, embeddings=HashedWords(), index="chroma")
    assert one_sentence(error)


@pytest.mark.parametrize(
    ("where", "sentence"),
    [("nonsense://x", "Cannot read the ledger's URL"), ("://", "Cannot read the ledger's URL")],
)
def test_a_url_that_cannot_be_read_is_refused(where: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        open_store(where, embeddings=HashedWords())


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("")
    with pytest.raises(BadInput, match="is a file"):
        open_store(tmp_path / "store", embeddings=HashedWords())


def test_an_unknown_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="choose one of auto, file, chroma"):
        open_store(tmp_path, embeddings=HashedWords(), index="faiss")  # type: ignore[arg-type]


def test_a_ledger_of_another_schema_is_refused(tmp_path: Path) -> None:
    open_store(tmp_path, embeddings=HashedWords(), index="file").close()
    with sqlite3.connect(tmp_path / "facts.db") as connection:
        connection.execute("UPDATE dateline_schema SET version = 99")
    with pytest.raises(BadInput, match="schema version 99"):
        open_store(tmp_path, embeddings=HashedWords(), index="file")


def test_embeddings_that_fail_leave_nothing_half_written(tmp_path: Path) -> None:
    class Failing(HashedWords):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise ConnectionError("the model is away")

    store = open_store(tmp_path, embeddings=Failing(), index="file")
    with pytest.raises(ConnectionError):
        store.apply("a", [add(ANNA, "a", "2020")])
    assert store.ledger.last() == 0


def test_many_threads_write_and_read_without_losing_or_doubling_anything(tmp_path: Path) -> None:
    with open_store(tmp_path, embeddings=HashedWords(), index="file") as store:

        def work(worker: int) -> None:
            for number in range(10):
                document = f"{worker}-{number % 5}"
                store.apply(document, [add(Fact.make(f"Lamp {document} is on."), document, "2020")])
                store.search("lamp", k=3)

        threads = [threading.Thread(target=work, args=(worker,)) for worker in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.ledger.last() == 30
        assert len(store.at()) == 30
