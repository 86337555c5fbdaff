"""Labels of a new version's sentences while they are found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.embeddings import Embeddings

from dateline.protocols import Judge
from dateline.records import Labelled, Labelling, SentenceLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class LabellingSettings:
    """See `SentenceLabeller` for the fields."""

    embeddings: Embeddings
    judge: Judge
    checker: Judge | None
    same: float
    changed: float
    new: float


class LabelDraft:
    """Sentences of two versions, and the labels found so far.

    Attributes:
        found: the new sentences that are labelled, by their places.
        taken: places of the old sentences that one of these is paired with.
    """

    def __init__(self, old: Sequence[str], new: Sequence[str], settings: LabellingSettings) -> None:
        self.old, self.new, self.settings = tuple(old), tuple(new), settings
        self.found: dict[int, Labelled] = {}
        self.taken: set[int] = set()

    def old_left(self) -> list[int]:
        """Return the places of old sentences that are paired with none."""
        return [place for place in range(len(self.old)) if place not in self.taken]

    def new_left(self) -> list[int]:
        """Return the places of new sentences without a label."""
        return [place for place in range(len(self.new)) if place not in self.found]

    def put(self, new: int, label: SentenceLabel, old: Sequence[int] = (), *, similarity: float, reason: str) -> None:
        """Label a new sentence, paired with `old`."""
        self.taken.update(old)
        self.found[new] = Labelled(
            index=new, text=self.new[new], label=label, old=tuple(old), similarity=similarity, reason=reason
        )

    def put_alone(self, new: int, *, similarity: float) -> None:
        """Label an unpaired new sentence by its nearest old one."""
        if similarity < self.settings.new:
            self.put(new, "new", similarity=similarity, reason="nothing like it")
        else:
            self.put(new, "undecided", similarity=similarity, reason="alike, left open")

    def confirmed(self, old: int, new: int) -> bool:
        """Ask the checker, where there is one, whether a sentence was changed."""
        checker = self.settings.checker
        return checker is None or checker.judge([(self.old[old], self.new[new])]) == ["contradicts"]

    def finished(self) -> Labelling:
        """Return the labels, one for each new sentence."""
        return Labelling(
            old=self.old,
            sentences=tuple(self.found[place] for place in range(len(self.new))),
            deleted=tuple(self.old_left()),
        )
