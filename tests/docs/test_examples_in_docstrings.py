"""Examples in docstrings are run: each module's `>>>` lines, in a folder of their own, without a network."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def modules_with_examples() -> list[str]:
    return [
        ".".join(path.relative_to(top).with_suffix("").parts).removesuffix(".__init__")
        for top in (ROOT / "plugins", ROOT / "graphs")
        for path in sorted(top.glob("**/*.py"))
        if ">>> " in path.read_text(encoding="utf-8")
    ]


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_the_module_print_what_they_show(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)):
        runner.run(test, out=report.append)
    assert not report, "".join(report)
    assert runner.summarize(verbose=False).attempted > 0
