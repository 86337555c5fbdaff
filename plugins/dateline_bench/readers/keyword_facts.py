"""Facts found by shared words, beside meaning.

Names are what vectors of sentences blur most, and facts are mostly about names: a fact that names the asked person
in other company is found here.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from datetime import datetime

from dateline.errors import check_least
from dateline.facts.fact import FactHistory, FoundFact, Moment
from dateline.facts.store import FactStore, Which
from dateline.text.words import content_words

SEARCHED = 8
"""For each fact that is wanted, so many with the most words are looked at for whether they were true."""


class KeywordFacts:
    """Inverted index over a store's facts, following its ledger.

    A fact scores the rarity of every content word that it shares with the question, its length left out: facts
    are one sentence each.
    """

    def __init__(self, store: FactStore) -> None:
        self._store = store
        self._sequence = 0
        self._facts: dict[str, int] = {}
        self._ids: list[str] = []
        self._holding: dict[str, list[int]] = defaultdict(list)

    def search(
        self,
        query: str,
        *,
        as_of: Moment | None = None,
        known_at: datetime | None = None,
        k: int = 10,
        which: Which = "true",
    ) -> list[FoundFact]:
        """Find `k` true facts by shared words, weighing rare ones more.

        Their `similarity` is the share of the query's weight that they hold, 0 to 1. Raises `BadInput` for k below 1.
        """
        check_least(1, k=k)
        self._follow()
        asked = dict.fromkeys(_terms(query))
        rarity = {word: math.log1p(len(self._ids) / (1 + len(self._holding.get(word, ())))) for word in asked}
        total = sum(rarity.values())
        scores: dict[int, float] = defaultdict(float)
        for word in asked:
            for row in self._holding.get(word, ()):
                scores[row] += rarity[word] / total
        found: list[FoundFact] = []
        for row in sorted(scores, key=lambda row: (-scores[row], -row))[: SEARCHED * k]:
            true = self._store.true(self._ids[row], as_of=as_of, known_at=known_at)
            if true is None or (which == "true" and not true):
                continue
            history = self._store.history(self._ids[row], as_of=as_of)
            found.append(_found(history, scores[row], true=true, as_of=as_of, known_at=known_at))
            if len(found) == k:
                break
        return found

    def _follow(self) -> None:
        for sequence, operation in self._store.ledger.operations(after=self._sequence):
            self._sequence = sequence
            for fact in operation.facts:
                if fact.id in self._facts:
                    continue
                row = self._facts[fact.id] = len(self._ids)
                self._ids.append(fact.id)
                for word in dict.fromkeys(_terms(fact.text)):
                    self._holding[word].append(row)


def _found(
    history: FactHistory, share: float, *, true: bool, as_of: Moment | None, known_at: datetime | None
) -> FoundFact:
    entries = history.visible(as_of=as_of, known_at=known_at)
    return FoundFact(fact=history.fact, similarity=share, true=true, entries=entries)


def _terms(text: str) -> list[str]:
    return content_words(_POSSESSIVE.sub("", text))


_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")
