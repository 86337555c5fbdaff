"""Facts that end when life goes on, whatever the words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest
from hashed_words import HashedWords

from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.facts.rivals import ENDS
from dateline.protocols import EffectJudge, Onset, PlacedStatement
from dateline.reading.still import shared_still_judge
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline.testing import ScriptedEffectJudge

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OPEN, SHUT = "The bridge at Lund is open.", "Nobody gets over the bridge at Lund."
NORTH, SOUTH, WEST = (f"People cross the {which} at Lund." for which in ("old bridge", "ferry", "new bridge"))
MARCH, MAY, JULY = date(2024, 3, 1), date(2024, 5, 30), date(2024, 7, 1)


def note(text: str, day: date | None) -> Evidence:
    return Evidence.make(text, published=None if day is None else Interval.of_moment(day))


def learnt(notes: Sequence[Evidence], judge: EffectJudge) -> FactStore:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
    LocalUpdater(store, threshold=-1.0, judge=judge).update(notes, known_at=NOW)
    return store


def true(store: FactStore, day: date) -> set[str]:
    return {history.fact.text for history in store.at(which="any") if history.true_at(day)}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_the_judge_ends_is_false_from_the_later_day_in_any_order_of_arrival(order: tuple[int, int]) -> None:
    notes = [note(OPEN, MARCH), note(SHUT, MAY)]
    store = learnt([notes[place] for place in order], ScriptedEffectJudge({(SHUT, OPEN): "then"}))
    assert true(store, date(2024, 4, 1)) == {OPEN}
    assert true(store, MAY) == {SHUT}


def test_what_the_judge_leaves_stays_true() -> None:
    store = learnt([note(OPEN, MARCH), note(SHUT, MAY)], ScriptedEffectJudge())
    assert true(store, MAY) == {OPEN, SHUT}


def test_an_announcement_counts_from_its_day() -> None:
    later = "From 1 July nobody gets over the bridge at Lund."
    store = learnt([note(OPEN, MARCH), note(later, MAY)], ScriptedEffectJudge({(later, OPEN): "later"}))
    assert true(store, date(2024, 6, 30)) == {OPEN}
    assert true(store, JULY) == {later}


def test_an_announcement_that_ends_nothing_is_true_from_its_day() -> None:
    told = "From 1 July nobody gets over the bridge at Lund."
    store = learnt([note(told, MAY)], ScriptedEffectJudge({(told, ""): "later"}))
    assert true(store, date(2024, 6, 30)) == set()
    assert true(store, JULY) == {told}


@pytest.mark.parametrize(
    ("later", "standing"),
    [
        ("The bridge at Lund will be shut from 1 July.", False),
        ("The bridge at Lund will be shut.", True),  # some day
        ("If it rains, the bridge at Lund will be shut from 1 July.", True),
    ],
)
def test_a_plan_ends_a_fact_only_with_its_day_and_without_condition(later: str, standing: bool) -> None:
    store = learnt([note(OPEN, MARCH), note(later, MAY)], ScriptedEffectJudge({(later, OPEN): "later"}))
    assert OPEN in true(store, date(2024, 6, 30))
    assert (OPEN in true(store, JULY)) == standing


def test_what_denies_the_old_value_ends_it() -> None:
    told = "The bridge at Lund is shut instead of open."
    store = learnt([note(OPEN, MARCH), note(told, MAY)], ScriptedEffectJudge({(told, OPEN): "then"}))
    assert true(store, MAY) == {told}


def test_what_ended_before_it_was_told_ends_on_that_day() -> None:
    told = "Since 11 April nobody gets over the bridge at Lund."
    store = learnt([note(OPEN, MARCH), note(told, MAY)], ScriptedEffectJudge({(told, OPEN): "earlier"}))
    assert true(store, date(2024, 4, 10)) == {OPEN}
    assert true(store, date(2024, 4, 11)) == {told}


@pytest.mark.parametrize("onset", ["earlier", "later"])
def test_a_day_before_the_earlier_note_is_none_to_end_it_from(onset: Onset) -> None:
    told = "Since 11 January nobody gets over the bridge at Lund."
    store = learnt([note(OPEN, MARCH), note(told, MAY)], ScriptedEffectJudge({(told, OPEN): onset}))
    assert true(store, date(2025, 2, 1)) == {told}


def test_undated_notes_end_nothing_and_are_ended_by_nothing() -> None:
    judge = ScriptedEffectJudge({(SHUT, OPEN): "then", (OPEN, SHUT): "then"})
    assert true(learnt([note(OPEN, MARCH), note(SHUT, None)], judge), MAY) == {OPEN, SHUT}
    assert true(learnt([note(OPEN, None), note(SHUT, MAY)], judge), MAY) == {OPEN, SHUT}
    assert judge.history == []  # it is not even asked


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_judge_is_not_believed_where_it_would_end_what_was_told_beside_it(order: tuple[int, int]) -> None:
    judge = ScriptedEffectJudge(
        {(WEST, NORTH): "then", (WEST, SOUTH): "then", (SOUTH, NORTH): "then", (NORTH, SOUTH): "then"}
    )
    beside = [note(NORTH, MARCH), note(SOUTH, MARCH)]
    assert true(learnt([*(beside[place] for place in order), note(WEST, MAY)], judge), MAY) == {NORTH, SOUTH, WEST}
    # Alone, nothing contradicts the judge.
    assert true(learnt([note(NORTH, MARCH), note(WEST, MAY)], judge), MAY) == {WEST}


def test_what_one_document_tells_does_not_contradict_the_judge() -> None:
    judge = ScriptedEffectJudge({(WEST, NORTH): "then", (SOUTH, NORTH): "then"})
    store = learnt([note(f"{NORTH} {SOUTH}", MARCH), note(WEST, MAY)], judge)
    assert NORTH not in true(store, MAY)


def test_a_note_withdrawn_gives_back_what_it_ended() -> None:
    ending = note(SHUT, MAY)
    store = learnt([note(OPEN, MARCH), ending], ScriptedEffectJudge({(SHUT, OPEN): "then"}))
    store.undo(ending.id, known_at=NOW)
    assert true(store, MAY) == {OPEN}


def ended(earlier: str, later: str) -> bool:
    pair = PlacedStatement(later, MAY), PlacedStatement(earlier, MARCH)
    return bool(shared_still_judge().effects([pair]).chances[0, 0] >= ENDS)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The Team plan costs $19.", "The Team plan costs $22."),
        ("Joana is vegan.", "Joana is no longer vegan."),
        ("The bridge is open.", "The bridge is closed."),
        ("Joana works at Maré Energia.", "Joana left Maré Energia."),
        ("Our payroll provider is PayMint.", "Our payroll provider is Sallario."),
        ("Joana lives in Lisbon.", "Joana moved to Porto."),
        ("INC-301 is open.", "INC-301 is resolved."),
    ],
)
def test_the_judge_that_ships_tells_when_life_goes_on(earlier: str, later: str) -> None:
    assert ended(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Our payroll provider is PayMint.", "Payroll is run by PayMint as before."),
        ("The head of the lab is Ada Holm.", "The deputy head of the lab is Bo Lind."),
        ("The entry fee is 5 euros.", "In 2011 the entry fee was 3 euros."),
        ("The mayor of Lund is Ada Berg.", "The mayor of Lund opened a school."),
        ("INC-301 is open.", "INC-302 is resolved."),
        ("The upload limit is 25 MB.", "The download limit is 100 MB."),
    ],
)
def test_the_judge_that_ships_leaves_what_is_beside(earlier: str, later: str) -> None:
    assert not ended(earlier, later)
