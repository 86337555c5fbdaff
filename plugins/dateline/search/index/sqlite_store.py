"""Passages in one SQLite file, opened in a moment."""

from __future__ import annotations

import json
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from threading import Lock, RLock
from typing import Any, TypeVar
from urllib.parse import quote

import numpy as np

from dateline.errors import BadInput, StoreFailed
from dateline.files import identity, make_file, make_folder
from dateline.ranking.bm25 import rarities, saturated, top
from dateline.ranking.candidates import CandidateFilter
from dateline.search.index.columns import Catalogue, Columns, Integers, Mask
from dateline.search.index.evidence_text import evidence_text, read_evidence
from dateline.search.index.postings import Postings, postings_of
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
)
from dateline.text.signs import SIGNS, differing_signs

T = TypeVar("T")

FORMAT = 2
"""Counts up when the tables change; an index of another format is built anew."""

MERGED_AT = 8
"""So many segments of about one size become one."""

LARGEST = 1 << 16
"""Passages of a segment that is merged no further, so that a small change never rewrites much."""

CHECKED = 4
"""For each wanted passage, how many of the nearest by their signs have their exact cosine computed."""

KEPT = 4096
"""Passages that stay in memory, about 10 kB each, the latest read."""

_KEPT_BYTES = 32 * 2**20
"""Postings that stay in memory, the latest asked for."""

_WAIT_SECONDS = 60.0
"""How long a writer waits for another."""

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


_EMPTY = Catalogue(-1, {}, Columns.joined([]), np.zeros(0, dtype=np.bool_))


class DamagedIndex(Exception):
    """A file that is no index, or not whole."""


