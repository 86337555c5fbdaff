"""Time mentions joined into lists and ranges: "3 or 4 May", "1916-1920"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from dateline.temporal import relative, relative_rules
from dateline.temporal.interval import DAY, Granularity, Interval, civil_from_days
from dateline.temporal.points import RuleMatch, TimeMention, bound, number_of
from dateline.temporal.tokens import Tokens
from dateline.temporal.vocabulary import ENGLISH

Ranges = Literal["all", "closed", "none"]
"""Which ranges are joined: all; only those with both ends said ("since 2015" stays 2015); none."""

# Over the text with each point as one letter: `D` complete, `d` partial, `R` now, `Λ` a length, `o` any other.
_STRETCH = r"(?P<stretch>Λ[>x]T?[Dd])|"
_BOTH_ENDS = (
    _STRETCH + r"(?P<both>B(?:[Dd])&[Dd]|<?[Dd][->\]][Dd])"
    r"|(?P<present>[<^]?[Dd](?:-|>|\])T?[R=]|<[Dd][R=]|B[Dd]&T?[R=])"
    r"|(?P<dangling>D-(?=\)))"
)
_ONE_END = r"|(?P<onwards><?[Dd]@|<[Dd]\+)|(?P<since>\^[Dd])|(?P<until>(?:>?\])[Dd])|(?P<pre>π-?[Dd])"
_GRAMMARS = {"closed": re.compile(_BOTH_ENDS), "all": re.compile(_BOTH_ENDS + _ONE_END)}
# Beyond English "from" and "of" are often one word, and articles stand between.
_EUROPEAN_BOTH = r"(?P<both>[BΔ]T?[Dd]&T?[Dd]|[<F]?T?[Dd][]>-]T?[Dd])|(?P<present>[<F^]?T?[Dd][]>-]T?[R=]|[BΔ]T?[Dd]&T?[R=])|(?P<dangling>D-(?=\)))"
_EUROPEAN = {
    "closed": re.compile(_EUROPEAN_BOTH),
    "all": re.compile(_EUROPEAN_BOTH + r"|(?P<since>[<^]T?[Dd])|(?P<until>\]T?[Dd])"),
}


def share_years(points: Sequence[TimeMention], tokens: Tokens) -> list[TimeMention]:
    """Complete times from the year behind them: "July and August 2019".

    So a bare day is a time, too: "on 3 and 4 May 2020".
    """
    shared: list[TimeMention] = []
    dated = False
    for place in range(len(points) - 1, -1, -1):
        point, free = points[place], points[place - 1].last if place else 0
        completed = _completed_in_list(point, shared[-1], tokens) if dated else None
        dated = completed is not None or not _YEARS.isdisjoint(tokens.classes[point.first : point.last])
        shared.append(completed or point)
        while (day := _day_before(shared[-1], tokens, free=free)) is not None:
            shared.append(day)
    return shared[::-1]


_YEARS = frozenset("49Y")
_LISTED = re.compile(r"/|,T?|,?&T?|&\+T?")
"""Token classes between two times of a list; "or" is "&"."""


def _gap(tokens: Tokens, first: int, last: int) -> str:
    """Return the classes of tokens between two times, "or" as "and"."""
    return "".join("&" if tokens.word(i) == "or" else tokens.classes[i] for i in range(first, min(last, first + 4)))


def _completed_in_list(left: TimeMention, right: TimeMention, tokens: Tokens) -> TimeMention | None:
    """Return a yearless time in the next listed one's year."""
    found = right.whole or right.interval
    if left.month is None or right.month is not None or found is None or right.kind != "date":
        return None
    alike: Granularity = "day" if left.day else "season" if left.months > 1 else "month"
    if found.granularity != alike or not _LISTED.fullmatch(_gap(tokens, left.last, right.first)):
        return None
    completed = _completed(left, right)[0]
    if completed.month is not None:
        return None
    return RuleMatch(tokens, left.first, left.last, anchor=None).make(completed.interval, certainty=left.certainty)


