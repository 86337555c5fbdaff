"""Find candidate answers in a sentence."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from dateline.handwritten.reading.vocabulary import OPENERS
from dateline.language.calendar import CALENDAR_AND_SHORT
from dateline.language.names import CAPITAL, PARTICLES, SMALL, WORD, LetterPattern, begins_name
from dateline.language.numbers import CARDINALS, MULTIPLIER, suffix
from dateline.language.offices import TITLE_WORDS
from dateline.language.quantities import CURRENCY, MONEY
from dateline.remember import remember
from dateline.temporal.expressions import find_expressions

SpanKind = Literal["name", "date", "number", "quote", "role"]
"""What a span looks like on the page, before anyone asks what it means."""

_JOINERS = rf"(?:{PARTICLES}|of the|of|on the|for|and|&)"
_CAPITAL = rf"(?:{WORD}(?:\.(?=\s{CAPITAL}|\w)[\w]*)?)"
_VERSION = r"\d{1,4}(?:\.\d{1,4}){0,2}(?![\w,:%–-]|\.\d)"
_NAME = LetterPattern(rf"(?<![\w]){_CAPITAL}(?:\s(?:{_JOINERS}\s)?{_CAPITAL}|\s{_VERSION}){{0,7}}")
_WORDED = rf"(?:{'|'.join(word for word, value in CARDINALS.items() if value)})"
_UNITS = (
    rf"(?:{MONEY}|percent|per cent|degrees|"
    r"km/h|mph|kilomet(?:er|re)s|met(?:er|re)s|miles|feet|tonnes|tons|kilograms|kg|km|years old)"
)
_NUMBER = re.compile(
    rf"(?<![\w.,:])(?:(?P<currency>(?:US)?{CURRENCY})\s?)?(?:\d{{1,3}}(?:,\d{{3}})+|\d+(?::\d\d){{1,2}}|\d+)(?:\.\d+)*"
    rf"(?:\s?%|p\b|{suffix(money_only=('B', 'T'))}\b)?(?:\s{MULTIPLIER}\b)?(?:\s{_UNITS}(?!\w))?(?!\w)"
    rf"|\b{_WORDED}(?:[ -]{_WORDED})?(?:\s{MULTIPLIER}\b)?(?:\s{_UNITS}(?!\w))?(?!\w)",
    re.I,
)
_QUOTE = LetterPattern(rf"[\"“]([^\"“”\n]{{2,80}})[\"”]|(?<!\w)[‘']({CAPITAL}[^‘’'\n]{{2,60}})[’'](?!\w)")
_ROLE = LetterPattern(
    r"\b(?:as|became|becomes|become|elected|appointed|named|was|is|made|promoted to|served as|position of|post of)\s+"
    rf"(?:the\s+|an?\s+|its\s+|his\s+|her\s+)?((?:[\w-]+\s+){{0,3}}?[\w-]+(?:\s+(?:of|for|in|at|to)\s+(?:the\s+)?(?:{CAPITAL}[\w-]*\s?){{1,5}})?)"
    r"(?=\s*[,.;(]|\s+(?:from|in|on|until|by|when|who|and|with|after|before|during|between|for|under|at)\b|\s*$)"
)
_PIECES = LetterPattern(rf"\s(?:and|&|for|the)\s|(?:'s|’s)\s|(?<={SMALL}{{3}})\.\s")
_BROKEN = LetterPattern(rf"(?:'s|’s)\s|{SMALL}{{3}}\.\s")
_WRITTEN = re.compile(r"\S+")
_PLACE_TAIL = re.compile(r"\s(?:of|for)\s.*$")


@dataclass(frozen=True, slots=True)
class Span:
    """`text` stands at sentence[start:end]."""

    start: int
    end: int
    text: str
    kind: SpanKind


def find_spans(sentence: str, *, known: Collection[str] = ()) -> list[Span]:
    """The candidate answers in `sentence`; words in `known` (lower case: the question's) are trimmed off their ends."""
    # Only words of its names can be trimmed off, so that most questions find the same spans in a sentence.
    return list(_spans(sentence, _name_words(sentence).intersection(known)))


@remember
def _name_words(sentence: str) -> frozenset[str]:
    return frozenset(
        bare(word.group())
        for pieces in _name_pieces(sentence)
        for start, end in pieces
        for word in _WRITTEN.finditer(sentence, start, end)
    )


@remember
def _spans(sentence: str, known: frozenset[str]) -> tuple[Span, ...]:
    dates = [
        Span(one.start, one.end, one.text, "date") for one in find_expressions(sentence) if one.interval is not None
    ]
    found, starts = list(dates), [day.start for day in dates]
    for number in _NUMBER.finditer(sentence):
        before = bisect_left(starts, number.end())
        if not before or dates[before - 1].end <= number.start():
            found.append(Span(number.start(), number.end(), number.group().strip(), "number"))
    for match in _QUOTE.finditer(sentence):
        group = 1 if match[1] else 2
        found.append(Span(match.start(group), match.end(group), match.group(group).strip(" ,."), "quote"))
    for pieces in _name_pieces(sentence):
        found += _names(sentence, pieces, known)
    for match in _ROLE.finditer(sentence):
        found.append(Span(match.start(1), match.end(1), match.group(1).strip(), "role"))
    return tuple(span for span in found if span.text)


@remember
def _name_pieces(sentence: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Each name and its parts, as places in the sentence."""
    return tuple(tuple(_pieces(sentence, match.start(), match.end())) for match in _NAME.finditer(sentence))


def _pieces(sentence: str, start: int, end: int) -> Iterable[tuple[int, int]]:
    pieces = [(start, end)]
    cursor = start
    for joint in _PIECES.finditer(sentence, start, end):
        pieces.append((cursor, joint.start()))
        cursor = joint.end()
    if cursor != start:
        pieces.append((cursor, end))
    short = _PLACE_TAIL.sub("", sentence[start:end])
    if len(short) < end - start:
        pieces.append((start, start + len(short)))
    if len(pieces) > 1 and _BROKEN.search(sentence[start:end]):
        pieces.pop(0)
    return dict.fromkeys(pieces)


def _names(sentence: str, pieces: Iterable[tuple[int, int]], known: Collection[str]) -> list[Span]:
    """A name and its parts, with openers, titles and the question's own words trimmed."""
    names = (
        _trim(sentence, first, last, trimmed, titles)
        for first, last in pieces
        for titles in (TITLE_WORDS, ())
        for trimmed in ((known, ()) if known else ((),))
    )
    return list(dict.fromkeys(name for name in names if name is not None))


def _trim(sentence: str, start: int, end: int, known: Collection[str], titles: Collection[str]) -> Span | None:
    """The name inside [start, end), or `None` when nothing of it is one."""
    words = [(m.start(), m.end(), m.group()) for m in _WRITTEN.finditer(sentence, start, end)]
    while words and _opens(bare(words[0][2]), titles):
        words.pop(0)
    while len(words) > 1 and words[-2][2].endswith(".") and bare(words[-1][2]) in OPENERS:
        words.pop()
    while len(words) > 1 and bare(words[0][2]) in known and words[1][2][0].isalpha():
        words.pop(0)
    while len(words) > 1 and (bare(words[-1][2]) in known or words[-1][2] in OPENERS):
        words.pop()
    while words and words[0][2] in OPENERS:
        words.pop(0)
    if not words or (len(words) == 1 and bare(words[0][2]) in CALENDAR_AND_SHORT):
        return None
    first, last = words[0][0], words[-1][1]
    if last - first == 1 and sentence[last : last + 2].strip()[:1] == ".":
        return None  # An initial, not a name.
    text = re.sub(r"(?:['’]s?|[.,;:])+$", "", sentence[first:last])
    return Span(first, first + len(text), text, "name") if begins_name(text) else None


def _opens(word: str, titles: Collection[str]) -> bool:
    """Whether a capitalised word may stand before a name without being part of it."""
    return word in OPENERS or word in titles or word in CALENDAR_AND_SHORT or word.isdigit()


@remember
def bare(word: str) -> str:
    """A word in lower case without marks or possessive around it."""
    return re.sub(r"['’]s?$", "", word.lower().strip(".,;:!?()'’\"“”"))
