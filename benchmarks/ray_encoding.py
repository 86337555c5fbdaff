"""Encoding by two actors of Ray against one, side by side.

    python benchmarks/ray_encoding.py [--texts 1500] [--runs 2] [--json FILE]

Each run encodes the same made-up passages of 60 words, one thread an actor, by `dateline.bulk.RayActors`; runs of one and of
two actors take turns. A run's rate counts from the moment when all its actors had begun until the last result, so that
starting Ray and loading models is left out; `start_s` says what they took. `ratio` is the median rate of two over
that of one; on a machine with other work it says more about that work (`load`).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from langchain_core.embeddings import Embeddings
from versions_world import long_passages

from dateline.bulk import RayActors
from dateline.text import default_embeddings
from dateline.text.embeddings import embed

CHUNK = 32


@dataclass(frozen=True)
class Timed:
    """Encodes a chunk; each result says which process did it, from when to when."""

    embeddings: Embeddings

    def __call__(self, texts: Sequence[str]) -> list[tuple[int, float, float]]:
        """Encode them."""
        started = time.time()
        embed(texts, embeddings=self.embeddings)
        return [(os.getpid(), started, time.time())] * len(texts)


def run(texts: Sequence[str], *, actors: int) -> dict[str, float]:
    """One run: texts a second, and the seconds before the first."""
    began = time.time()
    done = list(RayActors(actors=actors).map(texts, work=Timed(default_embeddings()), chunk=CHUNK))
    first: dict[int, float] = defaultdict(lambda: float("inf"))
    for process, started, _ in done:
        first[process] = min(first[process], started)
    all_there = max(first.values())
    counted = sum(started >= all_there for _, started, _ in done)
    seconds = max(ended for _, _, ended in done) - all_there
    return {"actors": len(first), "texts_a_second": counted / seconds, "start_s": all_there - began}


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=1500)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    texts = [each.text for each in long_passages(arguments.texts, words=60, seed=0)]
    runs = []
    for _ in range(arguments.runs):
        for actors in (1, 2):
            runs.append(run(texts, actors=actors))
            print(json.dumps(runs[-1]), flush=True)
    rates = {
        actors: statistics.median(one["texts_a_second"] for one in runs[place::2])
        for place, actors in enumerate((1, 2))
    }
    figures = {
        "texts": len(texts),
        "one": round(rates[1], 1),
        "two": round(rates[2], 1),
        "ratio": round(rates[2] / rates[1], 2),
        "start_s": round(statistics.median(one["start_s"] for one in runs), 1),
        "load": round(os.getloadavg()[0], 1),
        "processors": os.cpu_count(),
    }
    print(json.dumps(figures, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps({**figures, "runs": runs}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
