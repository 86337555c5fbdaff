"""Dates that answers lack: of "when", and of a vacancy."""

from __future__ import annotations

from collections.abc import Sequence

from dateline.language.answer_type import answer_type
from dateline.language.calendar import WEEKDAYS
from dateline.reading.vacancy import NOBODY, vacant_since
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval
from dateline.text.words import content_words, words

_FINER = ("second", "minute", "hour")


def dated_answer(answer: str, *, question: Question, evidence: Sequence[Evidence]) -> str:
    """Return an answer with its date behind it, where one is needed.

    Whoever reads "1 August" or "last week" does not see of which year the text was. A day of the week alone is left: mostly each
    such day is meant. Where nobody holds a post, the day stands there from which it is vacant, where that is told.

    Args:
        evidence: what the answer stands on, the best first.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("When did the mill close?", as_of=now())
        >>> note = Evidence.make("The mill closed on 1 August.", published=Interval.parse("2024-08-05"))
        >>> [dated_answer(answer, question=question, evidence=[note]) for answer in ("1 August", "The mill")]
        ['1 August (2024-08-01)', 'The mill']
    """
    if answer == NOBODY:
        since = vacant_since(question, evidence=evidence)
        return f"{answer} (since {since})" if since else answer
    if not _is_open(answer) or answer_type(question.text).kind != "date":
        return answer
    told = next((time for piece in evidence if (time := _time_of(answer, piece)) is not None), None)
    return answer if told is None else f"{answer} ({told.isoformat()})"


def _is_open(answer: str) -> bool:
    """Check for a date that is understood only beside another."""
    found = find_expressions(answer)
    if (
        len(found) != 1
        or found[0].kind not in ("date", "reference")
        or content_words(answer.replace(found[0].text, ""))
    ):
        return False
    return found[0].interval is None and not all(word in WEEKDAYS for word in words(found[0].text))


def _time_of(answer: str, piece: Evidence) -> Interval | None:
    place = piece.text.find(answer)
    # Of "since 1 August" the day alone, not all that comes after.
    times = find_expressions(piece.text, anchor=piece.published, ranges="none") if place >= 0 else []
    told = next((one.interval for one in times if one.start < place + len(answer) and place < one.end), None)
    return None if told is None or told.granularity in _FINER else told
