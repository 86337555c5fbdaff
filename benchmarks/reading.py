"""How long the local reader takes: to load, and for ten passages of about a hundred words.

    python benchmarks/reading.py [--count 100] [--json FILE]

Loading is measured in a fresh process each time, from the import of dateline to a reader that is ready.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from dateline.reading import ExtractiveReader, TrainedReader
from dateline.search import load_documents
from dateline.temporal.decomposition import decompose
from dateline_bench.rows import read

EXAMPLES = Path(__file__).parent.parent / "examples"
PASSAGES, WORDS = 10, 100
LOADS = 7

_LOAD = """
import time
started = time.perf_counter()
from dateline.reading import TrainedReader
imported = time.perf_counter()
TrainedReader()
print(imported - started, time.perf_counter() - imported)
"""


def passages() -> list[list[str]]:
    """The example notes strung together and cut to passages of a hundred words, ten at a time."""
    words = [word for document in load_documents(EXAMPLES / "corpus").documents for word in document.text.split()]
    cut = [" ".join(words[start : start + WORDS]) for start in range(0, len(words) - WORDS, WORDS)]
    return [cut[start : start + PASSAGES] for start in range(0, len(cut) - PASSAGES, PASSAGES)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    loads = [
        [
            float(part)
            for part in subprocess.run(
                [sys.executable, "-c", _LOAD], capture_output=True, text=True, check=True
            ).stdout.split()
        ]
        for _ in range(LOADS)
    ]
    from dateline.records import Evidence

    groups = [[Evidence.make(text, title="Notes") for text in group] for group in passages()]
    rows = list(read(EXAMPLES / "questions.jsonl"))
    questions = [
        decompose(row["question"], as_of=datetime.fromisoformat(row["as_of"]).replace(tzinfo=UTC)) for row in rows
    ]
    figures: dict[str, object] = {
        "import_s": round(statistics.median(load[0] for load in loads), 3),
        "load_s": round(statistics.median(load[1] for load in loads), 3),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
    }
    for name, reader in (("trained", TrainedReader()), ("rules", ExtractiveReader())):
        spent = []
        for number in range(options.count):
            started = time.perf_counter()
            reader.read(questions[number % len(questions)], evidence=groups[number % len(groups)])
            spent.append(1000 * (time.perf_counter() - started))
        figures[name] = {
            "median_ms": round(statistics.median(spent), 1),
            "p95_ms": round(statistics.quantiles(spent, n=20)[-1], 1),
        }
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
