"""Score how the time of a sentence fits the question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dateline.handwritten.reading.scored_sentences import ScoredSentence
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import DAY, Interval

_OUTSIDE, _UNDATED, _EARLIER, _INSIDE = 0.25, 0.5, 0.8, 1.0
_EXACT = ("between",)
"""Relations that ask for a stretch: what held all of it began about its beginning."""
_YEARS_APART = 1.0
"""A state that held between two dates began about the first: years apart at which that fit has halved."""
_INHERITED = 0.8
"""Trust in a time that only a sentence before names."""
_SUPERSEDED = 0.85
"""How much of its fit a sentence loses to a later one that matches the question just as well."""
_RIVAL, _EQUAL = 0.5, 0.85
"""Shares of a sentence's relevance from which a later one begins to supersede it, and does so fully."""

_NEWS_DAYS, _PASSING_DAYS = 31, 7
"""How long before its publication a piece may still be reporting news, and how long what it calls news lasts at most. The second is
chosen by hand."""

_UNDATED_CLOSENESS = 0.3
"""A piece without a date stands where one of about two weeks would."""
_NEAR_DAYS = 7.0
"""Distance in days at which closeness has halved: news of the same week."""


def closeness(published: Interval | None, question: Question) -> float:
    """1.0 for evidence of the very day asked about, halved for each further stretch like a hyperbola; 0 to 1."""
    if published is None:
        return _UNDATED_CLOSENESS
    window = question.effective_constraint().window()
    if published.overlaps(window) and window.start is not None:
        return 1.0
    last, day = window.last, published.last
    if last is None or day is None:
        return _UNDATED_CLOSENESS
    return 1 / (1 + abs(last - day) / DAY / _NEAR_DAYS)


class Timed(NamedTuple):
    """How a sentence's time fits, 0 to 1 (0.5 neutral), and where the sentence names that time, if it does."""

    fit: float
    span: tuple[int, int] | None = None


def fits(question: Question, *, clues: Sequence[ScoredSentence], evidence: Sequence[Evidence]) -> list[Timed]:
    """For each clue, how its time fits the question.

    A sentence's time is one that it names well before its publication, else its evidence's date,
    else that of the sentence before it. Of several sentences that say who holds an office, the last
    before the asked-for time says who holds it then, so the others are superseded by it; where the
    first is asked for, by the earliest.
    """
    named = _named_times(question, clues, evidence)
    plain = [fit(time, question) * (_INHERITED if inherited else 1.0) for time, _, inherited in named]
    ordinal = question.ordinal or question.effective_constraint().ordinal
    if question.effective_constraint().relation not in _EXACT:
        plain = _supersede(plain, [time for time, _, _ in named], clues, first=ordinal == "first")
    return [Timed(value, span) for value, (_, span, _) in zip(plain, named, strict=True)]


def _supersede(
    plain: Sequence[float], times: Sequence[Interval | None], clues: Sequence[ScoredSentence], *, first: bool
) -> list[float]:
    """Lower the fit of what a later (with `first`, an earlier) sentence overtakes that is as relevant."""
    sign = -1 if first else 1
    dated = sorted(
        (-sign * time.start, index)
        for index, time in enumerate(times)
        if time is not None and time.start is not None and plain[index] > _OUTSIDE
    )
    result = list(plain)
    best, pending, moment = 0.0, 0.0, None
    for when, index in dated:
        if when != moment:
            best, pending, moment = max(best, pending), 0.0, when
        relevance = (clues[index].relevance + clues[index].coverage) / 2
        share = best / relevance if relevance else 1.0
        overtaken = min(1.0, max(0.0, (share - _RIVAL) / (_EQUAL - _RIVAL)))
        result[index] *= 1 - _SUPERSEDED * overtaken
        pending = max(pending, relevance)
    return result


def fit(time: Interval | None, question: Question) -> float:
    """0 to 1: a time that covers the asked-for window best; earlier may still hold; later does not."""
    if time is None:
        return _UNDATED
    constraint = question.effective_constraint()
    window = constraint.window()
    if time.after(window):
        return _OUTSIDE
    if constraint.relation in _EXACT:
        return _reach(time, window)
    if window.overlaps(time):
        return _INSIDE
    return _OUTSIDE if constraint.relation in ("after", "since") else _EARLIER


def is_outside(time: Interval, question: Question) -> bool:
    """Tell whether a time has nothing to do with the one asked for."""
    return fit(time, question) <= _OUTSIDE


def _reach(time: Interval, window: Interval) -> float:
    """How well a time stands for all of a window with two ends: by how close to its beginning it begins."""
    if time.contains(window):
        return _INSIDE
    if time.start is None or window.start is None:
        return _EARLIER
    apart = abs(time.start - window.start) / (365 * DAY)
    return _OUTSIDE + (_INSIDE - _OUTSIDE) / (1 + apart / _YEARS_APART)


def _named_times(
    question: Question, clues: Sequence[ScoredSentence], evidence: Sequence[Evidence]
) -> list[tuple[Interval | None, tuple[int, int] | None, bool]]:
    """For each clue its time, where it names it, and whether the time is only that of a sentence before."""
    found: list[tuple[Interval | None, tuple[int, int] | None, bool]] = []
    source, last = -1, None
    for clue in clues:
        if clue.source != source:
            source, last = clue.source, None
        published = evidence[source].published
        own = [
            (one.interval, (one.start, one.end))
            for one in find_expressions(clue.text, anchor=published)
            if one.kind in ("date", "range") and one.interval is not None and _is_other(one.interval, published)
        ]
        if own:
            time, span = max(own, key=lambda pair: (fit(pair[0], question), pair[0].start or 0))
            last = own[-1][0]
            found.append((time, span, False))
        elif published is not None:
            found.append((published, None, False))
        else:
            found.append((last, None, last is not None))
    return found


def _is_other(time: Interval, published: Interval | None) -> bool:
    """Days around publication are its own; times after it are plans.

    A longer time that was over by then is what is told of, not when it is told: "in March", of 2 April.
    """
    if published is None or published.start is None:
        return True
    if time.end is None or time.end > published.start:
        return False
    lasted = time.start is None or time.end - time.start > _PASSING_DAYS * DAY
    return lasted or time.end < published.start - _NEWS_DAYS * DAY
