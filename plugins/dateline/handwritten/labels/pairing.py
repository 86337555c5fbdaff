"""Label a new and an old sentence as a pair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from dateline.handwritten.labels.difference import Difference
from dateline.protocols import Verdict
from dateline.records import SentenceLabel

FRAME = 0.5
"""Share of their content, values left out, from which two sentences are about one thing."""

THIN_FRAME = 0.25
"""The same for sentences that stand in one place and have different values."""

FAINT = 0.3
"""Least cosine of sentences in one place that may be about one thing although they share no words."""

CLOSE = 0.7
"""Least cosine from which the judge's "supports" counts where the words differ."""

EXACT, JUDGED, CARRIED, REPLACED = 3.0, 2.0, 1.5, 1.0
"""What kind of evidence there is; the stronger kind goes first where two new sentences want one old one."""


class PairLabel(NamedTuple):
    """A label that one old sentence would give, and how strong the case is."""

    label: SentenceLabel
    strength: float
    reason: str


@dataclass(frozen=True)
class SentencePair:
    """An old sentence and a new one.

    Attributes:
        similarity: their cosine, -1 to 1.
        aligned: whether they stand at about the same place between the same neighbours.
        rare: content words that no other old sentence holds.
        changed: the cosine that a contradicted sentence must exceed to count as changed.
    """

    difference: Difference
    similarity: float
    aligned: bool
    rare: frozenset[str]
    changed: float

    @cached_property
    def weight(self) -> float:
        """How likely the two are about one thing; orders candidates."""
        return self.similarity + 0.5 * self.difference.frame + (0.2 if self.aligned else 0.0)

    @cached_property
    def alike(self) -> bool:
        """Whether the two are about one thing."""
        return self.similarity > self.changed or self.difference.frame >= FRAME

    @cached_property
    def exact(self) -> PairLabel | None:
        """What words and values decide without the judge."""
        conflict = self.difference.conflict
        if not conflict:
            return None
        if self.alike:
            return PairLabel("changed", EXACT + self.weight, conflict)
        here = self.aligned and self.difference.frame >= THIN_FRAME
        return PairLabel("changed", REPLACED + self.weight, conflict) if here else None

    @cached_property
    def same_subject(self) -> bool:
        """Whether both begin with the same thing, of which no other old sentence speaks."""
        old, new = self.difference.old.telling[:1], self.difference.new.telling[:1]
        return bool(old and new) and old[0].key == new[0].key and old[0].key in self.rare

    @property
    def asks_back(self) -> bool:
        """Whether the judge's "supports" needs the other direction too: words were put in the place of others."""
        return bool(self.difference.added and self.difference.removed)

    def judged(self, verdict: Verdict, *, back: Verdict) -> PairLabel | None:
        """What the judge's verdicts decide; `back` is the one on the old sentence, given the new."""
        difference, alike = self.difference, self.alike
        close = self.similarity > CLOSE or difference.frame >= FRAME
        values = any(token.kind != "content" for token in difference.added)
        supported = verdict == "supports" and (back == "supports" or not self.asks_back)
        if supported and close and not values and not difference.extends and difference.same_polarity:
            return PairLabel("unchanged", JUDGED + self.weight, "entailed")
        here = self.aligned and (difference.frame >= FRAME or bool(difference.shared & self.rare))
        # A small judge takes much of what is merely added for a contradiction; an end put to a state is one.
        carried_on = difference.extends and not difference.ended
        if verdict == "contradicts" and not carried_on and (self.similarity > self.changed or here):
            return PairLabel("changed", JUDGED + self.weight, "contradicted")
        if difference.extends and alike:
            return PairLabel("undecided", CARRIED + self.weight, "carried on")
        replaced = difference.added and difference.removed and self.aligned and self.similarity > FAINT
        if replaced and verdict != "supports" and (difference.frame >= FRAME or self.same_subject):
            return PairLabel("changed", REPLACED + self.weight, "replaced")
        return None
