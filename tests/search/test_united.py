"""Several sources are asked as one: none hides another, each piece comes once, and what fails is told."""

from __future__ import annotations

import asyncio

import pytest

from dateline import BadInput, Evidence, SearchFailed
from dateline.search import UnitedSearch
from dateline.temporal import now
from dateline.testing import FixedSearch

NOTES = [Evidence.make(f"Note {number} on Acme.", published="2020") for number in range(6)]
MEMORY = [Evidence.make("Ben leads Acme.", published="2021"), NOTES[0]]


def test_every_source_has_its_best_in_turn_and_a_piece_comes_once() -> None:
    united = UnitedSearch(FixedSearch(NOTES), FixedSearch(MEMORY))
    found = united.search("Acme", as_of=now(), k=3)
    assert [piece.text for piece in found.evidence[:2]] == ["Note 0 on Acme.", "Ben leads Acme."]
    assert len({piece.id for piece in found.evidence}) == len(found.evidence) == 4
    assert [piece.position for piece in found.evidence] == [0, 1, 2, 3]
    assert found.cost.searches == 2
    assert asyncio.run(united.asearch("Acme", as_of=now(), k=3)).evidence == found.evidence


class Failing(FixedSearch):
    def search(self, *args: object, **named: object) -> object:  # type: ignore[override]
        raise SearchFailed("The engine is down.")


def test_a_source_that_fails_is_not_passed_over_in_silence() -> None:
    with pytest.raises(SearchFailed, match="The engine is down"):
        UnitedSearch(FixedSearch(NOTES), Failing([])).search("Acme", as_of=now())
    with pytest.raises(BadInput, match="at least one"):
        UnitedSearch()
