"""A made-up world: versions of states over 35 years, look-alikes between them, other subjects around them.

What a world says lies in `versions_worlds/*.json`. `made` is the world of the project's figures and `a` one to build with; `b`
and `c` are kept apart: whoever works on ranking reads neither, so that they show what was not tuned to.
"""

from __future__ import annotations

import itertools
import json
import random
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

WORLDS = Path(__file__).parent / "versions_worlds"
FIRST_DAY, LAST_DAY = date(1990, 1, 1), date(2025, 12, 31)
MOST = 1_000
"""Versions of each state that are made; a smaller number is every so-manieth of them."""


@dataclass(frozen=True)
class Passage:
    """One dated text; `state` is the number of the state that it is a version of, None for all else."""

    id: str
    text: str
    day: date
    value: str = ""
    state: int | None = None
    like: int | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        """What a loader leaves: an address and a date in ISO form."""
        return {"source": f"https://example.org/notes/{self.id}", "date": self.day.isoformat()}


@dataclass(frozen=True)
class Ask:
    """A question with the day that it is about, told beside it or written in it, and the passage that is right."""

    question: str
    plain: str
    day: date
    dated: bool
    early: bool
    kind: str
    right: Passage


@dataclass(frozen=True)
class World:
    """All passages in the order of their ids, and what is asked about them."""

    passages: Sequence[Passage]
    asks: Sequence[Ask]


def make_world(name: str, *, versions: int, others: int, asks: int, look_alikes: bool, seed: int) -> World:
    """Read a world and write its passages; the texts of a version differ with `versions` only by the value before."""
    told = json.loads((WORLDS / f"{name}.json").read_text(encoding="utf-8"))
    around = json.loads((WORLDS / "others.json").read_text(encoding="utf-8"))
    states = [_versions(state, number, told, around, versions, seed) for number, state in enumerate(told["states"])]
    likes = [
        each
        for number, state in enumerate(told["states"])
        for each in (_look_alikes(state, number, told, around, versions, seed) if look_alikes else ())
    ]
    passages = [*itertools.chain.from_iterable(states), *likes, *_others(around, others, seed)]
    passages = sorted(passages, key=lambda each: random.Random(each.id).random())
    return World(passages, list(_asks(told["states"], states, asks, seed)))


def long_passages(count: int, *, words: int, seed: int) -> list[Passage]:
    """Passages of so many words about other subjects."""
    around = json.loads((WORLDS / "others.json").read_text(encoding="utf-8"))
    chance, made = random.Random(f"{seed} long"), []
    for number, day in enumerate(_days(count, chance)):
        place, body, text = chance.choice(around["places"]), chance.choice(around["bodies"]), ""
        while len(text.split()) < words:
            text += _sentence(around, place, body, chance) + " "
        made.append(Passage(f"l{number}", text.strip(), day))
    return made


def long_questions(count: int, *, seed: int) -> list[tuple[str, date]]:
    """Questions about them, a year in half of them, each with a day as of which it is asked."""
    around = json.loads((WORLDS / "others.json").read_text(encoding="utf-8"))
    chance, forms = (
        random.Random(f"{seed} questions"),
        ("Who is director of", "What does a ticket cost for", "Who leads"),
    )
    pairs = chance.sample([(place, body) for place in around["places"] for body in around["bodies"]], count)
    asked = [f"{chance.choice(forms)} the {place} {body}" for place, body in pairs]
    days = _days(count, chance)
    return [
        (f"{each} in {day.year}?" if number % 2 else f"{each}?", day)
        for number, (each, day) in enumerate(zip(asked, days, strict=True))
    ]


# -- states -------------------------------------------------------------------------------------------------


def _versions(
    state: Mapping[str, Any], number: int, told: Mapping[str, Any], around: Mapping[str, Any], count: int, seed: int
) -> list[Passage]:
    chance = random.Random(f"{seed} state {number}")
    every = MOST / count
    taken = [int(place * every) for place in range(count)]
    days, values = _days(MOST, chance), _values(state["values"], around, chance)
    wordings = [chance.choice(state["wordings"]) for _ in range(MOST)]
    ends = [chance.choice(told["after"]) for _ in range(MOST)]
    made, old = [], values[-1]
    for place in taken:
        text = f"{_filled(wordings[place], values[place], old)} {ends[place]}".strip()
        made.append(Passage(f"s{number}v{place}", text, days[place], values[place], state=number))
        old = values[place]
    return made


