"""Exports, imports, checks and rebuilds."""

from __future__ import annotations

from copy import copy
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from hashed_words import HashedWords
from test_facts_store import ANNA, BRUNO, add, day, deny

from dateline.errors import BadInput
from dateline.facts import Fact, FactStore, SlotPack, open_store
from dateline.facts.file import FileIndex
from dateline.facts.index import ExactIndex
from dateline.facts.maintenance import export_operations, import_operations, verify
from dateline.facts.opening import rebuild_store
from dateline.facts.operation import FactSource, MakeFalse, Rewrite

NOW = datetime(2025, 1, 1, tzinfo=UTC)


class OtherWords(HashedWords):
    """Embeddings of the same shape and another name."""

    name = "other words"


def opened(folder: Path) -> FactStore:
    return open_store(folder, embeddings=HashedWords(), index="file")


def filled(folder: Path) -> FactStore:
    store = opened(folder)
    caspar = Fact.make("Caspar leads the observatory.", validity=day("2022"), tags=("role:observatory",))
    store.apply("a", [add(ANNA, "a", "2020-01-01")])
    store.apply("b", [deny(ANNA, "b", "2021"), add(BRUNO, "b", None)])
    store.apply("c", [Rewrite(document="c", when=day("2022-03"), known_at=NOW, fact_id=BRUNO.id, into=caspar)])
    end = MakeFalse(
        document="d", when=day("2023"), known_at=NOW, fact_id=caspar.id, rests_on=(FactSource("c"),), reason="it closed"
    )
    store.apply("d", [end])
    store.undo("b", known_at=NOW)
    return store


def test_an_export_read_into_an_empty_store_gives_the_same_store(tmp_path: Path) -> None:
    with filled(tmp_path / "one") as one, opened(tmp_path / "two") as two:
        assert export_operations(one.ledger, path=tmp_path / "facts.jsonl") == one.ledger.last()
        assert import_operations(two.ledger, path=tmp_path / "facts.jsonl") == one.ledger.last()
        assert [entry.operation for entry in one.ledger.operations()] == [e.operation for e in two.ledger.operations()]
        for moment in (None, date(2020, 6, 1), date(2022, 6, 1)):
            assert one.at(moment, which="any") == two.at(moment, which="any")


def test_importing_twice_is_no_change(tmp_path: Path) -> None:
    with filled(tmp_path / "one") as one:
        export_operations(one.ledger, path=tmp_path / "facts.jsonl")
        assert import_operations(one.ledger, path=tmp_path / "facts.jsonl") == 0


@pytest.mark.parametrize("content", ["", "hello\n", '{"format": "dateline facts 99"}\n', "[1]\n"])
def test_a_file_that_is_no_export_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(content)
    with opened(tmp_path / "store") as store, pytest.raises(BadInput, match="no export of facts"):
        import_operations(store.ledger, path=path)


def test_a_missing_export_is_told_in_one_sentence(tmp_path: Path) -> None:
    with opened(tmp_path / "store") as store, pytest.raises(BadInput, match="No such file"):
        import_operations(store.ledger, path=tmp_path / "nowhere.jsonl")


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    with filled(tmp_path / "one") as one:
        export_operations(one.ledger, path=path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], lines[3][:20], *lines[4:]]))
    with opened(tmp_path / "two") as two, pytest.raises(BadInput, match="Line 4"):
        import_operations(two.ledger, path=path)


def test_a_sound_store_has_no_problems(tmp_path: Path) -> None:
    with filled(tmp_path / "store") as store:
        found = verify(store)
        assert found.sound
        assert (found.operations, found.facts) == (store.ledger.last(), 3)


def test_a_damaged_index_is_found_and_mended_by_a_rebuild(tmp_path: Path) -> None:
    filled(tmp_path).close()
    vectors = tmp_path / "vectors.f32"
    vectors.write_bytes(b"\xff" * len(vectors.read_bytes()))
    with opened(tmp_path) as store:
        assert "reindex()" in verify(store).problems[0]
        store.reindex()
        assert verify(store).sound


def test_an_index_cut_short_is_completed_while_opening(tmp_path: Path) -> None:
    filled(tmp_path).close()
    vectors = tmp_path / "vectors.f32"
    vectors.write_bytes(vectors.read_bytes()[:-100])
    with opened(tmp_path) as store:
        assert store.search("Caspar leads the observatory.", as_of=date(2022, 6, 1), threshold=0.99)
        store.flush()
        assert verify(store).sound


def test_an_index_of_another_ledger_is_built_anew(tmp_path: Path) -> None:
    filled(tmp_path).close()
    (tmp_path / "facts.db").unlink()
    with opened(tmp_path) as store:
        store.apply("z", [add(ANNA, "z", "2020")])
        assert [found.fact for found in store.search(ANNA.text, threshold=0.99)] == [ANNA]


