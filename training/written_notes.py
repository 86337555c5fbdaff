"""Notes written by hand with questions on them (`written_notes.txt`), one block a note.

    examples(rng, size) -> Iterator[Example]

"note:" is the text, "title:" its title; "yes:", "no:" and "open:" are questions for yes or no, the last ones left open; "ask:" has
an answer that stands in the note, "list:" several, "none:" none. Notes that are neighbours in the file stand beside it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from made_up_notes import written
from timeqa import Example

from dateline.reading.verdicts import Said
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval, civil_from_days

NOTES = Path(__file__).parent / "written_notes.txt"
NEAR = 8
"""Notes of a group are at most so far from each other in the file."""
DATED = 0.7
"""Share of the notes whose day is known. Chosen by hand."""
_SAID: dict[str, Said] = {"yes": "yes", "no": "no", "open": "unsaid"}


@dataclass
class Note:
    """A note and its questions: (mark, question, answers)."""

    text: str
    title: str = ""
    asked: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)


def read_notes(path: Path = NOTES) -> list[Note]:
    """Read the sheet. Raises ValueError where an answer does not stand in its note."""
    found: list[Note] = []
    for line in path.read_text("utf-8").splitlines():
        mark, _, rest = line.partition(":")
        question, *answers = (each.strip() for each in rest.split(" | "))
        match mark:
            case "note":
                found.append(Note(rest.strip()))
            case "title":
                found[-1].title = rest.strip()
            case "yes" | "no" | "open" | "ask" | "list" | "none":
                missing = [each for each in answers if each not in found[-1].text]
                if missing or (mark in ("ask", "list")) != bool(answers):
                    raise ValueError(f"{question!r}: {missing or answers} is not in {found[-1].text!r}")
                found[-1].asked.append((mark, question, tuple(answers)))
    return found


def examples(*, rng: random.Random, size: int = 3) -> Iterator[Example]:
    """One group of at most `size` notes for each question."""
    notes = read_notes()
    for place, note in enumerate(notes):
        for mark, question, answers in note.asked:
            near = [other for other in notes[max(0, place - NEAR) : place + NEAR + 1] if other is not note]
            yield _example(
                note, mark, question, answers, rng.sample(near, rng.randint(0, min(size - 1, len(near)))), rng
            )


def _example(
    note: Note, mark: str, question: str, answers: tuple[str, ...], others: Sequence[Note], rng: random.Random
) -> Example:
    day = rng.randint(15_500, 20_400)  # 2012 to 2025
    year, month, number = civil_from_days(day + rng.randint(0, 60))
    group = rng.sample([note, *others], 1 + len(others))
    place = group.index(note)
    said = mark in ("ask", "list", "yes", "no")
    spans = [(note.text.find(answer), answer) for answer in answers]
    return Example(
        question=decompose(question, as_of=datetime(year, month, number, 23, 59, tzinfo=UTC)),
        evidence=tuple(_evidence(one, day if one is note else day - rng.randint(-20, 400), rng) for one in group),
        answers=answers,
        gold=frozenset({place} if said else ()),
        kind="written",
        spans=tuple((start, start + len(answer)) for start, answer in spans),
        verdict=_SAID.get(mark),
    )


def _evidence(note: Note, day: int, rng: random.Random) -> Evidence:
    published = Interval.of_day(*civil_from_days(day)) if rng.random() < DATED else None
    title = note.title or (written(day, rng) if rng.random() < 0.1 else "")
    return Evidence.make(note.text, title=title, published=published)
