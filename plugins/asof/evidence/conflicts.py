"""What evidence says against each other, in order of time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from asof.evidence.dates import reading_of
from asof.evidence.neutral import neutral
from asof.temporal.interval import Interval


@dataclass(frozen=True, slots=True)
class Claim:
    """One side of a conflict: what was said, when, by which evidence."""

    text: str
    published: Interval | None = None
    evidence_id: str = ""


Conflict = Sequence[Claim]
"""Claims that cannot all be true at the same time."""


def conflict_lines(conflicts: Iterable[Conflict], *, labels: dict[str, str]) -> list[str]:
    """The claims of each conflict, oldest to newest, undated first; `labels` gives evidence id -> its label."""
    lines: list[str] = []
    for conflict in conflicts:
        claims = sorted(conflict, key=_time)
        told = "; then ".join(_claim(claim, labels) for claim in claims)
        if told:
            lines.append(f"- {told}")
    return lines


def _claim(claim: Claim, labels: dict[str, str]) -> str:
    label = labels.get(claim.evidence_id, "")
    return f"{reading_of(claim.published)}: {neutral(claim.text, limit=300)}" + (f" [{label}]" if label else "")


def _time(claim: Claim) -> tuple[bool, int]:
    published = claim.published
    return (False, 0) if published is None or published.start is None else (True, published.start)
