"""Known facts near a piece's sentences and stated facts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from dateline.evidence.sanitize import sanitize
from dateline.facts.fact import Fact, FactHistory, FactJudgement
from dateline.facts.late_documents import first_true_after
from dateline.facts.store import EVER, FactStore
from dateline.temporal.interval import Interval, beginning
from dateline.text.embeddings import embed
from dateline.text.tokens import TokenCounter, fitting

MOST_FOUND, CANDIDATES = 200, 10
"""Facts looked up for a piece as a whole, and for each of its sentences and new facts."""

RUNS_SHOWN = 4
"""How many turns of a history are shown, the latest ones."""

SAME = 0.8
"""Least cosine at which a known fact may stand for a new one, where a model takes them for the same."""


class KnownFact(NamedTuple):
    """A known fact as a prompt shows it."""

    history: FactHistory
    similarity: float
    line: str
    """Its text and the turns of its truth."""

    @property
    def fact(self) -> Fact:
        return self.history.fact


class RelatedFacts(NamedTuple):
    """Known facts, the most similar first, and how many did not fit."""

    offered: tuple[KnownFact, ...]
    left_out: int = 0
    same: frozenset[tuple[str, str]] = frozenset()
    """Pairs of (id of a new fact, id of a known one) that are so alike that one may stand for the other."""


def find_related(
    store: FactStore,
    texts: Sequence[str],
    *,
    new: Sequence[Fact] = (),
    threshold: float,
    tokens: int,
    count: TokenCounter,
    when: Interval | None,
    without: Collection[str] = (),
) -> RelatedFacts:
    """Find known facts nearest to `texts` or `new` that fit into `tokens`.

    Args:
        texts: what is looked for; the first one brings the most.
        threshold: the least cosine.
        when: the document's date; facts that were true then come first among equals.
        without: ids of facts to leave out.
    """
    queries = [*texts, *(fact.text for fact in new)]
    if not queries:
        return RelatedFacts(())
    vectors = embed(queries, embeddings=store.embeddings)
    found = store.search_vectors(vectors[:1], as_of=EVER, k=MOST_FOUND, which="any", threshold=threshold)
    found += store.search_vectors(vectors[1:], as_of=EVER, k=CANDIDATES, which="any", threshold=threshold)
    same = frozenset(
        (fact.id, other.fact.id)
        for fact, near in zip(new, found[len(texts) :], strict=True)
        for other in near
        if other.similarity >= SAME or other.fact.id == fact.id
    )
    best: dict[str, float] = {}
    for other in (other for near in found for other in near):
        if other.fact.id not in without:
            best[other.fact.id] = max(other.similarity, best.get(other.fact.id, -1.0))
    offered = [
        _offered(store.history(fact_id, as_of=EVER), similarity, when=when) for fact_id, similarity in best.items()
    ]
    # What was true then is what a document can change.
    offered.sort(key=lambda one: (-one.similarity, not one.history.true_at(when), one.fact.id))
    # Beside each line stand its label and its line break.
    kept = fitting((count(one.line) + 4 for one in offered), room=tokens)
    return RelatedFacts(tuple(offered[:kept]), left_out=len(offered) - kept, same=same)


def _offered(history: FactHistory, similarity: float, *, when: Interval | None) -> KnownFact:
    turns: list[FactJudgement] = []
    for entry in history.visible():
        if not turns or turns[-1].true != entry.true:
            turns.append(entry)
    told = "; ".join(f"{_word(turn)} since {beginning(turn.when)}" for turn in turns[-RUNS_SHOWN:])
    mark = ", LATER" if history.true_at(when) is None and first_true_after(history, when) else ""
    return KnownFact(history, similarity, f"{sanitize(history.fact.text)} [{told}{mark}]")


def _word(entry: FactJudgement) -> str:
    return "true" if entry.true else "false"
