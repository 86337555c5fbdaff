"""DRAGIN's corpus and retriever: 100-word passages ranked by BM25 (section 4.5)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np

from dateline.errors import BadInput
from dateline.evidence.knowledge import end_of_knowledge, later_note, published_from
from dateline.protocols import Search, SearchResult
from dateline.ranking.bm25 import Bm25, top
from dateline.records import Evidence
from dateline.search.documents import load_documents
from dateline.temporal.interval import Interval

WORDS = 100
"""Words of a passage, as in the Wikipedia passages that the paper's corpus is cut into."""


class Bm25Search(Search):
    """A `Search` over 100-word passages, ranked by BM25 alone.

    Documents published after the asking day are left out, and so are passages that share no word with the query.

    Example:
        >>> from datetime import UTC, datetime
        >>> search = Bm25Search(["The observatory opened in 1927.", "The ferry runs daily."])
        >>> search.search("When did the observatory open?", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence[0].text
        'The observatory opened in 1927.'
    """

    def __init__(self, documents: Iterable[Evidence | str], *, words: int = WORDS) -> None:
        """Index documents; a plain string is one without title or date.

        Raises:
            BadInput: when there are none, or `words` is below 1.
        """
        if words < 1:
            raise BadInput(f"A passage needs at least 1 word, not {words}.")
        given = (Evidence.make(each) if isinstance(each, str) else each for each in documents)
        self.passages: tuple[Evidence, ...] = tuple(part for each in given for part in _cut(each, words))
        if not self.passages:
            raise BadInput("A search needs at least one document with text; load some with load_documents(folder).")
        self._published = np.array([published_from(each) for each in self.passages])
        self._index = Bm25.build(f"{each.title} {each.text}" for each in self.passages)

    @classmethod
    def open(cls, path: Path, *, words: int = WORDS) -> Bm25Search:
        """Load a folder or a JSONL file.

        Raises:
            BadInput: as `load_documents` does.
        """
        return cls(load_documents(path).documents, words=words)

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the `k` best passages known at `as_of`.

        Passages must share a word with the query; `window` is ignored.
        """
        started = time.perf_counter()
        known = self._published < end_of_knowledge(as_of)
        scores = np.where(known, self._index.scores(query), 0.0)
        best = [self.passages[number] for number in top(scores, max(0, k)).tolist() if scores[number] > 0]
        later = len(known) - int(known.sum())
        skipped = [later_note(later, as_of=as_of, what="passage")] if later else []
        return SearchResult.ranked(best, skipped=skipped, started=started)


def shortened(document: Evidence, *, query: str, words: int) -> Evidence:
    """Return the `words`-word excerpt of a document closest to the query."""
    parts = list(_cut(document, words))
    if len(parts) < 2:
        return document
    best = int(np.argmax(Bm25.build(part.text for part in parts).scores(query)))
    return document.model_copy(update={"text": parts[best].text})


def _cut(document: Evidence, words: int) -> Iterator[Evidence]:
    found: Sequence[str] = document.text.split()
    if len(found) <= words:
        if found:
            yield document
        return
    for start in range(0, len(found), words):
        text = " ".join(found[start : start + words])
        fields = document.model_dump(exclude={"id", "text", "published"})
        yield Evidence.make(text, **fields, published=document.published)
