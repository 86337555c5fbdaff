"""Passages in one SQLite file, opened in a moment."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dateline.ranking.bm25 import rarities, saturated, top
from dateline.ranking.candidates import CandidateFilter
from dateline.search.index.columns import Catalogue, Columns, Integers
from dateline.search.index.evidence_text import evidence_text
from dateline.search.index.merging import merge, to_merge, write_columns
from dateline.search.index.postings import postings_of
from dateline.search.index.snapshot import IndexMemory, IndexSnapshot
from dateline.search.index.sqlite_file import MARK, WAIT_SECONDS, DamagedIndex, SqliteFile, damage_told, decoding
from dateline.search.index.store import (
    FoundPassage,
    Hits,
    PartChange,
    PartState,
    PassageStore,
    StoredDocument,
    StoredPassage,
    TextKind,
    Vector,
    Words,
    WordStatistics,
    check_settings,
)

FORMAT = 2
"""Counts up when the tables change; an index of another format is built anew."""

_TEXT, _TITLE = 0, 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parts (name TEXT PRIMARY KEY, state TEXT, first INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS passages (number INTEGER PRIMARY KEY, place INTEGER, evidence TEXT, prepared BLOB);
CREATE TABLE IF NOT EXISTS vectors (number INTEGER PRIMARY KEY, vector BLOB);
CREATE TABLE IF NOT EXISTS segments (id INTEGER PRIMARY KEY AUTOINCREMENT, size INTEGER, columns BLOB);
CREATE TABLE IF NOT EXISTS postings (
    term INTEGER, kind INTEGER, segment INTEGER, data BLOB, PRIMARY KEY (term, kind, segment)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS postings_of_segment ON postings (segment);
CREATE TABLE IF NOT EXISTS gone (number INTEGER PRIMARY KEY);
"""


