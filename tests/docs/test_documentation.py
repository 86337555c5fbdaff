"""Documentation is run: Python blocks execute in order, console blocks print what they show.

- ```python blocks of one page share a namespace; a ```text block right after one is its output.
- ```console blocks: each line after `$ ` is run by a shell at the root; what follows is its output.
- ```sh blocks install or start things and are not run here.
Seconds and paths of temporary folders differ from run to run and are masked on both sides.
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


def masked(text: str) -> list[str]:
    text = re.sub(r"\d+\.\d+ s\b", "# s", text)
    text = re.sub(r'"seconds": [\d.e-]+', '"seconds": #', text)
    return [line.rstrip() for line in text.strip().splitlines()]


def run_console(block: str) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
    }
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        ran = subprocess.run(
            command, shell=True, cwd=ROOT, capture_output=True, text=True, env=environment, timeout=110
        )
        assert ran.returncode in (0, 2), f"$ {command}\n{ran.stderr}"
        assert masked(ran.stdout + ran.stderr) == masked(shown), f"$ {command}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_the_page_runs_and_prints_what_it_shows(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed = ""
    for language, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(block, str(page), "exec"), namespace)  # the project's own documentation
            printed = out.getvalue()
        elif language == "text" and printed:
            assert masked(printed) == masked(block)
            printed = ""
        elif language == "console":
            run_console(block)


def test_there_is_documentation_to_run() -> None:
    blocks = [language for page in PAGES for language, _ in BLOCK.findall(page.read_text(encoding="utf-8"))]
    assert blocks.count("python") >= 3
    assert blocks.count("console") >= 1
