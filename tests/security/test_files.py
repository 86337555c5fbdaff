"""Files that others may have laid out: what is read of them, and what is written where."""

from __future__ import annotations

import gzip
import os
import resource
import socket
import stat
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dateline.certainty.calibrated import load_calibration, save_calibration
from dateline.certainty.calibration import Temperature
from dateline.errors import BadInput
from dateline.files import make_file, make_folder, open_regular, read_bytes, whole_file, write_whole
from dateline.formats.markdown import read_markdown
from dateline.search import EngineSearch, FolderSearch, RecordedSearch, load_documents
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench import rows
from dateline_bench.growing.articles import load_snapshot
from dateline_cli.files import check_target
from dateline_cli.files import write_whole as write_page
from dateline_cli.main import main
from dateline_cli.studio import _own_configuration

NOW = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.fixture
def open_to_all() -> Iterator[None]:
    """The least careful mask a shell may have."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text("The ferry runs daily.")
    (tmp_path / "secret.txt").write_text("The password is sesame.")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b.md").write_text("The other password is mustard.")
    return folder


def modes(folder: Path) -> dict[str, str]:
    return {
        each.relative_to(folder).as_posix(): oct(stat.S_IMODE(each.stat().st_mode))
        for each in (folder, *folder.rglob("*"))
    }


def for_the_owner_alone(folder: Path) -> bool:
    return all(mode == ("0o700" if (folder / name).is_dir() else "0o600") for name, mode in modes(folder).items())


# -- front matter -----------------------------------------------------------------------------------


def bomb() -> str:
    lines = ["l0: &l0 {a0: 1, b0: 2}"]
    lines += [f"l{level}: &l{level}\n  <<: [{', '.join([f'*l{level - 1}'] * 10)}]" for level in range(1, 9)]
    return "---\n" + "\n".join([*lines, "date: 2019-03-04"]) + "\n---\nThe ferry runs daily."


def test_merge_keys_that_multiply_are_a_plain_document_with_a_warning_in_milliseconds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "note.md").write_text(bomb())
    assert len(bomb()) < 600
    before = time.process_time()
    (document,) = load_documents(tmp_path).documents
    assert time.process_time() - before < 0.5
    assert (document.text, str(document.published)) == ("The ferry runs daily.", "2019-03-04")
    assert "note.md" in caplog.text
    assert "anchor" in caplog.text


@pytest.mark.parametrize(
    "front",
    [
        "title: !!python/name:os.system x",
        "title: &a x\nname: *a",
        "x: " + "[" * 2_000,
        "x: " + "{a: " * 2_000,
        "? " * 9_000,
        "- " * 9_000,
        "title: 0x" + "f" * 15_000,
        "title: 1" + ":1" * 8_000,
        "title: " + "9" * 15_000,
    ],
)
def test_front_matter_of_any_kind_is_read_in_bounded_time_and_keeps_the_text(front: str) -> None:
    before = time.process_time()
    raw = read_markdown(f"---\n{front}\n---\nThe ferry runs daily.")
    assert time.process_time() - before < 1.0
    assert raw.text == "The ferry runs daily."
    assert "posix" not in repr(raw)


def test_honest_front_matter_reads_as_before() -> None:
    raw = read_markdown(
        "---\ntitle: Ferry\ndate: 2019-03-04\ntags: [sea, {deep: true}]\nauthor:\n  name: A\n---\nIt runs."
    )
    assert (raw.title, str(raw.dated(None, by_text=False).published)) == ("Ferry", "2019-03-04")


@settings(max_examples=80)
@given(st.text(alphabet="a1 :-?&*<!|>[]{},'\"#\n%@`\t~", max_size=2_000))
def test_no_front_matter_takes_long_or_raises(front: str) -> None:
    before = time.process_time()
    read_markdown(f"---\n{front}\n---\nText.")
    assert time.process_time() - before < 1.0


# -- links, devices and pipes -----------------------------------------------------------------------


def test_links_out_of_a_library_are_not_read_and_named(library: Path) -> None:
    (library / "notes.txt").symlink_to(library.parent / "secret.txt")
    (library / "sub" / "out").symlink_to(library.parent / "elsewhere")
    loaded = load_documents(library)
    assert [each.text for each in loaded.documents] == ["The ferry runs daily."]
    assert set(loaded.skipped) == {"notes.txt is a link out of the folder", "sub/out is a link out of the folder"}


def test_links_inside_a_library_stay(library: Path) -> None:
    (library / "b").mkdir()
    (library / "b" / "c.md").write_text("The museum opened in 1927.")
    (library / "sub" / "d.txt").symlink_to("../b/c.md")
    (library / "linked").symlink_to("b")
    loaded = load_documents(library)
    assert {each.text for each in loaded.documents} == {"The ferry runs daily.", "The museum opened in 1927."}
    assert not loaded.skipped


def test_a_link_inside_a_library_adds_no_second_name_to_a_file(library: Path) -> None:
    (library / "2024-01-02-fare.md").write_text("The fare is 3 euros.")
    (library / "latest.md").symlink_to("2024-01-02-fare.md")
    (library / "0.md").symlink_to("2024-01-02-fare.md")
    days = {each.source: each.published and str(each.published) for each in load_documents(library).documents}
    assert days == {"a.md": None, "2024-01-02-fare.md": "2024-01-02"}


def test_a_link_to_a_hidden_file_of_a_library_is_read(library: Path) -> None:
    (library / "..data").mkdir()  # as Kubernetes mounts files
    (library / "..data" / "fare.md").write_text("The fare is 3 euros.")
    (library / "2024-01-02-fare.md").symlink_to("..data/fare.md")
    assert [each.source for each in load_documents(library).documents] == ["2024-01-02-fare.md", "a.md"]


def test_a_developer_may_follow_links(library: Path) -> None:
    (library / "notes.txt").symlink_to(library.parent / "secret.txt")
    texts = {each.text for each in load_documents(library, follow_links=True).documents}
    assert texts == {"The ferry runs daily.", "The password is sesame."}
    opened = FolderSearch.open(library, embeddings=LexicalEmbeddings(), follow_links=True)
    assert len(opened.documents) == 2


def test_a_library_may_itself_be_reached_by_a_link(library: Path) -> None:
    (library.parent / "by_link").symlink_to(library)
    assert load_documents(library.parent / "by_link").files == 1


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["..", "../..", ".", "sub", "../library", "/", "../library/sub/.."]), max_size=4))
def test_no_chain_of_links_leads_out(tmp_path_factory: pytest.TempPathFactory, targets: list[str]) -> None:
    root = tmp_path_factory.mktemp("chain")
    (root / "library" / "sub").mkdir(parents=True)
    (root / "library" / "a.md").write_text("The ferry runs daily.")
    (root / "secret.txt").write_text("The password is sesame.")
    for number, target in enumerate(targets):
        (root / "library" / f"l{number}").symlink_to(target)
        (root / "library" / "sub" / f"m{number}.txt").symlink_to(f"../l{number}/secret.txt")
    assert [each.text for each in load_documents(root / "library").documents] == ["The ferry runs daily."]


def irregular(folder: Path, kind: str) -> Path:
    path = folder / f"{kind}.jsonl"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))
    else:
        path.symlink_to("/dev/zero")
    return path


READERS: dict[str, Callable[[Path], Any]] = {
    "documents": load_documents,
    "rows": lambda path: list(rows.read(path)),
    "calibration": load_calibration,
    "page": lambda path: _fails(["report", str(path), "--out", f"{path}.html"]),
    "history": lambda path: _fails(["ask", "Who?", "--docs", str(path.parent), "--history", str(path)]),
    "facts": lambda path: _fails(["facts", "import", str(path.parent / "store"), str(path)]),
}


def _fails(arguments: list[str]) -> None:
    if main(arguments) != 0:
        raise BadInput("It failed, as it should.")


@pytest.mark.parametrize("kind", ["pipe", "socket", "device"])
@pytest.mark.parametrize("reader", READERS)
def test_devices_pipes_and_sockets_are_refused_as_the_path_itself(tmp_path: Path, kind: str, reader: str) -> None:
    path = irregular(tmp_path, kind)
    with pytest.raises(BadInput):
        READERS[reader](path)


def test_a_pipe_among_recordings_is_asked_anew(tmp_path: Path) -> None:
    engine = EngineSearch(lambda query: [{"snippet": "Ada Berg is mayor.", "date": "2021-05-01"}])
    search = RecordedSearch(engine, folder=tmp_path, engine="notes")
    search.search("mayor", as_of=NOW)
    (kept,) = tmp_path.iterdir()
    kept.unlink()
    os.mkfifo(kept)
    assert search.search("mayor", as_of=NOW).cost.searches == 1


# -- who may read what is written -------------------------------------------------------------------


def test_what_is_written_is_for_its_owner_alone(tmp_path: Path, open_to_all: None) -> None:
    kept = tmp_path / "a" / "b"
    engine = EngineSearch(lambda query: [{"snippet": "Ada Berg is mayor.", "date": "2021-05-01"}])
    RecordedSearch(engine, folder=kept / "searches", engine="notes").search("mayor", as_of=NOW)
    CachedEmbeddings(LexicalEmbeddings(), name="lexical", folder=kept / "vectors").embed_documents(["one"])
    save_calibration(Temperature(1.5), path=kept / "calibration.json")
    rows.write(kept / "rows.jsonl.gz", [{"a": 1}])
    assert list(rows.read(kept / "rows.jsonl.gz")) == [{"a": 1}]
    assert for_the_owner_alone(tmp_path / "a")


def test_reports_and_checkpoints_are_for_their_owner_alone(
    tmp_path: Path, open_to_all: None, changed_fact: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "kept").mkdir(mode=0o700)
    kept = ["--report", str(tmp_path / "kept" / "page.html"), "--checkpoints", str(tmp_path / "kept" / "state.db")]
    assert main(["ask", "Who leads the Northern Observatory?", "--docs", str(changed_fact), *kept]) == 0
    assert len(modes(tmp_path / "kept")) >= 3
    assert for_the_owner_alone(tmp_path / "kept")


def test_a_planted_link_is_neither_followed_nor_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for name in ("page.html", "page.html.partial"):
        (tmp_path / name).symlink_to("mine.txt")
    with pytest.raises(BadInput, match="link"):
        write_page(tmp_path / "page.html", text="page", what="the page")
    with pytest.raises(BadInput, match="link"):
        check_target(tmp_path / "page.html", what="the page", mark=None)
    with pytest.raises(OSError, match="link"):
        make_file(tmp_path / "page.html")
    write_page(tmp_path / "other.html", text="page", what="the page")
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert (tmp_path / "page.html").is_symlink()


def test_names_of_unfinished_files_cannot_be_foreseen_and_do_not_stay(tmp_path: Path) -> None:
    names: set[str] = set()

    def fail() -> None:
        with whole_file(tmp_path / "page.html"):
            names.update(each.name for each in tmp_path.iterdir())
            raise BadInput("It fails midway.")

    for _ in range(3):
        with pytest.raises(BadInput):
            fail()
    assert len(names) == 3
    assert not list(tmp_path.iterdir())


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200), umask=st.integers(0, 0o777), depth=st.integers(0, 3))
def test_any_mask_and_content_give_a_whole_private_file(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, umask: int, depth: int
) -> None:
    root = tmp_path_factory.mktemp("masks")
    folder = root.joinpath(*["d"] * depth)
    before = os.umask(umask & 0o077)
    try:
        make_folder(folder)
        write_whole(folder / "f", content)
        assert read_bytes(folder / "f") == content
        assert for_the_owner_alone(root)  # pytest makes private folders itself
    finally:
        os.umask(before)


# -- rows -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["[" * 200_000, '{"a": ' + "9" * 5_000 + "}", '{"a": 1}\n\xff'])
def test_a_row_that_no_parser_takes_is_one_sentence(tmp_path: Path, line: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(line.encode("latin-1"))
    with pytest.raises(BadInput, match=r"^Line \d of "):
        list(rows.read(path))


def test_an_endless_line_in_an_archive_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(200):
            file.write(b" " * 2**20)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadInput, match=r"Line 1 of .* is longer than 32 MiB"):
        list(rows.read(path))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300))
def test_any_bytes_are_rows_or_one_sentence(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    path.write_bytes(content)
    try:
        found = list(rows.read(path))
    except BadInput:
        return
    assert all(isinstance(row, dict) for row in found)


def test_a_file_beyond_the_limit_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.touch()
    os.truncate(path, 2**40)
    with pytest.raises(OSError, match="larger than 32 MiB"):
        read_bytes(path)
    with open_regular(path) as file:
        assert file.read(1) == b"\0"


def test_links_out_of_a_snapshot_of_articles_are_not_read(library: Path) -> None:
    (library / "notes.txt").symlink_to(library.parent / "secret.txt")
    snapshot = load_snapshot(library)
    assert [article.id for article in snapshot.articles] == ["a"]
    assert snapshot.skipped == ("notes.txt: it is a link out of the folder",)


def test_the_configuration_that_studio_writes_is_for_its_owner_alone(
    tmp_path: Path, open_to_all: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert _own_configuration().is_file()
    assert for_the_owner_alone(tmp_path / ".dateline")


def test_a_page_with_the_number_of_no_character_does_not_close_the_library(tmp_path: Path) -> None:
    number = f"&#{'9' * 5_000};"
    page = f'<title>A{number}</title><meta name="author" content="{number}"><p>Anna Berg{number} is the mayor.'
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    (tmp_path / "note.md").write_text("Carl Dahl is the mayor.", encoding="utf-8")
    assert {document.text for document in load_documents(tmp_path).documents} == {
        "Anna Berg\ufffd is the mayor.",
        "Carl Dahl is the mayor.",
    }
