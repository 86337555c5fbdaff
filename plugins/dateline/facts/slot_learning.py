"""Attributes that nobody declared, judged by how their values stood so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from dateline.facts.fact import FactHistory, FactJudgement
from dateline.facts.late_documents import is_before
from dateline.facts.slots import Cardinality

_REPLACED = 2
"""Values that must have ended as the next began before an attribute counts as having one at a time. Chosen by hand."""


def learnt_cardinality(histories: Iterable[FactHistory]) -> Cardinality | None:
    """Tell how many values an attribute has at a time, or `None`.

    Many: two values of one subject stood together, the older being affirmed, or told to end, only after the newer began.
    One: none ever did, and values ended by the day on which the next began. That two values merely stand side by side
    proves nothing: perhaps nobody told the end of the older.
    """
    slots: dict[str, list[FactHistory]] = defaultdict(list)
    for history in histories:
        if history.fact.slot is not None:
            slots[history.fact.slot.key].append(history)
    pairs = [pair for values in slots.values() for pair in permutations(values, 2)]
    if any(_stood_together(older, newer) for older, newer in pairs):
        return "many"
    replaced = {older.fact.id for older, newer in pairs if _gave_way(older, newer)}
    return "one" if len(replaced) >= _REPLACED else None


def _stood_together(older: FactHistory, newer: FactHistory) -> bool:
    """Check that the older value still held after the newer began."""
    return any(
        is_before(begun.when, said.when) and is_before(first.when, said.when)
        for begun in _begun(newer)
        for first, said in _spans(older.visible())
        if _still_true(newer, said)
    )


def _gave_way(older: FactHistory, newer: FactHistory) -> bool:
    return any(
        not said.true and is_before(first.when, begun.when) and not is_before(begun.when, said.when)
        for begun in _begun(newer)[:1]
        for first, said in _spans(older.visible())
    )


def _spans(entries: Sequence[FactJudgement]) -> Iterator[tuple[FactJudgement, FactJudgement]]:
    """Yield the beginning of a value's truth with each later judgement."""
    first: FactJudgement | None = None
    for entry in entries:
        if first is not None:
            yield first, entry
        first = (first or entry) if entry.true else None


def _begun(history: FactHistory) -> list[FactJudgement]:
    return [entry for entry in history.visible() if entry.true]


def _still_true(history: FactHistory, said: FactJudgement) -> bool:
    """Check that a value was true just before a judgement on another."""
    before = [entry for entry in history.visible() if is_before(entry.when, said.when)]
    return bool(before) and before[-1].true
