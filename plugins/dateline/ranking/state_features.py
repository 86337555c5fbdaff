"""Marks by which look-alikes of a state are told from its paraphrases.

"The deputy director of the museum", "the director of the museum's café", "the Southern Museum's director" and "the
annual pass" share their words with "the director of the museum" and "the day pass"; what gives them away are the words
beside the shared ones. Words are compared by stem and looked at by shape alone, so that fields never seen count alike.
All sentences are looked at in one step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dateline.ranking.groups import Places
from dateline.ranking.sentence_words import Mark, SentenceWords
from dateline.ranking.timeline import Floats
from dateline.text.term_ids import Ids, term_ids
from dateline.text.words import stem

FEATURES = (
    "names",  # the share of the question's names in the sentence or what stands above it
    "names missing",  # how many are in neither
    "nouns",  # the share of its other words
    "no noun",  # none of them is there
    "left",  # a word before one of these that the question lacks: "deputy director"
    "left name",  # the same, written like a name
    "right of",  # a noun put to one of them: "director of education", "limit for lorries"
    "for",  # "for" and a noun that the question lacks
    "into name",  # a noun that a name of the question is put to: "the café of the museum"
    "subject",  # the same at the head of the sentence: it speaks of the café
    "matched into name",  # a word of the question stands there
    "behind name",  # a noun that a name is put before: "the museum's café", "the museum shop"
    "name left",  # a name of the question is part of a longer one
    "name right",
    "front",  # a restriction in front: "For groups, ..."
    "extra",  # the share of words that the question lacks
    "extra words",  # how many
    "substituted",  # a word stands where the question has another: "annual pass" for "day pass"
    "other head",  # a name stands before another noun than in the question: "Harlow ferry" for "Harlow bridge"
    "substituted name",  # the same of a name: "Southern Observatory"
    "deputy",  # a word for who stands below: "vice", "assistant"
    "reversed",  # a word that denies
    "past",  # a word for what was: "former"
    "length",
    "number",
)
"""The columns of `state_features`."""

_ASKING = term_ids(map(stem, ["how", "many", "much", "long", "old", "high", "fast", "may", "one"]))
_FRONT = term_ids(("for", "in", "with", "on"))

Flags = NDArray[np.bool_]


class AskedWords(NamedTuple):
    """Content words of a question, in order, names apart.

    Attributes:
        order: their stems, with repeats.
        roots: the same without.
        named: which of `roots` are names or numbers.
    """

    order: Ids
    roots: Ids
    named: Flags

    @classmethod
    def of(cls, question: str) -> AskedWords:
        """Read a question."""
        read = SentenceWords.of([question])
        held = (read.marks & Mark.FUNCTION == 0) & ~np.isin(read.roots, _ASKING)
        order, names = read.roots[held], read.roots[(read.marks & (Mark.NAME | Mark.NUMBER)) > 0]
        roots = np.unique(order)
        return cls(order, roots, np.isin(roots, names))


def state_features(asked: AskedWords, words: SentenceWords, *, above: Flags) -> Floats:
    """Compute the features of sentences, shape (sentences, len(FEATURES)).

    Args:
        above: which of the question's words stand above each sentence, shape (sentences, len(asked.roots)).
    """
    beside = _Beside(asked, words)
    known = words.holding(asked.roots) | above
    names, nouns = known[:, asked.named].sum(1), known[:, ~asked.named].sum(1)
    all_names, all_nouns = int(asked.named.sum()), int((~asked.named).sum())
    extras, content = beside.count(beside.extra), beside.count(~beside.marked(Mark.FUNCTION))
    columns = [
        names / all_names if all_names else np.ones(len(names)),
        all_names - names,
        nouns / all_nouns if all_nouns else np.ones(len(nouns)),
        (nouns == 0) & (all_nouns > 0),
        *beside.of_nouns(),
        *beside.of_names(),
        beside.front(),
        extras / np.maximum(content, 1),
        np.minimum(extras, 8) / 4,
        *beside.substituted(known),
        beside.any(beside.marked(Mark.DEPUTY) & ~beside.noun),
        beside.any(beside.marked(Mark.DENIES)),
        beside.any(beside.marked(Mark.PAST) & ~beside.noun),
        np.log(np.maximum(words.counts, 1) / 10),
        beside.any(beside.marked(Mark.NUMBER)),
    ]
    return np.column_stack(columns).astype(np.float64)


class _Beside:
    """Words of sentences beside those of a question, as flags."""

    def __init__(self, asked: AskedWords, words: SentenceWords) -> None:
        self.asked, self.words = asked, words
        self.place = np.arange(len(words.roots))
        self.first = words.bounds[words.homes]
        self.codes = words.among(asked.roots)
        self.shared = self.codes < len(asked.roots)
        self.name = self.shared & np.append(asked.named, False)[self.codes]
        self.noun = self.shared & ~self.name
        self.function = self.marked(Mark.FUNCTION) & ~self.shared
        self.extra = self.marked(Mark.WORD) & ~self.marked(Mark.LIGHT) & ~self.shared
        told = self.before(self.marked(Mark.NAME | Mark.NUMBER | Mark.SUBJECT))
        self.modifier = self.extra & ~told
        self.other_name = self.marked(Mark.NAME) & ~self.shared
        ahead = np.where(self.function & ~self.marked(Mark.ENDS), len(self.place), self.place)
        content = np.minimum.accumulate(ahead[::-1])[::-1]
        self.following = np.append(content, 0)[1:]  # the next word that is no function word, or the sentence's last

    def marked(self, mark: int) -> Flags:
        """Return which words bear one of some marks."""
        return np.asarray((self.words.marks & np.uint16(mark)) > 0)

    def before(self, flags: Flags) -> Flags:
        """Return which words follow one that has a flag."""
        return np.asarray(self.at(flags, self.place - 1))

    def behind(self, flags: Flags, *, steps: int = 1) -> Flags:
        """Return which words precede one that has a flag."""
        moved = np.append(flags[steps:], np.zeros(min(steps, len(flags)), dtype=np.bool_))
        return np.asarray(moved & (np.append(self.first[steps:], np.full(min(steps, len(flags)), -1)) == self.first))

    def at(self, flags: Flags, places: Places) -> Flags:
        """Return the flags at earlier places; before the sentence there is none."""
        return np.asarray(flags[np.maximum(places, 0)] & (places >= self.first))

    def content_before(self, flags: Flags) -> Flags:
        """Return which words follow one that has a flag.

        Function words between them do not count.
        """
        return self.at(flags, self.last(~self.function, behind=1))

    def content_behind(self, flags: Flags) -> Flags:
        """Return which words precede one that has a flag.

        Function words between them do not count.
        """
        return np.asarray(flags[self.following] & ~self.marked(Mark.ENDS))

    def last(self, flags: Flags, *, behind: int = 0) -> Places:
        """Return the last place with a flag up to each word."""
        found = np.maximum.accumulate(np.append(np.full(1 + behind, -1), np.where(flags, self.place, -1)))
        return found[1 : len(flags) + 1]

    def count(self, flags: Flags) -> NDArray[np.int64]:
        """Count the words of each sentence that have a flag."""
        return np.bincount(self.words.homes[flags], minlength=len(self.words.counts))

    def any(self, flags: Flags) -> Flags:
        """Return which sentences have a word with a flag."""
        return self.count(flags) > 0

    def of_nouns(self) -> list[Flags]:
        """Return the columns from "left" to "for"."""
        within = ~self.marked(Mark.ENDS)
        put = within & (self.following > self.place + 1) & self.extra[self.following]
        into = self.behind(self.marked(Mark.INTO))
        left_name = self.noun & self.before(self.other_name & ~self.marked(Mark.OWNS))
        return [
            self.any(self.noun & self.before(self.modifier)),
            self.any(left_name),
            self.any(self.noun & put & into),
            self.any(self.function & self.marked(Mark.FOR) & within & self.extra[self.following]),
        ]

    def of_names(self) -> list[Flags]:
        """Return the columns from "into name" to "name right"."""
        opens = self.name & ~self.before(self.name)
        closes = self.name & ~self.behind(self.name)
        put = self.last(~(self.marked(Mark.THE) & self.function), behind=1)
        into = opens & self.at(self.marked(Mark.INTO) & self.function, put)
        noun = put - 1
        into_extra = into & self.at(self.extra, noun)
        # Where the run of words begins that this noun ends.
        run = self.last(self.before(self.function) | (self.place == self.first))
        ends = self.behind(self.function, steps=2) | ~self.behind(np.ones_like(self.name), steps=2)
        follows = self._follow_function(opens)
        noun_behind = closes & self.behind(self.extra) & (self.marked(Mark.OWNS) | (ends & follows))
        return [
            self.any(into_extra),
            self.any(into_extra & (run[np.maximum(noun, 0)] <= self.first + 1)),
            self.any(into & self.at(self.shared, noun)),
            self.any(noun_behind),
            self.any(opens & self.before(self.other_name)),
            self.any(closes & self.behind(self.other_name)),
        ]

    def _follow_function(self, opens: Flags) -> Flags:
        """Return which names follow a function word, articles apart."""
        follows = opens & self.at(self.marked(Mark.FUNCTION), self.last(~self.marked(Mark.ARTICLE), behind=1))
        return self.at(follows, self.last(opens))

    def front(self) -> Flags:
        """Return which sentences open with a restriction."""
        opens = (self.place == self.first) & np.isin(self.words.roots, _FRONT)
        return self.any(opens & self.behind(self.extra))

    def substituted(self, known: Flags) -> list[Flags]:
        """Return whether a word, a name's noun or a name is replaced."""
        asked = self.asked
        number = np.searchsorted(asked.roots, asked.order)
        other = self.marked(Mark.WORD | Mark.NAME) & ~self.marked(Mark.LIGHT) & ~self.shared
        head_word = self.extra & ~self.behind(self.marked(Mark.NUMBER) & ~self.shared)
        word, head, name = (np.zeros(len(self.words.counts), dtype=np.bool_) for _ in range(3))
        for left, right in zip(number.tolist(), number[1:].tolist(), strict=False):
            for own, beside, move, reach in (
                (left, right, self.before, self.content_before),
                (right, left, self.behind, self.content_behind),
            ):
                lacking, there = ~known[:, own], self.codes == beside
                if asked.named[own]:
                    # "The tenants in Ostria" for "the tenants in Veldra": a name is put to a noun by words between.
                    name |= lacking & self.any(there & (move(other) | reach(self.other_name)))
                elif asked.named[beside]:
                    head |= lacking & self.any(there & move(head_word & other))
                else:
                    word |= lacking & self.any(there & move(other))
        return [word, head, name]
