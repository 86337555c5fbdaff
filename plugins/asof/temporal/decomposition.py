"""Take a question apart by rules: main content, constraint, ordinal (MRAG, section 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
_OPENS_RANGE = re.compile(r"(?:from|between|since|until|till)\b", re.I)
_WITH_RANGE = re.compile(r"(?:\bup|\bever|\bperiod|\bperiod of time|\byears|\bspan|\bstretch|\btime)\s+$", re.I)
_COORDINATED = re.compile(r"\s*(?:,|,? ?and|,? ?or)\s+(?:in\s+)?", re.I)

_ORDINAL = re.compile(
    r"(?<![\w-])(?:(?P<first>first|earliest|1st|initial(?:ly)?)"
    r"|(?P<last>last|latest|most recent(?:ly)?|newest|current(?:ly)?|final|now(?! known| called| named| part)|at present|presently|nowadays|these days|to date|so far))(?![\w-])",
    re.I,
)
_NOT_ORDINAL = re.compile(
    r"last(?=\s*(?:\?|$)|\s+(?:for|until|longer)\b)|(?:first|last)\s+(?:name|names|lady|ladies|gentleman|person singular|aid|class|base|half|quarter|week|month|year|"
    r"night|monday|tuesday|wednesday|thursday|friday|saturday|sunday|world war|minister|amendment|language|degree|step|steps|"
    r"resort|straw|supper|two|three|four|five|six|seven|eight|nine|ten|few|couple|\d+|division|baron|earl|duke|viscount|"
    r"republic|generation|nations?|floor|grade|responder|avenue|street)s?\b",
    re.I,
)
_COMPARISON = re.compile(
    r"\b(?:(?<!later )(?<!earlier )than|compared (?:to|with)|in comparison (?:to|with)|versus|vs|differences? between|same as|change[ds]? between)\b",
    re.I,
)

_MOST_PHRASES, _LONGEST_CLAUSE = 6, 400
"""A question with more times than this, or clauses with more characters, is not weighed in detail."""
_SENTENCE_END = re.compile(r"[.?!]\s+(?=(?:Who|Whom|Whose|What|Which|Where|When|How|Why|Name|Tell)\b)")
_RELATIVE_CLAUSE = re.compile(
    r"\w(?<!\band)(?<!\bor)(?<!\bbut),?\s+(?:who|which|that|whose|once|when|while)\s+(?!did\b|does\b|do\b)[^?]*$", re.I
)
_SUBORDINATE = re.compile(r"(?:once|when|after|since|while|because|although|regarding|given|considering)\s+[a-z]", re.I)
_PARTICIPLE = re.compile(
    r"(?<!\bwho)(?<!\bwhat)(?<!\bwhich)(?<!\bwas)(?<!\bwere)(?<!\bis)(?<!\bare)(?<!\bbe)(?<!\bbeen)(?<!\bhas)(?<!\bhad)"
    r"[\s,](?:[a-z]{2,}ed|born|built|known|held|made|written|flown|sunk|won|led|begun|given|taken|found|set|cut|run|sold|bought|sung)"
    r"(?:\s+(?:by|as|in|at|to|on|for)(?:\s+(?:the\s+)?[\w.&'’-]+){1,6})?\s*$"
)
_THING = re.compile(
    r"(?<!\bwho)(?<!\bwhat)(?<!\bwhich)\s(?:published|released|founded|established|born|built|formed|created|opened|launched|"
    r"invented|discovered|signed|produced|issued|constructed|completed|written)\s*$",
    re.I,
)
_AUXILIARY = re.compile(r"\b(?:was|were|is|are|did|does|do|has|had|have|been|be)\b", re.I)
_QUESTION_WORD = re.compile(r"\b(?:who|whom|whose|what|which|where|when|how|why)\b", re.I)


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A relation phrase with its time: where it stands and what it says."""

    start: int
    end: int
    relation: Relation
    interval: Interval


