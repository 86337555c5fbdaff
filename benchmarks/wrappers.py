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
from pathlib import Path
from typing import Any

from wrappers_imports import NAMES, imported
from wrappers_langchain import langchain_cases
from wrappers_llama_index import llama_index_cases
from wrappers_timing import Overhead, measure
from wrappers_world import REAL, TOY, World

BAR = 0.10
Wrappers = dict[str, dict[str, Overhead]]
"""By name and size."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--tables", type=Path, help="where to write the figures as tables of Markdown")
    arguments.add_argument("--n", type=int, default=100, help="rounds of each wrapper at most; 0: leave wrappers out")
    arguments.add_argument("--seconds", type=float, default=10.0, help="wall-clock seconds for each wrapper")
    arguments.add_argument("--imports", type=int, default=7, help="interpreters a name; 0: leave imports out")
    arguments.add_argument("--only", default="", help="wrappers with this in their name")
    given = arguments.parse_args()
    imports = {}
    for name in NAMES if given.imports else ():
        imports[name] = imported(name, runs=given.imports)
        print(name, imports[name], flush=True)
    wrappers = measured(n=given.n, seconds=given.seconds, only=given.only) if given.n else {}
    missed = [name for name, sizes in wrappers.items() if "real" in sizes and sizes["real"].ratio > BAR]
    print("over the bar of 10 % at realistic sizes:", "; ".join(missed) or "none")
    if given.json:
        given.json.write_text(json.dumps(_json(imports, wrappers), indent=2) + "\n", encoding="utf-8")
    if given.tables:
        given.tables.write_text(tables(wrappers), encoding="utf-8")


def measured(*, n: int, seconds: float, only: str) -> Wrappers:
    """Each wrapper in both sizes."""
    found: Wrappers = {}
    for size, sizes in (("toy", TOY), ("real", REAL)):
        world = World(sizes)
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
    """A table of Markdown for each framework."""
    text = []
    for framework in ("langchain", "llama_index"):
        text += [
            "| wrapper | toy: piece, added | | realistic: piece, added | of it the framework | |",
            "|---|---|---|---|---|---|",
        ]
        for name, sizes in wrappers.items():
            if name.startswith(f"{framework} "):
                toy, real = sizes.get("toy"), sizes.get("real")
                cells = [
                    f"`{name.removeprefix(framework).strip()}`",
                    f"{_ms(toy.inside)}, {_ms(toy.added)} ms" if toy else "",
                    _percent(toy.ratio) if toy else "",
                    f"{_ms(real.inside)}, {_ms(real.added)} ms" if real else "",
                    f"{_ms(real.framework)} ms" if real else "",
                    _percent(real.ratio) if real else "",
                ]
                text.append(f"| {' | '.join(cells)} |")
        text.append("")
    return "\n".join(text)


def _ms(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.1f}" if abs(value) >= 1 else f"{value:.2f}"


def _percent(ratio: float) -> str:
    return f"{100 * ratio:.0f} %"


def _json(imports: dict[str, Any], wrappers: Wrappers) -> dict[str, Any]:
    return {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "sizes": {"toy": vars_of(TOY), "real": vars_of(REAL)},
        "imports": imports,
        "wrappers": {name: {size: one.to_json() for size, one in sizes.items()} for name, sizes in wrappers.items()},
    }


def vars_of(sizes: Any) -> dict[str, Any]:
    """A frozen dataclass as JSON."""
    return {name: getattr(sizes, name) for name in sizes.__dataclass_fields__}


if __name__ == "__main__":
    main()
