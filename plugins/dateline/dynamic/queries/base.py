"""The common interface of all queries."""

from __future__ import annotations

from abc import ABC, abstractmethod

from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing
from dateline.dynamic.words import content_words


class Query(ABC):
    """Writes a query where a trigger fired. Stateless.

    Attributes:
        name: what it is called in results.
        needs_attention: whether it reads the attention row of the token in doubt.
    """

    name: str = "query"
    needs_attention: bool = False

    @abstractmethod
    def text(self, progress: Progress, *, firing: Firing) -> str:
        """Return the query; without a content word the question is asked.

        `progress.answer` still holds the tokens that are about to be withdrawn.
        """


def row_of(firing: Firing) -> int:
    """Return the token in doubt, else the last kept (-1: the prompt's)."""
    return firing.token if firing.token is not None else firing.position - 1


def or_question(query: str, *, progress: Progress) -> str:
    """Return the query, or the question if it has no content word."""
    return query.strip() if content_words(query) else progress.text
