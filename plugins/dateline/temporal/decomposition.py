"""Rule-based question decomposition: content, constraint, ordinal (MRAG, section 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dateline.encodable import encodable
from dateline.errors import BadInput
from dateline.limits import checked_question
from dateline.temporal.as_of import AsOf, Clock, is_given, now, read_moment
from dateline.temporal.clauses import asking_part, dates_a_thing, is_nested, supposed
from dateline.temporal.constraint import Constraint, Ordinal, Question
from dateline.temporal.european_phrases import compares, foreign_ordinal, foreign_phrases
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval
from dateline.temporal.languages_told import LANGUAGES, checked_languages, told
from dateline.temporal.ordinals import find_ordinal
from dateline.temporal.phrases import Phrase, bounded, closes, find_phrases, opens
from dateline.temporal.vocabulary import ENGLISH, Vocabulary

_COMPARISON = re.compile(
    r"\b(?:(?<!later )(?<!earlier )than|compared (?:to|with)|in comparison (?:to|with)|versus|vs|differences? between|same as|change[ds]? between)\b",
    re.I,
)

_MOST_PHRASES, _LONGEST_CLAUSE = 6, 400
"""A question with more times than this, or clauses with more characters, is not weighed in detail."""


def question_text(text: str) -> str:
    """Return a question without surrounding space.

    Raises `BadInput` for an empty or too long one.
    """
    return _filled(encodable(text.strip()))


def asked_question(question: str | Question, *, as_of: AsOf, clock: Clock = now) -> Question:
    """Take a question apart as of a moment.

    One that is taken apart already keeps its own moment where none is given. As of another, its times are read anew,
    unless something else than the rules took it apart.

    Raises:
        BadInput: for a question without words, or a moment that cannot be read or is later than the clock's.
    """
    if isinstance(question, str):
        return decompose(question_text(question), as_of=read_moment(as_of, clock=clock))
    moment = read_moment(as_of, clock=clock) if is_given(as_of) else question.as_of
    if moment == question.as_of:
        return question
    by_rules = decompose(question.text, as_of=question.as_of) == question
    return decompose(question.text, as_of=moment) if by_rules else replace(question, as_of=moment)


def decompose(
    text: str, *, as_of: datetime, fiscal_year_start: int = 1, languages: Sequence[str] = LANGUAGES
) -> Question:
    """Split a question into main content, constraint and ordinal.

    Relative times are read against `as_of`. A question with several constraints of equal rank or a comparison is kept
    whole: its content is the text itself, its constraint the merged range ("after 2005 and before 2010") or `None`. A
    date that belongs to a name or to a subordinate clause ("the institute founded in 1969") stays content.

    Fiscal years start with the month `fiscal_year_start` and are named by the year in which they end. `languages` are
    those in which questions may be asked, told by their words; the first where nothing speaks for another.

    Raises:
        BadInput: for a text without a visible character, one that is too long, an `as_of` without time zone, a month
            outside 1 to 12, or an unknown language.
    """
    if not isinstance(text, str):
        raise BadInput(f"A question must be text, not a {type(text).__name__}; give its text.")
    vocabulary = told(_filled(text), checked_languages(languages))
    parse = _Parse.of(text, as_of=as_of, fiscal_year_start=fiscal_year_start, vocabulary=vocabulary)
    chosen = parse.chosen()
    if chosen is None:
        constraint = parse.merged()
        ordinal = _ordinal(parse.untimed(), constraint, vocabulary=vocabulary)
        return Question(text, text.strip(), constraint and replace(constraint, ordinal=ordinal), as_of, ordinal)
    content = _without(text, chosen.start, chosen.end)
    if not any(map(str.isalnum, content)):
        content = text.strip()  # nothing but a time was asked
    words = text[chosen.start : chosen.end].strip(" ,")
    constraint = Constraint(chosen.relation, chosen.interval, text=words)
    ordinal = _ordinal(content, constraint, vocabulary=vocabulary)
    return Question(text, content, replace(constraint, ordinal=ordinal), as_of, ordinal)


def _filled(text: str) -> str:
    """Return a question that is neither empty nor too long."""
    if not text.strip():
        raise BadInput(
            "The question is empty; ask one with at least one visible character, "
            "for instance: Who is the Prime Minister of Japan?"
        )
    return checked_question(text)


def _ordinal(text: str, constraint: Constraint | None, *, vocabulary: Vocabulary) -> Ordinal | None:
    if vocabulary is ENGLISH:
        return find_ordinal(text, constraint=constraint)
    return foreign_ordinal(text, constraint=constraint, vocabulary=vocabulary)


@dataclass(frozen=True, slots=True)
class _Parse:
    """A question's text with its relation phrases.

    Attributes:
        text: the question.
        phrases: its relation phrases, in order.
        compared: whether it compares several times.
        start: where the sentence that asks begins.
    """

    text: str
    phrases: list[Phrase]
    compared: bool
    start: int

    @classmethod
    def of(cls, text: str, *, as_of: datetime, fiscal_year_start: int, vocabulary: Vocabulary) -> _Parse:
        """Find the time expressions of a question and their relation phrases."""
        expressions = find_expressions(
            text,
            anchor=Interval.of_moment(as_of),
            ranges="closed",
            fiscal_year_start=fiscal_year_start,
            languages=(vocabulary.code,),
            asked=True,
        )
        several = sum(found.kind in ("date", "range") for found in expressions) > 1
        if vocabulary is ENGLISH:
            compared = several and _COMPARISON.search(text) is not None
            return cls(text, find_phrases(text, expressions), compared, asking_part(text))
        phrases = foreign_phrases(text, expressions, vocabulary=vocabulary)
        return cls(text, phrases, several and compares(text, phrases, vocabulary=vocabulary), 0)

    def chosen(self) -> Phrase | None:
        """Return the main clause's only constraint, or `None`."""
        if self.compared:
            return self._as_of_alone(self.phrases)
        asked = self._asked()
        if not 0 < len(asked) <= _MOST_PHRASES:
            return None
        if len(asked) == 1:
            within = asked[0].relation != "as_of" and dates_a_thing(self._head(asked[0]))
            return None if within else asked[0]
        if self._adjacent(asked):
            return None
        main = [phrase for phrase in asked if not is_nested(self._head(phrase))]
        if len(main) == 1:
            return main[0]
        if not main and self._is_outer(asked[-1]):
            return asked[-1]
        return self._as_of_alone(asked)

    def merged(self) -> Constraint | None:
        """Merge a lower and an upper bound into one range."""
        interval = bounded(self.phrases)
        if interval is None or self.compared:
            return None
        first, last = min(each.start for each in self.phrases), max(each.end for each in self.phrases)
        return Constraint("between", interval, text=self.text[first:last].strip(" ,"))

    def untimed(self) -> str:
        """Return the question without what it says about time."""
        starts = [0, *(phrase.end for phrase in self.phrases)]
        ends = [*(phrase.start for phrase in self.phrases), len(self.text)]
        return " ".join(self.text[start:end].strip() for start, end in zip(starts, ends, strict=True))

    def _asked(self) -> list[Phrase]:
        """Return the phrases that state facts, preferring the sentence that asks."""
        opens, closes = supposed(self.text)
        real = [phrase for phrase in self.phrases if not opens <= phrase.start < closes]
        return [phrase for phrase in real if phrase.start >= self.start] or real

    def _head(self, phrase: Phrase) -> str:
        """Return the text before a phrase, within its sentence."""
        return self.text[max(self.start, phrase.start - _LONGEST_CLAUSE) : phrase.start]

    def _as_of_alone(self, phrases: Sequence[Phrase]) -> Phrase | None:
        """Return the only "as of" that encloses the whole question."""
        outer = [phrase for phrase in phrases if phrase.relation == "as_of" and self._is_outer(phrase)]
        return outer[0] if len(outer) == 1 else None

    def _adjacent(self, phrases: Sequence[Phrase]) -> bool:
        """Return whether two adjacent phrases bound one interval.

        For example "after 2005 and before 2010".
        """
        if len(phrases) != 2 or bounded(phrases) is None:
            return False
        return self.text[phrases[0].end : phrases[1].start].strip(" ,") in ("", "and", "but", "yet")

    def _is_outer(self, phrase: Phrase) -> bool:
        return opens(self.text, phrase.start) or closes(self.text, phrase.end)


def _without(text: str, start: int, end: int) -> str:
    """Return the text with one stretch cut out and its seam tidied."""
    head, tail = text[:start].rstrip(), text[end:].lstrip()
    if not head:
        tail = tail.lstrip(" ,:")
        return tail[:1].upper() + tail[1:] if text[:1].isupper() else tail
    if head.endswith("(") and tail.startswith(")"):
        head, tail = head[:-1].rstrip(), tail[1:].lstrip()
    if head.endswith(",") and tail.startswith(","):
        head, tail = head[:-1].rstrip(), tail[1:].lstrip()
    if head.endswith(",") and (not tail or tail[0] in ",?.!"):
        head = head[:-1].rstrip()
    joint = "" if not (head and tail) or tail[0] in "?!.,;:" or head[-1] in "¿¡(" else " "
    return f"{head}{joint}{tail}".strip()
