"""The cache of prepared passages is bounded, shared and never in the way."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings
from spell_contrast import Case, cases

from dateline import BadInput, Evidence, Interval
from dateline.ranking import HybridRanker, PassageIndex
from dateline.ranking.prepared_cache import PreparedCache, cache_for
from dateline.text.blob_cache import BlobCache
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.memory_cache import RememberedEmbeddings


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "dateline"


class Counted(LexicalEmbeddings):
    """Vectors under a name of their own, and the texts they were asked for."""

    def __init__(self, *, name: str | None = "counted", dimensions: int = 128) -> None:
        super().__init__(dimensions=dimensions)
        self.kept_as, self.texts = name, list[str]()

    def embed_array(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        return super().embed_array(texts)


class Mine(Embeddings):
    """A person's own embeddings, which say nothing about themselves."""

    def __init__(self, dimensions: int = 64) -> None:
        self.inner = LexicalEmbeddings(dimensions=dimensions)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self.inner.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        return self.inner.embed_query(text)


def notes(start: int, end: int) -> list[Evidence]:
    return [Evidence.make(f"Note {number}: the ferry runs daily.", title="Ferry") for number in range(start, end)]


def disk(folder: Path, size: int = 2**24) -> BlobCache:
    return BlobCache(folder / "passages.sqlite", size=size)


def ranked(ranker: HybridRanker, case: Case, order: Sequence[int] | None = None) -> list[tuple[str, float]]:
    shown = case.evidence if order is None else [case.evidence[place] for place in order]
    return [(each.evidence.id, each.score) for each in ranker.rank(case.question, evidence=shown, k=20)]


def test_ranking_is_the_same_with_and_without_what_is_kept() -> None:
    warm = HybridRanker(embeddings=LexicalEmbeddings())
    for case in cases()[::30]:
        ranker = HybridRanker(embeddings=LexicalEmbeddings())
        ranker._cache = PreparedCache()
        expected = ranked(ranker, case)
        order = random.Random(1).sample(range(len(case.evidence)), len(case.evidence))
        ranked(warm, case, order)
        assert ranked(warm, case) == ranked(warm, case) == expected


def test_a_second_question_embeds_the_question_alone() -> None:
    counted = Counted()
    case = cases()[0]
    ranked(HybridRanker(embeddings=counted), case)
    counted.texts.clear()
    ranked(HybridRanker(embeddings=counted), case)
    assert not {each.text for each in case.evidence} & set(counted.texts)


def test_an_index_and_a_ranker_share_what_is_known() -> None:
    counted, given = Counted(), notes(0, 5)
    PassageIndex.build(given, embeddings=counted)
    counted.texts.clear()
    cache_for(counted).prepare(given, embeddings=counted)
    assert counted.texts == []


def test_it_outlives_the_process(folder: Path) -> None:
    given = notes(0, 20)
    made = PreparedCache(disk=disk(folder)).prepare(given, embeddings=Counted())
    counted = Counted()
    read = PreparedCache(disk=disk(folder)).prepare(given, embeddings=counted)
    assert counted.texts == []
    assert [each.to_bytes() for each in read] == [each.to_bytes() for each in made]


def test_nothing_of_the_text_is_written(folder: Path) -> None:
    secret = Evidence.make("The Velbrandt Accord was signed by Ottoline Quarrick.", title="Velbrandt")
    PreparedCache(disk=disk(folder)).prepare([secret], embeddings=LexicalEmbeddings())
    data = (folder / "passages.sqlite").read_bytes().lower()
    assert not any(word in data for word in (b"velbrandt", b"quarrick", b"ottoline"))


@pytest.mark.parametrize(
    "other",
    [{"text": "Note 0: the ferry runs weekly."}, {"title": "Ship"}, {"published": Interval.parse("2020")}],
    ids=["text", "title", "publication"],
)
def test_another_passage_is_another_record(folder: Path, other: dict[str, object]) -> None:
    counted, cache = Counted(), PreparedCache(disk=disk(folder))
    [note] = notes(0, 1)
    cache.prepare([note], embeddings=counted)
    counted.texts.clear()
    cache.prepare([note.model_copy(update=other)], embeddings=counted)
    assert counted.texts


