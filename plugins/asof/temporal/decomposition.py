"""Take a question apart by rules: main content, constraint, ordinal (MRAG, section 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from asof.errors import BadInput
from asof.temporal.constraint import Constraint, Ordinal, Question, Relation
from asof.temporal.expressions import TimeExpression, find_expressions
from asof.temporal.interval import Interval

_PHRASES: dict[Relation, str] = {
    "as_of": r"as (?:of|at|from|per)|as it stood (?:in|on)|as things stood (?:in|on)|up to date as of",
    "by": r"by(?: the end of)?|no later than|not later than|not after|on or before|in or before|(?:at|by) the latest(?: by| in| on)?",
    "until": r"up to(?: and including)?|(?:up )?(?:until|till)|up through|through",
    "since": r"(?:ever )?since|no earlier than|not earlier than|not before|on or after|in or after|(?:starting|beginning) (?:in|on|from|with)|as early as|from",
    "before": r"(?:any ?time |at any point |sometime )?(?:before|prior to|earlier than|preceding|ahead of|in advance of)|in the (?:run-up|lead-up|build-up) to|leading up to|(?:in )?(?:the )?(?:years?|months?|weeks?|days?) (?:before|leading up to|prior to)",
    "after": r"(?:any ?time |at any point |sometime )?(?:after|later than|following|subsequent to|past|beyond)|in the (?:wake|aftermath) of|(?:in )?(?:the )?(?:years?|months?|weeks?|days?) (?:after|following)",
    "around": r"(?:in |at |from )?(?:around|about|circa|ca\.?|c\.|approximately|roughly|near|close to|somewhere around|some time around|sometime around)",
    "between": r"between|(?:in|during|for|over) the (?:period|years|span|stretch|time)(?: of time)?(?: from| between| of)?",
    "at": r"in the (?:period of time|period|course|month|year|time|spring|summer|fall|autumn|winter) (?:of|in)|(?:back |as early as |at some point |at any point |sometime |some time )?(?:in|on|during|within|throughout|at|over(?: the course of)?|in the course of)|for",
}
_RELATION_OF = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(f"(?P<{name}>{pattern})" for name, pattern in _PHRASES.items())
    + r")\s+(?P<the>the\s+)?$",
    re.I,
)
_LONGEST_PHRASE = 48
"""Characters looked at before a time expression."""

_SUFFIXES = re.compile(
    r"\s*,?\s*(?:(?P<since>or later|or after|onwards?|and (?:later|after|beyond|onwards?)|and thereafter|at the earliest|on(?=\s*[?.,]|\s*$))"
    r"|(?P<by>or (?:earlier|before)|and (?:before|earlier)|at the latest))(?!\w)",
    re.I,
)

_ORDINAL = re.compile(
    r"(?<![\w-])(?:(?P<first>first|earliest|1st|initial(?:ly)?|oldest)"
    r"|(?P<last>last|latest|most recent(?:ly)?|newest|current(?:ly)?|final|now|at present|presently|nowadays|these days|to date|so far))(?![\w-])",
    re.I,
)
_NOT_ORDINAL = re.compile(
    r"(?:first|last)\s+(?:name|names|lady|ladies|gentleman|person singular|aid|class|base|half|quarter|week|month|year|"
    r"night|monday|tuesday|wednesday|thursday|friday|saturday|sunday|world war|minister|amendment|language|degree|step|steps|"
    r"resort|straw|supper|two|three|four|five|six|seven|eight|nine|ten|few|couple|\d+|division|baron|earl|duke|viscount|"
    r"republic|generation|nations?|floor|grade|responder|avenue|street)s?\b",
    re.I,
)
_COMPARISON = re.compile(r"\b(?:than|compared (?:to|with)|versus|vs|difference between|same as)\b", re.I)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A relation phrase with its time: where it stands and what it says."""

    start: int
    end: int
    relation: Relation
    interval: Interval


