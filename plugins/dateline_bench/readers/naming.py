"""Name matching: full names, last names, initials and single words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dateline.language.organisations import SHARED
from dateline.text.words import STOPWORDS, stem, stems, words

SURNAME = 0.7
"""What the last of a name's own words says of it: "Berg" for "Ada Berg", "Rovers" for "Oberau Rovers"."""

INITIALS = 0.9
"""What its initials say of it, where it has three or more words."""

PHRASE = 1.15
"""A name that stands there word for word, against 1.0 for all its words in any order."""

_COMMON, _TOLD = 0.3, 0.05
_GAP = 2
"""Words between two words of one name: "Minister for the Cabinet Office"."""

_GENERIC = frozenset(map(stem, SHARED))

_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
_SMALL = frozenset({"of", "the", "and", "for", "de", "la", "du"})


@dataclass(frozen=True, slots=True)
class Folded:
    """A text prepared for matching many names."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    present: frozenset[str]
    phrase: str

    @staticmethod
    @lru_cache(maxsize=20_000)
    def of(text: str) -> Folded:
        """Fold a text.

        Never raises. The texts of late are remembered: many questions look at the same ones.
        """
        found = tuple(words(_POSSESSIVE.sub("", text)))
        stems = tuple(stem(word) for word in found)
        return Folded(found, stems, frozenset(stems), f" {' '.join(stems)} ")


@dataclass(frozen=True, slots=True)
class Name:
    """A name, ready to be found.

    Attributes:
        phrase: its stems between single spaces.
        weights: what each of its content words tells, above 0.
        last: the last of its words that few names share, or "".
        initials: of its words but "of", "the" and such; "" where they are fewer than three.
    """

    phrase: str
    weights: Mapping[str, float]
    last: str
    initials: str

    @classmethod
    def of(cls, name: str, *, shared: Mapping[str, float] | None = None) -> Name:
        """Make a name ready.

        `shared` maps stems that tell little of it to what they tell, 0 to 1.
        """
        telling = shared or {}
        stems = Folded.of(name).stems
        content = [one for one in dict.fromkeys(stems) if one not in STOPWORDS] or stems
        weights = {one: (_COMMON if one in _GENERIC else 1.0) * max(_TOLD, telling.get(one, 1.0)) for one in content}
        own = [one for one in content if weights[one] == 1.0]
        letters = "".join(word[0] for word in words(name) if word not in _SMALL)
        return cls(
            phrase=f" {' '.join(stems)} ",
            weights=weights,
            last=own[-1] if own else "",
            initials=letters if len(letters) > 2 else "",
        )

    def strength(self, text: Folded) -> float:
        """Score the strength of a name's mention in a text.

        From 0 (not at all) over 1 (all its words) to `PHRASE`.
        """
        if self.phrase in text.phrase and self.weights:
            return PHRASE
        total = sum(self.weights.values())
        share = sum(weight for word, weight in self.weights.items() if word in text.present) / total if total else 0.0
        if self.last and self.last in text.present:
            share = max(share, SURNAME)
        return max(share, INITIALS) if self.initials and self.initials in text.present else share

    def place(self, text: Folded) -> tuple[int, int] | None:
        """Return the words where a text names it most fully.

        The first word and the one after the last, or `None`.
        """
        best, at = 0.0, None
        start, end, weight = 0, -_GAP, 0.0
        for number, one in enumerate(text.stems):
            if one not in self.weights:
                continue
            if number - end > _GAP:
                start, weight = number, 0.0
            end, weight = number + 1, weight + self.weights[one]
            if weight > best:
                best, at = weight, (start, end)
        return at


def alternatives(names: Sequence[str], *, told: Collection[str] = ()) -> list[Name]:
    """Prepare names that compete with each other.

    Words that they share, and those of `told`, tell less of each.
    """
    held = Counter(one for name in names for one in set(stems(name)))
    shared = {one: 1 - (count - 1) / max(1, len(names) - 1) for one, count in held.items() if count > 1}
    known = {stem(word): 0.0 for name in told for word in words(name)}
    return [Name.of(name, shared={**shared, **known}) for name in names]
