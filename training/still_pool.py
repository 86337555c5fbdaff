"""Pairs of statements of which nobody has said what the later one does to the earlier: what a teacher tells of (`told.py`).

    pairs() -> list[Unmarked]

Of every archive and corpus that is trained on, each statement with the nearest earlier ones, as a store would ask, and some others.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from asked_changes import Vectors, statements
from changes import ARCHIVES
from chronicles import CHRONICLES
from histories import FIELDS, HISTORIES
from still_questions import HELD

from dateline.text.embeddings import embed
from dateline_bench.effects.pairs import Note
from dateline_bench.notes.questions import NotesCorpus
from dateline_graphs.components import shared_embeddings

NEAREST, FURTHER = 6, 2
"""Of each statement, so many of the nearest earlier ones, and so many drawn from the others."""


@dataclass(frozen=True)
class Unmarked:
    """An earlier and a later note, without what stands before them: the teacher knew none of that."""

    old: Note
    new: Note


def pairs(*, seed: int = 0, without: Sequence[str] = ()) -> list[Unmarked]:
    """All pairs, those of the corpora called as in `without` left out."""
    rng = random.Random(seed)
    return list(dict.fromkeys(pair for notes, vectors in _collections(without) for pair in _near(notes, vectors, rng)))


def _collections(without: Sequence[str]) -> Iterator[tuple[Sequence[Note], Vectors]]:
    for file in sorted(ARCHIVES.glob("**/*.json")):
        if file.stem not in HELD:
            said = json.loads(file.read_text("utf-8"))["statements"]
            notes = [Note(date=date.fromisoformat(day), title=title, text=text) for day, title, text in said if day]
            yield notes, np.array(embed([note.text for note in notes], embeddings=shared_embeddings()))
    for parent in (FIELDS / "corpora", HISTORIES / "corpora", CHRONICLES):
        for folder in sorted(one for one in parent.iterdir() if one.is_dir() and one.name not in without):
            told = statements(NotesCorpus(folder))
            if told:
                notes = [one.note.model_copy(update={"before": ""}) for one in told]
                yield notes, np.array([one.vector for one in told])


def _near(notes: Sequence[Note], vectors: Vectors, rng: random.Random) -> Iterator[Unmarked]:
    days = np.array([note.date.toordinal() for note in notes])
    for later, note in enumerate(notes):
        before = np.flatnonzero(days < days[later])
        order = before[np.argsort(-(vectors[before] @ vectors[later]), kind="stable")]
        others = order[NEAREST:].tolist()
        for place in [*order[:NEAREST].tolist(), *rng.sample(others, min(FURTHER, len(others)))]:
            earlier = notes[place]
            yield Unmarked(Note(date=earlier.date, text=earlier.text), note)
