"""Exports of mem0 and Graphiti become facts with both times."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hashed_words import HashedWords
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.errors import BadInput
from dateline.facts import ExactIndex, Fact, FactStore, MemoryLedger
from dateline.facts.fact import FactHistory
from dateline.facts.importing import import_memories
from dateline.facts.importing.graphiti import read_graphiti
from dateline.facts.importing.mem0 import read_mem0
from dateline.facts.slots import slot_tags
from dateline.facts.sql import SqlLedger

DATA = Path(__file__).parent / "data"
NOW = datetime(2025, 1, 1, tzinfo=UTC)
START = datetime(2024, 1, 1, 10, 30, tzinfo=UTC)


def empty() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords())


def texts(store: FactStore, **times: Any) -> set[str]:
    return {history.fact.text for history in store.at(times.pop("as_of", None), **times)}


def placed(rows: list[Any]) -> list[tuple[str, Any]]:
    return [(f"row {number}", row) for number, row in enumerate(rows, start=1)]


def told(operations: dict[str, list[Any]]) -> FactStore:
    store = empty()
    for document, said in operations.items():
        store.apply(document, said)
    return store


def test_memories_of_mem0_keep_what_they_said_before() -> None:
    store = empty()
    found = import_memories(store, DATA / "mem0.json", format="mem0", known_at=NOW)
    assert texts(store, as_of="2023-08-01") == {"Lives in Porto", "Is vegan"}
    assert texts(store, as_of="2024-12-01") == {"Lives in Lisbon", "Likes oolong tea"}
    assert texts(store, as_of="2024-12-01", known_at="2024-05-01") == {"Lives in Porto", "Likes oolong tea"}
    assert [problem.partition(":")[0] for problem in found.problems] == ["results 3", "history m3 3"]
    assert {hit.fact.text for hit in store.search("lives", as_of=NOW, sources=["mem0/joana"], which="any", k=9)} == {
        "Lives in Porto",
        "Lives in Lisbon",
        "Likes oolong tea",
        "Is vegan",
    }


def test_edges_of_graphiti_keep_both_their_times() -> None:
    store = empty()
    found = import_memories(store, DATA / "graphiti.json", format="graphiti", known_at=NOW)
    assert texts(store, as_of="2021") == {"Joana lives in Porto."}
    assert texts(store, as_of="2024-06-01") == {"Joana lives in Lisbon."}
    assert texts(store, as_of="2024-06-01", known_at="2024-05-01") == {"Joana lives in Porto."}
    assert texts(store, as_of="2021", known_at="2023") == set()
    assert [problem.partition(":")[0] for problem in found.problems] == ["row 3", "row 4"]
    assert [history.fact.text for history in store.tagged("about:Porto")] == ["Joana lives in Porto."]
    assert next(operation.reason for _, operation in store.ledger.operations()) == "Episodes: p1, p2."


@pytest.mark.parametrize(("name", "format"), [("mem0", "mem0"), ("graphiti", "graphiti")])
def test_importing_again_changes_nothing_and_what_was_forgotten_stays_so(name: str, format: Any) -> None:
    store = empty()
    path = DATA / f"{name}.json"
    first = import_memories(store, path, format=format, known_at=NOW)
    assert first.changes
    assert import_memories(store, path, format=format, known_at=NOW).changes == 0
    document = store.documents()[0]
    store.forget(document, by="Ada", reason="asked to", known_at=NOW)
    again = import_memories(store, path, format=format, known_at=NOW)
    assert again.changes == 0
    assert f"{document}: it was forgotten." in again.problems


def test_lines_of_json_are_read_and_a_broken_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "memories.jsonl"
    path.write_text('{"id": "m1", "memory": "Lives in Porto", "created_at": "2024-01-01"}\n{"id": "m2", "mem')
    store = empty()
    found = import_memories(store, path, format="mem0", known_at=NOW)
    assert texts(store, as_of="2024-02") == {"Lives in Porto"}
    assert [problem.partition(":")[0] for problem in found.problems] == ["line 2"]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
def test_a_value_of_an_export_may_hold_what_ends_no_line_of_a_file(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "memories.jsonl"
    rows = [{"id": name, "memory": f"{name} lives{mark}in Porto", "created_at": "2024-01-01"} for name in ("Ana", "Bo")]
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    store = empty()
    assert not import_memories(store, path, format="mem0", known_at=NOW).problems
    assert len(texts(store, as_of="2024-02")) == 2


@pytest.mark.parametrize("content", ["", "nothing of the kind", "\x00"])
def test_a_file_that_is_no_export_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content)
    with pytest.raises(BadInput, match="export"):
        import_memories(empty(), path, format="graphiti", known_at=NOW)
    with pytest.raises(BadInput, match="choose one of mem0, graphiti"):
        import_memories(empty(), path, format="letta", known_at=NOW)  # type: ignore[arg-type]


def test_texts_of_several_users_are_told_apart() -> None:
    rows = [
        {
            "id": "1",
            "memory_id": "1",
            "event": "ADD",
            "new_memory": "Likes tea",
            "created_at": "2024-01-01",
            "user_id": "a",
        },
        {
            "id": "2",
            "memory_id": "2",
            "event": "ADD",
            "new_memory": "Likes tea",
            "created_at": "2024-01-01",
            "user_id": "b",
        },
        {"id": "3", "memory_id": "1", "event": "DELETE", "old_memory": "Likes tea", "updated_at": "2024-02-01"},
    ]
    assert texts(told(read_mem0(placed(rows), known_at=NOW).operations), as_of="2024-03-01") == {"b: Likes tea"}
    only = told(read_mem0(placed(rows), known_at=NOW, user="a").operations)
    assert (texts(only, as_of="2024-01-15"), texts(only, as_of="2024-03-01")) == ({"Likes tea"}, set())


def test_an_edge_that_ends_as_it_begins_was_never_true(tmp_path: Path) -> None:
    path = tmp_path / "edges.json"
    moment = "2020-03-01T00:00:00Z"
    path.write_text(json.dumps([{"uuid": "e", "fact": "Joana lives.", "valid_at": moment, "invalid_at": moment}]))
    for store in (empty(), FactStore(SqlLedger.at(tmp_path / "f.db"), index=ExactIndex(), embeddings=HashedWords())):
        import_memories(store, path, format="graphiti", known_at=NOW)
        assert [texts(store, as_of=day) for day in ("2020-02", "2020-03-01", "2021")] == [set()] * 3
        assert {history.fact.text for history in store.at(during="2020")} == set()


snapshots = st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(snapshots, st.randoms())
def test_exports_without_history_end_what_a_memory_says_no_longer(
    tmp_path_factory: pytest.TempPathFactory, snapshots: list[list[int]], random: Any
) -> None:
    path, store = tmp_path_factory.mktemp("export") / "mem0.json", empty()
    held: dict[int, tuple[int, int]] = {}
    states: list[set[str]] = []
    for hour, snapshot in enumerate(snapshots):
        for memory, text in enumerate(snapshot):
            if text and held.get(memory, (0, 0))[0] != text:
                held[memory] = (text, hour)
        rows = [
            {"id": str(memory), "memory": f"Lamp {text} is on.", "created_at": at(0), "updated_at": at(since)}
            for memory, (text, since) in held.items()
        ]
        random.shuffle(rows)
        path.write_text(json.dumps(rows))
        import_memories(store, path, format="mem0", known_at=NOW)
        states.append({f"Lamp {text} is on." for text, _ in held.values()})
        assert import_memories(store, path, format="mem0", known_at=NOW).changes == 0
    for hour, state in enumerate(states):
        assert texts(store, as_of=START + timedelta(hours=hour)) == state


hours = st.integers(0, 60)
junk = st.one_of(
    st.none(),
    st.integers(),
    st.text(max_size=5),
    st.just({"uuid": "e", "fact": 7, "id": "m", "memory": []}),
    st.just({"uuid": "e", "fact": "A.", "created_at": "soon", "id": "m", "memory": "A."}),
    st.just({"event": "ADD", "memory_id": "m"}),
)


def at(hour: int | None) -> str | None:
    return None if hour is None else (START + timedelta(hours=hour)).isoformat()


edges = st.lists(
    st.tuples(hours, st.one_of(st.none(), hours), st.one_of(st.none(), hours), st.one_of(st.none(), hours)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(edges, hours, hours, st.lists(junk, max_size=3))
def test_an_edge_is_true_between_its_times_once_they_were_learnt(
    edges: list[tuple[int, int | None, int | None, int | None]], as_of: int, known: int, odd: list[Any]
) -> None:
    rows: list[Any] = [
        {
            "uuid": f"e{number}",
            "fact": f"Lamp {number} is on.",
            "created_at": at(created),
            "valid_at": at(valid),
            "invalid_at": None if invalid is None else at((valid or 0) + invalid),
            "expired_at": None if invalid is None or expired is None else at(expired),
        }
        for number, (created, valid, invalid, expired) in enumerate(edges)
    ]
    found = read_graphiti(placed([*odd, *rows]), known_at=NOW)
    assert len(found.problems) == len(odd)
    store = told(found.operations)
    moment, learnt = START + timedelta(hours=as_of), START + timedelta(hours=known)
    for number, (created, valid, invalid, expired) in enumerate(edges):
        begun = created <= known and (valid is None or valid <= as_of)
        ended = invalid is not None and max(created, expired or 0) <= known and (valid or 0) + invalid <= as_of
        expected = False if ended else True if begun else None
        assert store.true(Fact.make(f"Lamp {number} is on.").id, as_of=moment, known_at=learnt) == expected


changes = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=15)


@settings(max_examples=60, deadline=None)
@given(changes, st.lists(junk, max_size=3), st.randoms())
def test_a_history_gives_back_what_memories_said_at_every_moment(
    changes: list[tuple[int, int]], odd: list[Any], random: Any
) -> None:
    held: dict[int, int] = {}
    rows: list[Any] = []
    states: list[set[str]] = []
    for hour, (memory, text) in enumerate(changes):
        old = held.pop(memory, None)
        if text:
            held[memory] = text
        if old is not None or text:
            event = "DELETE" if not text else "ADD" if old is None else "UPDATE"
            said = {"old_memory": old and f"Lamp {old} is on.", "new_memory": f"Lamp {text} is on." if text else None}
            rows.append({"memory_id": str(memory), "event": event, "created_at": at(0), "updated_at": at(hour), **said})
        states.append({f"Lamp {each} is on." for each in held.values()})
    random.shuffle(rows)
    found = read_mem0(placed([*odd, *rows]), known_at=NOW)
    assert len(found.problems) == len(odd)
    store = told(found.operations)
    for hour, state in enumerate(states):
        moment = START + timedelta(hours=hour)
        assert texts(store, as_of=moment, known_at=moment) == state
        assert texts(store, as_of=moment) == state


def memory_of(id: str, text: str, **owners: str) -> dict[str, str]:
    return {"id": id, "memory": text, "created_at": "2024-01-01T10:30:00+00:00", **owners}


SHARED = [
    memory_of("1", "Likes tea", user_id="ana", agent_id="chef"),
    memory_of("2", "Likes tea", user_id="ben", agent_id="chef"),
    memory_of("3", "Likes figs", user_id="ana", agent_id="guide", run_id="monday"),
    memory_of("4", "Cooks well", agent_id="chef"),
]


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        ("ana", {"Likes tea", "Likes figs"}),
        ("ben", {"Likes tea"}),
        ("chef", {"ana: Likes tea", "ben: Likes tea", "chef: Cooks well"}),
        ("guide", {"Likes figs"}),
        ("monday", {"Likes figs"}),
        ("zoe", set()),
    ],
)
def test_whoever_a_row_names_may_be_imported_alone(user: str, expected: set[str]) -> None:
    assert texts(told(read_mem0(placed(SHARED), known_at=NOW, user=user).operations)) == expected


def test_memories_that_name_nobody_are_of_those_whom_all_others_name() -> None:
    rows = [{"memory_id": "9", "event": "ADD", "new_memory": "Sings", "created_at": "2024-01-01"}, *SHARED[:2]]
    found = {user: texts(told(read_mem0(placed(rows), known_at=NOW, user=user).operations)) for user in ("chef", "ana")}
    assert any("Sings" in each for each in found["chef"])
    assert found["ana"] == {"Likes tea"}


owners = st.lists(st.sampled_from(["ana", "ben", ""]), min_size=1, max_size=5)


@settings(max_examples=30, deadline=None)
@given(owners)
def test_of_an_export_that_is_imported_in_parts_and_whole_each_memory_stands_once(
    tmp_path_factory: pytest.TempPathFactory, owners: list[str]
) -> None:
    path, store = tmp_path_factory.mktemp("export") / "mem0.json", empty()
    path.write_text(json.dumps(SHARED[:3]))
    for owner in owners:
        import_memories(store, path, format="mem0", known_at=NOW, user=owner)
        assert import_memories(store, path, format="mem0", known_at=NOW, user=owner).changes == 0
    for id, owner in (("mem0:1", "ana"), ("mem0:2", "ben"), ("mem0:3", "ana")):
        stated = [history for history in store.told_by(id) if history.true_at() and last_word_of(id, history)]
        assert len(stated) == bool({owner, ""} & set(owners))


def last_word_of(document: str, history: FactHistory) -> bool:
    return [entry.true for entry in history.visible() if entry.document == document][-1]


@pytest.mark.parametrize("first", ["ana", "ben"])
def test_a_whole_export_after_one_owner_s_stores_no_text_twice(tmp_path: Path, first: str) -> None:
    path, store = tmp_path / "mem0.json", empty()
    path.write_text(json.dumps(SHARED[:3]))
    for user in (first, ""):
        import_memories(store, path, format="mem0", known_at=NOW, user=user)
    assert texts(store, as_of="2024-06-01") == {"ana: Likes tea", "ben: Likes tea", "ana: Likes figs"}


def imported(tmp_path: Path, told: Any, **how: Any) -> tuple[FactStore, Any]:
    path, store = tmp_path / "export.json", how.pop("store", None) or empty()
    path.write_text(json.dumps(told))
    return store, import_memories(store, path, known_at=NOW, **how)


def test_lists_of_another_kind_are_named(tmp_path: Path) -> None:
    relation = {"source": "ana", "relationship": "lives_in", "target": "porto"}
    told = {"results": [memory_of("1", "Likes tea")], "relations": [relation, relation], "count": 1, "next": None}
    assert imported(tmp_path, told, format="mem0")[1].problems == ("relations: 2 rows of another kind.",)
    told = {
        "results": [memory_of("1", "Likes tea")],
        "meta": {"count": 2},
        "graph": {"relations": [relation], "page": 1},
    }
    assert imported(tmp_path, told, format="mem0")[1].problems == ("graph relations: 1 row of another kind.",)
    edge = {"uuid": "e1", "fact": "Joana lives in Porto."}
    told = {"nodes": [{"uuid": "n1", "name": "Joana"}], "edges": [edge], "episodes": []}
    assert imported(tmp_path, told, format="graphiti")[1].problems == ("nodes: 1 row of another kind.",)


def test_metadata_categories_and_attributes_become_tags(tmp_path: Path) -> None:
    memory = {**memory_of("1", "Likes tea"), "metadata": {"topic": "home", "on": 3}, "categories": ["food", "home"]}
    store, _ = imported(tmp_path, [memory], format="mem0")
    for tag in ("metadata.topic:home", "metadata.on:3", "categories:food", "categories:home"):
        assert [history.fact.text for history in store.tagged(tag)] == ["Likes tea"]
    edge = {"uuid": "e1", "fact": "Joana lives in Porto.", "attributes": {"floor": 2}}
    store, _ = imported(tmp_path, [edge], format="graphiti")
    assert [history.fact.text for history in store.tagged("attributes.floor:2")] == ["Joana lives in Porto."]


def test_rows_of_one_text_give_it_the_tags_of_all(tmp_path: Path) -> None:
    rows = [{**memory_of(id, "Likes tea"), "categories": [topic]} for id, topic in (("1", "food"), ("2", "home"))]
    store, _ = imported(tmp_path, rows, format="mem0")
    (history,) = store.at()
    assert history.fact.tags == ("categories:food", "categories:home")
    edges = [{"uuid": id, "fact": "Joana lives in Porto.", "attributes": {"floor": id}} for id in "12"]
    store, _ = imported(tmp_path, edges, format="graphiti")
    (history,) = store.at()
    assert history.fact.tags == ("attributes.floor:1", "attributes.floor:2")


def test_a_category_is_no_slot(tmp_path: Path) -> None:
    memory = {**memory_of("1", "Likes tea"), "metadata": {"topic": "home"}, "categories": ["food"]}
    store, _ = imported(tmp_path, [memory], format="mem0")
    (history,) = store.at()
    assert (len(history.fact.tags), slot_tags(history.fact)) == (2, ())


def test_a_memory_ends_on_the_day_on_which_it_expires(tmp_path: Path) -> None:
    rows = [
        {**memory_of("1", "Likes tea"), "expiration_date": "2024-06-01"},
        {**memory_of("2", "Likes figs"), "expiration_date": "2024-06-01"},
        memory_of("3", "Likes figs"),
        {**memory_of("4", "Likes rice"), "expiration_date": "2023-06-01"},
    ]
    store, _ = imported(tmp_path, rows, format="mem0")
    assert texts(store, as_of="2024-05-31", known_at="2024-02") == {"Likes tea", "Likes figs"}
    assert texts(store, as_of="2024-06-01", known_at="2024-02") == {"Likes figs"}
    assert imported(tmp_path, rows, format="mem0", store=store)[1].changes == 0


def test_an_export_whose_memory_expires_ends_what_it_said_before_at_once(tmp_path: Path) -> None:
    store, _ = imported(tmp_path, [memory_of("1", "Lives in Porto")], format="mem0")
    moved = {**memory_of("1", "Lives in Lund"), "updated_at": "2024-03-01", "expiration_date": "2024-09-01"}
    for _ in range(2):
        imported(tmp_path, [moved], format="mem0", store=store)
    assert [texts(store, as_of=day) for day in ("2024-02", "2024-04", "2024-09-01")] == [
        {"Lives in Porto"},
        {"Lives in Lund"},
        set(),
    ]
