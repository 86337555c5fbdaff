"""`dateline report` and `dateline ask --report` as a person runs them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from dateline_cli.main import main
from dateline_graphs.page import render
from dateline_graphs.stored import read_run

Run = Callable[..., "tuple[int, str, str]"]
QUESTION = "Who is the director of the Northern Observatory?"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `dateline ask --json` prints."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "2021-09-14-dahl.md").write_text(
        "Carl Dahl was named director of the Northern Observatory on 14 September 2021.\n", encoding="utf-8"
    )
    page = folder.parent / "asked.html"
    with pytest.MonkeyPatch.context() as patch, io.StringIO() as out:
        patch.setattr("sys.stdout", out)
        arguments = ["ask", QUESTION, "--docs", str(folder), "--as-of", "2022-05-01", "--json", "--report", str(page)]
        assert main(arguments) == 0
        text = out.getvalue()
    assert page.read_text(encoding="utf-8") == render(read_run(text))
    return text


def test_a_run_becomes_a_page_beside_it(run: Run, printed: str, tmp_path: Path) -> None:
    stored = tmp_path / "run.json"
    stored.write_text(printed, encoding="utf-8")
    assert run("report", str(stored)) == (0, f"Wrote {tmp_path / 'run.html'}\n", "")
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "Carl Dahl" in page


def test_a_run_may_come_through_a_pipe_and_its_page_go_elsewhere(
    run: Run, printed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(printed.encode())))
    code, _, _ = run("report", "-", "--out", str(tmp_path / "page.html"))
    assert code == 0
    assert (tmp_path / "page.html").is_file()


def test_the_graphs_own_output_is_a_run_too_and_lone_surrogates_do_no_harm(printed: str) -> None:
    value = json.loads(printed)
    value["asked"]["question"] = "Who \ud800?"
    report = read_run(json.dumps({"report": value}))
    assert report.asked.question == "Who \ufffd?"
    assert "Who \ufffd?" in render(report)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"no json", "is not JSON"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"[" * 100_000, "is not JSON"),
        (b"{}", "holds no run"),
        (b"[1]", "holds no run"),
        (b'{"version": 99}', "version 99"),
        (b'{"version": 1}', "is a report of version 1"),
        (b'{"version": 2}', "not a whole run: asked"),
    ],
)
def test_what_is_no_run_is_refused_in_one_sentence(run: Run, tmp_path: Path, content: bytes, expected: str) -> None:
    stored = tmp_path / "run.json"
    stored.write_bytes(content)
    code, out, err = run("report", str(stored))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert expected in err
    assert not (tmp_path / "run.html").exists()


def test_a_page_that_cannot_be_written_is_refused_before_anything_is_asked(run: Run, tmp_path: Path) -> None:
    for target in (tmp_path, tmp_path / "no" / "page.html"):
        code, out, err = run("ask", QUESTION, "--docs", "no/such/folder", "--report", str(target))
        assert (code, out) == (2, "")
        assert "Cannot write the page" in err
    code, _, err = run("report", "-")
    assert (code, "--out" in err) == (2, True)
    code, _, err = run("report", str(tmp_path / "missing.json"))
    assert (code, "Cannot read" in err) == (2, True)
    code, _, err = run("report", str(tmp_path / "run.html"))
    assert (code, "take the place" in err) == (2, True)
