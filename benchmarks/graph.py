"""The answer graph's own overhead: seconds a question with an instant search and an instant reader.

    python benchmarks/graph.py [--json FILE] [--n 200]

Everything but the search engine and the model is real: decomposition, evidence, ranking, gate, report.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from dateline import Candidate, Evidence, Interval, Reading
from dateline.testing import FixedSearch, ScriptedReader
from dateline_graphs import AnswerOptions, answer_graph
from dateline_graphs.components import default_components


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--n", type=int, default=200)
    given = arguments.parse_args()

    pieces = [
        Evidence.make(
            f"Person {year} became director of the observatory in {year}. The observatory stands on a hill.",
            title=f"Director {year}",
            published=Interval.of_year(year),
        )
        for year in range(1995, 2020)
    ]
    answer = Candidate(answer="Person 2010", probability=0.9, evidence_ids=(pieces[15].id,))
    reading = Reading(answer="Person 2010", probability=0.9, evidence_ids=(pieces[15].id,), candidates=(answer,))
    now = datetime(2024, 6, 1, tzinfo=UTC)
    parts = replace(
        default_components(search=FixedSearch(pieces), options=AnswerOptions()),
        reader=ScriptedReader([reading]),
        clock=lambda: now,
    )
    graph = answer_graph(parts).compile()
    times = []
    for number in range(given.n + 20):
        started = time.perf_counter()
        graph.invoke({"question": f"Who was the director of the observatory in {1995 + number % 25}?"})
        times.append((time.perf_counter() - started) * 1000)
    counted = sorted(times[20:])
    figures = {
        "n": len(counted),
        "evidence": len(pieces),
        "median_ms": round(statistics.median(counted), 2),
        "p95_ms": round(counted[int(len(counted) * 0.95)], 2),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }
    print(json.dumps(figures, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
