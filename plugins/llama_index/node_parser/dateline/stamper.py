"""`DateStamper`: finds each node's own date and the dates it speaks of, at indexing time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.bridge.pydantic import ConfigDict
from llama_index.core.schema import BaseNode, MetadataMode, TransformComponent

from dateline.documents.stamp import stamp
from llama_index.node_parser.dateline.copies import with_metadata

HIDDEN = ("dateline_published_from", "dateline_times", "dateline_start", "dateline_end")
"""Stamps that are for filters and rankers alone."""


class DateStamper(TransformComponent):
    """Stamps copies of nodes; put it behind the node parser in an `IngestionPipeline`.

    The stamps are kept out of what is embedded; the model sees the date of publication alone.
    """

    model_config = ConfigDict(extra="forbid")

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[BaseNode]:
        """Copies in the same order; what a node does not tell is left out, never guessed."""
        return [_stamped(node) for node in nodes]


def _stamped(node: BaseNode) -> BaseNode:
    found = stamp(node.get_content(metadata_mode=MetadataMode.NONE), metadata=node.metadata)
    return with_metadata(node, found.metadata(), hidden_from_models=HIDDEN)
