"""Amounts and dates in answers, compared by value: "four" is 4, "132K" is 132,000, "13 Jan 2025" is 2025-01-13."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dateline.language.numbers import CARDINALS
from dateline.temporal.expressions import TimeExpression, find_expressions
from dateline.temporal.interval import Interval

_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_LETTERS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "k": 1e3, "bn": 1e9}

_MEASURES = {
    name: measure
    for measure, names in {
        "%": "% percent per-cent",
        "metre": "m metre metres meter meters",
        "foot": "ft feet foot",
        "inch": "in inch inches",
        "kilometre": "km kilometre kilometres kilometer kilometers",
        "mile": "mi mile miles",
        "kilogram": "kg kilogram kilograms",
        "pound": "lb lbs pound pounds",
        "year": "year years",
        "month": "month months",
        "week": "week weeks",
        "day": "day days",
        "hour": "hour hours",
        "minute": "minute minutes",
        "second": "second seconds",
    }.items()
    for name in names.split()
}
_WORD = "|".join(CARDINALS)
_AMOUNT = re.compile(
    rf"(?P<currency>US\$|[$€£¥])?\s?(?:"
    rf"(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:(?:st|nd|rd|th)\b|(?P<letter>(?-i:K|M|B|T|k|bn))\b)?"
    rf"(?P<scale>(?:[\s-](?:hundred|thousand|million|billion|trillion))*)"
    rf"|\b(?P<words>(?:a|{_WORD})(?:[\s-](?:and\s)?(?:{_WORD}|{'|'.join(_SCALES)}))*)\b"
    rf")(?:[\s-]?(?P<measure>%|[A-Za-z]+(?:-cent)?))?",
    re.I,
)
_NO_NUMBER = re.compile(r"(?:of|another|day|thing|who|that)\b", re.I)

MAX_TEXT = 20_000
"""Characters of a text that are looked at."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a text.

    Attributes:
        start, end: offsets of the number, its unit left out.
        unit: a currency sign or the name of a measure; empty where none that is known follows.
    """

    start: int
    end: int
    value: float
    unit: str = ""

    def equals(self, other: Amount) -> bool:
        """Equal in value, and not of two different units."""
        same = abs(self.value - other.value) <= 1e-9 * max(1.0, abs(other.value))
        return same and (not self.unit or not other.unit or self.unit == other.unit)


def amounts(text: str) -> list[Amount]:
    """The numbers of a text, in digits or English words, in order."""
    return list(_amounts(text[:MAX_TEXT]))


def dates(text: str, *, anchor: Interval | None = None) -> list[TimeExpression]:
    """The dates of a text with the times that they mean, in order."""
    found = find_expressions(text[:MAX_TEXT], anchor=anchor)
    return [each for each in found if each.kind in ("date", "time") and each.interval is not None]


def within(inner: Interval, outer: Interval) -> bool:
    """Whether a time is the other one or a more precise part of it."""
    starts = outer.start is None or (inner.start is not None and inner.start >= outer.start)
    return starts and (outer.end is None or (inner.end is not None and inner.end <= outer.end))


def _amounts(text: str) -> Iterator[Amount]:
    for match in _AMOUNT.finditer(text):
        currency, measure = match["currency"] or "", match["measure"] or ""
        unit = currency.removeprefix("US") or _MEASURES.get(measure.lower(), "")
        end = match.start("measure") if match["measure"] else match.end()
        if match["digits"]:
            value = float(match["digits"].replace(",", "")) * _LETTERS.get(match["letter"] or "", 1.0)
            for scale in re.findall(r"[a-z]+", match["scale"].lower()):
                value *= _SCALES[scale]
            yield Amount(match.start("digits"), end, value, unit)
        elif (spelled := _spelled(match["words"])) is not None and not (
            spelled == 1 and _NO_NUMBER.match(measure or " ")
        ):
            yield Amount(match.start("words"), end, spelled, unit)


def _spelled(words: str) -> float | None:
    """The value of a number in words; None for a mere "a"."""
    total, current = 0.0, 0.0
    tokens = [token for token in re.split(r"[\s-]+", words.lower()) if token != "and"]
    if tokens == ["a"] or (tokens[0] == "a" and tokens[1] not in _SCALES):
        return None
    for token in tokens:
        if token == "a":
            current = 1.0
        elif token in CARDINALS:
            current += CARDINALS[token]
        elif token == "hundred":
            current = max(current, 1.0) * 100
        else:
            total += max(current, 1.0) * _SCALES[token]
            current = 0.0
    return total + current
