"""What every memory is given: the same documents, the same reading of them, the same vectors. Standard library only.

`Reader` is the scripted model behind all of them: it states what a text states, and says which known statements a new
one contradicts. How a memory asks and how it wants its answer is up to its own file; what the answer is, is decided here.
"""

from __future__ import annotations

import math
import re
import threading
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise

PLACES = (
    "Northern Harbour",
    "Granite Museum",
    "Lakeside Clinic",
    "Velvet Theatre",
    "Amber Library",
    "Cedar College",
    "Falcon Airport",
    "Meadow Brewery",
    "Summit Observatory",
    "Willow Prison",
)
"""Ten places with no word in common."""

FIRST = PLACES[0]
NEAR = tuple(f"{word} Harbour" for word in ("Southern", "Western", "Eastern", "Upper", "Lower", "Outer", "Inner"))
"""Other places that share a word with the first one."""

SAID = re.compile(
    r"The director of the (?P<place>[A-Z]\w+ [A-Z]\w+) is (?P<name>[A-Z]\w+ [A-Z]\w+)(?: since (?P<since>\d{4}))?\."
)
"""All that the reader understands."""

DIMENSIONS = 512


@dataclass(frozen=True)
class Document:
    """A text and the day of which it is, as YYYY-MM-DD."""

    text: str
    day: str


def tells(*said: tuple[str, str], day: str, since: str = "") -> Document:
    """A document that names the directors of places."""
    ending = f" since {since}" if since else ""
    return Document(" ".join(f"The director of the {place} is {name}{ending}." for place, name in said), day)


def asks(place: str) -> str:
    """The question for a place's director."""
    return f"Who is the director of the {place}?"


def places(count: int) -> list[str]:
    """So many places: the ten, then others of the same words."""
    first, second = zip(*(place.split() for place in PLACES), strict=True)
    shifted = (
        f"{first[i]} {second[(i + step) % len(first)]}" for step in range(1, len(first)) for i in range(len(first))
    )
    return [*PLACES, *shifted][:count]


def person(place: int, *, changed: bool = False) -> str:
    """The director of a place by its number, before or after the change; no two have a name in common."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    ending = letters[place // 26] + letters[place % 26]
    return f"J{ending} N{ending}" if changed else f"E{ending} H{ending}"


def statements(text: str) -> list[re.Match[str]]:
    """What a text states, in order."""
    return list(SAID.finditer(text))


def names(texts: Iterable[str], *, place: str) -> list[str]:
    """The directors of a place whom texts name, each once, sorted."""
    return sorted({said["name"] for text in texts for said in statements(text) if said["place"] == place})


@dataclass
class Reader:
    """The scripted model.

    Args:
        dates: whether it gives a date with what it states, where it is asked for one.
        errs: whether it takes every known statement that it is shown for contradicted.
        meet: so many calls wait for one another, two seconds at most: a slow model and parallel writers.
    """

    dates: bool = True
    errs: bool = False
    meet: int = 1
    calls: int = 0
    prompts: list[str] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)
    """Known statements that it was asked to judge."""

    def __post_init__(self) -> None:
        self._gate = threading.Barrier(self.meet)
        self._lock = threading.Lock()

    def called(self, prompt: str) -> None:
        """Every call begins here."""
        with self._lock:
            self.calls += 1
            self.prompts.append(prompt)
        if self.meet > 1:
            with suppress(threading.BrokenBarrierError):
                self._gate.wait(timeout=2)

    def contradicts(self, new: str, known: str) -> bool:
        """Whether a known text cannot hold beside a new one: the same place, another name."""
        self.shown.add(known)
        if self.errs:
            return new != known
        mine, other = SAID.search(new), SAID.search(known)
        return (
            mine is not None and other is not None and mine["place"] == other["place"] and mine["name"] != other["name"]
        )


def vector_of(text: str) -> list[float]:
    """Words and pairs of words, hashed: deterministic, of length 1."""
    words = re.findall(r"\w+", text.lower())
    numbers = [0.0] * DIMENSIONS
    for feature in (*words, *(" ".join(pair) for pair in pairwise(words))):
        hashed = zlib.crc32(feature.encode())
        numbers[hashed % DIMENSIONS] += 1.0 if hashed >> 31 else -1.0
    length = math.hypot(*numbers)
    return [number / length for number in numbers] if length else [1.0, *numbers[1:]]
