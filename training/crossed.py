"""Notes of one field that were not written for each other: the later one leaves the earlier.

    crossed(pairs, seed=0) -> list[Change]

In a pair written for it, what is announced ends the earlier note nearly always, and one learns to take every announcement for an end. In
notes it meets a dozen statements beside the one that it ends, on other things and people of the same house.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence

from changes import Change

from dateline.text.embeddings import embed
from dateline_bench.effects.pairs import NotePair
from dateline_graphs.components import shared_embeddings

NEAREST = 8
"""Of the nearest earlier notes, so many are candidates."""
ALIKE = 0.6
"""Earlier notes with at least this cosine may tell the same, so that one's end is the other's. Chosen by reading those above it."""
TIMES = 1
"""How many of them a later note leaves."""
ANNOUNCED = 4
"""The same of what is announced: of such pairs a judge trained without them took 16 in 100 for ends, of the others 5."""


def crossed(pairs: Sequence[NotePair], *, seed: int) -> list[Change]:
    """Each later note beside earlier ones of its field, drawn with `seed`."""
    rng, fields = random.Random(seed), defaultdict(list)
    for pair in {(pair.field, pair.old.text): pair for pair in pairs}.values():
        fields[pair.field].append(pair)
    return [change for field in fields.values() for change in _of_field(field, rng)]


def _of_field(pairs: Sequence[NotePair], rng: random.Random) -> Iterator[Change]:
    news, olds = (
        embed(texts, embeddings=shared_embeddings())
        for texts in ([pair.new.text for pair in pairs], [pair.old.text for pair in pairs])
    )
    for place, pair in enumerate(pairs):
        if pair.kind == "stopped":
            continue  # what is closed or dead ends more than one note
        beside = [
            other.old
            for near in sorted(range(len(pairs)), key=lambda one: -float(news[place] @ olds[one]))
            if (other := pairs[near]).old.date < pair.new.date and float(olds[near] @ olds[place]) < ALIKE
        ][:NEAREST]
        times = ANNOUNCED if pair.kind == "announced" else TIMES
        yield from (Change(old, pair.new, "leaves") for old in rng.sample(beside, min(times, len(beside))))
