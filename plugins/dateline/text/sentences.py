"""Split a passage into sentences, with offsets.

Written for running prose and for tokenised Wikipedia text alike: "Washington , D.C. . Built in
1794 ..." holds two sentences, "Newton D . Baker" and "Maj . George Peter" hold none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dateline.language.word_lists import word_list, word_set
from dateline.remember import remember
from dateline.text.layout import line_ends

_ABBREVIATIONS = word_set(
    "adm al alt anon approx apr asst aug ave avg bldg blvd brig bros bzw ca capt cert cf ch cmdr co col comdr cont corp cpl "
    "ct dec dept dist dr ed eds e.g env esp est etc evtl excl feb ft fig fr gen ggf gov hon hr i.e inc incl inkl jan jr jul "
    "jun lt ltd maj mar max messrs mgr min mins misc mr mrs ms msgr mt mts no nos nov oct op opp orig p pl pp pres prof pt "
    "pvt ref rep reps resp rev rt sec sen sens sep sept sgt sq sr st ste supt tel temp treas univ usw v vgl viz vol vols vs"
)

_CLOSERS = "\"'”’»)]"
_UNSPACED, _THEIR_CLOSERS = "。！？", "」』）”’"
"""Marks of Chinese and Japanese, behind which no space stands."""
# A run of marks is looked at once, from its beginning; from each of its marks would be quadratic.
_BOUNDARY = re.compile(
    rf"(?<![.!?…])[.!?…]++[{re.escape(_CLOSERS)}]*+(?:\s?[{re.escape(_CLOSERS)}]{{1,2}}(?=\s))?(?=\s|$)|\n\s*\n|\n(?=\s*[-*•#\d])"
    rf"|(?<![{_UNSPACED}])[{_UNSPACED}]++[{_THEIR_CLOSERS}]*+"
)
_LAST_WORD = re.compile(r"([^\s\"'“”‘’«»()\[\]]+)\s?$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
"""Such as "U.S": before a name or a noun they begin a longer name ("U.S. Army"), before a function word they end a sentence."""
_NEXT_WORD = re.compile(r"\s*([^\W\d_]+)")
_FUNCTION_WORDS = word_list("function_words")
_VOWELS = frozenset("aeiouy")
_SHORTEST = 3
"""Letters of a word behind which a full stop ends a sentence of small letters."""
_ELLIPSIS = 3
_OPENERS = "\"'“‘«([–—-*•#"


class Sentence(NamedTuple):
    """One sentence and where it stands: `passage[start:end] == text`.

    Example:
        >>> split_sentences("Dr. Berg leads it. She began in May.")[1]
        Sentence(text='She began in May.', start=19, end=36)
    """

    text: str
    start: int
    end: int


def split_sentences(passage: str) -> list[Sentence]:
    """Split a passage into sentences, stripped and in order.

    Together they hold every non-white character of the passage. Linear in its length.
    """
    return list(_split(passage))


@remember
def _split(passage: str) -> tuple[Sentence, ...]:
    spans: list[tuple[int, int]] = []
    start = 0
    for end in sorted({*_marked_ends(passage), *line_ends(passage)}):
        _append(spans, passage, start, end)
        start = end
    _append(spans, passage, start, len(passage))
    return tuple(Sentence(passage[start:end], start, end) for start, end in spans)


def _marked_ends(passage: str) -> Iterator[int]:
    start = 0
    for match in _BOUNDARY.finditer(passage):
        if _ends_sentence(passage, match, start=start):
            start = match.end()
            yield start


def _append(spans: list[tuple[int, int]], passage: str, start: int, end: int) -> None:
    raw = passage[start:end]
    text = raw.strip()
    if not text:
        return
    begin = start + len(raw) - len(raw.lstrip())
    if spans and not any(map(str.isalnum, text)):
        # Stray closing marks (" . " after "D.C.") belong to the sentence before them.
        begin, _ = spans.pop()
    spans.append((begin, start + len(raw.rstrip())))


def _ends_sentence(passage: str, match: re.Match[str], *, start: int) -> bool:
    mark = match.group()
    if mark[0] in ("\n", *_UNSPACED):
        return True
    if mark[0] in "!?…":
        return _starts_sentence(passage, match.end())
    if not _starts_sentence(passage, match.end()):
        return mark == "." and _ends_in_small_letters(passage, match)
    if mark.startswith(".."):
        return not _is_leader(passage, match)
    before = _LAST_WORD.search(passage, max(start, match.start() - 40), match.start())
    if before is None:
        return True
    word = before.group(1)
    if len(word) == 1 and word.isalpha() and word.isupper() and word != "I":
        return False
    if word.isupper() and _INITIALS.fullmatch(word):
        following = _NEXT_WORD.match(passage, match.end())
        return following is None or following.group(1).lower() in _FUNCTION_WORDS
    return word.lower() not in _ABBREVIATIONS


def _ends_in_small_letters(passage: str, match: re.Match[str]) -> bool:
    """Check for a full stop between two words in small letters.

    So write people without capitals, and so do names such as "payments-db" begin. In notes 150 of 155 such words begin a sentence,
    abbreviations left out.
    """
    after = passage[match.end() : match.end() + 2]
    # Before a full stop that stands apart, as in tokenised text, there is no word.
    word = re.split(r"[\s-]", passage[max(0, match.start() - 40) : match.start()])[-1]
    small = word.isalpha() and word.islower() and after[:1] == " " and after[1:].islower()
    return small and len(word) >= _SHORTEST and not _VOWELS.isdisjoint(word) and word not in _ABBREVIATIONS


def _is_leader(passage: str, match: re.Match[str]) -> bool:
    """Check for dots that lead to a price or page number."""
    return len(match.group()) > _ELLIPSIS and passage[match.start() - 1 : match.start()].isspace()


def _starts_sentence(passage: str, position: int) -> bool:
    """Return whether what follows can begin a sentence.

    Nothing, or a capital, digit or opening mark.
    """
    for character in passage[position : position + 12]:
        if character.isspace():
            continue
        return not character.islower() and (character.isalnum() or character in _OPENERS)
    return not passage[position : position + 12]
