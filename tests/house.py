"""Figures of the house, read off the syntax trees: sizes, first lines, classes of letters, names.

`make house` prints them; `test_house.py` and `test_house_words.py` hold them to the rules.
"""

from __future__ import annotations

import ast
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = sorted([*(ROOT / "plugins").rglob("*.py"), *(ROOT / "graphs").rglob("*.py")])
MOST_WORDS = 12
BAD_OPENINGS = {"what", "whether", "how", "where", "of", "by", "the same"}
LETTERS = re.compile(r"\[[^\]]*(?:[A-Za-z]-[A-Za-z]|À)[^\]]*\]")
"""A character class that spells out letters, in a pattern."""

LANGUAGE_ROOM = ("language", "handwritten")
"""The rooms that may spell out what letters are."""

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Docstring:
    """One docstring and where it stands."""

    path: Path
    name: str
    text: str

    @property
    def first_line(self) -> str:
        return self.text.strip().partition("\n")[0]

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(ROOT)}: {self.name}"


def tree(path: Path) -> ast.Module:
    """Parse one source."""
    return ast.parse(path.read_text(encoding="utf-8"))


def docstrings() -> Iterator[Docstring]:
    """Yield every docstring of modules, classes and functions."""
    for path in SOURCES:
        for node in ast.walk(tree(path)):
            if isinstance(node, Documented) and (text := ast.get_docstring(node)):
                yield Docstring(path, getattr(node, "name", path.stem), text)


def fault_of(line: str) -> str:
    """Return the fault of a docstring's first line, or nothing."""
    said = re.sub(r"``?[^`]*``?", "name", line)
    words = re.findall(r"[\w'-]+", said)
    if len(words) > MOST_WORDS:
        return f"{len(words)} words"
    opening = " ".join(words[:2]).lower()
    bad = next((each for each in BAD_OPENINGS if opening == each or opening.split(" ")[:1] == [each]), "")
    return f"opens with {bad!r}" if bad else ""


def faulty_first_lines() -> dict[str, str]:
    """Map the place of each faulty first line to its fault."""
    return {each.place: f"{fault}: {each.first_line}" for each in docstrings() if (fault := fault_of(each.first_line))}


def letter_classes() -> list[str]:
    """List patterns outside the language room that spell out letters."""
    found = []
    for path in SOURCES:
        if set(LANGUAGE_ROOM) & set(path.parts):
            continue
        for node in ast.walk(tree(path)):
            patterns = _patterns(node)
            found += [f"{path.relative_to(ROOT)}:{node.lineno}: {each}" for each in patterns if LETTERS.search(each)]
    return found


def _patterns(node: ast.AST) -> list[str]:
    """Return the texts handed to a function of `re`."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return []
    if not (isinstance(node.func.value, ast.Name) and node.func.value.id in ("re", "regex")):
        return []
    texts = ast.walk(node.args[0]) if node.args else iter(())
    return [each.value for each in texts if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def classes() -> dict[str, list[str]]:
    """Map the name of each public class to the files that define it."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in SOURCES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(str(path.relative_to(ROOT)))
    return dict(found)


def lines(*parts: str) -> int:
    """Count the lines of all sources below these folders; without any, of all."""
    chosen = [path for path in SOURCES if not parts or set(parts) & set(path.parts)]
    return sum(path.read_text(encoding="utf-8").count("\n") for path in chosen)


def function_lengths() -> list[int]:
    """Return the lengths of all functions in lines."""
    nodes = (node for path in SOURCES for node in ast.walk(tree(path)))
    return sorted((node.end_lineno or 0) - node.lineno + 1 for node in nodes if isinstance(node, ast.FunctionDef))


def figures() -> dict[str, object]:
    """Gather what `make house` prints."""
    lengths, names = function_lengths(), classes()
    return {
        "files": len(SOURCES),
        "lines without benchmarks": lines() - lines("dateline_bench"),
        "of these written-out rules of English": lines("handwritten"),
        "lines of benchmarks": lines("dateline_bench"),
        "functions": len(lengths),
        "lines a function, median / longest": f"{statistics.median(lengths):.0f} / {lengths[-1]}",
        "classes": len(names),
        "names of classes used twice": ", ".join(name for name, places in names.items() if len(places) > 1) or "none",
        "docstrings": sum(1 for _ in docstrings()),
        "first lines against the rules": len(faulty_first_lines()),
        "classes of letters outside the language room": len(letter_classes()),
    }


if __name__ == "__main__":
    for name, figure in figures().items():
        print(f"{name:46} {figure}")
