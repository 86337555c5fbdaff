"""Fold of a ledger as tables in its own database.

They are written with the entries, in one transaction, so that opening reads nothing; from the ledger alone they can be
built anew. Nothing in them is asked for more than the facts that a question names.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy as sql

from dateline.channels import names_of
from dateline.facts.clock import microseconds, moment
from dateline.facts.database import Database
from dateline.facts.entries import BIG, OPERATIONS, STORED, entry_of, fact_of
from dateline.facts.fact import Fact, FactHistory, FactJudgement, event_order
from dateline.facts.fold import NEVER, Clocks, FactFilter, Fold, Judged, Word
from dateline.facts.ledger import LedgerEntry
from dateline.facts.operation import FactSource, Operation, UndoDocument
from dateline.facts.state import judgement
from dateline.temporal.interval import Interval
from dateline.visible import logger

_LOG = logger(__name__)

VERSION = 1
"""Layout of the tables; those of another one are built anew from the ledger."""

_PAGE = 5_000
"""Entries that are taken in by one transaction."""

_SOME = 500
"""Values that one statement names at most."""

_MANY = 1_000
"""Entries from which on it is told that tables are filled."""

_END_OF_TIME = 1 << 62

_TABLES = sql.MetaData()
_FOLD = sql.Table(
    "dateline_fold",
    _TABLES,
    sql.Column("version", sql.Integer, primary_key=True),
    sql.Column("sequence", sql.BigInteger, nullable=False, comment="the last entry that was taken in"),
    sql.Column("facts", sql.BigInteger, nullable=False, comment="number of facts"),
    sql.Column("waiting", sql.Boolean, nullable=False, comment="whether a fact is judged but not yet spelt out"),
    sql.Column("undone", sql.Boolean, nullable=False, comment="whether a document was ever undone"),
)
_FACTS = sql.Table(
    "dateline_facts",
    _TABLES,
    sql.Column("row", BIG, primary_key=True, autoincrement=False, comment="in the order first spelt out, from 0"),
    sql.Column("id", sql.String(64), nullable=False, unique=True),
    sql.Column("fact", sql.Text, nullable=False, comment="JSON"),
)
_TAGS = sql.Table(
    "dateline_tags",
    _TABLES,
    sql.Column("tag", sql.Text, primary_key=True),
    sql.Column("row", sql.BigInteger, primary_key=True),
)
_JUDGEMENTS = sql.Table(
    "dateline_judgements",
    _TABLES,
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
_ASSERTED = sql.Table(
    "dateline_asserted",
    _TABLES,
    sql.Column("tag", sql.Text, primary_key=True),
    sql.Column("starts", sql.BigInteger, primary_key=True),
    sql.Column("until", sql.BigInteger, primary_key=True),
    sql.Column("place", sql.BigInteger, primary_key=True),
    sql.Column("row", sql.BigInteger, nullable=False),
)
_SPEAKERS = sql.Table(
    "dateline_speakers",
    _TABLES,
    sql.Column("number", BIG, primary_key=True, autoincrement=False),
    sql.Column("channel", sql.Text, nullable=False, unique=True),
)
_NAMES = sql.Table(
    "dateline_names",
    _TABLES,
    sql.Column("name", sql.Text, primary_key=True),
    sql.Column("speaker", sql.BigInteger, primary_key=True),
)
_RESTS = sql.Table(
    "dateline_rests",
    _TABLES,
    sql.Column("document", sql.Text, primary_key=True),
    sql.Column("place", sql.BigInteger, primary_key=True),
    sql.Column("revision", sql.Integer, nullable=False),
)
_UNDONE = sql.Table(
    "dateline_undone",
    _TABLES,
    sql.Column("document", sql.Text, primary_key=True),
    sql.Column("revision", sql.Integer, primary_key=True),
    sql.Column("at", sql.BigInteger, nullable=False),
)
_WAITING = sql.Table(
    "dateline_waiting",
    _TABLES,
    sql.Column("fact", sql.String(64), primary_key=True),
    sql.Column("place", sql.BigInteger, primary_key=True),
)

Rows = Sequence[Any]


def prepare(connection: sql.Connection, *, new: bool) -> None:
    """Make the tables; those of another layout or ledger are dropped.

    Args:
        new: the ledger has just been made.
    """
    if sql.inspect(connection).has_table(_FOLD.name) and (
        new or connection.execute(sql.select(_FOLD.c.version)).scalars().all() != [VERSION]
    ):
        _TABLES.drop_all(connection)
    _TABLES.create_all(connection)
    if connection.execute(sql.select(_FOLD.c.version)).first() is None:
        connection.execute(sql.insert(_FOLD), _EMPTY)


_EMPTY = {"version": VERSION, "sequence": 0, "facts": 0, "waiting": False, "undone": False}


# -- statements, made once: SQLAlchemy then keeps what they compile to ---------------------------------

_of: sql.BindParameter[Any] = sql.bindparam("of", expanding=True)
_J = _JUDGEMENTS.c


def _visible(judgements: Any) -> Any:
    """Return the condition that a judgement counts at `as_of` and `known_at`."""
    return (
        (judgements.c.starts <= sql.bindparam("as_of"))
        & (judgements.c.known_at <= sql.bindparam("known_at"))
        & (judgements.c.undone_at > sql.bindparam("known_at"))
    )


def _clocks(clocks: Clocks) -> dict[str, int]:
    as_of, known_at = clocks
    return {
        "as_of": _END_OF_TIME if as_of is None else as_of,
        "known_at": NEVER - 1 if known_at is None else known_at,
    }


_LATEST = sql.alias(_JUDGEMENTS, "latest")


def _last_of(column: Any) -> Any:
    """Return a scalar query on the last visible judgement of a fact."""
    return (
        sql.select(column)
        .where(_LATEST.c.row == _FACTS.c.row, _visible(_LATEST))
        .order_by(_LATEST.c.starts.desc(), _LATEST.c.until.desc(), _LATEST.c.denied.desc())
        .limit(1)
        .correlate(_FACTS)
        .scalar_subquery()
    )


_STATE = sql.select(_FOLD.c.sequence, _FOLD.c.facts, _FOLD.c.waiting, _FOLD.c.undone)
_LAST_ENTRY = sql.select(sql.func.max(OPERATIONS.c.sequence))
_BOTH = sql.select(_FOLD.c.sequence, _FOLD.c.facts, _LAST_ENTRY.scalar_subquery())
_ROWS = sql.select(_FACTS.c.id, _FACTS.c.row).where(_FACTS.c.id.in_(_of))
_BY_ID = sql.select(_FACTS.c.id, _FACTS.c.fact).where(_FACTS.c.id.in_(_of))
_BY_ROW = sql.select(_FACTS.c.row, _FACTS.c.fact).where(_FACTS.c.row.in_(_of))
_SPELT = (
    sql.select(_FACTS.c.fact)
    .where(_FACTS.c.row >= sql.bindparam("start"), _FACTS.c.row < sql.bindparam("stop"))
    .order_by(_FACTS.c.row)
)
_WORDS = (
    sql.select(_FACTS.c.id, _J.starts, _J.until, _J.denied)
    .select_from(_FACTS)
    .join(_JUDGEMENTS, _J.place == _last_of(_LATEST.c.place))
    .where(_FACTS.c.id.in_(_of))
)
_SAID = (
    sql.select(_J.row, _J.denied, _J.undone_at, *STORED)
    .select_from(_JUDGEMENTS)
    .join(OPERATIONS, OPERATIONS.c.sequence == _J.place // 2)
    .where(_J.row.in_(_of))
)
_JUDGED = (
    sql.select(_J.row, _J.starts, _J.until, _J.denied, _J.known_at, _J.undone_at)
    .where(_J.row >= sql.bindparam("start"), _J.row < sql.bindparam("stop"))
    .order_by(_J.row, _J.starts, _J.until, _J.denied, _J.known_at, _J.undone_at)
)
_TAGGED = sql.select(_TAGS.c.row).where(_TAGS.c.tag.in_(_of)).distinct().order_by(_TAGS.c.row)
_SPEAKING = sql.select(_NAMES.c.speaker).where(_NAMES.c.name.in_(sql.bindparam("names", expanding=True)))
_OF_DOCUMENTS = sql.select(OPERATIONS.c.sequence).where(
    OPERATIONS.c.document.in_(sql.bindparam("documents", expanding=True))
)
_STANDING = sql.select(
    sql.func.max(sql.case((OPERATIONS.c.kind != "undo", OPERATIONS.c.revision))),
    sql.func.max(sql.case((OPERATIONS.c.kind == "undo", OPERATIONS.c.revision))),
).where(OPERATIONS.c.document == sql.bindparam("of"))
_DOCUMENTS = (
    sql.select(
        OPERATIONS.c.document,
        sql.func.max(sql.case((OPERATIONS.c.kind != "undo", OPERATIONS.c.revision))),
        sql.func.max(sql.case((OPERATIONS.c.kind == "undo", OPERATIONS.c.revision))),
    )
    .group_by(OPERATIONS.c.document)
    .order_by(sql.func.min(sql.case((OPERATIONS.c.kind != "undo", OPERATIONS.c.sequence))))
)
_RESTING = sql.select(_RESTS.c.place).where(_RESTS.c.document == sql.bindparam("of"))
_FACTS_AT = (
    sql.select(_J.place, _FACTS.c.id)
    .select_from(_JUDGEMENTS)
    .join(_FACTS, _FACTS.c.row == _J.row)
    .where(_J.place.in_(_of))
)


@cache
def _passing(*, tags: bool, sources: bool) -> sql.Select[Any]:
    """Return the query for rows and whether they are denied."""
    query = sql.select(_FACTS.c.row, _last_of(_LATEST.c.denied))
    if tags:
        carried = sql.select(_TAGS.c.row).where(
            _TAGS.c.row == _FACTS.c.row, _TAGS.c.tag.in_(sql.bindparam("tags", expanding=True))
        )
        query = query.where(carried.exists())
    if sources:
        spoken = _JUDGEMENTS.alias("spoken")
        by = spoken.c.speaker.in_(_SPEAKING) | (spoken.c.place // 2).in_(_OF_DOCUMENTS)
        query = query.where(sql.select(spoken.c.row).where(spoken.c.row == _FACTS.c.row, _visible(spoken), by).exists())
    return query


@cache
def _beside(*, later: bool) -> sql.Select[Any]:
    start: sql.BindParameter[Any] = sql.bindparam("start")
    kept: sql.ColumnElement[bool]
    kept, order = (_ASSERTED.c.starts < start) & (_ASSERTED.c.starts > event_order(None)[0]), sql.desc
    if later:
        kept, order = _ASSERTED.c.starts > start, sql.asc
    return (
        sql.select(_ASSERTED.c.row)
        .select_from(_ASSERTED)
        .join(_JUDGEMENTS, _J.place == _ASSERTED.c.place)
        .where(_ASSERTED.c.tag == sql.bindparam("tag"), kept, _J.undone_at == NEVER)
        .order_by(order(_ASSERTED.c.starts), order(_ASSERTED.c.until), order(_ASSERTED.c.place))
        .limit(sql.bindparam("limit", type_=sql.Integer))
        .offset(sql.bindparam("skip", type_=sql.Integer))
    )


# -- reading ---------------------------------------------------------------------------------------


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
        if self._connection is not None:
            yield
            return
        self._connection = self._database.snapshot()
        try:
            yield
        finally:
            self._connection.close()
            self._connection = None

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
                for table in reversed(_TABLES.sorted_tables):
                    connection.execute(sql.delete(table))
                connection.execute(sql.insert(_FOLD), _EMPTY)
            self._catch_up()
            self._look()

    def rows(self, ids: Collection[str]) -> dict[str, int]:
        found = dict(self._each(_ROWS, ids))
        return {id: found[id] for id in ids if id in found}

    def ids(self, beginning: str) -> list[str]:
        query = sql.select(_FACTS.c.id).where(_FACTS.c.id.startswith(beginning, autoescape=True))
        return [id for (id,) in self._run(query.order_by(_FACTS.c.row))]

    def facts(self, ids: Collection[str]) -> dict[str, Fact]:
        found = dict(self._each(_BY_ID, ids))
        return {id: _fact(found[id]) for id in ids if id in found}

    def spelt(self, start: int, stop: int) -> list[Fact]:
        return [_fact(fact) for (fact,) in self._run(_SPELT, start=start, stop=stop)]

    def last(self, ids: Collection[str], clocks: Clocks) -> dict[str, Word]:
        found = self._each(_WORDS, ids, **_clocks(clocks))
        return {id: (starts, until, bool(denied)) for id, starts, until, denied in found}

    def passing(self, rows: Collection[int], wanted: FactFilter) -> dict[int, bool]:
        query = _passing(tags=bool(wanted.tags), sources=bool(wanted.sources)).where(_FACTS.c.row.in_(_of))
        return _true_of(self._each(query, rows, **_given(wanted)), wanted)

    def few(self, wanted: FactFilter, *, limit: int) -> dict[int, bool] | None:
        rows = self._restricted(wanted, limit=limit)
        return None if rows is None or len(rows) > limit else self.passing(rows, wanted)

    def every(self, wanted: FactFilter) -> list[int]:
        query = _passing(tags=bool(wanted.tags), sources=bool(wanted.sources)).order_by(_FACTS.c.row)
        return list(_true_of(self._run(query, **_given(wanted)), wanted))

    def histories(self, rows: Sequence[int]) -> list[FactHistory]:
        facts = {row: _fact(fact) for row, fact in self._each(_BY_ROW, rows)}
        entries: dict[int, list[FactJudgement]] = defaultdict(list)
        for row, denied, undone_at, *stored in self._each(_SAID, rows):
            undone = None if undone_at == NEVER else moment(undone_at)
            entries[row].append(judgement(entry_of(stored).operation, true=not denied, undone_at=undone))
        return [
            FactHistory(fact=facts[row], entries=tuple(sorted(entries[row], key=FactJudgement.order))) for row in rows
        ]

    def judged(self, start: int, stop: int) -> list[list[Judged]]:
        found: list[list[Judged]] = [[] for _ in range(start, stop)]
        for row, starts, until, denied, known_at, undone_at in self._run(_JUDGED, start=start, stop=stop):
            found[row - start].append(Judged((starts, until, bool(denied)), known_at, undone_at))
        return found

    def tagged(self, tag: str) -> list[int]:
        return [row for (row,) in self._each(_TAGGED, [tag])]

    def beside(self, tag: str, when: Interval, *, later: bool, skip: int, limit: int) -> list[int]:
        found = self._run(_beside(later=later), tag=tag, start=event_order(when)[0], skip=skip, limit=limit)
        return [row for (row,) in found]

    def revision(self, document: str) -> int:
        return self._standing(document)[1] + 1

    def knows(self, document: str) -> bool:
        return max(self._standing(document)) >= 0

    def stands(self, document: str) -> bool:
        said, undone = self._standing(document)
        return said > undone

    def documents(self) -> list[str]:
        return [document for document, said, undone in self._run(_DOCUMENTS) if _or_none(said) > _or_none(undone)]

    def facts_of(self, document: str) -> list[str]:
        places = [place for (place,) in self._run(_RESTING, of=document)]
        for (sequence,) in self._run(_OF_DOCUMENTS, documents=[document]):
            places += [2 * sequence, 2 * sequence + 1]
        return list(dict.fromkeys(id for _, id in sorted(self._each(_FACTS_AT, places), key=lambda found: found[0])))

    def _restricted(self, wanted: FactFilter, *, limit: int) -> set[int] | None:
        """Return rows among which all wanted ones are, `None` for too many."""
        if wanted.tags:
            query: Any = _TAGGED.limit(limit + 1)
            return {row for (row,) in self._run(query, of=list(wanted.tags))}
        if wanted.sources:
            given = _given(wanted)
            by = _J.speaker.in_(_SPEAKING)
            rows = {row for (row,) in self._run(sql.select(_J.row).where(by).distinct().limit(limit + 1), **given)}
            places = sql.select(_OF_DOCUMENTS.subquery().c.sequence).limit(limit + 1)
            return rows | self._rows_of([sequence for (sequence,) in self._run(places, **given)])
        as_of, known_at = wanted.clocks
        if as_of is not None:
            query = sql.select(_J.row).where(_J.starts <= as_of).limit(limit + 1)
            if len(found := self._run(query)) <= limit:
                return {row for (row,) in found}
        if known_at is not None:
            query = sql.select(OPERATIONS.c.sequence).where(OPERATIONS.c.known_at <= known_at).limit(limit + 1)
            if len(found := self._run(query)) <= limit:
                return self._rows_of([sequence for (sequence,) in found])
        return None

    def _rows_of(self, sequences: Sequence[int]) -> set[int]:
        places = [place for sequence in sequences for place in (2 * sequence, 2 * sequence + 1)]
        return {row for (row,) in self._each(sql.select(_J.row).where(_J.place.in_(_of)), places)}

    def _standing(self, document: str) -> tuple[int, int]:
        """Return the newest revisions that spoke and were undone; -1: none."""
        ((said, undone),) = self._run(_STANDING, of=document)
        return _or_none(said), _or_none(undone)

    def _look(self) -> int:
        """Look at what is stored now; return the ledger's last entry."""
        assert self._connection is not None
        self._database.renew(self._connection)
        ((self._sequence, self._size, last),) = self._run(_BOTH)
        return last or 0

    def _catch_up(self) -> None:
        taken = True
        while taken:
            with self._database.writing() as connection:
                taken = TableWriter(connection).take_page()

    def _run(self, query: Any, **values: Any) -> Rows:
        with self.reading():
            assert self._connection is not None
            with self._database.told_in_one_sentence("read"):
                return self._connection.execute(query, values).all()

    def _each(self, query: Any, of: Collection[Any], **values: Any) -> list[Any]:
        return [row for some in _parts(of) for row in self._run(query, of=some, **values)]


