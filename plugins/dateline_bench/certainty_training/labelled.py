"""Labelled rows of JSON lines for training and calibrating estimators.

    {"question": "Who chairs Borth Council?", "document": "Bo Lind chairs it.", "label": "reliable"}

Instead of `document`, `documents` is a list; a document is a text or an object with `text`, and with `title` and
`published` (YYYY, YYYY-MM or YYYY-MM-DD) where known. `as_of` is the day of the question.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from dateline.certainty.hidden_states import LABELS
from dateline.errors import BadInput
from dateline.records import CertaintyLabel, Evidence
from dateline.temporal.as_of import read_moment
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval
from dateline.text.words import words

FIELDS = frozenset({"question", "document", "documents", "label", "as_of"})
MAX_ROWS = 1_000_000


@dataclass(frozen=True, slots=True)
class LabelledReading:
    """A question, the documents of its prompt, and its true label."""

    question: Question
    documents: tuple[Evidence, ...]
    label: CertaintyLabel


def read_labelled(path: str | Path, *, now: datetime) -> list[LabelledReading]:
    """Every row of a file; questions without `as_of` are asked at `now`.

    Raises:
        BadInput: naming the first line that is not such a row, or when there is none.
    """
    try:
        with Path(path).open(encoding="utf-8") as lines:
            rows = list(_rows(lines, path=path, now=now))
    except (OSError, UnicodeDecodeError) as cause:
        raise BadInput(f"{path} cannot be read as text; give a file of JSON lines.") from cause
    if not rows:
        raise BadInput(f"{path} holds no rows; each line is an object with question, document and label.")
    return rows


def held_out(
    rows: Sequence[LabelledReading], *, share: float, seed: int
) -> tuple[list[LabelledReading], list[LabelledReading]]:
    """Split rows into those to train on and those held out.

    The rows of one question stay together: a classifier that has seen a question under another label knows it again.
    Questions are drawn with `seed` until each label has about `share` of its rows held out; of a label with several
    questions at least one is.
    """
    if not 0 < share < 1:
        raise BadInput(f"The held-out share must lie between 0 and 1, not {share}.")
    groups: dict[tuple[str, ...], list[LabelledReading]] = {}
    for row in rows:
        groups.setdefault(tuple(words(row.question.text)), []).append(row)
    drawn = list(groups.values())
    random.Random(seed).shuffle(drawn)
    labels = Counter(row.label for row in rows)
    asked = Counter(label for group in drawn for label in {row.label for row in group})
    wanted = {label: max(1, round(share * count)) if asked[label] > 1 else 0 for label, count in labels.items()}
    kept: list[LabelledReading] = []
    out: list[LabelledReading] = []
    held, left = Counter[str](), asked.copy()
    for group in drawn:
        has = Counter(row.label for row in group)
        spared = all(left[label] > 1 for label in has)
        fits = spared and (
            any(not held[label] for label in has)
            or all(held[label] + count / 2 <= wanted[label] for label, count in has.items())
        )
        (out if fits else kept).extend(group)
        held += has if fits else Counter()
        left -= Counter(has.keys()) if fits else Counter()
    return kept, out


def _rows(lines: Iterator[str] | Any, *, path: str | Path, now: datetime) -> Iterator[LabelledReading]:
    for number, line in enumerate(lines, start=1):
        if number > MAX_ROWS:
            raise BadInput(f"{path} holds more than {MAX_ROWS} lines; give a sample of it.")
        if not line.strip():
            continue
        try:
            yield _row(json.loads(line), now=now)
        except (ValueError, RecursionError) as cause:
            told = str(cause) if isinstance(cause, BadInput) else "it is not JSON"
            raise BadInput(f"Line {number} of {path}: {told.rstrip('.')}.") from cause


def _row(row: Any, *, now: datetime) -> LabelledReading:
    if not isinstance(row, Mapping):
        raise BadInput("it is not a JSON object")
    if unknown := sorted(set(row) - FIELDS):
        raise BadInput(f"the field {unknown[0]!r} is none of {', '.join(sorted(FIELDS))}")
    question, label = row.get("question"), row.get("label")
    if not isinstance(question, str) or not question.strip():
        raise BadInput("question must be a text that is not empty")
    if label not in LABELS:
        raise BadInput(f"label must be one of {', '.join(LABELS)}, not {label!r}")
    as_of = read_moment(row.get("as_of"), clock=lambda: now)
    return LabelledReading(Question(question, question, None, as_of), tuple(_documents(row)), label)


def _documents(row: Mapping[str, Any]) -> Iterator[Evidence]:
    if "document" in row and "documents" in row:
        raise BadInput("it has both document and documents; give one of them")
    given = row["documents"] if "documents" in row else [row["document"]] if "document" in row else None
    if not isinstance(given, list):
        raise BadInput("document must be a text or an object, or documents a list of them")
    for one in given:
        fields = {"text": one} if isinstance(one, str) else one
        if not isinstance(fields, Mapping) or not isinstance(fields.get("text"), str):
            raise BadInput("a document must be a text, or an object with text")
        published = Interval.parse(str(fields["published"])) if fields.get("published") else None
        yield Evidence.make(fields["text"], title=str(fields.get("title") or ""), published=published)
