"""Reader of the fold that a ledger keeps in tables.

Nothing is asked for more than the facts that a question names.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import sqlalchemy as sql

from dateline.facts.clock import moment
from dateline.facts.database import Database
from dateline.facts.entries import OPERATIONS, STORED, entry_of, fact_of
from dateline.facts.fact import Fact, FactHistory, FactJudgement, event_start
from dateline.facts.fold import NEVER, Clocks, FactFilter, Fold, Judged, Word
from dateline.facts.state import judgement
from dateline.facts.table_writer import TableWriter
from dateline.facts.tables import (
    ASSERTED,
    FACTS,
    FOLD,
    JUDGEMENTS,
    NAMES,
    OF,
    RESTS,
    ROWS,
    TAGS,
    empty,
    key_of,
    parts,
    places_of,
)
from dateline.temporal.interval import Interval
from dateline.visible import logger

_LOG = logger(__name__)

_MANY = 1_000
"""Entries from which on it is told that tables are filled."""

_END_OF_TIME = 1 << 62

_UNDOING = ("undo", "forget")
"""Kinds of entries that withdraw what a document said."""

# Statements are made once: SQLAlchemy then keeps what they compile to.
_J = JUDGEMENTS.c
_LATEST = JUDGEMENTS.alias("latest")


def _visible(judgements: sql.FromClause, *, as_of: str = "as_of") -> sql.ColumnElement[bool]:
    """Return the condition that a judgement counts at `as_of` and `known_at`."""
    return (
        (judgements.c.starts <= sql.bindparam(as_of))
        & (judgements.c.known_at <= sql.bindparam("known_at"))
        & (judgements.c.undone_at > sql.bindparam("known_at"))
    )


def _last_of(column: sql.Column[Any], *, as_of: str = "as_of") -> sql.ScalarSelect[Any]:
    """Return a scalar query on the last visible judgement of a fact."""
    return (
        sql.select(column)
        .where(_LATEST.c.row == FACTS.c.row, _visible(_LATEST, as_of=as_of))
        .order_by(_LATEST.c.starts.desc(), _LATEST.c.until.desc(), _LATEST.c.denied.desc())
        .limit(1)
        .correlate(FACTS)
        .scalar_subquery()
    )


def _newest(*, undone: bool) -> sql.ColumnElement[int]:
    """Return a document's newest revision that spoke or was undone; -1: none."""
    kind = OPERATIONS.c.kind.in_(_UNDOING)
    return sql.func.coalesce(sql.func.max(sql.case((kind if undone else ~kind, OPERATIONS.c.revision))), -1)


