"""Relation phrases of a question: "no later than 2010", "since May 1997"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dateline.temporal import relative
from dateline.temporal.calendar_words import NUMBERS, UNITS
from dateline.temporal.constraint import Constraint, Relation
from dateline.temporal.expressions import TimeExpression
from dateline.temporal.interval import Interval
from dateline.temporal.points import bound
from dateline.temporal.tense import WRITTEN

_PHRASES: dict[Relation, str] = {
    "as_of": r"as (?:of|at|from|per)|as it stood (?:in|on)|as things stood (?:in|on)|up to date as of",
    "by": r"by(?: the end of)?|no later than|not later than|not after|on or before|in or before|(?:at|by) the latest(?: by| in| on)?",
    "until": r"up to(?: and including)?|(?:up )?(?:until|till)|up through|through",
    "since": r"(?:ever )?since|no earlier than|not earlier than|not before|on or after|in or after|(?:starting|beginning) (?:in|on|from|with)|from",
    "before": r"(?:before|pre|prior to|earlier than|preceding|ahead of|in advance of)|in the (?:run-up|lead-up|build-up) to|leading up to|(?:in (?:the )?|the )(?:years?|months?|weeks?|days?) (?:before|leading up to|prior to)",
    "after": r"(?:after|post|later than|following|subsequent to|past|beyond)|in the (?:wake|aftermath) of|(?:in (?:the )?|the )(?:years?|months?|weeks?|days?) (?:after|following)",
    "around": r"(?:in |at |from |on or )?(?:around|about|circa|ca\.?|c\.|approximately|roughly|near|close to|somewhere around|some time around|sometime around)",
    "between": r"between|(?:in|during|for|over) the (?:period|years|span|stretch|time)(?: of time)?(?: from| between| of)?",
    "at": r"in the (?:period of time|period|course|month|year|time|spring|summer|fall|autumn|winter) (?:of|in)|as (?:early|late|recently) as|(?:in|for|during|over|throughout) (?:most|much|part|parts|all|the whole|the rest|the course) of|(?:in|on|during|towards?|within|throughout|at|over(?: the course of)?|in the course of)|for",
}
_HEDGES = (
    r"(?:exactly|precisely|sometime|some time|any ?time|at (?:some|any) (?:point|time)|back(?= (?:in|on) )"
    r"|(?:only|just|immediately|shortly|right|soon|directly|long)(?= (?:before|after|following|prior to) ))"
)
_HEDGED = re.compile(rf"(?<![\w-]){_HEDGES} $", re.I)
_RELATION_OF = re.compile(
    rf"(?<![\w-])(?:{_HEDGES} )?(?:"
    + "|".join(f"(?P<{name}>{pattern})" for name, pattern in _PHRASES.items())
    + r")(?:\s+(?P<the>the\s+)?|(?:(?<=pre)|(?<=post))-)$",
    re.I,
)
LONGEST_PHRASE = 48
"""Characters looked at before a time expression."""

_OFFSET = re.compile(
    r"(?<![\w-])(?P<within>(?:(?:in|during|over|within) )?the )?(?:(?P<number>an?|\d{1,4}|"
    + "|".join(NUMBERS)
    + r") )?"
    r"(?P<unit>year|month|week|day|decade)(?P<many>s?) (?:(?P<earlier>before|prior to|preceding|earlier than)|after|following) $",
    re.I,
)
_SUFFIXES = re.compile(
    r"\s*+,?\s*+(?:(?P<since>or later|or after|onwards?|and (?:later|after|beyond|onwards?)|and thereafter|at the earliest|on(?=\s*[?.,]|\s*$))"
    r"|(?P<by>or (?:earlier|before)|and (?:before|earlier)|at the latest))(?!\w)(?!\s+(?:\w+\s+){0,2}\d)",
    re.I,
)
_RELATIVE = re.compile(
    r"(?:earlier |later )?(?:last|this|next|yesterday|today|tomorrow|tonight|the (?:last|previous|following|next))\b|.*\bago$",
    re.I,
)
"""Times that need no preposition: last year, yesterday, three weeks ago."""
_ADVERB = re.compile(
    r"(?:(?:earlier|later) )?(?:(?:this|last|next) (?:week|month|year|decade)|yesterday|today|tomorrow|last night)|.*\bago",
    re.I,
)
"""Of these, those that stand anywhere in a sentence; a season or weekday may also name a thing ("last winter olympics")."""
_SEASON = re.compile(r"\s+(?:season|campaign|(?:school|academic|calendar|tax) year)\b", re.I)
"""Words that make a year a stretch of time, not the name of an event."""
_DETERMINED = re.compile(r"\b(?:the|a|an|his|her|its|their)\s+$", re.I)
_OPENS_RANGE = re.compile(r"(?:from|between|since|until|till)\b", re.I)
_WITH_RANGE = re.compile(r"(?:\bup|\bever|\bperiod|\bperiod of time|\byears|\bspan|\bstretch|\btime)\s+$", re.I)
_DOCUMENT_FROM = re.compile(rf"(?:{'|'.join(sorted(WRITTEN))})\s+from\s+(?:the\s+)?$", re.I)
"""What is written on a day is from that day, and not since then."""
_LEAD = re.compile(r"\s*(?:(?:and|but|or|so|what about|how about|and what about)\s+)?", re.I)
_EVENT = re.compile(
    r"\s+(?:\w+\s+)?(?:elections?|olympics|games|championships?|finals?|semi-?finals?|cups?|series|tournaments?|races?|awards?|"
    r"playoffs|census|referendum|war|riots|season|campaign|draft|convention|summit|festival|conference|act|law|treaty|film|"
    r"movie|album|novel|book|song|remake|model|edition)\b",
    re.I,
)
"""Behind a year, what happens or is made once: the year is part of its name."""
_BEGUN = re.compile(
    r"(?!\s+(?:film|movie|album|novel|book|song|model|edition)s?\b)(?:\s+[a-z]{3,}){1,2}(?=\s*+(?:[?.,!]|\Z))"
)
"""Behind "since the 2021": what happened then ("election"), at the end of its phrase; a work is no start."""
_LOWER_WORD = re.compile(r"\s+(?=([^\W\d_]))")
_POSSESSIVE = re.compile(r"['’]s(?=\s)")
_BLANK, _NOTHING_BEHIND, _COMMA_BEHIND = re.compile(r"\s*+"), re.compile(r"[ ?.!)]*+\Z"), re.compile(r"\s*+,")
_COORDINATED = re.compile(r"\s*(?:/|(?:,|,? ?and|,? ?or)\s)\s*(?:(?:in|on)\s+)?", re.I)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A relation phrase with its time and position."""

    start: int
    end: int
    relation: Relation
    interval: Interval


