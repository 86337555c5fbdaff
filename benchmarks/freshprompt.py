"""Build FreshPrompts of forty pieces of evidence: milliseconds and tokens.

python benchmarks/freshprompt.py [--count 200] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from datetime import UTC, datetime
from pathlib import Path

from dateline import Evidence, Interval, Question
from dateline.evidence import FreshPrompt, Sizes
from dateline.text import default_token_counter

WORDS = (
    ["harbour", "council", "mayor", "vote", "bridge", "ferry", "timetable", "budget", "report", "station", "choir", "museum", "opened", "closed", "elected", "announced", "percent", "million", "since", "until", "autumn", "spring", "2019", "2021", "2023", "first", "second", "new", "former"]
)  # fmt: skip


def evidence(chance: random.Random, count: int) -> list[Evidence]:
    """Snippets as long as search engines give them, about 35 words."""
    return [
        Evidence.make(
            f"{number} " + " ".join(chance.choices(WORDS, k=chance.randrange(25, 45))),
            title=" ".join(chance.choices(WORDS, k=7)),
            source="paper.example",
            published=Interval.of_day(chance.randrange(2000, 2024), chance.randrange(1, 13), chance.randrange(1, 29)),
            kind="organic",
            highlights=tuple(chance.choices(WORDS, k=2)),
        )
        for number in range(count)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    chance = random.Random(0)
    prompt = FreshPrompt(sizes=Sizes(40, 3, 3, 40, 5), budget=8_000)
    asked = datetime(2024, 5, 1, tzinfo=UTC)
    question = Question("Who is the mayor of Aldermouth?", "Who is the mayor of Aldermouth?", None, asked)
    prompt.build(question, evidence=evidence(chance, 40))
    seconds: list[float] = []
    tokens = pieces = 0
    for _ in range(options.count):
        found = evidence(chance, 40)
        started = time.perf_counter()
        built = prompt.build(question, evidence=found)
        built.messages()
        seconds.append(time.perf_counter() - started)
        tokens, pieces = max(tokens, built.tokens), len(built.evidence)
    figures = {
        "median_ms": round(statistics.median(seconds) * 1000, 2),
        "p95_ms": round(statistics.quantiles(seconds, n=20)[-1] * 1000, 2),
        "most_tokens": tokens,
        "pieces": pieces,
        "counter": default_token_counter().name,
    }
    print(json.dumps(figures))
    if options.json:
        options.json.write_text(json.dumps(figures) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
