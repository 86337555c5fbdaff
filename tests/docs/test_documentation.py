"""Documentation is run: Python blocks execute in order, console blocks print what they show.

- ```python blocks of one page share a namespace; a ```text block right after one is its output.
- ```console blocks: each line after `$ ` is run at the root, `dateline` in this process and whatever needs a shell by one; what
  follows is its output.
- ```sh blocks install or start things and are not run here.
Seconds and paths of temporary folders differ from run to run and are masked on both sides. Numbers with a decimal point
may differ by `TOLERANCE`: 8-bit arithmetic rounds differently on other processors.

`DATELINE_UPDATE_DOCS=1 pytest tests/docs` writes what is printed into the pages instead of comparing.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dateline.text.cache_folder import cache_folder
from dateline_cli.main import main

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("**/*.md"), *(ROOT / "examples").glob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
SHELL = re.compile(r"[|;&<>]")
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
TOLERANCE = 0.04
UPDATE = bool(os.environ.get("DATELINE_UPDATE_DOCS"))


def masked(text: str) -> list[str]:
    text = re.sub(r"\d+\.\d+ s\b", "# s", text)
    text = re.sub(r'"seconds": [\d.e-]+', '"seconds": #', text)
    return [line.rstrip() for line in text.strip().splitlines()]


def alike(shown: str, printed: str) -> bool:
    one, other = "\n".join(masked(shown)), "\n".join(masked(printed))
    numbers = [[float(number) for number in DECIMAL.findall(text)] for text in (one, other)]
    return DECIMAL.sub("#", one) == DECIMAL.sub("#", other) and all(
        abs(a - b) <= TOLERANCE for a, b in zip(*numbers, strict=True)
    )


def printed_by_console(block: str) -> str:
    printed = ""
    for command in re.findall(r"^\$ (.*)$", block, flags=re.M):
        alone = command.startswith("dateline ") and not SHELL.search(command)
        code, told = printed_by_dateline(shlex.split(command)[1:]) if alone else printed_by_shell(command)
        assert code in (0, 2), f"$ {command}\n{told}"
        printed += "\n".join([f"$ {command}", *(line.rstrip() for line in told.splitlines() if line.strip())]) + "\n"
    return printed


def printed_by_dateline(arguments: list[str]) -> tuple[int, str]:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as errors:
        try:
            code = main(arguments)
        except SystemExit as ended:  # what argparse refuses
            code = int(ended.code or 0)
    return code, out.getvalue() + errors.getvalue()


def printed_by_shell(command: str) -> tuple[int, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        command, shell=True, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PATH": path}, timeout=110
    )
    return ran.returncode, ran.stdout + ran.stderr


def printed_by_python(block: str, *, page: Path, namespace: dict[str, object]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(block, str(page), "exec"), namespace)  # the project's own documentation
    return out.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_the_page_runs_and_prints_what_it_shows(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "88")
    text = page.read_text(encoding="utf-8")
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    differences: list[tuple[str, str]] = []
    for language, block in BLOCK.findall(text):
        if language == "python":
            printed = printed_by_python(block, page=page, namespace=namespace)
        elif language == "console" or (language == "text" and printed):
            shown = printed_by_console(block) if language == "console" else printed
            if not alike(block, shown):
                differences.append((f"```{language}\n{block}```", f"```{language}\n{shown}```"))
            printed = ""
    if UPDATE:
        for old, new in differences:
            text = text.replace(old, new, 1)
        page.write_text(text, encoding="utf-8")
    else:
        assert [masked(new) for _, new in differences] == [masked(old) for old, _ in differences]


def test_there_is_documentation_to_run() -> None:
    blocks = [language for page in PAGES for language, _ in BLOCK.findall(page.read_text(encoding="utf-8"))]
    assert blocks.count("python") >= 3
    assert blocks.count("console") >= 1


def test_the_first_page_says_where_copies_of_documents_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    folder = cache_folder().relative_to(Path.home())
    assert f"`~/{folder}` on Linux" in (ROOT / "docs" / "start.md").read_text(encoding="utf-8")


def test_the_page_on_migration_names_the_ways_made_for_moving() -> None:
    page = (ROOT / "docs" / "migration.md").read_text(encoding="utf-8")
    assert [name for name in ("FactMemoryStore", "dateline facts import") if name not in page] == []
