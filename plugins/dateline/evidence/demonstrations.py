"""The worked examples that stand in front of a FreshPrompt.

They are about places that do not exist, so they tell a model nothing about the world, and they are kept with the date
they were written at: every date in them moves along with the asking date, so they never go stale and never come from
its future.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Literal

from dateline.evidence.dates import reading_of
from dateline.records import Evidence
from dateline.temporal.interval import Interval

Style = Literal["concise", "verbose"]
"""How the examples answer; concise answers are right more often (FreshLLMs, section 4.3)."""

_PLACE = re.compile(r"\{(year:)?(\d{4}-\d{2}-\d{2})\}")


@dataclass(frozen=True, slots=True)
class Demonstration:
    """One worked example, dated as of an asking day.

    Attributes:
        cites: numbers, from 1, of the evidence that the answer stands on.
    """

    question: str
    evidence: tuple[Evidence, ...]
    reasoning: str
    answer: str
    cites: tuple[int, ...]


MOST_DEMONSTRATIONS = 6
"""How many are stored."""


def demonstrations(count: int, *, as_of: datetime, style: Style = "concise") -> Sequence[Demonstration]:
    """The first `count` examples as if written on the asking day."""
    return _moved(as_of.date(), style)[:count]


@cache
def _stored() -> dict[str, Any]:
    text = resources.files("dateline.evidence").joinpath("demonstrations.json").read_text(encoding="utf-8")
    stored: dict[str, Any] = json.loads(text)
    return stored


@lru_cache(maxsize=64)
def _moved(asked: date, style: Style) -> tuple[Demonstration, ...]:
    shift = asked - date.fromisoformat(_stored()["written"])

    def moved(day: str) -> date:
        try:
            return date.fromisoformat(day) + shift
        except OverflowError:
            return asked

    def told(text: str) -> str:
        return _PLACE.sub(
            lambda place: str(moved(place[2]).year) if place[1] else reading_of(Interval.of_moment(moved(place[2]))),
            text,
        )

    return tuple(
        Demonstration(
            question=each["question"],
            evidence=tuple(_evidence(item, shift) for item in each["evidence"]),
            reasoning=told(each["reasoning"]),
            answer=told(each[style]),
            cites=tuple(each["cites"]),
        )
        for each in _stored()["demonstrations"]
    )


def _evidence(item: dict[str, Any], shift: timedelta) -> Evidence:
    return Evidence.make(
        item["text"],
        title=item["title"],
        source=item["source"],
        published=_published(item["date"], shift),
        highlights=tuple(item["highlights"]),
    )


def _published(stored: str | None, shift: timedelta) -> Interval | None:
    """The stored date moved by `shift`, as precise as it was."""
    if stored is None:
        return None
    try:
        day = date.fromisoformat(f"{stored}-01-01"[:10]) + shift
    except OverflowError:
        return None
    match len(stored):
        case 4:
            return Interval.of_year(day.year)
        case 7:
            return Interval.of_month(day.year, day.month)
        case _:
            return Interval.of_moment(day)
