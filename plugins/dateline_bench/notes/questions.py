"""Questions over notes, each as of a day, and the notes themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from dateline.documents.rules import date_rules
from dateline.errors import BadInput
from dateline.formats.table import LINE_ENDINGS
from dateline.records import Evidence
from dateline.search import FolderLimits, load_documents
from dateline.search.documents import dated_passages, raws_of
from dateline.search.folder_files import FolderFiles, name_in
from dateline.temporal.as_of import read_moment
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose

AFTER = datetime(2100, 1, 1, tzinfo=UTC)
"""A moment after every question: the clock of a run, so that a figure does not hang on the day it is measured."""

NoteMatch = Literal["any", "all", "yesno", "none"]
"""One accepted answer, every part of one, yes or no, or nothing to be answered."""


class NoteQuestion(BaseModel):
    """One question as of a day, with what is right then."""

    model_config = ConfigDict(frozen=True)

    id: str
    corpus: str = Field(min_length=1)
    category: str = Field(min_length=1)
    question: str = Field(min_length=1)
    as_of: str
    gold: tuple[str | tuple[str, ...], ...] = ()
    match: NoteMatch
    gold_docs: frozenset[str] = frozenset()

    @field_validator("as_of")
    @classmethod
    def _is_a_day(cls, given: str) -> str:
        try:
            read_moment(given, future_ok=True)
        except BadInput as cause:
            raise ValueError(str(cause)) from cause
        return given

    @model_validator(mode="before")
    @classmethod
    def _lower_yes_and_no(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("match") == "yesno" and isinstance(given.get("gold"), list):
            return {**given, "gold": [one.lower() if isinstance(one, str) else one for one in given["gold"]]}
        return given

    @model_validator(mode="after")
    def _has_what_is_right(self) -> NoteQuestion:
        if self.answerable and not self.gold:
            raise ValueError(f"gold is empty, which only match none allows, not {self.match}")
        if self.match in ("any", "yesno") and self.choices != self.gold:
            raise ValueError(f"gold holds lists of parts, which only match all allows, not {self.match}")
        return self

    @property
    def answerable(self) -> bool:
        """Return whether there is an answer to give."""
        return self.match != "none"

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the accepted answers that are one text."""
        return tuple(gold for gold in self.gold if isinstance(gold, str))

    @property
    def alternatives(self) -> tuple[tuple[str, ...], ...]:
        """Return the accepted answers as the parts of each."""
        return tuple((gold,) if isinstance(gold, str) else gold for gold in self.gold)

    @property
    def moment(self) -> datetime:
        """Return the moment of asking: the end of its day."""
        return read_moment(self.as_of, future_ok=True)

    @property
    def parsed(self) -> Question:
        """Return the question taken apart by rules."""
        return decompose(self.question, as_of=self.moment)


@dataclass(frozen=True)
class NotesCorpus:
    """One folder of notes: its passages, and which document each is of.

    A document goes by its file's name in the folder, a line of a file by its `source`.
    """

    folder: Path

    @cached_property
    def documents(self) -> Sequence[Evidence]:
        """Return the passages, dated."""
        return load_documents(self.folder).documents

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Return each passage's document, by the passage's id."""
        return {piece.id: self._homes.get((piece.origin, piece.text), piece.origin) for piece in self.documents}

    @cached_property
    def _homes(self) -> Mapping[tuple[str, str], str]:
        """Map (origin, text) to files, which a note's own `source` hides."""
        rules, homes = date_rules(()), {}
        for file in FolderFiles.of(self.folder, limits=FolderLimits()).files:
            if file.suffix.lower() not in LINE_ENDINGS:
                for raw in raws_of(file, root=self.folder, name="", rules=rules, skipped=[]):
                    place = name_in(file, root=self.folder)
                    homes.update({(raw.source or raw.url, text): place for text, _ in dated_passages(raw)})
        return homes

    def of(self, wanted: frozenset[str]) -> list[Evidence]:
        """Return the passages of some documents."""
        return [piece for piece in self.documents if is_one_of(self.names[piece.id], wanted)]

    def listed(self, pieces: Sequence[Evidence]) -> tuple[str, ...]:
        """Return the documents of passages, each once, in their order."""
        return tuple(dict.fromkeys(self.names.get(piece.id, piece.origin) for piece in pieces))


def is_one_of(document: str, wanted: frozenset[str]) -> bool:
    """Compare a document's name with others, with or without folders."""
    return document in wanted or document.rpartition("/")[2] in wanted
