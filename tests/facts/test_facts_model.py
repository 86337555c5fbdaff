"""The store against a model that is too simple to be wrong."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from hashed_words import HashedWords
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from dateline.facts import ExactIndex, Fact, FactStore, MemoryLedger, Operation
from dateline.facts.operation import AddFact, MakeFalse, Rewrite
from dateline.temporal.interval import Interval

FACTS = [Fact.make(f"Lamp {number} is on.") for number in range(4)]
DOCUMENTS = ["a", "b", "c", "d"]
START = datetime(2025, 1, 1, tzinfo=UTC)

facts = st.sampled_from(FACTS)
days = st.integers(1, 8)


@dataclass
class Word:
    """One judgement, as the model keeps it."""

    fact: str
    true: bool
    day: int
    document: str
    known: datetime
    undone: datetime | None = None


@dataclass
class Model:
    words: list[Word] = field(default_factory=list)

    def truth(self, fact: str, day: int | None, known: datetime | None) -> bool | None:
        last = None
        for word in sorted(self.words, key=lambda word: (word.day, not word.true)):
            seen = (
                word.undone is None
                if known is None
                else word.known <= known and (not word.undone or known < word.undone)
            )
            if word.fact == fact and seen and (day is None or word.day <= day):
                last = word.true
        return last


def on(day: int) -> Interval:
    return Interval.of_day(2020, 1, day)


class StoreMachine(RuleBasedStateMachine):
    """Documents come in any order, are undone and come again; the store always agrees with the model."""

    def __init__(self) -> None:
        super().__init__()
        self.ledger = MemoryLedger()
        self.store = FactStore(self.ledger, index=ExactIndex(), embeddings=HashedWords())
        self.store.apply("seed", [AddFact(document="seed", when=None, known_at=START, fact=fact) for fact in FACTS])
        self.model = Model([Word(fact.id, True, 0, "seed", START) for fact in FACTS])
        self.now = START

    def _tick(self) -> datetime:
        self.now += timedelta(hours=1)
        return self.now

    def _heard(self, operation: Operation, day: int) -> None:
        standing = {(w.fact, w.true, w.day, w.document) for w in self.model.words if w.undone is None}
        for fact_id, true in operation.assertions:
            if (fact_id, true, day, operation.document) not in standing:
                self.model.words.append(Word(fact_id, true, day, operation.document, operation.known_at))

    @rule(document=st.sampled_from(DOCUMENTS), fact=facts, day=days)
    def states(self, document: str, fact: Fact, day: int) -> None:
        operation = AddFact(document=document, when=on(day), known_at=self._tick(), fact=fact)
        self.store.apply(document, [operation])
        self._heard(operation, day)

    @rule(document=st.sampled_from(DOCUMENTS), fact=facts, day=days)
    def denies(self, document: str, fact: Fact, day: int) -> None:
        operation = MakeFalse(document=document, when=on(day), known_at=self._tick(), fact_id=fact.id)
        self.store.apply(document, [operation])
        self._heard(operation, day)

    @rule(document=st.sampled_from(DOCUMENTS), old=facts, new=facts, day=days)
    def rewrites(self, document: str, old: Fact, new: Fact, day: int) -> None:
        operation = Rewrite(document=document, when=on(day), known_at=self._tick(), fact_id=old.id, into=new)
        self.store.apply(document, [operation])
        self._heard(operation, day)

    @rule(document=st.sampled_from(DOCUMENTS))
    def is_undone(self, document: str) -> None:
        if any(word.document == document for word in self.model.words):
            at = self._tick()
            self.store.undo(document, known_at=at)
            for word in self.model.words:
                if word.document == document and word.undone is None:
                    word.undone = at

    @rule()
    def is_opened_again(self) -> None:
        self.store = FactStore(self.ledger, index=ExactIndex(), embeddings=HashedWords())

    @invariant()
    def agrees_with_the_model(self) -> None:
        middle = START + (self.now - START) / 2
        for day, known in ((None, None), (4, None), (None, middle), (4, middle)):
            as_of = None if day is None else date(2020, 1, day)
            true = {history.fact.id for history in self.store.at(as_of, known_at=known)}
            for fact in FACTS:
                expected = self.model.truth(fact.id, day, known)
                assert (fact.id in true) == (expected is True)
                assert self.store.history(fact.id).true_at(as_of, known) is expected

    @invariant()
    def finds_what_is_true(self) -> None:
        for fact in FACTS:
            found = {hit.fact.id for hit in self.store.search(fact.text, k=10, threshold=0.999)}
            assert (fact.id in found) == (self.model.truth(fact.id, None, None) is True)


StoreMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=25)
TestStoreAgainstModel = StoreMachine.TestCase


@settings(max_examples=40)
@given(
    words=st.lists(st.tuples(st.sampled_from(DOCUMENTS), facts, days, st.booleans()), min_size=1, max_size=12),
    seed=st.randoms(use_true_random=False),
)
def test_any_order_of_arrival_gives_the_same_histories(
    words: list[tuple[str, Fact, int, bool]], seed: random.Random
) -> None:
    def histories(order: list[tuple[str, Fact, int, bool]]) -> dict[str, tuple[tuple[object, ...], ...]]:
        store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
        store.apply("seed", [AddFact(document="seed", when=None, known_at=START, fact=fact) for fact in FACTS])
        for document, fact, day, true in order:
            fields = {"document": document, "when": on(day), "known_at": START}
            operation = AddFact(fact=fact, **fields) if true else MakeFalse(fact_id=fact.id, **fields)
            store.apply(document, [operation])
        return {fact.id: tuple((e.when, e.true, e.document) for e in store.history(fact.id).entries) for fact in FACTS}

    shuffled = list(words)
    seed.shuffle(shuffled)
    assert histories(shuffled) == histories(words)