def _given(wanted: FactFilter) -> dict[str, Any]:
    given: dict[str, Any] = dict(_clocks(wanted.clocks))
    if wanted.tags:
        given["tags"] = list(wanted.tags)
    if wanted.sources:
        given["names"] = [name.casefold() for name in wanted.sources]
        given["documents"] = list(wanted.sources)
    return given


def _true_of(found: Rows, wanted: FactFilter) -> dict[int, bool]:
    truth = {row: not denied for row, denied in found if denied is not None}
    return {row: true for row, true in truth.items() if true or not wanted.true_only}


def _fact(stored: str) -> Fact:
    return fact_of(json.loads(stored))


def _or_none(revision: int | None) -> int:
    return -1 if revision is None else revision


def _parts(values: Collection[Any]) -> Iterator[list[Any]]:
    ahead = iter(values)
    return iter(lambda: list(islice(ahead, _SOME)), [])


# -- writing ---------------------------------------------------------------------------------------


class _Spoken(NamedTuple):
    """A judgement that an entry passes."""

    place: int
    operation: Operation
    fact_id: str
    true: bool


class TableWriter:
    """Take entries into the tables, inside a transaction that may write."""

    def __init__(self, connection: sql.Connection) -> None:
        self._connection = connection
        self._sequence, self._facts, self._waiting, self._undone = connection.execute(_STATE).one()
        self._rows: dict[str, int] = {}
        self._tags: dict[int, tuple[str, ...]] = {}

    def take_page(self) -> bool:
        """Take in the next entries of the ledger; `False`: there were none."""
        query = sql.select(*STORED).where(OPERATIONS.c.sequence > self._sequence)
        found = self._connection.execute(query.order_by(OPERATIONS.c.sequence).limit(_PAGE)).all()
        self.take([entry_of(row) for row in found], after=self._sequence)
        return bool(found)

    def take(self, entries: Sequence[LedgerEntry], *, after: int) -> None:
        """Take in the entries behind `after`, if all before them were."""
        if not entries or self._sequence != after:
            return
        undos = [operation for _, operation in entries if isinstance(operation, UndoDocument)]
        said = [(sequence, operation) for sequence, operation in entries if not isinstance(operation, UndoDocument)]
        spoken = [
            _Spoken(2 * sequence + number, operation, fact_id, true)
            for sequence, operation in said
            for number, (fact_id, true) in enumerate(operation.assertions)
        ]
        spelt: dict[str, Fact] = {}
        for _, operation in said:
            for fact in operation.facts:
                spelt.setdefault(fact.id, fact)
        self._undo(undos)
        self._look_up({*spelt, *(each.fact_id for each in spoken)})
        spoken = self._name([fact for fact_id, fact in spelt.items() if fact_id not in self._rows]) + spoken
        self._judge(spoken)
        state = {"sequence": entries[-1].sequence, "facts": self._facts}
        self._connection.execute(
            sql.update(_FOLD), {**state, "waiting": bool(self._waiting), "undone": bool(self._undone)}
        )

    def _look_up(self, ids: Collection[str]) -> None:
        query = sql.select(_FACTS.c.id, _FACTS.c.row, _FACTS.c.fact).where(_FACTS.c.id.in_(_of))
        for some in _parts(ids):
            for id, row, stored in self._connection.execute(query, {"of": some}):
                self._rows[id] = row
                if '"tags"' in stored:
                    self._tags[row] = _fact(stored).tags

    def _name(self, facts: Sequence[Fact]) -> list[_Spoken]:
        """Number new facts, and return the judgements that waited for them."""
        for row, fact in enumerate(facts, self._facts):
            self._rows[fact.id], self._tags[row] = row, fact.tags
        self._facts += len(facts)
        self._insert(_FACTS, [{"row": self._rows[fact.id], "id": fact.id, "fact": _stored(fact)} for fact in facts])
        tags = {(tag, self._rows[fact.id]) for fact in facts for tag in fact.tags}
        self._insert(_TAGS, [{"tag": tag, "row": row} for tag, row in sorted(tags)])
        return self._waited([fact.id for fact in facts]) if self._waiting else []

    def _waited(self, ids: Sequence[str]) -> list[_Spoken]:
        found: list[_Spoken] = []
        for some in _parts(ids):
            waiting = (
                sql.select(_WAITING.c.fact, _WAITING.c.place, *STORED)
                .select_from(_WAITING)
                .join(OPERATIONS, OPERATIONS.c.sequence == _WAITING.c.place // 2)
            )
            for fact_id, place, *stored in self._connection.execute(waiting.where(_WAITING.c.fact.in_(some))):
                operation = entry_of(stored).operation
                found.append(_Spoken(place, operation, fact_id, operation.assertions[place % 2].true))
            self._connection.execute(sql.delete(_WAITING).where(_WAITING.c.fact.in_(some)))
        return found

    def _judge(self, spoken: Sequence[_Spoken]) -> None:
        # Whose fact is spelt out by an operation that has not arrived yet waits for it.
        waiting = [{"fact": each.fact_id, "place": each.place} for each in spoken if each.fact_id not in self._rows]
        self._waiting = self._waiting or bool(waiting)
        self._insert(_WAITING, waiting)
        spoken = [each for each in spoken if each.fact_id in self._rows]
        undone = self._undone_at({source for each in spoken for source in _sources(each.operation)})
        speakers = self._speakers({each.operation.channel or each.operation.origin for each in spoken})
        judgements = []
        for place, operation, fact_id, true in spoken:
            starts, until = event_order(operation.when)
            judgements.append(
                {
                    "place": place,
                    "row": self._rows[fact_id],
                    "starts": starts,
                    "until": until,
                    "denied": not true,
                    "known_at": microseconds(operation.known_at),
                    "undone_at": min(undone[source] for source in _sources(operation)) if undone else NEVER,
                    "speaker": speakers[operation.channel or operation.origin],
                }
            )
        self._insert(_JUDGEMENTS, judgements)
        self._insert(
            _ASSERTED,
            [
                {"tag": tag, **{name: each[name] for name in ("starts", "until", "place", "row")}}
                for each in judgements
                if not each["denied"]
                for tag in dict.fromkeys(self._tags.get(each["row"], ()))
            ],
        )
        rests = {
            (source, place): revision for place, operation, *_ in spoken for source, revision in operation.rests_on
        }
        self._insert(
            _RESTS,
            [{"document": source, "place": place, "revision": revision} for (source, place), revision in rests.items()],
        )

    def _speakers(self, channels: Collection[str]) -> Mapping[str, int]:
        query = sql.select(_SPEAKERS.c.channel, _SPEAKERS.c.number).where(_SPEAKERS.c.channel.in_(_of))
        known = {
            channel: number
            for some in _parts(channels)
            for channel, number in self._connection.execute(query, {"of": some})
        }
        new = sorted(set(channels) - known.keys())
        if new:
            last = self._connection.execute(sql.select(sql.func.max(_SPEAKERS.c.number))).scalar() or 0
            known |= {channel: number for number, channel in enumerate(new, last + 1)}
            self._insert(_SPEAKERS, [{"number": known[channel], "channel": channel} for channel in new])
            self._insert(
                _NAMES,
                [
                    {"name": name, "speaker": known[channel]}
                    for channel in new
                    for name in dict.fromkeys(names_of(channel))
                ],
            )
        return known

    def _undone_at(self, sources: Collection[FactSource]) -> dict[FactSource, int]:
        """Return when each source was first withdrawn; nothing where none ever was."""
        if not self._undone:
            return {}
        at: dict[str, list[tuple[int, int]]] = defaultdict(list)
        query = sql.select(_UNDONE.c.document, _UNDONE.c.revision, _UNDONE.c.at).where(_UNDONE.c.document.in_(_of))
        for some in _parts({source.document for source in sources}):
            for document, revision, known_at in self._connection.execute(query, {"of": some}):
                at[document].append((revision, known_at))
        return {
            source: min(
                (known for revision, known in at[source.document] if revision >= source.revision), default=NEVER
            )
            for source in sources
        }

    def _undo(self, undos: Sequence[UndoDocument]) -> None:
        for undo in undos:
            known_at, document = microseconds(undo.known_at), undo.document
            same = (_UNDONE.c.document == document) & (_UNDONE.c.revision == undo.revision)
            before = self._connection.execute(sql.select(_UNDONE.c.at).where(same)).scalar()
            if before is None:
                self._insert(_UNDONE, [{"document": document, "revision": undo.revision, "at": known_at}])
            elif known_at < before:
                self._connection.execute(sql.update(_UNDONE).where(same).values(at=known_at))
            self._withdraw(undo, known_at)
        self._undone = self._undone or bool(undos)

    def _withdraw(self, undo: UndoDocument, known_at: int) -> None:
        own = sql.select(OPERATIONS.c.sequence).where(
            OPERATIONS.c.document == undo.document, OPERATIONS.c.revision <= undo.revision
        )
        resting = sql.select(_RESTS.c.place).where(
            _RESTS.c.document == undo.document, _RESTS.c.revision <= undo.revision
        )
        places = [2 * sequence + number for (sequence,) in self._connection.execute(own) for number in (0, 1)]
        places += self._connection.execute(resting).scalars()
        for some in _parts(places):
            later = _J.place.in_(some) & (_J.undone_at > known_at)
            self._connection.execute(sql.update(_JUDGEMENTS).where(later).values(undone_at=known_at))

    def _insert(self, table: sql.Table, rows: Sequence[Mapping[str, Any]]) -> None:
        if rows:
            self._connection.execute(sql.insert(table), rows)


def _sources(operation: Operation) -> tuple[FactSource, ...]:
    return (operation.source, *operation.rests_on)


def _stored(fact: Fact) -> str:
    return json.dumps(fact.model_dump(mode="json", exclude_defaults=True))
