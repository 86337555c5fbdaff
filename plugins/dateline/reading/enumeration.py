"""Several answers to one question: the parts of a list."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from dateline.language.calendar import MONTHS, WEEKDAYS
from dateline.language.names import CAPITAL, LetterPattern
from dateline.reading.span_scores import Mention
from dateline.text.sentences import split_sentences
from dateline.text.words import content_words

_WORTH, _NEAR = 2.0, 3.0
"""What it is worth that a mention stands in a list, and by how much the best may be worth more, in log-odds. Chosen by hand on the
thirteen lists of benchmarks/notes/fit."""
_MOST = 12
"""Parts of a list."""
_LONGEST = 10
"""Words between two joints of a list, and of a line in one."""
_JOINT = re.compile(r"[,;:]\s++|(?<!\s)\s++(?:and|or|&|und|et)\s++|\n++")
_ASIDE = re.compile(r"\([^()\n]*\)?")
_LINE = re.compile(r"[^\n]+")
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})s?\b", re.I)
_RANGE = re.compile(rf"{_WEEKDAY.pattern} ?(?:to|-|–) ?{_WEEKDAY.pattern}", re.I)
_CODE = LetterPattern(rf"\b{CAPITAL}{{1,4}}-?\d[\w-]*")
_NAME = LetterPattern(rf"{CAPITAL}[\w'’-]*(?: (?:(?:of|the|de|van|von|&) )*(?:{CAPITAL}[\w'’-]*|[IVX]+\b))*")
_NUMBER = re.compile(r"\d[\d.,:]*\d|\d")
_DATE = re.compile(rf"(?:{'|'.join((*WEEKDAYS, *MONTHS))})s?(?: \d+)*", re.I)


class Listed(NamedTuple):
    """An answer of several parts, and the pieces in which they stand."""

    text: str
    sources: tuple[int, ...]


def enumerate_parts(
    mentions: Sequence[Mention],
    *,
    worths: Sequence[float],
    texts: Sequence[str],
    asked: Iterable[str] = (),
    count: int | None = None,
) -> Listed:
    """Return the best mention with all that it is enumerated with.

    One that holds enough parts itself is the list. Else a mention that stands in a list is worth more. Parts are told by their
    shape, that of the mention: names, numbers, weekdays; asides in brackets are left out. Where nothing is enumerated and `count`
    says how many, so many of those nearly as good that differ are taken, of all pieces.

    Args:
        mentions: what may answer, at least one.
        worths: of each, in log-odds.
        texts: the pieces that they stand in.
        asked: the question's content words, which choose the rows of a table.

    Example:
        >>> text = "Ada (who left), Bo and Cem have a key."
        >>> enumerate_parts([Mention("Bo", 0, 16, 18, 8.0)], worths=[0.0], texts=[text]).text
        'Ada, Bo and Cem'
    """
    order = sorted(range(len(mentions)), key=lambda place: -worths[place])
    first = mentions[order[0]]
    if len(_JOINT.split(first.text)) >= max(count or 0, 2):
        return Listed(first.text, (first.source,))
    shape, known = _shape(first.text), set(asked)
    near = [place for place in order if worths[place] >= worths[order[0]] - _NEAR]
    alike = [place for place in near if _shape(mentions[place].text) is shape]
    lists = {place: parts for place in alike if len(parts := _parts(mentions[place], texts, known)) > 1}
    best = max(near, key=lambda place: worths[place] + _WORTH * (place in lists))
    if best in lists:
        return Listed(_joined(lists[best][:_MOST]), (mentions[best].source,))
    apart = _apart([mentions[place] for place in near], count or 1)
    return Listed(_joined([one.text for one in apart]), tuple(dict.fromkeys(one.source for one in apart)))


def _joined(parts: Sequence[str]) -> str:
    return " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else parts[0]


def _apart(ranked: Sequence[Mention], count: int) -> list[Mention]:
    """Return so many of the best that are different and stand apart."""
    parts: list[Mention] = []
    for one in ranked:
        if len(parts) < count and all(_differ(one, other) for other in parts):
            parts.append(one)
    return parts


def _differ(one: Mention, other: Mention) -> bool:
    return not one.overlaps(other) and one.text not in other.text and other.text not in one.text


def _parts(mention: Mention, texts: Sequence[str], asked: set[str]) -> list[str]:
    """Return the parts of a mention's list, or its text."""
    text = _ASIDE.sub(lambda aside: " " * len(aside[0]), texts[mention.source])
    block = _block(text, mention.start)
    if len(block) > 1 and text[block[0][0]] == "|":
        return _column(text, block, mention, asked)
    segments = block if len(block) > 1 else list(_segments(text, mention))
    shape = _shape(mention.text)
    inside = [number for number, (first, last) in enumerate(segments) if first < mention.end and mention.start < last]
    if shape is None or not inside:
        return [mention.text]
    cores = [_core(text[first:last], shape, opens=not number) for number, (first, last) in enumerate(segments)]
    begin, after = inside[0], inside[-1]
    while begin > 0 and cores[begin - 1] and text[segments[begin - 1][1]] != ":":
        begin -= 1
    while after + 1 < len(segments) and cores[after + 1] and text[segments[after][1]] != ":":
        after += 1
    kept = [core for core in dict.fromkeys(cores[begin : after + 1]) if core and not _is_asked(core, asked)]
    return kept or [mention.text]


