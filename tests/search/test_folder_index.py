"""The index of a folder on disk: it finds what the one in memory finds, and costs what has changed."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dateline import BadInput, stopping
from dateline.bulk import OneProcess
from dateline.documents.raw import RawDocument
from dateline.errors import DatelineError, StoreFailed
from dateline.files import identity, read_bytes
from dateline.formats import office, table
from dateline.formats.apart import ReaderFailed
from dateline.limits import FILE_BYTES
from dateline.ranking import HybridRanker
from dateline.ranking.candidates import CandidateFilter
from dateline.search import FolderLimits, FolderSearch, documents, shared_folder_search, watch
from dateline.search.index import FolderIndex, PartChange, PartState, SqlitePassageStore, folder_index
from dateline.search.index.sqlite_file import MARK, SqliteFile
from dateline.temporal import decompose
from dateline.text.lexical import LexicalEmbeddings

CORPUS = Path(__file__).parents[2] / "examples" / "corpus"
NOW = datetime(2024, 1, 1, tzinfo=UTC)
QUESTIONS = [
    "Who was prime minister of Japan in 2005?",
    "What is the federal minimum wage?",
    "Who was elected pope before 2010?",
    "When did Macedonia join the UN?",
    "How many countries are in the EU?",
]


def write(folder: Path, **documents: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in documents.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def index_of(folder: Path, output: Path) -> FolderIndex:
    return FolderIndex(folder, embeddings=LexicalEmbeddings(), output=output)


def texts(index: FolderIndex, question: str, *, as_of: datetime = NOW, k: int = 10) -> list[str]:
    return [each.text for each in index.search().search(question, as_of=as_of, k=k).evidence]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> FolderIndex:
    made = index_of(CORPUS, tmp_path_factory.mktemp("index") / "corpus.index")
    made.update()
    return made


@pytest.fixture(scope="module")
def memory() -> FolderSearch:
    return FolderSearch.open(CORPUS, embeddings=LexicalEmbeddings())


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("year", [1998, 2012, 2024])
def test_it_finds_what_the_search_in_memory_finds(
    corpus: FolderIndex, memory: FolderSearch, question: str, year: int
) -> None:
    day = datetime(year, 6, 1, tzinfo=UTC)
    mine, other = (each.search(question, as_of=day, k=5) for each in (corpus.search(), memory))
    assert mine.evidence[0].id == other.evidence[0].id
    assert len({each.id for each in mine.evidence} & {each.id for each in other.evidence}) >= 4
    assert mine.skipped == other.skipped


def test_only_files_that_changed_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    write(folder, a="Ada Berg is mayor.", b="The ferry runs daily.")
    index = index_of(folder, tmp_path / "x.index")
    assert index.update().read == 2
    assert index.update().read == 0
    write(folder, b="The ferry runs hourly.", c="The museum opened in 1927.")
    assert index.update().read == 2
    assert set(texts(index, "ferry museum mayor")) == {
        "Ada Berg is mayor.",
        "The ferry runs hourly.",
        "The museum opened in 1927.",
    }


def test_a_file_that_left_is_not_found(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    write(folder, a="Ada Berg is mayor.", b="The ferry runs daily.")
    index = index_of(folder, tmp_path / "x.index")
    index.update()
    (folder / "b.md").unlink()
    made = index.update()
    assert (made.removed, made.passages, texts(index, "ferry")) == (1, 1, ["Ada Berg is mayor."])


@pytest.mark.parametrize("title", ['"title": "Ship {}", ', ""], ids=["with titles", "without"])
def test_a_line_added_to_a_long_file_costs_its_last_part(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dateline.search.index import folder_update

    file = tmp_path / "rows.jsonl"
    rows = [f'{{"text": "Ship {number} sailed.", {title.format(number)}"date": "2019"}}' for number in range(2500)]
    file.write_text("\n".join(rows), encoding="utf-8")
    index = index_of(file, tmp_path / "x.index")
    assert index.update().passages == 2500
    encoded: list[int] = []
    prepare = folder_update.prepare
    monkeypatch.setattr(
        folder_update, "prepare", lambda evidence, **how: encoded.append(len(evidence)) or prepare(evidence, **how)
    )
    file.write_text("\n".join([*rows, '{"text": "A balloon rose.", "date": "2020"}']), encoding="utf-8")
    assert index.update().passages == 2501
    assert sum(encoded) <= 51
    assert texts(index, "Who saw the balloon?", k=1) == ["A balloon rose."]
    file.write_text("\n".join(rows[:900]), encoding="utf-8")
    assert index.update().passages == 900


def test_a_part_behind_the_end_of_a_file_leaves_even_if_the_file_was_never_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dateline.search.index import folder_update

    file = tmp_path / "rows.jsonl"
    rows = [f'{{"text": "Ship {number} sailed.", "date": "2019"}}' for number in range(200)]
    file.write_text("\n".join(rows), encoding="utf-8")
    index = index_of(file, tmp_path / "x.index")
    monkeypatch.setattr(folder_update, "BATCH", 1)

    def killed(line: str, **how: Any) -> RawDocument:
        if line == rows[180]:
            raise KeyboardInterrupt
        return read(line, **how)

    read = documents.read_row
    monkeypatch.setattr(documents, "read_row", killed)
    with pytest.raises(KeyboardInterrupt):
        index.update()
    assert "rows.jsonl" not in index.store.parts()
    assert index.store.count() == 100
    monkeypatch.setattr(documents, "read_row", read)
    file.write_text("\n".join(rows[:60]), encoding="utf-8")
    assert index.update().passages == 60
    assert index.update().read == 0


def test_the_work_of_an_update_grows_with_the_number_of_files(tmp_path: Path) -> None:
    from dateline.search.index import folder_update

    def calls(count: int) -> int:
        folder = tmp_path / f"{count}"
        write(folder, **{f"ship{number}": f"Ship {number} sailed." for number in range(count)})
        index, own = index_of(folder, tmp_path / f"{count}.index"), Counter[str]()

        def count_calls(frame: FrameType, event: str, _: object) -> None:
            if frame.f_code.co_filename == folder_update.__file__:
                own[event] += 1

        sys.setprofile(count_calls)
        try:
            index.update()
        finally:
            sys.setprofile(None)
        return own.total()

    assert calls(200) < 4.5 * calls(50)


def test_an_index_of_another_version_says_what_differs_and_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    index_of(tmp_path / "notes", tmp_path / "x.index").update()
    monkeypatch.setattr("dateline.search.index.folder_index.code_version", lambda *patterns: b"later")
    with pytest.raises(BadInput) as told:
        index_of(tmp_path / "notes", tmp_path / "x.index")
    assert "was made with other settings (the version of dateline); remove it" in str(told.value)
    assert str(told.value).endswith(", or name another file.")
    assert len(str(told.value)) < 300
    FolderIndex.remove(tmp_path / "x.index")
    assert index_of(tmp_path / "notes", tmp_path / "x.index").update().passages == 1


def test_what_another_process_writes_between_two_counts_is_no_later_passage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    index = index_of(tmp_path / "notes", tmp_path / "x.index")
    index.update()
    counted = iter([1, 51])
    monkeypatch.setattr(index.store, "count", lambda asked=None: next(counted))
    assert index.search().search("mayor", as_of=NOW).skipped == ()


def test_a_file_that_may_be_read_now_is_read_by_a_search_that_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "FRESH_SECONDS", 1e-6)
    write(tmp_path / "notes", a="Ada Berg is mayor.", b="The ferry runs daily.")
    (tmp_path / "notes" / "b.md").chmod(0o000)
    output, embeddings = tmp_path / "x.index", LexicalEmbeddings()

    def refused(path: Path, **given: Any) -> bytes:
        if path.name == "b.md" and not path.stat().st_mode & 0o400:
            raise PermissionError(13, "Permission denied")  # whoever runs this, root too
        return read_bytes(path, **given)

    monkeypatch.setattr(table, "read_bytes", refused)
    index_of(tmp_path / "notes", output).update()

    def found() -> set[str]:
        search = shared_folder_search(output, embeddings=embeddings)
        return {each.text for each in search.search("mayor ferry", as_of=NOW).evidence}

    assert found() == {"Ada Berg is mayor."}
    (tmp_path / "notes" / "b.md").chmod(0o600)
    assert found() == {"Ada Berg is mayor.", "The ferry runs daily."}


def test_a_long_file_whose_time_runs_out_is_not_taken_as_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, clock, read = tmp_path / "rows.jsonl", SimpleNamespace(now=0.0), documents.read_row
    rows = [f'{{"text": "Ship {number} sailed.", "title": "Ship {number}"}}' for number in range(200)]
    file.write_text("\n".join(rows), encoding="utf-8")
    index = FolderIndex(
        file, embeddings=LexicalEmbeddings(), limits=FolderLimits(seconds=60), output=tmp_path / "x.index"
    )
    assert index.update().passages == 200

    def slow(line: str, **how: Any) -> RawDocument:
        clock.now += 61 if line == rows[99] else 0
        return read(line, **how)

    os.utime(file, (1, 1))
    monkeypatch.setattr(documents, "read_row", slow)
    monkeypatch.setattr(stopping, "time", SimpleNamespace(monotonic=lambda: clock.now))
    with pytest.raises(BadInput, match=r"^Indexing .* takes more than 60 s; what is done is kept"):
        index.update(mapper=OneProcess())
    assert index.store.count() == 200, "the parts that were not reached are still there"
    monkeypatch.setattr(documents, "read_row", read)
    assert index.update().read == 1


def test_a_file_touched_but_not_changed_is_not_encoded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dateline.search.index import folder_update

    write(tmp_path / "notes", a="Ada Berg is mayor.")
    index = index_of(tmp_path / "notes", tmp_path / "x.index")
    index.update()
    os.utime(tmp_path / "notes" / "a.md", (1, 1))
    encoded: list[int] = []
    prepare = folder_update.prepare
    monkeypatch.setattr(
        folder_update, "prepare", lambda evidence, **how: encoded.append(len(evidence)) or prepare(evidence, **how)
    )
    assert index.update().read == 1
    assert sum(encoded) == 0


def test_dates_of_later_files_tell_how_earlier_ones_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    write(folder, a="---\ndate: 03/04/2019\n---\nAda Berg is mayor.")
    index = index_of(folder, tmp_path / "x.index")
    index.update()
    write(folder, z="---\ndate: 25/04/2019\n---\nThe ferry runs daily.")
    index.update()
    [first] = index.search().search("mayor", as_of=NOW, k=1).evidence
    assert first.published is not None
    assert first.published.isoformat() == "2019-04-03"


def test_what_is_published_later_is_left_out_and_counted(tmp_path: Path) -> None:
    write(tmp_path / "notes", a="---\ndate: 2019\n---\nAda is mayor.", b="---\ndate: 2023\n---\nBo is mayor.")
    index = index_of(tmp_path / "notes", tmp_path / "x.index")
    index.update()
    found = index.search().search("Who is mayor?", as_of=datetime(2020, 1, 1, tzinfo=UTC))
    assert [each.text for each in found.evidence] == ["Ada is mayor."]
    assert found.skipped == ("1 passage was published after 2020-01-01",)


@pytest.mark.parametrize(("place", "harm"), [("x.index", "cut"), ("x.index", "noise"), ("", "noise"), ("", "text")])
def test_a_damaged_index_is_made_anew(
    tmp_path: Path, place: str, harm: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write(tmp_path / "notes", a="Ada Berg is mayor.", b="The ferry runs daily.")
    output = tmp_path / place if place else FolderIndex.place(tmp_path / "notes", embeddings=LexicalEmbeddings())
    index = index_of(tmp_path / "notes", output)
    index.update()
    index.store.close()
    data = output.read_bytes()
    for beside in ("-wal", "-shm"):
        output.with_name(output.name + beside).unlink(missing_ok=True)
    output.write_bytes(
        {"cut": data[: len(data) // 3], "noise": data[:100] + os.urandom(len(data) - 100), "text": b"no index"}[harm]
    )
    again = index_of(tmp_path / "notes", output)
    assert again.update().passages == 2
    assert texts(again, "Who is mayor?", k=1) == ["Ada Berg is mayor."]
    assert "made anew" in caplog.text


def somebody_elses(folder: Path) -> dict[Path, bytes]:
    """A text, a database and a folder that are no indexes."""
    text, database, other = folder / "mine.txt", folder / "app.db", folder / "other.index"
    text.write_text("My notes of ten years. " * 20, encoding="utf-8")
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT); CREATE TABLE mine (x);")
        connection.execute("PRAGMA journal_mode = WAL")
    other.write_bytes(b"\x00" * 500)
    return {file: file.read_bytes() for file in (text, database, other)}


def test_a_file_that_is_no_index_is_neither_written_nor_deleted(tmp_path: Path) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    for file, content in somebody_elses(tmp_path).items():
        with pytest.raises(BadInput, match=rf"{file.name}' is no index; name another file\.$"):
            index_of(tmp_path / "notes", file)
        with pytest.raises(BadInput, match=r"is no index"):
            FolderIndex.remove(file)
        assert file.read_bytes() == content
    with pytest.raises(BadInput, match=r"is no index"):
        FolderIndex.remove(tmp_path / "notes")


def test_an_index_in_whose_place_another_file_lies_now_is_not_made_anew_over_it(tmp_path: Path) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    output = tmp_path / "x.index"
    index = index_of(tmp_path / "notes", output)
    index.update()
    FolderIndex.remove(output)
    output.write_text("My notes of ten years. " * 20, encoding="utf-8")
    with pytest.raises(BadInput, match=r"is no index"):
        index.update()
    assert output.read_text(encoding="utf-8").startswith("My notes")


def test_an_empty_file_becomes_an_index_and_one_made_before_there_was_a_mark_is_one(tmp_path: Path) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    output = tmp_path / "x.index"
    output.touch()
    index_of(tmp_path / "notes", output).update()
    with closing(sqlite3.connect(output)) as connection:
        connection.execute("PRAGMA application_id = 0")
    assert index_of(tmp_path / "notes", output).update().read == 0
    FolderIndex.remove(output)
    assert not output.exists()


def test_a_later_reading_of_documents_makes_another_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = [FolderIndex.place(tmp_path, embeddings=LexicalEmbeddings())]
    monkeypatch.setattr("dateline.search.index.folder_index.code_version", lambda *patterns: b"later")
    places.append(FolderIndex.place(tmp_path, embeddings=LexicalEmbeddings()))
    assert len(set(places)) == 2


def test_an_index_is_for_its_owner_alone(tmp_path: Path) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    index_of(tmp_path / "notes", tmp_path / "sub" / "x.index").update()
    assert {path.stat().st_mode & 0o077 for path in (tmp_path / "sub").iterdir()} == {0}


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    with pytest.raises(BadInput, match="no readable document"):
        index_of(tmp_path / "notes", tmp_path / "x.index").update()


def test_a_folder_that_empties_is_refused_but_comes_back(tmp_path: Path) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    index = index_of(tmp_path / "notes", tmp_path / "x.index")
    index.update()
    shutil.move(tmp_path / "notes" / "a.md", tmp_path / "a.md")
    with pytest.raises(BadInput, match="no readable document"):
        index.update()
    shutil.move(tmp_path / "a.md", tmp_path / "notes" / "a.md")
    assert index.update().passages == 1


def run_index(folder: Path, output: Path, *, seconds_a_text: float = 0.0) -> subprocess.Popen[bytes]:
    """Index a folder in a process of its own."""
    code = (
        "import sys, time; from pathlib import Path; from dateline.search.index import FolderIndex, folder_update;"
        "from dateline.text.lexical import LexicalEmbeddings; prepare = folder_update.prepare; folder_update.BATCH = 20;"
        "slow = lambda texts, **how: (time.sleep(float(sys.argv[3]) * len(texts)), prepare(texts, **how))[1];"
        "folder_update.prepare = slow;"
        "FolderIndex(sys.argv[1], embeddings=LexicalEmbeddings(), output=Path(sys.argv[2])).update()"
    )
    return subprocess.Popen([sys.executable, "-c", code, str(folder), str(output), str(seconds_a_text)])


def stored(output: Path) -> int:
    if not output.exists():
        return 0
    try:
        with closing(sqlite3.connect(output)) as connection:
            return int(connection.execute("SELECT count(*) FROM parts").fetchone()[0])
    except sqlite3.Error:
        return 0


def wait_for_parts(output: Path, count: int) -> None:
    end = time.monotonic() + 60
    while stored(output) < count:
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def many(tmp_path: Path) -> Path:
    write(
        tmp_path / "notes", **{f"ship{number:03}": f"Ship {number} sailed to port {number}." for number in range(200)}
    )
    return tmp_path / "notes"


def test_a_killed_indexing_goes_on_where_it_was(many: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.index"
    killed = run_index(many, output, seconds_a_text=0.02)
    wait_for_parts(output, 40)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    done = stored(output)
    made = index_of(many, output).update()
    assert (made.passages, made.read) == (200, 200 - done)
    assert not made.rebuilt


def test_two_processes_index_one_folder_once(many: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.index"
    both = [run_index(many, output, seconds_a_text=0.002) for _ in range(2)]
    assert [each.wait(timeout=100) for each in both] == [0, 0]
    made = index_of(many, output).update()
    assert (made.passages, made.read) == (200, 0)
    assert texts(index_of(many, output), "Which ship sailed to port 77?", k=1) == ["Ship 77 sailed to port 77."]


def test_readers_go_on_while_another_process_writes(many: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.index"
    writer = run_index(many, output, seconds_a_text=0.01)
    wait_for_parts(output, 20)
    reader = index_of(many, output)
    assert texts(reader, "Which ship sailed to port 7?", k=1) == ["Ship 7 sailed to port 7."]
    with pytest.raises(StoreFailed, match="Another process"):
        reader.update(wait=0.1)
    assert writer.wait(timeout=100) == 0
    assert texts(reader, "Which ship sailed to port 199?", k=1) == ["Ship 199 sailed to port 199."]


def test_an_index_that_is_replaced_is_noticed_by_those_who_have_it_open(many: Path, tmp_path: Path) -> None:
    index = index_of(many, tmp_path / "x.index")
    index.update()
    search = index.search()
    assert search.search("port 7", as_of=NOW, k=1).evidence
    FolderIndex.remove(tmp_path / "x.index")
    write(many, ship007="The balloon rose.")
    other = index_of(many, tmp_path / "x.index")
    other.update()
    assert search.search("Who saw the balloon rise?", as_of=NOW, k=1).evidence[0].text == "The balloon rose."


def test_a_search_over_an_index_goes_to_another_process(many: Path, tmp_path: Path) -> None:
    index = index_of(many, tmp_path / "x.index")
    index.update()
    sent = pickle.loads(pickle.dumps(index.search()))  # noqa: S301
    assert sent.search("port 7", as_of=NOW, k=1).evidence == index.search().search("port 7", as_of=NOW, k=1).evidence


class Counted(LexicalEmbeddings):
    """Embeddings that tell how many texts they have made, under the name of their class's parent."""

    def __init__(self) -> None:
        super().__init__()
        self.kept_as = "counted"
        self.made: list[str] = []

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.made += texts
        return super().embed_array(texts)


