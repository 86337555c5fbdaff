"""How fast the fact store reads and writes, embeddings given.

    python benchmarks/facts.py [--facts 100000] [--index file|chroma] [--queries 200] [--per-document 10] [--json FILE]

Unit vectors are random, so the figures hold for ledger, fold and index alone. A fifth of the facts is
denied later, so that half of the points of time asked about see a fifth fewer.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np

from asof.facts import AddFact, Fact, FactStore, MakeFalse, Operation, open_store
from asof.temporal.interval import Interval

DIMENSIONS = 384
START = datetime(2025, 1, 1, tzinfo=UTC)


class RandomVectors:
    """Embeddings that cost nothing: the seed is the text."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        seed = np.frombuffer(text.encode()[-8:].rjust(8), dtype=np.uint64)
        vector: list[float] = np.random.default_rng(seed).standard_normal(DIMENSIONS).tolist()
        return vector


def fill(store: FactStore, facts: int, *, per_document: int = 10, seed: int = 0) -> float:
    """Write `facts` facts, a fifth of them denied later; operations a second."""
    random = np.random.default_rng(seed)
    written = 0
    seconds = 0.0
    for number in range(facts // per_document):
        document = f"document {number}"
        when = Interval.of_year(1990 + number % 35)
        known = START + timedelta(seconds=number)
        some = [Fact.make(f"Fact {number * per_document + row} is stated.") for row in range(per_document)]
        vectors = random.standard_normal((per_document, DIMENSIONS), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        operations: list[Operation] = [AddFact(document=document, when=when, known_at=known, fact=f) for f in some]
        operations += [
            MakeFalse(document=document, when=Interval.of_year(2026), known_at=known, fact_id=f.id)
            for f in some[: per_document // 5]
        ]
        started = time.perf_counter()
        store.apply(document, operations, vectors=dict(zip([f.id for f in some], vectors, strict=True)))
        seconds += time.perf_counter() - started
        written += len(operations)
    return written / seconds


def timed(action: Callable[[int], object], *, times: int) -> dict[str, float]:
    """Median and 95th percentile in milliseconds."""
    action(0)
    taken: list[float] = []
    for number in range(times):
        started = time.perf_counter()
        action(number)
        taken.append(1000 * (time.perf_counter() - started))
    return {"p50_ms": statistics.median(taken), "p95_ms": float(np.percentile(taken, 95))}


def measure(facts: int, *, index: str, queries: int, per_document: int) -> dict[str, object]:
    """All figures for one size."""
    random = np.random.default_rng(1)
    asked = random.standard_normal((queries, DIMENSIONS)).astype(np.float32)
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    days = [date(1990 + int(year), 6, 1) for year in random.integers(0, 37, queries)]
    known = [START + timedelta(seconds=float(part) * facts / per_document) for part in random.random(queries)]
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(folder, embeddings=RandomVectors(), index=index)
        result: dict[str, object] = {
            "facts": facts,
            "index": index,
            "writes_per_s": round(fill(store, facts, per_document=per_document)),
        }
        store.close()
        started = time.perf_counter()
        store = open_store(folder, embeddings=RandomVectors(), index=index)
        store.search("anything", k=1)
        result["open_s"] = round(time.perf_counter() - started, 2)
        searches: dict[str, Callable[[int], object]] = {
            "search_now": lambda n: store.search_vectors(asked[n : n + 1], k=10),
            "search_as_of": lambda n: store.search_vectors(asked[n : n + 1], k=10, as_of=days[n]),
            "search_both_clocks": lambda n: store.search_vectors(
                asked[n : n + 1], k=10, as_of=days[n], known_at=known[n]
            ),
        }
        for name, search in searches.items():
            result[name] = {key: round(value, 2) for key, value in timed(search, times=queries).items()}
        result["disk_mb"] = round(sum(f.stat().st_size for f in Path(folder).rglob("*") if f.is_file()) / 1e6)
        store.close()
    result["peak_memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return result


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--index", choices=["file", "chroma"], default="file")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--per-document", type=int, default=10, help="facts a document states")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    result = measure(options.facts, index=options.index, queries=options.queries, per_document=options.per_document) | {
        "cores": os.cpu_count()
    }
    print(json.dumps(result, indent=2))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