class SqlitePassageStore(PassageStore):
    """A `PassageStore` in one file, for the processes of one machine.

    Dates, lengths and 512 bits of each vector are held in memory, about 120 bytes a passage; all else stays on disk. Words are
    searched exactly. The nearest vectors are those of the nearest bits, by their exact cosine.

    Args:
        path: the file; made where there is none.
        settings: what it is made with.

    Raises:
        BadInput: when the file was made with other settings.
        DamagedIndex: when it is no index, or not whole.
        OSError: when it cannot be made.

    Example:
        >>> store = SqlitePassageStore(Path("notes.index"), settings={"encoder": "lexical-1024"})
        >>> store.count(), dict(store.settings)
        (0, {'encoder': 'lexical-1024'})
    """

    def __init__(self, path: Path, *, settings: Mapping[str, Any]) -> None:
        self._path, self._settings = path, dict(settings)
        self._idle: list[sqlite3.Connection] = []
        self._lock, self._refreshing = Lock(), Lock()
        self._writer = RLock()
        self._catalogue = _EMPTY
        self._postings: OrderedDict[tuple[int, int, int], _Occurrences] = OrderedDict()
        self._postings_bytes = 0
        self._passages: OrderedDict[int, FoundPassage] = OrderedDict()
        self._looked: OrderedDict[tuple[int, bytes], _Cosines] = OrderedDict()
        make_folder(path.parent)
        make_file(path)
        self._file = identity(path)
        with damage_told(path):
            self._create()

    def __reduce__(self) -> tuple[Callable[..., SqlitePassageStore], tuple[Any, ...]]:
        return _opened, (self._path, self._settings)

    # -- what is stored --------------------------------------------------------------------------

    @property
    def settings(self) -> Mapping[str, Any]:
        return dict(self._settings)

    def parts(self) -> Mapping[str, PartState]:
        with self._reading() as connection:
            rows = connection.execute("SELECT name, state FROM parts ORDER BY name").fetchall()
        return {name: PartState.from_json(state) for name, state in rows}

    @contextmanager
    def writing(self, *, wait: float = _WAIT_SECONDS) -> Iterator[None]:
        # A lock that the system lets go of when its process dies, on every system.
        place = self._path.with_name(f"{self._path.name}.lock")
        make_file(place)
        if not self._writer.acquire(timeout=wait):
            raise _busy(self._path)
        try:
            with closing(sqlite3.connect(place, timeout=wait, isolation_level=None, check_same_thread=False)) as lock:
                try:
                    lock.execute("BEGIN EXCLUSIVE")
                except sqlite3.OperationalError as error:
                    raise _busy(self._path) from error
                yield
        finally:
            self._writer.release()

    def change(self, changes: Sequence[PartChange]) -> None:
        with self._changing() as connection:
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
        with self._changing() as connection:
            catalogue = self._refreshed(connection)
            for chosen in _to_merge(catalogue):
                self._merge(connection, catalogue, chosen)
            if connection.in_transaction:
                self._counted(connection)

    def close(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    # -- what is searched ------------------------------------------------------------------------

    def count(self, asked: CandidateFilter | None = None) -> int:
        with self._reading() as connection:
            return int(self._refreshed(connection).allowed(asked).sum())

    def nearest(self, vector: Vector, *, count: int, asked: CandidateFilter) -> Hits:
        with self._reading() as connection:
            catalogue = self._refreshed(connection)
            cosines = self._cosines(catalogue, vector)
            rows = cosines.nearest(connection, count=count, allowed=catalogue.allowed(asked))
            return _hits(catalogue, rows, cosines.exact[rows], asked=asked)

    def worded(self, words: Words, *, count: int, asked: CandidateFilter) -> Hits:
        with self._reading() as connection:
            catalogue = self._refreshed(connection)
            scores = np.zeros(len(catalogue.columns), dtype=np.float32)
            size = int(catalogue.alive.sum())
            for term in np.unique(words):
                found = self._found(connection, catalogue, term, kind=_TEXT)
                rarity = rarities(np.array(len(found.rows)), size=size)
                scores[found.rows] += rarity * saturated(found.counts, norms=catalogue.norms[found.rows])
            rows = np.flatnonzero(catalogue.allowed(asked) & (scores > 0))
            rows = rows[top(scores[rows], count)]
            return _hits(catalogue, rows, scores[rows], asked=asked)

    def read(self, numbers: Sequence[int]) -> Mapping[int, FoundPassage]:
        with self._reading() as connection:
            catalogue = self._refreshed(connection)
            there = catalogue.columns.numbers[catalogue.rows_of(np.array(numbers, dtype=np.int64))].tolist()
            with self._lock:
                known = {each: self._passages[each] for each in there if each in self._passages}
            rows = connection.execute(
                "SELECT number, place, evidence, prepared FROM passages WHERE number IN (SELECT value FROM json_each(?))",
                [json.dumps([each for each in there if each not in known])],
            ).fetchall()
            fresh = {
                number: FoundPassage(read_evidence(evidence), place, prepared)
                for number, place, evidence, prepared in rows
            }
            with self._lock:
                self._passages.update(fresh)
                while len(self._passages) > KEPT:
                    self._passages.popitem(last=False)
        return known | fresh

    def documents(self, numbers: Sequence[int], *, words: Words) -> Sequence[StoredDocument]:
        with self._reading() as connection:
            catalogue = self._refreshed(connection)
            columns = catalogue.columns
            rows = catalogue.rows_of(np.array(numbers, dtype=np.int64))
            starts = np.unique(rows - columns.places[rows]).astype(np.int64)
            ends = starts + columns.sizes[starts].astype(np.int64)
            text, titles = np.zeros((2, len(words), len(starts)), dtype=np.int64)
            for place, term in enumerate(words):
                text[place] = self._found(connection, catalogue, term, kind=_TEXT).sums(starts, ends)
                titles[place] = self._found(connection, catalogue, term, kind=_TITLE).sums(starts, ends)
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
        with self._reading() as connection:
            catalogue = self._refreshed(connection)
            columns, alive, heads = catalogue.columns, catalogue.alive, catalogue.heads
            passages, documents, titles = np.zeros((3, len(words)), dtype=np.int64)
            for place, term in enumerate(words):
                found = self._found(connection, catalogue, term, kind=_TEXT)
                passages[place], documents[place] = len(found.rows), found.documents
                titles[place] = len(self._found(connection, catalogue, term, kind=_TITLE).rows)
            size, count = int(alive.sum()), int(heads.sum())
            all_words, of_titles = int(columns.lengths[alive].sum()), int(columns.title_lengths[alive].sum())
            own_titles = int(columns.title_lengths[heads].sum())
            return {
                "passage": WordStatistics(size, all_words / max(size, 1), passages),
                "document": WordStatistics(count, (all_words - of_titles + own_titles) / max(count, 1), documents),
                "title": WordStatistics(count, own_titles / max(count, 1), titles),
            }

    # -- connections -----------------------------------------------------------------------------

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=60, isolation_level=None, check_same_thread=False)
        with suppress(sqlite3.OperationalError):
            # Another process that makes the file at this moment does it.
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    def _create(self) -> None:
        with closing(self._connect()) as connection:
            known = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'about'").fetchone()[0]
            if not known:
                connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
                about = {"format": str(FORMAT), "settings": json.dumps(self._settings), "next": "1", "generation": "0"}
                connection.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", about.items())
            about = dict(connection.execute("SELECT name, value FROM about").fetchall())
            if about.get("format") != str(FORMAT):
                raise DamagedIndex(f"{self._path} has the format {about.get('format')!r}, not {FORMAT}")
            if json.loads(about["settings"]) != json.loads(json.dumps(self._settings)):
                raise BadInput(f"{str(self._path)!r} was made with other settings: {about['settings']}.")
            self._refreshed(connection)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Read one state of the store, whatever is written meanwhile."""
        with damage_told(self._path):
            if (file := identity(self._path)) != self._file:
                self._reopen(file)
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            connection = connection or self._connect()
            try:
                connection.execute("BEGIN")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            with self._lock:
                self._idle.append(connection)

    def _reopen(self, file: tuple[int, int] | None) -> None:
        """Forget all that was read of a file that another has replaced."""
        if file is None:
            raise DamagedIndex(f"{self._path} is gone")
        self.close()
        with self._refreshing:
            self._file, self._catalogue = file, _EMPTY
        with self._lock:
            self._postings.clear()
            self._postings_bytes = 0
            self._looked.clear()
            self._passages.clear()

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with damage_told(self._path), closing(self._connect()) as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            if connection.in_transaction:
                connection.execute("COMMIT")

    # -- the catalogue ---------------------------------------------------------------------------

    def _refreshed(self, connection: sqlite3.Connection) -> Catalogue:
        """Return the catalogue of the state that a connection reads."""
        generation = int(connection.execute("SELECT value FROM about WHERE name = 'generation'").fetchone()[0])
        if self._catalogue.generation == generation:
            return self._catalogue
        with self._refreshing:
            if self._catalogue.generation != generation:
                self._catalogue = self._loaded(connection, generation, self._catalogue)
            return self._catalogue

    def _loaded(self, connection: sqlite3.Connection, generation: int, old: Catalogue) -> Catalogue:
        parts: list[Columns] = []
        segments: dict[int, int] = {}
        row = 0
        for segment, size in connection.execute("SELECT id, size FROM segments ORDER BY id").fetchall():
            if (start := old.segments.get(segment)) is not None:
                parts.append(old.columns.take(slice(start, start + size)))
            else:
                given = connection.execute("SELECT columns FROM segments WHERE id = ?", (segment,)).fetchone()[0]
                parts.append(Columns.from_bytes(given))
            if len(parts[-1]) != size:
                raise ValueError(f"segment {segment} is not whole")
            segments[segment] = row
            row += size
        columns = Columns.joined(parts)
        alive = np.ones(row, dtype=np.bool_)
        catalogue = Catalogue(generation, segments, columns, alive)
        gone = connection.execute("SELECT number FROM gone").fetchall()
        alive[catalogue.rows_of(np.array([number for (number,) in gone], dtype=np.int64))] = False
        return catalogue

    # -- changes ---------------------------------------------------------------------------------

    def _add(self, connection: sqlite3.Connection, passages: Sequence[StoredPassage], *, first: int) -> None:
        columns = Columns.of(passages, first=first)
        segment = self._write_columns(connection, columns)
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
        first, end = known[1], known[1] + PartState.from_json(known[0]).passages
        connection.execute("DELETE FROM parts WHERE name = ?", (part,))
        for table in ("passages", "vectors"):
            connection.execute(f"DELETE FROM {table} WHERE number >= ? AND number < ?", (first, end))
        connection.executemany("INSERT INTO gone VALUES (?)", [(number,) for number in range(first, end)])

    def _counted(self, connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE about SET value = CAST(value AS INTEGER) + 1 WHERE name = 'generation'")

    def _write_columns(self, connection: sqlite3.Connection, columns: Columns) -> int:
        written = connection.execute(
            "INSERT INTO segments (size, columns) VALUES (?, ?)", (len(columns), columns.to_bytes())
        )
        return int(written.lastrowid or 0)

    def _merge(self, connection: sqlite3.Connection, catalogue: Catalogue, chosen: Sequence[int]) -> None:
        """Write some segments as one, without what has gone."""
        starts, sizes = catalogue.segments, _sizes(catalogue)
        moved: dict[int, Integers] = {}
        kept: list[Integers] = []
        total = 0
        for segment in chosen:
            rows = np.arange(starts[segment], starts[segment] + sizes[segment])
            living = catalogue.alive[rows]
            moved[segment] = np.where(living, total + np.cumsum(living) - 1, -1)
            kept.append(rows[living])
            total += int(living.sum())
        marks = ",".join("?" * len(chosen))
        found = connection.execute(
            f"SELECT term, kind, segment, data FROM postings WHERE segment IN ({marks}) ORDER BY term, kind, segment",
            list(chosen),
        ).fetchall()
        dead = catalogue.columns.numbers[
            np.concatenate([np.arange(starts[each], starts[each] + sizes[each])[moved[each] < 0] for each in chosen])
        ]
        connection.execute(f"DELETE FROM postings WHERE segment IN ({marks})", list(chosen))
        connection.execute(f"DELETE FROM segments WHERE id IN ({marks})", list(chosen))
        connection.executemany("DELETE FROM gone WHERE number = ?", [(number,) for number in dead.tolist()])
        if not total:
            return
        new = self._write_columns(connection, catalogue.columns.take(np.concatenate(kept)))
        connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?)", _moved(found, moved, new))

    # -- words and vectors -----------------------------------------------------------------------

    def _found(
        self, connection: sqlite3.Connection, catalogue: Catalogue, term: np.uint64, *, kind: int
    ) -> _Occurrences:
        """Return a word's postings over all living rows."""
        number = int(np.uint64(term).view(np.int64))
        key = (catalogue.generation, number, kind)
        with self._lock:
            if (known := self._postings.get(key)) is not None:
                self._postings.move_to_end(key)
                return known
        rows = connection.execute(
            "SELECT segment, data FROM postings WHERE term = ? AND kind = ? ORDER BY segment", (number, kind)
        )
        parts = ((catalogue.segments[segment], Postings.from_bytes(data)) for segment, data in rows)
        joined = Postings.joined([Postings(start + part.rows, part.counts) for start, part in parts])
        living = catalogue.alive[joined.rows]
        kept = joined if living.all() else Postings(joined.rows[living], joined.counts[living])
        found = _Occurrences(kept, catalogue.columns)
        with self._lock:
            self._postings[key] = found
            self._postings_bytes += _bytes(found)
            while self._postings_bytes > _KEPT_BYTES:
                self._postings_bytes -= _bytes(self._postings.popitem(last=False)[1])
        return found

    def _cosines(self, catalogue: Catalogue, vector: Vector) -> _Cosines:
        """Return the cosines with a vector, as far as they are known."""
        vector = np.asarray(vector, dtype=np.float32)
        key = (catalogue.generation, vector.tobytes())
        with self._lock:
            found = self._looked.get(key)
        if found is None:
            found = _Cosines(catalogue, vector)
            with self._lock:
                self._looked[key] = found
                while len(self._looked) > 4:
                    self._looked.popitem(last=False)
        return found


