"""One window over the best sentences of all pieces.

They stand in the order of their days. A piece read alone cannot tell that a newer one answers otherwise, or that the post it names
has been given up. So what the reader found likeliest in each is put side by side and read once more, by the same model.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from dateline.reading.encoding import CLS, OF_EVIDENCE, QUESTION, SEP, EncodedText, Ints, TextTokens
from dateline.reading.span_scores import Mention
from dateline.reading.temporal_tags import UNMARKED, read_times, tag
from dateline.records import Evidence
from dateline.temporal.constraint import Question

NOBODY = "nobody"
"""Stands before the sentences, to be pointed at where a post is vacant."""
ROOM = 384
"""Tokens of a digest. Chosen by hand: five pieces have two or three sentences each."""
_TITLE = 10
"""Tokens of a title at most."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Sentences of one piece within a digest.

    Attributes:
        source: which piece of evidence they are of.
        first: the index of the first of their tokens in the digest.
        offsets: characters (start, end) in the piece of each of its tokens, shape (tokens, 2).
    """

    source: int
    first: int
    offsets: Ints

    def tokens_of(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the first and last token of some characters.

        None where they are not all in it.
        """
        inside = np.flatnonzero((self.offsets[:, 0] < end) & (self.offsets[:, 1] > start))
        if not len(inside) or self.offsets[inside[0], 0] > start or self.offsets[inside[-1], 1] < end:
            return None
        return self.first + int(inside[0]), self.first + int(inside[-1])


@dataclass(frozen=True, slots=True)
class Digest:
    """Excerpts of all pieces behind the question, the oldest first.

    Attributes:
        ids, segments, marks: shape (tokens,).
        nobody: the index of the word `NOBODY`.
        excerpts: in the order in which they stand.
    """

    ids: Ints
    segments: Ints
    marks: Ints
    nobody: int
    excerpts: tuple[Excerpt, ...]

    @property
    def text_tokens(self) -> Ints:
        """Return the indices of the tokens that may answer."""
        parts = [np.arange(one.first, one.first + len(one.offsets)) for one in self.excerpts]
        return np.concatenate([[self.nobody], *parts])

    def tokens_of(self, source: int, start: int, end: int) -> tuple[int, int] | None:
        """Return the first and last token of some characters of a piece.

        None where they are left out.
        """
        found = (one.tokens_of(start, end) for one in self.excerpts if one.source == source)
        return next((tokens for tokens in found if tokens is not None), None)


def digest(
    question: Question, *, evidence: Sequence[Evidence], mentions: Iterable[Mention], tokens: TextTokens
) -> Digest:
    """Put the sentences of the likeliest mentions of each piece together.

    What has no day stands before what has one.
    """
    best: dict[int, list[Mention]] = {}
    for mention in sorted(mentions, key=lambda one: -one.score):
        best.setdefault(mention.source, []).append(mention)
    asked = [CLS, *tokens.of(question.text).ids[:QUESTION], SEP]
    ids, marks = [np.array(asked), tokens.of(NOBODY).ids], [np.full(len(asked) + 1, UNMARKED)]
    room, excerpts = ROOM - len(asked) - 2, []
    tagged = tag(question, evidence=evidence)
    order = sorted(best, key=lambda source: _day(evidence[source]))
    for number, source in enumerate(order):
        piece, marked, text = evidence[source], tagged[source], tokens.of(evidence[source].text)
        title = tokens.of(piece.title).ids[:_TITLE]
        share = room // (len(order) - number)
        chosen = _chosen(piece, best[source], text=text, room=share - len(title) - 1)
        excerpts.append(Excerpt(source, ROOM - 1 - room + len(title) + 1, text.offsets[chosen]))
        ids += [np.array([SEP]), title, text.ids[chosen]]
        marks += [np.full(len(title) + 1, marked.title), marked.codes(text.offsets[chosen])]
        room -= len(title) + 1 + len(chosen)
    whole = np.concatenate([*ids, [SEP]])
    segments = np.full(len(whole), OF_EVIDENCE)
    segments[: len(asked)] = 0
    return Digest(whole, segments, np.concatenate([*marks, [UNMARKED]]), len(asked), tuple(excerpts))


def _day(piece: Evidence) -> float:
    return -np.inf if piece.published is None or piece.published.start is None else piece.published.start


def _chosen(piece: Evidence, mentions: Sequence[Mention], *, text: EncodedText, room: int) -> Ints:
    """Return the tokens of the sentences that hold the likeliest mentions."""
    sentences = read_times(piece.text, piece.published).sentences
    taken = np.zeros(len(text.ids), dtype=np.bool_)
    for mention in mentions:
        start, end = sentences[max(0, bisect_right(sentences, mention.start, key=itemgetter(0)) - 1)]
        inside = np.flatnonzero((text.offsets[:, 0] >= start) & (text.offsets[:, 1] <= end) & ~taken)
        left = room - int(taken.sum())
        if len(inside) > left:
            if taken.any():
                continue
            # A sentence that is too long is cut around the mention.
            begin = int(np.searchsorted(text.offsets[inside, 0], mention.start)) - left // 3
            begin = min(max(0, begin), len(inside) - left)
            inside = inside[begin : begin + left]
        taken[inside] = True
    return np.flatnonzero(taken)


@dataclass(frozen=True, slots=True)
class Digested:
    """A digest with what the model finds in it.

    Attributes:
        logits: (tokens, 2), start and end; those of the first token stand for no answer.
        verdict: (3,), yes, no, unsaid.
    """

    digest: Digest
    logits: NDArray[np.float32]
    verdict: NDArray[np.float32]

    @property
    def vacant(self) -> float:
        """Return the logits of "nobody"."""
        return float(self.logits[self.digest.nobody].sum())

    @property
    def nothing(self) -> float:
        """Return the log-probability that none of it answers."""
        rows = np.concatenate([self.logits[:1], self.logits[self.digest.text_tokens]])
        return float((rows[0] - np.logaddexp.reduce(rows, axis=0)).sum())

    def scores(self, mentions: Sequence[Mention]) -> NDArray[np.float64]:
        """Return the logits of mentions, shape (mentions,).

        What is left out has as little as the least.
        """
        tokens = [self.digest.tokens_of(one.source, one.start, one.end) for one in mentions]
        found = [None if one is None else float(self.logits[one[0], 0] + self.logits[one[1], 1]) for one in tokens]
        least = min((one for one in found if one is not None), default=0.0)
        return np.array([least if one is None else one for one in found])

    def of(self, sources: Sequence[int]) -> Digested:
        """Return the same with some pieces numbered in the order given.

        Others are not looked for.
        """
        places = {source: number for number, source in enumerate(sources)}
        kept = [replace(one, source=places[one.source]) for one in self.digest.excerpts if one.source in places]
        return replace(self, digest=replace(self.digest, excerpts=tuple(kept)))
