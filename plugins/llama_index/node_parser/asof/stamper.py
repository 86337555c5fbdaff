"""`DateStamper`: finds each node's own date and the dates it speaks of, at indexing time."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from llama_index.core.schema import BaseNode, MetadataMode, TransformComponent

from asof.evidence.stamp import stamp

STAMP_FIELDS = ("asof_published", "asof_published_from", "asof_times", "asof_start", "asof_end")


class DateStamper(TransformComponent):
    """Stamps copies of nodes; put it behind the node parser in an `IngestionPipeline`.

    The stamps are kept out of what is embedded; the model sees the date of publication alone.
    """

    def __call__(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[BaseNode]:
        """Copies in the same order; what a node does not tell is left out, never guessed."""
        return [_stamped(node) for node in nodes]


def _stamped(node: BaseNode) -> BaseNode:
    found = stamp(node.get_content(metadata_mode=MetadataMode.NONE), metadata=node.metadata)
    hidden = [field for field in STAMP_FIELDS if field != "asof_published"]
    # The vector is shared with the original, everything that is commonly written into is not.
    changes = {
        "metadata": {**deepcopy(node.metadata), **found.metadata()},
        "relationships": dict(node.relationships),
        "excluded_embed_metadata_keys": [*node.excluded_embed_metadata_keys, *STAMP_FIELDS],
        "excluded_llm_metadata_keys": [*node.excluded_llm_metadata_keys, *hidden],
    }
    return node.model_copy(update=changes)
