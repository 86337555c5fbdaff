"""Search over stored passages, of which candidates are ranked."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from pathlib import PurePath

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from dateline.channels import library_name, renamed
from dateline.evidence.knowledge import later_notes, published_from
from dateline.protocols import Search, SearchResult
from dateline.ranking import HybridRanker
from dateline.ranking.bm25 import Bm25, rarities, top
from dateline.ranking.candidates import CandidateFilter, gather_now
from dateline.ranking.documents import VECTOR_SHARE, Documents, ideal_score
from dateline.ranking.fusion import RANK_OFFSET
from dateline.ranking.index import CANDIDATES, LEADING, NEAREST
from dateline.ranking.passages import Passages
from dateline.ranking.prepared import PreparedPassage, prepare
from dateline.ranking.prepared_cache import cache_for
from dateline.ranking.topic import Topic
from dateline.records import Evidence, RankedEvidence
from dateline.search.folder import question_of
from dateline.search.index.store import (
    FoundPassage,
    Hits,
    Numbers,
    PassageStore,
    StoredDocument,
    TextKind,
    Words,
    WordStatistics,
)
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval
from dateline.text.embeddings import embed
from dateline.text.term_ids import term_ids
from dateline.text.words import content_words

_WHOLE: tuple[TextKind, ...] = ("document", "title")

BESIDE = 32
"""For how many of the best candidates their neighbours in the document are read, too; chosen by hand."""


class StoredSearch(Search):
    """A `Search` over a `PassageStore`, whose size hardly matters.

    Args:
        store: the passages.
        embeddings: those that the passages were prepared with.
        notes: lines about what the store lacks, said with each result.
        name: what the library is called, in the channels of what is found; empty: as it was when it was indexed.

    Example:
        >>> from datetime import UTC, datetime
        >>> from pathlib import Path
        >>> from dateline.search.index import FolderIndex
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> _ = Path("museum.md").write_text("The museum opened in 1927.", encoding="utf-8")
        >>> index = FolderIndex("museum.md", embeddings=LexicalEmbeddings(), output=Path("museum.index"))
        >>> passages = index.update().passages
        >>> search = index.search()
        >>> search.search("When did it open?", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence[0].text
        'The museum opened in 1927.'
    """

    def __init__(
        self, store: PassageStore, *, embeddings: Embeddings, notes: Sequence[str] = (), name: str = ""
    ) -> None:
        self.store, self._name = store, name
        self.notes = tuple(notes)
        self._ranker = HybridRanker(embeddings=embeddings)
        self._prepared = cache_for(embeddings)

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the `k` best passages known at `as_of`.

        Later ones are left out and counted in `skipped`. A constraint in the query decides about time; without one,
        `window` does; without either, the asking day.

        Raises:
            BadInput: when `k` is below 1.
        """
        started = time.perf_counter()
        question = question_of(query, as_of=as_of, window=window)
        ranked = self.rank(question, k=k)
        # Another process may write between the two counts.
        later = max(0, self.store.count() - self.store.count(CandidateFilter.of(question).without_period()))
        skipped = [*self.notes, *later_notes(later, as_of=as_of, what="passage")]
        found = self._named([each.evidence for each in ranked])
        return SearchResult.ranked(found, skipped=skipped, started=started)

    def _named(self, found: Sequence[Evidence]) -> Sequence[Evidence]:
        """Return evidence whose channels begin with the library's name."""
        if not self._name:
            return found
        settings = self.store.settings
        old = library_name(PurePath(settings["folder"]), name=settings["name"])
        channels = [renamed(each.channel, old=old, new=self._name) for each in found]
        return [each.model_copy(update={"channel": one}) for each, one in zip(found, channels, strict=True)]

    def rank(self, question: Question, *, k: int) -> list[RankedEvidence]:
        """Return the `k` best of the passages known."""
        found = _Candidates(self.store, question, embeddings=self._ranker.embeddings, k=k)
        passages, chosen = found.passages()
        if not len(chosen):
            return []
        topic = Topic.of(question, passages=passages, embeddings=self._ranker.embeddings)
        ranked = self._ranker.rank_candidates(question, topic=topic, candidates=chosen, k=k)
        # What ranks them again, such as the answer graph, need not make them anew.
        ids = {each.evidence.id for each in ranked}
        self._prepared.remember(
            passage for each, passage in zip(passages.evidence, found.prepared, strict=True) if each.id in ids
        )
        return ranked


class _Candidates:
    """The passages of a store that may answer a question."""

    def __init__(self, store: PassageStore, question: Question, *, embeddings: Embeddings, k: int) -> None:
        self._store, self._embeddings = store, embeddings
        self._asked = CandidateFilter.of(question)
        content = question.timeless
        self._words: Words = np.unique(term_ids(content_words(content)))
        self._vector = embed([content], embeddings=embeddings)[0]
        self._count = max(k, CANDIDATES)
        self.prepared: list[PreparedPassage] = []

    def passages(self) -> tuple[Passages, NDArray[np.int64]]:
        """Return candidates with their neighbours, and the candidates' places."""
        known = self._asked.without_period()
        worded = self._store.worded(self._words, count=self._count, asked=known)
        nearest = self._store.nearest(self._vector, count=self._count, asked=known)
        proposed = _fused([worded, nearest])[: self._count]
        numbers = np.union1d(proposed, self._timely(nearest))
        documents = self._store.documents(numbers.tolist(), words=self._words)
        corpus = _Corpus(self._words, documents, self._store.statistics(self._words))
        wanted = np.unique(np.concatenate([corpus.held(numbers), corpus.leading(worded, nearest)]))
        around = np.union1d(wanted, corpus.beside(corpus.held(proposed[:BESIDE])))
        found = self._store.read(around.tolist())
        around = np.array([each for each in around.tolist() if each in found], dtype=np.int64)
        passages = self._assembled(corpus, [found[each] for each in around.tolist()], numbers=around)
        published = np.array([published_from(each) for each in passages.evidence], dtype=np.int64)
        repeated = _repeated([each.id for each in passages.evidence])
        chosen = np.isin(around, wanted) & (published < self._asked.known_before) & ~repeated
        return passages, np.flatnonzero(chosen)

    def _timely(self, nearest: Hits) -> Numbers:
        """Return those near for their age, and those about the period."""

        def find(wanted: CandidateFilter, count: int) -> list[tuple[int, int]]:
            return self._store.nearest(self._vector, count=count, asked=wanted).since()

        first = nearest.since()[:NEAREST]
        found = gather_now(find, self._asked, k=NEAREST, published=itemgetter(1), first=first)
        # The nearest of all are weighed with those by words, in the fusion.
        return np.array([number for number, _ in found[len(first) :]], dtype=np.int64)

    def _assembled(self, corpus: _Corpus, found: Sequence[FoundPassage], *, numbers: Numbers) -> Passages:
        evidence = [each.evidence for each in found]
        self.prepared = prepared = self._read(found)
        titles = [each.title for each in evidence]
        return Passages.of(evidence, prepared, documents=corpus.documents(numbers, prepared, titles=titles))

    def _read(self, found: Sequence[FoundPassage]) -> list[PreparedPassage]:
        """Return what is kept of passages; what is damaged is made again."""
        kept = [each.passage for each in found]
        lost = [each.evidence for each, passage in zip(found, kept, strict=True) if passage is None]
        made = iter(prepare(lost, embeddings=self._embeddings))
        return [next(made) if passage is None else passage for passage in kept]


class _Corpus:
    """Words of candidates' documents, weighed by all documents."""

    def __init__(
        self, words: Words, documents: Sequence[StoredDocument], statistics: Mapping[TextKind, WordStatistics]
    ) -> None:
        self._words, self._statistics = words, statistics
        self._documents = sorted(documents, key=lambda each: int(each.passages[0]))
        self._starts = np.array([each.passages[0] for each in self._documents], dtype=np.int64)
        self._ends = np.array([each.passages[-1] for each in self._documents], dtype=np.int64)

    def leading(self, worded: Hits, nearest: Hits) -> Numbers:
        """Return the passages of the documents that are most likely asked about."""
        if not self._documents:
            return self._starts
        told = self._statistics["passage"]
        lexical = self._best(worded) + sum(self._bm25_of(kind, self._documents).all_scores() for kind in _WHOLE)
        scores = lexical / ideal_score(rarities(told.frequencies, size=told.size)) + VECTOR_SHARE * self._best(nearest)
        return np.concatenate([self._documents[place].passages for place in top(scores, LEADING)])

    def held(self, numbers: Numbers) -> Numbers:
        """Return those passages that are still there."""
        return numbers[self._is_held(numbers)]

    def beside(self, numbers: Numbers) -> Numbers:
        """Return the neighbours of passages in their documents."""
        homes = self._homes(numbers)
        before, after = numbers[numbers > self._starts[homes]] - 1, numbers[numbers < self._ends[homes]] + 1
        return np.concatenate([before, after])

    def documents(self, numbers: Numbers, prepared: Sequence[PreparedPassage], *, titles: Sequence[str]) -> Documents:
        """Return how some passages belong together."""
        kept, homes = np.unique(self._homes(numbers), return_inverse=True)
        first = np.flatnonzero(np.diff(homes, prepend=-1))
        texts = [*(each.words for each in prepared), *(each.title_words for each in prepared)]
        sizes = np.array(list(map(len, texts)), dtype=np.int64)
        owners = np.repeat(np.tile(np.arange(len(prepared)), 2), sizes)
        said = np.concatenate([self._words[:0], *texts])
        counts = [np.bincount(owners[said == word], minlength=len(prepared)) for word in self._words]
        lengths = np.bincount(owners, minlength=len(prepared))
        whole = [self._documents[place] for place in kept]
        return Documents(
            numbers=homes,
            first=first,
            titles=tuple(titles[place] for place in first.tolist()),
            depth=numbers - self._starts[kept][homes],
            passages=self._bm25("passage", counts, lengths),
            whole=self._bm25_of("document", whole),
            named=self._bm25_of("title", whole),
        )

    def _homes(self, numbers: Numbers) -> Numbers:
        return np.asarray(np.searchsorted(self._starts, numbers, side="right") - 1, dtype=np.int64)

    def _is_held(self, numbers: Numbers) -> NDArray[np.bool_]:
        homes = self._homes(numbers)
        return (homes >= 0) & (numbers <= np.append(self._ends, -1)[homes])

    def _best(self, hits: Hits) -> NDArray[np.float32]:
        """Return the highest score of each document's passages."""
        best, held = np.zeros(len(self._documents), dtype=np.float32), self._is_held(hits.numbers)
        np.maximum.at(best, self._homes(hits.numbers[held]), hits.scores[held])
        return best

    def _bm25_of(self, kind: TextKind, documents: Sequence[StoredDocument]) -> Bm25:
        if kind == "title":
            counts, lengths = [each.title_words for each in documents], [each.title_length for each in documents]
        else:
            counts, lengths = [each.words for each in documents], [each.length for each in documents]
        return self._bm25(kind, np.array(counts, dtype=np.int64).T, np.array(lengths, dtype=np.int64))

    def _bm25(self, kind: TextKind, counts: Sequence[Numbers] | Numbers, lengths: Numbers) -> Bm25:
        told = self._statistics[kind]
        return Bm25.sampled(
            self._words,
            counts=np.asarray(counts, dtype=np.int64).reshape(len(self._words), len(lengths)),
            lengths=lengths,
            frequencies=told.frequencies,
            size=told.size,
            mean=told.length,
        )


def _fused(ranked: Sequence[Hits]) -> Numbers:
    """Return the hits of several searches by reciprocal rank, the best first."""
    scores: dict[int, float] = {}
    missing = sum(1.0 / (RANK_OFFSET + 1 + len(hits.numbers)) for hits in ranked)
    for hits in ranked:
        unfound = 1.0 / (RANK_OFFSET + 1 + len(hits.numbers))
        for rank, number in enumerate(hits.numbers.tolist(), start=1):
            scores[number] = scores.get(number, missing) - unfound + 1.0 / (RANK_OFFSET + rank)
    return np.array(sorted(scores, key=lambda number: (-scores[number], number)), dtype=np.int64)


def _repeated(ids: Sequence[str]) -> NDArray[np.bool_]:
    """Mark passages that stand in an earlier file too."""
    first = {id: place for place, id in reversed(list(enumerate(ids)))}
    return np.array([first[id] != place for place, id in enumerate(ids)], dtype=np.bool_)
