"""Expected answer kinds, and the sentences that contain one.

"Who was the captain?" is not answered by a sentence that names nobody but the ship. Rules are enough to see that.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from dateline.language.calendar import CALENDAR
from dateline.language.names import name_words
from dateline.language.offices import PERSON_WORDS, office_words
from dateline.text.words import STOPWORDS, content_words, stem, words

Kind = Literal["person", "role", "number", "name", "any"]
"""Somebody; an office, rank or profession; a count or measure; another name; anything, a date or a yes say."""

_PEOPLE = "|".join(sorted(PERSON_WORDS))
_ROLE = "capacity|degree|designation|job|occupation|office|position|post|profession|rank|role|title"
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "any",
        re.compile(
            r"^\W*(?:is|are|was|were|do|does|did|has|have|had|can|will)\b|\bwhen\b|\bwh(?:at|ich) (?:year|date|day|month)\b"
        ),
    ),
    (
        "number",
        re.compile(
            r"\bhow (?:many|much|far|high|old|big|large|tall)\b|\bwh(?:at|ich) (?:number|percentage|share|population|amount)\b"
        ),
    ),
    (
        "person",
        re.compile(
            rf"\bwho(?:m|se)?\b|\bwh(?:at|ich)\s+(?:\w+\s+){{0,2}}?(?:{_PEOPLE})s?\b|\bname of\b.*\b(?:{_PEOPLE})\b"
        ),
    ),
    ("role", re.compile(rf"\bwh(?:at|ich)\b[^?]*?\b(?:{_ROLE})s?\b|\bas what\b")),
)

_OFFICES = frozenset(map(stem, office_words("office", "post", "rank", "degree", "occupation", "deputy")))
_NUMBERS = frozenset(
    [
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "dozen",
        "hundred",
        "thousand",
        "million",
    ]
)


def wanted(question: str) -> Kind:
    """Return the kind of answer a question wants."""
    folded = question.casefold()
    return next((kind for kind, pattern in _KINDS if pattern.search(folded)), "name")


@dataclass(frozen=True, slots=True)
class Offer:
    """The possible answers in a sentence.

    Attributes:
        names: the stems of each run of capitalised words; function words, months and weekdays are none.
        offices: stems of words for offices, ranks and professions.
        number: whether it holds a number other than a year.
    """

    names: tuple[frozenset[str], ...]
    offices: frozenset[str]
    number: bool

    @classmethod
    def of(cls, sentence: str) -> Offer:
        """Read one sentence."""
        held = words(sentence)
        return cls(
            names=tuple(_names(sentence)),
            offices=_OFFICES.intersection(map(stem, held)),
            number=any((word[0].isdigit() and len(word) != 4) or word in _NUMBERS for word in held),
        )

    def has(self, kind: Kind, *, known: Collection[str]) -> bool:
        """Return whether it holds a new answer of that kind.

        An answer among the stems `known` from question and title is not new.
        """
        match kind:
            case "any":
                return True
            case "number":
                return self.number
            case "role":
                return any(office not in known for office in self.offices)
            case "person":
                return any(len(name) > 1 and not name.issubset(known) for name in self.names)
            case "name":
                return any(not name.issubset(known) for name in self.names)


def known_words(question: str, *, title: str) -> frozenset[str]:
    """Return the stems that an answer would not consist of."""
    return frozenset(content_words(question)) | frozenset(content_words(title))


def _names(sentence: str) -> list[frozenset[str]]:
    runs: list[set[str]] = []
    last = -1
    for match in name_words(sentence):
        word = match[0]
        folded = word.casefold()
        if folded in CALENDAR or folded in STOPWORDS:
            continue
        root = stem("".join(words(word)))
        if last >= 0 and not sentence[last : match.start()].strip(" ."):
            runs[-1].add(root)
        else:
            runs.append({root})
        last = match.end()
    return [frozenset(run) for run in runs]
