"""Pieces are sent to other processes by plain pickle, and answer the same there."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dateline import Evidence, Interval
from dateline.errors import BadInput
from dateline.evolution import SentenceLabeller
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger, open_store
from dateline.facts.sql import SqlLedger
from dateline.protocols import PlacedStatement
from dateline.ranking import HybridRanker, PassageIndex
from dateline.reading import ExtractiveReader
from dateline.reading.still import StillJudge
from dateline.reading.trained_judge import TrainedJudge
from dateline.reading.trained_reader import TrainedReader
from dateline.search import FolderSearch
from dateline.temporal.decomposition import decompose
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import AnswerOptions
from dateline_graphs.batch import AnswerBatch, BatchQuestion
from langchain_dateline import TemporalReranker

NOW = datetime(2024, 1, 1, tzinfo=UTC)
NOTES = [
    Evidence.make(f"The director of the Northern Observatory is {who}.", published=Interval.of_year(year))
    for who, year in (("Anna Berg", 2015), ("Carl Dahl", 2021))
]
QUESTION = decompose("Who is the director of the Northern Observatory?", as_of=NOW)
LEXICAL = LexicalEmbeddings()


def _taught(store: FactStore) -> LocalUpdater:
    updater = LocalUpdater(store)
    updater.update(NOTES, known_at=NOW)
    return updater


def _folder(folder: Path, index: Any) -> FactStore:
    return _taught(open_store(folder / f"facts-{index}", embeddings=LEXICAL, index=index)).store


def _found(store: FactStore) -> Any:
    return [store.search("director of the Northern Observatory", as_of=year) for year in (2016, 2022)]


def _read(reader: Any) -> Any:
    return reader.read(QUESTION, evidence=NOTES).reading.answer


def _labels(labeller: SentenceLabeller) -> Any:
    return labeller.label([NOTES[0].text], new=[NOTES[1].text, "Lund is old."])


def _in_memory(_: Path) -> FactStore:
    return _taught(FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LEXICAL)).store


def _ranked(ranker: Any) -> Any:
    return [(each.evidence.id, each.score) for each in ranker.rank(QUESTION, evidence=NOTES, k=2)]


def _answers(batch: AnswerBatch) -> Any:
    lines = batch([BatchQuestion(1, {"question": QUESTION.text, "as_of": year}) for year in ("2016", "2022")])
    return [line["answer"] for line in lines]


def _batch(folder: Path) -> AnswerBatch:
    docs = folder / "docs"
    docs.mkdir()
    for each in NOTES:
        (docs / f"{each.published}.md").write_text(f"---\ndate: {each.published}\n---\n{each.text}\n")
    return AnswerBatch(AnswerOptions(docs=str(docs), facts=str(folder / "store")))


PIECES: dict[str, tuple[Callable[[Path], Any], Callable[[Any], Any]]] = {
    "fact store in a folder": (lambda folder: _folder(folder, "file"), _found),
    "fact store in memory": (_in_memory, _found),
    "updater": (lambda folder: _taught(_folder(folder, "file")), lambda one: _found(one.store)),
    "labeller": (lambda _: SentenceLabeller(embeddings=LEXICAL), _labels),
    "published labeller": (lambda _: SentenceLabeller(embeddings=LEXICAL, method="paper"), _labels),
    "trained reader": (lambda _: TrainedReader(), _read),
    "reader by rules": (lambda _: ExtractiveReader(), _read),
    "judge": (lambda _: TrainedJudge(), lambda one: one.judge([(NOTES[0].text, NOTES[1].text)])),
    "judge of what ends": (
        lambda _: StillJudge(),
        lambda one: one.effects([(PlacedStatement(NOTES[0].text), PlacedStatement(NOTES[1].text))]).chances.tolist(),
    ),
    "folder search": (
        lambda _: FolderSearch(NOTES, embeddings=LEXICAL),
        lambda one: [each.id for each in one.search(QUESTION.text, as_of=NOW).evidence],
    ),
    "passage index": (
        lambda _: PassageIndex.build(NOTES, embeddings=LEXICAL),
        lambda one: [(each.evidence.id, each.score) for each in one.search(QUESTION, 2)],
    ),
    "ranker": (lambda _: HybridRanker(embeddings=LEXICAL), _ranked),
    "reranker of LangChain": (
        lambda _: TemporalReranker(embeddings=LEXICAL),
        lambda one: one.model_dump(exclude={"embeddings"}, mode="python").keys(),
    ),
    "answers of a batch": (_batch, _answers),
}


@pytest.mark.parametrize("name", PIECES)
def test_each_piece_answers_the_same_after_it_was_sent(name: str, tmp_path: Path) -> None:
    make, use = PIECES[name]
    piece = make(tmp_path)
    assert use(pickle.loads(pickle.dumps(piece))) == use(piece)  # noqa: S301 - our own


def test_a_fact_store_that_was_sent_to_another_folder_is_the_same_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store("facts", embeddings=LEXICAL) as store:
        _taught(store)
        sent = pickle.dumps(store)
    code = (
        "import pickle, sys; store = pickle.load(sys.stdin.buffer);"
        "print(store.search('director of the Northern Observatory', as_of=2016)[0].fact.text)"
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    ran = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, cwd=elsewhere, check=True)
    assert b"Anna Berg" in ran.stdout
    assert list(elsewhere.iterdir()) == []


def test_a_ledger_that_lives_in_one_process_is_not_sent_empty() -> None:
    with pytest.raises(BadInput, match="memory"):
        pickle.dumps(SqlLedger("sqlite://"))