def test_what_was_found_is_ranked_again_without_encoding_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write(tmp_path / "notes", a="Ada Berg is mayor.", b="The ferry runs daily.")
    FolderIndex(tmp_path / "notes", embeddings=Counted(), output=tmp_path / "x.index").update()
    encoder = Counted()
    index = FolderIndex(tmp_path / "notes", embeddings=encoder, output=tmp_path / "x.index")
    found = index.search().search("Who is mayor?", as_of=NOW).evidence
    HybridRanker(embeddings=encoder).rank(decompose("Who is mayor?", as_of=NOW), evidence=found, k=2)
    assert not {"Ada Berg is mayor.", "The ferry runs daily."} & set(encoder.made)


# -- names, damage, and others at work ------------------------------------------------------------


def test_a_file_whose_name_is_no_text_is_indexed_once_like_any_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.", b="The ferry runs daily.")
    try:
        for name, text in (
            (b"c\xff.md", "A balloon rose."),
            (b"c\xfe.md", "A kite flew."),
            (b"a.md\n2.md", "It rained."),
        ):
            Path(os.fsdecode(os.fsencode(tmp_path / "notes") + b"/" + name)).write_text(text, encoding="utf-8")
    except (OSError, UnicodeError):
        pytest.skip("names are text on this disk")
    index = index_of(tmp_path / "notes", tmp_path / "x.index")
    made = index.update()
    assert (made.passages, made.read, made.rebuilt) == (5, 5, False)
    again = index.update()
    assert (again.passages, again.read, again.removed, again.rebuilt) == (5, 0, 0, False)
    assert {"A balloon rose.", "A kite flew.", "It rained."} <= set(texts(index, "balloon kite rain"))
    Path(os.fsdecode(os.fsencode(tmp_path / "notes") + b"/c\xff.md")).unlink()
    assert (index.update().removed, index.store.count()) == (1, 4)
    assert "made anew" not in caplog.text


