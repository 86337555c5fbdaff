"""One state of an index's file, and the memory of earlier ones."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.latest import Latest
from dateline.search.index.columns import Catalogue, Columns, Integers
from dateline.search.index.cosines import Cosines
from dateline.search.index.evidence_text import read_evidence
from dateline.search.index.postings import Occurrences, Postings
from dateline.search.index.sqlite_file import decoding
from dateline.search.index.store import FoundPassage, Vector

KEPT = 4096
"""Passages that stay in memory, about 10 kB each, the latest read."""

_KEPT_BYTES = 32 * 2**20
"""Postings that stay in memory, the latest asked for."""

_EMPTY = Catalogue(-1, {}, Columns.joined([]), np.zeros(0, dtype=np.bool_))


@dataclass(eq=False)
class IndexMemory:
    """Memory of one file: its catalogue and what was asked for last."""

    catalogue: Catalogue = _EMPTY
    refreshing: Any = field(default_factory=Lock)
    postings: Latest[tuple[int, int, int], Occurrences] = field(default_factory=lambda: Latest(size=_KEPT_BYTES))
    passages: Latest[int, FoundPassage] = field(default_factory=lambda: Latest(size=KEPT))
    cosines: Latest[tuple[int, bytes], Cosines] = field(default_factory=lambda: Latest(size=4))


@dataclass
class IndexSnapshot:
    """State that one connection sees, read as it is asked for.

    Attributes:
        path: the file.
        connection: within a transaction.
        memory: that of the file.

    Raises:
        DamagedIndex: where stored bytes are not what was written.
    """

    path: Path
    connection: sqlite3.Connection
    memory: IndexMemory

    @cached_property
    def catalogue(self) -> Catalogue:
        """Return the columns of all passages."""
        memory = self.memory
        with decoding(self.path):
            told = self.connection.execute("SELECT value FROM about WHERE name = 'generation'").fetchone()
            generation = int(told[0])
            if memory.catalogue.generation == generation:
                return memory.catalogue
            with memory.refreshing:
                if memory.catalogue.generation != generation:
                    memory.catalogue = self._loaded(generation, memory.catalogue)
                return memory.catalogue

    def found(self, term: np.uint64, *, kind: int) -> Occurrences:
        """Return a word's postings over all living rows."""
        catalogue = self.catalogue
        number = int(np.uint64(term).view(np.int64))
        key = (catalogue.generation, number, kind)
        if (known := self.memory.postings.get(key)) is not None:
            return known
        with decoding(self.path):
            rows = self.connection.execute(
                "SELECT segment, data FROM postings WHERE term = ? AND kind = ? ORDER BY segment", (number, kind)
            )
            parts = ((catalogue.segments[segment].start, Postings.from_bytes(data)) for segment, data in rows)
            joined = Postings.joined([Postings(start + part.rows, part.counts) for start, part in parts])
            living = catalogue.alive[joined.rows]
        kept = joined if living.all() else Postings(joined.rows[living], joined.counts[living])
        found = Occurrences(kept, catalogue.columns)
        self.memory.postings.put(key, found, weight=found.nbytes)
        return found

    def cosines(self, vector: Vector) -> Cosines:
        """Return the cosines with a vector, as far as they are known."""
        vector = np.asarray(vector, dtype=np.float32)
        key = (self.catalogue.generation, vector.tobytes())
        found = self.memory.cosines.get(key)
        if found is None:
            found = Cosines(self.catalogue.columns, vector)
            self.memory.cosines.put(key, found)
        return found

    def vectors(self, numbers: Integers) -> NDArray[np.float32]:
        """Return the vectors of passages, in their order; shape (n, dimensions)."""
        with decoding(self.path):
            found = self.connection.execute(
                "SELECT number, vector FROM vectors WHERE number IN (SELECT value FROM json_each(?))",
                [json.dumps(numbers.tolist())],
            ).fetchall()
            if len(found) != len(numbers):
                raise ValueError("a passage has no vector")
            vectors = np.frombuffer(b"".join(vector for _, vector in found), dtype="<f2").reshape(len(found), -1)
            places = {number: place for place, (number, _) in enumerate(found)}
            return vectors[[places[number] for number in numbers.tolist()]].astype(np.float32)

    def passages(self, numbers: Sequence[int]) -> Mapping[int, FoundPassage]:
        """Return those passages that are still there, by their numbers."""
        catalogue, kept = self.catalogue, self.memory.passages
        there = catalogue.columns.numbers[catalogue.rows_of(np.array(numbers, dtype=np.int64))].tolist()
        known = {each: passage for each in there if (passage := kept.get(each)) is not None}
        with decoding(self.path):
            rows = self.connection.execute(
                "SELECT number, place, evidence, prepared FROM passages WHERE number IN (SELECT value FROM json_each(?))",
                [json.dumps([each for each in there if each not in known])],
            ).fetchall()
            fresh = {
                number: FoundPassage(read_evidence(evidence), place, prepared)
                for number, place, evidence, prepared in rows
            }
        for number, passage in fresh.items():
            kept.put(number, passage)
        return known | fresh

    def _loaded(self, generation: int, old: Catalogue) -> Catalogue:
        parts: list[Columns] = []
        segments: dict[int, range] = {}
        row = 0
        for segment, size in self.connection.execute("SELECT id, size FROM segments ORDER BY id").fetchall():
            if (known := old.segments.get(segment)) is not None:
                parts.append(old.columns.take(slice(known.start, known.stop)))
            else:
                asked = "SELECT columns FROM segments WHERE id = ?"
                parts.append(Columns.from_bytes(self.connection.execute(asked, (segment,)).fetchone()[0]))
            if len(parts[-1]) != size:
                raise ValueError(f"segment {segment} is not whole")
            segments[segment] = range(row, row + size)
            row += size
        columns = Columns.joined(parts)
        alive = np.ones(row, dtype=np.bool_)
        catalogue = Catalogue(generation, segments, columns, alive)
        gone = self.connection.execute("SELECT number FROM gone").fetchall()
        alive[catalogue.rows_of(np.array([number for (number,) in gone], dtype=np.int64))] = False
        return catalogue
