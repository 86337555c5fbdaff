"""Marks in two sentences how the numbers and dates of the first compare to those of the second.

A small model reads words well and magnitudes badly: "1,204 cases" and "more than 1,300" look much alike to it. So each
number and date of the premise is held against those of the same kind in the hypothesis (its first two): = follows it where
it is what the hypothesis says ("1,204" for "more than 1,000", "3 May 1990" for "in the 1990s"), else > or <, with ~ before
it where the two are close. Bounds are kept to the letter: 127 is not "more than 127", and "more than 114" not "under 114".
Where one number of the premise stands beside more of the words that stand beside the hypothesis's ("71 reviews", "under 71
reviews"), only that one is compared; else which is meant is the model's to find.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dateline.language.calendar import MONTHS
from dateline.language.numbers import TENS, UNITS
from dateline.text import stem

Kind = Literal["date", "percent", "ordinal", "number"]

Bound = Literal["", ">", ">=", "<", "<=", "~"]

Agreement = Literal["met", "missed", "none"]
"""What numbers alone say of two sentences; "none" where no two can be compared."""

CLOSE = 0.05
"""Share of the larger number below which two numbers are close."""
MOST_COMPARED = 2
"""Numbers of one kind in a hypothesis that a premise is held against."""

_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_SMALL = {word: value for value, word in enumerate(UNITS)} | {"once": 1, "twice": 2, "thrice": 3, "dozen": 12}
_TENS = {word: 10 * value for value, word in enumerate(TENS, start=2)}
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
            rf"\b(?P<tens>{'|'.join(_TENS)})(?:[\s-]+(?P<ones>{'|'.join(UNITS[1:10])}))?\b{_SCALE.replace('scale', 'scale2')}",
            rf"\b(?P<small>{'|'.join(_SMALL)})\b{_SCALE.replace('scale', 'scale3')}",
        ]
    ),
    re.I,
)

_MORE = r"(?:more|greater|higher|larger|later|longer|older) than|over|above|upwards of|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?"
_LEAST = r"at least|a minimum of|(?:no|not) (?:less|fewer|lower|earlier) than"
_FEWER = r"(?:less|fewer|lower|smaller|earlier|shorter|younger) than|under|below"
_MOST = r"at most|a maximum of|(?:no|not) (?:more|later|higher|greater) than|up to"
_ABOUT = r"about|around|approximately|roughly|nearly|almost|circa"
_AFTER, _SINCE, _BEFORE, _UNTIL = r"after|following", r"since|not until|from", r"before|prior to", r"by|until|till"
_BEHIND = r"(?:\s+(?:the|a|an|year|end of|start of|about|around))?\s*[$£€]?\s*$"
_BOUND_OF: tuple[tuple[Bound, str, str], ...] = (
    (">=", _LEAST, f"|{_SINCE}"),
    ("<=", _MOST, f"|{_UNTIL}"),
    (">", _MORE, f"|{_AFTER}"),
    ("<", _FEWER, f"|{_BEFORE}"),
    ("~", _ABOUT, ""),
)
_BOUNDS: tuple[tuple[Bound, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (bound, re.compile(rf"\b(?:{number}){_BEHIND}", re.I), re.compile(rf"\b(?:{number}{day}){_BEHIND}", re.I))
    for bound, number, day in _BOUND_OF
)
"""Words that make a bound of the number, or the date, behind them."""
_RANGE = re.compile(r"\bbetween\s*[$£€]?\s*$", re.I)
_BOUND_WORDS = 30
"""Characters before a number in which its bound is looked for."""
_BESIDE, _REACH = 3, 50
"""Words on each side of a number, within so many characters, that tell what it counts."""
_SURE = 2
"""Shared words, one behind counting double, from which on two numbers are taken to count the same."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_SAYS_LITTLE = frozenset(
    (
        *("the", "and", "than", "more", "less", "fewer", "over", "under", "about", "least", "most", "after", "before"),
        *("from", "with", "that", "has", "had", "have", "were", "was", "are", "its", "his", "her", "their", "for"),
        *("hundred", "thousand", "million", "billion", "trillion", "percent", "according", "based", "been", "there"),
        *_SMALL,
        *_TENS,
    )
)


@dataclass(frozen=True, slots=True)
class Magnitude:
    """A number or date and where its words end. A date is (year, month, day) with None for what it leaves open."""

    kind: Kind
    value: float
    date: tuple[int | None, int | None, int | None]
    end: int
    start: int = 0
    bound: Bound = ""
    """Which other values the words before it allow: more, fewer, or about as many."""


def compared(premise: str, hypothesis: str) -> tuple[str, str]:
    """Both sentences with their marks."""
    given, asked = magnitudes(premise), magnitudes(hypothesis)
    if not given or not asked:
        return premise, hypothesis
    meant = _meant(premise, given, hypothesis, asked)
    return (
        _with_marks(premise, given, [_marks(one, asked, meant) for one in given]),
        _with_marks(
            hypothesis,
            asked,
            ["=" if any(_mark(one, other) == "=" for one in meant[place]) else "" for place, other in enumerate(asked)],
        ),
    )


