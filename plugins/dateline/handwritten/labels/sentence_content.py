"""Read the values, content words and denials of a sentence."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal, NamedTuple

from dateline.handwritten.labels.lexicon import CALENDAR_AND_SEASONS, QUALIFIERS, denied, lemma, standing
from dateline.language.negation import NEGATIONS
from dateline.language.numbers import DOZEN, SCALES, digits_value
from dateline.language.quantities import Quantity, is_pronoun, quantities
from dateline.text.words import STOPWORDS, words

Kind = Literal["number", "calendar", "name", "content", "function"]
VALUES: frozenset[Kind] = frozenset({"number", "calendar", "name"})

_RAW = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")
_ABOVE, _BELOW = frozenset({"than", "over", "above", "least"}), frozenset({"under", "below", "most"})
_VAGUE = frozenset({"several", "some", "many"})
_BARE = {**SCALES, "dozen": DOZEN}
"""Words that are numbers without one before them ("several million")."""
_SHARES = frozenset({"all", "most", "few", "both"})
"""Function words that say how much of something."""

_REACH = 3
"""Words with content behind a denial that it may belong to."""

_MOST_SCALES = 8
"""Words such as "million" in a row that are one number; chosen by hand."""

Numbers = Mapping[int, tuple[Quantity, int]]
"""Place of the first word of a number -> the number, and the place behind its last word."""

_LESS = frozenset({"less", "fewer", "lower"})


class Token(NamedTuple):
    """One word or number. `key` compares: equal keys say the same."""

    key: str
    kind: Kind
    low: float = 0.0
    high: float = 0.0

    def holds(self, other: Token) -> bool:
        """Whether what this says follows from `other`: "over 4,000" from "4,312"."""
        if self.kind == other.kind == "number" and self.low < self.high:
            return self.low <= other.low and other.high <= self.high
        return self.key == other.key


@dataclass(frozen=True, slots=True)
class SentenceContent:
    """A sentence, read once.

    Attributes:
        tokens: all of its words in order.
        telling: the tokens that carry something, values among them.
        denials: how many times it denies, by a word such as "not" or by one such as "forbidden".
        denied: the words to which these denials belong.
        qualifiers: words in it without which it would say more, or something else.
    """

    text: str
    tokens: tuple[Token, ...]
    telling: tuple[Token, ...]
    denials: int
    denied: frozenset[str]
    qualifiers: frozenset[str]

    @classmethod
    def of(cls, text: str, *, names: Container[str] = frozenset()) -> SentenceContent:
        """Read a sentence; `names` are folded words known to be names, for those that begin a sentence."""
        places = [match.start() for match in _RAW.finditer(text)]
        raw = _RAW.findall(text)
        folded = ["".join(words(word)) if not word[0].isdecimal() else word for word in raw]
        numbers = {
            bisect_left(places, one.start): (one, bisect_left(places, one.end))
            for one in quantities(text)
            if not is_pronoun(one, text=text)
        }
        tokens = tuple(_tokens(raw, folded, names, numbers))
        return cls(
            text=text,
            tokens=tokens,
            telling=tuple(token for token in tokens if token.kind != "function"),
            denials=sum(word in NEGATIONS for word in folded) + sum(denied(lemma(word)) is not None for word in folded),
            denied=_denied(tokens, folded),
            qualifiers=QUALIFIERS.intersection(folded),
        )

    @classmethod
    def joined(cls, parts: Sequence[SentenceContent]) -> SentenceContent:
        """Several sentences read as one."""
        return cls(
            text=" ".join(part.text for part in parts),
            tokens=tuple(token for part in parts for token in part.tokens),
            telling=tuple(token for part in parts for token in part.telling),
            denials=sum(part.denials for part in parts),
            denied=frozenset().union(*(part.denied for part in parts)),
            qualifiers=frozenset().union(*(part.qualifiers for part in parts)),
        )

    @property
    def content(self) -> frozenset[str]:
        """Its content words, values left out."""
        return frozenset(token.key for token in self.telling if token.kind == "content")


def spelling(text: str) -> tuple[str, ...]:
    """Its words and numbers in order; equal for sentences that differ in capitals, punctuation and spaces alone."""
    return tuple(_RAW.findall(text.casefold()))


def named(texts: Sequence[str]) -> frozenset[str]:
    """Folded words that are written as names somewhere inside of a sentence."""
    found: set[str] = set()
    for text in texts:
        raw = _RAW.findall(text)
        found.update(word for token in raw[1:] if token[0].isupper() for word in words(token))
    return frozenset(found - STOPWORDS - CALENDAR_AND_SEASONS)


def _tokens(raw: Sequence[str], folded: Sequence[str], names: Container[str], numbers: Numbers) -> Iterator[Token]:
    place = 0
    while place < len(raw):
        token, length = _number(raw, folded, place, numbers) or (_word(raw, folded, place, names), 1)
        yield token
        place += length


def _word(raw: Sequence[str], folded: Sequence[str], place: int, names: Container[str]) -> Token:
    word = folded[place]
    upper = raw[place][0].isupper()
    # "May" is a month, "may" is none; as the first word it may be either.
    if word.removesuffix("s") in CALENDAR_AND_SEASONS and (word != "may" or (upper and place > 0)):
        return Token(word.removesuffix("s"), "calendar")
    if word in _SHARES:
        return Token(word, "content")
    scaled = word in _VAGUE and folded[place + 1 : place + 2] and folded[place + 1] in _BARE
    if word in STOPWORDS or word in NEGATIONS or word == "till" or scaled or not word:
        return Token(word, "function")
    next_upper = place + 1 < len(raw) and raw[place + 1][0].isupper()
    if upper and (place > 0 or word in names or (next_upper and folded[place + 1] not in CALENDAR_AND_SEASONS)):
        return Token(word.removesuffix("s") if raw[place].endswith(("'s", "’s")) else word, "name")
    root = lemma(word)
    return Token(standing(denied(root) or root), "content")


def _denied(tokens: Sequence[Token], folded: Sequence[str]) -> frozenset[str]:
    """The keys within reach behind each denying word; a verb that denies, such as "forbid", is denied itself."""
    own = {standing(root) for word in folded if (root := denied(lemma(word))) is not None}
    found = set(own)
    telling = [place for place, token in enumerate(tokens) if token.kind != "function"]
    for place, token in enumerate(tokens):
        if token.key in NEGATIONS:
            behind = bisect_right(telling, place)
            found.update(tokens[other].key for other in telling[behind : behind + _REACH])
    return frozenset(found)


def _number(raw: Sequence[str], folded: Sequence[str], place: int, numbers: Numbers) -> tuple[Token, int] | None:
    """Return a number that begins at `place`, and how many words it takes; with a bound before it, the range left."""
    word, before = folded[place], folded[max(0, place - 2) : place]
    if word in _BARE:
        return _bare(folded, place, before)
    if raw[place][0].isdecimal() and digits_value(raw[place]) is None:  # a version such as 3.2.1
        return Token(word, "number", float("nan"), float("nan")), 1
    if place not in numbers:
        return None
    quantity, end = numbers[place]
    length = max(1, end - place)
    if quantity.kind == "ordinal":
        return Token(f"{_spelt(quantity.value)}.", "number", quantity.value, quantity.value), length
    decimal = digits_value(raw[place]) if length == 1 and not quantity.worded else None  # "3,5" is one number
    return _bounded(quantity.value if decimal is None else decimal, before), length


def _bare(folded: Sequence[str], place: int, before: Sequence[str]) -> tuple[Token, int]:
    """Return a number that has no count before it: "several thousand" is two to ten of them."""
    scales = list(takewhile(_BARE.__contains__, folded[place : place + _MOST_SCALES]))
    value = math.prod((_BARE[scale] for scale in scales), start=1.0)
    if before and before[-1] in _VAGUE:
        return Token(f"{_spelt(value)}+", "number", 2 * value, 10 * value), len(scales)
    return _bounded(value, before), len(scales)


def _bounded(value: float, before: Sequence[str]) -> Token:
    if before and before[-1] in _ABOVE and not _LESS.intersection(before):
        return Token(f">{_spelt(value)}", "number", value, float("inf"))
    if before and (before[-1] in _BELOW or (before[-1] == "than" and _LESS.intersection(before))):
        return Token(f"<{_spelt(value)}", "number", float("-inf"), value)
    return Token(_spelt(value), "number", value, value)


def _spelt(value: float) -> str:
    return f"{value:.10g}"
