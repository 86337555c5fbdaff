"""Date-range parameters of search engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from dateline.temporal.interval import DAY, Interval, civil_from_days, iso_of

Days = tuple[int | None, int | None]
"""First and last day of a range, both included, in days since 1970-01-01; `None` for an open end."""


def google_range(days: Days) -> dict[str, str]:
    """Return Google's parameter for a range of days."""
    parts = ["cdr:1"]
    for name, day in zip(("cd_min", "cd_max"), days, strict=True):
        if day is not None:
            year, month, of_month = civil_from_days(day)
            parts.append(f"{name}:{month}/{of_month}/{year}")
    return {"tbs": ",".join(parts)}


def _bing(days: Days) -> dict[str, str]:
    return {"filters": f'ex1:"ez5_{days[0] or 0}_{LATEST_DAY if days[1] is None else days[1]}"'}


def _duckduckgo(days: Days) -> dict[str, str]:
    first, last = (iso_of((days[0] or 0) * DAY), iso_of((LATEST_DAY if days[1] is None else days[1]) * DAY))
    return {"df": f"{first}..{last}"}


LATEST_DAY = 47_481
"""2099-12-31, for engines that do not know open ends."""

RANGES: Mapping[str, Callable[[Days], dict[str, str]]] = {
    "google": google_range,
    "google_light": google_range,
    "bing": _bing,
    "duckduckgo": _duckduckgo,
}
"""Engine -> the parameters that limit it to a range of dates."""


def second_look(
    engine: str, *, as_of: datetime, window: Interval | None, searched_at: datetime | None
) -> dict[str, str]:
    """Return a second query's parameters, empty if it is not worthwhile.

    It is for a window of event time that is closed on a side, and for a past asking day, whose pages the first query
    buries under later ones.
    """
    days = asked_days(as_of=as_of, window=window, searched_at=searched_at) if engine in RANGES else None
    return {} if days is None else RANGES[engine](days)


def asked_days(*, as_of: datetime, window: Interval | None, searched_at: datetime | None) -> Days | None:
    """Return the days of a second query, or `None`.

    It is `None` where a second query is not worthwhile.
    """
    asked = Interval.of_moment(as_of)
    start, end = (None, None) if window is None else (window.start, window.end)
    if end is None or (asked.end is not None and end > asked.end):
        past = searched_at is not None and Interval.of_moment(searched_at).after(asked)
        end = asked.end if past else None
    begins_later = start is not None and asked.end is not None and start >= asked.end
    if (start is None and end is None) or begins_later:
        return None
    return None if start is None else start // DAY, None if end is None else (end - 1) // DAY
