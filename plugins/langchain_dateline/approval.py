"""Decisions of a person about waiting edits, by LangGraph's `interrupt`."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from langgraph.runtime import get_runtime
from langgraph.types import interrupt

from dateline import BadInput
from dateline.facts import Changes, ReviewQueue
from dateline.facts.proposal import read_decisions

TRIES = 3
"""How often an answer is asked for that cannot be used; then nothing is decided and the edits go on waiting."""

HOW = (
    'Answer "approve", "reject", or the list of edits as it should be: those left out are rejected, and in those kept '
    "`fact` (of an added fact) or `into` may be changed."
)


def approve_edits(queue: ReviewQueue, ids: Collection[str], *, known_at: datetime) -> list[Changes]:
    """Stop the graph until a person has decided; return what changed.

    What was decided elsewhere in the meantime is not asked about. Call it first in a node: when the graph is
    resumed, the node runs again from its beginning. Where the policy names approvers, nobody else is asked, and whoever
    else resumes the graph decides nothing: the edits go on waiting.
    """
    held = {one.id: one for one in queue.pending("person") if one.id in ids}
    if not held or (queue.policy.approvers is not None and not queue.policy.may_decide(identity_of_run())):
        return []
    payload: dict[str, Any] = {
        "question": f"May {'this edit' if len(held) == 1 else f'these {len(held)} edits'} of the fact store land?",
        "edits": [one.readable() for one in held.values()],
        "how": HOW,
    }
    for _ in range(TRIES):
        try:
            # An answer stays in the thread: one that cannot be carried out must be asked for anew, or it fails for good.
            return queue.decide(read_decisions(interrupt(payload), proposals=held), known_at=known_at)
        except BadInput as problem:
            payload = {**payload, "problem": str(problem)}
    return []


def identity_of_run() -> str:
    """Return who runs the graph, as its server knows them; "" for nobody."""
    server = get_runtime().server_info
    return server.user.identity if server and server.user else ""
