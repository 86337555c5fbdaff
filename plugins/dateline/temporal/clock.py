"""Times of day, combined with adjacent dates: "10 p.m. Wednesday"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from dateline.temporal import relative, relative_rules
from dateline.temporal.calendar_words import DAY_PARTS, HOUR, NUMBERS
from dateline.temporal.interval import Interval
from dateline.temporal.points import RuleMatch, TimeMention, on_day
from dateline.temporal.tokens import Tokens

_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?(?::\d\d)?\s*(a|p)?")


def clock_time(read: RuleMatch) -> TimeMention | None:
    """Read times of day: "10:35", "5 p.m."."""
    match = _CLOCK.match(read.one("t12") or "")
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    half = (read.one("~") or match[3] or "")[:1]
    part = read.one("p")
    if part is not None:
        half = "a" if part in ("morning", "dawn") else "p"
    if (half and not 1 <= hour <= 12) or is_offset(read):
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return at_time(read, hour, minute, certainty=0.9 if half else 0.7)


def at_time(read: RuleMatch, hour: int, minute: int = 0, *, certainty: float) -> TimeMention | None:
    """Return a minute of the day just spoken of.

    `None` for one that no day has.
    """
    if hour > 24 or minute > 59:
        return None
    start = hour * HOUR + minute * 60
    return read.at_clock((start, start + 60), day=day_spoken_of(read), certainty=certainty)


def is_offset(read: RuleMatch) -> bool:
    """Return whether it is a zone's distance: "+02:00", "UTC-5:00"."""
    sign = read.before()[1]
    return read.touches_before() and (sign == "+" or (sign in ("-", "−") and read.before(1)[1].lower() in _ZONES))


def day_spoken_of(read: RuleMatch) -> Interval | None:
    """Return the day that the text has just named, or the anchor's."""
    mentioned = read.mentioned
    return mentioned if mentioned is not None and mentioned.granularity == "day" else read.anchor


def on_the_hour(read: RuleMatch) -> TimeMention | None:
    """Read whole hours: "eight o'clock"."""
    word, hour = read.one("12n") or "", 0
    hour = NUMBERS.get(word) or (int(word) if word.isascii() and word.isdigit() else 0)
    if read.all("x") != ["o", "clock"] or not 1 <= hour <= 24:
        return None
    return at_time(read, hour, certainty=0.7)


def zone_time(read: RuleMatch) -> TimeMention | None:
    """Read times with a zone: "0815 GMT"."""
    digits = read.one("6") or ""
    if read.one("x") not in ("gmt", "utc") or len(digits) != 4 or not (digits.isascii() and digits.isdigit()):
        return None
    return at_time(read, int(digits[:2]), int(digits[2:]), certainty=0.9)


def noon(read: RuleMatch) -> TimeMention | None:
    """Read "noon" and "midnight"."""
    word = read.one("p") or ""
    if word not in ("noon", "midday", "midnight") or read.in_name():
        return None
    start = DAY_PARTS[word][0]
    return read.at_clock((start, start + 60), day=read.anchor, certainty=0.7)


def part_of_day(read: RuleMatch) -> TimeMention | None:
    """Read parts of a day: "this morning", "last night", "tonight".

    `combine` adds the date of "Friday night".
    """
    part = read.one("p") or ("night" if read.one("y") == "tonight" else "")
    clock = DAY_PARTS[part]
    if read.one("Tb"):
        base = day_spoken_of(read)
        day = None if base is None else relative.shifted(base, "day", 0 if read.one("b") else read.shift())
        return read.at_clock(clock, day=day, certainty=0.7)
    if read.anchor is None:
        return read.at_clock(clock, day=None, certainty=0.7)
    last_night = read.one("l") is not None or read.one("y") == "yesterday"
    step = -1 if last_night else 1 if read.one("y") == "tomorrow" or read.one("j") else 0
    return read.at_clock(clock, day=relative.shifted(read.anchor, "day", step))


def weekday_part(read: RuleMatch) -> TimeMention | None:
    """Read parts of weekdays: "Friday night", "last Monday morning"."""
    clock, day = DAY_PARTS[read.one("p") or ""], relative_rules.weekday(read)
    return None if day is None else read.at_clock(clock, day=day.interval, certainty=day.certainty)


def part_before_date(read: RuleMatch) -> TimeMention | None:
    """Return the night of: only as part of a date that follows."""
    return read.at_clock(DAY_PARTS[read.one("p") or ""], day=None, certainty=0.3)


_JOINTS = frozenset(["", ",", "+", ",+", "x", "x,", "x+"])
_ZONES = frozenset(
    ["est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt", "gmt", "utc", "et", "bst", "cet", "eastern", "local"]
)


def combine(points: Sequence[TimeMention], tokens: Tokens) -> list[TimeMention]:
    """Join times of day with adjacent days; drop parts without a day."""
    combined: list[TimeMention] = []
    dated: set[int] = set()
    for point in points:
        previous = combined[-1] if combined else None
        if previous is not None and (joined := _joined(previous, point, tokens)) is not None:
            combined[-1] = joined
            dated.add(joined.first)
        else:
            combined.append(point)
            if point.kind == "time" and point.clock is None:
                dated.add(point.first)  # "2024-05-03 10:00"
    if dated:
        combined = _on_same_day(combined, dated, tokens)
    return [_as_night(point, tokens) for point in combined if point.certainty >= 0.4]


def _on_same_day(points: Sequence[TimeMention], dated: Collection[int], tokens: Tokens) -> list[TimeMention]:
    """Put both times of "10:00-18:00 on 3 May" there.

    The other end of a range is nearer than what a list holds besides, and what stands before nearer than what follows.
    """
    days = [
        relative.shifted(point.interval, "day", 0) if point.interval and point.first in dated else None
        for point in points
    ]
    gaps = [tokens.classes[left.last : right.first] for left, right in pairwise(points)]
    for joint in (_TO, _LISTED):
        joined = [place for place, gap in enumerate(gaps) if joint.fullmatch(gap)]
        for place in joined:
            days[place + 1] = days[place + 1] or days[place]
        for place in reversed(joined):
            days[place] = days[place] or days[place + 1]
    return [
        point
        if day is None or point.clock is None or point.first in dated
        else point._replace(interval=on_day(day, point.clock))
        for point, day in zip(points, days, strict=True)
    ]


_TO, _LISTED = re.compile(r"[]>-]"), re.compile(r",|,?&\+?|/")
"""Token classes between two times of day."""


def _as_night(point: TimeMention, tokens: Tokens) -> TimeMention:
    """Read "tonight" as the evening, unless a time of day is given."""
    if point.clock is not None or point.interval is None or tokens.word(point.last - 1) != "tonight":
        return point
    return point._replace(kind="time", interval=on_day(point.interval, DAY_PARTS["night"]))


def _joined(left: TimeMention, right: TimeMention, tokens: Tokens) -> TimeMention | None:
    clocked, dated = (left, right) if left.clock is not None else (right, left)
    day = dated.interval
    if clocked.clock is None or dated.clock is not None or day is None or day.granularity != "day":
        return None
    gap = tokens.classes[left.last : right.first]
    words = [tokens.word(i) for i in range(left.last, right.first)]
    if gap not in _JOINTS or any(letter == "x" and word not in _ZONES for letter, word in zip(gap, words, strict=True)):
        return None
    if "+" in gap and not {"on", "at", "in"} & set(words):
        return None
    return clocked._replace(
        first=left.first,
        last=right.last,
        interval=on_day(day, clocked.clock),
        certainty=max(clocked.certainty, dated.certainty),
    )
