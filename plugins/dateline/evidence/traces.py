"""Traces of retrieval, as handlers of running apps record them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from dateline.records import Evidence

KEPT = 100
"""Answers that a handler remembers, the latest ones; chosen by hand."""


@dataclass(frozen=True)
class TracedRetrieval:
    """Results of one retriever or search tool.

    Attributes:
        as_of: the asking moment that the results tell; None where they do not.
    """

    by: str
    query: str
    evidence: tuple[Evidence, ...]
    seconds: float
    tags: tuple[str, ...] = ()
    as_of: datetime | None = None

    def describe(self) -> str:
        """Write a line for the retrieval and for each dated piece."""
        head = f"{self.by}: {self.query!r} brought {len(self.evidence)} in {self.seconds:.2f} s"
        return "\n".join([head, *(_line(piece) for piece in self.evidence)])


@dataclass(frozen=True)
class AnswerTrace:
    """All retrievals for one answer, in order."""

    asked: str
    retrievals: tuple[TracedRetrieval, ...]
    seconds: float

    def describe(self) -> str:
        """Write the trace in words."""
        return "\n".join([self.asked, *(each.describe() for each in self.retrievals)]).strip()


def latest_asked(retrievals: Iterable[TracedRetrieval]) -> datetime | None:
    """Return the latest asking moment that retrievals tell."""
    return max((each.as_of for each in retrievals if each.as_of is not None), default=None)


def _line(piece: Evidence) -> str:
    date = "undated" if piece.published is None else piece.published.isoformat()
    return f"  {date}  {piece.title or piece.source or piece.text[:60]}"
