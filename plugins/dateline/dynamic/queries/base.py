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
        """Return the query.

        Empty where there is nothing to ask with, and the question itself is asked then.

        `progress.answer` still holds the tokens that are about to be withdrawn.
        """


def row_of(firing: Firing) -> int:
    """Whose attention a query looks at.

    That of the token in doubt, else that of the last token kept (-1: the prompt's).
    """
    return firing.token if firing.token is not None else firing.position - 1
