"""Marks in two sentences how the numbers and dates of the first compare to those of the second.

A small model reads words well and magnitudes badly: "1,204 cases" and "more than 1,300" look much alike to it. So each
number and date of the premise is held against those of the same kind in the hypothesis (its first two): = follows it where
it is what the hypothesis says ("1,204" for "more than 1,000", "3 May 1990" for "in the 1990s"), else > or <, with ~ before
it where the two are close. Which number of the premise is meant is the model's to find.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["date", "percent", "ordinal", "number"]

Bound = Literal["", ">", "<", "~"]

CLOSE = 0.05
"""Share of the larger number below which two numbers are close."""
MOST_COMPARED = 2
"""Numbers of one kind in a hypothesis that a premise is held against."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_SMALL = {word: value for value, word in enumerate(_UNITS)} | {"once": 1, "twice": 2, "thrice": 3, "dozen": 12}
_DECADES = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TENS = {word: 10 * value for value, word in enumerate(_DECADES, start=2)}
_RANKS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINALS = {word: value for value, word in enumerate((*_RANKS, "eleventh", "twelfth"), start=1)}
_SCALES = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SCALE = r"(?P<scale>(?:[\s-]+(?:hundred|thousand|million|billion|trillion)\b)*)"
_NOT_BOUND = "".join(rf"(?<!\b{word}\s)" for word in ("than", "least", "most", "over", "under", "above", "below"))
_COUNTED = (
    "people|persons|individuals|men|women|children|cases|deaths|copies|votes|seats|students|pupils|spectators|views|members|"
    "employees|inhabitants|residents|goals|points|meters|metres|feet|miles|km|kilometers|kilometres|reviews|episodes|"
    "minutes|hours|days|years|tickets|units|homes|houses|troops|soldiers|species|stores|dollars|euros|pounds"
)
"""Behind a number such as 2000 these show that it is no year."""
_FOUND = re.compile(
    "|".join(
        [
            r"\b(?P<iso_y>\d{4})-(?P<iso_m>\d{2})-(?P<iso_d>\d{2})\b",
            rf"\b(?P<dmy_d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH.format('dmy_m')}(?:\s*,?\s*(?P<dmy_y>\d{{4}})\b)?",
            rf"\b{_MONTH.format('mdy_m')}\s+(?P<mdy_d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:\s*,?\s*(?P<mdy_y>\d{{4}})\b)?",
            rf"\b{_MONTH.format('my_m')}\s*,?\s*(?P<my_y>\d{{4}})\b",
            r"\b(?P<decade>(?:1\d|20)\d0)['’]?s\b",
            rf"{_NOT_BOUND}(?<![\d.,$£€])\b(?P<year>1\d{{3}}|20\d{{2}})\b(?![.,]?\d|\s*%|\s+(?:{_COUNTED})\b)",
            r"\b(?P<nth>\d+)(?:st|nd|rd|th)\b",
            rf"(?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?){_SCALE}(?P<percent>\s*(?:%|per\s?cent\b))?",
            rf"\b(?P<ordinal>{'|'.join(_ORDINALS)})\b",
            rf"\b(?P<tens>{'|'.join(_TENS)})(?:[\s-]+(?P<ones>{'|'.join(_UNITS[1:10])}))?\b{_SCALE.replace('scale', 'scale2')}",
            rf"\b(?P<small>{'|'.join(_SMALL)})\b{_SCALE.replace('scale', 'scale3')}",
        ]
    ),
    re.I,
)

_MORE = r"(?:more|greater|higher|larger|later|longer) than|over|above|at least|(?:no|not) (?:less|fewer) than|upwards of|exceed(?:s|ed|ing)?"
_FEWER = r"(?:less|fewer|lower|smaller|earlier|shorter) than|under|below|at most|(?:no|not) (?:more|later) than|up to"
_ABOUT = r"about|around|approximately|roughly|nearly|almost|circa"
_AFTER, _BEFORE = r"after|since|following|not until", r"before|prior to|by|until|till"
_BEHIND = r"(?:\s+(?:the|a|an|year|end of|start of))?\s*[$£€]?\s*$"
_BOUNDS: tuple[tuple[Bound, re.Pattern[str], re.Pattern[str]], ...] = (
    (">", re.compile(rf"\b(?:{_MORE}){_BEHIND}", re.I), re.compile(rf"\b(?:{_MORE}|{_AFTER}){_BEHIND}", re.I)),
    ("<", re.compile(rf"\b(?:{_FEWER}){_BEHIND}", re.I), re.compile(rf"\b(?:{_FEWER}|{_BEFORE}){_BEHIND}", re.I)),
    ("~", re.compile(rf"\b(?:{_ABOUT}){_BEHIND}", re.I), re.compile(rf"\b(?:{_ABOUT}){_BEHIND}", re.I)),
)
"""Words that make a bound of the number, or the date, behind them."""
_RANGE = re.compile(r"\bbetween\s*[$£€]?\s*$", re.I)
_BOUND_WORDS = 30
"""Characters before a number in which its bound is looked for."""


