"""The questions of FreshQA and their published files (FreshLLMs, section 2.1)."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, cast, get_args

from dateline.errors import BadInput
from dateline.temporal.as_of import read_moment

FactType = Literal["fast-changing", "slow-changing", "never-changing"]
Hops = Literal["one-hop", "multi-hop"]

ANSWERS = 10
"""Columns of accepted answers, answer_0 to answer_9."""

_HEADER_WITHIN = 10
"""Lines of a file within which its header stands; the published ones put a warning before it."""

_NAME_DAY = re.compile(r"(?<!\d)(\d{2})(\d{2})(20\d{2})(?!\d)")


@dataclass(frozen=True, slots=True)
class FreshQuestion:
    """One question of FreshQA.

    Attributes:
        since_2022: whether its answer last changed in 2022 or later; None: not said.
    """

    text: str
    golds: tuple[str, ...]
    as_of: datetime
    false_premise: bool
    fact_type: FactType
    hops: Hops
    since_2022: bool | None = None


def load_questions(
    folder: Path, *, file: str = "", split: str = "all", as_of: datetime | None = None
) -> list[FreshQuestion]:
    """Load questions from a folder's CSV files, or one file.

    Raises:
        BadInput: for a missing or malformed file, or one with no day in its name where `as_of` gives none.
    """
    paths = [folder / file] if file else sorted(folder.glob("*.csv"))
    missing = [path.name for path in paths if not path.is_file()]
    if not paths or missing:
        raise BadInput(
            f"{folder} holds no {missing[0] if missing else 'CSV file'}; see docs/fresheval.md for its format."
        )
    questions = [
        each for path in paths for part, each in _read(path, _day_of(path, as_of)) if split in ("all", part) or not part
    ]
    if not questions:
        raise BadInput(f"{folder} holds no questions{'' if split == 'all' else f' of the split {split}'}.")
    return questions


def _day_of(path: Path, as_of: datetime | None) -> datetime:
    if as_of is not None:
        return as_of
    match = _NAME_DAY.search(path.stem)
    try:
        month, day, year = (int(part) for part in match.groups()) if match else (0, 0, 0)
        return read_moment(f"{year:04}-{month:02}-{day:02}", future_ok=True)
    except ValueError:
        raise BadInput(
            f"The name {path.name!r} holds no day such as 04072025 (month, day, year); give one with as_of=YYYY-MM-DD."
        ) from None


def _read(path: Path, as_of: datetime) -> list[tuple[str, FreshQuestion]]:
    """(split, question) for each row."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            table = list(csv.reader(lines))
    except (UnicodeDecodeError, csv.Error) as cause:
        raise BadInput(f"{path} cannot be read as CSV: {cause}.") from cause
    place = next((n for n, row in enumerate(table[:_HEADER_WITHIN]) if {"question", "answer_0"} <= set(row)), None)
    if place is None:
        raise BadInput(f"{path} has no header with the columns question and answer_0; see docs/fresheval.md.")
    header = table[place]
    found = []
    for number, row in enumerate(table[place + 1 :], start=place + 2):
        cells = {name: cell.strip() for name, cell in zip(header, row, strict=False)}
        if cells.get("question"):
            try:
                found.append((cells.get("split", ""), _question(cells, as_of)))
            except (KeyError, ValueError) as cause:
                raise BadInput(f"Row {number} of {path} is not a FreshQA question: {cause!r}.") from cause
    return found


def _question(cells: Mapping[str, str], as_of: datetime) -> FreshQuestion:
    golds = tuple(cell for n in range(ANSWERS) if (cell := cells.get(f"answer_{n}", "")))
    if not golds:
        raise ValueError("no answer")
    year = re.search(r"(before\s+)?(\d{4})", cells["effective_year"])
    fact_type, hops = cells["fact_type"], cells["num_hops"]
    if fact_type not in get_args(FactType) or hops not in get_args(Hops):
        raise ValueError(f"fact_type {fact_type!r}, num_hops {hops!r}")
    return FreshQuestion(
        text=cells["question"],
        golds=golds,
        as_of=as_of,
        false_premise={"TRUE": True, "FALSE": False}[cells["false_premise"].upper()],
        fact_type=cast(FactType, fact_type),
        hops=cast(Hops, hops),
        since_2022=None if year is None else not year[1] and int(year[2]) >= 2022,
    )
