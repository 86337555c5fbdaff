"""What is forgotten leaves no text behind, and a trace."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
import sqlalchemy as sql
from hashed_words import HashedWords
from hypothesis import given, settings
from hypothesis import strategies as st
from test_facts_store import ANNA, BRUNO, add, day, deny
from test_facts_tables import FACTS, operation

from dateline import Evidence, Interval
from dateline.errors import BadInput, StoreFailed
from dateline.facts import (
    ExactIndex,
    Fact,
    FactStore,
    LocalUpdater,
    MemoryLedger,
    Policy,
    ReviewDecision,
    ReviewQueue,
    expire,
    open_store,
)
from dateline.facts.chroma import ChromaIndex
from dateline.facts.draft import Draft
from dateline.facts.erasure import Erasure
from dateline.facts.expiry import Since
from dateline.facts.index import Vectors
from dateline.facts.maintenance import export_operations, import_operations, verify
from dateline.facts.operation import AddFact, Erased, FactSource, MakeFalse, Operation, Reinforce, Rewrite
from dateline.facts.sql import SqlLedger
from dateline.facts.stored import stored_index

NOW = datetime(2025, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
SECRET = Fact.make("Quxley Zanthorp keeps a marmoset.", tags=("keeps quxley zanthorp",))
WHO = {"by": "Ada", "reason": "asked to", "known_at": LATER}


def opened(folder: Path) -> FactStore:
    return open_store(folder, embeddings=HashedWords())


def traces_of(folder: Path, *words: str) -> list[str]:
    """Files that hold one of the words, in whatever letters."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [str(file) for file in files for word in words if word.lower().encode() in file.read_bytes().lower()]


def test_nothing_of_a_forgotten_document_is_left_on_disk(tmp_path: Path) -> None:
    store = opened(tmp_path)
    for number in range(40):
        store.apply(f"other {number}", [add(Fact.make(f"Fact {number} about trains."), f"other {number}", "2020")])
    store.apply("quxley.txt", [add(SECRET, "quxley.txt", "2020"), add(ANNA, "quxley.txt", "2020")])
    store.flush()
    assert traces_of(tmp_path, "zanthorp", "quxley.txt")
    (trace,) = store.forget("quxley.txt", **WHO)
    assert (trace.by, trace.reason, trace.entries, trace.facts) == ("Ada", "asked to", 2, 2)
    assert traces_of(tmp_path, "zanthorp", "quxley") == []
    assert store.forgotten() == [trace]
    assert verify(store).sound
    assert verify(store).erased == (41, 42)
    store.close()
    assert traces_of(tmp_path, "zanthorp", "quxley") == []
    with opened(tmp_path) as again:
        assert again.search("who keeps a marmoset", threshold=0.3) == []
        assert verify(again).sound
        again.reindex()
        assert verify(again).sound


def test_a_fact_that_others_state_stays_with_their_word_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.apply("a", [add(SECRET, "a", "2020")])
        store.apply("b", [Reinforce(document="b", when=day("2021"), known_at=NOW, fact_id=SECRET.id)])
        store.forget("a", **WHO)
        assert [entry.document for entry in store.history(SECRET.id).entries] == ["b"]
        assert store.true(SECRET.id, as_of="2020-06-01") is None
        assert verify(store).sound
        store.forget("b", **WHO)
        assert store.ids("") == []
        assert traces_of(tmp_path, "zanthorp") == []
        assert [each.facts for each in store.forgotten()] == [0, 1]
        assert verify(store).sound


def test_what_others_say_against_a_forgotten_fact_counts_again_when_it_is_told_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.apply("a", [add(SECRET, "a", "2020")])
        store.apply("b", [deny(SECRET, "b", "2021")])
        store.forget("a", **WHO)
        assert store.documents() == ["b"]
        assert verify(store).sound
        store.apply("c", [add(SECRET, "c", "2020")])
        assert [store.true(SECRET.id, as_of=year) for year in ("2020-06-01", "2022")] == [True, False]
        assert verify(store).sound