def decompose(text: str, *, as_of: datetime) -> Question:
    """The question's main content, constraint and ordinal; relative times are read against `as_of`.

    A question with several constraints of equal rank or a comparison is kept whole: its content is the text itself,
    its constraint the merged range ("after 2005 and before 2010") or `None`. A date that belongs to a name or to a
    subordinate clause ("the institute founded in 1969") stays content.

    Raises:
        BadInput: for a text without a visible character, or an `as_of` without time zone.
    """
    if not text.strip():
        raise BadInput("A question needs at least one visible character, but this one is empty.")
    expressions = find_expressions(text, anchor=Interval.of_moment(as_of), ranges="closed")
    phrases = _phrases(text, expressions)
    compared = sum(found.kind in ("date", "range") for found in expressions) > 1 and _COMPARISON.search(text)
    chosen = _as_of_alone(text, phrases) if compared else _chosen(text, phrases)
    if chosen is None:
        ordinal = find_ordinal(text)
        return Question(text, text.strip(), _merged(text, phrases, ordinal), as_of, ordinal)
    content = _without(text, chosen.start, chosen.end)
    ordinal = find_ordinal(content)
    words = text[chosen.start : chosen.end].strip(" ,")
    return Question(text, content, Constraint(chosen.relation, chosen.interval, ordinal, words), as_of, ordinal)


def find_ordinal(text: str) -> Ordinal | None:
    """Whether a question asks for the first or the last of something: its first such word decides."""
    for match in _ORDINAL.finditer(text):
        if _NOT_ORDINAL.match(text, match.start()) is None:
            return "first" if match.lastgroup == "first" else "last"
    return None


def _phrase(text: str, found: TimeExpression) -> _Phrase | None:
    """The expression with the words that relate it to the question; `None` where none do."""
    if found.interval is None or found.kind not in ("date", "time", "range") or found.certainty < 0.5:
        return None
    offset = max(0, found.start - _LONGEST_PHRASE)
    before = _RELATION_OF.search(text, offset, found.start)
    start = found.start if before is None else before.start()
    season = _SEASON.match(text, found.end)
    end = found.end if season is None else season.end()
    names_event = before is not None and before["the"] and season is None and found.text[:1].isdigit()
    if names_event and re.match(r"\s+[A-Za-z]", text[end : end + 8]):
        return None  # "after the 2010 elections": the year only names an event
    if found.kind == "range":
        if before is not None and _OPENS_RANGE.match(found.text) and not _WITH_RANGE.search(before.group()):
            start = found.start  # the "in" of "which stadium did they play in from 1995 to 2015"
        return _Phrase(start, end, _range_relation(found.interval), found.interval)
    suffix = _SUFFIXES.match(text, end)
    if suffix is not None:
        return _Phrase(start, suffix.end(), "since" if suffix.lastgroup == "since" else "by", found.interval)
    if before is not None:
        return _Phrase(start, end, _relation_named(before), found.interval)
    if _ADVERB.fullmatch(found.text) and text[end : end + 1] not in ("'", "’", "-"):
        return _Phrase(start, end, "at", found.interval)
    stands_free = not text[end:].strip(" ?.!") or (not text[:start].strip() and text[end:].lstrip()[:1] == ",")
    return _Phrase(start, end, "at", found.interval) if stands_free and _RELATIVE.match(found.text) else None


def _relation_named(match: re.Match[str]) -> Relation:
    return next(name for name in _PHRASES if match[name] is not None)


def _range_relation(interval: Interval) -> Relation:
    if interval.start is None:
        return "until"
    return "since" if interval.end is None else "between"


def _phrases(text: str, expressions: Sequence[TimeExpression]) -> list[_Phrase]:
    """The relation phrases of a question; "in 2009 or 2010" is one stretch, "in 1990 and 2015" are two times."""
    phrases: list[_Phrase] = []
    for found in expressions:
        phrase = _phrase(text, found)
        if (
            phrases
            and found.interval is not None
            and found.kind == "date"
            and (phrase is None or phrase.relation == "at")
        ):
            last = phrases[-1]
            if last.relation == "at" and _COORDINATED.fullmatch(text[last.end : found.start]):
                if last.interval.end == found.interval.start:
                    stretch = Interval(last.interval.start, found.interval.end, "span")
                    phrases[-1] = replace(last, end=found.end, interval=stretch)
                    continue
                phrase = phrase or _Phrase(found.start, found.end, "at", found.interval)
        if phrase is not None:
            phrases.append(phrase)
    return phrases


