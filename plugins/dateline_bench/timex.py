"""Time expressions in TimeML: type and value of a TIMEX3."""

from __future__ import annotations

import re
from typing import Literal

from dateline.temporal.expressions import TimeExpression
from dateline.temporal.interval import DAY, Interval, civil_from_days, days_from_civil

TimexType = Literal["DATE", "TIME", "DURATION", "SET"]

_TYPES: dict[str, TimexType] = {
    "date": "DATE",
    "reference": "DATE",
    "range": "DATE",
    "time": "TIME",
    "duration": "DURATION",
    "set": "SET",
}
_PARTS = {"morning": "MO", "dawn": "MO", "afternoon": "AF", "evening": "EV", "night": "NI", "tonight": "NI"}
_PAST = re.compile(r"past|recent|previous|former|once|then|earlier|ago|lately", re.I)
_FUTURE = re.compile(r"future|soon|later|coming|upcoming|one day|some day|next|eventually", re.I)
_SEASONS = {3: "SP", 6: "SU", 9: "FA", 12: "WI"}


def timex_type(expression: TimeExpression) -> TimexType:
    """DATE, TIME, DURATION or SET."""
    return _TYPES[expression.kind]


def timex_value(expression: TimeExpression) -> str:
    """Return the TIMEX3 value; empty where there is none."""
    if expression.interval is None:
        return _reference(expression.text) if expression.kind in ("reference", "date") else ""
    interval = expression.whole or expression.interval
    if interval.start is None:
        return ""
    year, month, day = civil_from_days(interval.start // DAY)
    match interval.granularity:
        case "century":
            return f"{year // 100:02d}"
        case "decade":
            return f"{year // 10:03d}"
        case "quarter":
            return f"{year:04d}-Q{(month + 2) // 3}"
        case "half":
            return f"{year:04d}-H{1 if month < 7 else 2}"
        case "season":
            return f"{year:04d}-{_SEASONS.get(month, 'SP')}"
        case "week":
            return _week(interval.start // DAY)
        case "hour" | "minute" | "second":
            return f"{year:04d}-{month:02d}-{day:02d}T{_clock(expression.text, interval)}"
        case "span" if expression.kind == "time":
            return f"{year:04d}-{month:02d}-{day:02d}T{_clock(expression.text, interval)}"
        case "span" if "weekend" in expression.text.lower():
            return f"{_week(interval.start // DAY)}-WE"
        case "span":
            return f"{year:04d}"
        case _:
            return interval.isoformat().removesuffix("/..")


def _reference(text: str) -> str:
    if _FUTURE.search(text):
        return "FUTURE_REF"
    return "PAST_REF" if _PAST.search(text) else "PRESENT_REF"


def _week(day: int) -> str:
    """Return a day's ISO week; the year is its Thursday's."""
    thursday = day - (day + 3) % 7 + 3
    year = civil_from_days(thursday)[0]
    return f"{year:04d}-W{(thursday - days_from_civil(year, 1, 1)) // 7 + 1:02d}"


def _clock(text: str, interval: Interval) -> str:
    lowered = text.lower()
    if interval.granularity in ("hour", "span"):
        for word, code in _PARTS.items():
            if word in lowered:
                return code
    rest = (interval.start or 0) % DAY
    return f"{rest // 3600:02d}:{rest % 3600 // 60:02d}"
