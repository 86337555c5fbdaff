"""Pairs of an earlier and a later note."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dateline.protocols import Effect, Onset
from dateline_bench import rows

Kind = Literal[
    "value", "holder", "stopped", "moved", "announced", "withdrawn", "corrected", "reversed",
    "same",
    "look_alike", "other_attribute", "second_value", "retold", "unsettled", "event", "expected", "exception",
]  # fmt: skip
"""How life goes on, or seems to: eight kinds end the earlier note, one repeats it, eight leave it."""


class Note(BaseModel):
    """One or two sentences of a day, from a titled document."""

    model_config = ConfigDict(frozen=True)

    date: date
    text: str = Field(min_length=1)
    title: str = ""


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
        if self.starts is None or self.starts == self.new.date:
            return "then"
        return "later" if self.starts > self.new.date else "earlier"

    @model_validator(mode="after")
    def _is_in_order(self) -> NotePair:
        if self.new.date <= self.old.date:
            raise ValueError(f"the new note is of {self.new.date}, not later than the old one of {self.old.date}")
        return self


def load(folder: Path) -> list[NotePair]:
    """Read the pairs of all fields, NAME.jsonl each.

    Raises:
        BadInput: where there are none.
    """
    read = rows.read_folder(NotePair, folder, holding="pairs of notes")
    return [pair.model_copy(update={"field": name}) for name, pair in read]
