"""Settings of shown evidence, varied in FreshLLMs' table 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from dateline.errors import BadInput
from dateline.evidence import FreshPrompt, Sizes, in_order, prepare
from dateline.evidence.demonstrations import Style
from dateline.evidence.order import Order
from dateline.evidence.prepare import Cut
from dateline.records import Evidence


@dataclass(frozen=True, slots=True)
class FreshSettings:
    """Settings of shown evidence, varied in table 1.

    Attributes:
        order: oldest to newest, the engine's own with the best last, or shuffled.
        cut: what goes first of too many pieces; "newest" is the paper's.
        answer_box: whether the engine's answer box is evidence.
        related: whether related questions, questions and answers and the knowledge graph are.
        evidences: pieces in the prompt (n).
        demonstrations: worked examples in front of it (m).
        snippets_only: whether source, date, title and highlights are withheld.
        premise_check: whether the prompt asks for a check of the question's premise.
        style: concise or verbose answers in the worked examples.
        seed: for random order.
    """

    order: Order = "time"
    cut: Cut = "balanced"
    answer_box: bool = True
    related: bool = True
    evidences: int = 10
    demonstrations: int = 5
    snippets_only: bool = False
    premise_check: bool = False
    style: Style = "concise"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.order not in get_args(Order):
            raise BadInput(f"Unknown order {self.order!r}; choose one of {', '.join(get_args(Order))}.")
        self.prompt()  # refuses the rest

    def sizes(self) -> Sizes:
        """Return FreshPrompt's sizes for GPT-4, with n and m set."""
        return Sizes(max(10, self.evidences), 3, 3, self.evidences, self.demonstrations)

    def prompt(self) -> FreshPrompt:
        """The prompt of these settings."""
        return FreshPrompt(
            sizes=self.sizes(),
            order=self.order,
            cut=self.cut,
            style=self.style,
            check_premise=self.premise_check,
            seed=self.seed,
        )

    def shown(self, evidence: Sequence[Evidence], *, as_of: datetime) -> list[Evidence]:
        """Select evidence to show, the piece nearest the question first."""
        kept = [each for each in evidence if self._admits(each)]
        chosen = prepare(kept, sizes=self.sizes(), as_of=as_of, cut=self.cut).evidence
        rank = {each.id: place for place, each in enumerate(kept)}
        ordered = in_order(sorted(chosen, key=lambda each: rank[each.id]), order=self.order, seed=self.seed)
        return [_bare(each) if self.snippets_only else each for each in reversed(ordered)]

    def _admits(self, evidence: Evidence) -> bool:
        if evidence.kind == "answer_box":
            return self.answer_box
        return self.related or evidence.kind not in ("related_question", "question_answer", "knowledge_graph")


def _bare(evidence: Evidence) -> Evidence:
    return evidence.model_copy(
        update={"source": "", "url": "", "title": "", "published": None, "highlights": (), "kind": "organic"}
    )
