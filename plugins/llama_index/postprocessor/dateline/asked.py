"""The asking moment that a retriever leaves on its nodes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from llama_index.core.schema import BaseNode, NodeWithScore

from dateline.temporal.as_of import AsOf, Clock, is_given
from dateline.temporal.asking import asking_moment

ASKED = "dateline_asked"
"""The field of metadata that says as of when a node was asked for."""

_LOG = logging.getLogger(__name__)


def asked_fields(own: AsOf, *, moment: datetime) -> dict[str, Any]:
    """Return the field, where a retriever was told its own moment."""
    return {ASKED: moment.isoformat()} if is_given(own) else {}


def asked_of(nodes: Sequence[NodeWithScore], *own: AsOf, clock: Clock) -> datetime:
    """Read a part's own asking moment, else its nodes' retriever's.

    Without both it is that of any part: of the `asked_at` around it, or of the clock. Nodes tell it only where all agree. Where a part's own is another day than theirs, that is logged.
    """
    told = {_told(each.node) for each in nodes}
    theirs = told.pop() if len(told) == 1 else None
    if theirs is not None and theirs > clock():
        theirs = None
    moment = asking_moment(*own, theirs, clock=clock)
    if theirs is not None and theirs.date() != moment.date():
        _LOG.warning(
            "Nodes that were asked for as of %s are read as of %s; give as_of once, to the retriever.",
            theirs.date(),
            moment.date(),
        )
    return moment


def _told(node: BaseNode) -> datetime | None:
    """Read the field; metadata may hold anything."""
    try:
        moment = datetime.fromisoformat(node.metadata.get(ASKED, ""))
    except (TypeError, ValueError):
        return None
    return None if moment.tzinfo is None else moment