def _phrase(text: str, found: TimeExpression) -> Phrase | None:
    """Return the expression with its relation words, `None` if there are none."""
    if found.interval is None or found.kind == "set" or found.certainty < 0.5:
        return None
    offset = max(0, found.start - LONGEST_PHRASE)
    before = _RELATION_OF.search(text, offset, found.start)
    start = found.start if before is None else before.start()
    season = _SEASON.match(text, found.end)
    end = found.end if season is None else season.end()
    names_event = before is not None and before["the"] and season is None and found.text[:1].isdigit()
    if names_event and re.match(r"\s+[^\W\d_]", text[end : end + 8]):
        begun = _BEGUN.match(text, end)
        if begun is None or before is None or _relation_named(before) != "since":
            return None  # "after the 2010 elections": the year only names an event
        return Phrase(start, begun.end(), "since", found.interval)
    if found.kind == "duration":  # "over the past two years"
        return None if before is None else Phrase(start, end, "between", found.interval)
    if (shifted := _offset(text, found)) is not None:
        return shifted
    if found.kind == "range":
        followed = season is not None or text[end : end + 2].strip().isalpha()
        if before is None and followed and _DETERMINED.search(text, max(0, start - 8), start):
            return None  # "the 2002 to 2008 head coach"
        if before is not None and _OPENS_RANGE.match(found.text) and not _WITH_RANGE.search(before.group()):
            before, start = None, found.start  # the "in" of "which stadium did they play in from 1995 to 2015"
        if before is None and (hedge := _HEDGED.search(text, max(0, start - LONGEST_PHRASE), start)):
            start = hedge.start()
        relation = range_relation(found.interval)
        named = None if before is None or _OPENS_RANGE.match(found.text) else _relation_named(before)
        if named in ("before", "after", "as_of", "by", "until", "around") and relation == "between":
            relation = named  # "after the 2004-05 season"
        return Phrase(start, end, relation, found.interval)
    suffix = _SUFFIXES.match(text, end)
    if suffix is not None:
        told: Relation = "since" if suffix.lastgroup == "since" else "by"
        return Phrase(start, suffix.end(), told, bound(found.interval, whole=found.whole))
    if before is not None:
        if _LEAD.fullmatch(text, 0, found.start):  # "what about Q3 2024?"
            return Phrase(found.start, end, "at", found.interval)
        written = _relation_named(before) == "since" and _DOCUMENT_FROM.search(text, offset, found.start)
        relation = "at" if written else _relation_named(before)
        possessive = _POSSESSIVE.match(text, end)
        if possessive is not None:  # "at yesterday's meeting" asks about "at the meeting"
            start, end = found.start, possessive.end()
        bounds = relation not in ("at", "around", "between")
        return Phrase(start, end, relation, bound(found.interval, whole=found.whole) if bounds else found.interval)
    if (described := _describing(text, found)) is not None:
        return described
    if _ADVERB.fullmatch(found.text) and text[end : end + 1] not in ("'", "’", "-"):
        return Phrase(start, end, "at", found.interval)
    if closes(text, end) or (opens(text, start) and _COMMA_BEHIND.match(text, end) and _RELATIVE.match(found.text)):
        return Phrase(start, end, "at", found.interval)
    return None


