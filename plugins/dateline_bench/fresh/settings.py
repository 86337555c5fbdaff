"""Settings of shown evidence, varied in FreshLLMs' table 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, get_args

from dateline.errors import check_choice
from dateline.evidence import SIZES, FreshPrompt, Sizes, in_order, prepare
from dateline.evidence.demonstrations import Style
from dateline.evidence.freshprompt import SizeName
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
        sizes: "small", the paper's (o, r, a, n, m) for GPT-3.5; "large", those for GPT-4; "best", the latter with 15 pieces.
        evidences: pieces in the prompt (n) instead of those; o, r and a stay.
        demonstrations: worked examples in front of it (m) instead of those.
        snippets_only: whether source, date, title and highlights are withheld.
        premise_check: whether the prompt asks for a check of the question's premise.
        style: concise or verbose answers in the worked examples.
        seed: for random order.
    """

    order: Order = "time"
    cut: Cut = "balanced"
    answer_box: bool = True
    related: bool = True
    sizes: SizeName = "large"
    evidences: int | None = None
    demonstrations: int | None = None
    snippets_only: bool = False
    premise_check: bool = False
    style: Style = "concise"
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice(self.order, name="order", choices=get_args(Order))
        check_choice(self.sizes, name="sizes", choices=SIZES)
        self.prompt()  # refuses the rest

    def numbers(self) -> Sizes:
        """Return the named sizes, with n and m set where given."""
        named = SIZES[self.sizes]
        n = named.evidence if self.evidences is None else self.evidences
        m = named.demonstrations if self.demonstrations is None else self.demonstrations
        return replace(named, evidence=n, demonstrations=m)

    def configuration(self) -> dict[str, Any]:
        """Return all settings, n and m as numbers."""
        numbers = self.numbers()
        return {**asdict(self), "evidences": numbers.evidence, "demonstrations": numbers.demonstrations}

    def prompt(self) -> FreshPrompt:
        """The prompt of these settings."""
        numbers = self.numbers()
        if self.snippets_only:
            # Bare pieces are all of one kind; `shown` has given each kind its share before.
            numbers = replace(numbers, organic=max(numbers.organic, numbers.evidence))
        return FreshPrompt(
            sizes=numbers,
            order=self.order,
            cut=self.cut,
            style=self.style,
            check_premise=self.premise_check,
            seed=self.seed,
        )

    def shown(self, evidence: Sequence[Evidence], *, as_of: datetime) -> list[Evidence]:
        """Select evidence to show, the piece nearest the question first."""
        kept = [each for each in evidence if self._admits(each)]
        chosen = prepare(kept, sizes=self.numbers(), as_of=as_of, cut=self.cut).evidence
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
