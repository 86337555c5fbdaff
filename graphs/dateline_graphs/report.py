"""The report: an answer as one documented record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import Field

from dateline import RankedEvidence
from dateline.certainty.answer import Answer
from dateline.evidence.claims import Claim
from dateline.records import Record

REPORT_VERSION = 2
OUTCOMES = {"adopt": "Adopted", "keep": "Kept, not trusted", "abstain": "Abstained", "retrieve": "Still uncertain"}
"""The gate's decisions in words."""


class CitedSource(Record):
    """One piece of evidence as the report shows it."""

    id: str
    date: str | None = Field(description="When published: YYYY, YYYY-MM, YYYY-MM-DD or start/end; null: undated.")
    dated_by: str = Field(default="", description="Where the date stood, such as file name, or text; empty: not known.")
    source: str = Field(description="Its own word for where it comes from.")
    channel: str = Field(default="", description="What it came through, as told by what loaded it.")
    title: str
    url: str
    kind: str
    text: str
    score: float = Field(description="Rank score, higher is better.")
    semantic: float = Field(description="Closeness to the question's content, 0 to 1.")
    temporal: float = Field(description="Fit to the question's constraint, 0 to 1; 0.5 is neutral.")
    matched: str | None = Field(description="The time in the text that gave the temporal score.")
    used: bool = Field(description="Whether the answer stands on it.")


class TakenForGranted(Record):
    """One thing that the question takes for granted."""

    text: str = Field(description="As a statement.")
    standing: str = Field(description="holds, fails, or open where no evidence decides.")
    sentence: str = Field(default="", description="The sentence that decided.")
    evidence_id: str = Field(default="", description="Where it stands.")


class AnswerReport(Answer):
    """Everything about one answer; `--json` prints exactly this."""

    version: int = REPORT_VERSION
    claims: tuple[Claim, ...] = Field(
        default=(), description="The answer sentence by sentence, each with the evidence that holds its words."
    )
    premises: tuple[TakenForGranted, ...] = Field(default=(), description="Empty unless they were checked.")
    evidence: tuple[CitedSource, ...] = Field(description="What the reader saw, oldest to newest, undated first.")
    unread: tuple[CitedSource, ...] = Field(
        default=(), description="Found and ranked, but not read for this answer; best first."
    )
    facts: dict[str, Any] = Field(description="What changed in the fact store; empty when none is kept.")

    @property
    def standing(self) -> str:
        """Return the gate's decision in words."""
        return (
            OUTCOMES[self.decision.outcome] if self.answer or self.decision.outcome == "abstain" else "Nothing adopted"
        )


def source_of(ranked: RankedEvidence, *, used: bool) -> CitedSource:
    """Return a piece of ranked evidence as the report shows it."""
    evidence = ranked.evidence
    return CitedSource(
        id=evidence.id,
        date=None if evidence.published is None else evidence.published.isoformat(),
        dated_by=evidence.dated_by,
        source=evidence.source,
        channel=evidence.channel,
        title=evidence.title,
        url=evidence.url,
        kind=evidence.kind,
        text=evidence.text,
        score=round(ranked.score, 4),
        semantic=round(ranked.semantic, 4),
        temporal=round(ranked.temporal, 4),
        matched=None if ranked.matched is None else ranked.matched.isoformat(),
        used=used,
    )


def oldest_first(shown: Iterable[RankedEvidence]) -> list[RankedEvidence]:
    """Sort by publication, oldest first; undated pieces before all."""

    def key(ranked: RankedEvidence) -> tuple[bool, int]:
        published = ranked.evidence.published
        start = None if published is None else published.start
        return start is not None, start or 0

    return sorted(shown, key=key)
