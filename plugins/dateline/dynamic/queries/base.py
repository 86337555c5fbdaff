"""The common interface of all queries."""

from __future__ import annotations

from abc import ABC, abstractmethod

from dateline.dynamic.progress import Progress
from dateline.dynamic.triggers.base import Firing


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
        """Return the query, empty to search with the question itself.

        `progress.answer` still holds the tokens that are about to be withdrawn.
        """


def row_of(firing: Firing) -> int:
    """Return the token whose attention a query reads.

    This is the token in doubt, else the last token kept (-1: the prompt's).
    """
    return firing.token if firing.token is not None else firing.position - 1
