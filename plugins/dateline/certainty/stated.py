"""Evidence that states an answer, and speaks of what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dateline.language.calendar import MONTH_NAMES
from dateline.records import Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.interval import moment_of
from dateline.text.words import content_words

_YES = {"yes"}
"""Stands in no evidence that says so; "no" is a function word."""


def holding(answer: str, *, question: Question, evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the pieces that hold an answer's own words.

    Its own are those that the question does not hold: of "The director is Bo Lind." they are "Bo" and "Lind".
    A model is shown a piece's date beside it, and may name it.
    """
    own = set(content_words(answer)) - set(content_words(question.text)) - _YES
    return [piece for piece in evidence if own <= _said([piece]) | _dated(piece)]


def standing_on(reading: Reading, *, question: Question, evidence: Sequence[Evidence]) -> Reading:
    """Place the answer of a chain on the pieces that hold it.

    It gives its answer alone, and was shown them all: on all it stands where none holds it.
    """
    found = holding(reading.answer, question=question, evidence=evidence) if reading.answer.strip() else []
    return reading.model_copy(update={"evidence_ids": tuple(piece.id for piece in found)}) if found else reading


def is_stated(answer: str, *, question: Question, evidence: Sequence[Evidence]) -> bool:
    """Return whether a piece that speaks of the matter holds the answer.

    Example:
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who is the director of the mill?", as_of=now())
        >>> note = Evidence.make("The mill has a new director, Bo Lind.")
        >>> [is_stated(one, question=question, evidence=[note]) for one in ("Director Bo Lind.", "Ada Berg", "")]
        [True, False, False]
    """
    found = holding(answer, question=question, evidence=evidence) if answer.strip() else []
    return any(_speaks(question, piece) for piece in found)


def _speaks(question: Question, piece: Evidence) -> bool:
    """Return whether a piece speaks of what is asked.

    It holds the question's first word, its names and half of its words. The first word behind "who is the"
    or "the name of" is what is asked for, as "king" is.
    """
    asked = [word for word in _words(question) if word.lower() != "name"]
    missing = [word for word in _unheld(question, [piece]) if word in asked]
    if not missing:
        return True
    return asked[0] != missing[0] and not _names(question, missing) and 2 * len(missing) <= len(asked)


def unsaid(question: Question, evidence: Sequence[Evidence]) -> list[str]:
    """Return what no piece speaks of: names, or half of the question.

    Of a word or two without a name, others may stand in their place.
    """
    missing = missing_words(question, evidence)
    half = 2 * len(missing) >= len(_words(question))
    return missing if half else _names(question, missing)


def missing_words(question: Question, evidence: Sequence[Evidence]) -> list[str]:
    """Return a question's words that no piece holds, past verbs aside."""
    return [word for word in _unheld(question, evidence) if not word.endswith("ed")]


def _unheld(question: Question, evidence: Sequence[Evidence]) -> list[str]:
    said = _said(evidence)
    return [word for word, stems in _words(question).items() if said.isdisjoint(stems)]


def _names(question: Question, words: Sequence[str]) -> list[str]:
    return [word for word in words if word[0].isupper() and not question.timeless.startswith(word)]


def _said(evidence: Sequence[Evidence]) -> set[str]:
    return {stem for piece in evidence for stem in content_words(f"{piece.title} {piece.text}")}


def _dated(piece: Evidence) -> set[str]:
    """Return the words in which a piece's first day is told."""
    if piece.published is None or piece.published.start is None:
        return set()
    day = moment_of(piece.published.start)
    # By name, since `strftime` speaks the machine's language.
    month = MONTH_NAMES[day.month - 1]
    return {*content_words(f"{month} {month[:3]} {day.day} {day.year}")}


def _words(question: Question) -> dict[str, list[str]]:
    """Map a question's words to their stems, the one behind "how" aside."""
    asked = [word.strip("\"'“”’.,;:!?()") for word in question.timeless.split()]
    asked = [word for before, word in pairwise(["", *asked]) if before.lower() != "how"]
    return {word: stems for word in asked if (stems := content_words(word.removesuffix("'s").removesuffix("’s")))}
