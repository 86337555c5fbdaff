"""Node that recalls facts as they stood at the asked date."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableLambda

from dateline import BadInput
from dateline.errors import check_least
from dateline.facts import FactStore
from dateline.facts.fact import FoundFact
from dateline.facts.store import Which
from dateline.facts.windows import AskedTime
from dateline.temporal.asking import asking_moment

State = Mapping[str, Any]


def recall_facts(
    store: FactStore,
    *,
    question: str = "question",
    as_of: str = "as_of",
    during: str = "during",
    before: str = "before",
    after: str = "after",
    known_at: str = "known_at",
    into: str = "recalled",
    k: int = 10,
    which: Which = "true",
    threshold: float = -1.0,
) -> Runnable[Any, dict[str, Any]]:
    """Make a node that recalls the facts nearest to the question.

    It reads the question from the state and runs sync and async.

    The facts are JSON: `text` (the fact with its history, as ERASE shows it), `fact`, fact_id, true, since,
    validity, tags, score and history.

    Args:
        question: the field that holds the question, or a list of messages of which the last one is the question.
        as_of: the field that says when the facts were true, as a date or text; missing or empty: now. It may come
            from whoever asks, so a later time than now is refused.
        during, before, after: the fields that name a window in place of that moment: facts that were true at some time in it.
        known_at: the field that says by what was known then; missing or empty: by all that is known.
        into: the field to write.

    Raises:
        BadInput: for a `k` below 1; while running, for a state without a question or an unreadable date.
    """
    check_least(1, k=k)

    def recall(state: State) -> dict[str, Any]:
        asked = AskedTime.of(
            asking_moment(state.get(as_of), clock=store.clock),
            during=state.get(during),
            before=state.get(before),
            after=state.get(after),
            clock=store.clock,
        )
        found = store.search(
            _asked(state, question),
            **asked.options,
            known_at=state.get(known_at),
            k=k,
            which=which,
            threshold=threshold,
        )
        return {into: [_json(fact) for fact in found]}

    return RunnableLambda(recall, name="recall_facts")


def _asked(state: State, field: str) -> str:
    value = state.get(field)
    if isinstance(value, list) and value and isinstance(value[-1], BaseMessage):
        value = str(value[-1].text)
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"The state holds no question in its field {field!r}; fill it, or name another with question=.")
    return value


def _json(found: FoundFact) -> dict[str, Any]:
    return {"text": found.describe(), "fact": found.fact.text, **found.metadata()}
