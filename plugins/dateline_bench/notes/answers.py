"""Answers over notes by our path and by plainer ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dateline.certainty import CheckedReader, Gate
from dateline.certainty.answer import Answer
from dateline.evidence.knowledge import end_of_knowledge, published_from
from dateline.ranking import PassageIndex
from dateline.ranking.bm25 import top
from dateline.ranking.fusion import reciprocal_rank_fusion
from dateline.records import Evidence
from dateline.text.embeddings import embed
from dateline_bench.notes.judge import is_right
from dateline_bench.notes.questions import AFTER, NoteQuestion, NotesCorpus
from dateline_graphs import AnswerOptions, AnswerReport, answer_graph
from dateline_graphs.components import Components, components_for, shared_embeddings

READ = 5
"""How many passages a reader gets, as our path's does."""

NEWEST = 3
"""Of how many found passages the newest is read."""

_ALL = 10_000
"""The plainer systems choose what is read themselves."""


@dataclass(frozen=True)
class NoteAnswer:
    """One answer of a system, and the documents found, best first."""

    answer: str
    label: str
    reliable: float
    action: str
    documents: tuple[str, ...]

    @classmethod
    def of(cls, answer: Answer, *, documents: Sequence[str]) -> NoteAnswer:
        """Take from an answer what is judged."""
        certainty, action = answer.certainty, answer.decision.outcome
        return cls(answer.answer, answer.label, certainty.reliable, action, tuple(documents))

    @property
    def withheld(self) -> bool:
        """Return whether nothing is said that anybody should trust."""
        return not self.answer.strip() or self.action == "abstain" or self.label != "reliable"

    def is_right(self, item: NoteQuestion) -> bool:
        """Judge the answer; withholding is right where none exists."""
        return is_right(self.answer, item=item) if item.answerable else self.withheld


NoteSystem = Callable[[NoteQuestion], NoteAnswer]


class NoteSystems:
    """The systems over one corpus, which share encoder, reader and estimator."""

    def __init__(self, corpus: NotesCorpus) -> None:
        self.corpus = corpus
        options = AnswerOptions(docs=str(corpus.folder))
        self._components: Components = replace(components_for(options), clock=lambda: AFTER)
        self._graph = answer_graph(self._components).compile()
        self._reader = CheckedReader(
            self._components.reader,
            estimator=self._components.estimator,
            gate=Gate(max_rounds=0),
            k=_ALL,
            candidates=0,
            per_document=self._components.per_document,
        )
        self.named: dict[str, NoteSystem] = {
            "dateline": self.ours,
            "plain RAG": self.plain,
            "newest of three": self.newest,
            "gold documents": self.gold,
        }

    def ours(self, item: NoteQuestion) -> NoteAnswer:
        """Answer as `dateline ask` does by default."""
        asked: Any = {"question": item.question, "as_of": item.as_of}
        done = self._graph.invoke(asked, output_keys=["ranked", "report"])
        pieces = [Evidence.model_validate(one["evidence"]) for one in done["ranked"]]
        report = AnswerReport.model_validate(done["report"])
        return NoteAnswer.of(report, documents=self.corpus.listed(pieces))

    def plain(self, item: NoteQuestion) -> NoteAnswer:
        """Read the nearest passages without dates, the future's too."""
        found = self._nearest(item)
        return self._read(item, found=found, read=[_undated(piece) for piece in found[:READ]])

    def newest(self, item: NoteQuestion) -> NoteAnswer:
        """Read the newest of three found by words and vectors together."""
        found = self._fused(item)
        first = sorted(found[:NEWEST], key=published_from, reverse=True)
        return self._read(item, found=[*first, *found[NEWEST:]], read=first[:1])

    def gold(self, item: NoteQuestion) -> NoteAnswer:
        """Read the documents that hold the answer, and no other."""
        held = self.corpus.of(item.gold_docs)
        return self._read(item, found=held, read=held)

    @cached_property
    def _index(self) -> PassageIndex:
        return PassageIndex.build(self.corpus.documents, embeddings=shared_embeddings())

    def _nearest(self, item: NoteQuestion) -> list[Evidence]:
        return self._ordered(self._closeness(item))

    def _fused(self, item: NoteQuestion) -> list[Evidence]:
        words = self._index.passages.documents.passages.scores(item.question)
        limit = end_of_knowledge(item.moment)
        found = self._ordered(reciprocal_rank_fusion([words, self._closeness(item)]))
        return [piece for piece in found if published_from(piece) < limit]

    def _closeness(self, item: NoteQuestion) -> Any:
        query = embed([item.question], embeddings=shared_embeddings())[0]
        return self._index.passages.passage_vectors @ query

    def _ordered(self, scores: Any) -> list[Evidence]:
        return [self.corpus.documents[number] for number in top(np.asarray(scores), len(scores))]

    def _read(self, item: NoteQuestion, *, found: Sequence[Evidence], read: Sequence[Evidence]) -> NoteAnswer:
        answer = self._reader.check(item.parsed, evidence=read)
        return NoteAnswer.of(answer, documents=self.corpus.listed(found))


def _undated(piece: Evidence) -> Evidence:
    return piece.model_copy(update={"published": None})
