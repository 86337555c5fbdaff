"""Evidence that says the same words twice."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from dateline.language.negation import reversals
from dateline.records import Evidence
from dateline.remember import remember
from dateline.text.words import STOPWORDS

NEAR = 0.9
"""Share of words in common (Jaccard) from which two texts may be the same one."""

_WORD = re.compile(r"\w+")
_WINDOW = 4


@dataclass(frozen=True, slots=True)
class _Print:
    """Words by which two texts are compared.

    Attributes:
        deciding: names and numbers.
        rare: the longest words, the longest first.
        reversals: how many words negate or deny.
    """

    text: str
    words: frozenset[str]
    deciding: frozenset[str]
    rare: tuple[str, ...]
    reversals: int


def without_duplicates(evidence: Iterable[Evidence]) -> list[Evidence]:
    """Each text once, the first of equals.

    Equal are texts with the same words, a text cut out of another, and long texts one of which leaves out a few words
    of the other: no name, number or negation. Function words may differ, but where "15 %" stands for "20 %" or
    "closed" for "open", both stay. A date that only the repetition carries is kept with the first.
    """
    pieces = list(evidence)
    kept: dict[int, Evidence] = {}
    for each, first in zip(pieces, first_of_equals(pieces), strict=True):
        kept[first] = dated_by_either(kept.get(first, each), each)
    return list(kept.values())


def dated_by_either(first: Evidence, again: Evidence) -> Evidence:
    """Return the first of two equals, dated by either."""
    if first.published is not None or again.published is None:
        return first
    return first.model_copy(update={"published": again.published, "dated_by": again.dated_by})


def first_of_equals(evidence: Iterable[Evidence]) -> list[int]:
    """Return for each text the place of the first that equals it.

    Its own place where none before does.

    Example:
        >>> first_of_equals([Evidence.make(text) for text in ("Lund is old.", "Ystad lies by the sea.", "Lund is old.")])
        [0, 1, 0]
    """
    prints = [_print(each.text) for each in evidence]
    kept = _Kept(prints)
    firsts: list[int] = []
    exact: dict[str, int] = {}
    for number, own in enumerate(prints):
        place = exact.get(own.text)
        if place is None:
            place = next((found for found in kept.beside(own) if _same(own, prints[found])), None)
        if place is None:
            place = exact[own.text] = number
            kept.add(own, place=number)
        firsts.append(place)
    return firsts


@remember
def _print(text: str) -> _Print:
    found = _WORD.findall(text)
    words = frozenset(word.lower() for word in found)
    return _Print(
        text=f" {' '.join(found)} ".lower(),
        words=words,
        deciding=frozenset(word.lower() for word in found if word[0].isupper() or any(map(str.isdigit, word))),
        rare=tuple(sorted(words, key=lambda word: (-len(word), word))[: 2 * _WINDOW]),
        reversals=reversals(text),
    )


class _Kept:
    """Places of the kept texts, by words that equals share.

    Near ones share a rare word. Where one text is cut out of another, both have the longest word of the shorter.
    """

    def __init__(self, prints: Iterable[_Print]) -> None:
        self._longest = frozenset(word for each in prints for word in each.rare[:1])
        self._by_rare = defaultdict[str, list[int]](list)
        self._by_longest = defaultdict[str, list[int]](list)
        self._holding = defaultdict[str, list[int]](list)

    def add(self, own: _Print, *, place: int) -> None:
        """Keep a text."""
        for index, words in (
            (self._by_rare, own.rare),
            (self._by_longest, own.rare[:1]),
            (self._holding, own.words & self._longest),
        ):
            for word in words:
                index[word].append(place)

    def beside(self, own: _Print) -> list[int]:
        """Return the places of texts that may equal one, in order."""
        looked_up = ((self._by_rare, own.rare), (self._by_longest, own.words), (self._holding, own.rare[:1]))
        return sorted({place for index, words in looked_up for word in words for place in index.get(word, ())})


def _same(one: _Print, other: _Print) -> bool:
    shorter, longer = (one, other) if len(one.text) <= len(other.text) else (other, one)
    if len(shorter.words) >= _WINDOW and shorter.text in longer.text:
        return True
    few, many = len(shorter.words), len(longer.words)
    if min(few, many) < NEAR * max(few, many):
        return False
    common = len(one.words & other.words)
    if common < NEAR * (few + many - common) or one.reversals != other.reversals:
        return False
    said, told = Counter(one.text.split()), Counter(other.text.split())
    mine, theirs = (said - told).keys(), (told - said).keys()
    replaced = not (STOPWORDS.issuperset(mine) or STOPWORDS.issuperset(theirs))
    return not replaced and (one.deciding | other.deciding).isdisjoint(mine | theirs)
