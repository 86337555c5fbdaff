"""Quantities in English text: numbers with units, ordinals, dates.

One reader for the judges, the readers and the labels; each takes of a quantity what it compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Literal

from dateline.language.calendar import MONTHS, NO_VERB
from dateline.language.numbers import (
    CARDINALS,
    DOZEN,
    MULTIPLES,
    ORDINALS,
    SCALES,
    SUFFIXES,
    ordinal_value,
    suffix,
    words_value,
)
from dateline.language.word_lists import json_data

QuantityKind = Literal["number", "times", "ordinal", "date"]
"""A number; how many times ("twice"); a rank ("3rd"); a date as numbers, not as a time on the line."""

DateParts = tuple[int | None, int | None, int | None]
"""Year, month and day, with `None` for what is left open."""

MAX_TEXT = 20_000
"""Characters of a text that are looked at; chosen by hand."""

CURRENCY = r"[$€£¥₹]"
"""Pattern of a currency sign."""

MONEY = rf"(?:{'|'.join(' '.join(json_data('units')['money'].values()).split())})"
"""Pattern of a word for money: "dollars", "pence"."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or date in a text.

    Attributes:
        start: where the number begins, a currency sign before it left out.
        end: where the number ends, its unit left out.
        unit: a currency sign, "%" or the name of a measure; empty where no known one follows.
        unit_end: where its unit ends.
        worded: whether it is written in words.
        date: its parts, of a date.
        decade: whether a date is the decade that begins with its year.

    Example:
        >>> [(one.value, one.unit) for one in quantities("It cost $1.5bn, 20 percent of two hundred and five miles.")]
        [(1500000000.0, '$'), (20.0, '%'), (205.0, 'mile')]
    """

    start: int
    end: int
    value: float
    kind: QuantityKind = "number"
    unit: str = ""
    unit_end: int = 0
    worded: bool = False
    date: DateParts = (None, None, None)
    decade: bool = False

    def equals(self, other: Quantity) -> bool:
        """Return whether two quantities agree in value and unit."""
        same = abs(self.value - other.value) <= 1e-9 * max(1.0, abs(other.value))
        return same and (not self.unit or not other.unit or self.unit == other.unit)


_MONTH = r"(?P<{0}>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_NOT_BOUND = "".join(rf"(?<!\b{word}\s)" for word in ("than", "least", "most", "over", "under", "above", "below"))
_COUNTED = (
    "people|persons|individuals|men|women|children|cases|deaths|copies|votes|seats|students|pupils|spectators|views|members|"
    "employees|inhabitants|residents|goals|points|meters|metres|feet|miles|km|kilometers|kilometres|reviews|episodes|"
    "minutes|hours|days|years|tickets|units|homes|houses|troops|soldiers|species|stores|dollars|euros|pounds"
)
"""Behind a number such as 2000 these show that it is no year."""
_DATES = (
    r"\b(?P<iso_y>\d{4})-(?P<iso_m>\d{2})-(?P<iso_d>\d{2})\b",
    rf"\b(?P<dmy_d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{NO_VERB}{_MONTH.format('dmy_m')}(?:\s*+,?\s*+(?P<dmy_y>\d{{4}})\b)?",
    rf"\b{_MONTH.format('mdy_m')}\s+(?P<mdy_d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:\s*+,?\s*+(?P<mdy_y>\d{{4}})\b)?",
    rf"\b{_MONTH.format('my_m')}\s*+,?\s*+(?P<my_y>\d{{4}})\b",
    r"\b(?P<decade>(?:1\d|20)\d0)['’]?s\b",
    rf"{_NOT_BOUND}(?<![\d.,])(?<!{CURRENCY})\b(?P<year>1\d{{3}}|20\d{{2}})\b(?![.,]?\d|\s*%|\s+(?:{_COUNTED})\b)",
)
_SCALE = "|".join(SCALES)
_CARDINAL = "|".join(CARDINALS)
_UNIT = re.compile(r"\s*(?P<sign>%)|[\s-]?(?P<measure>per[\s-]?cent\b|[^\W\d_]+)", re.I)
_NUMBERS = (
    r"\b(?P<nth>\d{1,15}(?:st|nd|rd|th))\b",
    rf"(?:(?P<currency>(?:US)?{CURRENCY})\s?)?(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"(?:(?P<letter>{suffix(money_only=('m',))})\b)?(?P<scale>(?:[\s-]+(?:{_SCALE})\b)*)",
    rf"\b(?P<ordinal>{'|'.join(ORDINALS)})\b",
    rf"\b(?:(?P<dozens>a|{_CARDINAL})[\s-])?(?P<dozen>dozen)\b",
    rf"\b(?P<words>(?:a(?=[\s-](?:{_SCALE})\b)|{_CARDINAL})\b(?:[\s-]+(?:and\s+)?(?:{_CARDINAL}|{_SCALE})\b){{0,30}})",
    rf"\b(?P<times>{'|'.join(MULTIPLES)})\b",
)
_WITH_DATES = re.compile("|".join((*_DATES, *_NUMBERS)), re.I)
_PLAIN = re.compile("|".join(_NUMBERS), re.I)
_NO_NUMBER = re.compile(r"one[\s-](?:of|another|day|thing|who|that)\b", re.I)
_SHORT = re.compile(
    rf"(?:(?P<currency>{CURRENCY})\s?)?(?<!\d)(?<!\d[.,])\d[\d.,]*+(?<=\d)(?P<letter>{suffix(money_only=('m', 'B', 'T'))}|\s?%)(?!\w)"
)
_ALIKE = str.maketrans("ſıİ", "siI")
"""The letters that `re.I` takes for others, and `str.lower` leaves apart."""
_SCALE_OF = MappingProxyType({value: word for word, value in SCALES.items()})


def quantities(text: str, *, dates: bool = False) -> list[Quantity]:
    """Return a text's quantities, in order; with `dates`, dates too."""
    return list(_found(text[:MAX_TEXT].translate(_ALIKE), _WITH_DATES if dates else _PLAIN))


