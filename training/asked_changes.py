"""Changes of statements that questions with a key tell: those with two answers, and those whose answer stands.

    asked_changes(folders) -> list[Change]

Of notes laid out as those of `benchmarks/notes`. Where a question has another answer on a later day, a statement near it that holds the
new answer, of a document that answers, ends one that holds the old. What came near a statement while its answer stood left it, or
restated it where it holds the answer, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from changes import Change
from numpy.typing import NDArray

from dateline.facts.fact_reader import read_facts
from dateline.facts.onset import day_of
from dateline.facts.setting import settings_of
from dateline.protocols import Effect
from dateline.text.embeddings import embed
from dateline_bench.benchmarks.notes import load
from dateline_bench.effects.pairs import Note
from dateline_bench.notes.facts import CURRENT, NEAREST, changes, tells
from dateline_bench.notes.questions import NoteQuestion, NotesCorpus, is_one_of
from dateline_graphs.components import shared_embeddings

BESIDE = 8
"""Of a statement that stands, so many of the nearest later ones are taken for what leaves it."""

Vectors = NDArray[np.floating]
Places = tuple[int, int]
"""The numbers of a later and an earlier statement."""


@dataclass(frozen=True)
class Said:
    """A dated statement of a corpus: its file, itself, and its vector."""

    file: str
    note: Note
    vector: Vectors


def asked_changes(folders: Sequence[Path], *, without: Sequence[str] = ()) -> list[Change]:
    """All pairs of the corpora in `folders`, those called as in `without` left out."""
    made = []
    for folder in folders:
        asked = sorted(load(folder), key=lambda item: item.corpus)
        for name, items in groupby(asked, key=lambda item: item.corpus):
            if name not in without:
                made += _of_corpus(NotesCorpus(folder / "corpora" / name), list(items))
    return made


def _of_corpus(corpus: NotesCorpus, items: Sequence[NoteQuestion]) -> list[Change]:
    said = statements(corpus)
    questions = list(dict.fromkeys(item.question for item in items))
    vectors = dict(zip(questions, embed(questions, embeddings=shared_embeddings()), strict=True))
    told: dict[Places, Effect] = {}
    for pair, effect in _told(said, items, vectors):
        if said[pair[0]].note.date > said[pair[1]].note.date and told.get(pair) != "ends":
            told[pair] = effect
    return [Change(said[earlier].note, said[later].note, effect) for (later, earlier), effect in told.items()]


def _told(
    said: Sequence[Said], items: Sequence[NoteQuestion], vectors: dict[str, Vectors]
) -> Iterator[tuple[Places, Effect]]:
    for old, new in changes(items):
        before = [place for place in _answering(said, old, vectors) if not tells(said[place].note.text, new)]
        after = [place for place in _answering(said, new, vectors) if said[place].note.date > old.moment.date()]
        for earlier in before:
            yield from (((later, earlier), "ends") for later in after)
            yield from _while_it_stood(said, earlier, old, items)
    for item in items:
        if item.category == CURRENT:
            for earlier in _answering(said, item, vectors):
                yield from _while_it_stood(said, earlier, item, items)


def _while_it_stood(
    said: Sequence[Said], earlier: int, item: NoteQuestion, items: Sequence[NoteQuestion]
) -> Iterator[tuple[Places, Effect]]:
    """Yield what was said before the answer changed; what announces or recalls another answer is no lesson."""
    first, last = said[earlier].note.date, item.moment.date()
    others = [one for one in items if one.question == item.question and one.gold != item.gold]
    later = [
        place
        for place, one in enumerate(said)
        if first < one.note.date <= last and not any(tells(one.note.text, other) for other in others)
    ]
    later.sort(key=lambda place: -float(said[place].vector @ said[earlier].vector))
    for place in later[:BESIDE]:
        yield (place, earlier), "restates" if _answers(said[place], item) else "leaves"


def _answering(said: Sequence[Said], item: NoteQuestion, vectors: dict[str, Vectors]) -> list[int]:
    """The statements near a question that hold its answer, of documents that answer it."""
    known = [place for place, one in enumerate(said) if one.note.date <= item.moment.date()]
    known.sort(key=lambda place: -float(said[place].vector @ vectors[item.question]))
    return [place for place in known[:NEAREST] if _answers(said[place], item)]


def _answers(one: Said, item: NoteQuestion) -> bool:
    return tells(one.note.text, item) and is_one_of(one.file, item.gold_docs)


def statements(corpus: NotesCorpus) -> list[Said]:
    """Every dated statement, as the store would read it."""
    found: list[tuple[str, Note]] = []
    for piece in corpus.documents:
        day = day_of(piece.published)
        if day is not None:
            facts = read_facts(piece)[0]
            told = (
                Note(date=day, title=where.title, text=fact.text, before=where.before)
                for fact, where in zip(facts, settings_of(facts), strict=True)
            )
            found += [(corpus.names[piece.id], note) for note in told]
    vectors = embed([note.text for _, note in found], embeddings=shared_embeddings()) if found else []
    return [Said(file, note, vector) for (file, note), vector in zip(found, vectors, strict=True)]
