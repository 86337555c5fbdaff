"""Erasure of forgotten facts and entries from the tables of a fold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sql

from dateline.facts.operation import Operation
from dateline.facts.table_writer import TableWriter, stored_fact
from dateline.facts.tables import (
    ASSERTED,
    FACTS,
    FOLD,
    JUDGEMENTS,
    NAMES,
    OF,
    RESTS,
    SPEAKERS,
    TAGS,
    UNDONE,
    WAITING,
    parts,
)

_BY_ROW = sql.select(JUDGEMENTS.c.row, JUDGEMENTS.c.place).where(JUDGEMENTS.c.row.in_(OF))
_ROWS = sql.select(FACTS.c.id, FACTS.c.row).where(FACTS.c.id.in_(OF))
_SPOKEN = sql.select(JUDGEMENTS.c.speaker)
_UNUSED = sql.select(SPEAKERS.c.number).where(SPEAKERS.c.number.not_in(_SPOKEN))


def erase_from_tables(
    connection: sql.Connection,
    remainders: Mapping[int, Operation],
    *,
    facts: Collection[str],
    documents: Collection[str],
) -> list[int]:
    """Erase entries and facts; return the rows of these facts.

    What other documents said of such a fact waits until one spells it out again.

    Args:
        remainders: what is left of the entries, by their place.
    """
    rows = {row: id for some in parts(facts) for id, row in connection.execute(_ROWS, {"of": some})}
    places = {2 * sequence + number for sequence in remainders for number in (0, 1)}
    others = {
        place: rows[row]
        for some in parts(rows)
        for row, place in connection.execute(_BY_ROW, {"of": some})
        if place not in places
    }
    for table in (JUDGEMENTS, ASSERTED, RESTS, WAITING):
        _delete(connection, table.c.place, [*places, *others])
    for column, values in ((FACTS.c.row, rows), (TAGS.c.row, rows), (UNDONE.c.document, documents)):
        _delete(connection, column, values)
    if others:
        waiting = [{"fact": fact, "place": place} for place, fact in others.items()]
        connection.execute(sql.insert(WAITING), waiting)
        connection.execute(sql.update(FOLD), {"waiting": True})
    for fact in {fact.id: fact for left in remainders.values() for fact in left.facts}.values():
        connection.execute(sql.update(FACTS).where(FACTS.c.id == fact.id).values(fact=stored_fact(fact)))
    TableWriter(connection).judge_again(remainders)
    connection.execute(sql.delete(NAMES).where(NAMES.c.speaker.in_(_UNUSED)))
    connection.execute(sql.delete(SPEAKERS).where(SPEAKERS.c.number.not_in(_SPOKEN)))
    return sorted(rows)


def _delete(connection: sql.Connection, column: sql.Column[Any], values: Collection[Any]) -> None:
    for some in parts(values):
        connection.execute(sql.delete(column.table).where(column.in_(some)))
