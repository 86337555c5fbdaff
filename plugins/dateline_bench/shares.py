"""Shares in percent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import mean


def share(part: int, whole: int) -> float:
    """Return a part in percent; of nothing, 0."""
    return 100 * part / whole if whole else 0.0


def share_right(right: Sequence[bool]) -> float:
    """Return how many in a hundred are right, to two digits."""
    return round(share(sum(right), len(right)), 2)


def shares(counted: Mapping[str, Iterable[bool]]) -> dict[str, float]:
    """Return the share of each name that has anything to count."""
    lists = {name: list(values) for name, values in counted.items()}
    return {name: 100 * mean(values) for name, values in lists.items() if values}
