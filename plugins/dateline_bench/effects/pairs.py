"""Pairs of an earlier and a later note."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dateline.facts.onset import onset_day
from dateline.protocols import AHEAD, Effect, Onset, PlacedStatement
from dateline.temporal.interval import Interval
from dateline_bench import rows

Kind = Literal[
    "value", "holder", "stopped", "moved", "announced", "withdrawn", "corrected", "reversed",
    "same",
    "look_alike", "other_attribute", "second_value", "retold", "unsettled", "event", "expected", "exception",
]  # fmt: skip
"""How life goes on, or seems to: eight kinds end the earlier note, one repeats it, eight leave it."""


class Note(BaseModel):
    """One or two sentences of a day, from a titled document.

    Attributes:
        before: what stands before them there.
    """

    model_config = ConfigDict(frozen=True)

    date: date
    text: str = Field(min_length=1)
    title: str = ""
    before: str = ""

    @property
    def placed(self) -> PlacedStatement:
        """Return it as a judge is asked."""
        return PlacedStatement(self.text, self.date, self.title, self.before)


class NotePair(BaseModel):
    """Two notes, and the effect of the later on the earlier.

    Attributes:
        starts: the day from which the earlier one no longer holds, where the later one tells another than its own.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    field: str = ""
    kind: Kind
    old: Note
    new: Note
    effect: Effect
    starts: date | None = Field(default=None, alias="from")

    @property
    def onset(self) -> Onset:
        """Return when the earlier note stops to hold."""
        return onset_of(self.starts, note=self.new)

    @property
    def is_ahead(self) -> bool:
        """Return whether it goes on to hold until a day to come."""
        return self.onset in AHEAD

    @model_validator(mode="after")
    def _is_in_order(self) -> NotePair:
        if self.new.date <= self.old.date:
            raise ValueError(f"the new note is of {self.new.date}, not later than the old one of {self.old.date}")
        return self


def onset_of(starts: date | None, *, note: Note) -> Onset:
    """Return when what a note tells begins.

    Args:
        starts: the first day on which it holds; none: the note's own.
    """
    if starts is None or starts == note.date:
        return "then"
    if starts < note.date:
        return "earlier"
    said, first = Interval.of_moment(note.date), Interval.of_moment(starts)
    named, behind = (onset_day(note.text, anchor=said, onset=onset) for onset in AHEAD)
    return "day_after" if named != first == behind else "later"


def load(folder: Path) -> list[NotePair]:
    """Read the pairs of all fields, NAME.jsonl each.

    Raises:
        BadInput: where there are none.
    """
    read = rows.read_folder(NotePair, folder, holding="pairs of notes")
    return [pair.model_copy(update={"field": name}) for name, pair in read]