@dataclass(frozen=True, slots=True)
class Magnitude:
    """A number or date and where its words end. A date is (year, month, day) with None for what it leaves open."""

    kind: Kind
    value: float
    date: tuple[int | None, int | None, int | None]
    end: int
    bound: Bound = ""
    """Which other values the words before it allow: more, fewer, or about as many."""


def compared(premise: str, hypothesis: str) -> tuple[str, str]:
    """Both sentences with their marks."""
    given, asked = magnitudes(premise), magnitudes(hypothesis)
    if not given or not asked:
        return premise, hypothesis
    return (
        _with_marks(premise, given, [_marks(one, asked) for one in given]),
        _with_marks(
            hypothesis, asked, ["=" if any(_mark(one, other) == "=" for one in given) else "" for other in asked]
        ),
    )


def magnitudes(text: str) -> list[Magnitude]:
    """The numbers and dates of a text, in its order."""
    found: list[Magnitude] = []
    ranged = False
    for match in _FOUND.finditer(text):
        before, one = text[max(0, match.start() - _BOUND_WORDS) : match.start()], _read(match)
        if ranged and re.fullmatch(r"\s*and\s*[$£€]?\s*", text[found[-1].end : match.start()], re.I):
            found.append(replace(one, bound="<"))
            ranged = False
            continue
        ranged = _RANGE.search(before) is not None
        found.append(replace(one, bound=">" if ranged else _bound(before, one.kind)))
    return found


def _bound(before: str, kind: Kind) -> Bound:
    for bound, of_number, of_date in _BOUNDS:
        if (of_date if kind == "date" else of_number).search(before):
            return bound
    return ""


def _read(match: re.Match[str]) -> Magnitude:
    part, end = match.groupdict(), match.end()
    for prefix in ("iso", "dmy", "mdy", "my"):
        if part[f"{prefix}_m"]:
            year, day = part[f"{prefix}_y"], part.get(f"{prefix}_d")
            date = (int(year) if year else None, _month(part[f"{prefix}_m"]), int(day) if day else None)
            return Magnitude("date", 0.0, date, end)
    if part["decade"]:
        return Magnitude("date", -1.0, (int(part["decade"]), None, None), end)
    if part["year"]:
        return Magnitude("date", 0.0, (int(part["year"]), None, None), end)
    empty = (None, None, None)
    if part["nth"] or part["ordinal"]:
        rank = float(part["nth"] or _ORDINALS[part["ordinal"].lower()])
        return Magnitude("ordinal", rank, empty, end)
    if part["digits"]:
        value = float(part["digits"].replace(",", "")) * _scale(part["scale"])
        return Magnitude("percent" if part["percent"] else "number", value, empty, end)
    if part["tens"]:
        value = float(_TENS[part["tens"].lower()] + _SMALL.get((part["ones"] or "zero").lower(), 0))
        return Magnitude("number", value * _scale(part["scale2"]), empty, end)
    return Magnitude("number", float(_SMALL[part["small"].lower()]) * _scale(part["scale3"]), empty, end)


def _month(word: str) -> int:
    return int(word) if word.isdigit() else _MONTHS.index(word[:3].lower()) + 1


def _scale(words: str | None) -> int:
    scale = 1
    for word in (words or "").replace("-", " ").lower().split():
        scale *= _SCALES[word]
    return scale


def _marks(one: Magnitude, asked: Sequence[Magnitude]) -> str:
    same = [other for other in asked if other.kind == one.kind][:MOST_COMPARED]
    return " ".join(filter(None, (_mark(one, other) for other in same)))


def _mark(one: Magnitude, other: Magnitude) -> str:
    """How `one` of the premise stands to `other` of the hypothesis; empty where they cannot be compared."""
    if one.kind != other.kind:
        return ""
    found = _dates(one, other) if one.kind == "date" else _numbers(one.value, other.value)
    met = (other.bound in ("<", ">") and found.endswith(other.bound)) or (other.bound == "~" and found.startswith("~"))
    return "=" if met else found


def _numbers(one: float, other: float) -> str:
    if one == other:
        return "="
    near = "~ " if abs(one - other) <= CLOSE * max(one, other) else ""
    return near + (">" if one > other else "<")


def _dates(one: Magnitude, other: Magnitude) -> str:
    if -1.0 in (one.value, other.value) and one.date[0] is not None and other.date[0] is not None:
        year, begin = (other.date[0], one.date[0]) if one.value else (one.date[0], other.date[0])
        if begin <= year < begin + 10:
            return "="
    for mine, theirs in zip(one.date, other.date, strict=True):
        if mine is not None and theirs is not None and mine != theirs:
            return ">" if mine > theirs else "<"
    shared = any(mine is not None and theirs is not None for mine, theirs in zip(one.date, other.date, strict=True))
    return "=" if shared else ""


def _with_marks(text: str, found: Sequence[Magnitude], marks: Sequence[str]) -> str:
    parts, at = [], 0
    for one, mark in zip(found, marks, strict=True):
        parts.append(text[at : one.end] + (f" {mark}" if mark else ""))
        at = one.end
    return "".join(parts) + text[at:]
