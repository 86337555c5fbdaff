"""Bulk work by Ray's actors."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from dateline.bulk import OneProcess, RayActors
from dateline.bulk.ray_actors import share_of_actor
from dateline.errors import BadInput, MissingExtra


class Doubled:
    """Work that says which process did it."""

    def __call__(self, items: Sequence[dict[str, list[int]]]) -> list[tuple[list[int], int]]:
        return [(2 * each["numbers"], os.getpid()) for each in items]


@pytest.mark.timeout(400)
def test_actors_give_each_item_as_it_is_the_result_that_one_process_gives_in_order() -> None:
    pytest.importorskip("ray.data", reason="needs the extra ray")
    items = [{"numbers": [number]} for number in range(7)]
    here = [result for result, _ in OneProcess().map(items, work=Doubled(), chunk=3)]
    there = list(RayActors(actors=1).map(items, work=Doubled(), chunk=3))
    assert [result for result, _ in there] == here
    assert os.getpid() not in {process for _, process in there}


@pytest.mark.parametrize("address", ["", "nowhere", "http://host", "ray://", "local; rm"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(BadInput, match="address"):
        RayActors(address=address)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(MissingExtra, match="ray"):
        list(RayActors().map([1], work=list, chunk=1))


MACHINES = [[2], [8], [4, 4], [8, 2], [3, 3, 3], [16, 1], [64, 8, 8]]


@pytest.mark.parametrize("machines", MACHINES, ids=str)
def test_every_actor_finds_a_place_and_one_processor_is_left_wherever_they_lie(machines: list[int]) -> None:
    for actors in range(1, sum(machines) + 1):
        share = round(100 * share_of_actor(machines, actors=actors))
        assert share > 0
        assert sum(100 * each // share for each in machines) >= actors
        # The most crowded way: each machine is filled before the next one, the smallest first.
        left = actors
        free: list[int] = []
        for each in sorted(machines):
            here = min(left, 100 * each // share)
            left, free = left - here, [*free, 100 * each - here * share]
        assert max(free) >= 100


def test_an_actor_asks_for_no_more_than_one_machine_has() -> None:
    assert share_of_actor([4, 4], actors=1) <= 4
    assert share_of_actor([1], actors=3) == 0, "a single processor is Ray's own"
