"""Lessons in what ends: pairs of an earlier and a later note.

    lessons(seed=0) -> list[Lesson]

Pairs of whole archives (`changes.py`), pairs written for it (`effects.py`) and crossed (`crossed.py`), contrasts (`contrasts.py`), and
sentences that name a day to come (`onsets`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from changes import Change, changes, misled
from contrasts import contrasts
from crossed import crossed
from effects import NotePair, note_pairs
from still_questions import HELD

from dateline.facts.onset import onset_day
from dateline.protocols import AHEAD, Effect, Onset
from dateline.temporal.interval import Interval
from dateline_bench.benchmarks import onsets
from dateline_bench.effects.pairs import Note, onset_of

WRITTEN, DAYS_TO_COME, CONTRASTS, HEDGED, SAID_PLAINLY = 2, 5, 3_000, 500, 1_000
"""In each round, so many times what was written for it and the sentences of a day to come, which are short, and so many of the others."""
LAST_WRITTEN, LAST_TOLD, LAST_LEFT, LAST_MISLED, LAST_HEDGED, LAST_PLAIN = 2_000, 2_000, 3_500, 1_800, 200, 400
"""Lessons of a last round, chosen by hand for four minutes of it."""
LEFT = 2
"""Pairs of each statement of an archive with one that it leaves."""
HEDGES = ("may", "might", "could")
AUXILIARY = re.compile(r"\b(?:is|are|has|have|can)\b")
PLAINLY: Sequence[tuple[str, str, Effect]] = (
    (" no longer", "", "ends"),
    (" not", " any more", "ends"),
    (" still", "", "restates"),
    ("", " as before", "restates"),
)
"""What is said behind the verb and at the end, and what that does to the statement."""
FIRM = {"will": "", "is|are|has been": " be", "moves?": " move", "costs?": " cost"}
"""Words of what is told as fact, and what stands behind a hedge in their place."""
TO_COME, LAST_DAYS = Path(__file__).parent / "onsets", Path(__file__).parent / "last_days"
"""Sentences that name a day to come; of the second most name the last day on which something is so."""
HOLDS = ("same", "event")
"""Kinds of written pairs whose later note holds from its own day."""


@dataclass(frozen=True)
class Alone:
    """A note that names a day to come, and whether it holds from then on; nothing else is asked of it."""

    new: Note
    onset: Onset


@dataclass(frozen=True)
class Told:
    """A pair of which a teacher tells how likely each verdict is, in the order of VERDICTS."""

    old: Note
    new: Note
    chances: tuple[float, ...]


Lesson = Change | NotePair | Alone | Told


def lessons(*, seed: int, without: Sequence[str] = ()) -> list[Lesson]:
    """All that ends or restates, and what leaves, drawn with `seed`."""
    written = note_pairs()
    unheard = [*HELD, *without]
    marked = [*changes(seed=seed, further=True, without=unheard, left=LEFT), *WRITTEN * written]
    return [
        *marked,
        *misled(without=unheard),
        *crossed(written, seed=seed),
        *islice(_hedged(marked, random.Random(seed)), HEDGED),
        *islice(_said_plainly(marked, random.Random(seed)), SAID_PLAINLY),
        *ahead(marked),
        *(alone(told) for told in DAYS_TO_COME * [*onsets.load(TO_COME), *onsets.load(LAST_DAYS)]),
        *contrasts(CONTRASTS, seed=seed),
    ]


def last_lessons(*, seed: int, without: Sequence[str] = ()) -> list[Lesson]:
    """A short last round: plain pairs once more, beside a sample of the archives'."""
    rng, unheard, written = random.Random(seed), [*HELD, *without], note_pairs()
    marked = changes(seed=seed, further=True, without=unheard, left=LEFT)
    told = [pair for pair in marked if pair.effect != "leaves"]
    left = [pair for pair in marked if pair.effect == "leaves"]
    return [
        *rng.sample(written, LAST_WRITTEN),
        *rng.sample(misled(without=unheard), LAST_MISLED),
        *contrasts(CONTRASTS, seed=seed),
        *rng.sample(told, LAST_TOLD),
        *rng.sample(left, LAST_LEFT),
        *islice(_hedged(written, rng), LAST_HEDGED),
        *islice(_said_plainly(written, rng), LAST_PLAIN),
        *(alone(told) for told in [*onsets.load(TO_COME), *onsets.load(LAST_DAYS)]),
    ]


def alone(told: onsets.ToldAhead) -> Alone:
    """A sentence as a lesson."""
    note = Note(date=told.said, text=told.text)
    return Alone(note, onset_of(told.starts, note=note))


def _hedged(pairs: Sequence[Change | NotePair], rng: random.Random) -> Iterator[Change]:
    """What ends a statement at once, told as what may be: it leaves it.

    Not what is announced: "may not be walked from 1 July" forbids.
    """
    for pair in rng.sample(list(pairs), len(pairs)):
        if pair.effect != "ends" or pair.onset in AHEAD:
            continue
        for firm, loose in FIRM.items():
            text, found = re.subn(rf"\b(?:{firm})\b", rng.choice(HEDGES) + loose, pair.new.text, count=1)
            if found:
                yield Change(pair.old, pair.new.model_copy(update={"text": text}), "leaves")
                break


def _said_plainly(pairs: Sequence[Change | NotePair], rng: random.Random) -> Iterator[Change]:
    """Statements that are denied or said again in their own words."""
    for pair in rng.sample(list(pairs), len(pairs)):
        behind, last, effect = rng.choice(PLAINLY)
        told, found = AUXILIARY.subn(rf"\g<0>{behind}", pair.old.text.rstrip(" ."), count=1)
        if found:
            yield Change(pair.old, pair.new.model_copy(update={"text": f"{told}{last}."}), effect)


def ahead(pairs: Sequence[Change | NotePair]) -> Iterator[Alone]:
    """Each note that names a day to come, by itself: is it so only from then on?

    Known of what ends an earlier note; of the others, of those written for what is repeated, or merely happens.
    """
    known = {pair.new: pair for pair in pairs if getattr(pair, "kind", "") in HOLDS}
    known |= {pair.new: pair for pair in pairs if pair.effect == "ends"}
    for note, pair in known.items():
        if onset_day(note.text, anchor=Interval.of_moment(note.date), onset="later"):
            yield Alone(note, pair.onset)
