"""The answer as one document: stable, documented, the same for people, programs and Studio."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import Field

from asof import Certainty, Constraint, Cost, Evidence, Interval, RankedEvidence
from asof.records import Record, Step
from asof_graphs.claims import Claim

REPORT_VERSION = 1

Action = Literal["adopt", "re-retrieve", "abstain", "none"]
"""What the gate decided last; "none" where nothing was found to decide about."""


class Decision(Record):
    """The gate's last word on the answer."""

    action: Action
    reason: str = Field(description="One sentence.")
    rounds: int = Field(description="How many times evidence was read.")


class Source(Record):
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


class Freshness(Record):
    """How old the evidence behind the answer is, seen from the asking date."""

    newest: str | None = Field(description="Date of the newest dated evidence used.")
    oldest: str | None = Field(description="Date of the oldest dated evidence used.")
    newest_age_days: int | None = Field(description="Days from the newest dated evidence used to the asking date.")
    undated: int = Field(description="How many of the pieces used carry no date.")
    statement: str = Field(description="The same in one sentence.")


class Asked(Record):
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
    asked: Asked
    answer: str = Field(description="Empty when none is given.")
    choice: int | None = None
    claims: tuple[Claim, ...] = Field(
        default=(), description="The answer sentence by sentence, each with the evidence that holds its words."
    )
    premises: tuple[TakenForGranted, ...] = Field(default=(), description="Empty unless they were checked.")
    certainty: Certainty
    label: str = Field(description="reliable, misleading or uncertain.")
    decision: Decision
    evidence: tuple[Source, ...] = Field(description="What the reader saw, oldest to newest, undated first.")
    unread: tuple[Source, ...] = Field(
        default=(), description="Found and ranked, but not read for this answer; best first."
    )
    freshness: Freshness
    facts: dict[str, Any] = Field(description="What changed in the fact store; empty when none is kept.")
    cost: Cost
    problems: tuple[str, ...] = Field(default=(), description="What went wrong on the way, one sentence each.")
    steps: tuple[Step, ...] = ()

    def to_html(self) -> str:
        """One self-contained HTML page of it, for people; see `asof_graphs.page`."""
        from asof_graphs.page import render

        return render(self)


def source_of(ranked: RankedEvidence, *, used: bool) -> Source:
    """One piece of ranked evidence as the report shows it."""
    evidence = ranked.evidence
    return Source(
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


def freshness_of(used: Sequence[Evidence], *, as_of: datetime) -> Freshness:
    """How fresh the evidence used is, as of the asking moment."""
    dated = sorted((e.published for e in used if e.published is not None), key=_midpoint)
    undated = len(used) - len(dated)
    newest, oldest = (dated[-1], dated[0]) if dated else (None, None)
    age = None if newest is None else max(0, (as_of.astimezone(UTC) - newest.last_moment()).days)
    return Freshness(
        newest=None if newest is None else newest.isoformat(),
        oldest=None if oldest is None else oldest.isoformat(),
        newest_age_days=age,
        undated=undated,
        statement=_freshness_statement(newest, oldest, age=age, undated=undated),
    )


def _freshness_statement(newest: Interval | None, oldest: Interval | None, *, age: int | None, undated: int) -> str:
    if newest is None:
        return "None of the evidence used carries a date." if undated else "No evidence was used."
    days = "on the asking date" if age == 0 else f"{age} day{'' if age == 1 else 's'} before the asking date"
    text = f"The newest evidence used is of {newest} ({days})"
    if oldest is not None and oldest != newest:
        text += f", the oldest of {oldest}"
    if undated:
        text += f"; {undated} piece{' is' if undated == 1 else 's are'} undated"
    return text + "."


def _midpoint(interval: Interval) -> float:
    ends = [end for end in (interval.start, interval.end) if end is not None]
    return sum(ends) / len(ends) if ends else 0.0
