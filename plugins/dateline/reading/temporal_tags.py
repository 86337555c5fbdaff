"""Temporal features of the small reader: each token's position in time.

A model of twenty million weights does not calculate with dates, but rules do. So every sentence, every
time expression and the day of publication are compared with the question's time beforehand, and the model
receives the outcome as one of `MARKS` codes for each token, added to the token's embedding.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from dateline.evidence.knowledge import best_dated
from dateline.records import Evidence
from dateline.remember import remember
from dateline.temporal.constraint import Question
from dateline.temporal.expressions import placed_times
from dateline.temporal.interval import Interval
from dateline.text.sentences import split_sentences
from dateline.text.words import words

COVERS, MEETS, LAST_BEFORE, BEFORE, FIRST_AFTER, AFTER = range(1, 7)
"""Position of a time relative to the question's interval: it covers it, meets (overlaps) it, is the last or an earlier
one before it, the first or a later one after it. Last and first: of all times under the same title; of all days of
publication of evidence as close to the question."""

OWN, BORROWED, EXPRESSION, PUBLISHED = 0, 6, 12, 18
"""Offset of a code by the thing it tags: a sentence with a time of its own, a sentence after one, the words of a time
expression, the title (by the day of publication)."""

UNMARKED = 0
MARKS = 25
"""The number of codes, `UNMARKED` included."""

_CLOSE = 0.75
"""Evidence that names less of the question's words than this share of the best is about something else."""

_BEST_FIRST = (COVERS, MEETS, LAST_BEFORE, FIRST_AFTER, BEFORE, AFTER)
"""Of several times in a sentence the one that tells the most."""


class TemporalTag(NamedTuple):
    """Code of the characters `start:end` of a text."""

    start: int
    end: int
    code: int


@dataclass(frozen=True, slots=True)
class TaggedEvidence:
    """Temporal tags of one piece of evidence.

    Wider tags of the text come before narrower ones; the title has one of its own.
    """

    text: tuple[TemporalTag, ...]
    title: int


@dataclass(frozen=True, slots=True)
class DatedText:
    """The sentences of a text and its time expressions: (start, end, interval)."""

    sentences: tuple[tuple[int, int], ...]
    times: tuple[tuple[int, int, Interval], ...]

    def sentence_at(self, place: int) -> int:
        """Return the number of the sentence that holds a character.

        -1 before the first.
        """
        return bisect_right(self.sentences, place, key=itemgetter(0)) - 1


def tag(question: Question, *, evidence: Sequence[Evidence]) -> list[TaggedEvidence]:
    """Tag each piece of evidence, in order."""
    asked = question.effective_constraint().interval
    dated = [read_times(piece.text, piece.published) for piece in evidence]
    by_title: dict[str, list[Interval]] = defaultdict(list)
    for piece, found in zip(evidence, dated, strict=True):
        by_title[piece.title] += [interval for _, _, interval in found.times]
    edges = {title: _Edges.of(intervals, asked) for title, intervals in by_title.items()}
    close = close_to(question, evidence)
    days = {
        side: _Edges.of(_days([one for one, near in zip(evidence, close, strict=True) if near is side]), asked)
        for side in (True, False)
    }
    return [
        TaggedEvidence(
            text=tuple(_tags(found, asked, edges[piece.title])),
            title=UNMARKED if piece.published is None else PUBLISHED + days[near].relation(piece.published, asked),
        )
        for piece, found, near in zip(evidence, dated, close, strict=True)
    ]


def _days(evidence: Sequence[Evidence]) -> list[Interval]:
    """Return the days of publication.

    One that stands in a text is not the last beside better ones.
    """
    return [
        piece.published
        for piece, best in zip(evidence, best_dated(evidence), strict=True)
        if best and piece.published is not None
    ]


def close_to(question: Question, evidence: Sequence[Evidence]) -> list[bool]:
    """Select the evidence that names nearly as much as the best."""
    asked = set(words(question.content))
    named = [len(asked & set(words(f"{piece.title} {piece.text}"))) for piece in evidence]
    most = max(named, default=0)
    return [count >= _CLOSE * most for count in named]


class _Edges(NamedTuple):
    """Latest start before the question's interval, earliest start after it."""

    before: int | None
    after: int | None

    @classmethod
    def of(cls, intervals: Sequence[Interval], asked: Interval) -> _Edges:
        before = [one.start for one in intervals if one.before(asked) and one.start is not None]
        after = [one.start for one in intervals if one.after(asked) and one.start is not None]
        return cls(max(before, default=None), min(after, default=None))

    def relation(self, time: Interval, asked: Interval) -> int:
        if time.before(asked):
            return LAST_BEFORE if time.start == self.before else BEFORE
        if time.after(asked):
            return FIRST_AFTER if time.start == self.after else AFTER
        return COVERS if time.contains(asked) else MEETS


@remember
def read_times(text: str, published: Interval | None) -> DatedText:
    return DatedText(
        sentences=tuple((one.start, one.end) for one in split_sentences(text)),
        times=tuple(placed_times(text, published)),
    )


def _tags(dated: DatedText, asked: Interval, edges: _Edges) -> Iterator[TemporalTag]:
    borrowed = UNMARKED
    for start, end in dated.sentences:
        within = slice(*(bisect_left(dated.times, edge, key=itemgetter(0)) for edge in (start, end)))
        codes = [edges.relation(time, asked) for _, _, time in dated.times[within]]
        if codes:
            yield TemporalTag(start, end, OWN + min(codes, key=_BEST_FIRST.index))
            borrowed = BORROWED + codes[-1]
        elif borrowed:
            yield TemporalTag(start, end, borrowed)
    for start, end, time in dated.times:
        yield TemporalTag(start, end, EXPRESSION + edges.relation(time, asked))
