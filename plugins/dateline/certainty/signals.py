"""Signals of a local reading that estimate its certainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dateline.handwritten.reading.timing import fit
from dateline.language.answer_type import AnswerKind, answer_type
from dateline.records import Candidate, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.expressions import spans_of
from dateline.temporal.interval import DAY
from dateline.text.sentences import split_sentences
from dateline.text.words import content_words, share_held, word_f1

_SAME = 0.6
"""From this likeness on two answers are one: the F1 of their words."""
_TYPICAL = 5
"""Words of a long answer."""


@dataclass(frozen=True, slots=True)
class Signals:
    """The signals of one reading, each from 0 to 1.

    Attributes:
        probability: the reader's own.
        margin: its lead over the second candidate.
        no_answer: the reader's own probability that nothing there answers.
        agreement: how far the other pieces say the same: of those read alone the mean probability that they give this
            answer; of those read together the answer's share of its own and its rival's.
        rivalry: the highest probability that another answer has: in another piece read alone, or beside this one.
        freshness: 1 when the newest dated evidence is the answer's own, 0 when only a rival's is newer, else between.
        timely: how well a time in the answer's sentence fits the time asked for; 0.5 when it names none.
        overlap: share of the question's content that stands in the answer's sentence, title included.
        nearby: the same of the whole piece.
        typed: whether the answer looks like what is asked for.
        echo: share of the answer that the question holds already.
        length: of the answer, in words; 1 for five or more.
        place: 0 where the answer's piece was found first, towards 1 for those behind it.
        joint: the probability that this answer has when all the pieces are read at once; 0 where they were not.
        person: whether the question asks for a person, whose names are cut out whole.
    """

    probability: float
    margin: float
    no_answer: float
    agreement: float
    rivalry: float
    freshness: float
    timely: float
    overlap: float
    nearby: float
    typed: float
    echo: float
    length: float
    place: float
    joint: float
    person: float


def signals(
    question: Question,
    *,
    evidence: Sequence[Evidence],
    reading: Reading,
    others: Sequence[Reading] = (),
    joint: Reading | None = None,
    place: int = 0,
) -> Signals:
    """Return the signals of one reading.

    Evidence dated after the question counts as undated; what is announced for a later day is no rival of what holds.

    Args:
        others: what was read in other pieces, each alone, when `evidence` is one piece of several.
        joint: what was read in all of these pieces at once.
        place: how many pieces were found before the first of `evidence`.
    """
    rivals = [
        one for one in reading.candidates if not same(one.answer, reading.answer) and not _is_to_come(one, reading)
    ]
    second = rivals[0].probability if rivals else 0.0
    own = set(reading.evidence_ids)
    ahead = place + next((number for number, piece in enumerate(evidence) if piece.id in own), 0)
    theirs = set(rivals[0].evidence_ids) - own if rivals else set()
    pieces = [piece for piece in evidence if piece.id in own] or list(evidence)
    sentence, piece = _stated(reading.answer, pieces)
    content = set(content_words(question.timeless))
    said = content_words(reading.answer)
    kind = answer_type(question.text).kind
    return Signals(
        probability=reading.probability,
        margin=max(0.0, reading.probability - second),
        no_answer=reading.no_answer,
        agreement=_backing(reading.answer, others) if others else (len(own) / len(own | theirs) if own else 0.0),
        rivalry=_contested(reading.answer, others) if others else second,
        freshness=_fresh(question, evidence, own, theirs),
        timely=_timely(sentence, piece, question),
        overlap=share_held(content, text=f"{piece.title} {sentence}" if piece else sentence),
        nearby=share_held(content, text=f"{piece.title} {piece.text}" if piece else ""),
        typed=_typed(reading.answer, kind),
        echo=sum(word in set(content_words(question.text)) for word in said) / len(said) if said else 0.0,
        length=min(1.0, len(reading.answer.split()) / _TYPICAL),
        place=1 - 1 / (1 + ahead),
        joint=_given(reading.answer, joint) if joint else 0.0,
        person=float(kind == "person"),
    )


def same(answer: str, other: str) -> bool:
    """Return true where two wordings name one answer."""
    return word_f1(answer, other) >= _SAME


def _is_to_come(candidate: Candidate, reading: Reading) -> bool:
    return reading.announced is not None and same(candidate.answer, reading.announced.answer)


def _backing(answer: str, others: Sequence[Reading]) -> float:
    """Return the mean probability that other documents give this answer."""
    return sum(_given(answer, other) for other in others) / len(others)


def _given(answer: str, reading: Reading) -> float:
    """Return the probability that a reading gives this answer."""
    return min(1.0, sum(one.probability for one in reading.candidates if same(one.answer, answer)))


def _contested(answer: str, others: Sequence[Reading]) -> float:
    """Return the highest probability of another answer elsewhere."""
    return max((other.probability for other in others if other.answer and not same(other.answer, answer)), default=0.0)


def _stated(answer: str, pieces: Sequence[Evidence]) -> tuple[str, Evidence | None]:
    """Return the sentence that holds the answer, and its document."""
    for piece in pieces:
        place = piece.text.find(answer) if answer else -1
        if place >= 0:
            found = [one for one in split_sentences(piece.text) if one.start <= place < one.end]
            return (found[0].text if found else piece.text), piece
    return "", pieces[0] if pieces else None


def _timely(sentence: str, piece: Evidence | None, question: Question) -> float:
    published = piece.published if piece else None
    times = spans_of(sentence, published)
    return max((fit(time, question) for time in times), default=fit(published, question))


def _typed(answer: str, kind: AnswerKind) -> float:
    """Score the type: 1.0 expected, 0.0 another, 0.5 unknown."""
    digits, capital = any(map(str.isdigit, answer)), any(part[:1].isupper() for part in answer.split())
    match kind:
        case "date" | "count" | "money" | "measure" | "version":
            return float(digits)
        case "person" | "place":
            return float(capital and not digits)
        case "name":
            return float(capital)
        case _:
            return 0.5


def _fresh(question: Question, evidence: Sequence[Evidence], own: set[str], theirs: set[str]) -> float:
    """Score freshness: 1.0 without a newer rival, else less.

    0.5 when nothing is dated; a rival that is a year newer leaves a third.
    """
    asked_on = int(question.as_of.timestamp()) + DAY
    dates = {
        piece.id: piece.published.start
        for piece in evidence
        if piece.published is not None and piece.published.start is not None and piece.published.start <= asked_on
    }
    mine = max((dates[one] for one in own if one in dates), default=None)
    rival = max((dates[one] for one in theirs if one in dates), default=None)
    if mine is None:
        return 0.5 if rival is None else 0.25
    if rival is None or mine >= rival:
        return 1.0
    return 1 / (1 + 2 * (rival - mine) / (365 * DAY))
