"""A typed view of the graph's state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from dateline import Cost, Evidence, Question, RankedEvidence, Step
from dateline.certainty import Attempt
from dateline.certainty.attempt import standing
from dateline.certainty.gate import GateDecision
from dateline.records import Record
from dateline_graphs.validated import VALIDATED

_Kind = TypeVar("_Kind", bound=Record)


def _records(field: str, kind: type[_Kind]) -> cached_property[list[_Kind]]:
    return cached_property(lambda view: [VALIDATED.read(kind, item) for item in view.state.get(field, [])])


@dataclass(frozen=True)
class StateView:
    """Fields of a state or search task, as records.

    `AnswerState` describes them.
    """

    state: Mapping[str, Any]

    @cached_property
    def question(self) -> Question:
        """Return the question as it was taken apart."""
        return Question.from_json(self.state["parsed"])

    pool = _records("pool", Evidence)
    ranked = _records("ranked", RankedEvidence)
    shown = _records("shown", RankedEvidence)
    attempts = _records("attempts", Attempt)
    steps = _records("steps", Step)

    @property
    def decision(self) -> GateDecision:
        """Return the gate's last word."""
        return GateDecision.model_validate(self.state["decision"])

    @property
    def choices(self) -> Sequence[str]:
        """Return the answers to choose from, where some are given."""
        return list(self.state.get("choices") or ())

    @cached_property
    def by_id(self) -> dict[str, RankedEvidence]:
        """Return all ranked and shown evidence by its id."""
        return {one.evidence.id: one for one in [*self.ranked, *self.shown]}

    @property
    def read(self) -> list[RankedEvidence]:
        """Return the evidence of the standing attempt, best first."""
        return [self.by_id[id] for id in standing(self.attempts).shown]

    @property
    def used(self) -> list[Evidence]:
        """Return the evidence that the standing answer rests on."""
        ids = standing(self.attempts).reading.evidence_ids
        return [ranked.evidence for ranked in self.read if ranked.evidence.id in ids]


def spent(steps: Sequence[Step]) -> Cost:
    """Return the cost of all steps."""
    return sum((step.cost for step in steps), Cost())
