"""Passages in PostgreSQL with pgvector, for several machines."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from operator import attrgetter
from threading import RLock
from typing import Any

import numpy as np
import sqlalchemy as sql

from dateline.databases import database_told, database_url, open_engine
from dateline.errors import BadInput, StoreFailed
from dateline.ranking.bm25 import K1, B, rarities
from dateline.ranking.candidates import CandidateFilter
from dateline.records import Evidence
from dateline.search.index.postgres_tables import (
    ACCOUNT,
    BM25,
    BM25_OF_TERM,
    COPY_PASSAGES,
    COPY_TEXTS,
    DOCUMENTS,
    MAKE_GRAPH,
    NEAR,
    TABLES,
)
from dateline.search.index.store import (
    FoundPassage,
    Hits,
    Numbers,
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
from dateline.temporal.interval import DAY

FORMAT = 1
"""Counts up when the tables change."""

GRAPH_FROM = 20_000
"""Up to so many passages every vector is compared; beyond, a graph is searched. Chosen by hand."""

BREADTH = 200
"""Breadth of the search in the graph (`hnsw.ef_search`); pgvector's own 40 finds too little. Chosen by hand."""

BUDGET = 5_000
"""Passages scored for one question's words at most: those with its rarest ones; chosen by hand."""

_WAIT_SECONDS = 60.0
_WRITER = 0x646C6978
"""First half of the key of the writer's advisory lock ("dlix" in ASCII); the other half names the schema."""


