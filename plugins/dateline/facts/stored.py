"""Vectors of facts in the database of their ledger."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import sqlalchemy as sql

from dateline.errors import BadInput, StoreFailed
from dateline.facts.database import Database
from dateline.facts.index import ExactIndex, Hits, Index, Mask, Vectors, check_width
from dateline.facts.tables import parts
from dateline.visible import logger

_LOG = logger(__name__)

GRAPH_FROM = 2_000
"""Rows from which on pgvector keeps a graph; fewer are compared one by one. Chosen by hand."""

_BREADTH = 100
"""Rows that pgvector's graph looks at for a search, at least; its own default is 40."""

_WIDEST = 1_000
"""Rows beyond which each one is compared: pgvector's graph looks at no more at once."""

_GRAPH_DIMENSIONS = 2_000
"""The most numbers of a vector that pgvector's graph takes in full."""

_AT_ONCE = 1_000


class _Vector(sql.types.UserDefinedType[Any]):
    """Column of pgvector, read and written as text."""

    cache_ok = True

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions

    def get_col_spec(self, **_: Any) -> str:
        return f"vector({self.dimensions})"


class StoredIndex(Index):
    """Rows in a table, compared exactly.

    A process loads them at its first search; only the writer embeds.

    Args:
        database: that of the ledger.
        name: of the embeddings.
        dimensions: length of a vector.
        once: the name by which such embeddings were once noted.

    Raises:
        BadInput: when the table holds vectors of other embeddings.
        StoreFailed: when the database cannot be reached.
    """

    kind = "bytes"

    def __init__(self, database: Database, *, name: str, dimensions: int, once: str = "") -> None:
        self._database = database
        self._once = once
        self._identity = {"name": name, "dimensions": dimensions, "kind": self.kind}
        self._dimensions = dimensions
        self._exact = ExactIndex()
        self._size = 0
        self._table = _table(self._column())
        self._open()

    def __reduce__(self) -> tuple[Any, ...]:
        name, dimensions = str(self._identity["name"]), self._dimensions
        return partial(type(self), self._database, name=name, dimensions=dimensions, once=self._once), ()

    @property
    def size(self) -> int:
        return self._size

    def follow(self, size: int) -> None:
        if self._size < size:
            with self._database.reading() as connection:
                self._size = min(size, _rows(connection, self._table))

    def extend(self, vectors: Vectors, *, start: int) -> None:
        check_width(vectors, dimensions=self._dimensions)
        with self._database.writing() as connection:
            there = _rows(connection, self._table)
            if there < start:
                raise StoreFailed(
                    f"The index in {self._database.where} has lost rows; rebuild it from the ledger with reindex()."
                )
            new = vectors[there - start :]
            if len(new):
                rows = [{"row": row, "vector": self._written(vector)} for row, vector in enumerate(new, there)]
                connection.execute(sql.insert(self._table), rows)
        # No further: rows of another process belong to facts that this one may not have read yet.
        self._size = max(self._size, start + len(vectors))

    def search(self, vector: Vectors, *, k: int, allowed: Mask | None = None) -> Hits:
        for start in range(self._exact.size, self._size, _AT_ONCE):
            self._exact.extend(self.rows(start, min(self._size, start + _AT_ONCE)), start=start)
        return self._exact.search(vector, k=k, allowed=allowed)

    def rows(self, start: int, stop: int) -> Vectors:
        column = self._table.c
        query = sql.select(column.vector).where(column.row >= start, column.row < min(stop, self._size))
        with self._database.reading() as connection:
            found = connection.execute(query.order_by(column.row)).scalars().all()
        return np.array([self._read(each) for each in found], dtype=np.float32).reshape(-1, self._dimensions)

    def clear(self) -> None:
        with self._database.writing() as connection:
            connection.execute(sql.delete(self._table))
        self._size = 0
        self._exact.clear()

    def erase(self, rows: Sequence[int]) -> None:
        zeros = self._written(np.zeros(self._dimensions, dtype=np.float32))
        with self._database.writing() as connection:
            for some in parts(rows):
                connection.execute(sql.update(self._table).where(self._table.c.row.in_(some)).values(vector=zeros))
        self._exact.erase(rows)

    def _column(self) -> sql.Column[Any]:
        return sql.Column("vector", sql.LargeBinary, nullable=False)

    def _written(self, vector: Vectors) -> Any:
        return vector.astype("<f4").tobytes()

    def _read(self, stored: Any) -> Vectors:
        return np.frombuffer(stored, dtype="<f4")

    def _open(self) -> None:
        with self._database.writing("opened") as connection:
            _IDENTITY.create(connection, checkfirst=True)
            mine = connection.execute(sql.select(_IDENTITY.c.name, _IDENTITY.c.dimensions, _IDENTITY.c.kind)).first()
            if mine is None:
                self._table.drop(connection, checkfirst=True)
                connection.execute(sql.insert(_IDENTITY), self._identity)
            elif dict(mine._mapping) not in (self._identity, {**self._identity, "name": self._once}):
                theirs = {"embeddings": mine.name, "dimensions": mine.dimensions}
                ours = {"embeddings": self._identity["name"], "dimensions": self._dimensions}
                raise BadInput(
                    f"The index in {self._database.where} was made with the embeddings {theirs}, not {ours}; open it with "
                    "those, or call rebuild_store() to index its facts anew."
                )
            self._table.create(connection, checkfirst=True)
            self._size = _rows(connection, self._table)