def test_all_that_is_said_of_a_file_whose_name_is_no_text_can_be_written(tmp_path: Path) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    try:
        for name in (b"bad\xff.json", b"other.\xff"):
            Path(os.fsdecode(os.fsencode(tmp_path / "notes") + b"/" + name)).write_text("{", encoding="utf-8")
    except (OSError, UnicodeError):
        pytest.skip("names are text on this disk")
    skipped = index_of(tmp_path / "notes", tmp_path / "x.index").update().skipped
    assert len(skipped) == 2
    assert "bad?.json is not JSON" in "; ".join(skipped).encode().decode()


def test_a_value_that_cannot_be_stored_is_no_damage_and_costs_nothing(tmp_path: Path) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    index = index_of(tmp_path / "notes", tmp_path / "x.index")
    index.update()
    with pytest.raises(ValueError, match="surrogates"), index.store.writing():
        index.store.change([PartChange("\udcff", PartState((1,), "x"))])
    with pytest.raises(ValueError, match="size"):
        index.store.nearest(
            LexicalEmbeddings(dimensions=64).embed_array(["mayor"])[0], count=1, asked=CandidateFilter(2**40)
        )
    assert index.store.count() == 1
    assert index.update().read == 0


def test_a_damaged_index_is_told_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = FolderIndex.place(tmp_path, embeddings=LexicalEmbeddings())
    place.parent.mkdir(parents=True)
    place.write_bytes(os.urandom(5000))
    with pytest.raises(DatelineError, match=r"^The index '.*' is damaged: .*\.$") as told:
        SqlitePassageStore(place, settings={})
    assert isinstance(told.value, StoreFailed)


