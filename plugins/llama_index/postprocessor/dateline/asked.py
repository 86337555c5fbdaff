"""The asking moment that a retriever leaves on its nodes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from llama_index.core.schema import NodeWithScore

from dateline.documents.writing import ASKED, asked_in
from dateline.temporal.as_of import AsOf, Clock, is_given
from dateline.temporal.asking import asking_moment

_LOG = logging.getLogger(__name__)


def asked_fields(own: AsOf, *, moment: datetime) -> dict[str, Any]:
    """Return the field, where a retriever was told its own moment."""
    return {ASKED: moment.isoformat()} if is_given(own) else {}


def asked_of(nodes: Sequence[NodeWithScore], *own: AsOf, clock: Clock) -> datetime:
    """Read a part's own asking moment, else its nodes' retriever's.

    Without both it is that of any part: of the `asked_at` around it, or of the clock. Nodes tell it only where all do. Where a
    part's own is another day than theirs, that is logged.
    """
    theirs = asked_in((each.node.metadata for each in nodes), clock=clock)
    moment = asking_moment(*own, theirs, clock=clock)
    if theirs is not None and theirs.date() != moment.date():
        _LOG.warning(
            "Nodes that were asked for as of %s are read as of %s; give as_of once, to the retriever.",
            theirs.date(),
            moment.date(),
        )
    return moment
