"""The rules of the house: which way imports point, what an import costs, what never occurs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest

ROOT = Path(__file__).parent.parent
PLUGINS = ROOT / "plugins"
SOURCES = [*PLUGINS.rglob("*.py"), *(ROOT / "graphs").rglob("*.py")]
PACKAGES = {
    "dateline": 0,
    "langchain_dateline": 1,
    "llama_index": 1,
    "dateline_graphs": 2,
    "dateline_cli": 3,
    "dateline_bench": 4,
}  # fmt: skip
MIRRORED = {"DateStamper", "EvidenceRetriever", "FactStoreRetriever", "TemporalReranker", "TemporalRetriever"}
"""Classes that LangChain's plug-ins and LlamaIndex's have under one name, because they are one thing in two frameworks."""


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} uses a relative import"
            yield from (f"dateline.{alias.name}" for alias in node.names if node.module == "dateline")
            yield node.module or ""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def room_graph() -> dict[str, set[str]]:
    """Rooms of `dateline` (its packages, and each module beside them) with the rooms they import anywhere in a file."""
    rooms: dict[str, set[str]] = {}
    for path in (PLUGINS / "dateline").rglob("*.py"):
        room = path.relative_to(PLUGINS / "dateline").parts[0].removesuffix(".py")
        inside = [name.split(".")[1] for name in imports_of(path) if name.startswith("dateline.")]
        rooms.setdefault(room, set()).update(set(inside) - {room})
    return rooms


def circles(graph: dict[str, set[str]]) -> list[set[str]]:
    """The sets of rooms that reach each other."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = list(graph.get(start, ()))
        while ahead:
            if (room := ahead.pop()) not in seen:
                seen.add(room)
                ahead += graph.get(room, ())
        return seen

    reach = {room: reached(room) for room in graph}
    return [
        {room, *(other for other in there if room in reach.get(other, ()))}
        for room, there in reach.items()
        if room in there
    ]


def test_the_rooms_of_dateline_import_each_other_in_no_circle() -> None:
    assert not circles(room_graph())


def test_a_circle_of_three_rooms_is_seen() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [{"a", "b", "c"}] * 3


def package_of(name: str) -> str | None:
    parts = name.split(".")
    return None if parts[0] == "llama_index" and "dateline" not in parts else parts[0]


def test_packages_import_only_those_below_them() -> None:
    for path in SOURCES:
        own = path.relative_to(PLUGINS if PLUGINS in path.parents else ROOT / "graphs").parts[0]
        for name in imports_of(path):
            level = PACKAGES.get(package_of(name) or "")
            assert level is None or level < PACKAGES[own] or name.split(".")[0] == own, f"{path} imports {name}"


def test_class_names_are_unique() -> None:
    homes: dict[str, list[str]] = {}
    for path in SOURCES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    shared = {name for name, places in homes.items() if len(places) > 1} - MIRRORED
    assert not {name: homes[name] for name in shared}


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


def test_importing_dateline_imports_pydantic_and_nothing_else() -> None:
    code = (
        "import sys; before = set(sys.modules); import dateline;"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    light = {"annotated_types", "dateline", "pydantic", "pydantic_core", "typing_extensions", "typing_inspection"}
    heavy = {name for name in run.stdout.split() if not name.startswith("_")} - light
    assert not heavy, "importing dateline must stay quick"


def test_package_faces_only_export() -> None:
    allowed = (ast.ImportFrom, ast.Import, ast.Expr, ast.Assign)

    def only_exports(node: ast.stmt) -> bool:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            return all(isinstance(each, ast.ImportFrom) for each in node.body)
        return isinstance(node, allowed)

    for path in SOURCES:
        if path.name == "__init__.py":
            body = tree_of(path).body
            assert all(map(only_exports, body)), f"{path} does more than export"


def offences(tree: ast.AST) -> list[str]:
    """Calls, imports and loops that never occur in the library."""
    return [f"line {node.lineno}: {ast.unparse(node)[:80]}" for node in ast.walk(tree) if is_offence(node)]


def is_offence(node: ast.AST) -> TypeGuard[ast.stmt | ast.expr]:
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] in UNSAFE_MODULES for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] in UNSAFE_MODULES
    if isinstance(node, ast.While):
        return isinstance(node.test, ast.Constant) and bool(node.test.value)
    if isinstance(node, ast.Call):
        return is_banned_call(node)
    return False


def is_banned_call(call: ast.Call) -> bool:
    called = ast.unparse(call.func)
    if called in ("yaml.load", "yaml.load_all"):
        given = [*call.args[1:], *(each.value for each in call.keywords if each.arg == "Loader")]
        return not any(ast.unparse(each).endswith("SafeLoader") for each in given)
    return called.removeprefix("builtins.") in ("eval", "exec", "compile") or called.endswith(".get_num_tokens")


UNSAFE_MODULES = {"pickle", "marshal", "shelve", "cPickle", "dill"}


def test_what_must_never_occur_does_not() -> None:
    assert not {str(path): found for path in SOURCES if (found := offences(tree_of(path)))}


@pytest.mark.parametrize(
    "code",
    [
        'x = eval("1+1")',
        "builtins.exec(code)",
        'compile("1", "", "eval")',
        'import pickle; pickle.loads(open("f", "rb").read())',
        "from marshal import loads",
        "import shelve as store",
        "yaml.load(text)",
        "yaml.load(text, Loader=yaml.Loader)",
        'while True:\n    print("again")',
        "while 1:\n    pass",
        'n = model.get_num_tokens("text")',
    ],
)
def test_the_ban_sees(code: str) -> None:
    assert offences(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        "re.compile('x')",
        "model.eval()",
        "yaml.load(text, Loader=yaml.SafeLoader)",
        "while waiting:\n    pass",
        "'eval(x)'",
    ],
)
def test_the_ban_lets_through(code: str) -> None:
    assert not offences(ast.parse(code))


def test_every_module_says_what_it_is_for() -> None:
    for path in SOURCES:
        assert ast.get_docstring(tree_of(path)), path


def test_no_pattern_repeats_a_group_possessively() -> None:
    """Before Python 3.11.5 such a repeat may end inside a try that failed (python/cpython#106052)."""
    repeats = re.compile(r"\)(?:[*+]|\{+[\d,]+\}+)\+|\(\?>")
    assert not [path for path in SOURCES if repeats.search(path.read_text(encoding="utf-8"))]
    assert all(repeats.search(one) for one in (r"(?: [A-Z]\w*)*+", r"(?:a|b){0,2}+", "(?>a)"))
