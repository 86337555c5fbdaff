"""Published steps: similarity, subsets, NLI (GrowOVER, section 3.2, algorithm 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dateline.label_draft import LabelDraft, LabellingSettings
from dateline.protocols import Verdict
from dateline.records import Labelling
from dateline.text.alignment import Group, Pair, equal_pairs, groups_between
from dateline.text.embeddings import cosines
from dateline.text.memory_cache import RememberedEmbeddings
from dateline.text.subsets import subsets

JUDGED = 16
"""Old sentences of a group, the nearest, that the judge compares with a new one; chosen by hand."""


def published_labels(old: Sequence[str], *, new: Sequence[str], settings: LabellingSettings) -> Labelling:
    """Run algorithm 3 with bounded subsets, each group's pairs in one batch."""
    return _Published(old, new, settings).labelling()


class _Said(NamedTuple):
    old: int
    similarity: float
    verdict: Verdict


class _Published(LabelDraft):
    def __init__(self, old: Sequence[str], new: Sequence[str], settings: LabellingSettings) -> None:
        super().__init__(old, new, settings)
        self.embeddings = RememberedEmbeddings(settings.embeddings)

    def labelling(self) -> Labelling:
        pairs = equal_pairs(self.old, new=self.new)
        for pair in pairs:
            self.put(pair.new, "unchanged", (pair.old,), similarity=1.0, reason="equal")
        pairs += self._similar_pairs()
        for group in self._groups(pairs):
            pairs += self._regrouped(group)
        for group in self._groups(pairs):
            self._judged(group)
        return self.finished()

    def _groups(self, pairs: Sequence[Pair]) -> list[Group]:
        return groups_between(pairs, old=self.old_left(), new=self.new_left())

    def _similar_pairs(self) -> list[Pair]:
        old, new = self.old_left(), self.new_left()
        pairs = []
        for place, row in zip(new, self._similarities(old, new), strict=True):
            if row.size and row.max() > self.settings.same:
                pairs.append(Pair(old[int(row.argmax())], place))
                self.put(place, "unchanged", (pairs[-1].old,), similarity=float(row.max()), reason="similar")
        return pairs

    def _regrouped(self, group: Group) -> list[Pair]:
        """Pair subsets that say the same, surest first, no sentence twice."""
        if len(group.old) + len(group.new) < 3 or not group.old or not group.new:
            return []
        ours, theirs = subsets(group.old), subsets(group.new)
        table = cosines(
            [self._joined(self.old, subset) for subset in ours],
            columns=[self._joined(self.new, subset) for subset in theirs],
            embeddings=self.embeddings,
        )
        pairs = []
        rows, columns = np.nonzero(table > self.settings.same)
        for row, column in sorted(zip(rows, columns, strict=True), key=lambda at: -table[at]):
            before, after = ours[row], theirs[column]
            if self.taken.isdisjoint(before) and self.found.keys().isdisjoint(after):
                for place in after:
                    self.put(place, "unchanged", before, similarity=float(table[row, column]), reason="regrouped")
                pairs.append(Pair(before[0], after[0]))
        return pairs

    def _judged(self, group: Group) -> None:
        table = self._similarities(group.old, group.new)
        # The nearest only: in a part that was written anew all pairs would be as many as its square.
        nearest = [np.sort(np.argsort(-row, kind="stable")[:JUDGED]).tolist() for row in table]
        pairs = [
            (self.old[group.old[at]], self.new[place])
            for place, some in zip(group.new, nearest, strict=True)
            for at in some
        ]
        verdicts = iter(self.settings.judge.judge(pairs) if pairs else ())
        for place, row, some in zip(group.new, table, nearest, strict=True):
            said = [_Said(group.old[at], float(row[at]), next(verdicts)) for at in some]
            self._label(place, sorted(said, key=lambda one: -one.similarity))

    def _label(self, place: int, said: Sequence[_Said]) -> None:
        """Label one sentence by the old ones, most similar first."""
        top = said[0].similarity if said else 0.0
        entailing = next((one for one in said if one.verdict == "supports"), None)
        denying = next((one for one in said if one.verdict == "contradicts"), None)
        if entailing is not None:
            self.put(place, "unchanged", (entailing.old,), similarity=entailing.similarity, reason="entailed")
        elif denying is not None:
            if denying.similarity > self.settings.changed and self.confirmed(denying.old, place):
                self.put(place, "changed", (denying.old,), similarity=denying.similarity, reason="contradicted")
            else:
                self.put(place, "undecided", similarity=top, reason="contradicted, not confirmed")
        else:
            self.put_alone(place, similarity=top)

    def _similarities(self, old: Sequence[int], new: Sequence[int]) -> NDArray[np.float32]:
        """Cosines, shape (new, old)."""
        return cosines(
            [self.new[place] for place in new],
            columns=[self.old[place] for place in old],
            embeddings=self.embeddings,
        )

    def _joined(self, sentences: Sequence[str], places: Sequence[int]) -> str:
        return " ".join(sentences[place] for place in places)
