"""Mistakes that people make at the command line: one sentence, exit code 2, nothing half-written."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from dateline_cli.main import main

SNAPSHOTS = str(Path(__file__).parents[2] / "examples" / "snapshots")
QUESTION = "Who is the director of the Northern Observatory?"


@pytest.fixture
def room(tmp_path: Path, changed_fact: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to make mistakes in: documents in `docs`, and files that are none of what is wanted."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.txt").write_text("Some text.", encoding="utf-8")
    (tmp_path / "no.jsonl").write_text("no JSON\n", encoding="utf-8")
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "report.pdf").write_bytes(b"%PDF")
    (tmp_path / "latin").mkdir()
    (tmp_path / "latin" / "passages.jsonl").write_bytes(b'{"id": 0, "title": "caf\xe9", "text": ""}\n')
    (tmp_path / "latin" / "questions.jsonl").write_text("{}\n", encoding="utf-8")
    assert changed_fact.parent == tmp_path
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask", QUESTION, "--docs", "docs", "--checkpoints", "folder"], "it is a folder"),
        (["ask", QUESTION, "--docs", "docs", "--checkpoints", "file.txt"], "Cannot keep checkpoints in file.txt"),
        (["ask", QUESTION, "--docs", "docs", "--choice", ""], "--choice is empty"),
        (["ask", "Who\udcff?", "--docs", "docs"], "question is not text"),
        (
            ["ask", QUESTION, "--docs", "docs", "--html", "x"],
            "--html x (did you mean --report?); see dateline ask --help",
        ),
        (["facts", "search", "folder", "director"], "no fact store in folder"),
        (["facts", "check", "folder"], "no fact store in folder"),
        (["facts", "import", "new", "no.jsonl"], "no export of facts"),
        (["facts", "import", "new", "folder"], "no file folder"),
        (["facts", "at", "folder", "--foo"], "--foo; see dateline facts at --help"),
        (["grow", "init", "file.txt", SNAPSHOTS], "is a file; name a folder"),
        (["grow", "init", "file.txt/deeper", SNAPSHOTS], "is a file; name a folder"),
        (["evaluate", "timeqa", "latin"], "not text in UTF-8"),
        (["evaluate", "labels", "--json", "folder"], "it is a folder"),
        (["label", "file.txt", "folder"], "folder"),
        (["label", "file.txt", "file.txt", "--out", "x", "--json"], "--out takes no --json"),
        (["label", "file.txt", "file.txt", "--out", "x", "--all"], "--out takes no --all"),
        (["generate", QUESTION, "--model", "m", "--docs", "docs", "--show", "--json"], "--json takes no --show"),
        (["ask", QUESTION, "--docs", "pdfs"], "holds no readable document (report.pdf is damaged"),
        (["report", "latin/passages.jsonl"], "not JSON in UTF-8"),
        (["report", "."], "Cannot read .: Is a directory"),
        (["report", ""], "Cannot read .: Is a directory"),
        (["ask", QUESTION, "--docs", "~nosuch/notes"], "no home folder for '~nosuch/notes'"),
        (["ask", QUESTION, "--docs", "docs", "--sources", "notes"], "--sources is an option of the fact store"),
        (["ask", QUESTION, "--docs", "docs", "--min-sources", "2"], "give --facts as well"),
        (["ask", QUESTION, "--docs", "docs", "--slots", "file.txt"], "give --facts as well"),
        (["ask", QUESTION, "--docs", "docs", "--search", "serpapi"], "looked up in one place"),
        (["facts", "expire", "folder", "--days", "1000000000"], "--days must be a whole number from 1 to 999999999"),
        (["doctor", "docs", "--older-than", "1000000000"], "--older-than must be a whole number from 1 to 999999999"),
        (["doctor", "docs", "--slots", "no.toml"], "Cannot read the attributes in no.toml"),
        (["index", "docs", "--actors", "2"], "give --ray as well"),
        (["index", "docs", "--remove", "--ray"], "--remove takes no --ray"),
        (["mcp", "--facts", "new", "--slots", "no.toml"], "Cannot read the attributes in no.toml"),
        (["mcp", "--docs", "docs", "--slots", "no.toml"], "give --facts as well"),
        (["studio", "--port", "99999"], "--port must be a whole number from 1 to 65535"),
        (["studio", "--jobs", "0"], "--jobs must be a whole number"),
        (["mcp", "--docs", "docs", "--http", "--port", "99999"], "--port must be a whole number from 1 to 65535"),
        (["certainty", "report", "no.jsonl", "--model", "m", "--classifier", "c"], "Line 1 of no.jsonl"),
    ],
)
def test_a_mistake_is_one_sentence_and_leaves_nothing_behind(
    room: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(room.rglob("*"))
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert said in err
    assert sorted(room.rglob("*")) == before


def test_mistakes_about_a_store_that_is_there(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["facts", "add", "store", "docs"]) == 0
    capsys.readouterr()
    for arguments, said in (
        (["facts", "export", "store", "folder"], "it is a folder"),
        (["facts", "approve", "store", "nobody"], "dateline facts pending"),
        (["facts", "undo", "store", "nobody"], "nothing to undo"),
        (["facts", "search", "store", "x", "--as-of", "0000"], "no year is called 0"),
    ):
        assert main(arguments) == 2
        assert said in capsys.readouterr().err
    assert main(["facts", "search", "store", "Who\udcff"]) == 2


def test_a_damaged_line_is_named_and_the_others_answer(
    room: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    lines = ['{"text": "Carl Dahl is the director of the Northern Observatory.", "date": "2021"}', "{", "[]"]
    (room / "notes.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert main(["ask", QUESTION, "--docs", "notes.jsonl"]) == 0
    assert "Carl Dahl" in capsys.readouterr().out
    assert [record.getMessage() for record in caplog.records] == [
        "Not read: notes.jsonl line 2 is not JSON; notes.jsonl line 3 is not a JSON object."
    ]


def test_a_name_that_the_terminal_cannot_spell_is_no_failure(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = "2021-03-04\n\nAntónio Guterres is the director of the Northern Observatory."
    (room / "note.txt").write_text(told, encoding="utf-8")
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii", write_through=True))
    assert main(["ask", QUESTION, "--docs", "note.txt"]) == 0
    assert written.getvalue().startswith(b"Ant?nio Guterres")


@pytest.mark.xfail(
    strict=True, reason="The reader trusts undated text too little: undated notes in its last stage never answer."
)
def test_an_undated_note_that_says_just_what_is_asked_is_an_answer(
    room: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (room / "note.txt").write_text("António Guterres is the director of the Northern Observatory.", encoding="utf-8")
    assert main(["ask", QUESTION, "--docs", "note.txt"]) == 0
    assert capsys.readouterr().out.startswith("António Guterres")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--device", "abacus"], "cannot run on the device 'abacus'"),
        (["--figure", "diagram.docx"], "name a file that ends in .png"),
    ],
)
def test_training_is_refused_before_it_begins(
    room: Path, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    from dateline.testing import tiny_causal_model

    made = tiny_causal_model()
    made.model.save_pretrained(room / "model")
    made.tokenizer.save_pretrained(room / "model")
    labels = ("reliable", "misleading", "uncertain")
    rows = "".join(f'{{"question": "q{n}", "document": "d", "label": "{labels[n % 3]}"}}\n' for n in range(12))
    (room / "rows.jsonl").write_text(rows, encoding="utf-8")
    capsys.readouterr()
    assert main(["certainty", "train", "rows.jsonl", "--model", "model", "--out", "made", *options]) == 2
    assert said in capsys.readouterr().err
    assert not (room / "made").exists()


def test_the_command_alone_tells_what_it_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 0
    assert "Begin with: dateline ask" in " ".join(capsys.readouterr().out.split())
