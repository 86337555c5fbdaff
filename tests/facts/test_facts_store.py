"""What every fact store does, whatever ledger and index stand behind it."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import cast
from uuid import uuid4

import pytest
from hashed_words import HashedWords
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
from servers import drop_tables

from dateline.errors import BadInput
from dateline.facts import ExactIndex, Fact, FactStore, MemoryLedger, Operation, open_store
from dateline.facts.chroma import ChromaIndex
from dateline.facts.langchain_index import LangChainIndex
from dateline.facts.operation import AddFact, FactSource, MakeFalse, Reinforce, Rewrite, UndoDocument
from dateline.facts.store import Which
from dateline.temporal.interval import Interval

NOW = datetime(2025, 1, 1, tzinfo=UTC)
ANNA = Fact.make("Anna leads the observatory.")
BRUNO = Fact.make("Bruno leads the observatory.")


Opener = Callable[[], FactStore]
"""Opens the same store again, as another process would."""


def day(text: str) -> Interval:
    return Interval.parse(text)


def add(fact: Fact, document: str, when: str | None, *, known_at: datetime = NOW) -> AddFact:
    return AddFact(document=document, when=day(when) if when else None, known_at=known_at, fact=fact)


def deny(fact: Fact, document: str, when: str, *, known_at: datetime = NOW) -> MakeFalse:
    return MakeFalse(document=document, when=day(when), known_at=known_at, fact_id=fact.id)


def texts(store: FactStore, as_of: date | None = None, known_at: datetime | None = None) -> set[str]:
    return {history.fact.text for history in store.at(as_of, known_at=known_at)}


def _memory(request: pytest.FixtureRequest, path: Path) -> Opener:
    ledger, embeddings = MemoryLedger(), HashedWords()
    return lambda: FactStore(ledger, index=ExactIndex(), embeddings=embeddings)


def _sqlite(request: pytest.FixtureRequest, path: Path) -> Opener:
    return lambda: open_store(path, embeddings=HashedWords())


def _chroma(request: pytest.FixtureRequest, path: Path) -> Opener:
    pytest.importorskip("chromadb")
    return lambda: open_store(path, embeddings=HashedWords(), index="chroma")


def _chroma_server(request: pytest.FixtureRequest, path: Path) -> Opener:
    client, name = request.getfixturevalue("chroma_client"), f"facts-{uuid4().hex}"
    return lambda: open_store(path, embeddings=HashedWords(), index=ChromaIndex(client, name=name))


def _langchain_memory(request: pytest.FixtureRequest, path: Path) -> Opener:
    return lambda: open_store(path, embeddings=HashedWords(), index=LangChainIndex(InMemoryVectorStore))


def _langchain_chroma(request: pytest.FixtureRequest, path: Path) -> Opener:
    chroma = pytest.importorskip("langchain_chroma").Chroma
    client = pytest.importorskip("chromadb").PersistentClient(path=str(path / "vectors"))

    def make(embeddings: Embeddings) -> VectorStore:
        return cast(VectorStore, chroma(client=client, embedding_function=embeddings))

    return lambda: open_store(path, embeddings=HashedWords(), index=LangChainIndex(make))


def _postgres(request: pytest.FixtureRequest, path: Path) -> Opener:
    url = request.getfixturevalue("postgres_url")
    request.getfixturevalue("empty_tables")
    return lambda: open_store(url, embeddings=HashedWords())


def _pgvector(request: pytest.FixtureRequest, path: Path) -> Opener:
    url = request.getfixturevalue("pgvector_url")
    drop_tables(url)
    return lambda: open_store(url, embeddings=HashedWords())


KINDS = [_memory, _sqlite, _chroma, _chroma_server, _langchain_memory, _langchain_chroma, _postgres, _pgvector]


@pytest.fixture(params=KINDS, ids=[kind.__name__.strip("_") for kind in KINDS])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Opener:
    made: Opener = request.param(request, tmp_path / "store")
    return made


@pytest.fixture
def store(opener: Opener) -> Iterator[FactStore]:
    with opener() as opened:
        yield opened


class TestConformance:
    def test_a_fact_is_found_as_soon_as_it_is_written(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020-01-01")])
        (found,) = store.search("Who leads the observatory?", k=5)
        assert found.fact == ANNA
        assert found.true
        assert found.since == day("2020-01-01")

    def test_nothing_is_found_before_anything_was_said(self, store: FactStore) -> None:
        assert store.search("observatory") == []
        store.apply("a", [add(ANNA, "a", "2020-01-01")])
        assert store.search("observatory", as_of=date(2019, 12, 31)) == []
        assert store.search("observatory", known_at=NOW - timedelta(days=1)) == []

    def test_a_fact_made_false_is_left_out_from_then_on(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020-01-01")])
        store.apply("b", [deny(ANNA, "b", "2021-01-01"), add(BRUNO, "b", "2021-01-01")])
        assert texts(store, date(2020, 6, 1)) == {ANNA.text}
        assert texts(store, date(2021, 1, 1)) == {BRUNO.text}
        assert [found.fact for found in store.search("observatory", which="any", k=5) if not found.true] == [ANNA]

    def test_a_fact_can_be_true_then_false_then_true_again(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020-01-01")])
        store.apply("b", [deny(ANNA, "b", "2021-01-01")])
        store.apply("c", [Reinforce(document="c", when=day("2022-01-01"), known_at=NOW, fact_id=ANNA.id)])
        truths = [store.history(ANNA.id).true_at(date(year, 6, 1)) for year in (2019, 2020, 2021, 2022)]
        assert truths == [None, True, False, True]

    def test_a_rewrite_puts_one_fact_in_the_place_of_another(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020")])
        rewrite = Rewrite(document="b", when=day("2021"), known_at=NOW, fact_id=ANNA.id, into=BRUNO)
        (change,) = store.apply("b", [rewrite])
        assert (change.kind, change.before, change.after, change.into) == ("rewritten", True, False, BRUNO)
        assert texts(store) == {BRUNO.text}
        assert store.history(ANNA.id).entries[-1].replaced_by == BRUNO.id
        assert store.history(BRUNO.id).entries[-1].replaces == ANNA.id

    def test_undo_takes_back_what_a_document_said_and_reopens_what_it_closed(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020-01-01")])
        store.apply("b", [deny(ANNA, "b", "2021-01-01"), add(BRUNO, "b", "2021-01-01")])
        changes = store.undo("b", known_at=NOW + timedelta(days=1))
        assert {(change.kind, change.fact) for change in changes} == {("reopened", ANNA), ("withdrawn", BRUNO)}
        assert texts(store) == {ANNA.text}
        assert texts(store, known_at=NOW) == {BRUNO.text}

    def test_undo_takes_along_what_rested_on_the_document(self, store: FactStore) -> None:
        store.apply("b", [add(BRUNO, "b", "2021-01-01")])
        end = replace(deny(ANNA, "a", "2021-01-01"), rests_on=(FactSource("b"),))
        store.apply("a", [add(ANNA, "a", "2020-01-01"), end])
        assert texts(store) == {BRUNO.text}
        store.undo("b", known_at=NOW)
        assert texts(store) == {ANNA.text}

    def test_undoing_twice_is_no_change(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020")])
        store.undo("a", known_at=NOW)
        assert store.undo("a", known_at=NOW) == []

    def test_a_document_counts_again_when_applied_after_its_undo(self, store: FactStore) -> None:
        for _ in range(3):
            assert len(store.apply("a", [add(ANNA, "a", "2020")])) == 1
            assert texts(store) == {ANNA.text}
            store.undo("a", known_at=NOW)
            assert texts(store) == set()

    def test_undo_of_an_unknown_document_is_refused(self, store: FactStore) -> None:
        with pytest.raises(BadInput, match="'ghost' never wrote"):
            store.undo("ghost", known_at=NOW)

    def test_the_same_document_again_is_no_change(self, store: FactStore) -> None:
        operations: list[Operation] = [add(ANNA, "a", "2020"), add(BRUNO, "a", "2020")]
        assert len(store.apply("a", operations)) == 2
        later = [add(ANNA, "a", "2020", known_at=NOW + timedelta(days=9)), *operations]
        assert store.apply("a", later) == []
        assert store.ledger.last() == 2

    def test_two_documents_may_say_the_same(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020")])
        (change,) = store.apply("b", [add(ANNA, "b", "2021")])
        assert (change.kind, change.before, change.after) == ("reinforced", True, True)
        store.undo("a", known_at=NOW)
        assert texts(store) == {ANNA.text}
        assert store.history(ANNA.id).true_at(date(2020, 6, 1)) is None

    def test_an_undated_word_counts_always_and_overrules_nothing(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", None)])
        assert texts(store, date(1900, 1, 1)) == {ANNA.text}
        store.apply("b", [deny(ANNA, "b", "2021")])
        store.apply("c", [add(ANNA, "c", None)])
        assert texts(store, date(2021, 6, 1)) == set()

    def test_a_vague_date_does_not_overrule_a_precise_one_of_the_same_period(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020-03-01")])
        store.apply("b", [deny(ANNA, "b", "2020")])
        assert texts(store) == {ANNA.text}

    def test_operations_of_another_document_are_refused_and_nothing_is_written(self, store: FactStore) -> None:
        with pytest.raises(BadInput, match="cannot be applied as 'a'"):
            store.apply("a", [add(ANNA, "a", "2020"), add(BRUNO, "b", "2020")])
        assert store.ledger.last() == 0

    def test_denying_a_fact_that_nobody_stated_is_refused(self, store: FactStore) -> None:
        with pytest.raises(BadInput, match="add it first"):
            store.apply("a", [deny(ANNA, "a", "2020")])

    def test_an_undo_cannot_be_slipped_in_as_an_operation(self, store: FactStore) -> None:
        with pytest.raises(BadInput, match="call undo"):
            store.apply("a", [UndoDocument(document="a", known_at=NOW)])

    def test_a_preview_tells_the_same_changes_and_writes_nothing(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020")])
        operations: list[Operation] = [deny(ANNA, "b", "2021"), add(BRUNO, "b", "2021"), add(ANNA, "b", "2019")]
        foretold = store.preview("b", operations)
        assert store.ledger.last() == 1
        assert store.apply("b", operations) == foretold

    def test_changes_since_a_moment_are_those_learnt_after_it(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020", known_at=NOW)])
        later = NOW + timedelta(days=1)
        store.apply("b", [deny(ANNA, "b", "2019", known_at=later), add(BRUNO, "b", "2019", known_at=later)])
        changes = store.changes(since=NOW)
        assert [(change.kind, change.fact, change.before, change.after) for change in changes] == [
            ("made_false", ANNA, True, True),
            ("added", BRUNO, None, True),
        ]
        assert store.changes(since=later) == []

    @pytest.mark.parametrize("resting", [False, True])
    def test_a_document_that_is_withdrawn_twice_at_once_changes_twice(self, store: FactStore, resting: bool) -> None:
        made = []
        for revision in range(2):
            sources = (FactSource("a", revision),) if resting else ()
            made += store.apply("a", [add(ANNA, "a", "2020")])
            made += store.apply("b", [replace(add(BRUNO, "b", "2020"), rests_on=sources)])
            made += store.undo("a", known_at=NOW)
        told = store.changes(since=NOW - timedelta(days=1))
        assert [(each.kind, each.fact) for each in told] == [(each.kind, each.fact) for each in made]
        assert [each.kind for each in told].count("withdrawn") == (4 if resting else 2)

    def test_changes_that_were_learnt_at_once_are_those_that_were_made_one_after_another(
        self, store: FactStore
    ) -> None:
        made = [
            *store.apply("a", [add(ANNA, "a", "2020")]),
            *store.apply("b", [add(ANNA, "b", "2021"), deny(ANNA, "b", "2022")]),
            *store.apply("c", [add(BRUNO, "c", "2022")]),
            *store.undo("b", known_at=NOW),
        ]
        told = store.changes(since=NOW - timedelta(days=1))
        assert [change.kind for change in told] == [
            "added",
            "reinforced",
            "made_false",
            "added",
            "reopened",
        ]
        assert [(change.kind, change.fact, change.document) for change in told] == [
            (change.kind, change.fact, change.document) for change in made
        ]
        assert [(change.before, change.after) for change in told] == [
            (None, True),
            (True, True),
            (True, False),
            (None, True),
            (False, True),
        ]

    def test_what_a_read_does_not_know_is_refused_by_each_of_them(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020"), deny(ANNA, "a", "2021")])
        wrong = cast(Which, "false")
        for read in (lambda: store.search("observatory", which=wrong), lambda: store.at(which=wrong)):
            with pytest.raises(BadInput, match=r"true, any.*'false'"):
                read()
        with pytest.raises(BadInput, match="several values"):
            store.at(tags="about:Porto")

    def test_the_beginning_of_an_id_is_told_apart_by_its_letter_case(self, store: FactStore) -> None:
        store.apply("a", [add(ANNA, "a", "2020"), add(BRUNO, "a", "2020")])
        for fact in (ANNA, BRUNO):
            assert store.ids(fact.id[:20]) == [fact.id]
            assert store.ids(fact.id[:20].upper()) == []
        assert store.ids("%") == store.ids("_") == []
        assert store.ids("") == [ANNA.id, BRUNO.id]

    def test_tags_and_channels_of_any_length_are_found_again(self, store: FactStore) -> None:
        noise = random.Random(7)
        long = ["".join(noise.choices(string.ascii_letters + string.digits, k=6_000)) for _ in range(3)]
        facts = [Fact.make(f"Key {number} is in use.", tags=(f"key {tag}",)) for number, tag in enumerate(long)]
        for number, (fact, channel) in enumerate(zip(facts, long, strict=True)):
            store.apply(str(number), [replace(add(fact, str(number), f"202{number}"), channel=channel)])
        for fact, tag in zip(facts, long, strict=True):
            assert [each.fact for each in store.search("key", tags=[f"key {tag}"])] == [fact]
            assert [each.fact for each in store.tagged(f"key {tag}")] == [fact]
            assert [each.fact for each in store.search("key", sources=[tag.upper()])] == [fact]
            assert [each.fact for each in store.beside(f"key {tag}", day("2030"), later=False)] == [fact]

    def test_what_was_written_is_there_when_the_store_is_opened_again(self, opener: Opener) -> None:
        facts = [Fact.make(f"Lamp {number} stands in room {number * 7}.") for number in range(50)]
        with opener() as store:
            store.apply("a", [add(fact, "a", "2020") for fact in facts])
        with opener() as store:
            assert texts(store) == {fact.text for fact in facts}
            (found,) = store.search("Lamp 7 stands in room 49.", k=1)
            assert found.fact == facts[7]

    def test_two_stores_on_one_ledger_see_each_others_words_at_once(self, opener: Opener) -> None:
        with opener() as one, opener() as other:
            one.apply("a", [add(ANNA, "a", "2020")])
            assert [found.fact for found in other.search("observatory")] == [ANNA]
            other.apply("b", [deny(ANNA, "b", "2021"), add(BRUNO, "b", "2021")])
            assert texts(one) == {BRUNO.text}

    def test_a_rebuilt_index_finds_the_same(self, store: FactStore) -> None:
        facts = [Fact.make(f"Lamp {number} stands in room {number * 7}.") for number in range(30)]
        store.apply("a", [add(fact, "a", "2020") for fact in facts])
        before = store.search("room 21", k=5)
        assert store.reindex() == 30
        after = store.search("room 21", k=5)
        assert [found.similarity for found in after] == pytest.approx([found.similarity for found in before], abs=1e-5)

    def test_search_keeps_to_k_and_threshold(self, store: FactStore) -> None:
        store.apply("a", [add(Fact.make(f"Lamp {number} is on."), "a", "2020") for number in range(20)])
        assert len(store.search("Lamp 3 is on.", k=4)) == 4
        (found,) = store.search("Lamp 3 is on.", k=1, threshold=0.99)
        assert found.similarity == pytest.approx(1.0, abs=1e-5)
        with pytest.raises(BadInput, match="k must be at least 1"):
            store.search("lamp", k=0)

    def test_a_moment_without_a_time_zone_is_refused(self) -> None:
        with pytest.raises(BadInput, match="time zone"):
            add(ANNA, "a", "2020", known_at=datetime(2025, 1, 1))

    def test_an_unknown_fact_has_no_history(self, store: FactStore) -> None:
        with pytest.raises(BadInput, match="no fact 'nope'"):
            store.history("nope")

    def test_a_search_can_keep_to_what_some_sources_spoke_of(self, store: FactStore) -> None:
        other = Fact.make("Bruno paints the observatory.")
        store.apply("a", [replace(add(ANNA, "a", "2020"), origin="Gazette")])
        store.apply("b", [replace(add(other, "b", "2021"), origin="Courier")])
        store.apply("c", [replace(add(ANNA, "c", "2023"), origin="Courier")])

        def found(*sources: str, as_of: date | None = None) -> set[Fact]:
            return {each.fact for each in store.search("observatory", sources=sources, as_of=as_of)}

        assert found("gazette") == {ANNA}
        assert found("Courier", as_of=date(2022, 1, 1)) == {other}
        assert found("Courier") == found("Gazette", "Courier") == found() == {ANNA, other}
        assert found("b") == {other}
        assert found("Herald") == set()
        store.undo("c", known_at=NOW)
        assert found("Courier") == {other}

    def test_a_search_can_keep_to_tags(self, store: FactStore) -> None:
        red, blue = (Fact.make(f"The {colour} lamp is on.", tags=(colour, "lamp")) for colour in ("red", "blue"))
        store.apply("a", [add(red, "a", "2020"), add(blue, "a", "2020"), add(ANNA, "a", "2020")])
        assert [found.fact for found in store.search("lamp", tags=["red"])] == [red]
        assert {found.fact for found in store.search("lamp", tags=["red", "blue"])} == {red, blue}
        assert store.search("lamp", tags=["green"]) == []
        with pytest.raises(BadInput, match="several values"):
            store.search("lamp", tags="red")


def test_of_true_facts_that_state_the_same_the_newest_comes_first(opener: Opener) -> None:
    store = opener()
    names = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gil", "Hal", "Ida", "Jo")
    for number in range(40):
        fact = Fact.make(f"{names[number % 10]} {names[number // 10]} is director of the observatory.")
        store.apply(f"d{number}", [add(fact, f"d{number}", str(1970 + number))])
    found = store.search("Who is director of the observatory?", as_of="1995-06-01", k=2)
    assert [each.fact.text.split(" is ")[0] for each in found] == ["Fay Cy", "Ed Cy"]
