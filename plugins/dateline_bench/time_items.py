"""Sentences, traps and questions about time, each judged by hand-made gold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from dateline.temporal import Interval, TimeExpression, decompose, find_expressions
from dateline.temporal.interval import DAY, seconds_of

DATED = ("date", "time", "range", "duration")


class GoldTime(BaseModel):
    """An expected time: its words and its interval `start/end`.

    Without an interval its words may be found or not, but not as two times. `within` accepts any interval inside.
    """

    model_config = ConfigDict(frozen=True)

    span: str
    interval: str | None = None
    within: bool = False


class TimeItem(BaseModel):
    """A line of the file: an expression, a trap or a question.

    `gold` are an expression's times; `relations`, `interval` and `within` what a question says of time: `None` among the
    relations accepts a question without a constraint, "?" anything.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    kind: Literal["expression", "trap", "question"]
    anchor: str
    text: str
    gold: tuple[GoldTime, ...] = ()
    relations: tuple[str | None, ...] = ()
    interval: str | None = None
    within: bool = False

    @model_validator(mode="after")
    def _can_be_judged(self) -> Self:
        Interval.parse(self.anchor)
        for gold in self.gold:
            if gold.span not in self.text:
                raise ValueError(f"the text does not hold {gold.span!r}")
        for interval in (self.interval, *(gold.interval for gold in self.gold)):
            if interval is not None:
                _edges(interval)
        return self


class TimeVerdict(BaseModel):
    """Verdict on one item.

    Attributes:
        right: wholly right.
        wanted, found, valued: times with an interval in the gold, those of them overlapped, and those whose value is right.
        extra: times with an interval where the gold has none.
        said: what was found, to be read by people.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    kind: str
    right: bool
    wanted: int = 0
    found: int = 0
    valued: int = 0
    extra: int = 0
    text: str
    said: str


def judged(item: TimeItem) -> TimeVerdict:
    """Judge what the rules make of an item."""
    return _question(item) if item.kind == "question" else _sentence(item)


def fits(interval: Interval, gold: str, *, within: bool) -> bool:
    """Check an interval against a gold one, `start/end` with `..` for open.

    Example:
        >>> fits(Interval.of_month(2024, 5), "2024-01-01/2025-01-01", within=True)
        True
    """
    start, end = _edges(gold)
    wide = Interval(start, end)
    return wide.contains(interval) if within else (interval.start, interval.end) == (start, end)


def _edges(gold: str) -> tuple[int | None, int | None]:
    """Read `start/end`. Raises `ValueError` for anything else."""
    start, slash, end = gold.partition("/")
    if not slash:
        raise ValueError(f"{gold!r} is no interval start/end")
    return None if start == ".." else _edge(start), None if end == ".." else _edge(end)


def _edge(text: str) -> int:
    return seconds_of(f"{text}:00") if "T" in text else seconds_of(text)


def _sentence(item: TimeItem) -> TimeVerdict:
    anchor = Interval.parse(item.anchor)
    times = [one for one in find_expressions(item.text, anchor=anchor) if one.interval and one.kind in DATED]
    places = _places(item)
    of_gold = [[one for one in times if one.start < end and start < one.end] for start, end in places]
    wanted = [(gold, found) for gold, found in zip(item.gold, of_gold, strict=True) if gold.interval]
    valued = sum(_valued(gold, found) for gold, found in wanted)
    extra = sum(all(one not in found for found in of_gold) for one in times)
    split = any(len(found) > 1 for found in of_gold)
    return TimeVerdict(
        id=item.id,
        kind=item.kind,
        right=valued == len(wanted) and not extra and not split,
        wanted=len(wanted),
        found=sum(bool(found) for _, found in wanted),
        valued=valued,
        extra=extra,
        text=item.text,
        said="; ".join(f"{one.text} = {one.interval}" for one in times),
    )


def _valued(gold: GoldTime, found: Sequence[TimeExpression]) -> bool:
    return bool(found) and all(
        one.interval is not None and gold.interval is not None and fits(one.interval, gold.interval, within=gold.within)
        for one in found
    )


def _places(item: TimeItem) -> list[tuple[int, int]]:
    """Return where each gold time stands, in order."""
    places, position = [], 0
    for gold in item.gold:
        start = item.text.find(gold.span, position)
        start = start if start >= 0 else item.text.find(gold.span)
        places.append((start, start + len(gold.span)))
        position = start + len(gold.span)
    return places


def _question(item: TimeItem) -> TimeVerdict:
    day = datetime.fromtimestamp((Interval.parse(item.anchor).start or 0) + DAY // 2, UTC)
    constraint = decompose(item.text, as_of=day).constraint
    relation = None if constraint is None else constraint.relation
    right = "?" in item.relations or relation in item.relations
    if right and constraint is not None and item.interval and "?" not in item.relations:
        right = fits(constraint.interval, item.interval, within=item.within)
    said = "" if constraint is None else f"{constraint.relation} {constraint.interval}"
    return TimeVerdict(id=item.id, kind=item.kind, right=right, text=item.text, said=said)
