"""Documents that may answer: known by then, about that time."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dateline.evidence.knowledge import end_of_knowledge
from dateline.temporal.constraint import Question


@dataclass(frozen=True, slots=True)
class CandidateFilter:
    """Documents known at the asking moment, those about a period marked.

    Every store applies it in a language of its own. What was known is a condition; the period is not: what is about
    it is looked for beside the rest, never instead of it. Undated documents were always known.

    Attributes:
        known_before: the second since 1970-01-01 before which a document must have been published.
        start: the first second of the period asked about; `None` where it is open.
        end: the second behind its last one; `None` where it is open.

    Example:
        >>> from dateline.temporal import decompose
        >>> from dateline.temporal.as_of import read_moment
        >>> asked = CandidateFilter.of(decompose("Who led it in 2010?", as_of=read_moment(2019)))
        >>> asked.knows(published=1_577_836_799), asked.knows(published=1_577_836_800)
        (True, False)
        >>> asked.is_about(1_275_350_400, 1_275_436_800), asked.is_about(0, 86_400)
        (True, False)
    """

    known_before: int
    start: int | None = None
    end: int | None = None

    @classmethod
    def of(cls, question: Question) -> CandidateFilter:
        """Describe what was known when a question is asked, and its period."""
        known_before = end_of_knowledge(question.as_of)
        if question.constraint is None:
            return cls(known_before)
        window = question.constraint.window()
        return cls(known_before, window.start, window.end)

    @property
    def has_period(self) -> bool:
        """Return whether the question names a time."""
        return self.start is not None or self.end is not None

    @property
    def latest(self) -> int:
        """Return the second before which the newest that is meant began."""
        return self.known_before if self.end is None else min(self.end, self.known_before)

    def knows(self, published: int) -> bool:
        """Return whether what was published at a second was known."""
        return published < self.known_before

    def is_about(self, valid_from: int, valid_until: int) -> bool:
        """Return whether times `[valid_from, valid_until)` share a moment with the period."""
        return (self.end is None or valid_from < self.end) and (self.start is None or valid_until > self.start)

    def without_period(self) -> CandidateFilter:
        """Describe all that was known."""
        return replace(self, start=None, end=None)
