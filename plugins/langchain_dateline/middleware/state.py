"""What the middleware reads from an agent's state and writes into it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import AgentState, OmitFromSchema
from langchain_core.messages import AnyMessage, HumanMessage

from dateline.temporal.asking import asking_moment

Json = dict[str, Any]


class DatelineState(AgentState[Any]):
    """An agent's state with its asking date, and what is known about its last answer; all JSON."""

    as_of: NotRequired[Annotated[str, OmitFromSchema(input=False, output=True)]]
    """Ask as of then: YYYY, YYYY-MM, YYYY-MM-DD or an ISO moment; left out or empty: what the middleware was told."""
    freshness: NotRequired[Annotated[Json, OmitFromSchema(input=True, output=False)]]
    """`dateline.evidence.freshness.Freshness` of the last answer."""
    certainty: NotRequired[Annotated[Json, OmitFromSchema(input=True, output=False)]]
    """`dateline.Certainty` of the last answer, with its label; where there is an estimator."""
    fact_changes: NotRequired[Annotated[list[Json], OmitFromSchema(input=True, output=False), operator.add]]
    """What changed in the fact store, document by document: `dateline.facts.Changes`, or {"document", "failed"}."""


@dataclass(frozen=True)
class Moment:
    """As of when an agent is asked: what its state says, else a fixed date, else the clock."""

    fixed: datetime | None
    clock: Callable[[], datetime]

    @classmethod
    def make(cls, as_of: datetime | str | None, *, clock: Callable[[], datetime]) -> Moment:
        """Raises `BadInput` for an unreadable date."""
        return cls(asking_moment(as_of), clock)

    def of(self, state: Mapping[str, Any]) -> datetime:
        """The asking moment of a run. Raises `BadInput` where the state holds an unreadable one."""
        return asking_moment(state.get("as_of") or None) or self.fixed or self.clock()


def this_turn(messages: list[AnyMessage]) -> list[AnyMessage]:
    """The messages since the last one of a person, that one included."""
    last = max((place for place, each in enumerate(messages) if isinstance(each, HumanMessage)), default=0)
    return messages[last:]