def test_other_embeddings_are_refused_until_the_index_is_rebuilt(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with pytest.raises(BadInput, match="rebuild_store"):
        open_store(tmp_path, embeddings=OtherWords(), index="file")
    with rebuild_store(tmp_path, embeddings=OtherWords(), index="file") as store:
        assert verify(store).sound


def test_rebuilding_where_there_is_no_ledger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no ledger"):
        rebuild_store(tmp_path, embeddings=HashedWords())


def test_a_large_file_index_finds_what_an_exact_one_finds(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    centres = random.standard_normal((50, 64)).astype(np.float32)
    vectors = centres[random.integers(0, 50, 30_000)] + random.standard_normal((30_000, 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    exact, file = ExactIndex(), FileIndex(tmp_path / "vectors.f32", dimensions=64)
    for index in (exact, file):
        index.extend(vectors, start=0)
    masks = [None, random.random(30_000) < 0.5, random.random(30_000) < 0.01]
    agreed = total = 0
    for query in vectors[:60] + 0.1 * random.standard_normal((60, 64)).astype(np.float32):
        for mask in masks:
            wanted = {row for row, _ in exact.search(query, k=10, allowed=mask)}
            found = {row for row, _ in file.search(query, k=10, allowed=mask)}
            assert mask is None or all(mask[row] for row in found)
            agreed, total = agreed + len(wanted & found), total + len(wanted)
    assert agreed / total >= 0.98


def test_rows_that_arrive_in_small_pieces_are_found_as_those_that_arrive_at_once(tmp_path: Path) -> None:
    random = np.random.default_rng(11)
    vectors = random.standard_normal((5_000, 32)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    writer, reader = (FileIndex(tmp_path / "v", dimensions=32) for _ in range(2))
    while writer.size < len(vectors):
        start = writer.size
        writer.extend(vectors[start : start + random.integers(1, 300)], start=start)
        reader.follow(int(random.integers(reader.size, writer.size + 1)))
        for index in (writer, reader):
            assert np.array_equal(index.rows(max(0, index.size - 400), index.size), vectors[: index.size][-400:])
    reader.follow(len(vectors))
    few = random.random(len(vectors)) < 0.1
    few[-1] = True
    for row in (0, 2_500, *range(4_900, 5_000)):
        assert writer.search(vectors[row], k=1) == reader.search(vectors[row], k=1)
        assert writer.search(vectors[row], k=1)[0][0] == row
    assert writer.search(vectors[-1], k=1, allowed=few)[0][0] == len(vectors) - 1


def test_two_processes_may_share_one_file_index(tmp_path: Path) -> None:
    rows = np.eye(8, dtype=np.float32)
    one, other = FileIndex(tmp_path / "v", dimensions=8), FileIndex(tmp_path / "v", dimensions=8)
    one.extend(rows[:4], start=0)
    other.extend(rows[:6], start=0)
    one.extend(rows[4:8], start=4)
    assert other.size == 6
    assert FileIndex(tmp_path / "v", dimensions=8).size == 8
    assert one.search(rows[5], k=1) == other.search(rows[5], k=1) == [(5, 1.0)]


def test_a_ledger_may_judge_a_fact_before_an_entry_spells_it_out(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.ledger.append([deny(ANNA, "b", "2021"), add(ANNA, "a", "2020")])
        assert verify(store).sound


def test_a_fact_that_no_entry_spells_out_is_named_whatever_else_was_forgotten(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.ledger.append([deny(ANNA, "b", "2021"), add(BRUNO, "a", "2020"), deny(BRUNO, "c", "2021")])
        (problem,) = verify(store).problems
        assert "Entry 1 judges" in problem
        store.forget(facts=[BRUNO.id], by="Ada", reason="asked to", known_at=NOW)
        (problem,) = verify(store).problems
        assert "Entry 1 judges" in problem


class HuggingWords(HashedWords):
    """Embeddings that keep their model's name where those of langchain-community do."""

    def __init__(self, name: str) -> None:
        self.model_name = name


@pytest.mark.parametrize("in_database", [False, True])
def test_other_embeddings_of_one_class_and_length_are_refused(tmp_path: Path, in_database: bool) -> None:
    where = f"sqlite:///{tmp_path / 'facts.db'}" if in_database else tmp_path / "store"
    open_store(where, embeddings=HuggingWords("all-MiniLM-L6-v2")).close()
    open_store(where, embeddings=HuggingWords("all-MiniLM-L6-v2")).close()
    with pytest.raises(BadInput, match="bge-small-en"):
        open_store(where, embeddings=HuggingWords("bge-small-en"))


@pytest.mark.parametrize("in_database", [False, True])
def test_an_index_that_noted_the_class_of_its_embeddings_notes_their_model_once_rebuilt(
    tmp_path: Path, in_database: bool
) -> None:
    class Nameless(HashedWords):
        """Embeddings that do not tell their model."""

    Nameless.__name__ = HuggingWords.__name__
    where = f"sqlite:///{tmp_path / 'facts.db'}" if in_database else tmp_path / "store"
    open_store(where, embeddings=Nameless()).close()
    for model in ("bge-small-en", "all-MiniLM-L6-v2"):  # which of the two made it was not noted
        with open_store(where, embeddings=HuggingWords(model)) as store:
            copy(store.index)  # as another process opens it
    rebuild_store(where, embeddings=HuggingWords("all-MiniLM-L6-v2")).close()
    with pytest.raises(BadInput, match="bge-small-en"):
        open_store(where, embeddings=HuggingWords("bge-small-en"))


def test_a_store_that_is_rebuilt_keeps_the_attributes_it_is_opened_with(tmp_path: Path) -> None:
    filled(tmp_path).close()
    own = SlotPack({})
    with rebuild_store(tmp_path, embeddings=OtherWords(), index="file", slots=own) as store:
        assert store.slots is own
