"""Statements of a whole archive, and which later one changes which earlier one.

    changes(seed=0, judge=StillJudge()) -> list[Change]

`changes/**/NAME.json` holds the statements of an archive, as [date, title, text] in the order of time, and every pair of which the
later one ends or restates the earlier one: [later, earlier, effect, from, whole], statements counted from 1. In the folder itself lie
the corpora of `benchmarks/notes/fit`, in `histories` those of `histories`, in `marked` those of `turns` and of `fields` but for every sixth
(`still_measure.py`), where what ends for a while is marked, too; those in `archives` are `later` and `held` of `benchmarks/notes`. `TrainedJudge` was
trained on the first alone, `StillJudge` on all but `still_questions.HELD`.

All other pairs leave the earlier one as it was, so that those that sound alike are the lessons in what ends nothing, most of all those
that a judge of before took for changes. Only what held last is marked as ended: of a price that rose twice, the second rise ends the
first one's. That it would have ended the price before, too, had that still held, is left out: it teaches neither.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Any

from dateline.facts.setting import settings
from dateline.protocols import EFFECTS, Effect, EffectJudge, Onset
from dateline.text.embeddings import embed
from dateline_bench.effects.pairs import Note, onset_of
from dateline_graphs.components import shared_embeddings

ARCHIVES = Path(__file__).parent / "changes"
MARKED, MISLED = ARCHIVES / "marked", Path(__file__).parent / "misled.json"
NEAREST, FURTHER = 12, 2
"""Of each statement, so many of the nearest earlier ones are candidates, and so many of the others."""
LEFT, HARD = 4, 3
"""Candidates a statement that it leaves as they were, and how many of them are those that a judge takes for changed most likely."""
TIMES = 2
"""How often a pair is asked whose later one changes the earlier."""


@dataclass(frozen=True)
class Change:
    """An earlier and a later note, and the effect of the later one."""

    old: Note
    new: Note
    effect: Effect
    onset: Onset = "then"


def changes(
    folder: Path = ARCHIVES,
    *,
    seed: int,
    judge: EffectJudge | None = None,
    further: bool = False,
    without: Sequence[str] = (),
    left: int = LEFT,
) -> list[Change]:
    """Changes of archives, and look-alikes: those that mislead `judge`, and others drawn with `seed`.

    Args:
        further: read the folders in `folder`, too.
        without: names of archives to leave out.
        left: pairs for each statement, of earlier ones that it leaves as they were.
    """
    rng = random.Random(seed)
    files = [file for file in sorted(folder.glob("**/*.json" if further else "*.json")) if file.stem not in without]
    return [change for file in files for change in _of_archive(json.loads(file.read_text("utf-8")), rng, judge, left)]


def misled(path: Path = MISLED, *, without: Sequence[str] = ()) -> list[Change]:
    """Pairs of marked archives that a judge wrongly took for ends (`misled.py`)."""
    written: dict[str, list[tuple[int, int]]] = json.loads(path.read_text("utf-8"))
    written = {name: pairs for name, pairs in written.items() if name not in without}
    notes = {name: notes_of(json.loads((MARKED / f"{name}.json").read_text("utf-8"))) for name in written}
    pairs = ((notes[name][earlier - 1], notes[name][later - 1]) for name in written for later, earlier in written[name])
    return [Change(old, new, "leaves") for old, new in pairs if old and new]


def left_near(archive: dict[str, list[list[Any]]], rng: random.Random) -> Iterator[tuple[int, list[int]]]:
    """Yield each dated statement with earlier ones that it leaves: the nearest, and some others."""
    told = [(later - 1, earlier - 1) for later, earlier, *_ in archive["changes"]]
    for later, near in _near(notes_of(archive), archive["statements"], rng):
        yield later, list(_left(later, near, told))


def _of_archive(
    archive: dict[str, list[list[Any]]], rng: random.Random, judge: EffectJudge | None, drawn: int
) -> Iterator[Change]:
    """Yield the changes of one archive, and look-alikes."""
    notes, left = notes_of(archive), dict(left_near(archive, rng))
    told = {(later - 1, earlier - 1): rest for later, earlier, *rest in archive["changes"]}
    misleading = _misleading(judge, [(notes[later], notes[place]) for later, near in left.items() for place in near])
    for later, near in left.items():
        near.sort(key=lambda place: -misleading.get((notes[later], notes[place]), 0.0))
        hard = min(HARD, drawn) if judge else 0
        for place in [*near[:hard], *rng.sample(near[hard:], min(drawn - hard, len(near[hard:])))]:
            yield Change(notes[place], notes[later], "leaves")
    for (later, earlier), (effect, day, whole) in told.items():
        new, old = notes[later], notes[earlier]
        # What ends in part is no lesson: the rest of the statement goes on to hold.
        if new and old and old.date < new.date and (effect == "restates" or whole):
            yield from TIMES * [Change(old, new, effect, onset_of(day and date.fromisoformat(day), note=new))]


def notes_of(archive: dict[str, list[list[Any]]]) -> list[Note | None]:
    """Return the statements, each with those before it in its document; none for one without a date."""
    notes: list[Note | None] = []
    for (day, title), said in groupby(archive["statements"], key=lambda one: one[:2]):
        texts = [text for *_, text in said]
        for text, where in zip(texts, settings(texts), strict=True):
            note = day and Note(date=date.fromisoformat(day), title=title, text=text, before=where.before)
            notes.append(note or None)
    return notes


def _near(
    notes: Sequence[Note | None], said: Sequence[Sequence[str]], rng: random.Random
) -> Iterator[tuple[int, list[int]]]:
    """Yield each dated statement with earlier ones: the nearest, and some others."""
    vectors = embed([text for *_, text in said], embeddings=shared_embeddings())
    for later, new in enumerate(notes):
        before = [place for place, old in enumerate(notes) if new and old and old.date < new.date]
        before.sort(key=lambda place: -float(vectors[later] @ vectors[place]))
        further = before[NEAREST:]
        yield later, [*before[:NEAREST], *rng.sample(further, min(FURTHER, len(further)))]


def _left(later: int, near: Sequence[int], told: Iterable[tuple[int, int]]) -> Iterator[int]:
    """Yield what a statement leaves as it was, unless something before it had changed or restated that."""
    settled = {earlier for before, earlier in told if before <= later}
    yield from (place for place in near if place not in settled)


def _misleading(judge: EffectJudge | None, pairs: Sequence[tuple[Note, Note]]) -> dict[tuple[Note, Note], float]:
    """How likely a judge takes each later note for one that ends or restates the earlier."""
    if judge is None:
        return {}
    leaves = judge.effects([(new.placed, old.placed) for new, old in pairs]).chances[:, EFFECTS.index("leaves")]
    return {pair: 1 - float(chance) for pair, chance in zip(pairs, leaves, strict=True)}


def titled(note: Note) -> str:
    """Put the title of a note's document in front."""
    return note.text if not note.title or note.text.startswith(note.title) else f"{note.title}: {note.text}"
