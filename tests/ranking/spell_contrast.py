"""Ten holders of one office in ten passages, asked for in every relation: which passage must rank first.

The facts are made up, so that nothing but the passages can help. Each history is told in four styles: as events, as
spells, as news whose date stands in their metadata alone, and mixed with an undated passage that names the office.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from dateline import Evidence, Interval, Question
from dateline.temporal.decomposition import decompose

NOW = datetime(2024, 6, 15, tzinfo=UTC)
Style = Literal["events", "spells", "news", "mixed"]

OFFICES = (
    ("director of the Northern Observatory", "Northern Observatory"),
    ("mayor of Varnholm", "Varnholm"),
    ("head coach of Lundby United", "Lundby United"),
    ("chief executive of Astrel Mining", "Astrel Mining"),
    ("editor of the Coastal Gazette", "Coastal Gazette"),
)
FIRST = ("Anna", "Carl", "Eva", "Jon", "Mira", "Otto", "Petra", "Rolf", "Signe", "Tomas")
LAST = ("Berg", "Dahl", "Holm", "Lund", "Nyman", "Ek", "Strand", "Vik", "Ohlsson", "Falk")


@dataclass(frozen=True)
class Holder:
    """One spell: from the start of `start` to the start of the next holder's year."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Case:
    """A question, ten or eleven passages, and the number of the passage that must come first."""

    question: Question
    evidence: tuple[Evidence, ...]
    right: int
    style: Style
    kind: str


def cases() -> list[Case]:
    """All of them, the same at every call."""
    return list(_cases())


def _cases() -> Iterator[Case]:
    choice = random.Random(11)
    for office, place in OFFICES:
        holders = _history(choice)
        for style in ("events", "spells", "news", "mixed"):
            passages = [_passage(holder, office, style) for holder in holders]
            if style == "mixed":
                passages.append(Evidence.make(f"{place} has changed hands often; being {office} is an honour."))
            order = list(range(len(passages)))
            choice.shuffle(order)
            shown = tuple(passages[number] for number in order)
            for text, right, kind in _questions(holders, office, choice):
                yield Case(decompose(text, as_of=NOW), shown, order.index(right), style, kind)


def _history(choice: random.Random) -> list[Holder]:
    years = [1952 + choice.randrange(3)]
    while len(years) < 10:
        years.append(years[-1] + choice.randrange(4, 9))
    names = [f"{first} {last}" for first, last in zip(FIRST, choice.sample(LAST, 10), strict=True)]
    ends = [*years[1:], 2025]
    return [Holder(name, start, end) for name, start, end in zip(names, years, ends, strict=True)]


def _passage(holder: Holder, office: str, style: str) -> Evidence:
    if style == "spells":
        until = f"to {holder.end}" if holder.end < 2025 else "until today"
        return Evidence.make(f"{holder.name} was {office} from {holder.start} {until}.")
    if style == "news":
        return Evidence.make(f"{holder.name} is the new {office}.", published=Interval.of_day(holder.start, 3, 9))
    return Evidence.make(f"{holder.name} became {office} in March {holder.start}.")


def _questions(holders: list[Holder], office: str, choice: random.Random) -> Iterator[tuple[str, int, str]]:
    for number in (1, 4, 7):
        holder, following = holders[number], holders[number + 1]
        year = choice.randrange(holder.start + 1, holder.end)
        who = f"Who was the {office}"
        yield f"{who} as of {year}?", number, "as of"
        yield f"As of June {year}, who was the {office}?", number, "as of"
        yield f"{who} in {year}?", number, "in"
        yield f"{who} on 6 May {year}?", number, "on"
        yield f"{who} by {year}?", number, "by"
        yield f"Who was the last {office} appointed before {following.start}?", number, "last before"
        yield f"Who was the first {office} appointed before {following.start}?", 0, "first before"
        yield f"Who was the first {office} appointed after {holder.start}?", number + 1, "first after"
        yield f"Who was the last {office} appointed after {holder.start}?", 9, "last after"
        lowest, highest = holders[number - 1].start, following.start
        yield f"Who was the first {office} appointed between {lowest} and {highest}?", number - 1, "first between"
        yield f"Who was the last {office} appointed between {lowest} and {highest}?", number + 1, "last between"
        yield f"{who} from {holder.start + 1} to {holder.end - 1}?", number, "from to"
    yield f"Who is the {office}?", 9, "now"
    yield f"Who is the current {office}?", 9, "now"
