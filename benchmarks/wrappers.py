"""What an import costs, and what each wrapper adds to the piece inside it.

    python benchmarks/wrappers.py [--json FILE] [--tables FILE] [--n 100] [--seconds 10] [--imports 7] [--only TEXT]

Imports: a fresh interpreter for each, processor seconds and wall-clock seconds, medians; beside them the bare framework
that the name needs. Wrappers, in two sizes (`wrappers_world.py`): the call of the piece inside, that of the wrapper and
that of the framework's own class around nothing, one after the other, many times, the order changed each time; the
overhead is the median of the differences over the median of the piece alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wrappers_imports import NAMES, imported
from wrappers_langchain import langchain_cases
from wrappers_llama_index import llama_index_cases
from wrappers_timing import Overhead, measure
from wrappers_world import REAL, TOY, World

BAR = 0.10
SIZES = {"toy": TOY, "real": REAL}
Wrappers = dict[str, dict[str, Overhead]]
"""By name and size."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--tables", type=Path, help="where to write the figures as tables of Markdown")
    arguments.add_argument("--n", type=int, default=100, help="rounds of each wrapper at most; 0: leave wrappers out")
    arguments.add_argument("--seconds", type=float, default=10.0, help="wall-clock seconds for each wrapper")
    arguments.add_argument("--imports", type=int, default=7, help="interpreters a name; 0: leave imports out")
    arguments.add_argument("--sizes", nargs="+", choices=list(SIZES), default=list(SIZES))
    arguments.add_argument("--only", default="", help="wrappers with this in their name")
    given = arguments.parse_args()
    imports = {}
    for name in NAMES if given.imports else ():
        imports[name] = imported(name, runs=given.imports)
        print(name, imports[name], flush=True)
    wrappers = measured(given.sizes, n=given.n, seconds=given.seconds, only=given.only) if given.n else {}
    missed = [name for name, sizes in wrappers.items() if "real" in sizes and sizes["real"].ratio > BAR]
    print("over the bar of 10 % at realistic sizes:", "; ".join(missed) or "none")
    if given.json:
        given.json.write_text(json.dumps(_json(imports, wrappers), indent=2) + "\n", encoding="utf-8")
    if given.tables:
        given.tables.write_text(tables(wrappers), encoding="utf-8")


def measured(sizes: Sequence[str], *, n: int, seconds: float, only: str) -> Wrappers:
    """Each wrapper in each of the sizes."""
    found: Wrappers = {}
    for size in sizes:
        world = World(SIZES[size])
        for framework, cases in (("langchain", langchain_cases(world)), ("llama_index", llama_index_cases(world))):
            for name, case in cases.items():
                full = f"{framework} {name}"
                if only not in full:
                    continue
                one = measure(case(), n=n, seconds=seconds)
                found.setdefault(full, {})[size] = one
                print(f"{size} {full}: {one.to_json()}", flush=True)
    return found


def tables(wrappers: Wrappers) -> str:
    """A table of Markdown for each framework, the greatest overhead at realistic sizes last."""
    text = []
    for framework, title in (("langchain", "LangChain"), ("llama_index", "LlamaIndex")):
        text += [
            f"| wrapper | piece | added | of it {title} | | toy: piece | added | |",
            "|---|---|---|---|---|---|---|---|",
        ]
        mine = {
            name.removeprefix(f"{framework} "): each for name, each in wrappers.items() if name.startswith(framework)
        }
        complete = {name: (each["real"], each["toy"]) for name, each in mine.items() if {"real", "toy"} <= each.keys()}
        for name, (real, toy) in sorted(complete.items(), key=lambda pair: pair[1][0].ratio):
            cells = [_named(name), *_cells(real, framework=True), *_cells(toy, framework=False)]
            text.append(f"| {' | '.join(cells)} |")
        text.append("")
    return "\n".join(text)


def _cells(one: Overhead, *, framework: bool) -> list[str]:
    shown = [f"{_ms(one.inside)} ms", f"{_ms(one.added)} ms"]
    shown += [f"{_ms(one.framework)} ms" if one.framework else "-"] if framework else []
    return [*shown, f"{100 * one.ratio:.0f} %"]


def _named(name: str) -> str:
    """A class in the type of code, and what is said of it."""
    first, *more = name.split(", ", 1)
    return ", ".join([first if " " in first else f"`{first}`", *more])


def _ms(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.1f}" if abs(value) >= 1 else f"{value:.2f}"


def _json(imports: dict[str, Any], wrappers: Wrappers) -> dict[str, Any]:
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "sizes": {size: asdict(sizes) for size, sizes in SIZES.items()},
        "imports": imports,
        "wrappers": {name: {size: one.to_json() for size, one in sizes.items()} for name, sizes in wrappers.items()},
    }


if __name__ == "__main__":
    main()
