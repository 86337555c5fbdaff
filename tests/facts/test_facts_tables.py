"""The fold in tables tells what the fold in memory tells, and follows the ledger."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sql
from hashed_words import HashedWords
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from servers import drop_tables

from dateline.errors import BadInput
from dateline.facts import ExactIndex, Fact, FactStore, MemoryLedger, Operation, open_store
from dateline.facts.fact import event_order, last_second
from dateline.facts.fold import Clocks, FactFilter, Fold
from dateline.facts.maintenance import verify
from dateline.facts.opening import rebuild_store
from dateline.facts.operation import AddFact, FactSource, MakeFalse, Reinforce, Rewrite, UndoDocument
from dateline.facts.sql import SqlLedger
from dateline.facts.state import State
from dateline.facts.stored import stored_index
from dateline.temporal.interval import Interval

START = datetime(2025, 1, 1, tzinfo=UTC)
TAGS = ("office:lund", "office:oslo")
FACTS = [Fact.make(f"Lamp {number} is on.", tags=TAGS[: number % 3]) for number in range(6)]
DOCUMENTS = ("a", "b", "c")
CHANNELS = ("", "notes", "notes/minutes", "news.gazette.example")

fields = st.fixed_dictionaries(
    {
        "document": st.sampled_from(DOCUMENTS),
        "when": st.one_of(
            st.none(),
            st.just(Interval.of_year(2020)),
            st.builds(Interval.of_day, st.just(2020), st.just(1), st.integers(1, 5)),
        ),
        "known_at": st.builds(lambda hours: START + timedelta(hours=hours), st.integers(0, 20)),
        "revision": st.integers(0, 2),
        "channel": st.sampled_from(CHANNELS),
        "rests_on": st.lists(st.builds(FactSource, st.sampled_from(DOCUMENTS), st.integers(0, 1)), max_size=2).map(
            tuple
        ),
    }
)


def operation(kind: int, common: dict[str, Any], fact: Fact, other: Fact) -> Operation:
    if kind == 0:
        return AddFact(**common, fact=fact)
    if kind == 1:
        return Reinforce(**common, fact_id=fact.id)
    if kind == 2:
        return MakeFalse(**common, fact_id=fact.id)
    if kind == 3:
        return Rewrite(**common, fact_id=fact.id, into=other)
    return UndoDocument(**{**common, "rests_on": ()})


operations = st.lists(
    st.builds(operation, st.integers(0, 4), fields, st.sampled_from(FACTS), st.sampled_from(FACTS)),
    min_size=1,
    max_size=25,
)


def day(number: int) -> Interval:
    return Interval.of_day(2020, 1, number)


def days(first: int, last: int) -> tuple[int, int]:
    """The first second of a day, and the last of another."""
    return event_order(day(first))[0], last_second(day(last))


def told(fold: Fold) -> dict[str, Any]:
    """All that a fold can be asked."""
    with fold.reading():
        fold.follow()
        ids, rows = fold.ids(""), range(fold.size)
        moments = [Clocks(None, None)]
        moments += [
            Clocks.of(date(2020, 1, number), known) for number in (1, 3) for known in (None, START + timedelta(hours=9))
        ]
        wanted = [
            FactFilter(clocks=clocks, true_only=true_only, **kept)
            for clocks in moments
            for true_only in (True, False)
            for kept in (
                {},
                {"sources": ("Notes",)},
                {"sources": ("gazette.example", "a")},
                {"tags": TAGS[:1]},
                {"begins": day(2).start},
                {"begins": day(1).start, "tags": TAGS[:1]},
            )
        ]
        return {
            "ids": ids,
            "facts": [*fold.facts(ids).values(), *fold.spelt(0, fold.size)],
            "rows": fold.rows(["nothing", *ids]),
            "truth": [fold.truth(ids, clocks) for clocks in moments],
            "words": [fold.last(ids, clocks) for clocks in moments],
            "every": [fold.every(each) for each in wanted],
            "passing": [fold.passing(rows, each) for each in wanted],
            "histories": fold.histories(rows),
            "judged": fold.judged(0, fold.size),
            "judged between": [fold.judged_between(*days(first, last)) for first in (1, 2) for last in (2, 4)],
            "tagged": [*(fold.tagged(tag) for tag in TAGS), fold.tagged(*TAGS), fold.tagged(*TAGS, limit=1)],
            "beside": [
                fold.beside(tag, day(3), later=later, skip=skip, limit=3)
                for tag in TAGS
                for later in (False, True)
                for skip in (0, 1)
            ],
            "documents": fold.documents(),
            "of": [
                (fold.revision(document), fold.knows(document), fold.stands(document), set(fold.facts_of(document)))
                for document in (*DOCUMENTS, "nobody")
            ],
        }


IN_2020: dict[str, Any] = {"document": "a", "when": Interval.of_year(2020), "known_at": START}
WAITED = [
    AddFact(**IN_2020, fact=FACTS[0]),
    Reinforce(**IN_2020, fact_id=FACTS[2].id),
    AddFact(**IN_2020, fact=FACTS[1]),
    AddFact(**{**IN_2020, "when": None}, fact=FACTS[2]),
]
"""A word on a fact that is spelt out only later, behind another word of the same time."""

TOLD_AFTER_ALL = [
    *[AddFact(document="a", known_at=START, fact=FACTS[0])] * 2,
    AddFact(**{**IN_2020, "when": day(2)}, fact=FACTS[1]),
]
"""A fact told of a day after the end of some windows, behind one that is told twice."""

RESTING_TWICE = [
    AddFact(**IN_2020, fact=FACTS[0], rests_on=(FactSource("b", 0), FactSource("b", 1))),
    UndoDocument(document="b", known_at=START),
]
"""A word that rests on a document as it stood before an undo and after it."""


TAGGED_TWICE = [
    AddFact(**IN_2020, fact=Fact.make("Lamp 9 is on.", tags=(TAGS[0], TAGS[0]))),
    Reinforce(**{**IN_2020, "when": day(2)}, fact_id=Fact.make("Lamp 9 is on.").id),
]
"""A fact that carries a tag twice, and is told again."""

IN_NO_SECOND = [
    AddFact(**{**IN_2020, "when": day(2)}, fact=FACTS[0]),
    MakeFalse(**{**IN_2020, "when": day(2)}, fact_id=FACTS[0].id),
]
"""A fact that is asserted and denied at one moment."""


@pytest.mark.timeout(600)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(operations, st.integers(1, 7))
@example(WAITED, 1)
@example(RESTING_TWICE, 1)
@example(TOLD_AFTER_ALL, 1)
@example(IN_NO_SECOND, 1)
@example(TAGGED_TWICE, 1)
def test_tables_tell_what_a_fold_in_memory_tells(
    tmp_path_factory: pytest.TempPathFactory, said: list[Operation], at_once: int
) -> None:
    ledger = SqlLedger.at(tmp_path_factory.mktemp("ledger") / "facts.db")
    for start in range(0, len(said), at_once):
        ledger.append(said[start : start + at_once])
    fold = ledger.fold()
    expected = told(State(ledger))
    assert told(fold) == expected
    for each in range(fold.size):
        wanted = FactFilter(clocks=Clocks(), true_only=False, tags=FACTS[each % 6].tags)
        assert fold.few(wanted, limit=100) in (None, fold.passing(range(fold.size), wanted))
    fold.rebuild()
    assert told(fold) == expected
    ledger.close()


@settings(max_examples=60)
@given(operations, st.sampled_from([None, START + timedelta(hours=9)]))
@example(IN_NO_SECOND, None)
def test_a_window_holds_what_was_true_at_one_of_its_seconds(said: list[Operation], known_at: datetime | None) -> None:
    ledger = MemoryLedger()
    ledger.append(said)
    fold = State(ledger)
    fold.follow()
    (first, last), known = days(1, 3), Clocks.of(None, known_at).known_at
    begun = {event_order(each.when)[0] for each in said}
    asked = {first, *(each for each in begun if first < each <= last)}
    held = {row for second in asked for row in fold.every(FactFilter(clocks=Clocks(second, known)))}
    assert set(fold.every(FactFilter(clocks=Clocks(last, known), begins=first))) == held


def test_a_search_narrowed_to_a_document_of_many_entries_misses_none_of_its_few_facts(tmp_path: Path) -> None:
    ledger = SqlLedger.at(tmp_path / "facts.db")
    common: dict[str, Any] = {"document": "a", "known_at": START}
    repeated = [Reinforce(**common, when=Interval.of_day(2020, 1, each), fact_id=FACTS[0].id) for each in range(1, 12)]
    ledger.append([AddFact(**common, fact=FACTS[0]), *repeated, AddFact(**common, fact=FACTS[1])])
    fold = ledger.fold()
    fold.follow()
    found = fold.few(FactFilter(clocks=Clocks(), sources=("a",)), limit=4)
    assert found == {0: True, 1: True}
    ledger.close()


@pytest.fixture(params=["sqlite", "postgresql", "pgvector"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'facts.db'}"
    made = str(request.getfixturevalue("postgres_url" if request.param == "postgresql" else "pgvector_url"))
    drop_tables(made)
    return made


@pytest.fixture
def engine(url: str) -> Iterator[sql.Engine]:
    made = sql.create_engine(url)
    yield made
    made.dispose()


def filled(url: str) -> SqlLedger:
    ledger = SqlLedger(url)
    common: dict[str, Any] = {"when": Interval.of_year(2020), "known_at": START}
    for document in DOCUMENTS:
        ledger.append([AddFact(document=document, channel="notes/x", fact=fact, **common) for fact in FACTS])
    ledger.append([MakeFalse(document="d", rests_on=(FactSource("b"),), fact_id=FACTS[0].id, **common)])
    ledger.append([UndoDocument(document="b", known_at=START)])
    return ledger


def run(engine: sql.Engine, *statements: str) -> None:
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def test_both_databases_keep_what_memory_keeps(url: str) -> None:
    ledger = filled(url)
    assert told(ledger.fold()) == told(State(ledger))


def test_a_ledger_from_before_there_were_tables_is_taken_in_once(
    url: str, engine: sql.Engine, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dateline.facts.table_fold._MANY", 1)
    monkeypatch.setattr("dateline.facts.table_writer._PAGE", 4)
    before = filled(url)
    expected, head = told(State(before)), before.chain().head
    before.close()
    tables = [name for name in sql.inspect(engine).get_table_names() if name.startswith("dateline_")]
    kept = ("dateline_operations", "dateline_schema", "dateline_notes")
    run(engine, *(f"DROP TABLE {name}" for name in tables if name not in kept))
    with caplog.at_level(logging.WARNING):
        ledger = SqlLedger(url)
        assert told(ledger.fold()) == expected
    assert "20 entries" in caplog.text
    assert ledger.chain().head == head
    assert not ledger.chain().problem


def test_tables_that_fell_behind_or_ran_ahead_follow_the_ledger(url: str, engine: sql.Engine) -> None:
    ledger = filled(url)
    expected = told(State(ledger))
    run(engine, "UPDATE dateline_fold SET sequence = 99", "DELETE FROM dateline_judgements")
    assert told(ledger.fold()) == expected


def test_tables_of_another_layout_are_built_anew(url: str, engine: sql.Engine) -> None:
    expected = told(State(filled(url)))
    run(engine, "UPDATE dateline_fold SET version = 99")
    assert told(SqlLedger(url).fold()) == expected


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE dateline_judgements SET denied = NOT denied WHERE place = 2",
        "UPDATE dateline_judgements SET starts = starts + 1 WHERE place = 4",
        "DELETE FROM dateline_judgements WHERE place = 6",
        "UPDATE dateline_facts SET fact = replace(fact, 'Lamp 3', 'Lamp 9')",
        "DELETE FROM dateline_tags",
    ],
)
def test_tables_that_were_tampered_with_are_found_and_mended(url: str, engine: sql.Engine, change: str) -> None:
    with FactStore(filled(url), index=ExactIndex(), embeddings=HashedWords()) as store:
        assert verify(store).sound
        run(engine, change)
        assert "reindex()" in verify(store).problems[0]
        store.reindex()
        assert verify(store).sound


class Counted(HashedWords):
    """Embeddings that count the facts they embed."""

    name = "counted"
    embedded = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        Counted.embedded += len(texts)
        return super().embed_documents(texts)


def test_opening_reads_no_entry_and_embeds_nothing(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    where = tmp_path / "store" if url.startswith("sqlite") else url
    with open_store(where, embeddings=Counted()) as store:
        store.apply("a", [AddFact(document="a", known_at=START, fact=fact) for fact in FACTS])
        other = open_store(where, embeddings=Counted())
    Counted.embedded = 0

    def read(*_: object, **__: object) -> None:
        raise AssertionError("the ledger is read")

    monkeypatch.setattr(SqlLedger, "operations", read)
    with open_store(where, embeddings=Counted()) as store, other:
        for each in (store, other):
            assert len(each.search("Lamp 2 is on.")) == 6
    assert Counted.embedded == 0


def test_the_log_of_changes_beside_a_store_stays_small_however_much_is_written(tmp_path: Path) -> None:
    with open_store(tmp_path, embeddings=HashedWords()) as store:
        for number in range(90):
            facts = [Fact.make(f"Lamp {lamp} of house {number} is on.", tags=(f"lamp:{lamp}",)) for lamp in range(30)]
            document = f"house {number}"
            store.apply(document, [AddFact(document=document, known_at=START, fact=fact) for fact in facts])
        assert (tmp_path / "facts.db-wal").stat().st_size < 6_000_000


def test_a_store_by_url_takes_the_embeddings_it_was_made_with_until_it_is_rebuilt(url: str) -> None:
    with open_store(url, embeddings=HashedWords()) as store:
        store.apply("a", [AddFact(document="a", known_at=START, fact=fact) for fact in FACTS])
    with pytest.raises(BadInput, match="rebuild_store"):
        open_store(url, embeddings=Counted())
    with rebuild_store(url, embeddings=Counted()) as store:
        assert verify(store).sound


def test_a_graph_of_vectors_finds_what_comparing_each_finds(pgvector_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dateline.facts.stored.GRAPH_FROM", 500)
    drop_tables(pgvector_url)
    random = np.random.default_rng(5)
    vectors = random.standard_normal((30, 64))[random.integers(0, 30, 1_500)] + 0.7 * random.standard_normal(
        (1_500, 64)
    )
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    ledger, exact = SqlLedger(pgvector_url), ExactIndex()
    index = stored_index(ledger.database, name="made up", dimensions=64)
    for each in (index, exact):
        each.extend(vectors[:400], start=0)
        each.extend(vectors[400:], start=400)
    allowed = random.random(1_500) < 0.05
    for query in vectors[::100]:
        for mask in (None, allowed):
            wanted, found = exact.search(query, k=10, allowed=mask), index.search(query, k=10, allowed=mask)
            assert len({row for row, _ in wanted} & {row for row, _ in found}) >= 9
            assert [similarity for _, similarity in found[:3]] == pytest.approx([s for _, s in wanted[:3]], abs=1e-5)
    assert len(index.search(vectors[0], k=1_200)) == 1_200
    ledger.close()


def test_a_store_by_url_is_sent_to_other_processes_as_its_address(url: str) -> None:
    with open_store(url, embeddings=HashedWords()) as store:
        store.apply("a", [AddFact(document="a", known_at=START, fact=fact) for fact in FACTS])
        with pickle.loads(pickle.dumps(store)) as sent:  # noqa: S301 - our own bytes
            assert sent.search("Lamp 2 is on.") == store.search("Lamp 2 is on.")


def test_a_newer_ledger_is_refused_with_everything_in_it_as_it_was(url: str, engine: sql.Engine) -> None:
    filled(url).close()
    run(engine, "UPDATE dateline_schema SET version = 99", "UPDATE dateline_fold SET version = 99")
    with pytest.raises(BadInput, match="schema version 99"):
        SqlLedger(url)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT version FROM dateline_fold").scalars().all() == [99]
        assert connection.exec_driver_sql("SELECT count(*) FROM dateline_facts").scalar() == len(FACTS)


@pytest.mark.parametrize("once", ["VARCHAR(255)", "TEXT"])
def test_notes_are_kept_under_ids_of_any_length(url: str, engine: sql.Engine, once: str) -> None:
    SqlLedger(url).close()
    if engine.dialect.name == "postgresql":
        run(engine, f"ALTER TABLE dateline_notes ALTER COLUMN key TYPE {once}")
    with SqlLedger(url) as ledger:
        ledger.notes.write("later", {"n" * 1_000: "waits for its day"})
        assert ledger.notes.all("later") == {"n" * 1_000: "waits for its day"}


def test_what_is_written_together_is_stored_whole_or_not_at_all(url: str) -> None:
    first, second = FACTS[:2]
    with open_store(url, embeddings=HashedWords()) as store, open_store(url, embeddings=HashedWords()) as other:

        def torn() -> None:
            with store.together():
                store.apply("a", [AddFact(document="a", known_at=START, fact=first)])
                store.ledger.notes.write("later", {"a": "waits"})
                assert [history.fact for history in store.at()] == [first]
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            torn()
        assert (store.at(), store.ledger.notes.all("later"), store.index.size) == ([], {}, 0)
        with store.together():
            store.apply("b", [AddFact(document="b", known_at=START, fact=second)])
            store.undo("b", known_at=START)
            assert other.ids("") == []
        assert store.ids("") == other.ids("") == [second.id]
        assert store.at() == other.at() == []
        assert verify(store).sound