class PgvectorIndex(StoredIndex):
    """Rows in a table of pgvector, found by its graph (HNSW)."""

    kind = "vector"

    def _column(self) -> sql.Column[Any]:
        return sql.Column("vector", _Vector(self._dimensions), nullable=False)

    def extend(self, vectors: Vectors, *, start: int) -> None:
        super().extend(vectors, start=start)
        if start < GRAPH_FROM <= self._size and self._dimensions <= _GRAPH_DIMENSIONS:
            with self._database.writing() as connection:
                connection.exec_driver_sql(
                    "CREATE INDEX IF NOT EXISTS dateline_vectors_near ON dateline_vectors USING hnsw (vector vector_cosine_ops)"
                )

    def search(self, vector: Vectors, *, k: int, allowed: Mask | None = None) -> Hits:
        rows = None if allowed is None else np.flatnonzero(allowed[: self._size]).tolist()
        # Adding nothing keeps the graph out: what is filtered, or wide, is compared row by row.
        exact = rows is not None or k > _WIDEST or not vector.any()
        query = sql.text(
            f"SELECT row, 1 - (vector <=> :vector) FROM dateline_vectors WHERE {'row < :size' if rows is None else 'row = ANY(:rows)'}"
            f" ORDER BY (vector <=> :vector){' + 0' if exact else ''} LIMIT :k"
        ).bindparams(sql.bindparam("vector", type_=sql.types.NullType()))
        given: dict[str, Any] = {"vector": self._written(vector), "k": k}
        given |= {"size": self._size} if rows is None else {"rows": rows}
        with self._database.reading() as connection:
            if not exact:
                connection.execute(_BREADTH_OF, {"breadth": str(min(_WIDEST, max(_BREADTH, k)))})
            found = connection.execute(query, given).all()
        hits = [(row, 0.0 if similarity != similarity else float(similarity)) for row, similarity in found]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def _written(self, vector: Vectors) -> str:
        return "[" + ",".join(map(repr, vector.astype(float).tolist())) + "]"

    def _read(self, stored: Any) -> Vectors:
        return np.array(str(stored)[1:-1].split(","), dtype=np.float32)


def stored_index(database: Database, *, name: str, dimensions: int, once: str = "") -> StoredIndex:
    """Open the index in a ledger's database, with pgvector if there."""
    if database.dialect == "postgresql" and _has_pgvector(database):
        return PgvectorIndex(database, name=name, dimensions=dimensions, once=once)
    if database.dialect == "postgresql":
        _LOG.warning(
            "%s has no extension pgvector: vectors of facts are kept as bytes, and loaded by each process at its first "
            "search; install pgvector and call rebuild_store() to search in the database.",
            database.where,
        )
    return StoredIndex(database, name=name, dimensions=dimensions, once=once)


def drop_index(connection: sql.Connection) -> None:
    """Drop the index in a ledger's database, whatever embeddings made it."""
    for table in INDEX_TABLES:
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}")


_IDENTITY = sql.Table(
    "dateline_embeddings",
    sql.MetaData(),
    sql.Column("name", sql.Text, primary_key=True),
    sql.Column("dimensions", sql.Integer, nullable=False),
    sql.Column("kind", sql.String(16), nullable=False),
)

INDEX_TABLES = (_IDENTITY.name, "dateline_vectors")
"""Names of the tables of an index; what the second one looks like depends on the embeddings."""

_BREADTH_OF = sql.text(
    "SELECT set_config('hnsw.ef_search', :breadth, true), set_config('hnsw.iterative_scan', 'strict_order', true)"
)
"""For this transaction: how many rows the graph looks at, going on until enough were found (pgvector 0.8)."""


def _table(vector: sql.Column[Any]) -> sql.Table:
    return sql.Table(
        "dateline_vectors",
        sql.MetaData(),
        sql.Column("row", sql.Integer, primary_key=True, autoincrement=False),
        vector,
    )


def _rows(connection: sql.Connection, table: sql.Table) -> int:
    last: int | None = connection.execute(sql.select(sql.func.max(table.c.row))).scalar()
    return 0 if last is None else last + 1


def _has_pgvector(database: Database) -> bool:
    """Look for pgvector 0.8 or later; switch it on if permitted."""
    with database.reading() as connection:
        query = "SELECT installed_version, default_version FROM pg_available_extensions WHERE name = 'vector'"
        found: Sequence[Any] | None = connection.exec_driver_sql(query).first()
    if found is None:
        return False
    installed, available = found
    if installed is None:
        try:
            with database.writing() as connection:
                connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
        except StoreFailed:
            return False
    return [int(part) for part in str(installed or available).split(".")[:2]] >= [0, 8]
