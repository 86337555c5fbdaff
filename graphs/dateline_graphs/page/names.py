"""Names beside the heads of pins, where there is room."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dateline.limits import shortened

LETTER, HEIGHT, GAP = 7.5, 15.0, 15.0
"""Pixels: of a letter in a name with many wide ones, measured in bold DejaVu Sans, of a line, and from a head's middle to its name."""

_CLEARLY = 4.0
"""Pixels that another head is farther from a name than its own, at least."""

LONGEST = 34
"""Letters of a name; a longer one is cut."""


@dataclass(frozen=True)
class Head:
    """A pin's head and the name it should carry, in pixels.

    Attributes:
        radius: of the head.
        name: empty for a pin without one, which only takes room.
    """

    x: float
    y: float
    radius: float
    name: str = ""


@dataclass(frozen=True)
class Placed:
    """A name with its place beside the head."""

    name: str
    dx: float
    dy: float
    anchor: str


Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""


def name_pins(heads: Sequence[Head], *, width: float, taken: Sequence[Box] = ()) -> list[Placed | None]:
    """Place names right, left, below or above; none where nothing is free.

    A name that would stand nearer to another head than to its own would be taken for that one's.

    Args:
        taken: what else stands there.
    """
    taken = [*taken, *((h.x - h.radius, h.y - h.radius, h.x + h.radius, h.y + h.radius) for h in heads)]
    placed: list[Placed | None] = []
    for head in heads:
        found = next(
            (
                (one, box)
                for one, box in _places(head)
                if box[0] >= 0
                and box[2] <= width
                and not any(_meet(box, other) for other in taken)
                and all(other is head or _apart(box, other) > _apart(box, head) + _CLEARLY for other in heads)
            ),
            None,
        )
        if found is not None:
            taken.append(found[1])
        placed.append(None if found is None else found[0])
    return placed


def _apart(box: Box, head: Head) -> float:
    """Return the distance from a box to a head's middle."""
    return math.hypot(max(box[0] - head.x, 0, head.x - box[2]), max(box[1] - head.y, 0, head.y - box[3]))


def _places(head: Head) -> Iterator[tuple[Placed, Box]]:
    if not head.name:
        return
    name = shortened(head.name, limit=LONGEST)
    long = LETTER * len(name)
    for dy in (0.0, -HEIGHT, HEIGHT):
        top, bottom = head.y + dy - HEIGHT / 2, head.y + dy + HEIGHT / 2
        yield Placed(name, GAP, dy + 4, "start"), (head.x + GAP, top, head.x + GAP + long, bottom)
        yield Placed(name, -GAP, dy + 4, "end"), (head.x - GAP - long, top, head.x - GAP, bottom)


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
