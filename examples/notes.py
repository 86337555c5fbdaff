"""The notes that the example apps hold, as plain apps hold them: text, title and date. Nothing of dateline is in here."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import yaml

CORPUS = Path(__file__).parent / "corpus"


class Note(NamedTuple):
    """One note; `date` is YYYY-MM-DD."""

    text: str
    title: str
    date: str
    source: str


def load_notes() -> list[Note]:
    """The notes of `corpus/` that begin with a title and a date, oldest first."""
    notes = []
    for path in CORPUS.glob("*.md"):
        _, *head = path.read_text(encoding="utf-8").split("---\n", 2)
        fields = yaml.safe_load(head[0]) if len(head) == 2 else {}
        if isinstance(fields, dict) and "date" in fields:
            notes.append(Note(head[1].strip(), str(fields["title"]), str(fields["date"]), path.name))
    return sorted(notes, key=lambda note: (note.date, note.source))