class SqlitePassageStore(PassageStore):
    """A `PassageStore` in one file, for the processes of one machine.

    Dates, lengths and 512 bits of each vector are held in memory, about 120 bytes a passage; all else stays on disk. Words are
    searched exactly. The nearest vectors are those of the nearest bits, by their exact cosine.

    Args:
        path: the file; made where there is none.
        settings: what it is made with.

    Raises:
        BadInput: when the file was made with other settings, or is no index.
        DamagedIndex: when it is no index, or not whole.
        OSError: when it cannot be made.

    Example:
        >>> store = SqlitePassageStore(Path("notes.index"), settings={"encoder": "lexical-1024"})
        >>> store.count(), dict(store.settings)
        (0, {'encoder': 'lexical-1024'})
    """

    def __init__(self, path: Path, *, settings: Mapping[str, Any]) -> None:
        self._path, self._settings = path, dict(settings)
        self._file = SqliteFile(path, known=IndexMemory)
        with damage_told(path):
            self._create()
        self.count()  # reads the columns, so that a file that is not whole is known at once

    def __reduce__(self) -> tuple[Callable[..., SqlitePassageStore], tuple[Any, ...]]:
        return partial(SqlitePassageStore, self._path, settings=self._settings), ()

    # -- what is stored --------------------------------------------------------------------------

    @property
    def settings(self) -> Mapping[str, Any]:
        return dict(self._settings)

    def parts(self) -> Mapping[str, PartState]:
        with self._read() as state, decoding(self._path):
            rows = state.connection.execute("SELECT name, state FROM parts ORDER BY name").fetchall()
            return {name: PartState.from_json(told) for name, told in rows}

    def change(self, changes: Sequence[PartChange]) -> None:
        with self._file.changing() as (connection, _):
            with decoding(self._path):
                first = int(connection.execute("SELECT value FROM about WHERE name = 'next'").fetchone()[0])
            renewed: list[tuple[str, str, int]] = []
            passages: list[StoredPassage] = []
            for each in changes:
                if each.passages is None and each.state is not None:
                    connection.execute("UPDATE parts SET state = ? WHERE name = ?", (each.state.to_json(), each.part))
                    continue
                self._forget(connection, each.part)
                if each.state is not None:
                    renewed.append((each.part, each.state.to_json(), first + len(passages)))
                    passages += each.passages or ()
            connection.executemany("INSERT INTO parts VALUES (?, ?, ?)", renewed)
            if passages:
                self._add(connection, passages, first=first)
            self._counted(connection)

    def tidy(self) -> None:
        with self._file.changing() as (connection, memory):
            catalogue = IndexSnapshot(self._path, connection, memory).catalogue
            with decoding(self._path):
                for chosen in to_merge(catalogue):
                    merge(connection, catalogue, chosen)
            self._counted(connection)

    @contextmanager
    def writing(self, *, wait: float = WAIT_SECONDS) -> Iterator[None]:
        with self._file.writing(wait=wait):
            yield

    def close(self) -> None:
        self._file.close()

    # -- what is searched ------------------------------------------------------------------------

    def count(self, asked: CandidateFilter | None = None) -> int:
        with self._read() as state:
            return int(state.catalogue.allowed(asked).sum())

    def nearest(self, vector: Vector, *, count: int, asked: CandidateFilter) -> Hits:
        with self._read() as state:
            catalogue, cosines = state.catalogue, state.cosines(vector)
            rows = cosines.nearest(state.vectors, count=count, allowed=catalogue.allowed(asked))
            return _hits(catalogue, rows, cosines.exact[rows], asked=asked)

    def worded(self, words: Words, *, count: int, asked: CandidateFilter) -> Hits:
        with self._read() as state:
            catalogue = state.catalogue
            scores = np.zeros(len(catalogue.columns), dtype=np.float32)
            size = int(catalogue.alive.sum())
            for term in np.unique(words):
                found = state.found(term, kind=_TEXT)
                rarity = rarities(np.array(len(found.rows)), size=size)
                scores[found.rows] += rarity * saturated(found.counts, norms=catalogue.norms[found.rows])
            rows = np.flatnonzero(catalogue.allowed(asked) & (scores > 0))
            rows = rows[top(scores[rows], count)]
            return _hits(catalogue, rows, scores[rows], asked=asked)

    def read(self, numbers: Sequence[int]) -> Mapping[int, FoundPassage]:
        with self._read() as state:
            return state.passages(numbers)

    def documents(self, numbers: Sequence[int], *, words: Words) -> Sequence[StoredDocument]:
        with self._read() as state:
            catalogue = state.catalogue
            columns = catalogue.columns
            rows = catalogue.rows_of(np.array(numbers, dtype=np.int64))
            starts = np.unique(rows - columns.places[rows]).astype(np.int64)
            ends = starts + columns.sizes[starts].astype(np.int64)
            text, titles = np.zeros((2, len(words), len(starts)), dtype=np.int64)
            for place, term in enumerate(words):
                text[place] = state.found(term, kind=_TEXT).sums(starts, ends)
                titles[place] = state.found(term, kind=_TITLE).sums(starts, ends)
            # A passage's words are those of its title and text; in a document, the title counts once.
            whole = np.maximum(text - titles * (ends - starts - 1), 0)
            owned = columns.lengths.astype(np.int64) - columns.title_lengths
            return [
                StoredDocument(
                    passages=columns.numbers[start:end],
                    words=whole[:, place],
                    length=int(owned[start:end].sum() + columns.title_lengths[start]),
                    title_words=titles[:, place],
                    title_length=int(columns.title_lengths[start]),
                )
                for place, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True))
            ]

    def statistics(self, words: Words) -> Mapping[TextKind, WordStatistics]:
        with self._read() as state:
            catalogue = state.catalogue
            columns, alive, heads = catalogue.columns, catalogue.alive, catalogue.heads
            passages, documents, titles = np.zeros((3, len(words)), dtype=np.int64)
            for place, term in enumerate(words):
                found = state.found(term, kind=_TEXT)
                passages[place], documents[place] = len(found.rows), found.documents
                titles[place] = len(state.found(term, kind=_TITLE).rows)
            size, count = int(alive.sum()), int(heads.sum())
            all_words, of_titles = int(columns.lengths[alive].sum()), int(columns.title_lengths[alive].sum())
            own_titles = int(columns.title_lengths[heads].sum())
            return {
                "passage": WordStatistics(size, all_words / max(size, 1), passages),
                "document": WordStatistics(count, (all_words - of_titles + own_titles) / max(count, 1), documents),
                "title": WordStatistics(count, own_titles / max(count, 1), titles),
            }

    @contextmanager
    def _read(self) -> Iterator[IndexSnapshot]:
        with self._file.reading() as (connection, memory):
            yield IndexSnapshot(self._path, connection, memory)

    # -- the file --------------------------------------------------------------------------------

    def _create(self) -> None:
        with closing(self._file.connect()) as connection:
            known = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'about'").fetchone()[0]
            if not known:
                connection.executescript(f"BEGIN IMMEDIATE; PRAGMA application_id = {MARK}; {_SCHEMA}")
                about = {"format": str(FORMAT), "settings": json.dumps(self._settings), "next": "1", "generation": "0"}
                connection.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", about.items())
                connection.execute("COMMIT")
            about = dict(connection.execute("SELECT name, value FROM about").fetchall())
            if about.get("format") != str(FORMAT):
                raise DamagedIndex.of(self._path, f"it has the format {about.get('format')!r}, not {FORMAT}")
            with decoding(self._path):
                theirs = json.loads(about["settings"])
            fix = "remove it (FolderIndex.remove, `dateline index PATH --output FILE --remove`), or name another file"
            check_settings(theirs, self._settings, where=repr(str(self._path)), fix=fix)

    # -- changes ---------------------------------------------------------------------------------

    def _add(self, connection: sqlite3.Connection, passages: Sequence[StoredPassage], *, first: int) -> None:
        columns = Columns.of(passages, first=first)
        segment = write_columns(connection, columns)
        numbered = list(zip(columns.numbers.tolist(), passages, strict=True))
        connection.executemany(
            "INSERT INTO passages VALUES (?, ?, ?, ?)",
            [(number, one.place, evidence_text(one.evidence), one.prepared) for number, one in numbered],
        )
        connection.executemany(
            "INSERT INTO vectors VALUES (?, ?)",
            [(number, one.vector.astype("<f2").tobytes()) for number, one in numbered],
        )
        texts = [np.concatenate([one.words, one.title_words]) for one in passages]
        titles = [one.title_words[: 0 if one.place else None] for one in passages]
        for kind, words in ((_TEXT, texts), (_TITLE, titles)):
            connection.executemany(
                "INSERT INTO postings VALUES (?, ?, ?, ?)",
                ((term, kind, segment, found.to_bytes()) for term, found in postings_of(words)),
            )
        connection.execute("UPDATE about SET value = ? WHERE name = 'next'", (str(first + len(passages)),))

    def _forget(self, connection: sqlite3.Connection, part: str) -> None:
        known = connection.execute("SELECT state, first FROM parts WHERE name = ?", (part,)).fetchone()
        if known is None:
            return
        with decoding(self._path):
            first, end = known[1], known[1] + PartState.from_json(known[0]).passages
        connection.execute("DELETE FROM parts WHERE name = ?", (part,))
        for table in ("passages", "vectors"):
            connection.execute(f"DELETE FROM {table} WHERE number >= ? AND number < ?", (first, end))
        connection.executemany("INSERT INTO gone VALUES (?)", [(number,) for number in range(first, end)])

    def _counted(self, connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE about SET value = CAST(value AS INTEGER) + 1 WHERE name = 'generation'")


def _hits(catalogue: Catalogue, rows: Integers, scores: Vector, *, asked: CandidateFilter) -> Hits:
    columns = catalogue.columns
    return Hits(columns.numbers[rows], scores, columns.began(rows, until=asked.latest))
