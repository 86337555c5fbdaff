"""Trained tagger: a time, or a name, title or number?

Logistic regression over the shapes and words beside a candidate. `data/time_names.json` is fitted by
`training/time_names.py` on sentences written for it and on times of open pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
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
    "account phone tel fax version street password number rating score total numbers codes rooms extensions"
)
"""Words a few places before a number which say that it is one; other languages' are mapped to "room" and "street"."""
_LABEL_REACH = 4
_DIGIT = re.compile(r"\d")


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
    if rule not in JUDGED:
        return True
    letter = judged_letter(tokens, first, last, rule=rule)
    if letter is None or _is_plain(tokens, first, last, letter=letter):
        return True
    return accepts(features(tokens, first, last, letter=letter), table=weights())


def judged_letter(tokens: Tokens, first: int, last: int, *, rule: str) -> str | None:
    """Return the letter of a candidate's features, `None` where none are needed.

    A mark before it tells other languages, whose words and capitals mean something else.
    """
    letter, vocabulary, begins = JUDGED.get(rule), tokens.vocabulary, tokens.classes[first]
    if letter is None or (letter == "q" and not _DATED.isdisjoint(tokens.classes[first:last])):
        return None
    if letter in "oyk" and not tokens.originals[last - 1][0].isupper():
        return None  # in lower case no part of a name, as "This Week" and "20th Century" may be
    if begins == "I" or (letter == "d" and begins in "lij") or (letter in "nms" and begins in "Pu%"):
        return None  # "2024-06-12", "last Friday", "early 2019", "mid-May"
    if vocabulary is ENGLISH:
        return None if letter == "e" else letter
    if letter in "oqwckh" or begins in "lij":
        return None
    return ("ß" if vocabulary.capital_months else "~") + letter


def _is_plain(tokens: Tokens, first: int, last: int, *, letter: str) -> bool:
    """Return whether a preposition of time settles it: "in 2019"."""
    words = tokens.originals
    if not first or letter[-1] not in "nmdse":
        return False
    if tokens.vocabulary is ENGLISH:
        settled = words[first - 1].lower() in _SETTLING
    else:
        before = tokens.classes[first - 1]
        settled = before in _SETTLING_CLASSES or (before == "&" and tokens.classes[max(first - 2, 0)] == "4")
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


def features(tokens: Tokens, first: int, last: int, *, letter: str) -> list[str]:
    """Return what is seen of a candidate and its neighbours."""
    words, classes, kind = tokens.originals, tokens.classes, letter[-1]
    earlier, before = _word(words, first - 2), _word(words, first - 1)
    after, later = _word(words, last), _word(words, last + 1)
    shape1, shape2, shape3, shape4 = _shape(earlier), _shape(before), _shape(after), _shape(later)
    class1, class2, class3 = _class(classes, first - 2), _class(classes, first - 1), _class(classes, last)
    touches, touched = tokens.touch(first - 1), tokens.touch(last - 1)
    say = str.lower if tokens.vocabulary is ENGLISH else tokens.vocabulary.words.__getitem__
    lead = say(before)
    seen = [
        letter,
        f"{letter}-1={lead}",
        f"{letter}+1={say(after)}",
        f"{letter}-2={say(earlier)}",
        f"{letter}+2={say(later)}",
        f"{letter}--{shape1}|{shape2}",
        f"{letter}++{shape3}|{shape4}",
        f"{letter}-+{shape2}|{shape3}",
        f"{letter}c{class1}{class2}|{class3}",
        f"{letter}t{touches:d}{touched:d}{shape2 in _MARKS}",
    ]
    if (touches or touched) and (chunk := _chunk(tokens, first, last)) != "@":
        seen.append(f"{letter}chunk={chunk}")
    if before in _OPENING and after in _CLOSING:
        seen.append(f"{letter}quoted")
    if after == ":" and shape4 == "Cap" and _shape(_word(words, last + 2)) == "Cap":
        seen.append(f"{letter}titled")
    if shape2 == "low" and class2 == "x":
        seen.append(f"{letter}ends={before[-3:]}")
    if shape3 == "low" and class3 == "x":
        seen.append(f"{letter}then={after[-2:]}")
    if kind == "n":
        seen.extend(_of_number(tokens, first, last, letter=letter, say=say))
    elif kind in _NAMED:
        seen.append(f"{letter}word={say(words[last - 1])}")
        if not (_OPENING.isdisjoint(words[max(first - 3, 0) : first]) or _CLOSING.isdisjoint(words[last : last + 3])):
            seen.append(f"{letter}in_quotes={shape2}|{shape3}")
        if lead in word_list("given_names"):
            seen.append(f"{letter}given")
        if words[last - 1][0].isupper():
            seen.append(f"{letter}inside={shape2 not in _STARTS}|{shape3}")
    elif kind in "qw" and after == "of":
        of = _word(words, last + 2 if later in _ARTICLES else last + 1).lower()
        seen.append(f"{letter}of={of}")
    elif kind == "i":
        seen.append(f"{letter}form={_DIGIT.sub('9', words[first])}")
    return seen


def _of_number(tokens: Tokens, first: int, last: int, *, letter: str, say: Callable[[str], str]) -> Iterator[str]:
    """Yield what tells a year from what is counted, measured or labelled."""
    words, after = tokens.originals, _word(tokens.originals, last)
    if last == first + 1 and words[first].isdecimal():
        yield f"{letter}_modern={int(words[first]) in _MODERN}|{_shape(_word(words, first - 1))}"
        plural = after.endswith("s") and len(after) > 3 and after.islower()
        yield f"{letter}_round={words[first].endswith('00')}{plural}{_class(tokens.classes, first - 1)}"
    if after[:1].isalpha() and _VOWELS.isdisjoint(after.lower()):
        yield f"{letter}measured={after.isupper()}"
    for word in words[max(first - _LABEL_REACH, 0) : max(first - 1, 0)]:
        if say(word) in _LABELS:
            yield f"{letter}labelled"
            break


_VOWELS = frozenset("aeiouyäöüéèáàíóú")
_STARTS = frozenset(["", ".", "!", "?", ":", '"', "“", "„", "-", "(", "\n"])
_REACH = 4
"""Tokens of an unspaced stretch that are looked at on either side."""


def _chunk(tokens: Tokens, first: int, last: int) -> str:
    """Return the shape of a candidate's unspaced stretch: "1-1-@-Cap"."""
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


def _shape(word: str) -> str:
    """Return a word's shape: low, Cap, UP, mix, 1, or a mark."""
    if not word:
        return ""
    if word.isalpha():
        return "low" if word.islower() else "UP" if word.isupper() and len(word) > 1 else "Cap"
    return "1" if word[0].isdecimal() else "mix" if word[0].isalpha() else word[0]
