"""Training questions over archives with a key, with the notes that a search finds.

    examples(folder, rng, size) -> Iterator[Example]

Of each note it is known where it tells what holds, what held before, and what only sounds like it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from chronicles import CHRONICLES, Archive, ArchiveQuestion, Version, place_of, read_archives
from timeqa import Example

from dateline.ranking import HybridRanker
from dateline.reading.digest import NOBODY
from dateline.records import Evidence
from dateline.search import FolderSearch
from dateline.text import default_embeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench.notes.questions import NotesCorpus, is_one_of

FOUND, POOL = 9, 40
"""The best found, of which a group is drawn, and how many documents are searched for."""
NEAREST = 0.6
"""Share of the groups whose other notes are the best found; else they are drawn from all found. Chosen by hand."""

Place = tuple[int, int, int]
"""A piece's number in its group, and characters (start, end) in it."""


def examples(folder: Path = CHRONICLES, *, rng: random.Random, size: int, share: float = 1.0) -> Iterator[Example]:
    """One group of at most `size` pieces for each of a share of the questions, archive by archive."""
    embeddings = RememberedEmbeddings(default_embeddings())
    ranker = HybridRanker(embeddings=embeddings)
    for archive in read_archives(folder):
        corpus = NotesCorpus(archive.folder)
        search = FolderSearch.open(archive.folder, embeddings=embeddings)
        for asked in archive.questions(rng):
            if rng.random() >= share:
                continue
            question = asked.note.parsed
            found = search.search(question.text, as_of=question.as_of, k=POOL).evidence
            if not found:
                continue
            best = [one.evidence for one in ranker.rank(question, evidence=found, k=len(found))]
            made = _example(asked, best, corpus, rng, size)
            if made is not None:
                yield made


def _example(
    asked: ArchiveQuestion, best: Sequence[Evidence], corpus: NotesCorpus, rng: random.Random, size: int
) -> Example | None:
    note, question = asked.note, asked.note.parsed
    telling = [piece for piece in best if is_one_of(corpus.listed([piece])[0], note.gold_docs)]
    right = [piece for piece in telling if _says(asked, piece)][:size]
    if note.answerable and not right:
        return None
    # A piece of a telling document that does not say it is neither right nor wrong; nor is one that says it unasked.
    unsure = [piece for piece in telling if piece not in right]
    if asked.version is None and note.match != "none":
        unsure += [piece for piece in best if _written(note.choices, piece.text)]
    others = [piece for piece in best[: FOUND if rng.random() < NEAREST else POOL] if piece not in (*right, *unsure)]
    if len(others) > FOUND:
        others = rng.sample(others, FOUND)
    group = [*right, *others[: size - len(right)]]
    rng.shuffle(group)
    if not group:
        return None
    names = [corpus.listed([piece])[0] for piece in group]
    gold = frozenset(place for place, piece in enumerate(group) if piece in right)
    spans, older = (), ()
    if asked.state is not None and asked.version is not None and asked.note.category not in ("past", "unanswerable"):
        spans = tuple(_places(asked.archive, asked.version, group, names))
        former = [
            one for one in asked.state.versions if one is not asked.version and max(one.known, one.since) <= asked.day
        ]
        older = tuple(place for one in former for place in _places(asked.archive, one, group, names))
        older = tuple(place for place in older if place not in spans)
    elif note.match != "none":
        wanted = [part for parts in note.alternatives for part in parts]
        spans = tuple((place, *one) for place in gold for one in _worded(wanted, group[place].text))
    vacant = asked.version is not None and asked.version.vacant and note.match == "any" and asked.state is not None
    vacant = vacant and note.category == "vacant"
    if note.match == "any" and not vacant and not spans:
        return None
    verdict = {"yes": "yes", "no": "no"}.get(note.choices[0]) if note.match == "yesno" else None
    if note.match == "none" and asked.state is not None:
        verdict = "unsaid"
    return Example(
        question=question,
        evidence=tuple(group),
        answers=(NOBODY,) if vacant else tuple(one for parts in note.alternatives for one in parts),
        gold=gold,
        kind=f"archive {note.category}",
        spans=spans,
        older=older,
        verdict=verdict,  # type: ignore[arg-type]
    )


def _says(asked: ArchiveQuestion, piece: Evidence) -> bool:
    """Whether a piece of a telling document is the one that tells it."""
    if asked.version is None or asked.note.category in ("past", "list", "count"):
        return any(_written(list(parts), piece.text) for parts in asked.note.alternatives)
    quotes = [asked.version.quote, *(quote for _, quote in asked.version.repeats)]
    return any(place_of(quote, piece.text) for quote in quotes)


def _written(wordings: Sequence[str], text: str) -> bool:
    return any(_worded([one], text) for one in wordings)


def _worded(wordings: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Where any of some wordings stands in a text as whole words; of wordings within each other the longest."""
    found: list[tuple[int, int]] = []
    for one in sorted(wordings, key=len, reverse=True):
        pattern = r"\s+".join(re.escape(word) for word in one.split())
        for each in re.finditer(rf"(?<!\w){pattern}(?!\w)", text, re.I):
            if not any(start <= each.start() and each.end() <= end for start, end in found):
                found.append((each.start(), each.end()))
    return found


def _places(archive: Archive, version: Version, group: Sequence[Evidence], names: Sequence[str]) -> Iterator[Place]:
    """Where a version's answers stand in the sentences that tell it."""
    if version.vacant:
        return
    told = [(version.file, version.quote), *version.repeats]
    for number, (piece, name) in enumerate(zip(group, names, strict=True)):
        for file, quote in told:
            at = place_of(quote, piece.text) if is_one_of(name, frozenset({file})) else None
            if at is not None:
                for start, end in _worded(version.answers, piece.text[at[0] : at[1]]):
                    yield number, at[0] + start, at[0] + end