class _Occurrences:
    """Living rows in which a word occurs, over all segments."""

    def __init__(self, found: Postings, columns: Columns) -> None:
        self.rows, self.counts = found
        self._columns = columns

    @cached_property
    def until(self) -> Integers:
        """Return the sums of counts before each row, and of all."""
        return np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])

    @cached_property
    def documents(self) -> int:
        """Return in how many documents it occurs."""
        return int(np.count_nonzero(np.diff(self.rows - self._columns.places[self.rows], prepend=-1)))

    def sums(self, starts: Integers, ends: Integers) -> Integers:
        """Return how often it occurs between rows."""
        return np.asarray(self.until[np.searchsorted(self.rows, ends)] - self.until[np.searchsorted(self.rows, starts)])


class _Cosines:
    """Cosines of all passages with one vector, exact where looked up."""

    def __init__(self, catalogue: Catalogue, vector: Vector) -> None:
        self._columns, self._vector = catalogue.columns, vector
        self._differing = differing_signs(catalogue.columns.bits, vector)
        self.exact = np.full(len(self._columns), np.nan, dtype=np.float32)

    def nearest(self, connection: sqlite3.Connection, *, count: int, allowed: Mask) -> Integers:
        differing = np.where(allowed, self._differing, SIGNS + 1)
        reached = np.cumsum(np.bincount(differing, minlength=SIGNS + 2)[: SIGNS + 1])
        rows = np.flatnonzero(differing <= min(SIGNS, int(np.searchsorted(reached, CHECKED * count))))
        self._look_up(connection, rows)
        return np.asarray(rows[top(self.exact[rows], count)], dtype=np.int64)

    def _look_up(self, connection: sqlite3.Connection, rows: Integers) -> None:
        rows = rows[np.isnan(self.exact[rows])]
        if not len(rows):
            return
        numbers = self._columns.numbers[rows]
        asked = json.dumps(numbers.tolist())
        found = connection.execute(
            "SELECT number, vector FROM vectors WHERE number IN (SELECT value FROM json_each(?))", [asked]
        ).fetchall()
        if len(found) != len(rows):
            raise ValueError("a passage has no vector")
        vectors = np.frombuffer(b"".join(vector for _, vector in found), dtype="<f2").reshape(len(found), -1)
        by_number = np.argsort(numbers, kind="stable")
        order = np.argsort([number for number, _ in found], kind="stable")
        self.exact[rows[by_number]] = vectors[order].astype(np.float32) @ self._vector


