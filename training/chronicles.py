"""Archives of notes with a key: what held from which day, by which sentence it is told, and what only sounds alike.

    read_archives(folder) -> list[Archive]
    Archive.questions(rng) -> Iterator[ArchiveQuestion]

    python training/chronicles.py KEYS OUT    writes the archives of KEYS as `dateline evaluate notes OUT` takes them

`chronicles/NAME/` holds the documents of an archive, `chronicles/NAME.key` its key; both were written by hand, apart from the code.
One item a line, its parts between " :: ":

    doc FILE :: DAY                              the day of a document, or "undated"
    state NAME                                   a thing that has one value at a time; the lines below are of it
    ask QUESTION                                 asks for its value in the present tense
    + FILE :: FROM :: ANSWER / OTHER :: QUOTE    a value from a day on, and the sentence that tells it
    = FILE :: QUOTE                              the value above, said again
    - FILE :: of FILE :: QUOTE                   takes back what another document told
    x FILE :: QUOTE                              sounds alike and changes nothing
    yes|no|open DAY :: QUESTION                  a question for yes or no; "open" where nothing is said
    at DAY :: QUESTION :: ANSWER :: FILE         about another time, or about a time
    other                                        the lines below are of no state
    list|count DAY :: QUESTION :: A / B :: FILES
    none DAY :: QUESTION                         not told in the archive
"""

from __future__ import annotations

import json
import random
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from dateline.reading.vacancy import NOBODY
from dateline_bench.notes.questions import NoteQuestion

CHRONICLES = Path(__file__).parent / "chronicles"
_NOBODY = ("nobody", "nothing")
_VACANT = (NOBODY, "no one", "nothing", "none", "vacant")
AGES = 400
"""Days after the last change at most on which it is asked for."""


@dataclass(frozen=True)
class Version:
    """A value of a state: told by a document on a day, from a day on, in the words of a quote; `off` once it is taken back."""

    file: str
    told: date | None
    since: date
    answers: tuple[str, ...]
    quote: str
    repeats: tuple[tuple[str, str], ...] = ()
    off: date | None = None
    off_file: str = ""
    off_quote: str = ""

    @property
    def vacant(self) -> bool:
        """Whether it is that nobody or nothing is it."""
        return self.answers[0].lower() in _NOBODY

    @property
    def known(self) -> date:
        """The day from which it is known; of an undated document, the day from which it holds."""
        return self.told or self.since


@dataclass(frozen=True)
class Asked:
    """A question with its day, its answers, and the documents that tell them."""

    kind: str
    day: date
    text: str
    answers: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass
