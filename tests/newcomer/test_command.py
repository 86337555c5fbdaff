"""The command in a newcomer's terminal: dates as people say them, standard input, no colour, life on long work."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dateline_cli import ask
from dateline_cli.main import main
from dateline_cli.show import SafeConsole
from dateline_graphs import AnswerOptions

QUESTION = "Who is the director of the Northern Observatory?"
Run = Callable[..., "tuple[int, str, str]"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        return code, *capsys.readouterr()

    return call


@pytest.mark.parametrize("day", ["yesterday", "today", "now", "15.03.2022", "March 2022"])
def test_an_asking_date_is_given_in_a_persons_words(run: Run, changed_fact: Path, day: str) -> None:
    code, out, _ = run("ask", QUESTION, "--docs", str(changed_fact), "--as-of", day, "--json")
    assert code == 0
    assert json.loads(out)["answer"] == "Carl Dahl"


def test_a_question_comes_from_standard_input(run: Run, changed_fact: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{QUESTION}\n"))
    code, out, _ = run("ask", "-", "--docs", str(changed_fact), "--as-of", "2016", "--json")
    assert code == 0
    assert json.loads(out)["answer"] == "Anna Berg"


@pytest.mark.parametrize(("said", "sentence"), [("", "is empty"), ("x" * 30_000, "20,?000 characters")])
def test_standard_input_without_a_usable_question_is_refused(
    run: Run, changed_fact: Path, monkeypatch: pytest.MonkeyPatch, said: str, sentence: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(said))
    code, out, err = run("ask", "-", "--docs", str(changed_fact))
    assert (code, out) == (2, "")
    assert re.search(sentence, err), err


def test_no_color_leaves_no_code_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for given, codes in (("", True), ("1", False)):
        monkeypatch.setenv("NO_COLOR", given)
        console = SafeConsole(file=io.StringIO(), force_terminal=True, color_system="standard")
        console.print("[bold]Carl Dahl[/] [dim]said[/]")
        assert ("\x1b" in console.file.getvalue()) is codes  # type: ignore[attr-defined]


def test_long_reading_shows_itself_on_a_terminal_and_names_the_cure(
    changed_fact: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask, "SLOW", -1.0)
    screen = io.StringIO()
    with ask.reading_shown(
        AnswerOptions(docs=str(changed_fact)), console=SafeConsole(file=screen, force_terminal=True)
    ):
        pass
    told = screen.getvalue().replace("\n", "")
    assert "Reading" in told
    assert "dateline index" in told


@pytest.mark.parametrize(
    ("docs", "shown", "is_folder"),
    [
        ("notes{2024}", "notes{2024}", True),
        ("notes [red]{task}", "notes [red]{task}", True),
        ("postgresql://ana:s3cret@db/notes", "postgresql://***@db/notes", False),
    ],
)
def test_what_is_read_is_shown_as_it_is_called_but_for_a_password(
    docs: str, shown: str, is_folder: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ask, "SLOW", -1.0)
    monkeypatch.setenv("NO_COLOR", "1")
    console = SafeConsole(file=(screen := io.StringIO()), force_terminal=True, width=200)
    with ask.reading_shown(AnswerOptions(docs=docs), console=console):
        pass
    assert f"Reading {shown}" in screen.getvalue()
    assert "s3cret" not in screen.getvalue()
    assert ("dateline index" in screen.getvalue()) is is_folder


def test_a_killed_run_goes_on_as_of_the_same_day_only() -> None:
    def thread(as_of: str, day: int, hour: int = 9) -> str:
        asked = {"question": QUESTION, "as_of": as_of, "choices": [], "history": []}
        return ask._thread(asked, options=AnswerOptions(), clock=lambda: datetime(2024, 5, day, hour, tzinfo=UTC))

    for as_of in ("", "yesterday"):
        assert thread(as_of, 6) == thread(as_of, 6, hour=15) != thread(as_of, 10)
    assert thread("2022", 6) == thread("2022", 10) != thread("2021", 10)


def test_reading_is_silent_where_nobody_watches(changed_fact: Path) -> None:
    command = [sys.executable, "-m", "dateline_cli", "ask", QUESTION, "--docs", str(changed_fact)]
    ran = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=True)
    assert ran.stderr == ""


def test_facts_at_a_date_need_no_option(run: Run, changed_fact: Path, tmp_path: Path) -> None:
    store = str(tmp_path / "facts")
    assert run("facts", "add", store, str(changed_fact))[0] == 0
    named = run("facts", "at", store, "2018", "--json")
    assert named == run("facts", "at", store, "--as-of", "2018", "--json")
    assert "Anna Berg" in named[1]
    code, _, err = run("facts", "at", store, "2018", "--as-of", "2019")
    assert code == 2
    assert "Give the date once" in err


def test_what_nobody_wrote_is_no_answer_first(run: Run, changed_fact: Path) -> None:
    code, out, _ = run("ask", "Who is the chief financial officer of Fabrikam?", "--docs", str(changed_fact))
    assert code == 0
    assert out.splitlines()[0] == "No answer in these documents"


def test_every_option_of_asking_stands_on_the_page_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["ask", "--help"])
    offered = set(re.findall(r"^  (?:-k|(--[a-z-]+))", capsys.readouterr().out, re.M)) - {""}
    page = (Path(__file__).parent.parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    assert len(offered) > 20
    assert {option for option in offered if not re.search(rf"`{option}[ `]", page)} == set()


def test_a_question_in_german_is_not_answered_with_trust(run: Run, changed_fact: Path) -> None:
    _, out, _ = run("ask", "Was kostet die Sternwarte im Monat?", "--docs", str(changed_fact), "--json")
    report = json.loads(out)
    assert report["headline"] == "No answer in these documents"
    assert report["decision"]["outcome"] != "adopt"
