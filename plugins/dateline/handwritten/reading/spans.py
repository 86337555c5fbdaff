"""Find candidate answers in a sentence."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from dateline.handwritten.reading.vocabulary import OPENERS, TITLES
from dateline.language.calendar import CALENDAR_AND_SHORT
from dateline.language.numbers import CARDINALS, SCALES
from dateline.temporal.expressions import find_expressions

SpanKind = Literal["name", "date", "number", "quote", "role"]
"""What a span looks like on the page, before anyone asks what it means."""

_JOINERS = r"(?:of the|of|on the|de la|de|del|da|dos|di|du|la|le|von|van der|van|der|den|bin|al|ibn|ap|y|for|and|&)"
_CAPITAL = r"(?:[a-z]?[A-Z][\w'’&-]*(?:\.(?=\s[A-Z]|\w)[\w]*)?)"
_VERSION = r"\d{1,4}(?:\.\d{1,4}){0,2}(?![\w,:%–-]|\.\d)"
_NAME = re.compile(rf"(?<![\w]){_CAPITAL}(?:\s(?:{_JOINERS}\s)?{_CAPITAL}|\s{_VERSION}){{0,7}}")
_SCALE = rf"(?:{'|'.join(SCALES)}|dozen)"
_WORDED = rf"(?:{'|'.join(word for word, value in CARDINALS.items() if value)})"
_UNITS = (
    r"(?:cents?|pence|dollars?|euros?|pounds?|yen|yuan|rupees?|roubles?|rubles?|francs?|percent|per cent|degrees|"
    r"km/h|mph|kilomet(?:er|re)s|met(?:er|re)s|miles|feet|tonnes|tons|kilograms|kg|km|years old)"
)
_NUMBER = re.compile(
    rf"(?<![\w.,:])(?:(?:US)?[$£€¥₹]\s?)?(?:\d{{1,3}}(?:,\d{{3}})+|\d+(?::\d\d){{1,2}}|\d+)(?:\.\d+)*"
    rf"(?:\s?%|p\b|(?:bn|m|k)\b)?(?:\s{_SCALE}\b)?(?:\s{_UNITS}(?!\w))?(?!\w)"
    rf"|\b{_WORDED}(?:[ -]{_WORDED})?(?:\s{_SCALE}\b)?(?:\s{_UNITS}(?!\w))?(?!\w)",
    re.I,
)
_QUOTE = re.compile(r"[\"“]([^\"“”\n]{2,80})[\"”]|(?<!\w)[‘']([A-Z][^‘’'\n]{2,60})[’'](?!\w)")
_ROLE = re.compile(
    r"\b(?:as|became|becomes|become|elected|appointed|named|was|is|made|promoted to|served as|position of|post of)\s+"
    r"(?:the\s+|an?\s+|its\s+|his\s+|her\s+)?((?:[\w-]+\s+){0,3}?[\w-]+(?:\s+(?:of|for|in|at|to)\s+(?:the\s+)?(?:[A-Z][\w-]*\s?){1,5})?)"
    r"(?=\s*[,.;(]|\s+(?:from|in|on|until|by|when|who|and|with|after|before|during|between|for|under|at)\b|\s*$)"
)
_PIECES = re.compile(r"\s(?:and|&|for|the)\s|(?:'s|’s)\s|(?<=[a-z]{3})\.\s")
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
    dates = [
        Span(one.start, one.end, one.text, "date") for one in find_expressions(sentence) if one.interval is not None
    ]
    found = list(dates)
    for match in _NUMBER.finditer(sentence):
        if not any(day.start < match.end() and match.start() < day.end for day in dates):
            found.append(Span(match.start(), match.end(), match.group().strip(), "number"))
    for match in _QUOTE.finditer(sentence):
        group = 1 if match.group(1) else 2
        found.append(Span(match.start(group), match.end(group), match.group(group).strip(" ,."), "quote"))
    for match in _NAME.finditer(sentence):
        found += _names(sentence, match.start(), match.end(), known)
    for match in _ROLE.finditer(sentence):
        found.append(Span(match.start(1), match.end(1), match.group(1).strip(), "role"))
    return [span for span in found if span.text]


def _names(sentence: str, start: int, end: int, known: Collection[str]) -> list[Span]:
    """The name at [start, end) and its parts, with openers, titles and the question's own words trimmed."""
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
    if len(pieces) > 1 and re.search(r"(?:'s|’s)\s|[a-z]{3}\.\s", sentence[start:end]):
        pieces.pop(0)
    names = (
        _trim(sentence, first, last, trimmed, titles)
        for first, last in dict.fromkeys(pieces)
        for titles in (TITLES, ())
        for trimmed in (known, ())
    )
    return list(dict.fromkeys(name for name in names if name is not None))


def _trim(sentence: str, start: int, end: int, known: Collection[str], titles: Collection[str]) -> Span | None:
    """The name inside [start, end), or `None` when nothing of it is one."""
    words = [(m.start(), m.end(), m.group()) for m in re.compile(r"\S+").finditer(sentence, start, end)]
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
    return Span(first, first + len(text), text, "name") if any(map(str.isupper, text[:2])) else None


def _opens(word: str, titles: Collection[str]) -> bool:
    """Whether a capitalised word may stand before a name without being part of it."""
    return word in OPENERS or word in titles or word in CALENDAR_AND_SHORT or word.isdigit()


def bare(word: str) -> str:
    """A word in lower case without marks or possessive around it."""
    return re.sub(r"['’]s?$", "", word.lower().strip(".,;:!?()'’\"“”"))
