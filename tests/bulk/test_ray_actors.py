"""Bulk work by Ray's actors."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

from dateline.bulk import OneProcess, RayActors
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
