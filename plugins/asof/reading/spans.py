"""Candidate answers in a sentence: names, times, numbers, quotations, and what follows the verb."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from asof.reading.vocabulary import OPENERS, TITLES

SpanKind = Literal["name", "date", "number", "quote", "phrase"]
"""What a span looks like on the page, before anyone asks what it means."""

_JOINERS = r"(?:of|de|del|da|dos|di|du|la|le|von|van|der|den|bin|al|ibn|ap|y|for|the|and|&)"
_CAPITAL = r"(?:[A-Z][\w'’.&-]*|[A-Z]\.)"
_NAME = re.compile(rf"{_CAPITAL}(?:\s+(?:{_JOINERS}\s+){{0,2}}{_CAPITAL}|\s+(?:\d{{1,3}})(?![\w,.]\d)){{0,7}}")
_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+{_MONTH}\.?(?:\s*,?\s*\d{{4}})?"
    rf"|{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?(?:\s*,\s*\d{{4}})?(?!\d)"
    rf"|{_MONTH}\.?\s*,?\s+\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}|(?:1[0-9]|20)\d\ds?)\b"
)
_SCALE = r"(?:hundred|thousand|million|billion|trillion|dozen|m|bn|k)"
_NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    r"eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
)
_NUMBER = re.compile(
    rf"(?:[$£€¥₹]\s?)?(?<![\w.])\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?:\s+{_SCALE}\b)?(?:\s?%)?"
    rf"|(?:[$£€¥₹]\s?)?(?<![\w.])\d+(?:\.\d+)?(?:\s+{_SCALE}\b|(?:m|bn|k)\b)?(?:\s?%)?(?![\w])"
    rf"|\b{_NUMBER_WORD}(?:[ -]{_NUMBER_WORD})?(?:\s+{_SCALE}\b)?",
    re.I,
)
_UNIT = re.compile(r"[\s-]?(?:percent|per cent|[a-z]{2,14})\b")
_QUOTE = re.compile(r"[\"“]([^\"“”\n]{2,80})[\"”]|(?<!\w)[‘']([A-Z][^‘’'\n]{2,60})[’'](?!\w)")


@dataclass(frozen=True, slots=True)
class Span:
    """`text` = sentence[start:end], and what it looks like."""

    start: int
    end: int
    text: str
    kind: SpanKind


def find_spans(sentence: str, *, known: Collection[str] = ()) -> list[Span]:
    """The candidate answers in `sentence`; words in `known` (lower case: the question's) are trimmed off their ends."""
    dates = [Span(m.start(), m.end(), m.group(), "date") for m in _DATE.finditer(sentence)]
    found = list(dates)
    for match in _NUMBER.finditer(sentence):
        if not any(d.start <= match.start() < d.end for d in dates):
            found.append(Span(match.start(), match.end(), match.group().strip(), "number"))
    for match in _QUOTE.finditer(sentence):
        group = 1 if match.group(1) else 2
        found.append(Span(match.start(group), match.end(group), match.group(group).strip(" ,."), "quote"))
    for match in _NAME.finditer(sentence):
        found += _names(sentence, match.start(), match.end(), known, dates)
    return [span for span in found if span.text]


def unit_after(sentence: str, span: Span) -> str:
    """The word behind a number ("goals" in "12 goals"), or the empty string."""
    match = _UNIT.match(sentence, span.end)
    return match.group().strip(" -") if match else ""


def _names(sentence: str, start: int, end: int, known: Collection[str], dates: list[Span]) -> list[Span]:
    """The name at [start, end) with openers, titles and the question's own words trimmed; also its halves at "and"."""
    pieces: list[tuple[int, int]] = []
    cursor = start
    for joint in re.finditer(r"\s+(?:and|&)\s+|(?:'s|’s)\s+|(?<=[a-z]{3})\.\s+", sentence[start:end]):
        pieces.append((cursor, start + joint.start()))
        cursor = start + joint.end()
    pieces.append((cursor, end))
    if len(pieces) == 2 and "'s" not in sentence[start:end] and "’s" not in sentence[start:end]:
        pieces.append((start, end))
    names = []
    for first, last in pieces:
        trimmed = _trim(sentence, first, last, known)
        if trimmed and not any(d.start < trimmed.end and trimmed.start < d.end for d in dates):
            names.append(trimmed)
    return names


def _trim(sentence: str, start: int, end: int, known: Collection[str]) -> Span | None:
    words = [(m.start() + start, m.end() + start, m.group()) for m in re.finditer(r"\S+", sentence[start:end])]
    while words and (_bare(words[0][2]) in OPENERS or _bare(words[0][2]) in TITLES or _bare(words[0][2]) in known):
        words.pop(0)
    while words and (_bare(words[-1][2]) in known or words[-1][2] in OPENERS):
        words.pop()
    if not words:
        return None
    first, last = words[0][0], words[-1][1]
    text = (
        sentence[first:last].rstrip(".,;:'’")
        if not re.search(r"\b[A-Z]\.$", sentence[first:last])
        else sentence[first:last]
    )
    text = text.removesuffix("'s").removesuffix("’s")
    return Span(first, first + len(text), text, "name") if text and text[0].isupper() else None


def _bare(word: str) -> str:
    return word.lower().strip(".,;:'’\"").removesuffix("'s").removesuffix("’s")