def _day_before(point: TimeMention, tokens: Tokens, *, free: int) -> TimeMention | None:
    """Return the 3 of "3 or 4 May 2020"."""
    classes, first = tokens.classes, point.first
    if point.kind != "date" or point.interval is None or point.interval.start is None or first < free + 2:
        return None
    bare = point.last == first + 1
    joint = 1 if _gap(tokens, first - 1, first) == "&" or (bare and classes[first - 1] == ",") else 0
    if joint and classes[first - 2] == ",":
        joint = 2
    place = first - joint - 1
    if (
        not joint
        or place < free
        or classes[place] not in _DAYS
        or classes[first] not in _DAYS
        or tokens.touch(place - 1)
    ):
        return None
    year, month, day = civil_from_days(point.interval.start // DAY)
    number = number_of(tokens.word(place))
    if point.interval.granularity != "day" or number_of(tokens.word(first)) != day or not 0 < number < day:
        return None
    interval = Interval.of_day(year, month, number)
    partial = (month, number) if point.month is not None else (None, None)
    return TimeMention(place, place + 1, "date", interval, 0.7, *partial)


_DAYS = frozenset("12oO")


def join(
    points: Sequence[TimeMention], tokens: Tokens, *, ranges: Ranges, anchor: Interval | None = None
) -> list[TimeMention]:
    """Join the points that form a range; the rest stays, in order.

    Of ranges without a year that which is running at the `anchor` is meant, if any is.
    """
    if ranges == "none" or not any(_has_connector(point, tokens.classes) for point in points):
        return list(points)
    letters, origin = _outline(points, tokens)
    joined: list[TimeMention] = []
    used: set[int] = set()
    for match in (_GRAMMARS if tokens.vocabulary is ENGLISH else _EUROPEAN)[ranges].finditer(letters):
        members = [member for member in origin[match.start() : match.end()] if isinstance(member, TimeMention)]
        first, last = _token_span(origin, match.start(), match.end())
        if match.group().endswith("+") and not _means_onwards(tokens, first, last):
            continue
        rule = match.lastgroup or ""
        if rule == "pre":
            interval = _beyond(members[0], tokens.word(first))
        else:
            interval = _stretch(members, tokens) if rule == "stretch" else _interval(rule, members, anchor)
        if interval is None:
            continue
        certainty = min(member.certainty for member in members)
        joined.append(TimeMention(first, last, "range", interval, certainty))
        used.update(id(member) for member in members)
    if not joined:
        return list(points)
    rest = [point for point in points if id(point) not in used]
    return sorted([*joined, *rest], key=lambda point: point.first)


_CONNECTORS = frozenset("BΔ<>]^-@π")


def _has_connector(point: TimeMention, classes: str) -> bool:
    """Return whether a range word or dash stands beside a mention.

    A quick check, since most mentions have none.
    """
    if point.kind == "duration":
        return True
    before = classes[point.first - 1] if point.first else ""
    if before == "T" and point.first > 1:
        before = classes[point.first - 2]
    return before in _CONNECTORS or classes[point.last : point.last + 1] in _CONNECTORS


def _means_onwards(tokens: Tokens, first: int, last: int) -> bool:
    """Return whether "on" after a time means onwards.

    "From 2010 on" does, "from 2010 on the board" does not.
    """
    return tokens.word(last - 1) == "on" and (last == len(tokens) or tokens.originals[last] in ".,;?!)")


def _outline(points: Sequence[TimeMention], tokens: Tokens) -> tuple[str, list[TimeMention | int]]:
    letters: list[str] = []
    origin: list[TimeMention | int] = []
    position = 0
    for point in points:
        letters.extend(_plain(tokens.classes[position : point.first]))
        origin.extend(range(position, point.first))
        letters.append(_letter(point, tokens))
        origin.append(point)
        position = point.last
    letters.extend(_plain(tokens.classes[position:]))
    origin.extend(range(position, len(tokens.classes)))
    return "".join(letters), origin


_PLAIN = str.maketrans("DdRo", "xxxx")


def _plain(classes: str) -> str:
    return classes.translate(_PLAIN)


def _letter(point: TimeMention, tokens: Tokens) -> str:
    if point.kind == "date":
        if point.month is not None:
            return "d"
        return "D" if point.interval is not None else "o"
    if point.kind == "duration" and point.interval is None:
        return "Λ"
    word = tokens.word(point.last - 1)
    return "R" if point.kind == "reference" and word in ("present", "now", "today") else "o"


def _token_span(origin: Sequence[TimeMention | int], start: int, end: int) -> tuple[int, int]:
    head, tail = origin[start], origin[end - 1]
    first = head.first if isinstance(head, TimeMention) else head
    last = tail.last if isinstance(tail, TimeMention) else tail + 1
    return first, last


def _beyond(point: TimeMention, word: str) -> Interval | None:
    """Return what lies before ("pre-2015") or after ("post-2015") a time."""
    edge = None if point.interval is None else point.interval.start if word == "pre" else point.interval.end
    if edge is None:
        return None
    return Interval(None, edge) if word == "pre" else Interval(edge, None)


_ENDING = frozenset(["to", "through", "ended", "ending"])
_LONGEST_STRETCH = 36
"""Months of the longest stretch that is told by its end (chosen by hand)."""


def _stretch(members: Sequence[TimeMention], tokens: Tokens) -> Interval | None:
    """Return a stretch by length and end: "three months to June"."""
    length, last = members
    end = None if last.interval is None else last.interval.end
    number = relative_rules.amount(RuleMatch(tokens, length.first, length.last, anchor=None))
    word = tokens.word(length.last)
    if tokens.word(length.last - 1) not in ("months", "mo") or word not in _ENDING or end is None or number is None:
        return None
    last_day = last.interval is not None and last.interval.granularity in ("month", "day")
    start = relative.shifted_moment(end, "month", -number)
    return Interval(start, end) if last_day and 1 < number <= _LONGEST_STRETCH else None


def _interval(rule: str, members: Sequence[TimeMention], anchor: Interval | None) -> Interval | None:
    if rule == "both":
        left, right = members
        running = None if anchor is None else _a_year_before(left, right)
        return running if running and anchor and running.overlaps(anchor) else _between(*_completed(left, right))
    told = members[0].interval
    if told is None:
        return None
    interval = bound(told, whole=members[0].whole)
    if rule == "until":
        return None if interval.end is None else Interval(None, interval.end)
    return None if interval.start is None else Interval(interval.start, None, interval.granularity)


def _a_year_before(left: TimeMention, right: TimeMention) -> Interval | None:
    """Return a range without a year, a year before its first end."""
    if left.month is None or right.month is None or left.interval is None or left.interval.start is None:
        return None
    year = civil_from_days(left.interval.start // DAY)[0]
    return _between(*_completed(left.in_year(year - 1), right))


def _between(left: TimeMention, right: TimeMention) -> Interval | None:
    """Return the stretch from one time to the end of another."""
    if left.interval is None or right.interval is None:
        return None
    start, end = left.interval.start, right.interval.end
    return Interval(start, end) if start is not None and end is not None and start < end else None


def _completed(left: TimeMention, right: TimeMention) -> tuple[TimeMention, TimeMention]:
    """Complete an end without a year from the other end.

    Of two such ends the second lies in the first year in which it follows the first.
    """
    if right.month is None:
        if left.month is None or right.interval is None or right.interval.start is None:
            return left, right
        year, month, day = civil_from_days(right.interval.start // DAY)
        later = (left.month, left.day or 1) > (month, day)
        return left.in_year(year - later), right
    if left.interval is None or left.interval.start is None:
        return left, right
    year, month, day = civil_from_days(left.interval.start // DAY)
    earlier = (right.month, right.day or 31) < (month, day)
    return left, right.in_year(year + earlier)