def contents(file: SqliteFile[list[str]]) -> list[str]:
    """Read a file's one table, and add that to what is known of the file."""
    with file.reading() as (connection, known):
        known += [text for (text,) in connection.execute("SELECT text FROM told")]
        return list(dict.fromkeys(known))


def filled(path: Path, text: str) -> SqliteFile[list[str]]:
    file: SqliteFile[list[str]] = SqliteFile(path, known=list)
    with file.changing() as (connection, _):
        connection.execute(f"PRAGMA application_id = {MARK}")
        connection.execute("CREATE TABLE told (text)")
        connection.execute("INSERT INTO told VALUES (?)", (text,))
    return file


def test_who_still_reads_a_file_that_was_replaced_brings_nothing_of_it_back(tmp_path: Path) -> None:
    path = tmp_path / "x.index"
    file = filled(path, "old")
    assert contents(file) == ["old"]
    with file.reading() as (connection, known):
        FolderIndex.remove(path)
        filled(path, "new")
        assert contents(file) == ["new"]
        known.append(connection.execute("SELECT text FROM told").fetchone()[0])
    assert [contents(file) for _ in range(3)] == [["new"]] * 3


def damaged(folder: Path, output: Path) -> FolderIndex:
    """An index without vectors, which is seen when something is searched."""
    index = index_of(folder, output)
    index.update()
    with closing(sqlite3.connect(output)) as connection:
        connection.execute("DELETE FROM vectors")
        connection.commit()
    return index


