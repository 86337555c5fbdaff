"""Changes of statements in archives with a key: what a later statement does to an earlier one.

    archive_changes(seed=0) -> list[Change]

What the key quotes is looked for among the statements that the fact store reads. A version ends the one before it, wherever that was
told or repeated; what repeats a version restates it; what takes one back ends it. What the key says only sounds alike leaves all
versions as they are, and so do statements near to them that speak of other states.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from changes import TIMES, Change
from chronicles import CHRONICLES, Archive, State, read_archives

from dateline.facts.fact_reader import read_facts
from dateline.protocols import Effect
from dateline.temporal.interval import moment_of
from dateline.text.embeddings import embed
from dateline.text.words import words
from dateline_bench.effects.pairs import Note, onset_of
from dateline_bench.notes.questions import NotesCorpus
from dateline_graphs.components import shared_embeddings

ALIKE = 0.6
"""Share of the words of a statement or of a quote, whichever is shorter, that the other must hold. Chosen by hand."""
NEAREST = 0.8
"""Statements as like a quote as this share of the likest one's are meant, too: a row is told cell by cell. Chosen by hand."""
SOUNDING, NEAR, OTHER = 3, 2, 1
"""Pairs that leave what was said: of each look-alike with versions of its state, of each version with the nearest statements on other
things before it, and with any."""
_AMONG = 8

Told = dict[tuple[int, int], tuple[Effect, date | None]]
"""What the statement of the first number does to that of the second, and the day from which."""


@dataclass(frozen=True)
class _Said:
    file: str
    day: date | None
    title: str
    text: str
    words: frozenset[str]

    @property
    def note(self) -> Note:
        assert self.day is not None
        return Note(date=self.day, title=self.title, text=self.text)


def archive_changes(folder: Path = CHRONICLES, *, seed: int) -> list[Change]:
    """All changes, and pairs that change nothing, drawn with `seed`."""
    rng = random.Random(seed)
    return [change for archive in read_archives(folder) for change in _of_archive(archive, rng)]


def _of_archive(archive: Archive, rng: random.Random) -> Iterator[Change]:
    said = sorted(_statements(archive), key=lambda one: (one.day is None, one.day or date.min))
    told: Told = {}
    of_states: dict[int, set[int]] = defaultdict(set)
    alike: list[tuple[int, int]] = []
    for number, state in enumerate(archive.states):
        versions, sounding = _read(state, said)
        for places in versions:
            for place in places:
                of_states[place].add(number)
        for pair, effect in _told(state, said, versions):
            told.setdefault(pair, effect)
        every = [place for places in versions for place in places]
        for place in sounding:
            near = [_in_order(said, place, other) for other in rng.sample(every, min(SOUNDING, len(every)))]
            alike += [pair for pair in near if pair is not None]
    for (later, earlier), (effect, since) in told.items():
        # What ends in part is no lesson: the rest of the statement goes on to hold.
        if effect == "restates" or of_states[earlier] <= of_states[later] or len(of_states[earlier]) < 2:
            yield from TIMES * [_change(said, later, earlier, effect, since)]
    left = {*alike, *_near(said, of_states, rng)}
    for later, earlier in sorted(left):
        if (later, earlier) not in told and not of_states[later] & of_states[earlier]:
            yield _change(said, later, earlier, "leaves", None)


def _change(said: Sequence[_Said], later: int, earlier: int, effect: Effect, since: date | None) -> Change:
    new, old = said[later].note, said[earlier].note
    return Change(old, new, effect, onset_of(since, note=new) if effect == "ends" else "then")


def _statements(archive: Archive) -> Iterator[_Said]:
    corpus = NotesCorpus(archive.folder)
    for piece in corpus.documents:
        start = piece.published.start if piece.published else None
        day = None if start is None else moment_of(start).date()
        for fact in read_facts(piece)[0]:
            yield _Said(corpus.names[piece.id], day, piece.title, fact.text, frozenset(words(fact.text)))


def _read(state: State, said: Sequence[_Said]) -> tuple[list[list[int]], list[int]]:
    """The statements that tell or repeat each version, and those that sound alike."""
    versions = [
        [
            place
            for file, quote in ((version.file, version.quote), *version.repeats)
            for place in _telling(said, file, quote, () if version.vacant else version.answers)
        ]
        for version in state.versions
    ]
    every = {place for places in versions for place in places}
    sounding = {place for file, quote in state.alike for place in _telling(said, file, quote, ())}
    return versions, sorted(sounding - every)


def _told(
    state: State, said: Sequence[_Said], versions: Sequence[Sequence[int]]
) -> Iterator[tuple[tuple[int, int], tuple[Effect, date | None]]]:
    for number, (version, places) in enumerate(zip(state.versions, versions, strict=True)):
        first = [place for place in places if said[place].file == version.file]
        for later in places:
            for earlier in places:
                if _in_order(said, later, earlier) == (later, earlier):
                    yield (later, earlier), ("restates", None)
        if number:
            for later in first:
                for earlier in versions[number - 1]:
                    if _in_order(said, later, earlier) == (later, earlier):
                        yield (later, earlier), ("ends", version.since)
        if version.off is not None:
            for later in _telling(said, version.off_file, version.off_quote, ()):
                for earlier in places:
                    if _in_order(said, later, earlier) == (later, earlier):
                        yield (later, earlier), ("ends", None)


def _in_order(said: Sequence[_Said], one: int, other: int) -> tuple[int, int] | None:
    """The later and the earlier of two; `None` where that is not known."""
    first, second = said[one].day, said[other].day
    if first is None or second is None or first == second:
        return None
    return (one, other) if first > second else (other, one)


def _near(said: Sequence[_Said], of_states: dict[int, set[int]], rng: random.Random) -> Iterator[tuple[int, int]]:
    """Pairs of a version with earlier statements: some of the nearest, and any."""
    vectors = embed([one.text for one in said], embeddings=shared_embeddings())
    for later in sorted(of_states):
        before = [place for place in range(len(said)) if _in_order(said, later, place) == (later, place)]
        before.sort(key=lambda place: -float(vectors[later] @ vectors[place]))
        near, rest = before[:_AMONG], before[_AMONG:]
        yield from ((later, place) for place in rng.sample(near, min(NEAR, len(near))))
        yield from ((later, place) for place in rng.sample(rest, min(OTHER, len(rest))))


def _telling(said: Sequence[_Said], file: str, quote: str, answers: Sequence[str]) -> list[int]:
    """The statements of a file that say what a quote says, with its answer: of those that share the most words with it."""
    wanted = frozenset(words(quote))
    found: dict[int, float] = {}
    for place, one in enumerate(said):
        if one.file != file or not one.words or not wanted:
            continue
        shared = len(one.words & wanted)
        if shared >= ALIKE * min(len(one.words), len(wanted)) and _holds(one, answers):
            found[place] = shared / len(one.words | wanted)
    return [place for place, likeness in found.items() if likeness >= NEAREST * max(found.values())]


def _holds(said: _Said, answers: Sequence[str]) -> bool:
    """Whether a statement holds an answer beside its title, where there is one to hold."""
    own = (said.text.replace(said.title, "") if said.title else said.text).lower()
    return not answers or any(answer.lower() in own for answer in answers)
