"""What a wrapper adds to the piece inside it: both are called in turns, and so is the framework around nothing."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

Clock = Literal["processor", "thread"]
"""`processor`: what other programs do is left out; `thread`: so is what a handler does in the background."""

_CLOCKS: dict[Clock, Callable[[], float]] = {
    "processor": time.process_time,
    "thread": time.thread_time,
}

WARM_UP = 3
LEAST = 20
"""Rounds that are measured however long they take."""

Call = Callable[[int], Any]
"""Takes the number of the round, by which it chooses its question."""


@dataclass(frozen=True)
class Case:
    """A piece, the wrapper around the same piece with the same input, and the framework's own class around nothing.

    A model that is waited for gives no time to a processor: `waited` milliseconds are added to the piece instead.
    """

    inside: Call
    wrapper: Call
    bare: Call | None = None
    clock: Clock = "processor"
    waited: float = 0.0


@dataclass(frozen=True)
class Overhead:
    """Medians in milliseconds over `n` rounds.

    Attributes:
        inside: the piece alone, with what is `waited`.
        added: wrapper minus piece, round by round.
        low, high: the quartiles of that difference.
        framework: the framework's class around nothing, which no wrapper can go below; 0 where there is none.
        ratio: `added` over `inside`.
    """

    inside: float
    added: float
    low: float
    high: float
    framework: float
    ratio: float
    clock: Clock
    n: int

    def to_json(self) -> dict[str, Any]:
        """All figures, rounded."""
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(self).items()}


def measure(case: Case, *, n: int, seconds: float) -> Overhead:
    """At most `n` rounds and about `seconds` of wall-clock time, at least `LEAST` rounds; the order changes every round."""
    calls = [case.inside, case.wrapper, *([case.bare] if case.bare else [])]
    for number in range(WARM_UP):
        for call in calls:
            call(number)
    read = _CLOCKS[case.clock]
    taken: list[list[float]] = [[] for _ in calls]
    gc.collect()
    began = time.perf_counter()
    for number in range(n):
        if number >= LEAST and time.perf_counter() - began > seconds:
            break
        for turn in range(len(calls)):
            place = (turn + number) % len(calls)
            started = read()
            calls[place](number)
            taken[place].append((read() - started) * 1000)
    inside, wrapper, *rest = taken
    differences = [more - less for less, more in zip(inside, wrapper, strict=True)]
    low, added, high = statistics.quantiles(differences, n=4)
    base = statistics.median(inside) + case.waited
    framework = statistics.median(rest[0]) if rest else 0.0
    return Overhead(base, added, low, high, framework, added / base, case.clock, len(inside))
