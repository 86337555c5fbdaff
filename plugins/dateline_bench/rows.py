"""Rows of JSON lines, plain or gzipped."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from dateline.errors import BadInput


def find(folder: Path, stem: str) -> Path:
    """`stem.jsonl` or `stem.jsonl.gz` in `folder`. Raises `BadInput` naming what is missing."""
    for suffix in (".jsonl", ".jsonl.gz"):
        path = folder / f"{stem}{suffix}"
        if path.is_file():
            return path
    raise BadInput(f"{folder} holds no {stem}.jsonl or {stem}.jsonl.gz; see docs/benchmarks.md for its format.")


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Read the rows of one file of JSON lines.

    Raises `BadInput` with the number of the first line that is not a JSON object in UTF-8.
    """
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _row(line, place=f"Line {number} of {path}")
    except UnicodeDecodeError as cause:
        raise BadInput(f"Line {number + 1} of {path} or one soon behind it is not text in UTF-8.") from cause
    except (OSError, EOFError) as cause:
        raise BadInput(f"Cannot read {path}: {getattr(cause, 'strerror', None) or cause}.") from cause


def _row(line: str, *, place: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as cause:
        raise BadInput(f"{place} is not JSON: {cause.msg}.") from cause
    if not isinstance(row, dict):
        raise BadInput(f"{place} is not a JSON object.")
    return row


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write rows, gzipped when the name ends in .gz; returns how many."""
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") if path.suffix == ".gz" else path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count