def _is_asked(core: str, asked: set[str]) -> bool:
    """Return whether a part only repeats the question, or is no name.

    Of function words the capital ones are names: "US", "IT".
    """
    own = content_words(core)
    return asked.issuperset(own) if own else len(core) == 1 or not core.isupper()


def _shape(text: str) -> LetterPattern | re.Pattern[str] | None:
    """Return what parts look like beside such a text.

    A range is whole by itself.
    """
    if _RANGE.search(text):
        return None
    return next((one for one in (_WEEKDAY, _CODE, _NAME, _NUMBER) if one.search(text)), None)


def _segments(text: str, mention: Mention) -> Iterator[tuple[int, int]]:
    """Yield what stands between the joints of a mention's sentence."""
    sentences = split_sentences(text)
    place = bisect_right(sentences, mention.start, key=itemgetter(1)) - 1
    first, last = (sentences[place].start, sentences[place].end) if place >= 0 else (0, len(text))
    for joint in _JOINT.finditer(text, first, last):
        yield first, joint.start()
        first = joint.end()
    yield first, last


def _block(text: str, place: int) -> list[tuple[int, int]]:
    """Return the short lines around a place, items of a list."""
    lines = [(line.start(), line.end()) for line in _LINE.finditer(text)]
    at = bisect_right(lines, place, key=itemgetter(0)) - 1
    first = after = at
    while (
        first >= 0
        and _is_item(text[slice(*lines[first])])
        and (first == at or lines[first][1] + 1 == lines[first + 1][0])
    ):
        first -= 1
    while (
        after < len(lines)
        and _is_item(text[slice(*lines[after])])
        and (after == at or lines[after - 1][1] + 1 == lines[after][0])
    ):
        after += 1
    return lines[first + 1 : after]


def _is_item(line: str) -> bool:
    short = len(line.split()) <= 2 * _LONGEST and not line.rstrip().endswith((".", "!", "?"))
    return line.startswith("|") or (short and not line[:1].islower())


def _column(text: str, rows: Sequence[tuple[int, int]], mention: Mention, asked: set[str]) -> list[str]:
    """Return the cells of a mention's column.

    Those of the rows that name what is asked, where some do.
    """
    row = next(number for number, (first, last) in enumerate(rows) if mention.start < last)
    column = text.count("|", rows[row][0], mention.start)
    cells = [text[first:last].split("|") for first, last in rows[2:]]
    held = [
        (one[column].strip(), {*content_words(" ".join((*one[:column], *one[column + 1 :])))})
        for one in cells
        if column < len(one)
    ]
    named = [cell for cell, beside in held if beside & asked]
    return [cell for cell in named or [cell for cell, _ in held] if cell] or [mention.text]


def _core(segment: str, shape: LetterPattern | re.Pattern[str], *, opens: bool) -> str:
    """Return the part that a segment holds, or nothing.

    The first segment may have words before it.
    """
    found = [match[0] for match in shape.finditer(segment)]
    if shape is _NAME:
        found = [one for one in found if not _DATE.fullmatch(one)]
    most = 2 if shape is _NUMBER else _LONGEST
    if not found or (len(segment.split()) > most and not opens):
        return ""
    return found[-1 if opens else 0]
