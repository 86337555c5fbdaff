"""Features of a candidate: its shape, the words beside it, their kinds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from dateline.language.word_lists import word_list, word_set
from dateline.temporal.name_kinds import name_kinds
from dateline.temporal.tokens import Tokens
from dateline.temporal.vocabulary import ENGLISH

_OPENING, _CLOSING = frozenset("\"“'‘«„»"), frozenset("\"”'’»“«")
_ARTICLES = frozenset(["the", "a", "this", "that", "our", "their", "his", "her"])
_MODERN = range(1700, 2051)
_NAMED = frozenset("mdyshkoe")
"""Letters of what may be a person's name or part of another."""
_DIGIT = re.compile(r"\d")


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
    seen.append(f"{letter}run={_run(words, first, last)}")
    seen.extend(_kinds_beside(tokens, first, last, kind=kind))
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


def _kinds_beside(tokens: Tokens, first: int, last: int, *, kind: str) -> Iterator[str]:
    """Yield the kinds of words on either side, in the same sentence.

    These features are of no language: what one teaches serves all.
    """
    words, kind_of = tokens.originals, name_kinds(tokens.vocabulary.code)
    for side, near in (("<", reversed(words[max(first - _NEAR, 0) : first])), (">", words[last : last + _NEAR])):
        met = set()
        for away, word in enumerate(near, start=1):
            if word in _ENDS:
                break
            of = kind_of[word]
            if of and of not in met:
                met.add(of)
                yield f"*{kind}{side}{min(away, _CLOSE)}{of}"


_NEAR, _CLOSE = 6, 3
"""Words on either side that are looked at; how many of them are told apart by their place."""
_ENDS = frozenset(".!?;")


def _run(words: list[str], first: int, last: int) -> str:
    """Return how many capitalised words stand before and behind, small ones between.

    "s" where those before begin the sentence: "The Man Who Was Thursday" is "3s|0".
    """
    left, before, furthest = first - 1, 0, max(0, first - _LONGEST)
    while left >= furthest and (
        words[left][0].isupper() or (words[left] in _SMALL and left and words[left - 1][0].isupper())
    ):
        before += words[left][0].isupper()
        left -= 1
    right, after = last, 0
    while right < min(len(words), last + _LONGEST) and (
        words[right][0].isupper() or (words[right] in _SMALL and _word(words, right + 1)[:1].isupper())
    ):
        after += words[right][0].isupper()
        right += 1
    starts = left < 0 or words[left] in _STARTS
    return f"{min(before, 3)}{'s' if starts else ''}|{min(after, 3)}"


_LONGEST = 32
"""Tokens of a run that are walked on either side; no title is longer, but a list of names may be."""
_SMALL = word_set("of the and a an in on to for at de la del du des da do von der die das den van")
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
