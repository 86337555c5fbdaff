"""LangGraph's store over a fact store: beside LangGraph's own, and what only it can."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from hashed_words import DIMENSIONS, HashedTexts, HashedWords
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain.tools import ToolRuntime
from langchain_core.tools import tool
from langgraph.graph import MessagesState, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from dateline.errors import BadInput
from dateline.facts import ExactIndex, FactStore, MemoryLedger, open_store
from dateline.facts.maintenance import verify
from langchain_dateline.memory import FactMemoryStore
from langchain_dateline.testing import ScriptedChatModel, calls_tool

Namespace = tuple[str, ...]
ANA, BEN = ("users", "ana"), ("users", "ben")
NAMESPACES: list[Namespace] = [("a",), ("a", "b"), ("a", "b", "c"), ("b", "a"), ANA, BEN]
FIELDS = ["text"]


class Watch:
    """A clock that tests wind on."""

    def __init__(self) -> None:
        self.now = datetime(2024, 6, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **span: float) -> None:
        self.now += timedelta(**span)


def in_memory(embeddings: Any = None, **options: Any) -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=embeddings or HashedWords(), **options)


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture(params=["memory", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path, watch: Watch) -> Iterator[FactMemoryStore]:
    if request.param == "memory":
        yield FactMemoryStore(in_memory(clock=watch), fields=FIELDS)
        return
    with open_store(tmp_path / "store", embeddings=HashedWords()) as facts:
        facts.clock = watch
        yield FactMemoryStore(facts, fields=FIELDS)


def text(said: str) -> dict[str, Any]:
    return {"text": said}


def told(item: Item | None) -> str | None:
    return None if item is None else item.value["text"]


# -- the same operations on LangGraph's own store ----------------------------------------------------


def put_op(namespace: Namespace, key: str, word: str, number: int) -> PutOp:
    # No two items share a text: LangGraph's own store refuses equal texts within one batch.
    said = f"{word} {'/'.join(namespace)} {key}"
    index: Literal[False] | list[str] | None = {"silent": False, "both": ["text", "more[*]"]}.get(key)
    return PutOp(
        namespace, key, {"text": said, "more": [f"{said} x", f"{said} y"], "n": number, "at": {"n": number}}, index
    )


NAMES, KEYS = st.sampled_from(NAMESPACES), st.sampled_from(["one", "two", "both", "silent"])
PREFIXES = st.sampled_from([(), ("a",), ("a", "b"), ("users",), ("users", "an"), *NAMESPACES])
NUMBERS, WORDS = st.integers(0, 4), st.sampled_from(["red", "green", "blue"])
COMPARISONS = st.dictionaries(
    st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]), NUMBERS, min_size=1, max_size=2
)
FILTERS = (
    st.none()
    | st.fixed_dictionaries({"n": NUMBERS | COMPARISONS})
    | st.fixed_dictionaries({"at": st.fixed_dictionaries({"n": COMPARISONS})})
)
PUTS = st.builds(put_op, NAMES, KEYS, WORDS, NUMBERS)
DELETES = st.builds(PutOp, NAMES, KEYS, st.none())
QUERIES = st.none() | st.text(max_size=8)
PAGES = {"limit": st.integers(1, 4), "offset": st.integers(0, 3)}
PATHS = st.lists(st.sampled_from(["a", "b", "users", "*", "ana"]), min_size=1, max_size=3).map(tuple)
CONDITIONS = st.lists(st.builds(MatchCondition, st.sampled_from(["prefix", "suffix"]), PATHS), max_size=2).map(tuple)
READS = (
    st.builds(GetOp, NAMES, KEYS)
    | st.builds(SearchOp, PREFIXES, FILTERS, st.just(100), st.just(0), QUERIES)
    | st.builds(SearchOp, st.just(("a", "b", "c")), FILTERS, *PAGES.values(), st.none())
    | st.builds(SearchOp, PREFIXES, FILTERS, st.integers(1, 8), st.just(0), WORDS)
    | st.builds(ListNamespacesOp, CONDITIONS, st.none() | st.integers(1, 3), *PAGES.values())
)
STEPS = st.lists(st.lists(PUTS | DELETES, min_size=1, max_size=4) | READS.map(lambda read: [read]), max_size=12)


def test_a_negative_offset_skips_nothing() -> None:
    store = FactMemoryStore(in_memory(HashedTexts()), fields=FIELDS)
    store.batch([put_op(("a",), key, "red", 0) for key in ("one", "two")])
    whole = store.search(("a",), query="red", limit=9)
    assert store.search(("a",), query="red", limit=9, offset=-1) == whole


def shown(op: Any, result: Any) -> Any:
    """What must be equal: all but the clock, and the order of items that nothing orders."""
    if isinstance(op, GetOp):
        return None if result is None else (result.namespace, result.key, result.value)
    if not isinstance(op, SearchOp):
        return result
    items = [(each.namespace, each.key, each.value) for each in result]
    scores = [None if each.score is None else round(each.score, 5) for each in result]
    if op.query is not None:  # behind what a query finds come others, in no order
        return [item for item, score in zip(items, scores, strict=True) if score is not None], scores
    return items if len(op.namespace_prefix) == 3 else sorted(items, key=str)


@settings(max_examples=40)
@given(STEPS)
def test_the_same_operations_give_what_langgraphs_own_store_gives(steps: list[list[Any]]) -> None:
    ours = FactMemoryStore(in_memory(HashedTexts()), fields=FIELDS)
    theirs = InMemoryStore(index={"dims": DIMENSIONS, "embed": HashedTexts().embed_documents, "fields": FIELDS})
    for batch in steps:
        for namespace in [each for each, items in theirs._data.items() if not items]:
            del theirs._data[namespace]  # theirs lists namespaces that nothing is in; LangGraph's databases do not
        pairs = zip(batch, ours.batch(batch), theirs.batch(batch), strict=True)
        for op, mine, its in pairs:
            assert shown(op, mine) == shown(op, its)


# -- what every LangGraph store does -----------------------------------------------------------------


def test_an_item_is_read_back_with_its_times(memory: FactMemoryStore, watch: Watch) -> None:
    value = {"text": "Ana likes tea.", "n": 1.5, "tags": ["a", None, True], "in": {"deep": []}}
    memory.put(ANA, "drink", value)
    first = memory.get(ANA, "drink")
    watch.pass_by(hours=1)
    memory.put(ANA, "drink", {**value, "n": 2})
    second = memory.get(ANA, "drink")
    assert first is not None
    assert second is not None
    assert (first.value, first.key, first.namespace) == (value, "drink", ANA)
    assert first.created_at == first.updated_at == second.created_at == watch.now - timedelta(hours=1)
    assert second.updated_at == watch.now
    assert memory.get(ANA, "food") is None
    assert memory.get(BEN, "drink") is None


def test_a_deleted_item_is_gone_and_begins_anew(memory: FactMemoryStore, watch: Watch) -> None:
    memory.delete(ANA, "drink")
    memory.put(ANA, "drink", text("tea"))
    watch.pass_by(hours=1)
    memory.delete(ANA, "drink")
    assert memory.get(ANA, "drink") is None
    assert memory.search(ANA) == memory.search(ANA, query="tea") == memory.list_namespaces() == []
    memory.put(ANA, "drink", text("tea"))
    again = memory.get(ANA, "drink")
    assert again is not None
    assert again.created_at == watch.now


@pytest.mark.parametrize("namespace", [(), ("the", "thing.about"), ("some", ""), ("langgraph", "foo"), (1,), ("a\0",)])
@pytest.mark.parametrize("since", [None, "2020"])
async def test_a_bad_namespace_is_refused(memory: FactMemoryStore, namespace: Any, since: str | None) -> None:
    with pytest.raises(InvalidNamespaceError):
        memory.put(namespace, "foo", text("bar"), since=since)
    with pytest.raises(InvalidNamespaceError):
        await memory.aput(namespace, "foo", text("bar"), since=since)


@pytest.mark.parametrize("operation", [GetOp(("a.b",), "k"), PutOp(("a", ""), "k", {}), SearchOp(("a.b",))])
def test_operations_cannot_pass_a_label_that_means_two(memory: FactMemoryStore, operation: Any) -> None:
    with pytest.raises(InvalidNamespaceError):
        memory.batch([operation])


def test_past_put_langgraphs_own_namespace_can_be_used(memory: FactMemoryStore) -> None:
    memory.batch([PutOp(("langgraph", "foo"), "bar", text("baz"))])
    assert told(memory.get(("langgraph", "foo"), "bar")) == "baz"


def test_a_batch_reads_before_it_writes_and_keeps_the_last_put(memory: FactMemoryStore) -> None:
    memory.put(ANA, "drink", text("tea"))
    operations = [
        PutOp(ANA, "drink", text("milk")),
        GetOp(ANA, "drink"),
        PutOp(ANA, "drink", text("wine")),
        SearchOp(("users",)),
        PutOp(BEN, "drink", text("beer")),
        ListNamespacesOp(),
    ]
    none, got, _, found, _, namespaces = memory.batch(operations)
    assert none is None
    assert isinstance(got, Item)
    assert told(got) == "tea"
    assert isinstance(found, list)
    assert len(found) == 1
    assert namespaces == [ANA]
    assert told(memory.get(ANA, "drink")) == "wine"
    assert len(memory.history(ANA, "drink")) == 2


def test_a_batch_lands_whole_or_not_at_all(memory: FactMemoryStore) -> None:
    with pytest.raises(BadInput, match="must be JSON"):
        memory.batch([PutOp(ANA, "drink", text("tea")), PutOp(ANA, "food", {"text": "rice", "at": object()})])
    assert memory.get(ANA, "drink") is None


async def test_async_callers_get_the_same(memory: FactMemoryStore) -> None:
    await asyncio.gather(*(memory.aput(ANA, f"key {number}", text(f"number {number}")) for number in range(20)))
    found = await memory.asearch(ANA, limit=100)
    assert {each.key for each in found} == {f"key {number}" for number in range(20)}
    await memory.adelete(ANA, "key 7")
    assert await memory.aget(ANA, "key 7") is None
    assert told(await memory.aget(ANA, "key 8")) == "number 8"
    assert await memory.alist_namespaces() == [ANA]
    assert len(await memory.ahistory(ANA, "key 7")) == 1


def test_fields_of_a_value_are_searched_each_by_itself(memory: FactMemoryStore) -> None:
    memory.put(ANA, "trips", {"text": "trips", "stops": [{"city": "Porto"}, {"city": "Lund"}]}, index=["stops[*].city"])
    memory.put(ANA, "home", text("A house by the sea"))
    memory.put(ANA, "diary", text("Porto Porto Porto"), index=False)
    for city in ("Porto", "Lund"):
        first, *rest = memory.search(ANA, query=city)
        assert first.key == "trips"
        assert first.score == pytest.approx(1)
        assert [each.key for each in rest] == ["home", "diary"]
        assert rest[-1].score is None


def test_pages_of_a_search_meet_without_overlap(memory: FactMemoryStore) -> None:
    for number in range(40):
        memory.put(
            ("a", str(number % 3)), str(number), text(f"word{number} shared"), index=None if number % 2 else False
        )
    for query in (None, "shared"):
        pages = [memory.search(("a",), query=query, limit=7, offset=offset) for offset in range(0, 42, 7)]
        keys = [each.key for page in pages for each in page]
        assert sorted(keys) == sorted(str(number) for number in range(40))
        assert keys == [each.key for each in memory.search(("a",), query=query, limit=100)]


def test_an_unknown_operator_is_named(memory: FactMemoryStore) -> None:
    memory.put(ANA, "drink", {"n": 1})
    with pytest.raises(BadInput, match=r"'\$like'.*\$eq"):
        memory.search(ANA, filter={"n": {"$like": 1}})
    assert memory.search(ANA, filter={"missing": {"$gt": 1}}) == []


@pytest.mark.parametrize("fields", [["$"], ["text"], []])
def test_a_value_that_json_cannot_hold_is_refused_whatever_is_searched(fields: list[str]) -> None:
    memory = FactMemoryStore(in_memory(), fields=fields)
    with pytest.raises(BadInput, match="must be JSON"):
        memory.put(ANA, "visit", {"text": "tea", "at": datetime(2024, 6, 1, tzinfo=UTC)})
    assert memory.get(ANA, "visit") is None


def test_what_is_put_is_never_written_into_nor_shared(memory: FactMemoryStore) -> None:
    value = text("tea")
    memory.put(ANA, "drink", value)
    value["text"] = "milk"
    got = memory.get(ANA, "drink")
    assert told(got) == "tea"


# -- users ---------------------------------------------------------------------------------------------


def test_two_users_memories_never_meet(memory: FactMemoryStore) -> None:
    same = text("I live in Porto.")
    for user in (ANA, BEN, ("users", "an"), ("users", "ana", "work")):
        memory.put(user, "home", same)
    memory.put(ANA, "home", text("I live in Lund."))
    memory.delete(("users", "an"), "home")
    assert [told(each) for each in memory.search(BEN, query="Where do I live?")] == ["I live in Porto."]
    assert told(memory.get(("users", "ana", "work"), "home")) == "I live in Porto."
    assert {each.namespace for each in memory.search(ANA, query="Porto")} == {ANA, ("users", "ana", "work")}
    assert {each.namespace for each in memory.search(("users",), limit=100)} == {ANA, BEN, ("users", "ana", "work")}
    assert memory.search(("user",)) == memory.search(("users", "a")) == []
    assert [len(memory.history(user, "home")) for user in (ANA, BEN)] == [2, 1]


# -- what only a store with histories can -----------------------------------------------------------


def test_what_was_overwritten_stays_readable_as_of_its_day(memory: FactMemoryStore, watch: Watch) -> None:
    for city in ("Porto", "Lisbon", "Porto"):
        memory.put(ANA, "home", text(f"Ana lives in {city}."))
        watch.pass_by(days=10)
    memory.delete(ANA, "home")
    days = ["2024-05-31", "2024-06-01", "2024-06-12", "2024-06-25", "2024-07-02"]
    lives = [None, *(f"Ana lives in {city}." for city in ("Porto", "Lisbon", "Porto")), None]
    assert [told(memory.get(ANA, "home", as_of=day)) for day in days] == lives
    assert [[told(each) for each in memory.search(ANA, query="home", as_of=day)] for day in days] == [
        [] if each is None else [each] for each in lives
    ]
    history = memory.history(ANA, "home")
    assert [each.value["text"] for each in history] == lives[1:4]
    assert [each.until for each in history] == [history[1].since, history[2].since, history[2].until]
    assert verify(memory.facts).problems == ()


def test_a_value_may_be_put_for_a_time_before_or_after_others(memory: FactMemoryStore, watch: Watch) -> None:
    for since, city in (("2020", "Porto"), ("2030", "Oslo"), ("2010-05", "Lund"), ("2022", "Lisbon"), ("2020", "Faro")):
        memory.put(ANA, "home", text(city), since=since)
    years = {"2009": None, "2011": "Lund", "2021": "Faro", "2023": "Lisbon", "2029": "Lisbon", "2031": "Oslo"}
    assert {year: told(memory.get(ANA, "home", as_of=year)) for year in years} == years
    assert told(memory.get(ANA, "home")) == "Lisbon"
    memory.put(ANA, "home", text("Rome"))
    assert [told(memory.get(ANA, "home", as_of=year)) for year in ("2023", None, "2029", "2031")] == [
        "Lisbon",
        "Rome",
        "Rome",
        "Oslo",
    ]
    memory.delete(ANA, "home")
    assert [told(memory.get(ANA, "home", as_of=year)) for year in ("2023", None, "2031")] == ["Lisbon", None, None]


def test_what_was_announced_and_deleted_does_not_end_a_later_put(memory: FactMemoryStore, watch: Watch) -> None:
    memory.put(ANA, "home", text("Porto"))
    memory.put(ANA, "home", text("Oslo"), since="2027")
    watch.pass_by(days=1)
    memory.delete(ANA, "home")
    watch.pass_by(days=1)
    memory.put(ANA, "home", text("Lund"))
    assert told(memory.get(ANA, "home", as_of="2028")) == "Lund"
    (lund,) = [each for each in memory.history(ANA, "home") if each.value == text("Lund")]
    assert lund.until is None
    memory.put(ANA, "home", text("Faro"), since="2020")
    assert [told(memory.get(ANA, "home", as_of=year)) for year in ("2021", "2028")] == ["Faro", "Lund"]


def test_both_clocks_are_kept_apart(memory: FactMemoryStore, watch: Watch) -> None:
    memory.put(ANA, "home", text("Porto"), since="2020")
    before = watch.now
    watch.pass_by(days=1)
    memory.put(ANA, "home", text("Lund"), since="2019")
    memory.put(ANA, "home", text("Oslo"), since="2021")
    assert told(memory.get(ANA, "home", as_of="2022", known_at=before)) == "Porto"
    assert told(memory.get(ANA, "home", as_of="2022")) == "Oslo"
    assert memory.get(ANA, "home", as_of="2019", known_at=before) is None


def test_a_write_can_be_taken_back(memory: FactMemoryStore, watch: Watch) -> None:
    memory.put(ANA, "home", text("Porto"))
    watch.pass_by(days=1)
    memory.put(ANA, "home", text("Lund"))
    memory.facts.undo(memory.history(ANA, "home")[-1].document, known_at=watch.now)
    assert told(memory.get(ANA, "home")) == "Porto"
    assert len(memory.history(ANA, "home")) == 1


def test_a_value_lives_on_where_the_later_one_that_ended_it_is_taken_back(
    memory: FactMemoryStore, watch: Watch
) -> None:
    memory.put(ANA, "home", text("Oslo"), since="2026-07")
    memory.put(ANA, "home", text("Porto"))
    assert told(memory.get(ANA, "home", as_of="2027")) == "Oslo"
    (oslo,) = [one for one in memory.history(ANA, "home") if one.value == text("Oslo")]
    memory.facts.undo(oslo.document, known_at=watch.now)
    assert told(memory.get(ANA, "home", as_of="2027")) == "Porto"


@settings(max_examples=40, deadline=None)
@given(
    puts=st.lists(st.booleans(), min_size=1, max_size=6),
    withdrawn=st.sets(st.integers(0, 5)),
    erased=st.booleans(),
)
def test_what_is_withdrawn_leaves_the_item_as_if_it_had_never_been_put(
    puts: list[bool], withdrawn: set[int], erased: bool
) -> None:
    def written(numbers: set[int]) -> tuple[FactMemoryStore, dict[int, str]]:
        watch, documents = Watch(), {}
        memory = FactMemoryStore(in_memory(clock=watch), fields=FIELDS)
        for number, is_put in enumerate(puts):
            watch.pass_by(days=1)
            if not is_put:
                memory.delete(ANA, "home")
            elif number in numbers:
                memory.put(ANA, "home", {"text": f"street {number}"})
                documents[number] = memory.history(ANA, "home")[-1].document
        return memory, documents

    everything = set(range(len(puts)))
    memory, documents = written(everything)
    for number in withdrawn & documents.keys():
        if erased:
            memory.facts.forget(documents[number], by="Ana", reason="asked", known_at=memory.facts.clock())
        else:
            memory.facts.undo(documents[number], known_at=memory.facts.clock())
    never, _ = written(everything - withdrawn)
    assert seen(memory) == seen(never)


def seen(memory: FactMemoryStore) -> list[Any]:
    """What reads, searches and the history of an item give."""
    item = memory.get(ANA, "home")
    found = [each.value for each in memory.search(ANA, query="street 0")]
    past = [
        each.value if (each := memory.get(ANA, "home", as_of=day)) else None
        for day in (datetime(2024, 6, number, tzinfo=UTC) for number in range(1, 10))
    ]
    versions = [(each.value, str(each.since), str(each.until)) for each in memory.history(ANA, "home")]
    return [item and item.value, found, past, versions]


def test_a_clock_that_goes_back_loses_no_put(memory: FactMemoryStore, watch: Watch) -> None:
    memory.put(ANA, "home", text("Porto"))
    watch.pass_by(minutes=-5)
    memory.put(ANA, "home", text("Lund"))
    watch.pass_by(minutes=10)
    assert told(memory.get(ANA, "home")) == "Lund"
    watch.pass_by(minutes=-10)
    memory.delete(ANA, "home")
    watch.pass_by(minutes=20)
    assert memory.get(ANA, "home") is None


CITIES = st.sampled_from(["Porto", "Lund", "Oslo", None])


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(2000, 2023), st.integers(0, 2), CITIES), max_size=8))
def test_puts_for_any_times_read_as_a_list_of_days_would(puts: list[tuple[int, int, str | None]]) -> None:
    memory, told_since = FactMemoryStore(in_memory(clock=Watch()), fields=FIELDS), dict[int, str]()
    for year, _, city in puts:
        if city is not None:
            memory.put(ANA, "home", text(city), since=year)
            told_since[year] = city
    for year in range(1999, 2025):
        stood = told_since[max(before)] if (before := [since for since in told_since if since <= year]) else None
        assert told(memory.get(ANA, "home", as_of=year)) == stood


# -- time to live ------------------------------------------------------------------------------------


def test_an_item_expires_unless_it_is_read(memory: FactMemoryStore, watch: Watch) -> None:
    for key in ("read", "searched", "left", "kept"):
        memory.put(ANA, key, text(key), ttl=None if key == "kept" else 10)
    watch.pass_by(minutes=9)
    memory.get(ANA, "read")
    memory.search(ANA, filter={"text": "searched"})
    memory.get(ANA, "left", refresh_ttl=False)
    watch.pass_by(minutes=2)
    assert {each.key for each in memory.search(ANA, refresh_ttl=False)} == {"read", "searched", "kept"}
    assert memory.get(ANA, "left") is None
    assert [each.key for each in memory.search(ANA, query="left", refresh_ttl=False)][-1:] != ["left"]
    watch.pass_by(minutes=20)
    assert [each.key for each in memory.search(ANA)] == ["kept"]
    assert told(memory.get(ANA, "left", as_of=watch.now - timedelta(minutes=30))) == "left"


def test_sweeping_ends_what_has_expired_at_its_moment(memory: FactMemoryStore, watch: Watch) -> None:
    memory.put(ANA, "code", text("1234"), ttl=10)
    memory.put(ANA, "name", text("Ana"))
    assert memory.sweep_ttl() == 0
    watch.pass_by(hours=1)
    assert memory.list_namespaces() == [ANA]
    assert memory.sweep_ttl() == 1
    assert memory.sweep_ttl() == 0
    (code,) = memory.history(ANA, "code")
    assert code.until is not None
    assert code.until.isoformat().startswith("2024-06-01T12:10")
    memory.put(ANA, "code", text("5678"), ttl=10)
    assert told(memory.get(ANA, "code")) == "5678"


def test_a_default_time_to_live_holds_where_none_is_given(watch: Watch) -> None:
    memory = FactMemoryStore(in_memory(clock=watch), ttl={"default_ttl": 5, "refresh_on_read": False})
    memory.put(ANA, "short", {})
    memory.put(ANA, "dated", {}, since="2020")
    memory.put(ANA, "long", {}, ttl=None)
    memory.get(ANA, "short")
    watch.pass_by(minutes=6)
    assert [each.key for each in memory.search(ANA)] == ["long"]


# -- in an app ---------------------------------------------------------------------------------------


def test_what_one_process_puts_another_reads(tmp_path: Path) -> None:
    with (
        open_store(tmp_path, embeddings=HashedWords()) as facts,
        open_store(tmp_path, embeddings=HashedWords()) as others,
    ):
        one, other = FactMemoryStore(facts), FactMemoryStore(others)
        one.put(ANA, "home", text("Porto"))
        assert told(other.get(ANA, "home")) == "Porto"
        other.put(ANA, "home", text("Lund"))
        assert told(one.get(ANA, "home")) == "Lund"
    with open_store(tmp_path, embeddings=HashedWords()) as facts:
        assert [each.value["text"] for each in FactMemoryStore(facts).history(ANA, "home")] == ["Porto", "Lund"]
        facts.reindex()
        assert [told(each) for each in FactMemoryStore(facts).search(ANA, query="Lund")] == ["Lund"]


def test_an_agent_and_a_graph_take_it_as_their_store(memory: FactMemoryStore) -> None:
    @tool
    def remember(city: str, runtime: ToolRuntime) -> str:
        """Remember where the user lives."""
        assert runtime.store is not None
        runtime.store.put(ANA, "home", text(city))
        return "Done."

    model = ScriptedChatModel(replies=[calls_tool("remember", city="Porto"), "Noted."])
    create_agent(model, [remember], store=memory).invoke({"messages": "I live in Porto."})
    assert told(memory.get(ANA, "home")) == "Porto"


async def test_a_graphs_nodes_reach_it_without_blocking(memory: FactMemoryStore) -> None:
    async def node(state: MessagesState, runtime: Runtime[None]) -> dict[str, Any]:
        store: BaseStore | None = runtime.store
        assert store is not None
        await store.aput(ANA, "said", text(str(state["messages"][-1].content)))
        return {"messages": [("ai", str(len(await store.asearch(ANA, query="tea"))))]}

    graph = StateGraph(MessagesState).add_node(node).set_entry_point("node").compile(store=memory)
    answer = await graph.ainvoke({"messages": [("user", "I like tea.")]})
    assert answer["messages"][-1].content == "1"


@pytest.mark.parametrize("erased", [False, True])
def test_what_another_user_s_item_says_never_ends_what_a_withdrawal_restores(
    memory: FactMemoryStore, watch: Watch, erased: bool
) -> None:
    for owner, said in ((ANA, "The mayor is Eva Lund."), (BEN, "The mayor is Tom Reyes."), (ANA, "The mayor is Jo.")):
        memory.put(owner, "mayor", text(said))
        watch.pass_by(days=1)
    gone = memory.history(ANA, "mayor")[-1].document
    if erased:
        memory.facts.forget(gone, by="Ana", reason="asked", known_at=watch.now)
    else:
        memory.facts.undo(gone, known_at=watch.now)
    assert told(memory.get(ANA, "mayor")) == "The mayor is Eva Lund."
    assert told(memory.get(BEN, "mayor")) == "The mayor is Tom Reyes."


def test_what_was_known_before_a_write_was_taken_back_stays_readable(memory: FactMemoryStore, watch: Watch) -> None:
    value = {"text": "Ana likes tea.", "more": ["green", "black"]}
    memory.put(ANA, "drink", value, index=["text", "more[*]"])
    watch.pass_by(days=1)
    before = watch.now
    watch.pass_by(days=1)
    memory.facts.undo(memory.history(ANA, "drink")[0].document, known_at=watch.now)
    assert memory.get(ANA, "drink") is None
    assert memory.search(ANA, query="green") == memory.search(ANA) == []
    then: dict[str, Any] = {"as_of": before, "known_at": before}
    item = memory.get(ANA, "drink", **then)
    assert item is not None
    assert [item.value] == [each.value for each in memory.search(ANA, query="green", **then)] == [value]
    assert [each.value for each in memory.search(ANA, **then)] == [value]