def _look_alikes(
    state: Mapping[str, Any], number: int, told: Mapping[str, Any], around: Mapping[str, Any], count: int, seed: int
) -> Iterator[Passage]:
    """As many as there are versions, all sorts in turn."""
    chance = random.Random(f"{seed} likes {number}")
    sorts = state["look_alikes"]
    values = [_values(each["values"], around, chance) for each in sorts]
    every, days = MOST / count, _days(MOST, chance)
    wordings = [chance.choice(sorts[place % len(sorts)]["wordings"]) for place in range(MOST)]
    ends = [chance.choice(told["after"]) for _ in range(MOST)]
    for place in (int(each * every) for each in range(count)):
        series = values[place % len(sorts)]
        text = f"{_filled(wordings[place], series[place], series[place - 1])} {ends[place]}".strip()
        yield Passage(f"s{number}l{place}", text, days[place], series[place], like=number)


def _filled(wording: str, value: str, old: str) -> str:
    text = wording.replace("{value}", value).replace("{old}", old)
    return text[0].upper() + text[1:]


def _values(told: Mapping[str, Any], around: Mapping[str, Any], chance: random.Random) -> list[str]:
    """`MOST` different values in the order of time."""
    if "people" in told:
        return chance.sample([f"{first} {last}" for first in around["first"] for last in around["last"]], MOST)
    if "parts" in told:
        names = [told.get("join", " ").join(each) for each in itertools.product(*told["parts"])]
        numbered = (
            [f"{number} {name}" for number in range(1, told["numbers"] + 1) for name in names]
            if "numbers" in told
            else names
        )
        return chance.sample(numbered, MOST)
    if "release" in told:
        base, first = told["release"], told.get("first", 1)
        return [f"{first + n // base**2}.{n // base % base}.{n % base}" for n in range(MOST)]
    values = [told["format"].format(told["from"] + told["step"] * place) for place in range(MOST)]
    if told.get("shuffled"):
        chance.shuffle(values)
    return values


def _days(count: int, chance: random.Random) -> list[date]:
    span = range((LAST_DAY - FIRST_DAY).days)
    drawn = chance.sample(span, count) if count <= len(span) else chance.choices(span, k=count)
    return [FIRST_DAY + timedelta(days=each) for each in sorted(drawn)]


# -- what is asked --------------------------------------------------------------------------------------------


def _asks(
    states: Sequence[Mapping[str, Any]], made: Sequence[Sequence[Passage]], count: int, seed: int
) -> Iterator[Ask]:
    """States in turn; every second as of the first third, a quarter with their day in the question."""
    chance = random.Random(f"{seed} asks")
    for number in range(count):
        # One step more after each round, so that every state is asked in every way however many states there are.
        way = number + number // len(states) if len(states) % 2 == 0 else number
        which, early, dated = number % len(states), way % 2 == 0, way % 8 in (3, 6)
        versions, state = made[which], states[which]
        day = _day_asked(versions, early=early, chance=chance)
        plain = chance.choice(state["ask"])
        written = f"{day.day} {day:%B} {day.year}"
        question = chance.choice(state["ask_on"]).replace("{day}", written) if dated else plain
        right = versions[bisect_right([each.day for each in versions], day) - 1]
        yield Ask(question, plain, day, dated, early, state["kind"], right)


def _day_asked(versions: Sequence[Passage], *, early: bool, chance: random.Random) -> date:
    """A day on which no version was published, so that nothing hangs on the hour."""
    third, days = len(versions) // 3, {each.day for each in versions}
    while True:
        place = chance.randrange(0, third) if early else chance.randrange(third, len(versions) - 1)
        between = (versions[place + 1].day - versions[place].day).days
        day = versions[place].day + timedelta(days=chance.randrange(between) if between else 0)
        if day not in days:
            return day


# -- the rest --------------------------------------------------------------------------------------------------


def _others(around: Mapping[str, Any], count: int, seed: int) -> Iterator[Passage]:
    chance = random.Random(f"{seed} others")
    for number, day in enumerate(_days(count, chance)):
        place, body = chance.choice(around["places"]), chance.choice(around["bodies"])
        text = " ".join(_sentence(around, place, body, chance) for _ in range(chance.choice((1, 1, 2))))
        yield Passage(f"o{number}", text, day)


def _sentence(around: Mapping[str, Any], place: str, body: str, chance: random.Random) -> str:
    text: str = chance.choice(around["sentences"])
    while "{person}" in text:
        text = text.replace("{person}", f"{chance.choice(around['first'])} {chance.choice(around['last'])}", 1)
    return (
        text.replace("{place}", place)
        .replace("{body}", body)
        .replace("{other}", chance.choice(around["places"]))
        .replace("{number}", str(chance.randrange(2, 900)))
    )
