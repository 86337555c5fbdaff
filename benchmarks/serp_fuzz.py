"""Parse mutated search pages: no exception, and none slower than the limit.

python benchmarks/serp_fuzz.py FOLDER [--count 100000] [--limit-ms 50] [--json FILE]

FOLDER holds SerpAPI responses, one .json a file; every mutation starts from one of them.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import traceback
from pathlib import Path
from typing import Any

from dateline.evidence.serp import parse_page

ODD: tuple[Any, ...] = (
    None, 0, -1.5, True, "", " ", "x" * 20_000, "3 days ago", "\ud800\u202e\x00", [], {}, [[]], [None], {"title": {}},
    float("inf"), 10**30, "https://", "http://[", "99/99/9999", "9" * 4_000, "a-" * 4_000, "1 " * 2_000, "· — " * 2_000,
    [["a", 1], {"b": [{}]}], {"list": [{"list": [{"list": []}]}]},
)  # fmt: skip
"""What takes the place of a part."""


def mutated(value: Any, chance: random.Random, rate: float) -> Any:
    """A copy with some parts replaced, dropped, doubled, or moved under another name."""
    if chance.random() < rate:
        return deep(chance.randrange(60)) if chance.random() < 0.05 else chance.choice(ODD)
    if isinstance(value, dict):
        names = list(value)
        copy = {name: mutated(inner, chance, rate) for name, inner in value.items() if chance.random() > rate}
        if names and chance.random() < rate * 2:
            copy[chance.choice(names)] = copy.get(chance.choice(names))
        return copy
    if isinstance(value, list):
        copied = [mutated(inner, chance, rate) for inner in value if chance.random() > rate]
        return copied * 3 if chance.random() < rate else copied
    if isinstance(value, str) and chance.random() < rate * 3:
        letters = list(value)
        for _ in range(min(len(letters), 5)):
            letters[chance.randrange(len(letters))] = chr(
                chance.choice((chance.randrange(128), chance.randrange(0x3000)))
            )
        return "".join(letters)
    return value


def deep(depth: int) -> Any:
    """Lists and objects within each other."""
    value: Any = "deep"
    for level in range(depth):
        value = {"list": [value], "text_blocks": [value]} if level % 2 else [value]
    return value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--limit-ms", type=float, default=50.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    pages = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(options.folder.glob("*.json"))]
    chance = random.Random(options.seed)
    exceptions = slow = pieces = 0
    slowest = total = 0.0
    for number in range(options.count):
        page = mutated(pages[number % len(pages)], chance, chance.choice((0.002, 0.01, 0.05, 0.2)))
        started = time.process_time()
        try:
            pieces += len(parse_page(page).evidence)
        except Exception:
            exceptions += 1
            if exceptions <= 3:
                traceback.print_exc()
        seconds = time.process_time() - started
        total += seconds
        slowest = max(slowest, seconds)
        slow += seconds * 1000 > options.limit_ms
    figures = {
        "pages": options.count,
        "exceptions": exceptions,
        f"slower_than_{options.limit_ms:g}_ms": slow,
        "slowest_ms": round(slowest * 1000, 2),
        "mean_ms": round(total / max(1, options.count) * 1000, 3),
        "pieces": pieces,
    }
    print(json.dumps(figures))
    if options.json:
        options.json.write_text(json.dumps(figures) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
