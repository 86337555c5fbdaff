"""Whether an earlier statement is still so, read in a later one: questions for yes or no.

examples(rng) -> Iterator[Example]

The pairs are those of `changes.py`: what ends an earlier statement says no, what restates it yes, and all else leaves it unsaid. Four corpora each of
`benchmarks/notes/later` and `held` are `HELD`: `still.py` measures by these, and no questions on them are asked.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator

from changes import ARCHIVES, Change, changes, titled
from timeqa import Example

from dateline.protocols import Effect, PlacedStatement
from dateline.reading.still import SAYS, asked_still

LEFT = 1.5
"""Pairs that leave the earlier statement as it was, for each that ends one."""


HELD = (
    "langschool",
    "mountainrailway",
    "printworks",
    "radiostation",
    "rowingclub",
    "satellite",
    "stables",
    "vetclinic",
)
"""Archives that are not trained on."""


def examples(*, rng: random.Random) -> Iterator[Example]:
    """Every change once, and pairs that change nothing, in random order."""
    found: dict[Effect, list[Change]] = defaultdict(list)
    for change in dict.fromkeys(changes(ARCHIVES / "histories", seed=rng.randrange(1 << 30), without=HELD)):
        found[change.effect].append(change)
    left = rng.sample(found["leaves"], min(len(found["leaves"]), int(LEFT * len(found["ends"]))))
    chosen = [*found["ends"], *found["restates"], *left]
    rng.shuffle(chosen)
    return map(_example, chosen)


def _example(change: Change) -> Example:
    said = SAYS[change.effect]
    old, new = (PlacedStatement(titled(note), note.date) for note in (change.old, change.new))
    question, piece = asked_still(old, later=new)
    return Example(
        question=question,
        evidence=(piece,),
        answers=(),
        gold=frozenset({0} if said != "unsaid" else ()),
        kind="still",
        verdict=said,
    )
