"""The rules of the house: which way imports point, what an import costs, what never occurs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PLUGINS = ROOT / "plugins"
FLOORS = {
    "errors": 0, "closable": 0, "background": 0, "chat": 0, "temporal": 0, "records": 0, "protocols": 0, "text": 0, "language": 0, "testing": 1,
    "handwritten": 0,
    "documents": 1, "search": 1, "evidence": 1, "ranking": 1, "reading": 1, "facts": 1,
    "certainty": 2, "dynamic": 2, "evolution": 2, "evaluation": 3,
}  # fmt: skip
SOURCES = [*PLUGINS.rglob("*.py"), *(ROOT / "graphs").rglob("*.py")]


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} uses a relative import"
            yield node.module or ""


def test_imports_inside_dateline_never_point_upwards() -> None:
    for path in (PLUGINS / "dateline").rglob("*.py"):
        room = path.relative_to(PLUGINS / "dateline").parts[0].removesuffix(".py")
        for name in imports_of(path):
            parts = name.split(".")
            if parts[0] == "dateline" and len(parts) > 1 and room in FLOORS:
                assert FLOORS[parts[1]] <= FLOORS[room], f"{path} imports {name}"


def test_the_algorithms_know_no_framework_above_them() -> None:
    forbidden = {
        "langgraph",
        "llama_index",
        "langchain",
        "langchain_community",
        "langchain_dateline",
        "dateline_graphs",
        "dateline_cli",
        "dateline_bench",
    }
    for path in (PLUGINS / "dateline").rglob("*.py"):
        assert not forbidden & {name.split(".")[0] for name in imports_of(path)}, path


def test_nothing_outside_imports_the_benchmarks() -> None:
    for path in SOURCES:
        if "dateline_bench" not in path.parts:
            assert not any(name.split(".")[0] == "dateline_bench" for name in imports_of(path)), path


def test_importing_dateline_imports_no_provider() -> None:
    code = (
        "import sys, dateline;"
        "bad = {'langchain_core', 'openai', 'serpapi', 'torch', 'transformers', 'chromadb', 'llama_index', 'langgraph'};"
        "print(sorted(bad & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_package_faces_only_export() -> None:
    allowed = (ast.ImportFrom, ast.Import, ast.Expr, ast.Assign)
    for path in SOURCES:
        if path.name == "__init__.py":
            body = ast.parse(path.read_text(encoding="utf-8")).body
            assert all(isinstance(node, allowed) for node in body), f"{path} does more than export"


@pytest.mark.parametrize("forbidden", [r"\beval\(", r"\bpickle\b", r"while True", r"\.get_num_tokens\("])
def test_what_must_never_occur_does_not(forbidden: str) -> None:
    for path in SOURCES:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            code = line.split("#")[0]
            assert not re.search(forbidden, code) or '"' in code, f"{path}:{number}: {line.strip()}"


def test_every_module_says_what_it_is_for() -> None:
    for path in SOURCES:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path
