"""Differences of two numbers, planned from the question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from dateline.language.calendar import MONTHS
from dateline.language.quantities import quantities
from dateline.records import Candidate, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.expressions import TimeExpression, find_expressions
from dateline.temporal.interval import DAY, Interval, civil_from_days
from dateline.text.words import words

_THAN = re.compile(
    r"(?P<head>how many (?:[\w-]+ ){0,5}?)(?P<word>more|fewer|less) (?P<rest>[^?]{1,300}?),? than (?P<other>[^?]{1,100})\??\s*",
    re.I,
)
_ASKS = re.compile(r"by how (?:much|many)\b|how (?:much|many) (?:[\w-]+ ){0,5}?(?:more|fewer|less)\b(?! than)", re.I)
_DOUBT = 0.2
"""What remains of an answer's probability where a difference is asked for and only one value was read: of sixteen such answers over
benchmarks/notes/fit and seen none was right."""
UNPLANNED = "A difference is asked for, and it could not be planned from the question."
"""The reasoning beside one value where a difference is asked for."""
_YEAR_BEFORE = re.compile(r"(?:in )?the year before\s*", re.I)
_PREPOSITION = re.compile(r"\b(?:at the (?:end|beginning|start) of|in|on|at|during|for|by)\s+(?:the\s+)?$", re.I)


@dataclass(frozen=True, slots=True)
class NumberPair:
    """Two questions for a number each, in order.

    `more` is false where it is asked how many fewer the first tells of.
    """

    first: Question
    second: Question
    more: bool = True

    def __iter__(self) -> Iterator[Question]:
        return iter((self.first, self.second))


def difference(question: Question) -> NumberPair | None:
    """Take a question apart that asks for a difference, else nothing.

    Example:
        >>> from datetime import UTC, datetime
        >>> asked = decompose("How many more boats came in 2023 than in 2022?", as_of=datetime(2024, 5, 1, tzinfo=UTC))
        >>> found = difference(asked)
        >>> found.first.text, found.second.text
        ('How many boats came in 2023?', 'How many boats came in 2022?')
    """
    found = _THAN.fullmatch(question.text)
    if found is None or found["head"].lower().split()[-1] == "times":
        return None
    first = f"{found['head']}{found['rest']}?"
    second = _at_other(first, found["other"], question.as_of)
    if second is None:
        return None
    one, other = (decompose(text, as_of=question.as_of) for text in (first, second))
    return NumberPair(one, other, more=found["word"].lower() == "more")


def asks_difference(question: Question) -> bool:
    """Return whether a difference is asked for, planned or not."""
    return _ASKS.match(question.text) is not None


def unplanned(reading: Reading) -> Reading:
    """Return a reading of one value, doubted."""
    doubted = [one.model_copy(update={"probability": _DOUBT * one.probability}) for one in reading.candidates]
    return reading.model_copy(
        update={
            "probability": _DOUBT * reading.probability,
            "no_answer": 1 - _DOUBT * (1 - reading.no_answer),
            "candidates": tuple(doubted),
            "reasoning": UNPLANNED,
        }
    )


def _at_other(text: str, other: str, as_of: datetime) -> str | None:
    """Return a question with its last time replaced by another."""
    times = _times(text, as_of)
    if not times or times[-1].interval is None:
        return None
    time, start = times[-1], times[-1].interval.start
    if _YEAR_BEFORE.fullmatch(other) and start is not None:
        year = civil_from_days(start // DAY)[0]
        earlier = time.text.replace(str(year), str(year - 1)) if str(year) in time.text else str(year - 1)
        return f"{text[: time.start]}{earlier}{text[time.end :]}"
    # A month or day without a year is of the first time's; "last year" is of the asking day's.
    dated = not MONTHS.keys().isdisjoint(words(other))
    others = _times(other, times[-1].interval if dated else as_of)
    if not others:
        return None
    before, theirs = (_PREPOSITION.search(one, 0, at.start) for one, at in ((text, time), (other, others[0])))
    relative = not dated and not any(map(str.isdigit, others[0].text))
    begin = before.start() if before and (theirs or relative) else time.start
    said = other[theirs.start() if theirs else others[0].start : others[0].end]
    return f"{text[:begin]}{said}{_year_of(others[0], as_of)}{text[time.end :]}"


def _year_of(time: TimeExpression, as_of: datetime) -> str:
    """Return the year to be written behind a time without one."""
    alone = _times(time.text, as_of)
    if time.interval is None or time.interval.start is None or (alone and alone[0].interval == time.interval):
        return ""
    return f" {civil_from_days(time.interval.start // DAY)[0]}"


def _times(text: str, anchor: datetime | Interval) -> list[TimeExpression]:
    found = find_expressions(text, anchor=anchor if isinstance(anchor, Interval) else Interval.of_moment(anchor))
    return [one for one in found if one.interval is not None and one.kind in ("date", "range")]


def subtract(plan: NumberPair, first: Reading, second: Reading) -> Reading | None:
    """Return the difference of two readings, with the evidence of both.

    Of all pairs of their candidates with different numbers the likeliest: where one number is read for both, one of them is wrong.
    `None` where there is no such pair. A difference against the question's word says so: "15 fewer".

    Example:
        >>> from datetime import UTC, datetime
        >>> asked = decompose("How many more boats came in 2023 than in 2022?", as_of=datetime(2024, 5, 1, tzinfo=UTC))
        >>> read = [Reading(answer=one, candidates=(Candidate(answer=one, probability=1.0),)) for one in ("40", "55")]
        >>> subtract(difference(asked), *read).answer
        '15 fewer'
    """
    pairs = [
        (one.probability * other.probability, one, other, number - less)
        for one in first.candidates
        for other in second.candidates
        if (number := _number(one.answer)) is not None
        and (less := _number(other.answer)) is not None
        and number != less
    ]
    if not pairs:
        return None
    likely, one, other, number = max(pairs, key=lambda pair: pair[0])
    against = "" if (number > 0) == plan.more else " fewer" if plan.more else " more"
    answer = f"{abs(number):,.10g}{against}"
    sources = tuple(dict.fromkeys((*one.evidence_ids[:1], *other.evidence_ids[:1])))
    return Reading.of(
        [Candidate(answer=answer, probability=likely, evidence_ids=sources)],
        no_answer=max(first.no_answer, second.no_answer),
        reasoning=f"{plan.first.text} {one.answer}. {plan.second.text} {other.answer}.",
    )


def _number(text: str) -> float | None:
    found = [one for one in quantities(text, dates=True) if one.kind != "date"]
    return found[0].value if len(found) == 1 else None
