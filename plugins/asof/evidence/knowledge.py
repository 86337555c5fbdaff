"""Knowledge time: what could have been read at a moment."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from asof.records import Evidence
from asof.temporal.interval import Interval


def known_at(evidence: Evidence, *, as_of: datetime) -> bool:
    """Whether evidence could be known on the day of `as_of`.

    Only what was certainly published later is unknown: undated evidence stays, and so does a month or year
    that had begun.
    """
    if evidence.published is None or evidence.published.start is None:
        return True
    end = Interval.of_moment(as_of).end
    return end is None or evidence.published.start < end


def split_known(evidence: Iterable[Evidence], *, as_of: datetime) -> tuple[list[Evidence], list[Evidence]]:
    """(known at `as_of`, published later), each in the given order."""
    known: list[Evidence] = []
    later: list[Evidence] = []
    for each in evidence:
        (known if known_at(each, as_of=as_of) else later).append(each)
    return known, later
