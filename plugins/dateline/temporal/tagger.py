"""Trained tagger: a time, or a name, title or number?

Logistic regression over the shapes and words beside a candidate. `data/time_names.json` is fitted by
`training/time_names.py` on sentences written for it and on times of open pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from dateline.language.word_lists import json_data, word_list, word_set
from dateline.temporal.tokens import Tokens
from dateline.temporal.vocabulary import ENGLISH

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
    "day_word": "y",
    "quarter": "q",
    "holiday": "h",
    "century": "k",
    "day_of_year": "e",
    **dict.fromkeys(("shifted", "day_part", "part_of_day", "current_unit"), "o"),
}
"""The rules whose candidates are judged, each with the letter that its features begin with."""

_LEAST: Mapping[str, float] = {"n": -0.5, "m": -0.5}
_DATED = frozenset("4f9GuφlijY")
"""Token classes with which a quarter tells its year."""
_FAR_LEAST = -2.0
"""Below these sums a candidate is no time; what is rarely anything else needs more to speak against it (chosen by hand)."""
_OPENING, _CLOSING = frozenset("\"“'‘«„»"), frozenset("\"”'’»“«")
_ARTICLES = frozenset(["the", "a", "this", "that", "our", "their", "his", "her"])
_MODERN = range(1700, 2051)
_NAMED = frozenset("mdyshk")
"""Letters of what may be a person's name or part of another."""
_LABELS = word_set(
    "room extension port pin code ticket order invoice case model part serial channel locker desk frequency bus tram route "
    "account phone tel fax version street password number rating score total part"
)
"""Words a few places before a number which say that it is one; other languages' are mapped to "room" and "street"."""
_LABEL_SEEN = range(2, 5)


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
    letter = judged_letter(tokens, first, last, rule=rule)
    if letter is None or _is_plain(tokens, first, last, letter=letter):
        return True
    return accepts(features(tokens, first, last, letter=letter), table=weights())


def judged_letter(tokens: Tokens, first: int, last: int, *, rule: str) -> str | None:
    """Return the letter that features begin with; `None`: not judged.

    A mark before it tells other languages, whose words and capitals mean something else.
    """
    letter, vocabulary = JUDGED.get(rule), tokens.vocabulary
    if letter is None or (letter == "q" and not _DATED.isdisjoint(tokens.classes[first:last])):
        return None
    if letter == "o" and not (tokens.originals[last - 1][:1].isupper() and vocabulary is ENGLISH):
        return None  # "This Week", a programme
    if vocabulary is ENGLISH:
        return None if letter == "e" else letter
    return (
        None
        if letter in "qwckh" or tokens.classes[first] in "lij"
        else ("ß" if vocabulary.capital_months else "~") + letter
    )


def _is_plain(tokens: Tokens, first: int, last: int, *, letter: str) -> bool:
    """Return whether a preposition of time settles it: "in 2019"."""
    words = tokens.originals
    if not first or letter[-1] not in "nmdse":
        return False
    if tokens.vocabulary is ENGLISH:
        settled = words[first - 1].lower() in _SETTLING
    else:
        settled = tokens.classes[first - 1] in _SETTLING_CLASSES
    if len(words[first - 1]) > 1 and words[first - 1].isupper():
        return False  # "NF EN 1992"
    return settled and (last >= len(words) or not words[last][0].isupper())


_SETTLING = frozenset(["in", "between", "since", "until", "during", "on", "last", "next"])
"""Before a candidate and with no name behind it, these make a look at its features needless."""
_SETTLING_CLASSES = frozenset("+^]<BW")
"""The same for other languages, by class."""


def accepts(seen: Iterable[str], *, table: Mapping[str, float]) -> bool:
    """Return whether features, the candidate's letter first, speak for a time."""
    total, letter = 0.0, ""
    for name in seen:
        letter = letter or name[-1]
        total += table.get(name, 0.0)
    return total >= _LEAST.get(letter, _FAR_LEAST)


