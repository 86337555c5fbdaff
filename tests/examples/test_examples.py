"""The examples are run: each script's before and after, each notebook's cells in order against the outputs stored in it.

`DATELINE_UPDATE_DOCS=1 pytest tests/examples` stores what the notebooks print instead of comparing.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage

from langchain_dateline.testing import SearchingChatModel

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?!\w|\.\d)")
TOLERANCE = 0.04
UPDATE = bool(os.environ.get("DATELINE_UPDATE_DOCS"))

Shown = list[tuple[str, str]]

POINTS: dict[str, Shown] = {
    "langchain_chain": [
        ("before:", "after:  Keir Starmer"),
        ("before:", "after:  Tony Blair"),
        ("before:", "after:  Steve Jobs"),
        ("before:", "after:  Ben Bernanke"),
        ("before:", "after:  Gerhard Schröder"),
        ("as of 2020-01-15: Boris Johnson", "as of 2023-01-15: Rishi Sunak"),
    ],
    "agent_with_search": [
        ("after, as of 2020-01-15: Boris Johnson", "evidence used is of 2019-07-24"),
        ("before:", "after, as of 2023-01-15: Rishi Sunak"),
        ("date: Nov 28, 1990", "date: Oct 25, 2022"),
        ("date: Oct 25, 2022", "Left out: 1 result was published after 2023-01-15."),
    ],
    "llama_index_engine": [
        ("before:", "after:  Theresa May"),
        ("before:", "after:  Boris Johnson"),
        ("before:", "after:  Jacques Chirac"),
        ("before:", "after:  Nicolas Sarkozy"),
        ("before:", "after:  Taipei 101"),
        ("before:", "after:  Matteo Renzi"),
        ("before:", "after:  Gerhard Schröder"),
    ],
    "crag_graph": [
        ("before:", "after:  Barack Obama"),
        ("before:", "after:  Satya Nadella"),
        ("before:", "after:  I do not know."),
    ],
    "own_notes": [
        ("before:", "Announced from 2024-05-01: 7.20 euros."),
        ("after, as of 2024-05-20: 7.20 euros", "after, as of 2024-07-01: 6.50 euros"),
        ("after, as of 2023-06-01", "Mira Toth"),
        (
            "after, as of 2024-10-01: Jon Abel",
            "No answer in these documents. Best guess, not trusted: Jon Abel. Why not trusted: ",
        ),
    ],
    "support_bot": [
        ("before: Leeds", "after, as of 2024-06-01: York"),
        ("after, as of 2024-06-01: York", "Mia Torres lives in York now. (true at 2024-05-05)"),
        ("after, as of 2022-12-01, when the printer jammed: Leeds", "Mia Torres lives in Leeds. (true at 2022-03-01)"),
    ],
    "news_monitor": [
        ("before: the newest note", "2021-01-20"),
        ("as of 2018: Donald Trump", "as of 2022: Biden"),
        ("as of 2022: Biden", "as of 2025-06: Donald Trump"),
        ("waits for a person (a blog)", "-> false from 2025-05-30 on"),
    ],
    "time_travel_test": [
        ("before: right in", "after:  right in"),
        ("read ahead of its day in 0", "after: passes the test"),
    ],
    "deep_agent": [
        ("before, as of 2009-06-01: the researcher says 'answer: Keir Starmer'", "after, as of 2009-06-01"),
        ("after, as of 2009-06-01: the researcher says 'answer: Gordon Brown'", "answer: Theresa May"),
    ],
    "dragin_local_model": [
        ("looked up: nothing", "after, as of 2012-01-01"),
        ("after, as of 2012-01-01", "Dick Costolo replaces Evan Williams at Twitter (2010-10-04)"),
        ("after, as of 2024-01-01", "Filing shows Musk as Twitter chief executive (2022-11-01)"),
    ],
}
"""Of each script what it prints, in pairs: the first, and then the second somewhere behind it."""


@pytest.mark.parametrize("name", POINTS)
def test_the_example_shows_its_difference(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    if name == "deep_agent":
        pytest.importorskip("deepagents")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", [name])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    printed = capsys.readouterr().out
    warned = [told.getMessage() for told in caplog.records if told.levelname == "WARNING"]
    assert not warned, "an example shows how it is done"
    rest = printed
    for first, then in POINTS[name]:
        _, found, after = rest.partition(first)
        assert found, f"{first!r} is missing in:\n{printed}"
        between, found, behind = after.partition(then)
        assert found, f"{then!r} is missing behind {first!r} in:\n{printed}"
        if first == "before:":
            assert then.rpartition(": ")[2].strip() not in between, f"no difference in:\n{printed}"
            rest = behind


def test_every_script_is_run_here() -> None:
    scripts = {path.stem for path in EXAMPLES.glob("*.py")}
    assert scripts - {"notes"} == set(POINTS)
    assert len(POINTS) == 10
    assert len(NOTEBOOKS) == 3


def test_an_example_runs_from_any_folder_as_a_command(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / "support_bot.py")]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert "York" in ran.stdout


@pytest.mark.parametrize("name", [each for each in POINTS if each != "time_travel_test"])  # it imports its chains
def test_the_example_marks_the_lines_that_it_changes(name: str) -> None:
    source = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    marked = [line for line in source.splitlines() if "  # dateline" in line]
    assert "def before(" in source
    assert "def after(" in source
    assert 1 <= len(marked) <= 8, marked


def test_the_graph_answers_as_of_the_day_that_it_is_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "argv", ["crag_graph", "2009-06-01"])
    runpy.run_path(str(EXAMPLES / "crag_graph.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "after:  Satya Nadella" not in printed, "nobody knew in 2009"
    assert "Barack Obama" in printed


def test_the_time_travel_example_notices_an_app_that_looks_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example = runpy.run_path(str(EXAMPLES / "time_travel_test.py"))
    outcome = example["travel"](example["before"](example["load_documents"]()), cases=example["load_cases"](40))
    assert outcome.leaks > 0
    with pytest.raises(AssertionError):
        example["check"](outcome)


def masked(text: str) -> tuple[list[str], list[float]]:
    """What is printed without its decimals and the names of temporary folders, and the decimals."""
    text = re.sub(r"/\S*/", "", re.sub(r"\d+\.\d+ s\b", "# s", text))
    lines = [" ".join(line.split()) for line in DECIMAL.sub("#", text).strip().splitlines()]
    return lines, [float(number) for number in DECIMAL.findall(text)]


def shown_by(source: str, namespace: dict[str, Any], *, path: Path, count: int) -> list[dict[str, Any]]:
    """The outputs of a cell as a notebook stores them: what it prints, and the value of its last expression."""
    body = ast.parse(source).body
    if isinstance(last := body[-1], ast.Expr):
        body[-1] = ast.Assign([ast.Name("_", ast.Store())], last.value)
    namespace["_"] = None
    with contextlib.redirect_stdout(out := io.StringIO()):  # the project's own notebook
        exec(compile(ast.fix_missing_locations(ast.Module(body, [])), str(path), "exec"), namespace)
    value = namespace["_"]
    lines = out.getvalue().splitlines(keepends=True)
    outputs: list[dict[str, Any]] = [{"name": "stdout", "output_type": "stream", "text": lines}] if lines else []
    if value is not None:
        html = value._repr_html_() if hasattr(value, "_repr_html_") else None
        data = {"text/html": html.splitlines(keepends=True)} if html else {"text/plain": [repr(value)]}
        outputs.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    return outputs


def told(outputs: list[dict[str, Any]]) -> str:
    """What a person reads of a cell's outputs."""
    texts = [part for output in outputs for part in (output.get("text", []), *output.get("data", {}).values()) if part]
    return re.sub(r"<style>.*?</style>|<[^>]+>", "\n", "\n".join("".join(text) for text in texts), flags=re.S)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_of_the_notebook_shows_what_is_stored_in_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "88")
    notebook = json.loads(path.read_text(encoding="utf-8"))
    namespace: dict[str, Any] = {"__name__": "__main__"}
    count = pictures = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        outputs = shown_by("".join(cell["source"]), namespace, path=path, count=count)
        pictures += sum("text/html" in output.get("data", {}) for output in outputs)
        if UPDATE:
            cell["outputs"], cell["execution_count"] = outputs, count
            continue
        (lines_stored, stored_numbers), (lines_shown, shown_numbers) = (
            masked(told(cell["outputs"])),
            masked(told(outputs)),
        )
        assert lines_shown == lines_stored
        assert shown_numbers == pytest.approx(stored_numbers, abs=TOLERANCE)
    assert count >= 5
    assert pictures >= 2, "a notebook worth sharing has pictures"
    if UPDATE:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def test_the_searching_model_calls_its_tool_once_and_answers_from_what_it_brought() -> None:
    model = SearchingChatModel(tools=["search_notes"])
    asked = HumanMessage("Who leads the harbour board?")
    call = model.invoke([asked])
    assert call.tool_calls[0]["args"] == {"query": "Who leads the harbour board?"}
    found = ToolMessage("Anna Berg leads the harbour board.", tool_call_id=call.tool_calls[0]["id"])
    assert model.invoke([asked, call, found]).text == "Anna Berg"
    assert model.invoke([asked, call, found, HumanMessage("And the choir?")]).tool_calls


def test_the_readmes_count_and_list_every_app() -> None:
    apps = {path.stem for path in EXAMPLES.glob("*.py")} - {"notes"}
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert {app for app in apps if f"| `{app}.py` |" in listed} == apps == POINTS.keys()
    (word,) = [word for number, word in ((8, "eight"), (9, "nine"), (10, "ten")) if number == len(apps)]
    for readme in (listed, (EXAMPLES.parent / "README.md").read_text(encoding="utf-8")):
        assert re.findall(r"(eight|nine|ten) (?:plain )?apps", readme.lower()) == [word]


@pytest.mark.parametrize(
    ("name", "needs"),
    [("llama_index_engine", "llama-index"), ("dragin_local_model", "transformers"), ("deep_agent", "deepagents")],
)
def test_an_app_that_needs_more_than_the_core_says_so(name: str, needs: str) -> None:
    head = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8").split('"""')[1]
    assert needs in head
    (row,) = [
        line for line in (EXAMPLES / "README.md").read_text(encoding="utf-8").splitlines() if f"`{name}.py`" in line
    ]
    assert f"extra `{needs}`" in row or f"pip install {needs}" in row
