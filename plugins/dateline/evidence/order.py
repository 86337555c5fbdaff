"""Order of evidence in a prompt (FreshLLMs, section 4.1)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from dateline.records import Evidence

Order = Literal["time", "search", "random"]
"""`time`: oldest to newest; `search`: best last; `random`: shuffled by a seed."""

RESERVED = ("answer_box", "knowledge_graph")
"""Kinds that a balanced cut takes last; where they are undated they stand nearest the question."""


def in_order(evidence: Sequence[Evidence], *, order: Order, seed: int = 0) -> list[Evidence]:
    """`evidence` (best first) as it stands in a prompt.

    In order of time a piece stands at the middle of its interval, so "2019" lies between May and September 2019.
    Undated pieces come first, the better ones later; an undated answer box or knowledge graph, which shows the state of
    the day of the search, comes last.
    """
    if order == "search":
        return list(reversed(evidence))
    if order == "random":
        return random.Random(seed).sample(list(evidence), len(evidence))
    placed = enumerate(reversed(evidence))
    return [each for _, each in sorted(placed, key=lambda place: (*_time(place[1]), place[0]))]


def middle(evidence: Evidence) -> float | None:
    """The middle of its time of publication, in seconds; None when undated."""
    return None if evidence.published is None else evidence.published.middle


def _time(evidence: Evidence) -> tuple[int, float]:
    time = middle(evidence)
    if time is None:
        return (2, 0.0) if evidence.kind in RESERVED else (0, 0.0)
    return (1, time)
