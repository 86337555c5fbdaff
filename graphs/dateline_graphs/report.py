"""The answer as one document: stable, documented, the same for people, programs and Studio."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field

from dateline import Certainty, Constraint, Cost, RankedEvidence
from dateline.evidence.claims import Claim
from dateline.evidence.freshness import Freshness, freshness_of
from dateline.records import Record, Step

REPORT_VERSION = 1

Action = Literal["adopt", "re-retrieve", "abstain", "none"]
"""What the gate decided last; "none" where nothing was found to decide about."""


class ReportDecision(Record):
    """The gate's last word on the answer."""

    action: Action
    reason: str = Field(description="One sentence.")
    rounds: int = Field(description="How many times evidence was read.")


class CitedSource(Record):
    """One piece of evidence as the report shows it."""

    id: str
    date: str | None = Field(description="When published: YYYY, YYYY-MM, YYYY-MM-DD or start/end; null: undated.")
    source: str
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


class AskedQuestion(Record):
    """The question as it was understood."""

    question: str
    as_of: str = Field(description="ISO moment as of which it was asked.")
    content: str = Field(description="The question without its temporal constraint.")
    constraint: Constraint | None = Field(description="Relation, interval, ordinal and the words that said so.")
    parts: tuple[str, ...] = ()
    said: str = Field(default="", description="What was said, where a chat came before; question is what it asks.")


class AnswerReport(Record):
    """Everything about one answer; `--json` prints exactly this."""

    version: int = REPORT_VERSION
    asked: AskedQuestion
    answer: str = Field(description="Empty when none is given.")
    choice: int | None = None
    claims: tuple[Claim, ...] = Field(
        default=(), description="The answer sentence by sentence, each with the evidence that holds its words."
    )
    premises: tuple[TakenForGranted, ...] = Field(default=(), description="Empty unless they were checked.")
    certainty: Certainty
    label: str = Field(description="reliable, misleading or uncertain.")
    decision: ReportDecision
    evidence: tuple[CitedSource, ...] = Field(description="What the reader saw, oldest to newest, undated first.")
    unread: tuple[CitedSource, ...] = Field(
        default=(), description="Found and ranked, but not read for this answer; best first."
    )
    freshness: Freshness
    facts: dict[str, Any] = Field(description="What changed in the fact store; empty when none is kept.")
    cost: Cost
    problems: tuple[str, ...] = Field(default=(), description="What went wrong on the way, one sentence each.")
    steps: tuple[Step, ...] = ()


def source_of(ranked: RankedEvidence, *, used: bool) -> CitedSource:
    """One piece of ranked evidence as the report shows it."""
    evidence = ranked.evidence
    return CitedSource(
        id=evidence.id,
        date=None if evidence.published is None else evidence.published.isoformat(),
        source=evidence.source,
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
    """Oldest to newest by publication; undated pieces first, so that the newest stands last."""

    def key(ranked: RankedEvidence) -> tuple[bool, int]:
        published = ranked.evidence.published
        start = None if published is None else published.start
        return start is not None, start or 0

    return sorted(shown, key=key)


__all__ = [
    "REPORT_VERSION",
    "Action",
    "AnswerReport",
    "AskedQuestion",
    "CitedSource",
    "Freshness",
    "ReportDecision",
    "TakenForGranted",
    "freshness_of",
    "oldest_first",
    "source_of",
]
