"""Words of sentences as columns: stems as numbers, and marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import IntFlag
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dateline.language.calendar import CALENDAR
from dateline.language.names import may_begin_name
from dateline.language.negation import REVERSALS
from dateline.language.offices import office_words
from dateline.language.word_lists import word_set
from dateline.ranking.groups import Places, bounds_of, ranges
from dateline.remember import remember
from dateline.text.term_ids import Ids, term_id
from dateline.text.words import STOPWORDS, stem, words

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class Mark(IntFlag):
    """Marks of a word, by its shape and by lists."""

    FUNCTION = 1
    """A function word; of each word one of the first five is set."""
    NAME = 2
    """Written like a name."""
    NUMBER = 4
    VERB = 8
    """A long word in -ed."""
    WORD = 16
    OWNS = 32
    """In the genitive."""
    ENDS = 64
    """The last of its sentence."""
    LIGHT = 128
    """It restricts nothing: it says when, or that it is so now."""
    PAST = 256
    """It speaks of what was: "former"."""
    DEPUTY = 512
    """It says who stands below: "vice", "assistant"."""
    DENIES = 1024
    SUBJECT = 2048
    """Behind it stands a verb, not a modifier of what comes next."""
    INTO = 4096
    """A preposition that puts a noun to another."""
    THE = 8192
    FOR = 16384
    ARTICLE = 32768


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_LISTED: dict[Mark, Collection[str]] = {
    Mark.LIGHT: _stems(" ".join(CALENDAR))
    | _stems("new current present next latest today first official incumbent week month"),
    Mark.PAST: _stems("former formerly ex once previous previously late retired emeritus used left"),
    Mark.DEPUTY: frozenset(map(stem, office_words("deputy"))) - _stems("chief executive"),
    Mark.SUBJECT: word_set("we who now which that they it you he she i to will may must can also"),
    Mark.INTO: word_set("of at in for on to behind beside from with"),
    Mark.THE: word_set("the"),
    Mark.FOR: word_set("for"),
    Mark.ARTICLE: word_set("a an the"),
}
"""The lists, by stem."""

_LISTS = Counter({root: 0 for held in _LISTED.values() for root in held})
"""All marks by list of a stem; 0 for those on none."""
for _mark, _held in _LISTED.items():
    for _root in _held:
        _LISTS[_root] |= int(_mark)


@dataclass(frozen=True)
class SentenceWords:
    """Words of many sentences, as columns.

    Attributes:
        roots: the stems of all words as `term_ids`, sentence by sentence.
        marks: what is known of each, as `Mark`.
        counts: the words of each sentence, shape (sentences,).

    Example:
        >>> table = SentenceWords.of(["Bo Winter led the crew.", "It rained."])
        >>> table.counts.tolist(), Mark(int(table.marks[1])).name
        ([5, 2], 'NAME')
    """

    roots: Ids
    marks: NDArray[np.uint16]
    counts: NDArray[np.uint32]

    @classmethod
    def of(cls, sentences: Iterable[str]) -> SentenceWords:
        """Read sentences."""
        read = list(map(read_words, sentences))
        return cls(
            roots=np.fromiter((root for roots, _ in read for root in roots), dtype=np.uint64),
            marks=np.fromiter((mark for _, marks in read for mark in marks), dtype=np.uint16),
            counts=np.array([len(roots) for roots, _ in read], dtype=np.uint32),
        )

    def take(self, sentences: Places) -> SentenceWords:
        """Return the words of `sentences`."""
        counts = self.counts[sentences]
        places = ranges(self.bounds[sentences], counts.astype(np.int64))
        return SentenceWords(self.roots[places], self.marks[places], counts)

    @cached_property
    def bounds(self) -> Places:
        """Return each sentence's first word, and the last one's end."""
        return bounds_of(self.counts)

    @cached_property
    def homes(self) -> Places:
        """Return each word's sentence."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    def among(self, roots: Ids) -> NDArray[np.int64]:
        """Return each word's place among `roots`, or their number."""
        order = np.argsort(roots, kind="stable")
        found = np.searchsorted(roots[order], self.roots)
        places = np.append(order, len(roots))[found]
        return np.where(np.append(roots, np.uint64(0))[places] == self.roots, places, len(roots))

    def holding(self, roots: Ids) -> NDArray[np.bool_]:
        """Return which sentences hold which of `roots`, shape (sentences, roots)."""
        held = np.zeros((len(self.counts), len(roots) + 1), dtype=np.bool_)
        held[self.homes, self.among(roots)] = True
        return held[:, :-1]


@remember
def read_words(sentence: str) -> tuple[Sequence[int], Sequence[int]]:
    """Return the stems of a sentence's words as numbers, and their marks."""
    found = [_read(match[0]) for match in _WORD.finditer(sentence)]
    if not found:
        return (), ()
    marks = [mark for _, mark in found]
    if len(marks) > 1 and marks[0] & Mark.NAME and not marks[1] & Mark.NAME:
        # Any word begins with a capital here.
        marks[0] ^= Mark.NAME | Mark.WORD
    marks[-1] |= Mark.ENDS
    return tuple(term_id(root) for root, _ in found), tuple(marks)


def _read(raw: str) -> tuple[str, int]:
    owns = raw.endswith(("'s", "’s"))
    folded = "".join(words(raw[:-2] if owns else raw))
    mark = int(_shape(raw, folded)) | (Mark.OWNS if owns else 0)
    root = folded if mark & Mark.FUNCTION else stem(folded)
    denies = folded in REVERSALS or raw.endswith(("n't", "n’t"))
    return root, mark | _LISTS[root] | (Mark.DENIES if denies else 0)


def _shape(raw: str, folded: str) -> Mark:
    if raw[0].isdigit():
        return Mark.NUMBER
    if folded in STOPWORDS:
        return Mark.FUNCTION
    if may_begin_name(raw):
        return Mark.NAME
    return Mark.VERB if len(folded) > 4 and folded.endswith("ed") else Mark.WORD
