"""Relation phrases of foreign questions: "vor 2010", "jusqu'à fin 2019"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

from dateline.temporal.constraint import Ordinal, Relation
from dateline.temporal.expressions import TimeExpression
from dateline.temporal.interval import Interval
from dateline.temporal.language_files import language_file
from dateline.temporal.phrases import Phrase, closes, listed, opens
from dateline.temporal.vocabulary import Vocabulary

_LONGEST = 48
"""Characters looked at before a time expression."""

_BOUNDS: tuple[Relation, ...] = ("since", "before", "after", "until")
_SHORT = 4
"""Letters of a preposition that means "as of" before days alone ("au", "al", "zum")."""


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """Words that relate a question to its times in one language.

    Attributes:
        before: a relation, named by its group, that ends where a time begins.
        happened: such a relation, and what happened at the time ("seit der Wahl 2021").
        thing, made: a participle before or behind a time that only describes a thing ("fondé en 1969").
        auxiliary: what makes such a participle the question's own verb.
        compared: what compares two times.
        ordinal: "first" or "last".
        coordinated: what stands between two times of a list.
    """

    before: re.Pattern[str]
    happened: re.Pattern[str]
    thing: re.Pattern[str]
    made: re.Pattern[str]
    auxiliary: re.Pattern[str]
    compared: re.Pattern[str]
    ordinal: re.Pattern[str]
    coordinated: re.Pattern[str]


@cache
def question_words(code: str) -> QuestionWords:
    """Return the question words of a language other than English."""
    table = language_file(code)
    articles = _either(table["words"]["the"].split())
    relations = "|".join(f"(?P<{name}>{_either(_listed(words))})" for name, words in table["relations"].items())
    asked = table["questions"]
    bounds = "|".join(f"(?P<{name}>{_either(_listed(table['relations'][name]))})" for name in _BOUNDS)
    of = _either(table["words"]["of"].split())
    gap = r"(?:[ \u00a0]|(?<=['’]))"
    things = _either(asked["things"].split())
    joints = _either(f"{table['words']['and']} {table['words']['or']}".split())
    return QuestionWords(
        before=re.compile(rf"(?<!\w)(?:{relations})(?:[ \u00a0]{articles})?(?:[ \u00a0]|(?<=['’]))$", re.I),
        happened=re.compile(
            rf"(?<!\w)(?:{bounds}){gap}(?:(?:{articles}|as?){gap}[^\W\d_]{{2,}}|(?-i:[a-zß-ÿ])[^\W\d_]+)"
            rf"[ \u00a0](?:{of}{gap})?(?:{articles}{gap})?$",
            re.I,
        ),
        thing=re.compile(rf"(?<!\w){things}[ \u00a0]$", re.I),
        made=re.compile(rf"[ \u00a0]{things}(?!\w)", re.I),
        auxiliary=re.compile(rf"(?<!\w){_either(asked['auxiliary'].split())}(?!\w)", re.I),
        compared=re.compile(rf"(?<!\w){_either(_listed(asked['compared']))}(?!\w)", re.I),
        ordinal=re.compile(
            rf"(?<!\w)(?:(?P<first>{_either(asked['first'].split())})|(?P<last>{_either(asked['last'].split())}))(?!\w)",
            re.I,
        ),
        coordinated=re.compile(
            rf"\s*(?:/|(?:,|,?\s?{joints})\s)\s*(?:{_either(_listed(table['relations']['at']))}\s+)?(?:{articles}\s+)?",
            re.I,
        ),
    )


def _listed(words: str) -> list[str]:
    return [word.strip() for word in words.split(",")]


def _either(words: Iterable[str]) -> str:
    """Return the pattern of any of these words, the longest first."""
    ordered = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace("'", "['’]") for word in ordered) + ")"


def foreign_phrases(text: str, expressions: Sequence[TimeExpression], *, vocabulary: Vocabulary) -> list[Phrase]:
    """Return the relation phrases of a question that is not English."""
    words = question_words(vocabulary.code)
    read = ((found, _phrase(text, found, words=words, bare=vocabulary.bare_years)) for found in expressions)
    return listed(text, read, coordinated=words.coordinated)


def _phrase(text: str, found: TimeExpression, *, words: QuestionWords, bare: bool) -> Phrase | None:
    """Return the expression with its relation words.

    `None` for a time that names or describes a thing.
    """
    if found.interval is None or found.kind == "set" or found.certainty < 0.5:
        return None
    before = words.before.search(text, max(0, found.start - _LONGEST), found.start)
    if (before is None or before.lastgroup == "at") and found.interval.granularity == "year":
        before = words.happened.search(text, max(0, found.start - _LONGEST), found.start) or before
    start = found.start if before is None else before.start()
    named = None if before is None else cast(Relation, before.lastgroup)
    if named == "as_of" and found.interval.granularity != "day" and found.start - start <= _SHORT:
        named = "at"  # "au troisième trimestre"
    if words.made.match(text, found.end) or _describes(text, start, words=words):
        return None
    if found.kind == "duration" or found.interval.start is None or found.interval.end is None:
        return Phrase(start if named == "at" else found.start, found.end, _of_range(found.interval), found.interval)
    if found.kind == "range":
        relation = named if named in ("before", "after", "as_of", "by", "until") else "between"
        return Phrase(start, found.end, relation, found.interval)
    if named is None and found.text.isdigit() and not (bare or closes(text, found.end) or opens(text, start)):
        return None
    return Phrase(start, found.end, named or "at", found.interval)


def _of_range(interval: Interval) -> Relation:
    if interval.start is None:
        return "until"
    return "since" if interval.end is None else "between"


def _describes(text: str, start: int, *, words: QuestionWords) -> bool:
    """Return whether a participle before a time describes a thing."""
    thing = words.thing.search(text, max(0, start - _LONGEST), start)
    return thing is not None and words.auxiliary.search(text, max(0, thing.start() - _LONGEST), thing.start()) is None


def foreign_ordinal(text: str, *, vocabulary: Vocabulary) -> Ordinal | None:
    """Return the ordinal that a foreign question asks for."""
    found = question_words(vocabulary.code).ordinal.search(text)
    return None if found is None else cast(Ordinal, found.lastgroup)


def compares(text: str, *, vocabulary: Vocabulary) -> bool:
    """Return whether a question compares what it names."""
    return question_words(vocabulary.code).compared.search(text) is not None
