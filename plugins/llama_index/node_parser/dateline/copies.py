"""Copies of nodes with more metadata; the originals stay as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from types import NoneType
from typing import Any

from llama_index.core.schema import BaseNode, NodeRelationship

from dateline.documents.journal import entry_id

_FIXED = (str, int, float, bool, NoneType)


def with_metadata(node: BaseNode, more: Mapping[str, Any], *, hidden_from_models: Sequence[str] = ()) -> BaseNode:
    """Return a copy with more metadata, kept from encoders.

    The vector is shared with the original.
    """
    changes = {
        "metadata": {**_copied(node.metadata), **more},
        "relationships": dict(node.relationships),
        "excluded_embed_metadata_keys": [*dict.fromkeys([*node.excluded_embed_metadata_keys, *more])],
        "excluded_llm_metadata_keys": [*dict.fromkeys([*node.excluded_llm_metadata_keys, *hidden_from_models])],
    }
    return node.model_copy(update=changes)


def entry_of(node: BaseNode, text: str) -> BaseNode:
    """Return one entry of a journal as a node of its own.

    Its source is the node's, or the node itself where that has none.
    """
    changes: dict[str, Any] = {
        "id_": entry_id(node.node_id, text),
        "embedding": None,
        "relationships": {NodeRelationship.SOURCE: node.source_node or node.as_related_node_info()},
    }
    changes |= dict.fromkeys({"start_char_idx", "end_char_idx"} & type(node).model_fields.keys())
    entry = node.model_copy(update=changes)
    entry.set_content(text)
    return entry


def _copied(metadata: Mapping[str, Any]) -> dict[str, Any]:
    # Most values are of kinds that nobody can write into; a deep copy of the whole would cost several times as much.
    return {name: value if type(value) in _FIXED else deepcopy(value) for name, value in metadata.items()}
