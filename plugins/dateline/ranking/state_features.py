"""Marks by which look-alikes of a state are told from its paraphrases.

"The deputy director of the museum", "the director of the museum's café", "the Southern Museum's director" and "the
annual pass" share their words with "the director of the museum" and "the day pass"; what gives them away are the words
beside the shared ones. Words are compared by stem and looked at by shape alone, so that fields never seen count alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dateline.language.calendar import CALENDAR
from dateline.language.names import may_begin_name
from dateline.language.negation import reversals
from dateline.language.offices import office_words
from dateline.remember import remember
from dateline.text.words import STOPWORDS, stem, words

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

Kind = Literal["name", "first", "word", "verb", "number", "function"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LIGHT = frozenset(
    map(
        stem,
        [
            *CALENDAR,
            *[
                "new",
                "current",
                "present",
                "next",
                "latest",
                "today",
                "first",
                "official",
                "incumbent",
                "week",
                "month",
            ],
        ],
    )
)
"""Words that restrict nothing: they say when, or that it is so now."""
_PAST = frozenset(
    map(
        stem,
        ["former", "formerly", "ex", "once", "previous", "previously", "late", "retired", "emeritus", "used", "left"],
    )
)
_DEPUTY = frozenset(map(stem, office_words("deputy"))) - frozenset(map(stem, ("chief", "executive")))
_ASKING = frozenset(["how", "many", "much", "long", "old", "high", "fast", "may", "one"])
_SUBJECTS = frozenset(
    [
        "we",
        "who",
        "now",
        "which",
        "that",
        "they",
        "it",
        "you",
        "he",
        "she",
        "i",
        "to",
        "will",
        "may",
        "must",
        "can",
        "also",
    ]
)
"""Words after which a word is a verb, not a modifier of what comes next."""
_INTO = frozenset(["of", "at", "in", "for", "on", "to", "behind", "beside", "from", "with"])


class SentenceWord(NamedTuple):
    """A word of a sentence: stem, kind, whether in the genitive."""

    root: str
    kind: Kind
    owns: bool
    folded: str


@lru_cache(maxsize=1 << 14)
def tokens(text: str) -> tuple[SentenceWord, ...]:
    """Read the words of a text."""
    found = [_token(match[0]) for match in _WORD.finditer(text)]
    if len(found) > 1 and found[0].kind == "name" and found[1].kind != "name":
        found[0] = found[0]._replace(kind="first")
    return tuple(found)


def _token(raw: str) -> SentenceWord:
    owns = raw.endswith(("'s", "’s"))
    folded = "".join(words(raw[:-2] if owns else raw))
    kind: Kind
    if raw[0].isdigit():
        kind = "number"
    elif folded in STOPWORDS:
        kind = "function"
    elif may_begin_name(raw):
        kind = "name"
    else:
        kind = "verb" if len(folded) > 4 and folded.endswith("ed") else "word"
    return SentenceWord(folded if kind == "function" else stem(folded), kind, owns, folded)


class AskedWords(NamedTuple):
    """Content words of a question, in order, names apart."""

    order: tuple[str, ...]
    names: frozenset[str]
    nouns: frozenset[str]

    @classmethod
    def of(cls, question: str) -> AskedWords:
        """Read a question."""
        held = [each for each in tokens(question) if each.kind != "function" and each.folded not in _ASKING]
        names = frozenset(each.root for each in held if each.kind in ("name", "number"))
        return cls(tuple(each.root for each in held), names, frozenset(each.root for each in held) - names)


def state_features(asked: AskedWords, sentence: str, context: str) -> Sequence[float]:
    """Compute the features of one sentence below its context."""
    # A sentence is ranked in a search and in the pool of all searches, and for many who ask the same of other days.
    return _features(f"{sentence}\n{context}", len(sentence), asked)


@remember
def _features(text: str, end: int, asked: AskedWords) -> Sequence[float]:
    sentence, context = text[:end], text[end + 1 :]
    held = tokens(sentence)
    here = {each.root for each in held}
    known = here | {each.root for each in tokens(context)}
    beside = _Beside(asked, held)
    extras = sum(map(beside.is_extra, range(len(held))))
    content = max(1, sum(each.kind != "function" for each in held))
    names, nouns = len(asked.names & known), len(asked.nouns & known)
    return [
        names / len(asked.names) if asked.names else 1.0,
        float(len(asked.names) - names),
        nouns / len(asked.nouns) if asked.nouns else 1.0,
        float(bool(asked.nouns) and not nouns),
        *beside.marks(),
        extras / content,
        min(extras, 8) / 4,
        *beside.substituted(known),
        float(any(each.root in _DEPUTY and each.root not in asked.nouns for each in held)),
        float(reversals(sentence) > 0),
        float(not _PAST.isdisjoint(here - asked.nouns)),
        float(np.log(max(len(held), 1) / 10)),
        float(any(each.kind == "number" for each in held)),
    ]


def twins(asked: AskedWords, sentences: Sequence[str]) -> NDArray[np.bool_]:
    """Return which sentences say of something else what another says.

    Another sentence is the same but for words of the question, which are replaced: "The boathouse of the club is at 4
    Mill Lane" beside "The office of the club is at 9 Well Street" when the office is asked for; or this one is the same
    with one or two words more: "the museum's café". Many versions of a state show in this way which wordings are of
    one state. Names and numbers that the question lacks are values, and do not count.

    Returns:
        An array of shape (sentences,).
    """
    own = asked.names | asked.nouns
    held = [_frame(sentence, own) for sentence in sentences]
    columns = {root: number for number, root in enumerate({root for frame in held for root in frame})}
    table = np.zeros((len(held), len(columns) + 1), dtype=np.float32)
    phrased = np.zeros_like(table)
    for row, frame in enumerate(held):
        table[row, [columns[root] for root in frame]] = 1.0
        phrased[row, [columns[root] for root, opens in frame.items() if opens and root in own]] = 1.0
    of_question = np.zeros(len(columns) + 1, dtype=np.float32)
    of_question[[number for root, number in columns.items() if root in own]] = 1.0
    says = np.array([0.0 if root in STOPWORDS or root in _LIGHT else 1.0 for root in columns] + [0.0], dtype=np.float32)
    says *= 1.0 - of_question
    sizes, both = table.sum(1), table @ table.T
    lost = sizes[None, :] - both  # what the other (column) has and this one (row) lacks
    lost_asked = (table * of_question).sum(1)[None, :] - (table * of_question) @ table.T
    lost_phrase = phrased.sum(1)[None, :] - table @ phrased.T
    more = sizes[:, None] - both
    telling = (table * says).sum(1)[:, None] - (table * says) @ table.T
    alike = both >= np.maximum(lost, more) + 2
    replaced = (lost_phrase >= 1) & (lost == lost_asked) & (lost <= 2) & (telling >= 1) & (more <= 3)
    added = (lost == 0) & (telling >= 1) & (telling <= 2) & (more <= 4)
    return np.asarray((alike & (replaced | added)).any(1))


def _frame(sentence: str, own: frozenset[str]) -> dict[str, bool]:
    """Return a sentence's words but values, and which follow a function word.

    Verbs of the question have other words in their place in mere paraphrases; what stands behind "the" or "of" is a noun.
    """
    held, frame = tokens(sentence), dict[str, bool]()
    for place, each in enumerate(held):
        if each.root in own or (each.kind not in ("name", "number") and each.root not in ("a", "an", "the")):
            opens = not place or held[place - 1].kind == "function"
            frame[each.root] = frame.get(each.root, False) or opens
    return frame


class _Beside:
    """Words of a sentence beside those of a question."""

    def __init__(self, asked: AskedWords, held: Sequence[SentenceWord]) -> None:
        self.asked, self.held = asked, held
        self.shared = [each.root in asked.names or each.root in asked.nouns for each in held]

    def is_extra(self, place: int) -> bool:
        """Return whether a word that says something is none of the question's."""
        return self._is(place, "word", "first") and self.held[place].root not in _LIGHT

    def is_modifier(self, place: int) -> bool:
        """Return whether such a word is no verb, by what stands before."""
        before = self.held[place - 1] if place > 0 else None
        told = before is not None and (before.kind in ("name", "number") or before.root in _SUBJECTS)
        return self.is_extra(place) and not told

    def _is(self, place: int, *kinds: Kind) -> bool:
        return 0 <= place < len(self.held) and not self.shared[place] and self.held[place].kind in kinds

    def _is_name(self, place: int) -> bool:
        return 0 <= place < len(self.held) and self.shared[place] and self.held[place].root in self.asked.names

    def marks(self) -> list[float]:
        """Return the columns from "left" to "front"."""
        held = self.held
        found = dict.fromkeys(FEATURES[4:15], False)
        for place, each in enumerate(held):
            if self._is(place, "function") and each.root == "for" and self.is_extra(self._behind_functions(place)):
                found["for"] = True
            if not self.shared[place]:
                continue
            if each.root not in self.asked.names:
                found["left"] |= self.is_modifier(place - 1)
                found["left name"] |= self._is(place - 1, "name") and not held[place - 1].owns
                behind = self._behind_functions(place)
                found["right of"] |= behind > place + 1 and held[place + 1].root in _INTO and self.is_extra(behind)
                continue
            if not self._is_name(place - 1):
                self._before_name(place, found)
            if not self._is_name(place + 1):
                found["name right"] |= self._is(place + 1, "name")
                closes = place + 2 >= len(held) or self._is(place + 2, "function")
                found["behind name"] |= self.is_extra(place + 1) and (
                    each.owns or (closes and _follows_preposition(held, place, self))
                )
        found["front"] = bool(held) and held[0].folded in ("for", "in", "with", "on") and self.is_extra(1)
        return [float(each) for each in found.values()]

    def _before_name(self, place: int, found: dict[str, bool]) -> None:
        """Look at what a run of the question's names is put to."""
        held, before = self.held, place - 1
        while self._is(before, "function") and held[before].root == "the":
            before -= 1
        found["name left"] |= self._is(place - 1, "name")
        if not (self._is(before, "function") and held[before].root in _INTO):
            return
        noun = before - 1
        found["into name"] |= self.is_extra(noun)
        found["matched into name"] |= noun >= 0 and self.shared[noun]
        first = noun
        while first > 0 and not self._is(first - 1, "function"):
            first -= 1
        found["subject"] |= self.is_extra(noun) and first <= 1

    def _behind_functions(self, place: int) -> int:
        place += 1
        while self._is(place, "function"):
            place += 1
        return place

    def substituted(self, known: set[str]) -> tuple[float, float, float]:
        """Return whether a word, a name's noun or a name is replaced."""
        word = head = name = False
        for left, right in zip(self.asked.order, self.asked.order[1:], strict=False):
            for own, other, step in ((left, right, -1), (right, left, 1)):
                if own in known:
                    continue
                for place, each in enumerate(self.held):
                    beside = place + step
                    if each.root != other or not self._is(beside, "word", "name", "first"):
                        continue
                    if self.held[beside].root in _LIGHT:
                        continue
                    if own in self.asked.names:
                        name = True
                    elif other in self.asked.names:
                        head |= self.is_extra(beside) and (
                            beside + 1 >= len(self.held) or not self._is(beside + 1, "number")
                        )
                    else:
                        word = True
        return float(word), float(head), float(name)


def _follows_preposition(held: Sequence[SentenceWord], place: int, beside: _Beside) -> bool:
    """Return whether the names ending at `place` follow a preposition."""
    while beside._is_name(place - 1):
        place -= 1
    while place and held[place - 1].root in ("the", "a", "an"):
        place -= 1
    return place > 0 and held[place - 1].kind == "function"
