"""Graphiti's edges: a fact each, with both its times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from dateline.facts.fact import Fact
from dateline.facts.importing.rows import (
    Row,
    RowError,
    Told,
    event_time,
    tags_of,
    text_of,
    time_of,
    with_all_tags,
    word_of,
)
from dateline.facts.operation import AddFact, MakeFalse, Operation

KEYS = ("edges", "entity_edges", "results", "facts")
"""Keys under which an export may hold its edges."""


class _Edge(NamedTuple):
    """An edge that can be imported.

    Attributes:
        valid_at: from when the fact was true; `None`: not told.
        invalid_at: from when it was false; `None`: it still holds.
        learnt_at: when Graphiti learnt it.
        ended_at: when Graphiti learnt its end.
    """

    document: str
    channel: str
    fact: Fact
    reason: str
    valid_at: datetime | None
    invalid_at: datetime | None
    learnt_at: datetime
    ended_at: datetime

    def covers(self, moment: datetime) -> bool:
        """Check that the fact was true behind a moment."""
        began = self.valid_at is None or self.valid_at <= moment
        return began and (self.invalid_at is None or moment < self.invalid_at)


def read_graphiti(rows: Iterable[tuple[str, Any]], *, known_at: datetime) -> Told:
    """Turn edges into operations, one document an edge.

    `valid_at` asserts its fact and `invalid_at` denies it, in event time; `created_at` and `expired_at` say when each was
    learnt. An edge that expired without an `invalid_at` ended when it expired. Where another edge of the same words still
    holds, the end of one denies nothing.

    Args:
        known_at: when a row without `created_at` was learnt.
    """
    edges: list[_Edge] = []
    problems: list[str] = []
    for place, row in rows:
        try:
            edges.append(_edge(row, known_at))
        except RowError as problem:
            problems.append(f"{place}: {problem}.")
    facts = with_all_tags(edge.fact for edge in edges)
    edges = [edge._replace(fact=facts[edge.fact.id]) for edge in edges]
    alike: dict[str, list[_Edge]] = defaultdict(list)
    for edge in edges:
        alike[edge.fact.id].append(edge)
    operations: dict[str, list[Operation]] = {}
    for edge in edges:
        operations.setdefault(edge.document, []).extend(_operations(edge, alike[edge.fact.id]))
    return Told(operations, problems)


def _edge(row: Any, known_at: datetime) -> _Edge:
    if not isinstance(row, dict):
        raise RowError("it is no object with fields")
    created, expired = time_of(row, "created_at"), time_of(row, "expired_at")
    valid = time_of(row, "valid_at") or time_of(row, "reference_time")
    invalid = time_of(row, "invalid_at") or expired
    if valid is not None and invalid is not None and invalid < valid:
        raise RowError(f"it ends ({invalid.isoformat()}) before it begins ({valid.isoformat()})")
    learnt = created or known_at
    group, episodes = word_of(row, "group_id"), row.get("episodes")
    told = ", ".join(each for each in episodes if isinstance(each, str)) if isinstance(episodes, list) else ""
    return _Edge(
        document=f"graphiti:{text_of(row, 'uuid').strip()}",
        channel=f"graphiti/{group}" if group else "graphiti",
        fact=Fact.make(text_of(row, "fact"), tags=_tags(row)),
        reason=f"Episodes: {told}." if told else "",
        valid_at=valid,
        invalid_at=invalid,
        learnt_at=learnt,
        ended_at=max(expired or learnt, learnt),
    )


def _tags(row: Row) -> tuple[str, ...]:
    names = [word_of(row, f"{end}_{name}") for end in ("source", "target") for name in ("node_name", "name")]
    relation = word_of(row, "name")
    about = dict.fromkeys(f"about:{name}" for name in names if name)
    return (*about, *([f"relation:{relation}"] if relation else []), *tags_of(row, "attributes"))


def _operations(edge: _Edge, alike: Iterable[_Edge]) -> list[Operation]:
    shared: dict[str, Any] = {"document": edge.document, "channel": edge.channel, "reason": edge.reason}
    begun = None if edge.valid_at is None else event_time(edge.valid_at)
    operations: list[Operation] = [AddFact(**shared, when=begun, known_at=edge.learnt_at, fact=edge.fact)]
    end = edge.invalid_at
    if end is not None and not any(other is not edge and other.covers(end) for other in alike):
        denial = {**shared, "when": event_time(end), "known_at": edge.ended_at}
        operations.append(MakeFalse(**denial, fact_id=edge.fact.id))
    return operations