def _opened(path: Path, settings: Mapping[str, Any]) -> SqlitePassageStore:
    return SqlitePassageStore(path, settings=settings)


def _busy(path: Path) -> StoreFailed:
    return StoreFailed(f"Another process is writing {str(path)!r}; wait until it is done.")


@contextmanager
def damage_told(path: Path) -> Iterator[None]:
    """Raise `DamagedIndex` for what only a damaged file causes."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "no such" in str(error):
            raise DamagedIndex(f"{path}: {error}") from error
        raise StoreFailed(f"The index {str(path)!r} cannot be used: {error}.") from error
    except (sqlite3.DatabaseError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, BadInput):
            raise
        raise DamagedIndex(f"{path}: {error}") from error


def settings_of(path: Path) -> Mapping[str, Any]:
    """Read the settings of an index; nothing, where it is none."""
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)) as connection:
            found = json.loads(connection.execute("SELECT value FROM about WHERE name = 'settings'").fetchone()[0])
    except (sqlite3.Error, ValueError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def remove_store(path: Path) -> None:
    """Delete an index's files but its lock, which others may hold."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        with suppress(FileNotFoundError):
            path.with_name(name).unlink()


def _hits(catalogue: Catalogue, rows: Integers, scores: Vector, *, asked: CandidateFilter) -> Hits:
    columns = catalogue.columns
    return Hits(columns.numbers[rows], scores, columns.began(rows, until=asked.latest))