def test_another_encoder_is_another_record() -> None:
    cache = PreparedCache()
    for embeddings, dimensions in [
        (Counted(name="one"), 128),
        (Counted(name="two", dimensions=64), 64),
        (Mine(64), 64),
        (Mine(96), 96),
        (RememberedEmbeddings(Mine(80)), 80),
    ]:
        assert cache.prepare(notes(0, 2), embeddings=embeddings)[1].vectors.shape == (1, dimensions)


def test_an_encoder_without_a_name_leaves_nothing_on_disk(folder: Path) -> None:
    HybridRanker(embeddings=Mine()).rank(cases()[0].question, evidence=notes(0, 3), k=1)
    PreparedCache(disk=disk(folder)).prepare(notes(0, 3), embeddings=Mine())
    assert not folder.exists()


def test_memory_and_file_stay_within_their_sizes(folder: Path) -> None:
    counted = Counted()
    cache = PreparedCache(memory=50_000, disk=disk(folder, 100_000))
    for start in range(0, 400, 20):
        cache.prepare(notes(start, start + 20), embeddings=counted)
        assert cache._held.held <= 50_000
        assert sum(path.stat().st_size for path in folder.iterdir()) <= 100_000
    counted.texts.clear()
    cache.prepare(notes(395, 400), embeddings=counted)
    assert counted.texts == []
    cache.prepare(notes(0, 5), embeddings=counted)
    assert counted.texts


def test_equal_passages_are_prepared_once() -> None:
    counted = Counted()
    first, second = PreparedCache().prepare(notes(0, 1) * 2, embeddings=counted)
    assert first is second
    assert len(counted.texts) == 2


@pytest.mark.parametrize("damage", ["no database", "a folder", "other values"])
def test_a_damaged_file_is_no_error(folder: Path, damage: str) -> None:
    cache = PreparedCache(disk=disk(folder))
    expected = [each.to_bytes() for each in cache.prepare(notes(0, 9), embeddings=Counted())]
    file = folder / "passages.sqlite"
    if damage == "no database":
        file.write_bytes(b"no database" * 1000)
    elif damage == "a folder":
        file.unlink()
        file.mkdir()
    else:
        import sqlite3

        with sqlite3.connect(file) as connection:
            connection.execute("UPDATE kept SET vector = substr(vector, 1, 99) WHERE id % 2")
            connection.execute("UPDATE kept SET vector = (SELECT vector FROM kept WHERE id = 2) WHERE id % 4 = 0")
    read = PreparedCache(disk=disk(folder)).prepare(notes(0, 9), embeddings=Counted())
    assert [each.to_bytes() for each in read] == expected


def test_a_ranker_sent_to_another_process_starts_anew() -> None:
    for embeddings in (LexicalEmbeddings(), Mine()):
        ranker, case = HybridRanker(embeddings=embeddings), cases()[0]
        again = pickle.loads(pickle.dumps(ranker))  # noqa: S301  our own bytes
        assert ranked(again, case) == ranked(ranker, case)


def test_a_memory_below_one_byte_is_refused() -> None:
    with pytest.raises(BadInput, match="at least 1 byte, not 0"):
        PreparedCache(memory=0)


PROCESS = """
import sys
from pathlib import Path
from dateline import Evidence
from dateline.ranking.prepared import prepare
from dateline.ranking.prepared_cache import PreparedCache
from dateline.text.blob_cache import BlobCache
from dateline.text.lexical import LexicalEmbeddings
embeddings = LexicalEmbeddings(dimensions=128)
for start in range(0, 200, 20):
    notes = [Evidence.make(f"Note {number}: the ferry runs daily.") for number in range(start, start + 40)]
    cache = PreparedCache(disk=BlobCache(Path(sys.argv[1]) / "passages.sqlite", size=100_000))
    read = cache.prepare(notes, embeddings=embeddings)
    assert [each.to_bytes() for each in read] == [each.to_bytes() for each in prepare(notes, embeddings=embeddings)]
"""


def test_several_processes_share_the_file(folder: Path) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", PROCESS, str(folder)], stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in started:
        _, told = process.communicate(timeout=100)
        assert (process.returncode, told) == (0, "")
