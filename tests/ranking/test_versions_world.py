"""The made-up worlds of `benchmarks/versions.py`: what is right in them is right by their own dates."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from versions_world import MOST, WORLDS, World, make_world

NAMES = sorted(each.stem for each in WORLDS.glob("*.json") if each.stem != "others")


def world(name: str, *, versions: int = 50, look_alikes: bool = True) -> World:
    return make_world(name, versions=versions, others=50, asks=40, look_alikes=look_alikes, seed=3)


@pytest.mark.parametrize("name", NAMES)
def test_the_right_version_is_the_newest_of_its_state_by_the_asked_day(name: str) -> None:
    made = world(name)
    for ask in made.asks:
        known = [each for each in made.passages if each.state == ask.right.state and each.day <= ask.day]
        assert max(known, key=lambda each: each.day) == ask.right
        assert all(each.day != ask.day for each in made.passages if each.state == ask.right.state)
        assert ask.right.value.lower() in ask.right.text.lower()


@pytest.mark.parametrize("name", NAMES)
def test_no_two_versions_have_one_value_and_no_two_passages_one_text(name: str) -> None:
    made = world(name, versions=MOST)
    values = Counter((each.state, each.value) for each in made.passages if each.state is not None)
    assert max(values.values()) == 1
    texts = Counter(each.text for each in made.passages if each.state is not None or each.like is not None)
    assert max(texts.values()) == 1


@pytest.mark.parametrize("name", NAMES)
def test_look_alikes_are_as_many_as_the_versions_and_change_nothing_else(name: str) -> None:
    with_them, without = world(name), world(name, look_alikes=False)
    assert [each for each in with_them.passages if each.like is None] == list(without.passages)
    assert with_them.asks == without.asks
    assert sum(each.like is not None for each in with_them.passages) == sum(
        each.state is not None for each in without.passages
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_state_is_asked_and_some_of_each_way(name: str) -> None:
    made, states = world(name), json.loads((WORLDS / f"{name}.json").read_text(encoding="utf-8"))["states"]
    assert {ask.right.state for ask in made.asks} == set(range(len(states)))
    assert {(ask.early, ask.dated) for ask in made.asks} == {(a, b) for a in (True, False) for b in (True, False)}


def test_a_small_world_says_what_a_large_one_says_on_its_days() -> None:
    small, large = world("made"), world("made", versions=200)
    assert {(each.day, each.value) for each in small.passages} <= {(each.day, each.value) for each in large.passages}


def test_the_same_seed_makes_the_same_world() -> None:
    assert world("a") == world("a")