class State:
    """A thing that has one value at a time."""

    name: str
    asks: list[str] = field(default_factory=list)
    versions: list[Version] = field(default_factory=list)
    alike: list[tuple[str, str]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def at(self, day: date) -> Version | None:
        """The version that holds on a day by what is known then."""
        held = [
            one for one in self.versions if one.known <= day and one.since <= day and not (one.off and one.off <= day)
        ]
        return max(held, key=lambda one: (one.since, one.known), default=None)

    def turns(self) -> list[date]:
        """The days on which what holds, or what is known, changes."""
        found = {day for one in self.versions for day in (one.known, one.since, one.off) if day}
        return sorted(found)


@dataclass
class Archive:
    """Documents with their days, and what is told in them."""

    name: str
    folder: Path
    days: dict[str, date | None] = field(default_factory=dict)
    states: list[State] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def questions(self, rng: random.Random) -> Iterator[ArchiveQuestion]:
        """Yield questions with what is right: each state between any two of its turns, and all that is asked by name."""
        last = max(day for day in self.days.values() if day)
        for state in self.states:
            turns = [*state.turns()]
            for start, end in zip(turns, [*turns[1:], last + timedelta(days=AGES)], strict=True):
                version = state.at(start)
                if version is None:
                    continue
                day = start + timedelta(days=rng.randrange(max(1, min(AGES, (end - start).days))))
                note = self._of_state(state, version, rng.choice(state.asks), day)
                yield ArchiveQuestion(self, state, note, day, version)
            for asked in state.asked:
                yield ArchiveQuestion(self, state, self._asked(asked, state), asked.day, state.at(asked.day))
        for asked in self.asked:
            yield ArchiveQuestion(self, None, self._asked(asked, None), asked.day, None)

    def _of_state(self, state: State, version: Version, text: str, day: date) -> NoteQuestion:
        announced = any(one.known <= day < one.since for one in state.versions)
        off = any(one.off and one.off <= day for one in state.versions)
        category = "vacant" if version.vacant else "announced" if announced else "retraction" if off else "current"
        gold = _VACANT if version.vacant else version.answers
        return self._note(category, text, day, gold, "any", self.telling(version, day))

    def telling(self, version: Version, day: date) -> set[str]:
        """The documents known on a day that tell a version, or repeat it."""
        again = {file for file, _ in version.repeats if (told := self.days.get(file)) is None or told <= day}
        return {version.file} | again

    def _asked(self, asked: Asked, state: State | None) -> NoteQuestion:
        files = set(asked.files)
        if asked.kind in ("yes", "no"):
            version = state and state.at(asked.day)
            told = self.telling(version, asked.day) if version else set()
            return self._note("yesno", asked.text, asked.day, (asked.kind,), "yesno", told)
        if asked.kind in ("open", "none"):
            return self._note("unanswerable", asked.text, asked.day, (), "none", set())
        if asked.kind == "list":
            return self._note("list", asked.text, asked.day, (asked.answers,), "all", files)
        return self._note(
            "count" if asked.kind == "count" else "past", asked.text, asked.day, asked.answers, "any", files
        )

    def _note(
        self, category: str, text: str, day: date, gold: Sequence[object], match: str, files: set[str]
    ) -> NoteQuestion:
        return NoteQuestion.model_validate(
            {
                "id": f"{self.name}: {text} {day}",
                "corpus": self.name,
                "category": category,
                "question": text,
                "as_of": day.isoformat(),
                "gold": tuple(gold),
                "match": match,
                "gold_docs": files,
            }
        )


@dataclass(frozen=True)
class ArchiveQuestion:
    """A question on an archive; of a state, with the version that holds then."""

    archive: Archive
    state: State | None
    note: NoteQuestion
    day: date
    version: Version | None


def read_archives(folder: Path = CHRONICLES) -> list[Archive]:
    """Read all keys of a folder, by name."""
    return [read_archive(file) for file in sorted(folder.glob("*.key"))]


def read_archive(key: Path) -> Archive:
    """Read a key. Raises ValueError that names a line of no known form."""
    archive = Archive(key.stem, key.with_suffix(""))
    state: State | None = None
    for number, line in enumerate(key.read_text("utf-8").splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        word, _, rest = line.strip().partition(" ")
        parts = [part.strip() for part in rest.split(" :: ")]
        try:
            state = _take(archive, state, word, parts)
        except (ValueError, AttributeError, IndexError) as cause:
            raise ValueError(f"{key} line {number}: {line!r}") from cause
    return archive


def _take(archive: Archive, state: State | None, word: str, parts: list[str]) -> State | None:
    match word:
        case "doc":
            archive.days[parts[0]] = None if parts[1] == "undated" else date.fromisoformat(parts[1])
        case "state":
            archive.states.append(State(parts[0]))
            return archive.states[-1]
        case "other":
            return None
        case "ask":
            state.asks.append(parts[0])  # type: ignore[union-attr]
        case "+":
            file, since, answers, quote = parts
            told = archive.days[file]
            state.versions.append(Version(file, told, date.fromisoformat(since), _answers(answers), quote))  # type: ignore[union-attr]
        case "=":
            _change(state, -1, repeats=(*state.versions[-1].repeats, (parts[0], parts[1])))  # type: ignore[union-attr]
        case "-":
            files = [one.file for one in state.versions]  # type: ignore[union-attr]
            place = len(files) - 1 - files[::-1].index(parts[1].removeprefix("of "))
            _change(state, place, off=archive.days[parts[0]], off_file=parts[0], off_quote=parts[2])
        case "x":
            state.alike.append((parts[0], parts[1]))  # type: ignore[union-attr]
        case "yes" | "no" | "open" | "none" | "at" | "list" | "count":
            answers = _answers(parts[2]) if len(parts) > 2 else ()
            files = tuple(file.strip() for file in parts[3].split(",")) if len(parts) > 3 else ()
            asked = Asked(word, date.fromisoformat(parts[0]), parts[1], answers, files)
            (state or archive).asked.append(asked)
        case _:
            raise ValueError(word)
    return state


def _answers(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(" / "))


def _change(state: State | None, place: int, **parts: Any) -> None:
    assert state is not None
    state.versions[place] = replace(state.versions[place], **parts)


_APOSTROPHE = re.compile("['’‘]")


def place_of(quote: str, text: str) -> tuple[int, int] | None:
    """Return the characters at which a quote stands in a text, whatever white space and apostrophes are between its words."""
    words = [_APOSTROPHE.sub("['’‘]", re.escape(word)) for word in quote.split()]
    found = re.search(r"\s+".join(words), text)
    return (found.start(), found.end()) if found else None


ASKED, YES_OR_NO = 30, 12
"""Questions on states, and for yes or no, of an archive that is measured."""


def measured(archive: Archive, rng: random.Random) -> list[NoteQuestion]:
    """Questions that measure: one on each state on several days, and what is asked by name."""
    states = [replace(state, asks=[rng.choice(state.asks)], asked=[]) for state in archive.states]
    of_states = [one.note for one in replace(archive, states=states, asked=[]).questions(rng)]
    asked = [one for each in (*archive.states, archive) for one in each.asked]
    named = [one.note for one in archive.questions(rng) if any(one.note.question == each.text for each in asked)]
    yes_or_no = [one for one in named if one.match == "yesno"]
    return [
        *rng.sample(of_states, min(ASKED, len(of_states))),
        *rng.sample(yes_or_no, min(YES_OR_NO, len(yes_or_no))),
        *(one for one in named if one.match != "yesno"),
    ]


def main() -> None:
    """Write archives as questions over notes."""
    keys, out = map(Path, sys.argv[1:])
    rng = random.Random(0)
    rows = []
    for archive in read_archives(keys):
        shutil.copytree(archive.folder, out / "corpora" / archive.name)
        rows += [one.model_dump(mode="json") for one in measured(archive, rng)]
    for number, row in enumerate(rows):
        row["id"], row["gold_docs"] = f"{row['corpus']}-{number:03}", sorted(row["gold_docs"])
    (out / "questions.jsonl").write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
