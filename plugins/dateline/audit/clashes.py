"""Statements that a later one ends, or another contradicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dateline.audit.statements import NearPairs, Places, Statements
from dateline.facts.fact import FactHistory, FactJudgement
from dateline.facts.fact_reader import slots_by_words
from dateline.facts.late_documents import is_before
from dateline.facts.onset import announced_days, day_of
from dateline.facts.rivals import compare, compared
from dateline.facts.slot_reader import SlotReader
from dateline.language.assertion import unasserted
from dateline.protocols import EffectJudge
from dateline.temporal.interval import Interval

CONTRADICTS = 0.9
"""Least probability at which two statements that no date puts in order count as contradicting each other. Chosen by hand."""

_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)


class ContradictionJudge(Protocol):
    """Decides whether statements contradict each other, such as `TrainedJudge`."""

    def probabilities(
        self, pairs: Sequence[tuple[str, str]], *, dates: Sequence[tuple[date | None, date | None]] | None = None
    ) -> NDArray[np.float32]:
        """Return probabilities of supports, contradicts, neither; shape (pairs, 3)."""
        ...


@dataclass(frozen=True, slots=True)
class Clash:
    """Two passages that do not hold together, and their sentences.

    Attributes:
        passage: the one that is outdated, or one of two of which no date tells the later.
        other: the one that outdates it.
        chance: how likely it is; 1 where rules decide.
        since: the day from which the first is outdated; `None` where neither is known to be the later.
        answers: what each of them answers, where that is how they differ.
    """

    passage: int
    sentence: str
    other: int
    other_sentence: str
    chance: float
    since: Interval | None
    answers: tuple[str, str] | None = None

    def has_begun(self, *, until: int | None) -> bool:
        """Check that it counts before a second; one without a day does."""
        return self.since is None or self.since.start is None or until is None or self.since.start < until

    def turned(self) -> Clash:
        """Return the same from the other's side."""
        answers = None if self.answers is None else (self.answers[1], self.answers[0])
        return Clash(self.other, self.other_sentence, self.passage, self.sentence, self.chance, self.since, answers)


def _clash(said: Statements, one: int, other: int, chance: float, since: Interval | None) -> Clash:
    homes, facts = said.homes, said.facts
    return Clash(int(homes[one]), facts[one].text, int(homes[other]), facts[other].text, chance, since)


def clashes(
    near: NearPairs,
    *,
    said: Statements,
    judge: EffectJudge,
    contradictions: ContradictionJudge,
    slots: SlotReader | None = None,
) -> list[Clash]:
    """Find which of near statements do not hold together.

    Args:
        judge: tells what a later statement does to an earlier one.
        contradictions: tells which of those contradict each other that no date puts in order.
        slots: reads which slots they fill; by default those of the shipped pack, by their own words.
    """
    slots = slots or slots_by_words()
    order = in_time(near, said)
    dated = order.any(axis=1)
    pairs = np.where(order[:, :1], near.places, near.places[:, ::-1])
    found = ended(pairs[dated], said=said, judge=judge, slots=slots)
    return found + contradicted(near.places[~dated], said=said, judge=contradictions, slots=slots)


def in_time(near: NearPairs, said: Statements) -> NDArray[np.bool_]:
    """Return for which pairs dates tell an earlier statement.

    Shape (pairs, 2): the first is the earlier, the second is.
    """
    days = [(said.day(one), said.day(other)) for one, other in near.places]
    told = [(is_before(one, other), is_before(other, one)) for one, other in days]
    return np.array(told, dtype=np.bool_).reshape(-1, 2)


def ended(pairs: Places, *, said: Statements, judge: EffectJudge, slots: SlotReader) -> list[Clash]:
    """Find which earlier statements later ones end.

    The rules are those by which documents end facts.

    Args:
        pairs: an earlier and a later statement each, shape (n, 2).
    """
    by_passage: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for earlier, later in pairs.tolist():
        by_passage[int(said.homes[later])][later].append(earlier)
    return [
        clash
        for home, closest in by_passage.items()
        for clash in _ended_by(closest, said=said, when=said.published[home], judge=judge, slots=slots)
    ]


def _ended_by(
    closest: dict[int, list[int]], *, said: Statements, when: Interval | None, judge: EffectJudge, slots: SlotReader
) -> list[Clash]:
    histories = [[_history(said, place) for place in places] for places in closest.values()]
    facts = [said.facts[later] for later in closest]
    found = compared(
        facts,
        histories,
        when=when,
        settings=[said.settings[later] for later in closest],
        settings_of=lambda entries: [said.settings[int(each.operation)] for each in entries],
        judge=judge,
        slots=slots,
    )
    begins = announced_days([fact.text for fact in facts], anchor=when, judge=judge)
    return [
        _clash(said, place, later, each.chance, each.starts or day or when)
        for (later, places), row, day in zip(closest.items(), found, begins, strict=True)
        for place, each in zip(places, row, strict=True)
        if each.comparison == "conflict"
    ]


def _history(said: Statements, place: int) -> FactHistory:
    entry = FactJudgement(
        true=True, when=said.day(place), known_at=_ANY_TIME, document=str(said.homes[place]), operation=str(place)
    )
    return FactHistory(fact=said.facts[place], entries=(entry,))


def contradicted(pairs: Places, *, said: Statements, judge: ContradictionJudge, slots: SlotReader) -> list[Clash]:
    """Find which statements contradict each other.

    Either must contradict the other, and both must be asserted. The judge is not asked where slots tell that both can hold.

    Args:
        pairs: two statements that no date puts in order, shape (n, 2).
    """
    rules = {(one, other): compare(said.facts[one], said.facts[other], slots=slots) for one, other in pairs.tolist()}
    open_ones = [
        (one, other)
        for (one, other), found in rules.items()
        if found == "different"
        and slots.compare(said.facts[one], said.facts[other]) is None
        and _both_asserted((one, other), said)
    ]
    found = [_clash(said, *pair, 1.0, None) for pair, comparison in rules.items() if comparison == "conflict"]
    chances = np.minimum(*(_contradicting(open_ones, said, judge, turned=turned) for turned in (False, True)))
    return found + [
        _clash(said, *pair, chance, None)
        for pair, chance in zip(open_ones, chances.tolist(), strict=True)
        if chance >= CONTRADICTS
    ]


def _both_asserted(pair: tuple[int, int], said: Statements) -> bool:
    return not any(unasserted(said.facts[place].text) for place in pair)


def _contradicting(
    pairs: Sequence[tuple[int, int]], said: Statements, judge: ContradictionJudge, *, turned: bool
) -> NDArray[np.float32]:
    ordered = [(other, one) if turned else (one, other) for one, other in pairs]
    texts = [(said.facts[one].text, said.facts[other].text) for one, other in ordered]
    dates = [(day_of(said.day(one)), day_of(said.day(other))) for one, other in ordered]
    chances: NDArray[np.float32] = judge.probabilities(texts, dates=dates)[:, 1]
    return chances
