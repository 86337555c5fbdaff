"""The sentences of the evidence, each with its words, its times, and how well both fit the question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from asof.errors import BadInput
from asof.records import Evidence
from asof.temporal.constraint import Question
from asof.temporal.interval import Interval
from asof.text.sentences import split_sentences
from asof.text.words import content_words

MAX_SENTENCES = 60
"""Sentences read of one piece of evidence; the rest of a long document is not looked at."""

_CONTEXT_CREDIT = 0.5
"""What a question word counts when it stands in the title or elsewhere in the passage, not in the sentence."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TIME = re.compile(
    r"\b(?:(?P<iso>\d{4}-\d{2}(?:-\d{2})?)|(?P<first>1\d{3}|20\d\d)\s?(?:–|-|to|until)\s?(?P<last>1\d{3}|20\d\d)"
    r"|(?:(?:(?P<day>\d{1,2})\s+)?(?P<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})\.?\s+"
    r"(?:(?P<day2>\d{1,2})\s?,?\s+)?(?:,\s)?)?(?P<year>1\d{3}|20\d\d))\b",
    re.I,
)

_OUTSIDE, _UNDATED, _EARLIER, _INSIDE = 0.25, 0.5, 0.8, 1.0
_SUPERSEDED = 0.7
"""How much of its fit a sentence loses to a later one that matches the question just as well."""


@dataclass(frozen=True, slots=True)
class Clue:
    """One sentence of the evidence.

    Attributes:
        text: the sentence.
        source: index of its evidence.
        stems: its content words.
        time: the time it speaks of: one in its text, else the evidence's date, else unknown.
        relevance: share of the question's weight that it matches, 0 to 1.
        fit: how its time fits the question's constraint, 0 to 1; 0.5 is neutral.
    """

    text: str
    source: int
    stems: frozenset[str]
    time: Interval | None = None
    relevance: float = 0.0
    fit: float = _UNDATED


def find_clues(question: Question, *, evidence: Sequence[Evidence]) -> list[Clue]:
    """Every sentence of `evidence`, scored by words and time, in reading order."""
    clues: list[Clue] = []
    context: list[frozenset[str]] = []
    for source, piece in enumerate(evidence):
        sentences = [piece.title] if piece.title.strip() else []
        sentences += [sentence.text for sentence in split_sentences(piece.text)[:MAX_SENTENCES]]
        seen: set[str] = set()
        for text in sentences:
            if text not in seen:
                seen.add(text)
                clues.append(_clue(text, source, piece, question))
        context.append(frozenset().union(*(clue.stems for clue in clues if clue.source == source)))
    weights = _weights(question, clues)
    clues = [replace(clue, relevance=_relevance(clue, context[clue.source], weights)) for clue in clues]
    return _supersede(clues, question)


def _clue(text: str, source: int, piece: Evidence, question: Question) -> Clue:
    times = times_in(text, piece.published)
    if not times:
        time = piece.published
        return Clue(text, source, frozenset(content_words(text)), time, fit=fit(time, question))
    best = max(times, key=lambda time: (fit(time, question), time.start or 0))
    return Clue(text, source, frozenset(content_words(text)), best, fit=fit(best, question))


def fit(time: Interval | None, question: Question) -> float:
    """How a time fits what the question asks: inside its window best, earlier may still hold, later does not."""
    if time is None:
        return _UNDATED
    constraint = question.effective_constraint()
    window = constraint.window()
    if window.overlaps(time):
        return _INSIDE
    return _EARLIER if time.before(window) and constraint.relation not in ("after", "since") else _OUTSIDE


def times_in(text: str, anchor: Interval | None) -> list[Interval]:
    """The times that a sentence names; `anchor` is its publication date."""
    found = []
    for match in _TIME.finditer(text):
        try:
            if match.group("first"):
                found.append(Interval.of_years(int(match.group("first")), int(match.group("last"))))
            elif match.group("iso"):
                found.append(Interval.parse(match.group("iso")))
            else:
                found.append(_spelled(match))
        except BadInput:
            continue
    return found


def _spelled(match: re.Match[str]) -> Interval:
    year = int(match.group("year"))
    if not match.group("month"):
        return Interval.of_year(year)
    month = _MONTHS.index(match.group("month")[:3].lower()) + 1
    day = match.group("day") or match.group("day2")
    return Interval.of_day(year, month, int(day)) if day else Interval.of_month(year, month)


def _weights(question: Question, clues: Sequence[Clue]) -> dict[str, float]:
    """Inverse sentence frequency of the question's content words, adding up to 1."""
    counts = Counter(stem for clue in clues for stem in clue.stems)
    stems = dict.fromkeys(content_words(question.content or question.text))
    raw = {stem: math.log(1 + (len(clues) + 1) / (counts[stem] + 0.5)) for stem in stems}
    total = sum(raw.values())
    return {stem: weight / total for stem, weight in raw.items()} if total else {}


def _relevance(clue: Clue, context: frozenset[str], weights: Mapping[str, float]) -> float:
    return sum(
        weight * (1.0 if stem in clue.stems else _CONTEXT_CREDIT if stem in context else 0.0)
        for stem, weight in weights.items()
    )


def _supersede(clues: Sequence[Clue], question: Question) -> list[Clue]:
    """Lower the fit of sentences that a better-timed, equally relevant one overtakes.

    Of several sentences that say who holds an office, the last before the asked-for time says who
    holds it then; where the first is asked for, the earliest.
    """
    constraint = question.effective_constraint()
    first = (question.ordinal or constraint.ordinal) == "first"
    sign = -1 if first else 1
    dated = sorted(
        (clue for clue in clues if clue.time is not None and clue.time.start is not None and clue.fit > _OUTSIDE),
        key=lambda clue: -sign * (clue.time.start or 0 if clue.time else 0),
    )
    lowered: dict[int, float] = {}
    best, pending, moment = 0.0, 0.0, None
    for clue in dated:
        start = clue.time.start if clue.time else None
        if start != moment:
            best, pending, moment = max(best, pending), 0.0, start
        overtaken = min(1.0, best / clue.relevance) ** 2 if clue.relevance else 1.0
        lowered[id(clue)] = clue.fit * (1 - _SUPERSEDED * overtaken)
        pending = max(pending, clue.relevance)
    return [replace(clue, fit=lowered.get(id(clue), clue.fit)) for clue in clues]
