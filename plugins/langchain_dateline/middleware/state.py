"""Fields of an agent's state that the middleware reads and writes."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import AgentState, OmitFromSchema
from langchain_core.messages import AnyMessage, HumanMessage

from dateline.temporal.as_of import AsOf, AsOfField, Clock, read_moment

Json = dict[str, Any]


class DatelineState(AgentState[Any]):
    """An agent's state with its asking date and freshness, all JSON."""

    as_of: NotRequired[Annotated[AsOfField, OmitFromSchema(input=False, output=True)]]
    """Ask as of then; left out or empty: as of what the middleware was told."""
    freshness: NotRequired[Annotated[Json, OmitFromSchema(input=True, output=False)]]
    """`dateline.evidence.freshness.Freshness` of the last answer."""
    certainty: NotRequired[Annotated[Json, OmitFromSchema(input=True, output=False)]]
    """`dateline.Certainty` of the last answer, with its label; where there is an estimator."""
    fact_changes: NotRequired[Annotated[list[Json], OmitFromSchema(input=True, output=False), operator.add]]
    """What changed in the fact store, document by document: `dateline.facts.Changes`, or {"document", "failed"}."""


def asked_at(state: Mapping[str, Any], *, default: AsOf, clock: Clock) -> datetime:
    """Return an agent's asking moment: its state's, else the default, else now.

    Raises:
        BadInput: for what cannot be read, or is later than the clock.
    """
    return read_moment(state.get("as_of"), default, clock=clock)


def this_turn(messages: list[AnyMessage]) -> list[AnyMessage]:
    """The messages since the last one of a person, that one included."""
    last = max((place for place, each in enumerate(messages) if isinstance(each, HumanMessage)), default=0)
    return messages[last:]