class PostgresPassageStore(PassageStore):
    """A `PassageStore` in PostgreSQL with pgvector 0.8 or newer.

    One library takes one schema of a database (`?options=-csearch_path=NAME,public` in the address names another than
    the usual one). Nothing is loaded when it is opened. The nearest vectors come from a graph that follows the filter
    (`hnsw.iterative_scan`), or from all where the graph finds too few. Words are scored exactly, in as many passages as hold
    the rarest of them; up to `BUDGET` passages, in all that hold any.

    Args:
        address: such as `postgresql://USER@HOST/NAME`.
        settings: what it is made with; `None`: it is there already.

    Raises:
        BadInput: for an address that cannot be read, where there is no library yet, or one made with other settings.
        MissingExtra: without psycopg.
        StoreFailed: when the database cannot be reached, or lacks pgvector.

    Example:
        >>> PostgresPassageStore("nonsense")
        Traceback (most recent call last):
        dateline.errors.BadInput: Cannot read the address of the library; write postgresql://***@HOST/NAME.
    """

    def __init__(self, address: str, *, settings: Mapping[str, Any] | None = None) -> None:
        url = database_url(address, what="library")
        self._where = f"The library {url.render_as_string(hide_password=True)}"
        if url.get_backend_name() != "postgresql":
            raise BadInput(f"{self._where} must lie in PostgreSQL, not in {url.get_backend_name()}.")
        self._address, self._writer = address, RLock()
        # Plans are made for the values at hand: a filter that lets little through needs another one.
        self._engine = open_engine(url, pool_pre_ping=True, prepare_threshold=None)
        sql.event.listen(self._engine, "connect", _prepare)
        if settings is not None:
            self._create(settings)
        self._settings = self._checked(settings)

    def __reduce__(self) -> tuple[Callable[..., PostgresPassageStore], tuple[Any, ...]]:
        return partial(PostgresPassageStore, self._address, settings=self._settings), ()

    # -- what is stored --------------------------------------------------------------------------

    @property
    def settings(self) -> Mapping[str, Any]:
        return dict(self._settings)

    def parts(self) -> Mapping[str, PartState]:
        rows = self._rows("SELECT name, state FROM dateline_index_parts ORDER BY name")
        return {row.name: PartState.from_json(row.state) for row in rows}

    @contextmanager
    def writing(self, *, wait: float = _WAIT_SECONDS) -> Iterator[None]:
        if not self._writer.acquire(timeout=wait):
            raise self._busy()
        try:
            # The server lets go of the lock when the connection ends, however it does.
            with database_told(self._where), self._engine.connect() as connection:
                last, key = time.monotonic() + wait, {"writer": _WRITER}
                asked = "SELECT pg_try_advisory_lock(%(writer)s, hashtext(current_schema()))"
                while not connection.exec_driver_sql(asked, key).scalar():
                    if time.monotonic() > last:
                        raise self._busy()
                    time.sleep(0.1)
                connection.commit()
                try:
                    yield
                finally:
                    connection.exec_driver_sql("SELECT pg_advisory_unlock(%(writer)s, hashtext(current_schema()))", key)
        finally:
            self._writer.release()

    def change(self, changes: Sequence[PartChange]) -> None:
        with self._working() as connection:
            first = int(connection.exec_driver_sql("SELECT next FROM dateline_index_about FOR UPDATE").scalar_one())
            end = first
            passages: list[StoredPassage] = []
            for each in changes:
                given = {"name": each.part, "state": "" if each.state is None else each.state.to_json()}
                if each.passages is None and each.state is not None:
                    connection.exec_driver_sql(
                        "UPDATE dateline_index_parts SET state = %(state)s WHERE name = %(name)s", given
                    )
                    continue
                self._forget(connection, each.part)
                if each.state is not None:
                    added = list(each.passages or ())
                    connection.exec_driver_sql(
                        "INSERT INTO dateline_index_parts VALUES (%(name)s, %(state)s, %(first)s, %(size)s)",
                        {**given, "first": end, "size": len(added)},
                    )
                    passages += added
                    end += len(added)
            if passages:
                self._add(connection, passages, first=first)

    def tidy(self) -> None:
        with self._working() as connection:
            about = connection.exec_driver_sql("SELECT * FROM dateline_index_about").one()
            if about.passages >= GRAPH_FROM:
                connection.exec_driver_sql(MAKE_GRAPH)
            if about.passages >= 2 * about.analysed:
                connection.exec_driver_sql("ANALYZE dateline_index_passages")
                connection.exec_driver_sql("UPDATE dateline_index_about SET analysed = passages + 1")

    def close(self) -> None:
        self._engine.dispose()

    # -- what is searched ------------------------------------------------------------------------

    def count(self, asked: CandidateFilter | None = None) -> int:
        if asked is None:
            return int(self._rows("SELECT passages FROM dateline_index_about")[0].passages)
        if asked.has_period or asked.since is not None:
            counted = f"SELECT count(*) AS n FROM dateline_index_passages WHERE {_condition(asked)}"
        else:
            # Whole days are counted already; only the passages of the last one are looked at.
            counted = (
                "SELECT (SELECT coalesce(sum(passages), 0) FROM dateline_index_days WHERE day < %(day)s) + "
                "(SELECT count(*) FROM dateline_index_passages WHERE known_from >= %(day)s * 86400::bigint "
                f"AND {_condition(asked)}) AS n"
            )
        return int(self._rows(counted, {**_values(asked), "day": asked.known_before // DAY})[0].n)

    def nearest(self, vector: Vector, *, count: int, asked: CandidateFilter) -> Hits:
        near = sorted(self._near(vector, count=count, asked=asked), key=lambda row: (-row.score, row.number))
        return _hits(near[:count])

    def worded(self, words: Words, *, count: int, asked: CandidateFilter) -> Hits:
        terms = np.unique(words)
        told = self.statistics(terms)["passage"]
        rarity = rarities(told.frequencies, size=told.size)
        order = [place for place in np.argsort(-rarity, kind="stable").tolist() if told.frequencies[place]]
        if not order:
            return _hits([])
        terms, frequencies = terms[order], told.frequencies[order]
        score = " + ".join(BM25_OF_TERM.format(place=place) for place in range(len(terms)))
        given = {**_values(asked), "count": count, "budget": BUDGET, "k1": K1, "b": B, "mean": told.length or 1.0}
        given |= {f"term{place}": term for place, term in enumerate(_signed(terms))}
        given |= {f"rarity{place}": float(rarity[number]) for place, number in enumerate(order)}
        found: Sequence[Any] = []
        for holds, chosen in _matches(terms, frequencies):
            statement = BM25.format(score=score, holds=holds, condition=_condition(asked))
            found = self._rows(statement, {**given, "chosen": _signed(chosen)})
            if len(found) == count:
                break
        return _hits(found)

    def read(self, numbers: Sequence[int]) -> Mapping[int, FoundPassage]:
        rows = self._rows(
            "SELECT number, place, evidence, prepared FROM dateline_index_texts WHERE number = ANY(%(numbers)s)",
            {"numbers": [int(each) for each in numbers]},
        )
        return {
            row.number: FoundPassage(Evidence.model_validate_json(row.evidence), row.place, bytes(row.prepared))
            for row in rows
        }

    def documents(self, numbers: Sequence[int], *, words: Words) -> Sequence[StoredDocument]:
        rows = self._rows(DOCUMENTS, {"numbers": [int(each) for each in numbers], "terms": _signed(words)})
        return [_document(list(held), words) for _, held in groupby(rows, key=attrgetter("document"))]

    def statistics(self, words: Words) -> Mapping[TextKind, WordStatistics]:
        about = self._rows("SELECT * FROM dateline_index_about")[0]
        terms = _signed(words)
        rows = self._rows("SELECT * FROM dateline_index_terms WHERE term = ANY(%(terms)s)", {"terms": terms})
        known = {row.term: row for row in rows}

        def told(kind: str, size: int, length: int) -> WordStatistics:
            counts = [getattr(known[term], kind) if term in known else 0 for term in terms]
            return WordStatistics(size, length / max(size, 1), np.array(counts, dtype=np.int64))

        return {
            "passage": told("passages", about.passages, about.words),
            "document": told("documents", about.documents, about.words - about.title_words + about.own_titles),
            "title": told("titles", about.documents, about.own_titles),
        }

    # -- inside ----------------------------------------------------------------------------------

    def _near(self, vector: Vector, *, count: int, asked: CandidateFilter) -> Sequence[Any]:
        """Find the nearest by the graph, else among all."""
        given = {**_values(asked), "vector": _text(vector), "count": max(count, 1)}
        condition = _condition(asked)
        found = self._rows(NEAR.format(condition=condition, order="vector <#> %(vector)s::halfvec"), given)
        if len(found) < count and self.count() >= GRAPH_FROM:
            found = self._rows(NEAR.format(condition=condition, order="(vector <#> %(vector)s::halfvec) + 0"), given)
        return found

    def _add(self, connection: sql.Connection, passages: Sequence[StoredPassage], *, first: int) -> None:
        self._fix_dimensions(connection, len(passages[0].vector))
        document = first
        cursor = connection.connection.cursor()
        rows: list[tuple[Any, ...]] = []
        for number, each in enumerate(passages, first):
            document = document if each.place else number
            terms, counts = np.unique(np.concatenate([each.words, each.title_words]), return_counts=True)
            titles, title_counts = np.unique(each.title_words[: 0 if each.place else None], return_counts=True)
            dates = (each.known_from, each.valid_from, each.valid_until)
            lengths = (len(each.words) + len(each.title_words), len(each.title_words))
            bags = (_signed(terms), counts.tolist(), _signed(titles), title_counts.tolist())
            rows.append((number, document, each.place, *dates, *lengths, *bags, _text(each.vector)))
        with cursor.copy(COPY_PASSAGES) as copy:
            for row in rows:
                copy.write_row(row)
        with cursor.copy(COPY_TEXTS) as copy:
            for number, each in enumerate(passages, first):
                copy.write_row((number, each.place, each.evidence.model_dump_json(), each.prepared))
        end = first + len(passages)
        self._account(connection, first, end, sign=1)
        connection.exec_driver_sql("UPDATE dateline_index_about SET next = %(end)s", {"end": end})

    def _forget(self, connection: sql.Connection, part: str) -> None:
        gone = connection.exec_driver_sql(
            "DELETE FROM dateline_index_parts WHERE name = %(part)s RETURNING first, size", {"part": part}
        ).one_or_none()
        if gone is not None and gone.size:
            span = {"first": gone.first, "end": gone.first + gone.size}
            self._account(connection, span["first"], span["end"], sign=-1)
            for table in ("passages", "texts"):
                connection.exec_driver_sql(
                    f"DELETE FROM dateline_index_{table} WHERE number >= %(first)s AND number < %(end)s", span
                )

    def _account(self, connection: sql.Connection, first: int, end: int, *, sign: int) -> None:
        """Count passages in, or out again."""
        for statement in ACCOUNT:
            connection.exec_driver_sql(statement, {"first": first, "end": end, "sign": sign})

    def _fix_dimensions(self, connection: sql.Connection, dimensions: int) -> None:
        known = connection.exec_driver_sql("SELECT dimensions FROM dateline_index_about").scalar()
        if known is None:
            connection.exec_driver_sql(
                f"ALTER TABLE dateline_index_passages ALTER COLUMN vector TYPE halfvec({int(dimensions)})"
            )
            connection.exec_driver_sql("UPDATE dateline_index_about SET dimensions = %(n)s", {"n": dimensions})
        elif known != dimensions:
            raise BadInput(f"{self._where} has vectors of {known} numbers, not of {dimensions}.")

    def _create(self, settings: Mapping[str, Any]) -> None:
        with self._working() as connection:
            if _is_there(connection):
                return
            connection.exec_driver_sql(
                "SELECT pg_advisory_xact_lock(%(writer)s, hashtext(current_schema()))", {"writer": _WRITER + 1}
            )
            available = "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
            if connection.exec_driver_sql(available).scalar() is None:
                raise StoreFailed(f"{self._where} needs the extension pgvector; install it on the server.")
            for statement in TABLES:
                connection.exec_driver_sql(statement)
            connection.exec_driver_sql(
                "INSERT INTO dateline_index_about (format, settings) SELECT %(format)s, %(settings)s "
                "WHERE NOT EXISTS (SELECT 1 FROM dateline_index_about)",
                {"format": FORMAT, "settings": json.dumps(settings)},
            )

    def _checked(self, settings: Mapping[str, Any] | None) -> dict[str, Any]:
        with self._working() as connection:
            if not _is_there(connection):
                raise BadInput(f"{self._where} is empty; fill it with: dateline index PATH --to ADDRESS.")
            about = connection.exec_driver_sql("SELECT format, settings FROM dateline_index_about").one()
            version = connection.exec_driver_sql(
                "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
            ).scalar_one()
        if tuple(map(int, str(version).split(".")[:2])) < (0, 8):
            raise StoreFailed(f"{self._where} has pgvector {version}; 0.8 or newer is needed.")
        if about.format != FORMAT:
            raise BadInput(f"{self._where} has the format {about.format}, not {FORMAT}; index it anew.")
        found: dict[str, Any] = json.loads(about.settings)
        if settings is not None:
            fix = "remove it (`dateline index PATH --to ADDRESS --remove`), or give another database or schema"
            check_settings(found, settings, where=self._where, fix=fix)
        return found

    @contextmanager
    def _working(self) -> Iterator[sql.Connection]:
        with database_told(self._where), self._engine.begin() as connection:
            yield connection

    def _rows(self, statement: str, values: Mapping[str, Any] | None = None) -> Sequence[Any]:
        with self._working() as connection:
            return connection.exec_driver_sql(statement, dict(values or {})).all()

    def _busy(self) -> StoreFailed:
        return StoreFailed(f"{self._where} is being written by another; wait until it is done.")


def _hits(found: Sequence[Any]) -> Hits:
    """Return the columns of rows with `number`, `score` and `began`."""
    return Hits(
        np.array([row.number for row in found], dtype=np.int64),
        np.array([row.score for row in found], dtype=np.float32),
        np.array([row.began for row in found], dtype=np.int64),
    )


def remove_library(address: str) -> bool:
    """Delete a library's tables; return whether there was one.

    Raises:
        BadInput: for an address that cannot be read.
        MissingExtra: without psycopg.
        StoreFailed: when the database cannot be reached.
    """
    engine = open_engine(database_url(address, what="library"))
    with database_told("The library"), engine.begin() as connection:
        there = _is_there(connection)
        if there:
            schema = connection.exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one()
            for table in ("about", "parts", "passages", "texts", "terms", "days"):
                connection.exec_driver_sql(f"DROP TABLE IF EXISTS {schema}.dateline_index_{table}")
    engine.dispose()
    return there


def _matches(terms: Words, frequencies: Numbers) -> Iterator[tuple[str, Words]]:
    """Yield conditions under which passages are scored, the strictest first.

    Any of the rarest words that few enough passages hold; where even the rarest is common, the two rarest together; then
    any word.
    """
    few = int((np.cumsum(frequencies) <= BUDGET).sum())
    if 0 < few < len(terms):
        yield "&&", terms[:few]
    elif few == 0 and len(terms) > 1:
        yield "@>", terms[:2]
    yield "&&", terms


def _document(rows: Sequence[Any], words: Words) -> StoredDocument:
    counts = np.array([row.counts for row in rows], dtype=np.int64).reshape(len(rows), len(words))
    titles = np.array(rows[0].title_counts, dtype=np.int64)
    return StoredDocument(
        passages=np.array([row.number for row in rows], dtype=np.int64),
        # A passage's words are those of its title and text; in a document, the title counts once.
        words=np.maximum(counts.sum(axis=0) - titles * (len(rows) - 1), 0),
        length=sum(row.length - row.title_length for row in rows) + rows[0].title_length,
        title_words=titles,
        title_length=rows[0].title_length,
    )


def _condition(asked: CandidateFilter) -> str:
    parts = ["known_from < %(known_before)s"]
    parts += ["valid_from < %(end)s"] if asked.end is not None else []
    parts += ["valid_until > %(start)s"] if asked.start is not None else []
    if asked.since is not None:
        parts.append("(known_from >= %(since)s OR (valid_from >= %(since)s AND valid_from < %(latest)s))")
    return " AND ".join(parts)


def _values(asked: CandidateFilter) -> dict[str, Any]:
    times = {"start": asked.start, "end": asked.end, "since": asked.since}
    return {**times, "known_before": asked.known_before, "latest": asked.latest}


def _signed(words: Words) -> list[int]:
    signed: list[int] = np.asarray(words, dtype=np.uint64).view(np.int64).tolist()
    return signed


def _text(vector: Vector) -> str:
    return f"[{','.join(map(repr, np.asarray(vector, dtype=np.float16).astype(float).tolist()))}]"


def _is_there(connection: sql.Connection) -> bool:
    # In its own schema: a path of several would find another library's tables behind it.
    asked = "SELECT to_regclass(quote_ident(current_schema()) || '.dateline_index_about')"
    return connection.exec_driver_sql(asked).scalar() is not None


def _prepare(connection: Any, _: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET hnsw.iterative_scan = 'relaxed_order'")
        cursor.execute(f"SET hnsw.ef_search = {BREADTH}")
    connection.commit()
