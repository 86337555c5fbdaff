"""The time line's scale: positions of moments, and its ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dateline.language.calendar import MONTH_NAMES
from dateline.temporal.interval import DAY, civil_from_days, month_start
from dateline_graphs.page.dates import say_year

YEAR = 365.25 * DAY
_SQUEEZED = 12.0
"""The time line is compressed where all its moments span this many times the middle half of them."""

_LONG = 30 * YEAR
"""Shorter time lines are never compressed."""

_STEPS = (1, 2, 5)


@dataclass(frozen=True)
class Scale:
    """From calendar seconds to a place between 0 and 1.

    Attributes:
        first, last: the moments at the two ends.
        around: where set, distances from this moment are compressed by their logarithm: a piece from antiquity must
            not push the last ten years into one point.
    """

    first: int
    last: int
    around: int | None = None

    def place(self, moment: int) -> float:
        """Return a moment's position, 0 left to 1 right, clamped."""
        low, high, here = self._bend(self.first), self._bend(self.last), self._bend(moment)
        return min(1.0, max(0.0, (here - low) / (high - low)))

    def _bend(self, moment: int) -> float:
        if self.around is None:
            return float(moment)
        distance = moment - self.around
        return math.copysign(math.log1p(abs(distance) / YEAR), distance)

    def ticks(self, most: int) -> list[tuple[int, str]]:
        """Return at most `most` named moments, from left to right."""
        found = self._bent_ticks() if self.around is not None else self._even_ticks(most)
        apart = 0.9 / most
        kept: list[tuple[int, str]] = []
        for moment, name in found:
            if self.first <= moment <= self.last and (
                not kept or self.place(moment) - self.place(kept[-1][0]) >= apart
            ):
                kept.append((moment, name))
        return kept[:most]

    def _bent_ticks(self) -> Iterable[tuple[int, str]]:
        assert self.around is not None
        year = civil_from_days(self.around // DAY)[0]
        distances = [step * 10**power for power in range(6) for step in _STEPS]
        years = sorted(
            {year, *(year - distance for distance in distances), *(year + distance for distance in distances)}
        )
        return [(month_start(one, 1), say_year(one)) for one in years]

    def _even_ticks(self, most: int) -> Iterable[tuple[int, str]]:
        span = self.last - self.first
        (low, low_month, _), (high, _, _) = (civil_from_days(end // DAY) for end in (self.first, self.last))
        if span > most / 2 * YEAR:
            step = next(s * 10**p for p in range(7) for s in _STEPS if span / YEAR / (s * 10**p) <= most)
            years = range(low // step * step, high + step, step)
            return [(month_start(year, 1), say_year(year)) for year in years]
        if span >= YEAR / 8:
            step = next((step for step in (1, 2, 3, 6) if span / (step * YEAR / 12) <= most), 12)
            begin = low * 12 + (low_month - 1) // step * step
            months = range(begin, begin + int(span / (28 * DAY)) + 2 * step, step)
            return [
                (
                    month_start(month // 12, month % 12 + 1),
                    f"{MONTH_NAMES[month % 12][:3]}\u00a0{say_year(month // 12)}",
                )
                for month in months
            ]
        days = max(1, math.ceil(span / DAY / most))
        return [(moment, _day(moment)) for moment in range(self.first // DAY * DAY, self.last + DAY, days * DAY)]


def scale_of(moments: Sequence[int], *, around: int | None) -> Scale:
    """Make a scale for all moments, with room at both ends."""
    ordered = sorted(moments) or [0 if around is None else around]
    first, last = ordered[0], ordered[-1]
    span = last - first
    middle = ordered[3 * (len(ordered) - 1) // 4] - ordered[len(ordered) // 4]
    squeezed = around is not None and span > _LONG and span > _SQUEEZED * max(middle, YEAR)
    room = max(int(span * 0.02), 2 * DAY)
    return Scale(first - room, last + room, around if squeezed else None)


def _day(moment: int) -> str:
    _, month, day = civil_from_days(moment // DAY)
    return f"{day}\u00a0{MONTH_NAMES[month - 1][:3]}"
