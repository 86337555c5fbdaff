"""Queries that carry the date that is asked about."""

from __future__ import annotations

from dataclasses import dataclass

from dateline.dynamic.progress import Progress
from dateline.dynamic.queries.base import Query, or_question
from dateline.dynamic.triggers.base import Firing
from dateline.temporal.expressions import spans_of


@dataclass(frozen=True)
class Dated(Query):
    """Another query with the question's time appended.

    Without a time in the question, the asking date is appended. A query that already names a time, or has no asking
    date, stays as it is.

    Attributes:
        inner: the query to add the time to.

    Example:
        >>> from dateline.dynamic.queries import QuestionQuery
        >>> Dated(QuestionQuery()).name
        'dated question'
    """

    inner: Query

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", f"dated {self.inner.name}")
        object.__setattr__(self, "needs_attention", self.inner.needs_attention)

    def text(self, progress: Progress, *, firing: Firing) -> str:
        """Return the inner query, dated."""
        query = or_question(self.inner.text(progress, firing=firing), progress=progress)
        question = progress.question
        if question is None or spans_of(query):
            return query
        constraint = question.constraint
        if constraint is not None and constraint.text:
            return f"{query} {constraint.text}"
        return f"{query} as of {question.as_of.date().isoformat()}"
