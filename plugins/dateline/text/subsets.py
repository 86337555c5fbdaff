"""Bounded search for split or merged sentences (GrowOVER, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

ALL_SUBSETS = 4
"""Groups of up to so many sentences a side are searched as published, all subsets of them; larger ones by runs."""

LONGEST_RUN = 3
"""Neighbouring sentences that are joined in larger groups."""

LARGEST_GROUP = 64
"""Sentences a side of a group above which nothing is searched: that part was written anew."""


def subsets(places: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the candidate subsets, single sentences first.

    At most three for each sentence of a large group.
    """
    if len(places) > LARGEST_GROUP:
        return []
    if len(places) <= ALL_SUBSETS:
        return [subset for size in range(1, len(places) + 1) for subset in combinations(places, size)]
    return runs(places, longest=LONGEST_RUN)


def runs(places: Sequence[int], *, longest: int) -> list[tuple[int, ...]]:
    """Return all runs of up to `longest` neighbours, the short ones first."""
    sizes = range(1, min(longest, len(places)) + 1)
    return [tuple(places[start : start + size]) for size in sizes for start in range(len(places) - size + 1)]