def test_a_damaged_index_is_not_deleted_while_another_process_writes_it(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(folder_index, "BUSY_SECONDS", 0.1)
    output = tmp_path / "x.index"
    search = damaged(many, output).search()
    before = identity(output)
    with index_of(many, output).store.writing(), pytest.raises(StoreFailed, match="Another process is writing"):
        search.search("Which ship sailed to port 7?", as_of=NOW)
    assert identity(output) == before
    found = search.search("Which ship sailed to port 7?", as_of=NOW, k=1).evidence
    assert [each.text for each in found] == ["Ship 7 sailed to port 7."]
    assert caplog.text.count("made anew") == 1


def test_of_many_processes_that_meet_damage_one_makes_the_index_anew(many: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.index"
    damaged(many, output).store.close()
    code = (
        "import sys, time; from datetime import UTC, datetime; from pathlib import Path;"
        "from dateline.search.index import FolderIndex, folder_index, folder_update;"
        "from dateline.text.lexical import LexicalEmbeddings; prepare = folder_update.prepare;"
        "folder_index.BUSY_SECONDS = 60.0; folder_update.BATCH = 20;"
        "folder_update.prepare = lambda texts, **how: (time.sleep(0.005 * len(texts)), prepare(texts, **how))[1];"
        "index = FolderIndex(sys.argv[1], embeddings=LexicalEmbeddings(), output=Path(sys.argv[2]));"
        "print('ready', flush=True); sys.stdin.readline();"
        "found = index.search().search('Which ship sailed to port 77?', as_of=datetime(2024, 1, 1, tzinfo=UTC), k=1);"
        "print(*(each.text for each in found.evidence))"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(many), str(output)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for each in started:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    told = [each.communicate("go\n", timeout=100) for each in started]
    assert [said for said, _ in told] == ["Ship 77 sailed to port 77.\n"] * 3, told
    assert sum(errors.count("made anew") for _, errors in told) == 1


def test_an_update_that_another_process_kept_waiting_is_made_up_for(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_index, "BUSY_SECONDS", 0.1)
    monkeypatch.setattr(folder_index, "RETRY_SECONDS", 0.0)
    output, embeddings = tmp_path / "x.index", LexicalEmbeddings()
    other = index_of(many, output)
    other.update()
    write(many, balloon="The balloon rose.")
    with other.store.writing():
        search = shared_folder_search(output, embeddings=embeddings)
        early = search.search("Who saw the balloon rise?", as_of=NOW, k=1)
        assert early.skipped == ("not read: what has changed in the folder since it was last indexed",)
        assert early.evidence[0].text != "The balloon rose."
    late = search.search("Who saw the balloon rise?", as_of=NOW, k=1)
    assert (late.evidence[0].text, late.skipped) == ("The balloon rose.", ())


def test_a_file_that_could_not_be_opened_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.", b="The ferry runs daily.")
    index = index_of(tmp_path / "notes", tmp_path / "x.index")

    def refused(path: Path, **given: Any) -> bytes:
        if path.name == "b.md":
            raise PermissionError(13, "Permission denied")
        return read_bytes(path, **given)

    monkeypatch.setattr(table, "read_bytes", refused)
    assert index.update().skipped == ("b.md cannot be read (Permission denied)",)
    monkeypatch.setattr(table, "read_bytes", read_bytes)
    made = index.update()
    assert (made.read, made.passages, made.skipped) == (1, 2, ())
    assert index.update().read == 0


@pytest.mark.parametrize(("fault", "tried"), [(ReaderFailed, 1), (BadInput, 0)])
def test_a_file_is_tried_again_where_its_reader_failed_and_not_where_it_is_damaged(
    fault: type[BadInput], tried: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    (tmp_path / "notes" / "b.pdf").write_bytes(b"%PDF-")

    def failing(kind: str, data: bytes) -> dict[str, Any]:
        raise fault("breaks its reader")

    monkeypatch.setattr(office.FOREIGN, "ask", failing)
    index = index_of(tmp_path / "notes", tmp_path / "x.index")
    assert index.update().skipped == ("b.pdf breaks its reader",)
    assert index.update().read == tried


def test_a_file_too_large_for_its_format_is_not_read_at_each_update(tmp_path: Path) -> None:
    write(tmp_path / "notes", a="Ada Berg is mayor.")
    with (tmp_path / "notes" / "b.md").open("wb") as file:
        file.truncate(FILE_BYTES + 1)
    index = index_of(tmp_path / "notes", tmp_path / "x.index")
    assert index.update().skipped == ("b.md cannot be read (it is larger than 32 MiB)",)
    assert index.update().read == 0


def test_at_the_limit_of_passages_what_is_indexed_already_is_still_brought_up_to_date(tmp_path: Path) -> None:
    write(tmp_path / "notes", b="Ada Berg is mayor.", d="The ferry runs daily.")
    index = FolderIndex(
        tmp_path / "notes", embeddings=LexicalEmbeddings(), limits=FolderLimits(passages=2), output=tmp_path / "x.index"
    )
    index.update()
    write(tmp_path / "notes", a="A kite flew.", c="A balloon rose.", d="The ferry runs hourly.")
    made = index.update()
    assert [line.partition(", since")[0] for line in made.beyond] == ["2 files from 'a.md' on"]
    assert set(texts(index, "ferry mayor kite balloon")) == {"Ada Berg is mayor.", "The ferry runs hourly."}
