"""Statements of several passages, and which of them are near each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.facts.fact import Fact
from dateline.facts.fact_reader import read_facts
from dateline.facts.setting import Setting, settings_of
from dateline.facts.slot_reader import SlotReader
from dateline.facts.slots import slot_tags
from dateline.records import Evidence
from dateline.stopping import until_stopped
from dateline.temporal.interval import Interval
from dateline.text.embeddings import embed

Places = NDArray[np.int64]

_ROWS = 512
"""Statements compared with all others at a time: 40 MB for 20,000 of them."""


@dataclass(frozen=True, eq=False)
class Statements:
    """Statements of passages, in order.

    Attributes:
        facts: the statements.
        settings: where each stands in its passage.
        homes: the passage of each, shape (n,).
        vectors: one a statement, length 1, shape (n, dimensions).
        published: the date of each passage.

    Example:
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> notes = [Evidence.make("The mayor is Ada Berg. Lund is old."), Evidence.make("Why?")]
        >>> said = Statements.of(notes, embeddings=LexicalEmbeddings())
        >>> [fact.text for fact in said.facts], said.homes.tolist()
        (['The mayor is Ada Berg.', 'Lund is old.'], [0, 0])
    """

    facts: tuple[Fact, ...]
    settings: tuple[Setting, ...]
    homes: Places
    vectors: NDArray[np.float32]
    published: tuple[Interval | None, ...]

    @cached_property
    def by_slot(self) -> dict[str, Places]:
        """Return the places of the statements that fill each slot."""
        places: dict[str, list[int]] = defaultdict(list)
        for place, fact in enumerate(self.facts):
            for tag in slot_tags(fact):
                places[tag].append(place)
        return {tag: np.array(some, dtype=np.int64) for tag, some in places.items()}

    @cached_property
    def texts(self) -> Places:
        """Return a number for the text of each, shape (n,)."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(fact.id, len(numbers)) for fact in self.facts], dtype=np.int64)

    @classmethod
    def of(cls, passages: Sequence[Evidence], *, embeddings: Embeddings, slots: SlotReader | None = None) -> Statements:
        """Read and embed the statements of passages.

        Args:
            slots: tells which slots they fill; by default those of the shipped pack, by their own words.
        """
        read = [read_facts(each, slots=slots)[0] for each in until_stopped(passages)]
        facts = tuple(fact for own in read for fact in own)
        return cls(
            facts=facts,
            settings=tuple(each for own in read for each in settings_of(own)),
            homes=np.repeat(np.arange(len(read)), [len(own) for own in read]).astype(np.int64),
            vectors=embed([fact.text for fact in facts], embeddings=embeddings) if facts else np.zeros((0, 1), "f4"),
            published=tuple(each.published for each in passages),
        )

    def where(self, wanted: Callable[[Fact], bool]) -> Statements:
        """Keep some statements."""
        kept = np.array([wanted(fact) for fact in self.facts], dtype=np.bool_)
        facts, settings = tuple(compress(self.facts, kept)), tuple(compress(self.settings, kept))
        return Statements(facts, settings, self.homes[kept], self.vectors[kept], self.published)

    def sharing(self, start: int, stop: int) -> NDArray[np.bool_]:
        """Tell which statements share a slot with those from `start` on.

        Shape (stop - start, n - start).
        """
        shared = np.zeros((stop - start, len(self.facts) - start), dtype=np.bool_)
        for row, fact in enumerate(self.facts[start:stop]):
            for tag in slot_tags(fact):
                places = self.by_slot[tag]
                shared[row, places[places >= start] - start] = True
        return shared

    def day(self, place: int) -> Interval | None:
        """Return the date of a statement's passage."""
        return self.published[int(self.homes[place])]


@dataclass(frozen=True, eq=False)
class NearPairs:
    """Near statements of different passages, the nearest first.

    Attributes:
        places: two statements each, shape (n, 2).
        cosines: shape (n,).
        beyond: how many more there were.
    """

    places: Places
    cosines: NDArray[np.float32]
    beyond: int = 0

    @classmethod
    def of(cls, said: Statements, *, threshold: float, most: int) -> NearPairs:
        """Find the nearest pairs, at most so many.

        Two are near with a cosine from `threshold` on, or where they share a slot.
        """
        near = cls(np.zeros((0, 2), np.int64), np.zeros(0, np.float32))
        for start in range(0, len(said.facts), _ROWS):
            near = near._with(_pairs(said, start, threshold)).nearest(most)
        return near

    def _with(self, other: NearPairs) -> NearPairs:
        return NearPairs(
            np.concatenate([self.places, other.places]), np.concatenate([self.cosines, other.cosines]), self.beyond
        )

    def nearest(self, most: int) -> NearPairs:
        """Keep the nearest; equal ones in their order."""
        kept = np.argsort(-self.cosines, kind="stable")[:most]
        return NearPairs(self.places[kept], self.cosines[kept], self.beyond + len(self.cosines) - len(kept))

    def where(self, wanted: NDArray[np.bool_]) -> NearPairs:
        """Keep some pairs; the others do not count as left out."""
        return NearPairs(self.places[wanted], self.cosines[wanted], self.beyond)


def _pairs(said: Statements, start: int, threshold: float) -> NearPairs:
    """Compare some statements with all behind them."""
    rows = said.vectors[start : start + _ROWS]
    cosines = rows @ said.vectors[start:].T
    ahead = np.arange(cosines.shape[1])[None, :] > np.arange(len(rows))[:, None]
    apart = said.homes[start : start + len(rows), None] != said.homes[None, start:]
    same_slot = said.sharing(start, start + len(rows))
    differ = said.texts[start : start + len(rows), None] != said.texts[None, start:]
    found = np.argwhere(ahead & apart & differ & (same_slot | (cosines >= threshold)))
    return NearPairs(found + start, cosines[found[:, 0], found[:, 1]])
