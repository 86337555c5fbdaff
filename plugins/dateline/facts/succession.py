"""Values that follow each other in a slot, and what each ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dateline.facts.fact import FactHistory, FactJudgement
from dateline.facts.late_documents import denied_enough, ended_before, is_before, last_true_before
from dateline.facts.operation import FactSource, MakeFalse, Operation
from dateline.temporal.interval import Interval

_ENOUGH = 2
"""A value ends by the word of so many later documents: undoing any one of them leaves it false. Chosen by hand."""
_SETTLED, _PAGE, _LONGER = 4, 8, 4
"""Facts of a slot are looked at in pages that grow, until so many of them are settled. Chosen by hand."""


def neighbours(
    page: Callable[[int, int], Sequence[FactHistory]], *, settled: Callable[[FactHistory], bool]
) -> Iterator[FactHistory]:
    """Yield a slot's facts around a date, until the rest is settled.

    Args:
        page: lists facts, nearest first, given how many to skip and how many to list at most.
        settled: tells that behind some such facts nothing is left to deny.
    """
    seen: set[str] = set()
    done, skip, size = 0, 0, _PAGE
    while done < _SETTLED:
        histories = page(skip, size)
        new = [history for history in histories if history.fact.id not in seen]
        done += sum(map(settled, new)) if new else 1
        yield from new
        if not histories:
            return
        seen.update(history.fact.id for history in new)
        skip, size = skip + size, size * _LONGER


def from_then_on(when: Interval | None) -> Interval | None:
    """Return the time from a date on.

    An end so dated yields to what is told of that very day: values told of one day stand together, in any order of arrival.
    """
    return None if when is None else Interval(when.start, None, when.granularity)


def denials(
    assertion: Operation,
    *,
    rivals: Sequence[FactHistory],
    own: FactHistory | None,
    until: Interval | None = None,
) -> list[MakeFalse]:
    """Return the ends that an assertion brings, its own too.

    Args:
        own: the history of the asserted fact, where it has one.
        until: when the assertion says itself that it ends.
    """
    older = [rival for rival in rivals if _stood_before(rival, assertion.when)]
    return [
        *(_ended(assertion, rival) for rival in older),
        *_own_ends(assertion, rivals=rivals, own=own, until=until),
    ]


def _stood_before(rival: FactHistory, when: Interval | None) -> bool:
    return last_true_before(rival, when) is not None and not ended_before(rival, when)


def _ended(assertion: Operation, rival: FactHistory) -> MakeFalse:
    shared = {"when": from_then_on(assertion.when), "reason": "A newer value is told."}
    return MakeFalse(**{**assertion.shared, **shared}, fact_id=rival.fact.id)


def _own_ends(
    assertion: Operation,
    *,
    rivals: Sequence[FactHistory],
    own: FactHistory | None,
    until: Interval | None,
) -> list[MakeFalse]:
    """End the asserted value where the first later ones begin."""
    # Every later word, not each rival's first alone: that one may be withdrawn.
    later = [
        entry for rival in rivals for entry in rival.visible() if entry.true and is_before(assertion.when, entry.when)
    ]
    denied = [] if own is None else [entry for entry in own.visible() if not entry.true]
    made: list[MakeFalse] = []
    for end in sorted(later, key=FactJudgement.order):
        between = [
            each for each in denied if is_before(assertion.when, each.when) and not is_before(end.when, each.when)
        ]
        told = until is not None and not is_before(end.when, until)
        if told or len({each.rests_on for each in made}) >= _ENOUGH or denied_enough(between):
            break
        made.append(_ended_by(assertion, end))
    return made


def _ended_by(assertion: Operation, end: FactJudgement) -> MakeFalse:
    shared = {
        "when": from_then_on(end.when),
        "rests_on": (FactSource(end.document, end.revision),),
        "reason": "A newer value, known before, is told.",
    }
    return MakeFalse(**{**assertion.shared, **shared}, fact_id=assertion.assertions[0].fact_id)