def _describing(text: str, found: TimeExpression) -> Phrase | None:
    """Read a time that describes what is asked about: "2019 Q4 revenue"."""
    if found.interval is None or found.kind not in ("date", "range"):
        return None
    possessive = _POSSESSIVE.match(text, found.end)
    end = found.end if possessive is None else possessive.end()
    word = _LOWER_WORD.match(text, end)
    leads = _LEAD.fullmatch(text, 0, found.start) is not None
    names = leads and found.text.isdigit()  # "2013 Acme director"
    if word is None or not (word[1].islower() or names) or _EVENT.match(text, end):
        return None
    determined = _DETERMINED.search(text, max(0, found.start - 8), found.start) and found.kind == "date"
    described = determined or leads or possessive is not None
    return Phrase(found.start, end, "at", found.interval) if described else None


def closes(text: str, end: int) -> bool:
    """Return whether nothing but spaces and marks stands behind a place."""
    return _NOTHING_BEHIND.match(text, end) is not None


def opens(text: str, start: int) -> bool:
    """Return whether nothing but white space stands before a place."""
    return _BLANK.match(text).end() >= start  # type: ignore[union-attr]  # it matches the empty text, too


def _offset(text: str, found: TimeExpression) -> Phrase | None:
    """Read a time at a distance: "two years before 1990"."""
    match = _OFFSET.search(text, max(0, found.start - LONGEST_PHRASE), found.start)
    if (
        match is None
        or found.interval is None
        or (match["number"] is None and (match["many"] or match["within"] is None))
    ):
        return None
    word = (match["number"] or "one").lower()
    number = 1 if word in ("a", "an") else NUMBERS.get(word) or (int(word) if word.isdecimal() else 0)
    if not number:
        return None  # "0 years", or a letter that `re.I` takes for another ("ſix")
    unit, step = UNITS[match["unit"].lower()], -1 if match["earlier"] else 1
    if match["within"] is None:
        return Phrase(match.start(), found.end, "at", relative.shifted(found.interval, unit, step * number))
    edge = found.interval.start if step < 0 else found.interval.end
    if edge is None:
        return None
    far = relative.shifted_moment(edge, unit, step * number)
    return Phrase(match.start(), found.end, "between", Interval(min(edge, far), max(edge, far)))


def _relation_named(match: re.Match[str]) -> Relation:
    return next(name for name in _PHRASES if match[name] is not None)


def range_relation(interval: Interval) -> Relation:
    if interval.start is None:
        return "until"
    return "since" if interval.end is None else "between"


def find_phrases(text: str, expressions: Sequence[TimeExpression]) -> list[Phrase]:
    """Return the relation phrases of a question.

    "in 2009 or 2010" is one stretch, "in 1990 and 2015" are two times.
    """
    return listed(text, ((found, _phrase(text, found)) for found in expressions), coordinated=_COORDINATED)


def listed(
    text: str, read: Iterable[tuple[TimeExpression, Phrase | None]], *, coordinated: re.Pattern[str]
) -> list[Phrase]:
    """Return the phrases of expressions, neighbours in a list as one stretch.

    Args:
        read: expressions, each with the phrase that it gives alone.
        coordinated: what stands between two times of a list.
    """
    phrases: list[Phrase] = []
    for found, phrase in read:
        if (
            phrases
            and found.interval is not None
            and found.kind == "date"
            and (phrase is None or phrase.relation == "at")
        ):
            last = phrases[-1]
            if last.relation == "at" and coordinated.fullmatch(text, last.end, found.start):
                if last.interval.end == found.interval.start:
                    stretch = Interval(last.interval.start, found.interval.end, "span")
                    phrases[-1] = replace(last, end=found.end, interval=stretch)
                    continue
                phrase = phrase or Phrase(found.start, found.end, "at", found.interval)
        if phrase is not None:
            phrases.append(phrase)
    return phrases


def bounded(phrases: Sequence[Phrase]) -> Interval | None:
    """Return the interval between a lower and an upper bound, if any."""
    if len(phrases) != 2:
        return None
    windows = [Constraint(phrase.relation, phrase.interval).window() for phrase in phrases]
    lower = next((window.start for window in windows if window.end is None), None)
    upper = next((window.end for window in windows if window.start is None), None)
    return None if lower is None or upper is None or lower >= upper else Interval(lower, upper)