def decompose(text: str, *, as_of: datetime) -> Question:
    """The question's main content, constraint and ordinal; relative times are read against `as_of`.

    A question with several constraints or a comparison is kept whole: its content is the text itself, its
    constraint the merged range ("after 2005 and before 2010") or `None`.

    Raises:
        BadInput: for a text without a visible character, or an `as_of` without time zone.
    """
    if not text.strip():
        raise BadInput("A question needs at least one visible character, but this one is empty.")
    ordinal = find_ordinal(text)
    expressions = find_expressions(text, anchor=Interval.of_moment(as_of))
    phrases = [phrase for found in expressions if (phrase := _phrase(text, found)) is not None]
    chosen = _chosen(text, phrases)
    if chosen is None:
        merged = _merged(phrases, ordinal, text)
        return Question(text, text.strip(), merged, as_of, ordinal)
    words = text[chosen.start : chosen.end].strip(" ,")
    constraint = Constraint(chosen.relation, chosen.interval, ordinal, words)
    return Question(text, _without(text, chosen.start, chosen.end), constraint, as_of, ordinal)


def find_ordinal(text: str) -> Ordinal | None:
    """Whether a question asks for the first or the last of something: its first such word decides."""
    for match in _ORDINAL.finditer(text):
        if _NOT_ORDINAL.match(text, match.start()) is None:
            return "first" if match.lastgroup == "first" else "last"
    return None


def _phrase(text: str, found: TimeExpression) -> _Phrase | None:
    if found.interval is None or found.kind not in ("date", "time", "range") or found.certainty < 0.5:
        return None
    interval, end = found.interval, found.end
    offset = max(0, found.start - _LONGEST_PHRASE)
    before = _RELATION_OF.search(text[offset : found.start])
    start = found.start if before is None else offset + before.start()
    if before is not None and before["the"] and re.match(r"\s+[A-Za-z]", text[end:]) and found.text[:1].isdigit():
        return None  # "after the 2010 elections": the year only names an event
    if found.kind == "range":
        relation = _range_relation(found)
        return None if relation is None else _Phrase(start, end, relation, interval)
    suffix = _SUFFIXES.match(text, end)
    if before is None:
        return None
    relation = _relation_named(before)
    if suffix is not None:
        relation = "since" if suffix.lastgroup == "since" else "by"
        end = suffix.end()
    return _Phrase(start, end, relation, interval)


def _relation_named(match: re.Match[str]) -> Relation:
    return next(name for name in _PHRASES if match[name] is not None)


def _range_relation(found: TimeExpression) -> Relation | None:
    interval = found.interval
    if interval is None:
        return None
    if interval.start is None:
        return "until"
    return "since" if interval.end is None else "between"


def _chosen(text: str, phrases: Sequence[_Phrase]) -> _Phrase | None:
    """The one constraint of the main clause, or `None` where there is none or no single one."""
    if _COMPARISON.search(text) and len(phrases) != 1:
        return None
    if len(phrases) == 1:
        return phrases[0]
    outer = [phrase for phrase in phrases if phrase.relation == "as_of"]
    return outer[0] if len(outer) == 1 else None


def _merged(phrases: Sequence[_Phrase], ordinal: Ordinal | None, text: str) -> Constraint | None:
    """One range out of a lower and an upper bound."""
    if len(phrases) != 2 or _COMPARISON.search(text):
        return None
    windows = [Constraint(phrase.relation, phrase.interval).window() for phrase in phrases]
    lower = next((window.start for window in windows if window.end is None), None)
    upper = next((window.end for window in windows if window.start is None), None)
    if lower is None or upper is None or lower >= upper:
        return None
    words = text[min(p.start for p in phrases) : max(p.end for p in phrases)].strip(" ,")
    return Constraint("between", Interval(lower, upper), ordinal, words)


def _without(text: str, start: int, end: int) -> str:
    """The text with one stretch cut out and its seam tidied."""
    head, tail = text[:start].rstrip(), text[end:].lstrip()
    if not head:
        tail = tail.lstrip(" ,")
        return tail[:1].upper() + tail[1:] if text[:1].isupper() else tail
    if head.endswith(",") and (not tail or tail[0] in ",?.!"):
        head = head[:-1].rstrip()
    if tail.startswith(",") and head.endswith(","):
        tail = tail[1:].lstrip()
    joint = "" if not tail or tail[0] in "?!.,;:" else " "
    return f"{head}{joint}{tail}".strip()
