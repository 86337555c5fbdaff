"""What the nodes share: attempts at an answer, and what the chosen one read and stands on."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from dateline import Certainty, Evidence, Question, RankedEvidence, Reading
from dateline.records import Record
from dateline_graphs.state import AnswerState, Json

Update = dict[str, Any]
"""What a node adds to the state."""


class Attempt(Record):
    """One reading of one selection of evidence."""

    reading: Reading
    certainty: Certainty
    shown: tuple[str, ...] = Field(description="Ids of the evidence the reader saw, best first.")


def shown_in(state: AnswerState) -> list[RankedEvidence]:
    """The evidence of the chosen attempt, best first."""
    ids = state["attempts"][state["decision"]["attempt"]]["shown"]
    by_id = {item["evidence"]["id"]: item for item in [*state.get("ranked", []), *state.get("shown", [])]}
    return [RankedEvidence.model_validate(by_id[id]) for id in ids]


def used_ids(state: AnswerState) -> frozenset[str]:
    """The evidence that the chosen answer stands on."""
    reading = state["attempts"][state["decision"]["attempt"]]["reading"]
    return frozenset(reading["evidence_ids"])


def pieces_used(state: AnswerState) -> list[Evidence]:
    used = used_ids(state)
    return [ranked.evidence for ranked in shown_in(state) if ranked.evidence.id in used]


def asked_at(state: AnswerState) -> datetime:
    return Question.from_json(state["parsed"]).as_of


def dump(record: Record) -> Json:
    return record.model_dump(mode="json")
