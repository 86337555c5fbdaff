"""Statements that are about a question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.audit.clashes import in_time
from dateline.audit.statements import NearPairs, Statements
from dateline.facts.fact import Fact
from dateline.temporal.constraint import Question
from dateline.text.embeddings import embed

REACH, OWN = 0.2, 0.05
"""A statement is about the question whose cosine with it is at most so much below the nearest one's, and its own passage's nearest.
Chosen on `benchmarks/notes/fit` (`benchmarks/audit.py`), with what counts as an answer in `answers`."""


@dataclass(frozen=True, eq=False)
class Asked:
    """Nearness of statements to a question.

    Attributes:
        said: the statements.
        cosines: of each with the question, shape (n,).
        nearest: the nearest of each one's passage, shape (n,).
    """

    said: Statements
    cosines: NDArray[np.float32]
    nearest: NDArray[np.float32]

    @classmethod
    def of(cls, question: Question, said: Statements, *, embeddings: Embeddings) -> Asked:
        """Compare the statements with a question."""
        if not said.facts:
            return cls(said, np.zeros(0, np.float32), np.zeros(0, np.float32))
        (vector,) = embed([question.timeless], embeddings=embeddings)
        cosines = said.vectors @ vector
        nearest = np.full(len(said.published), -1.0, dtype=np.float32)
        np.maximum.at(nearest, said.homes, cosines)
        return cls(said, cosines, nearest[said.homes])

    @property
    def about(self) -> NDArray[np.bool_]:
        """Which statements are about the question, shape (n,)."""
        return np.asarray(self.cosines >= np.maximum(self.cosines.max(initial=-1.0) - REACH, self.nearest - OWN))

    def settleable(self, near: NearPairs) -> NearPairs:
        """Keep pairs whose earlier statement, or both, are about the question."""
        order, about = in_time(near, self.said), self.about[near.places]
        return near.where(np.where(order.any(axis=1), (about & order).any(axis=1), about.all(axis=1)))

    def passages(self, most: int) -> list[int]:
        """Return the passages nearest to the question, in their order.

        Those without a statement come last.
        """
        best = np.full(len(self.said.published), -2.0)
        np.maximum.at(best, self.said.homes, self.cosines)
        return sorted(np.argsort(-best, kind="stable")[:most].tolist())

    def nearest_of(self, passage: int) -> Fact | None:
        """Return a passage's nearest statement, if it is about the question."""
        own = np.flatnonzero((self.said.homes == passage) & self.about)
        return self.said.facts[own[self.cosines[own].argmax()]] if len(own) else None
