"""One search on the way: its documents, or its error."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from dateline.flow import call
from dateline.protocols import Search
from dateline.records import Evidence
from dateline.secrets import without_secrets
from dateline.temporal.constraint import Question

ALWAYS = datetime(9999, 12, 31, tzinfo=UTC)
"""Stands for "no asking date is known": everything that the retriever holds is known then."""


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """The retrieved documents, best first, or an error."""

    documents: Sequence[Evidence] = ()
    error: str = ""
    seconds: float = 0.0
    searches: int = 1


def look_up(query: str, *, search: Search, question: Question | None, k: int) -> Generator[Any, Any, SearchResponse]:
    """Search as of the question's moment; an error is returned, not raised."""
    started = time.perf_counter()
    as_of = ALWAYS if question is None else question.as_of
    window = question.constraint.window() if question is not None and question.constraint is not None else None
    try:
        result = yield from call(search.search, query, as_of=as_of, k=k, window=window)
    except Exception as error:
        reason = f"{type(error).__name__}: {without_secrets(str(error))}"
        return SearchResponse(error=reason, seconds=time.perf_counter() - started)
    seconds = time.perf_counter() - started
    return SearchResponse(result.evidence, seconds=seconds, searches=result.cost.searches or 1)
