"""Erasure of forgotten facts and entries from the tables of a fold."""

from __future__ import annotations

from collections.abc import Collection, Mapping

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
    ROWS,
    SPEAKERS,
    TAGS,
    UNDONE,
    WAITING,
    delete_of,
    found_of,
)

_BY_ROW = sql.select(JUDGEMENTS.c.row, JUDGEMENTS.c.place).where(JUDGEMENTS.c.row.in_(OF))
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
    rows = {row: id for id, row in found_of(connection, ROWS, of=facts)}
    places = {2 * sequence + number for sequence in remainders for number in (0, 1)}
    others = {place: rows[row] for row, place in found_of(connection, _BY_ROW, of=rows) if place not in places}
    for table in (JUDGEMENTS, ASSERTED, RESTS, WAITING):
        delete_of(connection, table.c.place, of=[*places, *others])
    for column, values in ((FACTS.c.row, rows), (TAGS.c.row, rows), (UNDONE.c.document, documents)):
        delete_of(connection, column, of=values)
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
