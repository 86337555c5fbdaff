"""A trigger for facts that may have changed since training.

RIND and FLARE detect doubt. A model trained in 2023 still names the office holder of that year, without any doubt, when
asked in 2025. Dates decide what it can know: a name, number or date in an answer about a time after its training is not
to be trusted, however probable it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import Literal, NamedTuple

from dateline.dynamic.answer import GeneratedAnswer
from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing, Trigger
from dateline.dynamic.words import Word, words_of
from dateline.errors import BadInput
from dateline.handwritten.facts.role import read_role
from dateline.temporal.constraint import Question
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import DAY, Interval, seconds_of
from dateline.temporal.pace import how_fast

Kind = Literal["holder", "name", "number", "date"]
"""What a word of the answer claims: who holds an office that is spoken of, another name, a number, a time."""


class DatedClaim(NamedTuple):
    """A word that may be outdated, and its claim's first token."""

    word: Word
    kind: Kind
    position: int


@dataclass(frozen=True)
class Outdated(Trigger):
    """Fires at names, numbers and dates that may have changed since training.

    A claim's score is the weight of its kind x staleness: the chance that the answer to the question has changed after so
    many days (`dateline.temporal.how_fast`). Days count from `known_until` to the time asked about: the end of the
    question's constraint, its start where the first of something is asked for, else the asking date. Nothing fires for a
    time that the model can know about. Words of the question, of the documents in front and of the earlier answer are no
    new claims. The defaults were chosen by hand. Needs an asking date (`as_of`).

    Attributes:
        known_until: the newest time in the training data, as the makers state it (`Interval.parse("2023-12")`).
        threshold: 0 to 1; what exceeds it fires.
        holders, names, numbers, dates: the weights of the kinds, 0 to 1.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline.temporal import Interval, decompose
        >>> trigger = Outdated(known_until=Interval.parse("2023-12"))
        >>> trigger.staleness(decompose("Who leads it?", as_of=datetime(2025, 12, 31, tzinfo=UTC))) > 0.49
        True
    """

    known_until: Interval
    threshold: float = 0.3
    holders: float = 1.0
    names: float = 0.6
    numbers: float = 0.7
    dates: float = 0.7

    name = "outdated"

    def __post_init__(self) -> None:
        if self.known_until.end is None:
            raise BadInput(
                "known_until must have an end; write the model's training date, as Interval.parse('2023-12')."
            )
        for field in ("threshold", "holders", "names", "numbers", "dates"):
            if not 0 <= getattr(self, field) <= 1:
                raise BadInput(f"{field} must lie between 0 and 1, not {getattr(self, field)}.")

    @property
    def horizon(self) -> int | None:
        """Length of a long name in tokens."""
        return 24

    def check(self, question: Question | None) -> None:
        """Require an asking date.

        Raises:
            BadInput: without one.
        """
        if question is None:
            raise BadInput("The trigger Outdated needs to know the asking date; pass as_of= to generate.")

    def staleness(self, question: Question, *, kind: Kind | None = None) -> float:
        """Return the chance that the answer has changed since training.

        What is asked of one time among others does change, and so do the holders of offices.
        """
        assert self.known_until.end is not None
        pace = how_fast(question.content)
        days = (asked_about(question) - self.known_until.end) / DAY
        return (pace.changing if kind == "holder" or question.constraint is not None else pace).outdated(days=days)

    def chosen(self, progress: Progress) -> Firing | None:
        """Judge the words that the newest token completed."""
        question = progress.question
        if question is None or not len(progress.answer):
            return None
        if self.staleness(question, kind="holder") <= self.threshold:  # the stalest kind
            return None
        weights = {"holder": self.holders, "name": self.names, "number": self.numbers, "date": self.dates}
        for claim in new_claims(progress):
            score = weights[claim.kind] * self.staleness(question, kind=claim.kind)
            if score > self.threshold and claim.position >= progress.floor:
                reason = f'"{claim.word.text}" ({claim.kind}) may have changed since {self.known_until}'
                token = progress.answer.token_at(claim.word.start)
                return Firing(claim.position, score, self.name, reason, token)
        return None


def asked_about(question: Question) -> int:
    """Return the second at which the answer must be true.

    This is the end of the period asked about, or its start when the first of something is asked for.
    """
    window = question.effective_constraint().window()
    asking = seconds_of(question.as_of.astimezone(UTC))
    if question.ordinal == "first":
        # The first of all times does not change any more.
        return asking if window.start is None and question.constraint is not None else min(window.start or 0, asking)
    return asking if window.end is None else min(window.end, asking)


def new_claims(progress: Progress) -> list[DatedClaim]:
    """Return the claims that the newest token completed, in order."""
    answer = progress.answer
    since, end = answer.starts[-1], len(answer.text) if answer.cut is None else answer.cut
    whole = [
        (number, word)
        for number, word in enumerate(answer.words)
        if since <= word.end <= end and answer.completes(word)
    ]
    if not any(_claims(word.text) for _, word in whole):
        return []
    known = _known_words(progress)
    found = []
    for number, word in whole:
        kind = _kind(progress, answer, word) if _claims(word.text) and _folded(word) not in known else None
        earlier = {_folded(each) for each in answer.words[:number]}
        if kind is not None and _folded(word) not in earlier:
            date = _date(answer, word)
            start = _start(answer, number, known) if date is None else date
            found.append(DatedClaim(word, kind, answer.word_start(answer.token_at(start))))
    return found


def _claims(text: str) -> bool:
    return any(map(str.isdecimal, text)) or (text[0].isupper() and len(text) > 1)


def _folded(word: Word) -> str:
    return word.text.casefold()


def _known_words(progress: Progress) -> set[str]:
    """Return the words of the question and the documents in front."""
    return {_folded(word) for text in progress.given for word in words_of(text)}


def _kind(progress: Progress, answer: GeneratedAnswer, word: Word) -> Kind | None:
    if _date(answer, word) is not None:
        return "date"
    start = _sentence_start(answer, word)
    text = answer.text[start:]
    if any(map(str.isdecimal, word.text)):
        return "number"
    if not word.is_content or not answer.text[start : word.start].strip():
        return None  # a sentence begins with a capital whatever its first word is
    return "holder" if _speaks_of_office(progress.text) or _speaks_of_office(text) else "name"


def _date(answer: GeneratedAnswer, word: Word) -> int | None:
    """Return where a word's date begins, `None` if it has none."""
    start = _sentence_start(answer, word)
    for found in find_expressions(answer.text[start:]):
        if found.kind in ("date", "range") and found.start + start < word.end and word.start < found.end + start:
            return found.start + start
    return None


def _sentence_start(answer: GeneratedAnswer, word: Word) -> int:
    sentence = answer.sentences()[-1] if answer.over else answer.sentence(answer.token_at(word.start))
    return answer.starts[sentence.first] if len(answer) > sentence.first else 0


def _speaks_of_office(text: str) -> bool:
    return any(read_role(text, word.start) is not None for word in words_of(text))


def _start(answer: GeneratedAnswer, number: int, known: set[str]) -> int:
    """Return the first character of the name that a word belongs to."""
    words = answer.words
    while (
        number > 0
        and words[number].text[0].isupper()
        and words[number - 1].text[0].isupper()
        and words[number - 1].is_content
        and _folded(words[number - 1]) not in known
        and not answer.text[words[number - 1].end : words[number].start].strip()
    ):
        number -= 1
    return words[number].start
