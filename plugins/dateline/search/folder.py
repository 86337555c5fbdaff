"""A search over a person's own documents."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings

from dateline.documents.reading import raw_document
from dateline.documents.rules import DateField, date_rules
from dateline.errors import BadInput
from dateline.evidence.knowledge import end_of_knowledge, later_notes, published_from
from dateline.protocols import Search, SearchResult
from dateline.ranking import PassageIndex
from dateline.records import Evidence
from dateline.search.documents import Progress, load_documents, passages_of
from dateline.search.folder_limits import FolderLimits
from dateline.stopping import time_limit
from dateline.temporal.constraint import Constraint, Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import DAY, Interval


class FolderSearch(Search):
    """A `Search` over dated documents; later publications stay unknown.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline import Evidence
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> search = FolderSearch([Evidence.make("The museum opened in 1927.")], embeddings=LexicalEmbeddings())
        >>> search.search("When did the museum open?", as_of=datetime(2024, 1, 1, tzinfo=UTC)).evidence[0].text
        'The museum opened in 1927.'
    """

    def __init__(self, documents: Sequence[Evidence], *, embeddings: Embeddings | None = None) -> None:
        """Index the documents, by default with `default_embeddings()`.

        Raises:
            BadInput: when there are none.
        """
        if not documents:
            raise BadInput("A search needs at least one document; load some with load_documents(folder).")
        if not all(isinstance(each, Evidence) for each in documents):
            raise BadInput("FolderSearch takes Evidence; give documents of other kinds to FolderSearch.from_documents.")
        self._beyond: tuple[str, ...] = ()
        self._documents = tuple(documents)
        self._published = np.array([published_from(each) for each in self._documents])
        self._index = PassageIndex.build(self._documents, embeddings=embeddings)

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        date_field: DateField = (),
        name: str = "",
        trust_sources: bool = False,
        embeddings: Embeddings | None = None,
        follow_links: bool = False,
        limits: FolderLimits | None = None,
        progress: Progress | None = None,
    ) -> FolderSearch:
        """Load and index a folder or JSONL file, like `load_documents`.

        Args:
            limits: what is read at most, by default `FolderLimits()`; every result says what lies beyond.

        Raises:
            BadInput: as `load_documents` does, and when it takes longer than the limits allow.
        """
        most = limits or FolderLimits()
        refusal = (
            f"Indexing {str(path)!r} takes more than {most.seconds:g} s; give fewer documents, or more time with "
            "FolderLimits(seconds=…)."
        )
        with time_limit(most.seconds, refusal=refusal):
            loaded = load_documents(
                path,
                date_field=date_field,
                name=name,
                trust_sources=trust_sources,
                follow_links=follow_links,
                limits=most,
                progress=progress,
            )
            made = cls(loaded.documents, embeddings=embeddings)
        made._beyond = tuple(f"not read: {each}" for each in loaded.beyond)
        return made

    @classmethod
    def from_documents(
        cls, documents: Iterable[Any], *, date_field: DateField = (), embeddings: Embeddings | None = None
    ) -> FolderSearch:
        """Index documents in any form, such as `loader.lazy_load()` brings.

        They are dated and cut into passages as files are: by their fields, a file's name, an address, or the text.

        Raises:
            BadInput: when there are none, or one of them is no document.

        Example:
            >>> from datetime import UTC, datetime
            >>> from dateline.search import FolderSearch
            >>> from dateline.text.lexical import LexicalEmbeddings
            >>> notes = [{"text": "Ana runs Acme.", "date": "2019"}, {"text": "Tom runs Acme.", "date": "2023"}]
            >>> search = FolderSearch.from_documents(notes, embeddings=LexicalEmbeddings())
            >>> search.search("Who runs Acme?", as_of=datetime(2020, 1, 1, tzinfo=UTC)).evidence[0].text
            'Ana runs Acme.'
        """
        rules = date_rules(date_field)
        raws = [one if isinstance(one, Evidence) else raw_document(one, rules=rules) for one in documents]
        return cls(passages_of(raws, rules=rules), embeddings=embeddings)

    @property
    def documents(self) -> tuple[Evidence, ...]:
        """All documents, known or not."""
        return self._documents

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the `k` best passages known at `as_of`.

        Later ones are left out and counted in `skipped`. A constraint in the query decides about time; without one,
        `window` does; without either, the asking day.
        """
        started = time.perf_counter()
        known = self._published < end_of_knowledge(as_of)
        question = question_of(query, as_of=as_of, window=window)
        ranked = self._index.search(question, k, allowed=known) if known.any() else []
        later = len(known) - int(known.sum())
        skipped = [*self._beyond, *later_notes(later, as_of=as_of, what="passage")]
        return SearchResult.ranked((each.evidence for each in ranked), skipped=skipped, started=started)


def question_of(query: str, *, as_of: datetime, window: Interval | None) -> Question:
    """Read a question; a window stands in for its constraint."""
    question = decompose(query, as_of=as_of)
    constraint = None if window is None else _constraint(window, end_of_knowledge(as_of))
    if question.constraint is not None or constraint is None:
        return question
    return Question(question.text, question.content, constraint, as_of, question.ordinal, question.sub_questions)


def _constraint(window: Interval, now: int) -> Constraint | None:
    """Return the constraint for a window of event time.

    A window from ever to the asking day constrains nothing.
    """
    start, end = window.start, window.end
    if start is None:
        return None if end is None or end >= now else Constraint("by", Interval(end - DAY, end, "day"))
    if end is None:
        return Constraint("since", Interval(start, start + DAY, "day"))
    return Constraint("between" if window.granularity == "span" else "at", window)
