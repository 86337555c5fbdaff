"""Facts taken from notes: are changed ones retired, and only those?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from dateline.evidence.knowledge import oldest_first
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.facts.fact import FoundFact
from dateline_bench.notes.judge import contains
from dateline_bench.notes.questions import AFTER, NoteQuestion, NotesCorpus, is_one_of
from dateline_graphs.components import shared_embeddings

NEAREST = 10
"""How many facts a question finds."""

HELD = ("any", "all")
"""Matches whose answers stand in a fact's words; a yes or no does not."""

CURRENT = "current"
"""The questions for what is so on their own day. Others ask for what was, whose facts have ended rightly."""


@dataclass
class FactTally:
    """Outcomes of pairs of questions, and of single facts.

    Attributes:
        found: of each change of an answer that a fact can hold, whether one of a gold document held the old one at its time.
        retired: of each that was found, whether no such fact is true at the later time.
        ended: of each fact of a gold document that holds the answer to a question for what is so now, whether it is not true then.
    """

    found: list[bool] = field(default_factory=list)
    retired: list[bool] = field(default_factory=list)
    ended: list[bool] = field(default_factory=list)

    def add(self, store: FactStore, asked: Sequence[NoteQuestion], *, corpus: NotesCorpus) -> None:
        """Count the questions of one corpus."""
        for old, new in ((old, new) for old, new in changes(asked) if old.match in HELD):
            holding = [one for one in nearest(store, old) if states(one, old, corpus) and not holds(one, new)]
            self.found.append(bool(holding))
            if holding:
                self.retired.append(not any(store.true(one.fact.id, as_of=new.moment) for one in holding))
        for item in (one for one in asked if one.category == CURRENT):
            every = store.search(item.question, as_of=item.moment, k=NEAREST, which="any")
            self.ended += [not store.true(one.fact.id, as_of=item.moment) for one in every if states(one, item, corpus)]


@contextmanager
def learnt(corpus: NotesCorpus) -> Iterator[FactStore]:
    """Open a store fed with a whole corpus by the local updater."""
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=shared_embeddings()) as store:
        LocalUpdater(store).update(sorted(corpus.documents, key=oldest_first), known_at=AFTER)
        yield store


def changes(asked: Sequence[NoteQuestion]) -> Iterator[tuple[NoteQuestion, NoteQuestion]]:
    """Yield each question at two following times with different answers."""
    ordered = sorted(asked, key=lambda item: (item.question, item.moment))
    for _, times in groupby(ordered, key=lambda item: item.question):
        yield from ((old, new) for old, new in pairwise(times) if old.gold != new.gold)


def nearest(store: FactStore, item: NoteQuestion) -> list[FoundFact]:
    """Find the nearest facts that were true as of the question's day."""
    return store.search(item.question, as_of=item.moment, k=NEAREST)


def states(found: FoundFact, item: NoteQuestion, corpus: NotesCorpus) -> bool:
    """Find an accepted answer in a fact of a gold document."""
    said_in = (corpus.names.get(entry.document, "") for entry in found.entries if entry.true)
    return holds(found, item) and any(is_one_of(name, item.gold_docs) for name in said_in)


def holds(found: FoundFact, item: NoteQuestion) -> bool:
    """Find an accepted answer in a fact; never yes or no."""
    return tells(found.fact.text, item)


def tells(text: str, item: NoteQuestion) -> bool:
    """Find an accepted answer in a text; never yes or no."""
    return item.match in HELD and any(all(contains(text, gold=part) for part in parts) for parts in item.alternatives)