_STATE = sql.select(FOLD.c.sequence, FOLD.c.facts, sql.select(sql.func.max(OPERATIONS.c.sequence)).scalar_subquery())
_BY_ID = sql.select(FACTS.c.id, FACTS.c.fact).where(FACTS.c.id.in_(OF))
_BY_ROW = sql.select(FACTS.c.row, FACTS.c.fact).where(FACTS.c.row.in_(OF))
_SPELT = (
    sql.select(FACTS.c.row, FACTS.c.fact)
    .where(FACTS.c.row.between(sql.bindparam("start"), sql.bindparam("last")))
    .order_by(FACTS.c.row)
)
_KEPT = sql.select(FOLD.c.facts, FACTS.c.row).join_from(
    FOLD, FACTS, FACTS.c.row.between(sql.bindparam("start"), sql.bindparam("last")), isouter=True
)
_WORDS = (
    sql.select(FACTS.c.id, _J.starts, _J.until, _J.denied)
    .join_from(FACTS, JUDGEMENTS, _J.place == _last_of(_LATEST.c.place))
    .where(FACTS.c.id.in_(OF))
)
_SAID = (
    sql.select(_J.row, _J.denied, _J.undone_at, *STORED)
    .join_from(JUDGEMENTS, OPERATIONS, OPERATIONS.c.sequence == _J.place // 2)
    .where(_J.row.in_(OF))
)
_JUDGED = (
    sql.select(_J.row, _J.starts, _J.until, _J.denied, _J.known_at, _J.undone_at)
    .where(_J.row.between(sql.bindparam("start"), sql.bindparam("last")))
    .order_by(_J.row, _J.starts, _J.until, _J.denied, _J.known_at, _J.undone_at)
)
_BEGUN = (
    sql.select(_J.row)
    .where(_J.starts.between(sql.bindparam("first"), sql.bindparam("last")))
    .distinct()
    .order_by(_J.row)
)
_TAGGED = (
    sql.select(TAGS.c.row).where(TAGS.c.tag.in_(sql.bindparam("tags", expanding=True))).distinct().order_by(TAGS.c.row)
)
_SPEAKERS = sql.select(NAMES.c.speaker).where(NAMES.c.name.in_(sql.bindparam("names", expanding=True)))
_PLACES = places_of(OPERATIONS.c.document.in_(sql.bindparam("documents", expanding=True)))
_THIS = sql.bindparam("document", type_=sql.Text)
_REVISIONS = sql.select(_newest(undone=False), _newest(undone=True)).where(OPERATIONS.c.document == _THIS)
_STANDING = (
    sql.select(OPERATIONS.c.document)
    .group_by(OPERATIONS.c.document)
    .having(_newest(undone=False) > _newest(undone=True))
    .order_by(sql.func.min(sql.case((OPERATIONS.c.kind.not_in(_UNDOING), OPERATIONS.c.sequence))))
)
_RESTING = sql.select(RESTS.c.place).where(RESTS.c.document == _THIS)
_FACTS_OF = (
    sql.select(FACTS.c.id)
    .join(JUDGEMENTS, _J.row == FACTS.c.row)
    .where(_J.place.in_(places_of(OPERATIONS.c.document == _THIS, _RESTING)))
    .order_by(_J.place)
)


def _passing(wanted: FactFilter) -> sql.Select[Any]:
    """Return the query for rows and whether they are denied."""
    return _made_passing(tags=bool(wanted.tags), sources=bool(wanted.sources), over_time=wanted.begins is not None)


@cache
def _made_passing(*, tags: bool, sources: bool, over_time: bool) -> sql.Select[Any]:
    denied: sql.ColumnElement[Any] = _last_of(_LATEST.c.denied)
    if over_time:
        # Where nothing was said by the end of the window, nothing held in it, whenever it begins.
        denied = sql.case((denied.is_not(None) & _held(), sql.false()), else_=denied)
    query = sql.select(FACTS.c.row, denied).order_by(FACTS.c.row)
    if tags:
        query = query.where(FACTS.c.row.in_(_TAGGED))
    if sources:
        spoken = JUDGEMENTS.alias("spoken")
        said = sql.select(spoken.c.row).where(spoken.c.row == FACTS.c.row, _visible(spoken), _by_sources(spoken))
        query = query.where(said.exists())
    return query


def _held() -> sql.ColumnElement[bool]:
    """Return the condition that a fact was true within a window."""
    inside, against = JUDGEMENTS.alias("inside"), JUDGEMENTS.alias("against")
    begun = _last_of(_LATEST.c.denied, as_of="begins").is_(sql.false())
    kept = (inside.c.row == FACTS.c.row, _visible(inside), inside.c.starts > sql.bindparam("begins"), ~inside.c.denied)
    # Of words that begin at one second, the last one tells.
    at_once = (against.c.row == inside.c.row) & (against.c.starts == inside.c.starts)
    behind = (at_once, _visible(against), against.c.until >= inside.c.until, against.c.denied)
    return begun | sql.select(inside.c.row).where(*kept, ~sql.select(against.c.row).where(*behind).exists()).exists()


def _by_sources(judgements: sql.FromClause) -> sql.ColumnElement[bool]:
    """Return the condition that one of these sources spoke."""
    return judgements.c.speaker.in_(_SPEAKERS) | judgements.c.place.in_(_PLACES)


def _narrowing(wanted: FactFilter) -> Iterator[sql.Select[Any]]:
    """Yield queries for rows among which all wanted ones are."""
    as_of, known_at = wanted.clocks
    if wanted.tags:
        yield _TAGGED
    elif wanted.sources:
        yield sql.select(_J.row).where(_by_sources(JUDGEMENTS)).distinct()
    else:
        if as_of is not None:
            yield sql.select(_J.row).where(_J.starts <= as_of)
        if known_at is not None:
            said = _J.place.in_([2 * OPERATIONS.c.sequence, 2 * OPERATIONS.c.sequence + 1])
            yield sql.select(_J.row).join_from(OPERATIONS, JUDGEMENTS, said).where(OPERATIONS.c.known_at <= known_at)


@cache
def _beside(*, later: bool) -> sql.Select[Any]:
    """Return the query for rows asserted around a date, nearest first."""
    start: sql.BindParameter[Any] = sql.bindparam("start")
    kept: sql.ColumnElement[bool]
    kept, order = (ASSERTED.c.starts < start) & (ASSERTED.c.starts > event_start(None)), sql.desc
    if later:
        kept, order = ASSERTED.c.starts > start, sql.asc
    return (
        sql.select(ASSERTED.c.row)
        .join(JUDGEMENTS, _J.place == ASSERTED.c.place)
        .where(ASSERTED.c.tag == sql.bindparam("tag"), kept, _J.undone_at == NEVER)
        .order_by(order(ASSERTED.c.starts), order(ASSERTED.c.until), order(ASSERTED.c.place))
        .limit(sql.bindparam("limit", type_=sql.Integer))
        .offset(sql.bindparam("skip", type_=sql.Integer))
    )


class TableFold(Fold):
    """Fold in the tables of a ledger's database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: sql.Connection | None = None
        self._sequence = self._size = 0

    @property
    def sequence(self) -> int:
        return self._sequence

    @property
    def size(self) -> int:
        return self._size

    @contextmanager
    def reading(self) -> Iterator[None]:
        if self._connection is not None or self._database.joined is not None:
            yield
            return
        self._connection = self._database.snapshot()
        try:
            yield
        finally:
            self._connection.close()
            self._connection = None

    def let_go(self) -> None:
        # SQLite empties its log of changes only while nobody reads behind them.
        if self._connection is not None and self._database.joined is None:
            self._connection.rollback()

    def follow(self) -> None:
        with self.reading():
            last = self._look()
            if self._sequence > last:
                self.rebuild()
            elif self._sequence < last:
                if last - self._sequence > _MANY:
                    _LOG.warning(
                        "The facts of %s are put into tables, once, from %d entries of its ledger.",
                        self._database.where,
                        last - self._sequence,
                    )
                self._catch_up()
                self._look()

    def rebuild(self) -> None:
        with self.reading():
            with self._database.writing() as connection:
                empty(connection)
            self._catch_up()
            self._look()

    def rows(self, ids: Collection[str]) -> dict[str, int]:
        return self._by_id(ROWS, ids)

    def ids(self, beginning: str) -> list[str]:
        # Not LIKE, for which SQLite takes capitals and small letters for the same.
        query = sql.select(FACTS.c.id).where(sql.func.substr(FACTS.c.id, 1, len(beginning)) == beginning)
        return self._column(query.order_by(FACTS.c.row))

    def facts(self, ids: Collection[str]) -> dict[str, Fact]:
        return {id: _fact(stored) for id, stored in self._by_id(_BY_ID, ids).items()}

    def spelt(self, start: int, stop: int) -> list[Fact | None]:
        stored = dict(self._run(_SPELT, start=start, last=stop - 1))
        return [_fact(stored[row]) if row in stored else None for row in range(start, min(stop, self._size))]

    def gone(self, start: int, stop: int) -> list[int]:
        with self._database.reading() as connection:
            found = connection.execute(_KEPT, {"start": start, "last": stop - 1}).all()
        # Behind the number of facts are those that are only just taken in, while tables are filled anew.
        kept, size = {row for _, row in found}, max((facts for facts, _ in found), default=0)
        return [row for row in range(start, min(stop, size)) if row not in kept]

    def last(self, ids: Collection[str], clocks: Clocks) -> dict[str, Word]:
        return {id: (starts, until, denied) for id, starts, until, denied in self._each(_WORDS, ids, **_points(clocks))}

    def passing(self, rows: Collection[int], wanted: FactFilter) -> dict[int, bool]:
        query = _passing(wanted).where(FACTS.c.row.in_(OF))
        return _truth(self._each(query, rows, **_given(wanted)), wanted)

    def few(self, wanted: FactFilter, *, limit: int) -> dict[int, bool] | None:
        given, asked = _given(wanted), _passing(wanted)
        for rows in _narrowing(wanted):
            looked = sql.select(sql.func.count()).select_from(rows.limit(limit + 1).subquery())
            if sum(self._column(looked, **given)) <= limit:
                return _truth(self._run(asked.where(FACTS.c.row.in_(rows)), **given), wanted)
        return None

    def every(self, wanted: FactFilter) -> list[int]:
        query = _passing(wanted)
        return list(_truth(self._run(query, **_given(wanted)), wanted))

    def histories(self, rows: Sequence[int]) -> list[FactHistory]:
        facts = {row: _fact(stored) for row, stored in self._each(_BY_ROW, rows)}
        entries: dict[int, list[FactJudgement]] = defaultdict(list)
        for row, denied, undone_at, *stored in self._each(_SAID, rows):
            undone = None if undone_at == NEVER else moment(undone_at)
            entries[row].append(judgement(entry_of(stored).operation, true=not denied, undone_at=undone))
        return [
            FactHistory(fact=facts[row], entries=tuple(sorted(entries[row], key=FactJudgement.order))) for row in rows
        ]

    def judged(self, start: int, stop: int) -> list[list[Judged]]:
        found: list[list[Judged]] = [[] for _ in range(start, stop)]
        for row, *word, known_at, undone_at in self._run(_JUDGED, start=start, last=stop - 1):
            found[row - start].append(Judged(tuple(word), known_at, undone_at))
        return found

    def judged_between(self, first: int, last: int) -> list[int]:
        return self._column(_BEGUN, first=first, last=last)

    def tagged(self, *tags: str, limit: int | None = None) -> list[int]:
        return self._column(_TAGGED if limit is None else _TAGGED.limit(limit), tags=list(map(key_of, tags)))

    def beside(self, tag: str, when: Interval, *, later: bool, skip: int, limit: int) -> list[int]:
        return self._column(_beside(later=later), tag=key_of(tag), start=event_start(when), skip=skip, limit=limit)

    def revisions(self, document: str) -> tuple[int, int]:
        ((said, undone),) = self._run(_REVISIONS, document=document)
        return said, undone

    def documents(self) -> list[str]:
        return self._column(_STANDING)

    def facts_of(self, document: str) -> list[str]:
        return list(dict.fromkeys(self._column(_FACTS_OF, document=document)))

    def _look(self) -> int:
        """Look at what is stored now; return the ledger's last entry."""
        if self._database.joined is None:
            assert self._connection is not None
            self._database.renew(self._connection)
        ((self._sequence, self._size, last),) = self._run(_STATE)
        return last or 0

    def _catch_up(self) -> None:
        taken = True
        while taken:
            with self._database.writing() as connection:
                taken = TableWriter(connection).take_page()

    def _run(self, query: sql.Executable, **values: Any) -> Sequence[Any]:
        with self.reading():
            connection = self._database.joined or self._connection
            assert connection is not None
            with self._database.told_in_one_sentence("read"):
                return connection.execute(query, values).all()

    def _column(self, query: sql.Executable, **values: Any) -> list[Any]:
        return [value for value, *_ in self._run(query, **values)]

    def _each(self, query: sql.Executable, of: Collection[Any], **values: Any) -> list[Any]:
        return [row for some in parts(of) for row in self._run(query, of=some, **values)]

    def _by_id(self, query: sql.Executable, ids: Collection[str]) -> dict[str, Any]:
        """Return what is stored by id, in the order of `ids`."""
        found = dict(self._each(query, ids))
        return {id: found[id] for id in ids if id in found}


def _points(clocks: Clocks) -> dict[str, int]:
    """Return both clocks as numbers; a missing one is the latest."""
    as_of, known_at = clocks
    return {
        "as_of": _END_OF_TIME if as_of is None else as_of,
        "known_at": NEVER - 1 if known_at is None else known_at,
    }


def _given(wanted: FactFilter) -> dict[str, Any]:
    """Return the values of the statements above; each takes its own."""
    names, documents = [key_of(name.casefold()) for name in wanted.sources], list(wanted.sources)
    said = {"tags": list(map(key_of, wanted.tags)), "names": names, "documents": documents, "begins": wanted.begins}
    return {**_points(wanted.clocks), **said}


def _truth(found: Iterable[Any], wanted: FactFilter) -> dict[int, bool]:
    return {row: not denied for row, denied in found if denied is not None and not (denied and wanted.true_only)}


def _fact(stored: str) -> Fact:
    return fact_of(json.loads(stored))
