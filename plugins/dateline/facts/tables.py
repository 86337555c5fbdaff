"""Tables that keep a ledger's fold in its own database.

They are written with the entries, in one transaction, so that opening reads nothing; from the ledger alone they can be
built anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

import sqlalchemy as sql

from dateline.facts.entries import BIG, OPERATIONS

VERSION = 2
"""Layout of the tables; those of another one are built anew from the ledger."""

_SOME = 500
"""Values that one statement names at most."""

_LONGEST_KEY = 512
"""Characters of a key, of at most 4 bytes each; an index of PostgreSQL takes no more than 2,704 bytes."""

TABLES = sql.MetaData()
FOLD = sql.Table(
    "dateline_fold",
    TABLES,
    sql.Column("version", sql.Integer, primary_key=True),
    sql.Column("sequence", sql.BigInteger, nullable=False, comment="the last entry that was taken in"),
    sql.Column("facts", sql.BigInteger, nullable=False, comment="number of facts"),
    sql.Column("waiting", sql.Boolean, nullable=False, comment="whether a fact is judged but not yet spelt out"),
    sql.Column("undone", sql.Boolean, nullable=False, comment="whether a document was ever undone"),
)
FACTS = sql.Table(
    "dateline_facts",
    TABLES,
    sql.Column("row", BIG, primary_key=True, autoincrement=False, comment="in the order first spelt out, from 0"),
    sql.Column("id", sql.String(64), nullable=False, unique=True),
    sql.Column("fact", sql.Text, nullable=False, comment="JSON"),
)
TAGS = sql.Table(
    "dateline_tags",
    TABLES,
    sql.Column("tag", sql.Text, primary_key=True),
    sql.Column("row", sql.BigInteger, primary_key=True),
)
JUDGEMENTS = sql.Table(
    "dateline_judgements",
    TABLES,
    sql.Column("place", BIG, primary_key=True, autoincrement=False, comment="twice its entry, one more for a second"),
    sql.Column("row", sql.BigInteger, nullable=False),
    sql.Column("starts", sql.BigInteger, nullable=False, comment="event time, as event_order has it"),
    sql.Column("until", sql.BigInteger, nullable=False),
    sql.Column("denied", sql.Boolean, nullable=False),
    sql.Column("known_at", sql.BigInteger, nullable=False, comment="in microseconds since 1970"),
    sql.Column("undone_at", sql.BigInteger, nullable=False, comment="the same; the largest number: never"),
    sql.Column("speaker", sql.BigInteger, nullable=False),
    sql.Index("dateline_judgements_in_order", "row", "starts", "until", "denied", "known_at", "undone_at"),
    sql.Index("dateline_judgements_by_start", "starts", "row"),
    sql.Index("dateline_judgements_by_speaker", "speaker", "row"),
)
ASSERTED = sql.Table(
    "dateline_asserted",
    TABLES,
    sql.Column("tag", sql.Text, primary_key=True),
    sql.Column("starts", sql.BigInteger, primary_key=True),
    sql.Column("until", sql.BigInteger, primary_key=True),
    sql.Column("place", sql.BigInteger, primary_key=True),
    sql.Column("row", sql.BigInteger, nullable=False),
)
SPEAKERS = sql.Table(
    "dateline_speakers",
    TABLES,
    sql.Column("number", BIG, primary_key=True, autoincrement=False),
    sql.Column("channel", sql.Text, nullable=False, unique=True),
)
NAMES = sql.Table(
    "dateline_names",
    TABLES,
    sql.Column("name", sql.Text, primary_key=True),
    sql.Column("speaker", sql.BigInteger, primary_key=True),
)
RESTS = sql.Table(
    "dateline_rests",
    TABLES,
    sql.Column("document", sql.Text, primary_key=True),
    sql.Column("place", sql.BigInteger, primary_key=True),
    sql.Column("revision", sql.Integer, nullable=False),
)
UNDONE = sql.Table(
    "dateline_undone",
    TABLES,
    sql.Column("document", sql.Text, primary_key=True),
    sql.Column("revision", sql.Integer, primary_key=True),
    sql.Column("at", sql.BigInteger, nullable=False),
)
WAITING = sql.Table(
    "dateline_waiting",
    TABLES,
    sql.Column("fact", sql.String(64), primary_key=True),
    sql.Column("place", sql.BigInteger, primary_key=True),
)

OF: sql.BindParameter[Any] = sql.bindparam("of", expanding=True)
"""Values that a statement names, as `parts` hands them out."""

ROWS = sql.select(FACTS.c.id, FACTS.c.row).where(FACTS.c.id.in_(OF))
"""Asks for the rows of facts by id."""

_EMPTY = {"version": VERSION, "sequence": 0, "facts": 0, "waiting": False, "undone": False}


def prepare(connection: sql.Connection, *, new: bool) -> None:
    """Make the tables; those of another layout or ledger are dropped.

    Args:
        new: the ledger has just been made.
    """
    version = sql.select(FOLD.c.version)
    if sql.inspect(connection).has_table(FOLD.name) and (
        new or connection.execute(version).scalars().all() != [VERSION]
    ):
        TABLES.drop_all(connection)
    TABLES.create_all(connection)
    if connection.execute(version).first() is None:
        connection.execute(sql.insert(FOLD), _EMPTY)


def empty(connection: sql.Connection) -> None:
    """Forget everything that the tables hold."""
    for table in TABLES.sorted_tables:
        connection.execute(sql.delete(table))
    connection.execute(sql.insert(FOLD), _EMPTY)


def places_of(said: sql.ColumnElement[bool], *others: sql.Select[Any]) -> sql.CompoundSelect[Any]:
    """Return the query for the judgements of some entries, and others."""
    own = (sql.select(2 * OPERATIONS.c.sequence + number).where(said) for number in (0, 1))
    return sql.union_all(*own, *others)


def key_of(text: str) -> str:
    """Return what indexes hold for a text: itself or its hash."""
    if len(text) <= _LONGEST_KEY:
        return text
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=32).hexdigest()


def found_of(connection: sql.Connection, query: sql.Executable, *, of: Collection[Any]) -> Iterator[Any]:
    """Yield what a query finds that names `OF`."""
    for some in parts(of):
        yield from connection.execute(query, {"of": some})


def delete_of(connection: sql.Connection, column: sql.Column[Any], *, of: Collection[Any]) -> None:
    """Delete the rows that have one of these values in a column."""
    for some in parts(of):
        connection.execute(sql.delete(column.table).where(column.in_(some)))


def parts(values: Collection[Any]) -> Iterator[list[Any]]:
    """Yield values, as many at a time as one statement names."""
    ahead = iter(values)
    return iter(lambda: list(islice(ahead, _SOME)), [])
