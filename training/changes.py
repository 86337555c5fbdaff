"""Statements of a whole archive, and which later one changes which earlier one.

    changes(seed=0) -> list[Change]

`changes/NAME.json` holds the statements of the corpus NAME of `benchmarks/notes/fit`, as [date, title, text] in the order of time,
and every pair of which the later one ends or restates the earlier one: [later, earlier, effect, from, whole], statements counted from 1.
All other pairs leave the earlier one as it was, so that those that sound alike are the lessons in what ends nothing.

`changes/histories/` holds the same of the archives of `histories`. No weights that ship were trained on them: how well a judge knows changes
in archives that it never saw shows there.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dateline.protocols import Effect, Onset
from dateline.text.embeddings import embed
from dateline_bench.effects.pairs import Note
from dateline_graphs.components import shared_embeddings

ARCHIVES = Path(__file__).parent / "changes"
NEAREST, FURTHER = 12, 2
"""Of each statement, so many of the nearest earlier ones are candidates, and so many of the others."""
LEFT = 5
"""Candidates a statement that it leaves as they were."""
TIMES = 2
"""How often a pair is asked whose later one changes the earlier."""


@dataclass(frozen=True)
class Change:
    """An earlier and a later note, and the effect of the later one."""

    old: Note
    new: Note
    effect: Effect
    onset: Onset = "then"


def changes(folder: Path = ARCHIVES, *, seed: int, without: Sequence[str] = ()) -> list[Change]:
    """Changes of all archives but some, and look-alikes drawn with `seed`."""
    rng = random.Random(seed)
    files = [file for file in sorted(folder.glob("*.json")) if file.stem not in without]
    return [change for file in files for change in _of_archive(json.loads(file.read_text("utf-8")), rng)]


def _of_archive(archive: dict[str, list[list[object]]], rng: random.Random) -> Iterator[Change]:
    said = [(day and date.fromisoformat(str(day)), str(title), str(text)) for day, title, text in archive["statements"]]
    notes = [day and Note(date=day, title=title, text=text) for day, title, text in said]
    told = {(row[0] - 1, row[1] - 1): row[2:] for row in archive["changes"]}  # type: ignore[operator]
    vectors = embed([text for *_, text in said], embeddings=shared_embeddings())
    for later, new in enumerate(notes):
        if not new:
            continue
        before = [place for place, old in enumerate(notes) if old and old.date < new.date]
        before.sort(key=lambda place: -float(vectors[later] @ vectors[place]))
        further = before[NEAREST:]
        near = [*before[:NEAREST], *rng.sample(further, min(FURTHER, len(further)))]
        left = [place for place in near if (later, place) not in told]
        for place in rng.sample(left, min(LEFT, len(left))):
            yield Change(notes[place], new, "leaves")  # type: ignore[arg-type]
        for place in before:
            effect, day, whole = told.get((later, place), (None, None, False))
            # What ends in part is no lesson: the rest of the statement goes on to hold.
            if effect == "restates" or (effect == "ends" and whole):
                yield from TIMES * [Change(notes[place], new, effect, _onset(day, new.date))]  # type: ignore[list-item, arg-type]


def _onset(day: str | None, told: date) -> Onset:
    if day is None or date.fromisoformat(day) == told:
        return "then"
    return "later" if date.fromisoformat(day) > told else "earlier"
