"""Several triggers as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing, ThresholdTrigger, Trigger
from dateline.errors import BadInput
from dateline.temporal.constraint import Question


@dataclass(frozen=True)
class AnyOf(Trigger):
    """A union of triggers; the earliest position wins.

    Attributes:
        triggers: at least one.

    Example:
        >>> from dateline.dynamic.triggers import EverySentence, Once
        >>> AnyOf([Once(), EverySentence()]).horizon
        8
    """

    triggers: Sequence[Trigger]

    name = "any of"

    def __post_init__(self) -> None:
        if not self.triggers:
            raise BadInput("AnyOf needs at least one trigger; use Never() for none.")
        for trait in ("needs_attention", "needs_probability", "doubts"):
            object.__setattr__(self, trait, any(getattr(each, trait) for each in self.triggers))

    @property
    def threshold_trigger(self) -> ThresholdTrigger | None:
        """The one trigger whose threshold can be calibrated, if there is one."""
        found = [each for each in self.triggers if isinstance(each, ThresholdTrigger)]
        return found[0] if len(found) == 1 else None

    @property
    def threshold(self) -> float | None:
        """That trigger's threshold."""
        level: float | None = getattr(self.threshold_trigger, "threshold", None)
        return level

    def with_threshold_trigger(self, trigger: ThresholdTrigger) -> Self:
        """Return a copy with another trigger in that one's place."""
        return replace(self, triggers=[trigger if each is self.threshold_trigger else each for each in self.triggers])

    @property
    def horizon(self) -> int | None:
        """Longest horizon of its triggers."""
        horizons = [each.horizon for each in self.triggers]
        known = [each for each in horizons if each is not None]
        return max(known) if len(known) == len(horizons) else None

    def first_open(self, progress: Progress) -> int | None:
        """Return the earliest of its triggers' positions."""
        firsts = [each.first_open(progress) for each in self.triggers]
        known = [each for each in firsts if each is not None]
        return min(known) if len(known) == len(firsts) else None

    def check(self, question: Question | None) -> None:
        """Check every trigger."""
        for each in self.triggers:
            each.check(question)

    def before(self, progress: Progress) -> Firing | None:
        """Return the earliest firing."""
        return _earliest([each.before(progress) for each in self.triggers])

    def chosen(self, progress: Progress) -> Firing | None:
        """Return the earliest firing."""
        return _earliest([each.chosen(progress) for each in self.triggers])

    def attended(self, progress: Progress) -> Firing | None:
        """Return the earliest firing."""
        return _earliest([each.attended(progress) for each in self.triggers])


def _earliest(firings: Sequence[Firing | None]) -> Firing | None:
    return min((each for each in firings if each is not None), key=lambda each: each.position, default=None)
