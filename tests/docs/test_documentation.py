"""Documentation is run: Python blocks execute in order, console blocks print what they show.

- ```python blocks of one page share a namespace; a ```text block right after one is its output.
- ```console blocks: each line after `$ ` is run by a shell at the root; what follows is its output.
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
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("**/*.md"), *(ROOT / "examples").glob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
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
    environment = {**os.environ, "COLUMNS": "88", "HF_HUB_OFFLINE": "1"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    printed = ""
    for command in re.findall(r"^\$ (.*)$", block, flags=re.M):
        ran = subprocess.run(
            command, shell=True, cwd=ROOT, capture_output=True, text=True, env=environment, timeout=110
        )
        assert ran.returncode in (0, 2), f"$ {command}\n{ran.stderr}"
        lines = (ran.stdout + ran.stderr).splitlines()
        printed += "\n".join([f"$ {command}", *(line.rstrip() for line in lines if line.strip())]) + "\n"
    return printed


def printed_by_python(block: str, *, page: Path, namespace: dict[str, object]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(block, str(page), "exec"), namespace)  # the project's own documentation
    return out.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_the_page_runs_and_prints_what_it_shows(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
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