def test_a_forgotten_fact_leaves_its_documents_and_their_other_facts(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.apply("a", [add(SECRET, "a", "2020"), add(ANNA, "a", "2020")])
        into = {"document": "b", "when": day("2021"), "known_at": NOW}
        store.apply("b", [Rewrite(**into, fact_id=SECRET.id, into=BRUNO)])
        store.apply("c", [Rewrite(**{**into, "document": "c"}, fact_id=ANNA.id, into=SECRET)])
        (trace,) = store.forget(facts=[SECRET.id], **WHO)
        assert (trace.entries, trace.facts) == (3, 1)
        assert {history.fact for history in store.at("2022", which="any")} == {ANNA, BRUNO}
        assert store.true(ANNA.id, as_of="2022") is False
        assert store.documents() == ["a", "b", "c"]
        assert traces_of(tmp_path, "zanthorp") == []
        assert verify(store).sound
        store.undo("b", known_at=LATER)
        assert store.true(BRUNO.id, as_of="2022") is None
        assert verify(store).sound


def test_what_rests_on_a_forgotten_document_goes_with_it(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.apply("a", [add(ANNA, "a", "2020")])
        said = {"document": "b", "when": day("2021"), "known_at": NOW, "rests_on": (FactSource("a"),)}
        store.apply("b", [Rewrite(**said, fact_id=ANNA.id, into=SECRET), add(BRUNO, "b", "2021")])
        store.forget("a", **WHO)
        assert {history.fact for history in store.at("2022")} == {BRUNO}
        assert traces_of(tmp_path, "zanthorp", "anna") == []


def test_a_forgotten_document_does_not_come_back(tmp_path: Path) -> None:
    news = Evidence.make("Quxley Zanthorp is the mayor of Lund.", published=day("2020"))
    with opened(tmp_path / "one") as store:
        updater = LocalUpdater(store)
        updater.update([news], known_at=NOW)
        export_operations(store.ledger, path=tmp_path / "before.jsonl")
        store.forget(news.id, **WHO)
        assert store.was_forgotten(news.id)
        assert "forgotten" in updater.update([news], known_at=LATER)[0].skipped[0]
        assert import_operations(store.ledger, path=tmp_path / "before.jsonl") == 0
        assert store.forget(news.id, **WHO) == []
        assert traces_of(tmp_path / "one", "zanthorp") == []
        export_operations(store.ledger, path=tmp_path / "after.jsonl")
        with opened(tmp_path / "two") as other:
            import_operations(other.ledger, path=tmp_path / "after.jsonl")
            assert other.forgotten() == store.forgotten()
            assert other.was_forgotten(news.id)
            assert verify(other).sound
        store.apply(news.id, [add(ANNA, news.id, "2020", known_at=LATER)])  # who insists, by hand
        assert store.stands(news.id)
        store.undo(news.id, known_at=LATER)
        assert "forgotten" in updater.update([news], known_at=LATER)[0].skipped[0]


def test_edits_and_documents_that_wait_are_forgotten_too(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        updater = LocalUpdater(store, policy=Policy(interrupt_on=("add",)))
        soon = Evidence.make("Quxley Zanthorp is the mayor of Lund.", published=day("2030"))
        held = Evidence.make("Quxley Zanthorp is the mayor of Oslo.", published=day("2020"))
        updater.update([soon, held], known_at=NOW)
        store.forget([soon.id], **WHO)
        assert updater.review_queue.later() == []
        assert [proposal.document for proposal in updater.review_queue.pending()] == [held.id]


ids = st.one_of(st.sampled_from(["n1", "n10", "1", "C:\\notes\\a.txt", 'the "note"']), st.text(min_size=1, max_size=3))


@settings(max_examples=60, deadline=None)
@given(ids, ids, st.booleans())
def test_what_waits_is_lost_with_the_document_of_exactly_that_id(gone: str, other: str, soon: bool) -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
    queue = ReviewQueue(store, policy=Policy(interrupt_on=("add",)))
    for id, fact in ((gone, SECRET), (other, ANNA)):
        document = Evidence(id=id, text=fact.text, title=gone, source=gone, published=day("2030"))
        if soon:
            queue.rejection(document, known_at=NOW)
        else:
            queue.submit(document, Draft(operations=(add(fact, id, "2020"),)), known_at=NOW)
    store.forget(gone, **WHO)
    left = [each.id for each in queue.later()] if soon else [each.document for each in queue.history()]
    assert left == ([] if gone == other else [other])


def test_what_a_person_wrote_in_place_of_a_forgotten_edit_is_forgotten_with_it(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        updater = LocalUpdater(store, policy=Policy(interrupt_on=("add",)))
        held = Evidence.make("Ada Berg is the mayor of Oslo.", published=day("2020"))
        (changes,) = updater.update([held], known_at=NOW)
        changed = ReviewDecision(id=changes.pending[0].id, verdict="edit", text="Quxley Zanthorp is the mayor of Oslo.")
        updater.review_queue.decide([changed], known_at=NOW)
        store.forget(held.id, **WHO)
        assert updater.review_queue.proposals.decision(changed.id) is None
        assert traces_of(tmp_path, "zanthorp") == []


def test_a_document_all_of_whose_edits_wait_is_forgotten_without_a_word(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        updater = LocalUpdater(store, policy=Policy(interrupt_on=("add",)))
        held = Evidence.make("Quxley Zanthorp is the mayor of Oslo.", published=day("2020"))
        updater.update([held], known_at=NOW)
        (trace,) = store.forget(held.id, **WHO)
        assert (trace.entries, trace.facts) == (0, 0)
        assert updater.review_queue.history() == []
        assert "forgotten" in updater.update([held], known_at=LATER)[0].skipped[0]
        assert traces_of(tmp_path, "zanthorp") == []


def test_what_nobody_knows_is_not_forgotten_and_nothing_else_is(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.apply("a", [add(ANNA, "a", "2020")])
        with pytest.raises(BadInput, match="no document 'z'"):
            store.forget(["a", "z"], **WHO)
        with pytest.raises(BadInput, match="no fact"):
            store.forget("a", facts=["z"], **WHO)
        with pytest.raises(BadInput, match="by="):
            store.forget("a", by=" ", reason="why", known_at=LATER)
        assert store.documents() == ["a"]
        assert store.forgotten() == []


@pytest.mark.parametrize("change", ["more", "known_at", "revision"])
def test_the_chain_tells_an_erased_entry_from_one_that_was_changed(tmp_path: Path, change: str) -> None:
    import sqlite3

    store = opened(tmp_path)
    store.apply("a", [add(SECRET, "a", "2020"), add(ANNA, "a", "2020")])
    store.apply("b", [add(BRUNO, "b", "2020")])
    noted = store.ledger.chain().head
    store.forget("a", **WHO)
    assert store.ledger.chain(noted=noted)[2:] == ("", (1, 2))
    store.close()
    with sqlite3.connect(tmp_path / "facts.db") as connection:
        value = '\'{"says": [], "numbered": false}\'' if change == "more" else "7"
        connection.execute(f"UPDATE dateline_operations SET {change} = {value} WHERE sequence = 2")
    connection.close()
    with opened(tmp_path) as again:
        assert "Entry 2 is not what was stored" in again.ledger.chain().problem


said = st.lists(
    st.builds(
        operation,
        st.integers(0, 4),
        st.fixed_dictionaries(
            {
                "document": st.sampled_from("abc"),
                "when": st.sampled_from([None, day("2020"), day("2020-01-03")]),
                "known_at": st.builds(lambda hours: NOW + timedelta(hours=hours), st.integers(0, 20)),
                "revision": st.integers(0, 1),
                "rests_on": st.sampled_from([(), (), (FactSource("a"),), (FactSource("b", 1),)]),
            }
        ),
        st.sampled_from(FACTS[:4]),
        st.sampled_from(FACTS[:4]),
    ),
    min_size=1,
    max_size=20,
)
targets = st.lists(st.sampled_from(["a", "b", 0, 1, 2]), min_size=1, max_size=3, unique=True)


@pytest.mark.timeout(600)
@settings(max_examples=8, deadline=None)
@given(said, targets, st.integers(0, 20))
def test_forgetting_leaves_what_would_be_there_had_it_never_been_said(
    tmp_path_factory: pytest.TempPathFactory, operations: list[Operation], gone: list[str | int], later: int
) -> None:
    stores = [
        FactStore(each, index=ExactIndex(), embeddings=HashedWords())
        for each in (MemoryLedger(), SqlLedger.at(tmp_path_factory.mktemp("ledger") / "facts.db"))
    ]
    for store in stores:
        store.ledger.append(operations[:later])
        for each in gone:
            with suppress(BadInput):  # nobody knows it yet
                if isinstance(each, str):
                    store.forget(each, **WHO)
                else:
                    store.forget(facts=[FACTS[each].id], **WHO)
        store.ledger.append(operations[later:])
        assert [each for each in verify(store).problems if "no entry spells out" not in each] == []
    memory, tables = stores
    assert standing(memory) == standing(tables)
    tables.reindex()
    assert standing(memory) == standing(tables)


def standing(store: FactStore) -> object:
    ids = store.ids("")
    histories = [store.history(id, as_of=Interval(None, None)) for id in ids]
    fields = {"operation"}
    return (
        [(history.fact, [entry.model_dump(exclude=fields) for entry in history.entries]) for history in histories],
        store.documents(),
        [(store.revision(document), store.stands(document)) for document in "abc"],
        store.fold.rows(ids),
    )


def test_what_forgetting_leaves_stands_in_one_order_whatever_its_random_id(monkeypatch: pytest.MonkeyPatch) -> None:
    word: dict[str, Any] = {"document": "a", "when": None, "known_at": NOW}
    told = [
        AddFact(**word, fact=FACTS[0]),
        MakeFalse(**word, revision=1, fact_id=FACTS[0].id),
        Rewrite(**word, fact_id=FACTS[0].id, into=FACTS[1]),
        Rewrite(**word, fact_id=FACTS[0].id, into=FACTS[2]),
    ]
    orders = []
    for letter in "0f":
        monkeypatch.setattr("dateline.facts.erasure.token_hex", lambda size, letter=letter: letter * 2 * size)
        store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
        store.ledger.append(told)
        store.forget(facts=[FACTS[2].id], **WHO)
        orders.append([(entry.revision, entry.replaced_by) for entry in store.history(FACTS[0].id).entries])
    assert orders[0] == orders[1]


moments = st.sampled_from([None, NOW + timedelta(hours=5), LATER])


@settings(max_examples=100, deadline=None)
@given(said, st.sets(st.sampled_from("ab"), min_size=1), moments, st.sampled_from(["2019", "2020-01-02", "2021"]))
def test_reads_at_any_two_times_are_as_if_a_forgotten_document_had_never_spoken(
    operations: list[Operation], gone: set[str], known_at: datetime | None, as_of: str
) -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
    store.ledger.append(operations)
    known = [document for document in sorted(gone) if any(each.document == document for each in operations)]
    store.forget(known, **WHO)
    never = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
    facts = [history.fact for history in map(store.history, store.ids(""))]
    never.ledger.append([Erased(document="z", known_at=NOW, token=fact.id, fact=fact) for fact in facts])
    never.ledger.append([each for each in operations if {each.document, *dict(each.rests_on)}.isdisjoint(known)])
    for fact in facts:
        times = {"as_of": as_of, "known_at": known_at}
        assert store.true(fact.id, **times) == never.true(fact.id, **times)
    assert {id for id in never.ids("") if never.history(id).entries} <= set(store.ids(""))


KILLED = """
import os, sys
from datetime import UTC, datetime
from hashed_words import HashedWords
from dateline.facts import open_store
from dateline.facts import sql as ledger
from dateline.facts.database import Database
from dateline.facts.fact_vectors import FactVectors

def die(*_, **__):
    os.kill(os.getpid(), 9)

def die_behind(method):
    return lambda *given: die(method(*given))

where, folder, index = sys.argv[1:]
store = open_store(folder, embeddings=HashedWords(), index=index)
if where == "inside the transaction":
    ledger.erase_from_tables = die
elif where == "behind the transaction":
    FactVectors.erase = die
elif where == "before the pages are wiped":
    Database.scrub = die
else:
    Database.scrub = die_behind(Database.scrub)
store.forget("quxley.txt", by="Ada", reason="asked to", known_at=datetime(2025, 1, 2, tzinfo=UTC))
"""


@pytest.mark.parametrize(
    "where",
    ["inside the transaction", "behind the transaction", "before the pages are wiped", "before that is noted"],
)
def test_a_killed_forgetting_erased_nothing_or_is_completed_when_the_store_opens(tmp_path: Path, where: str) -> None:
    folder = tmp_path / "store"
    with opened(folder) as store:
        store.apply("a", [add(ANNA, "a", "2020")])
        store.apply("quxley.txt", [add(SECRET, "quxley.txt", "2020")])
    path = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])}
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, where, str(folder), "file"], env=os.environ | path, check=False
    )
    assert killed.returncode == -9
    with opened(folder) as store:
        assert verify(store).sound
        assert len(store.forgotten()) == (where != "inside the transaction")
        assert bool(traces_of(folder, "zanthorp")) == (where == "inside the transaction")
        assert [each.fact for each in store.search(ANNA.text, threshold=0.9)] == [ANNA]
        assert [row.any() for row in store.index.rows(0, 2)] == [True, where == "inside the transaction"]


def test_a_chroma_index_keeps_no_vector_of_what_was_forgotten(tmp_path: Path) -> None:
    pytest.importorskip("chromadb")
    with open_store(tmp_path, embeddings=HashedWords(), index="chroma") as store:
        store.apply("a", [add(ANNA, "a", "2020")])
        store.apply("b", [add(SECRET, "b", "2020")])
        store.flush()
        (vector,) = store.index.rows(1, 2)
        store.forget("b", **WHO)
        assert verify(store).sound
        assert [each.fact for each in store.search(ANNA.text, threshold=0.9)] == [ANNA]
        store.apply("c", [add(BRUNO, "c", "2020")])
        assert [each.fact for each in store.search(BRUNO.text, threshold=0.9)] == [BRUNO]
    left = [file for file in tmp_path.rglob("*") if file.is_file() and vector.tobytes() in file.read_bytes()]
    assert left == []


def test_a_store_on_a_server_forgets_too(postgres_url: str, empty_tables: None) -> None:
    with open_store(postgres_url, embeddings=HashedWords()) as store:
        store.apply("a", [add(SECRET, "a", "2020"), add(ANNA, "a", "2020")])
        store.apply("b", [add(ANNA, "b", "2021")])
        store.forget("a", **WHO)
        assert [history.fact for history in store.at("2022")] == [ANNA]
        assert verify(store).sound


@pytest.fixture
def chroma_kept(tmp_path: Path) -> Any:
    """A client of Chroma, as stores on one server share it."""
    chromadb = pytest.importorskip("chromadb")
    return chromadb.PersistentClient(path=str(tmp_path / "vectors"))


class OvertakenIndex(ChromaIndex):
    """Index with which something else happens right before it is written."""

    def __init__(self, client: Any) -> None:
        super().__init__(client)
        self.meanwhile: list[Callable[[], object]] = []

    def extend(self, vectors: Vectors, *, start: int) -> None:
        while self.meanwhile:
            self.meanwhile.pop()()
        super().extend(vectors, start=start)


@pytest.mark.parametrize("while_written", [False, True])
def test_no_process_writes_back_the_vector_of_what_another_one_forgot(
    tmp_path: Path, chroma_kept: Any, while_written: bool
) -> None:
    def shared() -> FactStore:
        return open_store(tmp_path / "store", embeddings=HashedWords(), index=OvertakenIndex(chroma_kept))

    with shared() as first, shared() as second:
        first.apply("a", [add(ANNA, "a", "2020"), add(SECRET, "a", "2020")])
        assert second.search(SECRET.text, k=1)[0].fact == SECRET  # its vector is held, to be written with others

        def forget() -> None:
            first.forget(facts=[SECRET.id], **WHO)

        if while_written:
            assert isinstance(second.index, OvertakenIndex)
            second.index.meanwhile.append(forget)
        else:
            forget()
        second.flush()
        assert [bool(row.any()) for row in ChromaIndex(chroma_kept).rows(0, 2)] == [True, False]


def test_a_vector_that_another_process_wrote_meanwhile_is_erased_too(tmp_path: Path, chroma_kept: Any) -> None:
    def shared() -> FactStore:
        return open_store(tmp_path / "store", embeddings=HashedWords(), index=ChromaIndex(chroma_kept))

    with shared() as first, shared() as second:
        first.apply("a", [add(ANNA, "a", "2020"), add(SECRET, "a", "2020")])  # both vectors are held
        assert second.search(SECRET.text, k=1)[0].fact == SECRET
        second.flush()
        first.forget(facts=[SECRET.id], **WHO)
        assert [bool(row.any()) for row in ChromaIndex(chroma_kept).rows(0, 2)] == [True, False]
        assert first.search(ANNA.text, k=1)[0].fact == ANNA


def test_where_the_rest_of_an_index_cannot_be_written_back_every_fact_keeps_its_own_vector(
    tmp_path: Path, chroma_kept: Any
) -> None:
    def fail() -> None:
        raise StoreFailed("The disk is full.")

    index = OvertakenIndex(chroma_kept)
    facts = [Fact.make(f"Lamp number{number} is on.") for number in range(8)]
    with open_store(tmp_path / "store", embeddings=HashedWords(), index=index) as store:
        store.apply("a", [add(fact, "a", "2020") for fact in facts[:5]])
        store.flush()
        store.apply("b", [add(fact, "b", "2020") for fact in facts[5:]])
        index.meanwhile.append(fail)
        with pytest.raises(StoreFailed):
            store.forget(facts=[facts[0].id], **WHO)
        assert [store.search(fact.text, k=1)[0].fact for fact in facts[1:]] == facts[1:]
        assert verify(store).sound


def test_who_wipes_what_one_process_erased_leaves_what_another_one_is_erasing_noted(tmp_path: Path) -> None:
    with SqlLedger.at(tmp_path / "facts.db") as ledger:
        ledger.append([add(SECRET, "a", "2020"), add(ANNA, "b", "2020")])
        ledger.erase(Erasure(documents=frozenset("a"), **WHO))
        first = ledger.erasing()
        ledger.erase(Erasure(documents=frozenset("b"), **WHO))
        left = [each for each in ledger.erasing() if each not in first]
        ledger.scrub(first)
        assert ledger.erasing() == left != []
        ledger.scrub(left)
        assert ledger.erasing() == []


FILES = "SELECT relname, relfilenode FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"


@contextmanager
def with_table_of_another_app(url: str) -> Iterator[sql.Engine]:
    engine = sql.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE shopping AS SELECT 'bread' AS what")
    try:
        yield engine
    finally:
        with engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE shopping")
        engine.dispose()


def files_of(engine: sql.Engine) -> dict[str, int]:
    """The files in which a server keeps its tables; one that is written anew has another."""
    with engine.connect() as connection:
        return {str(name): int(file) for name, file in connection.exec_driver_sql(FILES)}


def test_forgetting_writes_the_tables_of_the_store_anew_and_no_others(postgres_url: str, empty_tables: None) -> None:
    with with_table_of_another_app(postgres_url) as engine, open_store(postgres_url, embeddings=HashedWords()) as store:
        store.apply("a", [add(SECRET, "a", "2020")])
        before = files_of(engine)
        store.forget("a", **WHO)
        assert [name for name, file in files_of(engine).items() if file == before[name]] == ["shopping"]


def test_forgetting_does_not_wait_for_readers_for_ever_and_is_completed_later(
    postgres_url: str, empty_tables: None
) -> None:
    def opened() -> FactStore:
        ledger = SqlLedger(postgres_url, timeout=0.5)
        index = stored_index(ledger.database, name="words", dimensions=256)
        return FactStore(ledger, index=index, embeddings=HashedWords())

    engine = sql.create_engine(postgres_url)
    with opened() as store:
        store.apply("a", [add(SECRET, "a", "2020")])
        with engine.connect() as reader:
            reader.exec_driver_sql("SELECT * FROM dateline_notes").all()
            with pytest.raises(StoreFailed, match="wiped"):
                store.forget("a", **WHO)
        assert store.ids("") == []
        assert store.ledger.erasing()
    with opened() as store:
        assert store.ledger.erasing() == []
        with store.ledger.database.reading() as connection:  # type: ignore[attr-defined]
            assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == "0"
    engine.dispose()


def test_only_documents_older_than_the_period_expire(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.apply("old", [add(SECRET, "old", "2020", known_at=NOW - timedelta(days=800))])
        store.apply("new", [add(ANNA, "new", "2020", known_at=NOW - timedelta(days=10))])
        rule = {"older_than": timedelta(days=730), "known_at": NOW}
        (listed,) = expire(store, **rule, dry_run=True)
        assert (listed.document, listed.facts) == ("old", 1)
        assert len(expire(store, **rule, since="published", dry_run=True)) == 2
        assert store.documents() == ["old", "new"]
        assert expire(store, **rule) == [listed]
        assert store.documents() == ["new"]
        assert [(each.by, each.reason) for each in store.forgotten()] == [("retention", "older than 730 days")]
        assert expire(store, **rule) == []
        assert traces_of(tmp_path, "zanthorp") == []


def test_a_document_of_any_year_grows_older_than_any_period_or_not() -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
    said = {"known_at": NOW, "fact": ANNA}
    store.apply("caesar", [AddFact(document="caesar", when=Interval.of_year(-44), **said)])
    store.apply("far", [AddFact(document="far", when=Interval.of_year(9999), **said)])
    rule: dict[str, Any] = {"known_at": LATER, "since": "published", "dry_run": True}
    assert [each.document for each in expire(store, older_than=timedelta(days=700_000), **rule)] == ["caesar"]
    assert expire(store, older_than=timedelta(days=999_999_999), **rule) == []


def test_no_date_keeps_a_document_longer_than_the_day_it_was_learnt() -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
    store.apply("plan", [add(ANNA, "plan", "2024-07-01", known_at=NOW - timedelta(days=900))])
    for since in get_args(Since):
        (old,) = expire(store, older_than=timedelta(days=730), known_at=NOW, since=since, dry_run=True)
        assert (old.document, old.since) == ("plan", NOW - timedelta(days=900))


@pytest.mark.parametrize(
    ("period", "reason"),
    [
        (timedelta(days=1), "older than 1 day"),
        (timedelta(days=730), "older than 730 days"),
        (timedelta(days=1, hours=12), "older than 1 day, 12:00:00"),
        (timedelta(hours=2), "older than 2:00:00"),
    ],
)
def test_the_reason_names_the_whole_period(period: timedelta, reason: str) -> None:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())
    store.apply("old", [add(ANNA, "old", "2020")])
    expire(store, older_than=period, known_at=NOW + timedelta(days=900))
    assert [each.reason for each in store.forgotten()] == [reason]


def test_expiry_can_withdraw_without_erasing(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.apply("old", [add(SECRET, "old", "2020", known_at=NOW - timedelta(days=800))])
        expire(store, older_than=timedelta(days=730), known_at=NOW, action="undo")
        assert store.documents() == []
        assert store.history(SECRET.id).entries[0].undone_at == NOW
        with pytest.raises(BadInput, match="older_than"):
            expire(store, older_than=timedelta(0), known_at=NOW)


def test_a_fact_that_others_state_too_forgets_the_title_of_a_forgotten_document(tmp_path: Path) -> None:
    titled = SECRET.model_copy(update={"about": "The Wibblewick papers"})
    store = opened(tmp_path)
    store.apply("quxley.txt", [add(titled, "quxley.txt", "2020")])
    store.apply("other", [add(SECRET, "other", "2021")])
    store.forget("quxley.txt", **WHO)
    assert [found.fact.text for found in store.search("marmoset", threshold=0.1)] == [SECRET.text]
    store.close()
    assert traces_of(tmp_path, "wibblewick") == []


def in_memory() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())


@pytest.fixture(params=["memory", "sqlite"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FactStore]:
    with in_memory() if request.param == "memory" else opened(tmp_path / "kept") as store:
        yield store


@pytest.mark.parametrize("withdrawn", [False, True])
def test_what_was_forgotten_and_taken_in_again_can_be_forgotten_again(kept: FactStore, withdrawn: bool) -> None:
    kept.apply("quxley.txt", [add(SECRET, "quxley.txt", "2020")])
    kept.forget("quxley.txt", **WHO)
    kept.apply("quxley.txt", [add(SECRET, "quxley.txt", "2021")])
    if withdrawn:
        kept.undo("quxley.txt", known_at=LATER)
    assert kept.was_forgotten("quxley.txt") is withdrawn
    (trace,) = kept.forget("quxley.txt", **WHO)
    assert trace.facts == 1
    assert kept.was_forgotten("quxley.txt")
    assert kept.ids("") == []
    assert kept.forget("quxley.txt", **WHO) == []
    assert verify(kept).sound


@pytest.mark.parametrize("withdrawn", [False, True])
def test_a_document_that_another_store_forgot_stands_here_until_it_is_withdrawn_or_forgotten(
    kept: FactStore, tmp_path: Path, withdrawn: bool
) -> None:
    with opened(tmp_path / "other") as other:
        for store in (other, kept):
            store.apply("a", [add(SECRET, "a", "2020")])
        other.forget("a", **WHO)
        export_operations(other.ledger, path=tmp_path / "after.jsonl")
    import_operations(kept.ledger, path=tmp_path / "after.jsonl")
    assert kept.stands("a")
    assert kept.documents() == ["a"]
    assert not kept.was_forgotten("a")
    if withdrawn:
        assert [change.kind for change in kept.undo("a", known_at=LATER)] == ["withdrawn"]
        assert kept.documents() == []
    (trace,) = kept.forget("a", **WHO)
    assert (trace.entries, trace.facts) == (1 + withdrawn, 1)
    assert kept.was_forgotten("a")
    assert kept.ids("") == []
    assert verify(kept).sound


def test_what_one_store_forgot_another_one_keeps_out_once_it_has_read_of_it(kept: FactStore, tmp_path: Path) -> None:
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    with opened(tmp_path / "other") as other:
        other.apply("a", [add(SECRET, "a", "2020")])
        export_operations(other.ledger, path=before)
        other.forget("a", **WHO)
        export_operations(other.ledger, path=after)
    import_operations(kept.ledger, path=after)
    assert import_operations(kept.ledger, path=before) == 0
    assert kept.ids("") == []
    assert kept.was_forgotten("a")


@pytest.mark.parametrize("first", ["chroma", "file"])
def test_an_index_that_was_not_open_holds_nothing_of_what_was_forgotten_once_it_is(
    tmp_path: Path, first: Literal["chroma", "file"]
) -> None:
    pytest.importorskip("chromadb")
    second: Literal["chroma", "file"] = "file" if first == "chroma" else "chroma"
    with open_store(tmp_path, embeddings=HashedWords(), index=first) as store:
        store.apply("a", [add(ANNA, "a", "2020")])
        store.apply("b", [add(SECRET, "b", "2020")])
        store.flush()
        (vector,) = store.index.rows(1, 2)
    with open_store(tmp_path, embeddings=HashedWords(), index=second) as store:
        store.forget("b", **WHO)
    open_store(tmp_path, embeddings=HashedWords(), index=first).close()
    left = [file for file in tmp_path.rglob("*") if file.is_file() and vector.tobytes() in file.read_bytes()]
    assert left == []
    with open_store(tmp_path, embeddings=HashedWords(), index=first) as store:
        assert [each.fact for each in store.search(ANNA.text, threshold=0.9)] == [ANNA]
        assert verify(store).sound


def test_an_index_that_followed_an_erasure_is_not_looked_through_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as store:
        store.apply("a", [add(SECRET, "a", "2020")])
        store.forget("a", **WHO)

    def refuse(*_: object) -> None:
        raise AssertionError("looked through")

    monkeypatch.setattr("dateline.facts.fact_vectors.FactVectors.erase", refuse)
    opened(tmp_path).close()


RULE: dict[str, Any] = {"older_than": timedelta(days=730), "known_at": NOW + timedelta(days=800)}


def test_withdrawn_documents_expire_too(kept: FactStore) -> None:
    kept.apply("a", [add(SECRET, "a", "2020")])
    expire(kept, **RULE, action="undo")
    assert kept.ids("") == [SECRET.id]
    assert [each.document for each in expire(kept, **RULE)] == ["a"]
    assert kept.ids("") == []
    assert expire(kept, **RULE) == []


def test_documents_that_wait_expire_by_the_day_they_were_read_or_wait_for(kept: FactStore) -> None:
    updater = LocalUpdater(kept, policy=Policy(interrupt_on=("add",)))
    soon = Evidence.make("Quxley Zanthorp is the mayor of Lund.", published=day("2025-01-20"))
    far = Evidence.make("Quxley Zanthorp is the mayor of Kiel.", published=day("2026-12"))
    held = Evidence.make("Quxley Zanthorp is the mayor of Oslo.", published=day("2020"))
    updater.update([soon, far, held], known_at=NOW)
    assert {each.document for each in expire(kept, **RULE)} == {soon.id, held.id}
    assert [each.id for each in updater.review_queue.later()] == [far.id]
    assert updater.review_queue.history() == []


def test_what_is_said_against_a_forgotten_fact_waits_though_its_document_goes_too(kept: FactStore) -> None:
    kept.apply("a", [add(SECRET, "a", "2020")])
    said: dict[str, Any] = {"document": "b", "when": day("2021"), "known_at": NOW}
    kept.apply("b", [Rewrite(**said, fact_id=SECRET.id, into=BRUNO)])
    kept.forget("a", facts=BRUNO.id, **WHO)
    kept.apply("c", [add(SECRET, "c", "2020")])
    assert [kept.true(SECRET.id, as_of=year) for year in ("2020-06-01", "2022")] == [True, False]
    kept.reindex()
    assert kept.true(SECRET.id, as_of="2022") is False


def test_an_import_names_the_places_where_erased_entries_stand_here(tmp_path: Path) -> None:
    with opened(tmp_path / "one") as one, opened(tmp_path / "two") as two:
        one.apply("a", [add(ANNA, "a", "2020"), add(SECRET, "a", "2020")])
        one.forget(facts=[SECRET.id], **WHO)
        export_operations(one.ledger, path=tmp_path / "facts.jsonl")
        two.apply("b", [add(Fact.make(f"Lamp {number} is on."), "b", "2020") for number in range(5)])
        import_operations(two.ledger, path=tmp_path / "facts.jsonl")
        assert (verify(one).erased, verify(two).erased) == ((2,), (7,))
