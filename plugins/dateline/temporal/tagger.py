"""Trained tagger: a time, or a name, title or number?

Logistic regression over the shapes and words beside a candidate. `data/time_names.json` is fitted by
`training/time_names.py` on sentences written for it and on times of open pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from dateline.language.word_lists import json_data
from dateline.temporal.tokens import Tokens

JUDGED: Mapping[str, str] = {
    "year": "n",
    "whole_years": "n",
    "years": "n",
    "iso": "i",
    "clock": "c",
    "numbered_week": "w",
    "month": "m",
    "season": "s",
    "weekday": "d",
    "day_word": "d",
    "quarter": "q",
}
"""The rules whose candidates are judged, each with the letter that its features begin with."""

_LEAST: Mapping[str, float] = {"n": -0.5, "m": -0.5}
_DATED = frozenset("4f9GuφlijY")
"""Token classes with which a quarter tells its year."""
_FAR_LEAST = -2.0
"""Below these sums a candidate is no time; what is rarely anything else needs more to speak against it (chosen by hand)."""
_OPENING, _CLOSING = frozenset("\"“'‘«„"), frozenset("\"”'’»“")
_MODERN = range(1700, 2051)


@cache
def weights() -> Mapping[str, float]:
    """Return the weight of each feature; positive speaks for a time."""
    return {name: float(weight) for name, weight in json_data("time_names").items()}


def is_time(tokens: Tokens, first: int, last: int, *, rule: str) -> bool:
    """Return whether a candidate, tokens `first` to `last`, is a time.

    Example:
        >>> tokens = Tokens("He drives a Renault 2017 since 2017.")
        >>> is_time(tokens, 4, 5, rule="year"), is_time(tokens, 6, 7, rule="year")
        (False, True)
    """
    letter = JUDGED.get(rule)
    if letter is None or (letter == "q" and not _DATED.isdisjoint(tokens.classes[first:last])):
        return True
    if letter in "nmds" and _is_plain(tokens.originals, first, last):
        return True
    return accepts(features(tokens, first, last, letter=letter), table=weights())


def _is_plain(words: list[str], first: int, last: int) -> bool:
    """Return whether a preposition of time settles it: "in 2019"."""
    if not first or words[first - 1].lower() not in _SETTLING:
        return False
    return last >= len(words) or not words[last][0].isupper()


_SETTLING = frozenset(["in", "between", "since", "until", "during", "on", "last", "next"])
"""Before a candidate and with no name behind it, these make a look at its features needless."""


def accepts(seen: Iterable[str], *, table: Mapping[str, float]) -> bool:
    """Return whether features, the candidate's letter first, speak for a time."""
    total, letter = 0.0, ""
    for name in seen:
        letter = letter or name
        total += table.get(name, 0.0)
    return total >= _LEAST.get(letter, _FAR_LEAST)


def features(tokens: Tokens, first: int, last: int, *, letter: str) -> Iterator[str]:
    """Yield what is seen of a candidate and its neighbours."""
    words, classes = tokens.originals, tokens.classes
    before, earlier = _word(words, first - 1), _word(words, first - 2)
    after, later = _word(words, last), _word(words, last + 1)
    shapes = (_shape(earlier), _shape(before), _shape(after), _shape(later))
    yield letter
    yield f"{letter}-1={before.lower()}"
    yield f"{letter}+1={after.lower()}"
    yield f"{letter}-2={earlier.lower()}"
    yield f"{letter}+2={later.lower()}"
    yield f"{letter}--{shapes[0]}|{shapes[1]}"
    yield f"{letter}++{shapes[2]}|{shapes[3]}"
    yield f"{letter}-+{shapes[1]}|{shapes[2]}"
    yield f"{letter}c{_class(classes, first - 2)}{_class(classes, first - 1)}|{_class(classes, last)}"
    yield f"{letter}t{_touches(tokens, first - 1)}{_touches(tokens, last - 1)}{shapes[1] in _MARKS}"
    if before in _OPENING and after in _CLOSING:
        yield f"{letter}quoted"
    if after == ":" and shapes[3] == "Cap" and _shape(_word(words, last + 2)) == "Cap":
        yield f"{letter}titled"
    if shapes[1] == "low" and _class(classes, first - 1) == "x":
        yield f"{letter}ends={before[-3:]}"
    if shapes[2] == "low" and _class(classes, last) == "x":
        yield f"{letter}then={after[-2:]}"
    if letter == "n" and last == first + 1 and words[first].isdecimal():
        yield f"n_modern={int(words[first]) in _MODERN}|{shapes[1]}"
    if letter in "msd":
        yield f"{letter}word={words[last - 1].lower()}"


_MARKS = frozenset(["'", '"', "(", "-", ":", "/", "#", "."])


def _word(words: list[str], place: int) -> str:
    return words[place] if 0 <= place < len(words) else ""


def _class(classes: str, place: int) -> str:
    """Return the class of a token, with all numbers alike."""
    letter = classes[place] if 0 <= place < len(classes) else ""
    return "1" if letter and letter in "123456" else letter


def _touches(tokens: Tokens, place: int) -> int:
    return int(tokens.touch(place))


def _shape(word: str) -> str:
    """Return a word's shape: low, Cap, UP, mix, 1, or a mark."""
    if not word:
        return ""
    if word.isalpha():
        return "low" if word.islower() else "UP" if word.isupper() and len(word) > 1 else "Cap"
    return "1" if word[0].isdecimal() else "mix" if word[0].isalpha() else word[0]
