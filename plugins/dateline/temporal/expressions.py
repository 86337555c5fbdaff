"""Time expressions in text, each read as an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dateline.errors import BadInput
from dateline.remember import remember
from dateline.temporal.clock import combine
from dateline.temporal.english_rules import ENGLISH_GRAMMAR
from dateline.temporal.european_rules import EUROPEAN_GRAMMAR
from dateline.temporal.grammar import Grammar
from dateline.temporal.interval import Interval
from dateline.temporal.languages_told import LANGUAGES, checked_languages, tokens_of
from dateline.temporal.points import Kind
from dateline.temporal.ranges import Ranges, join, share_years
from dateline.temporal.vocabulary import ENGLISH, Vocabulary


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A stretch of text that expresses a time.

    Attributes:
        start, end: offsets into the text, `text[start:end]`.
        text: those words.
        interval: their meaning; `None` for durations, sets, references ("now") and what lacks the anchor it needs.
        kind: a date, a time of day, a range, a duration, a set ("every Monday") or a mere reference ("recently").
        certainty: how sure it is that these words mean a time at all, 0 to 1.
        whole: the decade, year or month of which an "early", "mid" or "late" part is meant.

    Example:
        >>> [found.text for found in find_expressions("It opened in May 2019 and closed last year.")]
        ['May 2019', 'last year']
    """

    start: int
    end: int
    text: str
    interval: Interval | None
    kind: Kind
    certainty: float
    whole: Interval | None = None


def find_expressions(
    text: str,
    *,
    anchor: Interval | None = None,
    ranges: Ranges = "all",
    fiscal_year_start: int = 1,
    languages: Sequence[str] = LANGUAGES,
    asked: bool = False,
) -> list[TimeExpression]:
    """Find all time expressions of a text, in linear time.

    Args:
        text: any text; odd text never raises.
        anchor: what relative times ("last year", "Friday", "in May") are read against: mostly the day of publication.
        ranges: which ranges are joined: "all", "closed" (both ends given) or "none" (their ends stay single
            expressions, as TimeML marks them).
        fiscal_year_start: the month with which fiscal years start, 1 to 12; they are named by the year in which they end.
        languages: the languages in which texts may be written, the first where nothing speaks for another.
        asked: whether the text is a question; its only number may then be a year without a preposition.

    Returns:
        The expressions in order, not overlapping.

    Raises:
        BadInput: for a month outside 1 to 12, and for an unknown language.
    """
    if fiscal_year_start not in range(1, 13):
        raise BadInput(f"Fiscal years cannot start with month {fiscal_year_start!r}; give one from 1 to 12.")
    return list(_found(text, anchor, ranges, fiscal_year_start, checked_languages(languages), asked))


@remember
def _found(
    text: str,
    anchor: Interval | None,
    ranges: Ranges,
    fiscal_year_start: int,
    languages: tuple[str, ...],
    asked: bool,
) -> tuple[TimeExpression, ...]:
    tokens = tokens_of(text, languages)
    grammar = grammar_of(tokens.vocabulary)
    read = grammar.find(tokens, anchor=anchor, fiscal_year_start=fiscal_year_start, asked=asked)
    points = combine(read, tokens)
    if not points:
        return ()
    points = join(share_years(points, tokens), tokens, ranges=ranges, anchor=anchor)
    spans = tokens.spans
    found = []
    for point in points:
        start, end = spans[point.first][0], spans[point.last - 1][1]
        found.append(
            TimeExpression(start, end, text[start:end], point.interval, point.kind, point.certainty, point.whole)
        )
    return tuple(found)


def grammar_of(vocabulary: Vocabulary) -> Grammar:
    """Return the grammar whose rules a language's texts follow."""
    return ENGLISH_GRAMMAR if vocabulary is ENGLISH else EUROPEAN_GRAMMAR


def placed_times(
    text: str, anchor: Interval | None = None, *, languages: Sequence[str] = LANGUAGES
) -> list[tuple[int, int, Interval]]:
    """Return where dates, times and ranges start and end, and their intervals."""
    return [
        (found.start, found.end, found.interval)
        for found in find_expressions(text, anchor=anchor, languages=languages)
        if found.interval is not None and found.kind in ("date", "time", "range")
    ]


def spans_of(text: str, anchor: Interval | None = None, *, languages: Sequence[str] = LANGUAGES) -> list[Interval]:
    """Return a text's dates, times and ranges as intervals, in order."""
    return [interval for _, _, interval in placed_times(text, anchor, languages=languages)]
