"""Ctrl-C ends a command with one line, from its first moment on."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pytest

from dateline_cli.entry import main


class Interrupting(MetaPathFinder):
    """A person who presses Ctrl-C while a module is imported."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
        if fullname == self.name:
            raise KeyboardInterrupt


@pytest.mark.parametrize("module", ["dateline_cli.main", "dateline_cli.doctor"])
def test_an_interrupt_while_the_command_is_imported_is_one_line(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("dateline_cli.main", module):
        monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.delattr(name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(module), *sys.meta_path])
    assert main() == 130
    assert capsys.readouterr().err == "dateline: interrupted.\n"


def test_an_interrupt_of_a_command_at_work_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dateline_cli.main.parser", interrupted)
    assert main() == 130
    assert capsys.readouterr().err == "dateline: interrupted.\n"


def test_the_script_begins_where_nothing_is_imported_yet() -> None:
    root = Path(__file__).parents[2]
    script = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]["dateline"]
    assert script == "dateline_cli.entry:main"
    code = "import sys; before = set(sys.modules); import dateline_cli.entry; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["dateline_cli", "dateline_cli.entry"]
