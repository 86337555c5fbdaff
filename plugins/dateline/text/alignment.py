"""One-pass alignment of the sentences of two versions."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Hashable, Sequence
from typing import NamedTuple


class Pair(NamedTuple):
    """An old sentence and a new one that say the same."""

    old: int
    new: int


class Group(NamedTuple):
    """Unpaired sentences between two neighbouring pairs, in order (GrowOVER, section 3.2)."""

    old: tuple[int, ...]
    new: tuple[int, ...]


def equal_pairs(old: Sequence[Hashable], *, new: Sequence[Hashable]) -> list[Pair]:
    """Return the pairs of equal keys, in the order of `new`.

    The first of several equal old sentences goes to the first equal new one, and so on; a new one that is left over is
    paired with the last, since what it says was said before. Linear in the number of sentences.
    """
    waiting: dict[Hashable, deque[int]] = defaultdict(deque)
    for place, key in enumerate(old):
        waiting[key].append(place)
    pairs = []
    for place, key in enumerate(new):
        if found := waiting.get(key):
            pairs.append(Pair(found.popleft() if len(found) > 1 else found[0], place))
    return pairs


def groups_between(pairs: Sequence[Pair], *, old: Sequence[int], new: Sequence[int]) -> list[Group]:
    """Group the unpaired sentences by the gap they stand in.

    `old` and `new` are ascending. Only pairs that keep their order bound a group: a sentence that was moved tells
    nothing of its neighbours. A group may be empty on one side, never on both.
    """
    anchors = _in_order(pairs)
    gaps: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for place in old:
        gaps[bisect_left(anchors, place, key=lambda pair: pair.old)][0].append(place)
    for place in new:
        gaps[bisect_left(anchors, place, key=lambda pair: pair.new)][1].append(place)
    return [Group(tuple(gaps[gap][0]), tuple(gaps[gap][1])) for gap in sorted(gaps)]


def _in_order(pairs: Sequence[Pair]) -> list[Pair]:
    """Return a longest ascending run of pairs (patience sorting)."""
    ends: list[int] = []
    places: list[int] = []
    before: list[int] = []
    ordered = sorted(pairs, key=lambda pair: (pair.new, -pair.old))
    for number, pair in enumerate(ordered):
        at = bisect_left(ends, pair.old)
        before.append(places[at - 1] if at else -1)
        ends[at : at + 1], places[at : at + 1] = [pair.old], [number]
    kept = []
    number = places[-1] if places else -1
    while number >= 0:
        kept.append(ordered[number])
        number = before[number]
    return kept[::-1]
