"""Decision gate: adopt, retrieve again, keep or abstain (GrowOVER, section 4.1)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dateline.records import Certainty, Cost, Record

Outcome = Literal["adopt", "keep", "retrieve", "abstain"]
"""Trust the answer; keep it as a guess that nobody should trust; look for other evidence; withhold it."""

NOTHING = Certainty(reliable=0.0, misleading=0.0, uncertain=1.0)
"""Of a reading without an answer, and of a model that gives no estimate: nothing is adopted on its word."""

_BUDGET = "No new round once this is spent or would not last for it; None: no limit. The first reading always happens."


class GateDecision(Record):
    """The gate's word on an answer.

    Example:
        >>> Gate().decide(Certainty(reliable=0.8, misleading=0.1, uncertain=0.1)).reason
        'The answer is reliable, p(reliable) = 0.80.'
    """

    outcome: Outcome
    reason: str = Field(description="One sentence.")


class Gate(Record):
    """Adopts reliable answers, else retrieves again while rounds and budgets last.

    Example:
        >>> doubtful = Certainty(reliable=0.3, misleading=0.1, uncertain=0.6)
        >>> [Gate(abstain_below=0.5).decide(doubtful, round=round).outcome for round in (0, 1)]
        ['retrieve', 'abstain']
    """

    threshold: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="Adopt from this p(reliable) on; None: the label decides, from one half on.",
    )
    max_rounds: int = Field(default=1, ge=0, description="Further retrievals at most; GrowOVER does one.")
    abstain_below: float = Field(
        default=0.0,
        ge=0.0,
        le=1.0,
        description="With no round left, abstain below this p(reliable); 0: keep the best guess.",
    )
    max_outdated: float = Field(
        default=1.0,
        ge=0.0,
        le=1.0,
        description="Retrieve again, too, above this chance that the answer has changed since its newest evidence.",
    )
    max_model_calls: int | None = Field(default=None, ge=0, description=_BUDGET)
    max_tokens: int | None = Field(default=None, ge=0, description=_BUDGET)
    max_searches: int | None = Field(default=None, ge=0, description=_BUDGET)
    max_seconds: float | None = Field(default=None, ge=0.0, description=_BUDGET)

    def decide(
        self,
        certainty: Certainty,
        *,
        outdated: float = 0.0,
        round: int = 0,
        spent: Cost | None = None,
        expected: Cost | None = None,
    ) -> GateDecision:
        """Judge an answer after `round` further retrievals that cost `spent` so far.

        `outdated` is the chance that it has changed since its newest evidence: no reason to distrust it where nothing newer
        can be retrieved.

        `expected` is what one more round is thought to cost, such as what the last one did: where that does not fit
        into what a budget has left, there is none.
        """
        limit = self._limit(round, spent or Cost(), expected or Cost())
        if self._trusts(certainty):
            reason = f"The answer is {certainty.label}, p(reliable) = {certainty.shown}"
            if outdated <= self.max_outdated:
                return GateDecision(outcome="adopt", reason=f"{reason}.")
            reason += f", and has changed since with p = {outdated:.2f}"
            if limit is not None:
                return GateDecision(outcome="adopt", reason=f"{reason}; {limit[0].lower()}{limit[1:]}.")
            return GateDecision(outcome="retrieve", reason=f"{reason}; round {round + 1} of {self.max_rounds}.")
        if limit is None:
            return GateDecision(
                outcome="retrieve", reason=f"The answer is {certainty.label}; round {round + 1} of {self.max_rounds}."
            )
        if certainty.reliable < self.abstain_below:
            return GateDecision(
                outcome="abstain", reason=f"{limit}; p(reliable) = {certainty.shown} < {self.abstain_below:.2f}."
            )
        if certainty == NOTHING:
            return GateDecision(outcome="keep", reason=f"{limit}; nothing that was read gives an answer.")
        return GateDecision(
            outcome="keep", reason=f"{limit}; the most reliable answer so far is kept, {certainty.shown}."
        )

    def _trusts(self, certainty: Certainty) -> bool:
        if self.threshold is None:
            return certainty.label == "reliable"
        return certainty != NOTHING and certainty.reliable >= self.threshold

    def _limit(self, round: int, spent: Cost, expected: Cost) -> str | None:
        """Return the first limit reached, or `None` where none is."""
        if round >= self.max_rounds:
            return "No further retrieval is left"
        for used, more, limit, name in (
            (spent.model_calls, expected.model_calls, self.max_model_calls, "model calls"),
            (spent.tokens, expected.tokens, self.max_tokens, "tokens"),
            (spent.searches, expected.searches, self.max_searches, "searches"),
            (spent.seconds, expected.seconds, self.max_seconds, "seconds"),
        ):
            if limit is not None and used >= limit:
                return f"The budget of {limit:g} {name} is used"
            if limit is not None and used + more > limit:
                return f"The budget of {limit:g} {name} has no room for another round"
        return None


def keep_better(first: Certainty, second: Certainty) -> int:
    """Return 1 where the second answer is more reliable, else 0."""
    return int(second.reliable > first.reliable)
