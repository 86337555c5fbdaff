"""Questions with the evidence that our own search and ranking find, for fits of what reads and trusts it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import timeqa

from dateline.evaluation.metrics import exact_match, holds_answer
from dateline.ranking import HybridRanker
from dateline.ranking.index import PassageIndex
from dateline.reading import TrainedReader
from dateline.reading.reading_ranker import reorder
from dateline.records import Evidence, RankedEvidence, Reading
from dateline.search import FolderSearch
from dateline.temporal.as_of import read_moment
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.text import default_embeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench import rows
from dateline_bench.benchmarks.notes import load as load_questions
from dateline_bench.benchmarks.timeqa import AS_OF, build_index
from dateline_bench.benchmarks.timeqa import load as load_corpus
from dateline_bench.notes.judge import is_right as judged
from dateline_bench.notes.questions import NoteQuestion, NotesCorpus, is_one_of
from dateline_bench.rilm_tasks import RilmTask

TOGETHER = 5
"""Pieces that are read at once."""
_HOME = Path(__file__).parent.parent
_NOTES = _HOME / "benchmarks" / "notes"
NOTES = (_NOTES / "fit", _NOTES / "further")
LATER, EXAMPLES = _NOTES / "later", _HOME / "examples"
ORDERED = (*NOTES, _NOTES / "seen", LATER)
"""Notes that are there to work with."""
_POOL = 40
"""Documents that a question is searched for."""


@dataclass(frozen=True, slots=True)
class FoundTask(RilmTask):
    """A question over notes or news.

    Attributes:
        ranked: found by words, vectors and time alone; `candidates` are the best in the order of reading.
        item: a question over notes, judged by their rules; of news the whole answer must be right.
    """

    ranked: tuple[RankedEvidence, ...] = ()
    item: NoteQuestion | None = None

    @property
    def answerable(self) -> bool:
        """Return whether there is a right answer."""
        return self.item is None or self.item.answerable

    def accepts(self, answer: str) -> bool:
        """Return whether an answer is right; where there is none, none is."""
        if self.item is None:
            return exact_match(answer, golds=self.golds)
        return self.item.answerable and judged(answer, item=self.item)

    def is_right(self, reading: Reading) -> bool:
        """Return whether a reading's answer is right."""
        return self.accepts(reading.answer)


class Finder:
    """Searches folders as the answer graph does; one encoder for all.

    Without a reader the best are the first that are found.
    """

    def __init__(self, reader: TrainedReader | None = None) -> None:
        self._embeddings = RememberedEmbeddings(default_embeddings())
        self._ranker = HybridRanker(embeddings=self._embeddings)
        self._reader = reader

    def notes(self, folders: Sequence[Path] = NOTES, *, limit: int | None = None) -> Iterator[FoundTask]:
        """The questions over notes of other fields, at most `limit` of each folder."""
        for folder in folders:
            yield from self._notes(folder, limit)

    def _notes(self, folder: Path, limit: int | None) -> Iterator[FoundTask]:
        asked = load_questions(folder)[:limit]
        for name in sorted({item.corpus for item in asked}):
            corpus = NotesCorpus(folder / "corpora" / name)
            search = FolderSearch.open(corpus.folder, embeddings=self._embeddings)
            for item in (one for one in asked if one.corpus == name):
                ranked = self._found(item.parsed, search)
                yield FoundTask(
                    question=item.parsed,
                    golds=item.choices,
                    candidates=self._first(item.parsed, ranked),
                    gold=frozenset(
                        one.evidence.id for one in ranked if is_one_of(corpus.listed([one.evidence])[0], item.gold_docs)
                    ),
                    group=name,
                    ranked=tuple(ranked),
                    item=item,
                )

    def news(self, folder: Path = EXAMPLES) -> Iterator[FoundTask]:
        """The questions over the news of examples/."""
        search = FolderSearch.open(folder / "corpus", embeddings=self._embeddings)
        for row in rows.read(folder / "questions.jsonl"):
            question, answers = decompose(row["question"], as_of=read_moment(row["as_of"])), tuple(row["answers"])
            ranked = self._found(question, search)
            yield FoundTask(
                question=question,
                golds=answers,
                candidates=self._first(question, ranked),
                gold=frozenset(),
                group="examples",
                ranked=tuple(ranked),
            )

    def pages(self, folder: Path, *, limit: int | None, rng: random.Random) -> Iterator[RilmTask]:
        """TimeQA's questions on pages that the reader was not trained on."""
        asked = [one for one in timeqa.load(folder).validation if one.answers]
        rng.shuffle(asked)
        index = build_index(load_corpus(folder)[0])
        matters: dict[tuple[str, str], set[str]] = {}
        for one in asked:
            matters.setdefault((one.title, _content(one)), set()).update(one.answers)
        for one in asked[:limit]:
            others = matters[one.title, _content(one)] - set(one.answers)
            yield self._page(one, sorted(others), index)

    def _page(self, one: timeqa.Asked, others: Sequence[str], index: PassageIndex) -> RilmTask:
        question = decompose(one.text, as_of=AS_OF)
        found = self._first(question, index.search(question, _POOL))
        held = {piece.id for piece in found if holds_answer(f"{piece.title} {piece.text}", golds=one.answers)}
        return RilmTask(
            question=question,
            golds=one.answers,
            candidates=found,
            gold=frozenset(one.gold or held),
            group=one.title,
            other_times=tuple(others),
        )

    def _found(self, question: Question, search: FolderSearch) -> list[RankedEvidence]:
        found = search.search(question.text, as_of=question.as_of, k=_POOL).evidence
        return self._ranker.rank(question, evidence=found, k=len(found)) if found else []

    def _first(self, question: Question, ranked: Sequence[RankedEvidence]) -> tuple[Evidence, ...]:
        read = ranked if self._reader is None else reorder(ranked, question=question, reader=self._reader)
        return tuple(one.evidence for one in read[:TOGETHER])


def _content(one: timeqa.Asked) -> str:
    """What a question asks about, whenever it asks."""
    return decompose(one.text, as_of=AS_OF).content