def _chosen(text: str, phrases: Sequence[_Phrase]) -> _Phrase | None:
    """The one constraint of the main clause, or `None` where there is none or no single one."""
    start = max((match.end() for match in _SENTENCE_END.finditer(text)), default=0)
    asked = [phrase for phrase in phrases if phrase.start >= start] or list(phrases)
    if not 0 < len(asked) <= _MOST_PHRASES:
        return None
    if len(asked) == 1:
        return None if _dates_a_thing(text[max(start, asked[0].start - _LONGEST_CLAUSE) : asked[0].start]) else asked[0]
    if _adjacent(text, asked):
        return None
    main = [
        phrase for phrase in asked if not _is_nested(text[max(start, phrase.start - _LONGEST_CLAUSE) : phrase.start])
    ]
    if len(main) == 1:
        return main[0]
    if not main and _is_outer(text, asked[-1]):
        return asked[-1]
    return _as_of_alone(text, asked)


def _as_of_alone(text: str, phrases: Sequence[_Phrase]) -> _Phrase | None:
    """The one "as of" that stands around the whole question."""
    outer = [phrase for phrase in phrases if phrase.relation == "as_of" and _is_outer(text, phrase)]
    return outer[0] if len(outer) == 1 else None


def _adjacent(text: str, phrases: Sequence[_Phrase]) -> bool:
    """Whether two phrases stand side by side and bound one stretch: "after 2005 and before 2010"."""
    if len(phrases) != 2 or _bounds(phrases) is None:
        return False
    return text[phrases[0].end : phrases[1].start].strip(" ,") in ("", "and", "but", "yet")


def _dates_a_thing(head: str) -> bool:
    """Whether the only time of a question belongs to a thing, not to what is asked: "the book published in 1999"."""
    return _THING.search(head) is not None and not _AUXILIARY.search(head)


def _is_outer(text: str, phrase: _Phrase) -> bool:
    return not text[: phrase.start].strip() or not text[phrase.end :].strip(" ?.!")


def _is_nested(head: str) -> bool:
    """Whether what stands before a time belongs to a subordinate clause: "who was born", "founded by X"."""
    if _SUBORDINATE.match(head) and "," not in head and not _QUESTION_WORD.search(head, 4):
        return True
    participle = _PARTICIPLE.search(head)
    if participle is not None and not _QUESTION_WORD.search(participle.group()):
        return True
    relative = _RELATIVE_CLAUSE.search(head)
    if relative is None:
        return False
    # A question word later than the pronoun means that the main clause has taken over again.
    inside = head[relative.start() + 1 :].lstrip(" ,")
    return not _QUESTION_WORD.search(inside, inside.find(" "))


def _merged(text: str, phrases: Sequence[_Phrase], ordinal: Ordinal | None) -> Constraint | None:
    """One range out of a lower and an upper bound."""
    interval = _bounds(phrases)
    if interval is None or _COMPARISON.search(text):
        return None
    words = text[min(p.start for p in phrases) : max(p.end for p in phrases)].strip(" ,")
    return Constraint("between", interval, ordinal, words)


def _bounds(phrases: Sequence[_Phrase]) -> Interval | None:
    """The stretch between two phrases of which one bounds it below and one above."""
    if len(phrases) != 2:
        return None
    windows = [Constraint(phrase.relation, phrase.interval).window() for phrase in phrases]
    lower = next((window.start for window in windows if window.end is None), None)
    upper = next((window.end for window in windows if window.start is None), None)
    return None if lower is None or upper is None or lower >= upper else Interval(lower, upper)


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