def _bytes(found: _Occurrences) -> int:
    return 2 * found.rows.nbytes + found.counts.nbytes + 200


def _sizes(catalogue: Catalogue) -> dict[int, int]:
    starts = [*catalogue.segments.values(), len(catalogue.columns)]
    return {segment: end - start for segment, start, end in zip(catalogue.segments, starts, starts[1:], strict=False)}


def _to_merge(catalogue: Catalogue) -> Iterator[list[int]]:
    """Return segments of about one size, and those half gone."""
    sizes = _sizes(catalogue)
    tiers: dict[int, list[int]] = {}
    for segment, size in sizes.items():
        start = catalogue.segments[segment]
        living = int(catalogue.alive[start : start + size].sum())
        if 2 * living < size:
            tiers.setdefault(-1, []).append(segment)
        elif size < LARGEST:
            tiers.setdefault(int(np.log(size) / np.log(MERGED_AT)), []).append(segment)
    for tier, chosen in tiers.items():
        if tier < 0 or len(chosen) >= MERGED_AT:
            yield chosen


def _moved(
    found: Iterable[tuple[int, int, int, bytes]], moved: Mapping[int, Integers], new: int
) -> Iterator[tuple[int, int, int, bytes]]:
    """Return the postings of merged segments with their new rows."""
    for (term, kind), group in groupby(found, key=itemgetter(0, 1)):
        parts = []
        for _, _, segment, data in group:
            old = Postings.from_bytes(data)
            rows = moved[segment][old.rows]
            parts.append(Postings(rows[rows >= 0], old.counts[rows >= 0]))
        if len((joined := Postings.joined(parts)).rows):
            yield term, kind, new, joined.to_bytes()
