"""Pins moved aside so that they do not cover each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Spot:
    """The head of a pin, in pixels.

    Attributes:
        x: where its foot stands.
        y: its height.
        first: it is placed before the others.
        dx: how far the head is moved aside.
        upto: it is not moved to the right beyond this.
    """

    x: float
    y: float
    first: bool = False
    dx: float = 0.0
    upto: float = math.inf


def spread(spots: Sequence[Spot], *, radius: float, width: float, farthest: int = 16) -> list[Spot]:
    """Move pins aside as little as needed, within the width.

    A pin that would have to be moved by more than `farthest` diameters stays where it is, and covers another.
    """
    apart = 2 * radius + 2
    taken: dict[tuple[int, int], list[tuple[float, float]]] = {}
    placed: dict[int, Spot] = {}
    for index in sorted(range(len(spots)), key=lambda i: (not spots[i].first, spots[i].x, -spots[i].y)):
        spot = spots[index]
        ways = (dx for dx in _aside(apart, farthest) if dx <= 0 or spot.x + dx <= spot.upto)
        dx = next((dx for dx in ways if _free(spot.x + dx, spot.y, taken, apart=apart, width=width)), 0.0)
        placed[index] = replace(spot, dx=dx)
        taken.setdefault(_cell(spot.x + dx, spot.y, apart), []).append((spot.x + dx, spot.y))
    return [placed[index] for index in range(len(spots))]


def _aside(apart: float, farthest: int) -> Iterator[float]:
    yield 0.0
    for step in range(1, 2 * farthest + 1):
        yield step * apart / 2
        yield -step * apart / 2


def _free(
    x: float, y: float, taken: dict[tuple[int, int], list[tuple[float, float]]], *, apart: float, width: float
) -> bool:
    if not apart / 2 <= x <= width - apart / 2:
        return False
    column, row = _cell(x, y, apart)
    near = (
        place
        for c in (column - 1, column, column + 1)
        for r in (row - 1, row, row + 1)
        for place in taken.get((c, r), ())
    )
    return all((x - other_x) ** 2 + (y - other_y) ** 2 >= apart**2 for other_x, other_y in near)


def _cell(x: float, y: float, apart: float) -> tuple[int, int]:
    return int(x // apart), int(y // apart)
