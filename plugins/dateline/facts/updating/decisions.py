"""Operations from findings, right on both clocks (ERASE, section 3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from dateline.facts.fact import Fact, FactHistory, FactJudgement
from dateline.facts.late_documents import denied_enough, first_true_after, is_before
from dateline.facts.operation import AddFact, FactSource, MakeFalse, Operation, Reinforce, Rewrite, shared_fields
from dateline.facts.store import EVER, FactStore
from dateline.facts.succession import from_then_on
from dateline.facts.updating.passes import JudgedFact, PartFindings
from dateline.records import Cost, Evidence


class EditDecision:
    """Operations of a document, gathered by piece, without contradictions."""

    def __init__(self, document: Evidence, *, store: FactStore, known_at: datetime) -> None:
        self._store = store
        self._when = document.published
        self._word = shared_fields(document, known_at=known_at)
        self._operations: dict[str, Operation] = {}
        self._said: dict[str, bool] = {}
        self.skipped: list[str] = []
        self.cost = Cost()
        self.recalled = 0
        self.applied_again: set[str] = set()
        """Later documents whose word, as the ledger has it, now counts for what this document says."""

    @property
    def operations(self) -> tuple[Operation, ...]:
        return tuple(self._operations.values())

    def take(self, found: PartFindings) -> None:
        """Add what one piece amounts to."""
        by_word = {word: [one for one in found.judged if one.verdict.word == word] for word in _WORDS}
        self.skipped += found.skipped
        self.cost += found.cost
        self.recalled += found.recalled
        stood_for = self._reinforce(by_word["reinforce"], found)
        stated = {fact.id for fact in found.new}
        for one in by_word["make false"]:
            self._deny(one, found, stated=stated)
        for fact in found.new:
            if fact.id not in stood_for:
                self._add(AddFact(**self._from(fact, found), fact=fact))
        for one in by_word["ends"]:
            self._end(one, found, stood_for)

    def _reinforce(self, judged: Iterable[JudgedFact], found: PartFindings) -> dict[str, str]:
        """Return which known fact stands for each new one, where any does."""
        stood_for: dict[str, str] = {}
        for one in judged:
            self._add(Reinforce(**self._from(one.offered.fact, found), fact_id=one.offered.fact.id))
            for fact in _named(found.new, one.verdict.new):
                if (fact.id, one.offered.fact.id) in found.same:
                    stood_for[fact.id] = one.offered.fact.id
        return stood_for

    def _deny(self, one: JudgedFact, found: PartFindings, *, stated: Collection[str]) -> None:
        history, reason = one.offered.history, "The document speaks against it."
        word = self._from(history.fact, found)
        if history.fact.id in stated:
            self.skipped.append(_both(history.fact.text))
            return
        truth = history.true_at(self._when)
        if truth is None:
            self.skipped.append(f"Nobody had said so by then: “{history.fact.text}”")
            return
        if truth is False and denied_enough(history.visible(as_of=self._when)):
            return
        if one.into is None or truth is False:
            self._add(MakeFalse(**word, fact_id=history.fact.id, reason=reason))
            return
        if self._add(Rewrite(**word, fact_id=history.fact.id, into=one.into, reason=reason)):
            self._carry_on(one.into, history)

    def _from(self, fact: Fact, found: PartFindings) -> dict[str, Any]:
        """Date the word on a fact by the day of its announcement."""
        return {**self._word, "when": found.begins.get(fact.id, self._when)}

    def _carry_on(self, into: Fact, history: FactHistory) -> None:
        """End a replacement where a later document had replaced the old fact."""
        for entry in history.visible():
            if entry.replaced_by not in (None, into.id) and is_before(self._when, entry.when):
                self._ended(into.id, entry)
                return

    def _end(self, one: JudgedFact, found: PartFindings, stood_for: dict[str, str]) -> None:
        """End what this document says where a later fact ended it."""
        entry = first_true_after(one.offered.history, self._when)
        if entry is None:
            return
        for fact in _named(found.new, one.verdict.new):
            ended = stood_for.get(fact.id, fact.id)
            if self._said.get(ended) and ended != one.offered.fact.id and not self._open_again(ended, entry):
                self._ended(ended, entry)

    def _open_again(self, fact_id: str, end: FactJudgement) -> bool:
        """Check that another document calls the fact true at that end."""
        try:
            history = self._store.history(fact_id, as_of=EVER)
        except ValueError:
            return False
        return any(entry.true and entry.when == end.when for entry in history.visible())

    def _ended(self, fact_id: str, entry: FactJudgement) -> None:
        operation = MakeFalse(
            **{**self._word, "when": from_then_on(entry.when)},
            fact_id=fact_id,
            rests_on=(FactSource(entry.document, entry.revision),),
            reason="A newer document, known before, gives something else.",
        )
        self._operations[operation.id] = operation
        self.applied_again.add(entry.document)

    def _add(self, operation: Operation) -> bool:
        """Take an operation in, unless the document has said the opposite already."""
        if any(self._said.get(said.fact_id, said.true) != said.true for said in operation.assertions):
            self.skipped.append(_both(self._text(operation)))
            return False
        if all(said.fact_id in self._said for said in operation.assertions) and not isinstance(operation, Rewrite):
            return False
        self._said.update({said.fact_id: said.true for said in operation.assertions})
        self._operations[operation.id] = operation
        return True

    def _text(self, operation: Operation) -> str:
        if operation.facts:
            return operation.facts[0].text
        return self._store.history(operation.assertions[0].fact_id).fact.text


_WORDS = ("reinforce", "make false", "ends")


def _both(text: str) -> str:
    return f"The document says both that it is and that it is not: “{text}”"


def _named(new: Sequence[Fact], numbers: Iterable[int]) -> Iterator[Fact]:
    return (new[number - 1] for number in numbers if 1 <= number <= len(new))