def features(tokens: Tokens, first: int, last: int, *, letter: str) -> Iterator[str]:
    """Yield what is seen of a candidate and its neighbours."""
    words, classes, kind = tokens.originals, tokens.classes, letter[-1]
    before, earlier = _word(words, first - 1), _word(words, first - 2)
    after, later = _word(words, last), _word(words, last + 1)
    shapes = (_shape(earlier), _shape(before), _shape(after), _shape(later))
    said = str.lower if tokens.vocabulary is ENGLISH else tokens.vocabulary.words.__getitem__
    lead, follow = said(before), said(after)
    yield letter
    yield f"{letter}-1={lead}"
    yield f"{letter}+1={follow}"
    yield f"{letter}-2={said(earlier)}"
    yield f"{letter}+2={said(later)}"
    yield f"{letter}--{shapes[0]}|{shapes[1]}"
    yield f"{letter}++{shapes[2]}|{shapes[3]}"
    yield f"{letter}-+{shapes[1]}|{shapes[2]}"
    yield f"{letter}c{_class(classes, first - 2)}{_class(classes, first - 1)}|{_class(classes, last)}"
    yield f"{letter}t{_touches(tokens, first - 1)}{_touches(tokens, last - 1)}{shapes[1] in _MARKS}"
    if (chunk := _chunk(tokens, first, last)) != "@":
        yield f"{letter}chunk={chunk}"
    if before in _OPENING and after in _CLOSING:
        yield f"{letter}quoted"
    if after == ":" and shapes[3] == "Cap" and _shape(_word(words, last + 2)) == "Cap":
        yield f"{letter}titled"
    if shapes[1] == "low" and _class(classes, first - 1) == "x":
        yield f"{letter}ends={before[-3:]}"
    if shapes[2] == "low" and _class(classes, last) == "x":
        yield f"{letter}then={after[-2:]}"
    if kind == "n":
        yield from _of_number(tokens, first, last, letter=letter)
    elif kind in _NAMED:
        yield f"{letter}word={said(words[last - 1])}"
        if lead in word_list("given_names"):
            yield f"{letter}given"
        if words[last - 1][:1].isupper():
            yield f"{letter}inside={shapes[1] not in _STARTS}|{shapes[2]}"
    elif kind in "qw" and after == "of":
        yield f"{letter}of={_word(words, last + 2 if later in _ARTICLES else last + 1).lower()}"
    elif kind == "i":
        yield f"{letter}form={''.join('9' if mark.isdigit() else mark for mark in words[first])}"


def _of_number(tokens: Tokens, first: int, last: int, *, letter: str) -> Iterator[str]:
    """Yield what tells a year from what is counted, measured or labelled."""
    words, after = tokens.originals, _word(tokens.originals, last)
    if last == first + 1 and words[first].isdecimal():
        yield f"{letter}_modern={int(words[first]) in _MODERN}|{_shape(_word(words, first - 1))}"
        plural = after.islower() and len(after) > 3 and after.endswith("s")
        yield f"{letter}_round={words[first].endswith('00')}{plural}{_class(tokens.classes, first - 1)}"
    if after[:1].isalpha() and _VOWELS.isdisjoint(after.lower()):
        yield f"{letter}measured={after.isupper()}"
    said = str.lower if tokens.vocabulary is ENGLISH else tokens.vocabulary.words.__getitem__
    if any(said(_word(words, first - back)) in _LABELS for back in _LABEL_SEEN):
        yield f"{letter}labelled"


_VOWELS = frozenset("aeiouyäöüéèáàíóú")
_STARTS = frozenset(["", ".", "!", "?", ":", '"', "“", "„", "-", "(", "\n"])
_REACH = 4
"""Tokens of an unspaced stretch that are looked at on either side."""


def _chunk(tokens: Tokens, first: int, last: int) -> str:
    """Return the shape of the unspaced stretch around: "1-1-@-Cap"."""
    words, left, right = tokens.originals, first, last
    while left > max(0, first - _REACH) and tokens.touch(left - 1):
        left -= 1
    while right < min(len(words), last + _REACH) and tokens.touch(right - 1):
        right += 1
    while right > last and not words[right - 1][0].isalnum():
        right -= 1
    while left < first and words[left] in _OPENING:
        left += 1
    return "".join([*map(_shape, words[left:first]), "@", *map(_shape, words[last:right])])


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
