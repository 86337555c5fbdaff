"""A command writes over nothing but what it wrote itself."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dateline_cli.main import main

ASK = ("ask", "Who is mayor?", "--docs", "notes", "--as-of", "2020")
TIME = ("evaluate", "time", "timed")
CERTAINTY = ("certainty", "report", "rows.jsonl", "--model", "m", "--classifier", "c")
SAID = "it holds something else; name another file."


@pytest.fixture(autouse=True)
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of notes, a fact store, and files that somebody else wrote."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("---\ndate: 2019\n---\nAda Berg is mayor.", encoding="utf-8")
    for name in ("notes.txt", "mine.html"):
        (tmp_path / name).write_text("<!doctype html>\nWhat I wrote myself.\n", encoding="utf-8")
    (tmp_path / "mine.png").write_bytes(b"\x89PNG a photograph")
    (tmp_path / "questions.jsonl").write_text('{"id": "1", "question": "Who?"}\n', encoding="utf-8")
    trap = {"id": "1", "kind": "trap", "anchor": "2020", "text": "The mill is red."}
    (tmp_path / "timed").mkdir()
    (tmp_path / "timed" / "hand_written.jsonl").write_text(json.dumps(trap), encoding="utf-8")
    row = {"question": "Who?", "document": "Ada Berg is mayor.", "label": "reliable"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with closing(sqlite3.connect("app.db")) as connection:
        connection.executescript("CREATE TABLE mine (x);")
    assert main(["facts", "remember", "store", "Ada Berg", "residence", "Lund"]) == 0
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "file", "said"),
    [
        ((*ASK, "--report", "mine.html"), "mine.html", "it holds something else; name another file."),
        ((*ASK, "--checkpoints", "app.db"), "app.db", "it holds something else; name another file."),
        (("facts", "export", "store", "notes.txt"), "notes.txt", "it holds something else; name another file."),
        (("facts", "export", "store", "store/facts.db"), "store/facts.db", "it holds something else"),
        (("facts", "export", "store", "store/new.jsonl"), "store/facts.db", "it lies in the store; name another file."),
        (("report", "run.json", "--out", "mine.html"), "mine.html", "it holds something else; name another file."),
        ((*TIME, "--json", "notes.txt"), "notes.txt", SAID),
        ((*TIME, "--items", "notes.txt"), "notes.txt", SAID),
        ((*TIME, "--items", "questions.jsonl"), "questions.jsonl", SAID),
        ((*TIME, "--option", "items=notes.txt"), "notes.txt", SAID),
        (("evaluate", "notes", "notes", "--items", "questions.jsonl"), "questions.jsonl", SAID),
        (("evaluate", "grown", "notes", "--items", "questions.jsonl"), "questions.jsonl", SAID),
        (("evaluate", "htmldate", "notes", "--items", "questions.jsonl"), "questions.jsonl", SAID),
        (("grow", "rows", "notes", "--out", "questions.jsonl"), "questions.jsonl", SAID),
        ((*CERTAINTY, "--json", "notes.txt"), "notes.txt", SAID),
        ((*CERTAINTY, "--figure", "mine.png"), "mine.png", SAID),
    ],
)
def test_a_file_of_another_kind_is_refused_and_stays(
    arguments: tuple[str, ...], file: str, said: str, room: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (room / file).read_bytes()
    capsys.readouterr()
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
    assert (room / file).read_bytes() == before
    assert not (room / "store" / "new.jsonl").exists()


def test_what_a_command_wrote_it_writes_again(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        (*ASK, "--report", "page.html"),
        (*ASK, "--checkpoints", "kept.db"),
        ("facts", "export", "store", "facts.jsonl"),
        (*TIME, "--json", "figures.json", "--items", "verdicts.jsonl"),
        (*TIME, "--items", "verdicts.jsonl.gz"),
    ):
        assert [main(arguments), main(arguments)] == [0, 0], capsys.readouterr().err
