"""Entries of a ledger as rows of its table."""

from __future__ import annotations

import json
from secrets import token_hex
from typing import Any

import sqlalchemy as sql

from dateline.facts.clock import microseconds, moment
from dateline.facts.fact import Fact, FactSlot
from dateline.facts.ledger import LedgerEntry
from dateline.facts.operation import (
    AddFact,
    Assertion,
    Erased,
    ErasedEntry,
    FactSource,
    Forget,
    MakeFalse,
    Operation,
    Reinforce,
    Rewrite,
    UndoDocument,
)
from dateline.temporal.interval import Interval

BIG = sql.BigInteger().with_variant(sql.Integer, "sqlite")
"""Whole number of 64 bits; SQLite numbers its rows by none but its own kind."""

METADATA = sql.MetaData()
OPERATIONS = sql.Table(
    "dateline_operations",
    METADATA,
    sql.Column("sequence", BIG, primary_key=True, autoincrement=False),
    sql.Column("id", sql.String(32), nullable=False, unique=True),
    sql.Column("document", sql.Text, nullable=False, index=True),
    sql.Column("revision", sql.Integer, nullable=False),
    sql.Column("kind", sql.String(16), nullable=False),
    sql.Column("fact", sql.String(64), index=True, comment="id of the fact judged; of a rewrite, the one denied"),
    sql.Column("dated", sql.Boolean, nullable=False),
    sql.Column("starts", sql.BigInteger, comment="event time in seconds since 1970, as in Interval"),
    sql.Column("ends", sql.BigInteger),
    sql.Column("granularity", sql.String(16)),
    sql.Column(
        "known_at", sql.BigInteger, nullable=False, index=True, comment="knowledge time in microseconds since 1970, UTC"
    ),
    sql.Column("more", sql.Text, comment="JSON: the fact spelt out, what it rests on, where from, why"),
    sql.Column("hash", sql.String(64), comment="of this entry and the hash before it"),
)

STORED = tuple(column for column in OPERATIONS.c if column.name != "hash")
"""The columns that `entry_of` reads, in its order."""


def row_of(entry: LedgerEntry, id: str) -> dict[str, Any]:
    """Return the table's row of an entry."""
    operation = entry.operation
    more: dict[str, Any] = {"salt": operation.salt or token_hex(8)}
    if operation.facts:
        more["fact"] = operation.facts[0].model_dump(mode="json", exclude_defaults=True)
    told = ((name, getattr(operation, name)) for name in ("rests_on", "origin", "channel", "reason"))
    more |= {name: value for name, value in told if value}
    if isinstance(operation, Erased):
        more |= {"says": operation.says, "numbered": operation.numbered}
    if isinstance(operation, Forget):
        more |= {"by": operation.by, "facts_erased": operation.facts_erased, "entries": operation.entries}
    when = operation.when
    return {
        "sequence": entry.sequence,
        "id": id,
        "document": operation.document,
        "revision": operation.revision,
        "kind": operation.kind,
        "fact": operation.assertions[0].fact_id if operation.assertions else None,
        "dated": when is not None,
        "starts": None if when is None else when.start,
        "ends": None if when is None else when.end,
        "granularity": None if when is None else when.granularity,
        "known_at": microseconds(operation.known_at),
        "more": json.dumps(more),
    }


def entry_of(row: Any) -> LedgerEntry:
    """Read an entry from the columns `STORED`."""
    # Unpacked rather than asked by name: a large store reads a million of these while opening.
    sequence, id, document, revision, kind, fact_id, dated, starts, ends, granularity, known_at, stored = row
    more = json.loads(stored) if stored else {}
    fields: dict[str, Any] = {
        "document": document,
        "revision": revision,
        "when": Interval(starts, ends, granularity) if dated else None,
        "known_at": moment(known_at),
        "rests_on": tuple(FactSource(*source) for source in more.get("rests_on", ())),
        "origin": more.get("origin", ""),
        "channel": more.get("channel", ""),
        "reason": more.get("reason", ""),
        "salt": more.get("salt", ""),
    }
    match kind:
        case "add":
            operation: Operation = AddFact(**fields, fact=fact_of(more["fact"]))
        case "reinforce":
            operation = Reinforce(**fields, fact_id=fact_id)
        case "make_false":
            operation = MakeFalse(**fields, fact_id=fact_id)
        case "rewrite":
            operation = Rewrite(**fields, fact_id=fact_id, into=fact_of(more["fact"]))
        case "erased":
            kept, says = more.get("fact"), tuple(Assertion(*said) for said in more["says"])
            fact = None if kept is None else fact_of(kept)
            operation = Erased(**fields, token=id, fact=fact, says=says, numbered=more["numbered"])
        case "forget":
            entries = tuple(ErasedEntry(*entry) for entry in more["entries"])
            operation = Forget(**fields, by=more["by"], facts_erased=more["facts_erased"], entries=entries)
        case _:
            operation = UndoDocument(**fields)
    return LedgerEntry(sequence, operation)


def fact_of(stored: dict[str, Any]) -> Fact:
    """Read a fact that was stored as JSON."""
    validity, slot = stored.get("validity"), stored.get("slot")
    return Fact.model_construct(
        id=stored["id"],
        text=stored["text"],
        about=stored.get("about", ""),
        validity=None if validity is None else Interval.from_json(validity),
        tags=tuple(stored.get("tags", ())),
        slot=None if slot is None else FactSlot(**slot),
        data=stored.get("data", ""),
    )