def agreement(premise: str, hypothesis: str) -> Agreement:
    """Whether the numbers and dates of the hypothesis hold of the premise's.

    "missed" where a number does not that stands beside the same words in both; a date may be of something else.
    """
    given, asked = magnitudes(premise), magnitudes(hypothesis)
    if not given or not asked:
        return "none"
    said, sought = _beside(premise, given), _beside(hypothesis, asked)
    found: Agreement = "none"
    for place, meant in enumerate(_meant(premise, given, hypothesis, asked)):
        marks = [mark for one in meant if (mark := _mark(one, asked[place]))]
        if not marks:
            continue
        if "=" in marks:
            found = "met"
        elif asked[place].kind != "date" and any(
            (sought[place] & said[given.index(one)]).total() >= _SURE for one in meant
        ):
            return "missed"
        else:
            return "none"
    return found


def _meant(
    premise: str, given: Sequence[Magnitude], hypothesis: str, asked: Sequence[Magnitude]
) -> list[list[Magnitude]]:
    """For each number of the hypothesis those of the premise that it may be about: all of its kind, or the one beside its words."""
    said, sought = _beside(premise, given), _beside(hypothesis, asked)
    found = []
    for other, words in zip(asked, sought, strict=True):
        same = [place for place, one in enumerate(given) if one.kind == other.kind]
        shared = [sum(min(words[word], said[place][word]) for word in words) for place in same]
        best = max(shared, default=0)
        clear = other.kind in ("number", "percent") and best and shared.count(best) == 1
        found.append([given[place] for place, count in zip(same, shared, strict=True) if count == best or not clear])
    return found


def _beside(text: str, found: Sequence[Magnitude]) -> list[Counter[str]]:
    """Stems of the words around each number, up to the next one; those behind it count double."""
    tables = []
    for place, one in enumerate(found):
        begin = max(one.start - _REACH, found[place - 1].end if place else 0)
        end = min(one.end + _REACH, found[place + 1].start if place + 1 < len(found) else len(text))
        before, behind = (
            [stem(word.lower()) for word in _WORD.findall(part) if word.lower() not in _SAYS_LITTLE]
            for part in (text[begin : one.start], text[one.end : end])
        )
        tables.append(Counter(dict.fromkeys(before[-_BESIDE:], 1) | dict.fromkeys(behind[:_BESIDE], 2)))
    return tables


def magnitudes(text: str) -> list[Magnitude]:
    """The numbers and dates of a text, in its order."""
    found: list[Magnitude] = []
    ranged = False
    for match in _FOUND.finditer(text):
        before, one = text[max(0, match.start() - _BOUND_WORDS) : match.start()], _read(match)
        if ranged and re.fullmatch(r"\s*and\s*[$£€]?\s*", text[found[-1].end : match.start()], re.I):
            found.append(replace(one, bound="<=", start=match.start()))
            ranged = False
            continue
        ranged = _RANGE.search(before) is not None
        found.append(replace(one, bound=">=" if ranged else _bound(before, one.kind), start=match.start()))
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
    return int(word) if word.isdigit() else MONTHS[word[:3].lower()]


def _scale(words: str | None) -> int:
    scale = 1
    for word in (words or "").replace("-", " ").lower().split():
        scale *= _SCALES[word]
    return scale


def _marks(one: Magnitude, asked: Sequence[Magnitude], meant: Sequence[Sequence[Magnitude]]) -> str:
    same = [place for place, other in enumerate(asked) if other.kind == one.kind][:MOST_COMPARED]
    return " ".join(filter(None, (_mark(one, asked[place]) for place in same if one in meant[place])))


def _mark(one: Magnitude, other: Magnitude) -> str:
    """How `one` of the premise stands to `other` of the hypothesis; empty where they cannot be compared."""
    if one.kind != other.kind:
        return ""
    found = _dates(one, other) if one.kind == "date" else _numbers(one.value, other.value)
    if found == "=" and (side := _beyond(one, other)):
        return side
    met = (other.bound[:1] in ("<", ">") and found.endswith(other.bound[:1])) or (
        other.bound == "~" and found.startswith("~")
    )
    return "=" if met else found


def _beyond(one: Magnitude, other: Magnitude) -> str:
    """On which side `one` misses the bound of `other` though their values are equal; empty where it does not."""
    strict = other.bound in ("<", ">") and one.bound != other.bound
    if one.kind == "date":
        # "1990" does not say whether it was before 3 May 1990, nor "the 1990s" whether it was after 1990.
        strict = strict and not (_vaguer(one, other) or one.value or other.value)
    if strict or (one.bound, other.bound) in ((">", "<="), ("<", ">=")):
        return "~ >" if other.bound.startswith("<") else "~ <"
    return ""


def _vaguer(one: Magnitude, other: Magnitude) -> bool:
    """Whether date `one` leaves open more than `other` does."""
    return sum(part is None for part in one.date) > sum(part is None for part in other.date)


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
