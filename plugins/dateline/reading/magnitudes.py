"""Comparison of the numbers and dates in two sentences.

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

from dateline.language.numbers import CARDINALS, MULTIPLES
from dateline.language.quantities import CURRENCY, Quantity, quantities
from dateline.limits import NUMBERS
from dateline.text import stem

Kind = Literal["date", "percent", "ordinal", "number"]

Bound = Literal["", ">", ">=", "<", "<=", "~"]

Agreement = Literal["met", "missed", "none"]
"""What numbers alone say of two sentences; "none" where no two can be compared."""

CLOSE = 0.05
"""Share of the larger number below which two numbers are close."""
MOST_COMPARED = 2
"""Numbers of one kind in a hypothesis that a premise is held against."""

_MORE = r"(?:more|greater|higher|larger|later|longer|older) than|over|above|upwards of|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?"
_LEAST = r"at least|a minimum of|(?:no|not) (?:less|fewer|lower|earlier) than"
_FEWER = r"(?:less|fewer|lower|smaller|earlier|shorter|younger) than|under|below"
_MOST = r"at most|a maximum of|(?:no|not) (?:more|later|higher|greater) than|up to"
_ABOUT = r"about|around|approximately|roughly|nearly|almost|circa"
_AFTER, _SINCE, _BEFORE, _UNTIL = r"after|following", r"since|not until|from", r"before|prior to", r"by|until|till"
_BEHIND = rf"(?:\s+(?:the|a|an|year|end of|start of|about|around))?\s*{CURRENCY}?\s*$"
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
_RANGE = re.compile(rf"\bbetween\s*{CURRENCY}?\s*$", re.I)
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
        *CARDINALS,
        *MULTIPLES,
        "dozen",
    )
)


@dataclass(frozen=True, slots=True)
class Magnitude:
    """Number or date, and the end of its words.

    A date is (year, month, day), with `None` for an open part.
    """

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
    """Check the hypothesis's numbers and dates against the premise's.

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
    """Match each number to the premise's of its kind or words."""
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
    """Return the stems around each number; those behind count double."""
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
    """Numbers and dates of a text, in its order.

    Only the first `limits.NUMBERS` are read.
    """
    found: list[Magnitude] = []
    ranged = False
    for quantity in quantities(text, dates=True)[:NUMBERS]:
        before, one = text[max(0, quantity.start - _BOUND_WORDS) : quantity.start], _read(quantity)
        if ranged and re.fullmatch(rf"\s*and\s*{CURRENCY}?\s*", text[found[-1].end : quantity.start], re.I):
            found.append(replace(one, bound="<="))
            ranged = False
            continue
        ranged = _RANGE.search(before) is not None
        found.append(replace(one, bound=">=" if ranged else _bound(before, one.kind)))
    return found


def _bound(before: str, kind: Kind) -> Bound:
    for bound, of_number, of_date in _BOUNDS:
        if (of_date if kind == "date" else of_number).search(before):
            return bound
    return ""


def _read(found: Quantity) -> Magnitude:
    """Read as in training: "20%" is a percentage, "twenty percent" a number."""
    if found.kind == "date":
        return Magnitude("date", -1.0 if found.decade else 0.0, found.date, found.end, found.start)
    percent = found.unit == "%" and not found.worded
    kind: Kind = "ordinal" if found.kind == "ordinal" else "percent" if percent else "number"
    return Magnitude(kind, found.value, found.date, found.unit_end if percent else found.end, found.start)


def _marks(one: Magnitude, asked: Sequence[Magnitude], meant: Sequence[Sequence[Magnitude]]) -> str:
    same = [place for place, other in enumerate(asked) if other.kind == one.kind][:MOST_COMPARED]
    return " ".join(filter(None, (_mark(one, asked[place]) for place in same if one in meant[place])))


def _mark(one: Magnitude, other: Magnitude) -> str:
    """Compare the premise's `one` with the hypothesis's `other`, or return ""."""
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
    """Return the side on which `one` misses an equal bound, or ""."""
    strict = other.bound in ("<", ">") and one.bound != other.bound
    if one.kind == "date":
        # "1990" does not say whether it was before 3 May 1990, nor "the 1990s" whether it was after 1990.
        strict = strict and not (_vaguer(one, other) or one.value or other.value)
    if strict or (one.bound, other.bound) in ((">", "<="), ("<", ">=")):
        return "~ >" if other.bound.startswith("<") else "~ <"
    return ""


def _vaguer(one: Magnitude, other: Magnitude) -> bool:
    """Return whether a date is less precise than the other."""
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