def is_pronoun(quantity: Quantity, *, text: str) -> bool:
    """Return whether a "one" is a pronoun ("the one that")."""
    return quantity.value == 1 and _NO_NUMBER.match(text, quantity.start) is not None


def written_out(text: str) -> str:
    """Write letters behind digits as words: "$1.5bn" is "$1.5 billion"."""
    return _SHORT.sub(_long, text)


def _long(match: re.Match[str]) -> str:
    scale = SUFFIXES.get(match["letter"])
    return f"{match[0].removesuffix(match['letter'])} {'percent' if scale is None else _SCALE_OF[scale]}"


def _found(text: str, pattern: re.Pattern[str]) -> Iterator[Quantity]:
    place = 0
    while (match := pattern.search(text, place)) is not None:
        found = _date(match) if pattern is _WITH_DATES else None
        yield (found := found or _number(match, text))
        place = max(found.end, match.start() + 1)


def _date(match: re.Match[str]) -> Quantity | None:
    part, start, end = match.groupdict(), match.start(), match.end()
    for form in ("iso", "dmy", "mdy", "my"):
        if part[f"{form}_m"]:
            year, day = part[f"{form}_y"], part.get(f"{form}_d")
            date = (int(year) if year else None, _month(part[f"{form}_m"]), int(day) if day else None)
            return Quantity(start, end, 0.0, "date", unit_end=end, date=date)
    if year := part["decade"] or part["year"]:
        return Quantity(start, end, 0.0, "date", unit_end=end, date=(int(year), None, None), decade=not part["year"])
    return None


def _month(word: str) -> int:
    return int(word) if word.isdigit() else MONTHS[word.lower()]


def _number(match: re.Match[str], text: str) -> Quantity:
    part, start, end = match.groupdict(), match.start(), match.end()
    if rank := part["nth"] or part["ordinal"]:
        return Quantity(start, end, float(ordinal_value(rank) or 0), "ordinal", unit_end=end, worded=not part["nth"])
    if times := part["times"]:
        return Quantity(start, end, float(MULTIPLES[times.lower()]), "times", unit_end=end, worded=True)
    if part["dozen"]:
        count = CARDINALS.get((part["dozens"] or "a").lower(), 1)
        return _measured(Quantity(start, end, float(count * DOZEN), worded=True), text)
    if part["words"]:
        return _measured(_worded(match), text)
    value = float(part["digits"].replace(",", "")) * SUFFIXES.get(part["letter"] or "", 1)
    for word in re.findall(r"[a-z]+", part["scale"].lower()):
        value *= SCALES[word]
    return _measured(Quantity(match.start("digits"), end, value, unit=(part["currency"] or "")[-1:]), text)


def _worded(match: re.Match[str]) -> Quantity:
    """Read the longest run that is one number; "nineteen eighty-four" is two."""
    words = list(re.finditer(r"[a-z]+", match["words"].lower()))
    for count in range(len(words), 0, -1):
        value = words_value([word.group() for word in words[:count]])
        if value is not None:
            return Quantity(match.start(), match.start() + words[count - 1].end(), float(value), worded=True)
    raise AssertionError(match["words"])  # the first word is a cardinal, or "a" before a scale


def _measured(number: Quantity, text: str) -> Quantity:
    """Read the unit behind a number, unless a currency precedes it."""
    match = _UNIT.match(text, number.end)
    unit = "" if match is None else _units().get(re.sub(r"[\s-]", "", match.group()).lower(), "")
    if match is None or not unit or number.unit:
        return replace(number, unit_end=number.end)
    return replace(number, unit=unit, unit_end=match.end())


@cache
def _units() -> Mapping[str, str]:
    """Word -> the name of its unit."""
    return {
        word: unit for units in json_data("units").values() for unit, words in units.items() for word in words.split()
    }
