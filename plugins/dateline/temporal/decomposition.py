"""Take a question apart by rules: main content, constraint, ordinal (MRAG, section 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from dateline.errors import BadInput
from dateline.temporal.clauses import asking_part, dates_a_thing, is_nested, supposed
from dateline.temporal.constraint import Constraint, Ordinal, Question
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval
from dateline.temporal.ordinals import find_ordinal
from dateline.temporal.phrases import Phrase, bounded, find_phrases

_COMPARISON = re.compile(
    r"\b(?:(?<!later )(?<!earlier )than|compared (?:to|with)|in comparison (?:to|with)|versus|vs|differences? between|same as|change[ds]? between)\b",
    re.I,
)

_MOST_PHRASES, _LONGEST_CLAUSE = 6, 400
"""A question with more times than this, or clauses with more characters, is not weighed in detail."""


def decompose(text: str, *, as_of: datetime) -> Question:
    """The question's main content, constraint and ordinal; relative times are read against `as_of`.

    A question with several constraints of equal rank or a comparison is kept whole: its content is the text itself,
    its constraint the merged range ("after 2005 and before 2010") or `None`. A date that belongs to a name or to a
    subordinate clause ("the institute founded in 1969") stays content.

    Raises:
        BadInput: for a text without a visible character, or an `as_of` without time zone.
    """
    if not isinstance(text, str):
        raise BadInput(f"A question must be text, not a {type(text).__name__}; give its text.")
    if not text.strip():
        raise BadInput("A question needs at least one visible character, but this one is empty.")
    expressions = find_expressions(text, anchor=Interval.of_moment(as_of), ranges="closed")
    phrases = find_phrases(text, expressions)
    compared = sum(found.kind in ("date", "range") for found in expressions) > 1 and _COMPARISON.search(text)
    chosen = _as_of_alone(text, phrases) if compared else _chosen(text, phrases)
    if chosen is None:
        ordinal = find_ordinal(text)
        return Question(text, text.strip(), _merged(text, phrases, ordinal), as_of, ordinal)
    content = _without(text, chosen.start, chosen.end)
    if not any(map(str.isalnum, content)):
        content = text.strip()  # nothing but a time was asked
    ordinal = find_ordinal(content)
    words = text[chosen.start : chosen.end].strip(" ,")
    return Question(text, content, Constraint(chosen.relation, chosen.interval, ordinal, words), as_of, ordinal)


def _chosen(text: str, phrases: Sequence[Phrase]) -> Phrase | None:
    """The one constraint of the main clause, or `None` where there is none or no single one."""
    start = asking_part(text)
    opens, closes = supposed(text)
    real = [phrase for phrase in phrases if not opens <= phrase.start < closes]
    asked = [phrase for phrase in real if phrase.start >= start] or real
    if not 0 < len(asked) <= _MOST_PHRASES:
        return None

    def head(phrase: Phrase) -> str:
        return text[max(start, phrase.start - _LONGEST_CLAUSE) : phrase.start]

    if len(asked) == 1:
        within = asked[0].relation != "as_of" and dates_a_thing(head(asked[0]))
        return None if within else asked[0]
    if _adjacent(text, asked):
        return None
    main = [phrase for phrase in asked if not is_nested(head(phrase))]
    if len(main) == 1:
        return main[0]
    if not main and _is_outer(text, asked[-1]):
        return asked[-1]
    return _as_of_alone(text, asked)


def _as_of_alone(text: str, phrases: Sequence[Phrase]) -> Phrase | None:
    """The one "as of" that stands around the whole question."""
    outer = [phrase for phrase in phrases if phrase.relation == "as_of" and _is_outer(text, phrase)]
    return outer[0] if len(outer) == 1 else None


def _adjacent(text: str, phrases: Sequence[Phrase]) -> bool:
    """Whether two phrases stand side by side and bound one stretch: "after 2005 and before 2010"."""
    if len(phrases) != 2 or bounded(phrases) is None:
        return False
    return text[phrases[0].end : phrases[1].start].strip(" ,") in ("", "and", "but", "yet")


def _is_outer(text: str, phrase: Phrase) -> bool:
    return not text[: phrase.start].strip() or not text[phrase.end :].strip(" ?.!")


def _merged(text: str, phrases: Sequence[Phrase], ordinal: Ordinal | None) -> Constraint | None:
    """One range out of a lower and an upper bound."""
    interval = bounded(phrases)
    if interval is None or _COMPARISON.search(text):
        return None
    words = text[min(p.start for p in phrases) : max(p.end for p in phrases)].strip(" ,")
    return Constraint("between", interval, ordinal, words)


def _without(text: str, start: int, end: int) -> str:
    """The text with one stretch cut out and its seam tidied."""
    head, tail = text[:start].rstrip(), text[end:].lstrip()
    if not head:
        tail = tail.lstrip(" ,")
        return tail[:1].upper() + tail[1:] if text[:1].isupper() else tail
    if head.endswith("(") and tail.startswith(")"):
        head, tail = head[:-1].rstrip(), tail[1:].lstrip()
    if head.endswith(",") and tail.startswith(","):
        head, tail = head[:-1].rstrip(), tail[1:].lstrip()
    if head.endswith(",") and (not tail or tail[0] in ",?.!"):
        head = head[:-1].rstrip()
    joint = "" if not tail or tail[0] in "?!.,;:" else " "
    return f"{head}{joint}{tail}".strip()
