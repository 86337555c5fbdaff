"""Rules for documents that arrive late: order by date, sufficient denials."""

from __future__ import annotations

from collections.abc import Sequence

from dateline.facts.fact import FactHistory, FactJudgement, event_start
from dateline.temporal.interval import Interval


def is_before(earlier: Interval | None, later: Interval | None) -> bool:
    """Compare the beginnings of two dates; undated ones are never before."""
    return earlier is not None and later is not None and event_start(earlier) < event_start(later)


def first_true_after(history: FactHistory, when: Interval | None) -> FactJudgement | None:
    """Return the first true judgement after a date; `None` where undated."""
    return next((entry for entry in history.visible() if entry.true and is_before(when, entry.when)), None)


def last_true_before(history: FactHistory, when: Interval | None) -> FactJudgement | None:
    """Return the last true judgement before a date; `None` where undated."""
    return next((entry for entry in reversed(history.visible()) if entry.true and is_before(entry.when, when)), None)


def ended_before(history: FactHistory, when: Interval | None) -> bool:
    """Check that enough documents had ended a fact by then."""
    return denied_enough([entry for entry in history.visible() if is_before(entry.when, when)])


def denied_enough(entries: Sequence[FactJudgement]) -> bool:
    """Check that a fact stays denied whichever document is undone.

    Only what denies it since it was last affirmed counts. Such a fact is not denied again, so that a value repeated every day does not
    fill the ledger.
    """
    denials = [{entry.document, *entry.rests_on} for entry in entries[last_affirmed(entries) + 1 :]]
    return bool(denials) and not set.intersection(*denials)


def last_affirmed(entries: Sequence[FactJudgement]) -> int:
    """Return the place of the last affirmation, -1 where there is none."""
    return max((place for place, entry in enumerate(entries) if entry.true), default=-1)
