"""Copies of nodes with more metadata; the originals stay as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from types import NoneType
from typing import Any

from llama_index.core.schema import BaseNode, Document, NodeRelationship, TextNode

from dateline.documents.fields import PUBLISHED, PUBLISHED_FROM
from dateline.documents.stamp import VALID_FROM, VALID_UNTIL, StampedText

HIDDEN = (PUBLISHED, VALID_FROM, VALID_UNTIL, PUBLISHED_FROM, "dateline_times")
"""Stamps that are for filters and rankers alone."""

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


def stamped_copies(node: BaseNode, parts: Sequence[StampedText]) -> list[BaseNode]:
    """Return a node's stamped copy, or one for each entry.

    Of a document of text alone they are nodes of text: an index gives back what went in, and a retrieved `Document` has
    no `.text`. One with an image, sound or video keeps its kind, and them.
    """
    node = _node_of(node) if isinstance(node, Document) and not _shows_more(node) else node
    return [
        with_metadata(
            node if len(parts) == 1 and part.text == node.get_content() else entry_of(node, part),
            part.stamp.metadata(),
            hidden_from_models=HIDDEN,
        )
        for part in parts
    ]


def entry_of(node: BaseNode, entry: StampedText) -> BaseNode:
    """Return an entry of a journal or table as a node.

    Its source is the node's, or the node itself where that has none.
    """
    changes: dict[str, Any] = {
        "id_": entry.id_in(node.node_id),
        "embedding": None,
        "relationships": {NodeRelationship.SOURCE: node.source_node or node.as_related_node_info()},
        "metadata": entry.metadata(node.metadata),
    }
    changes |= dict.fromkeys({"start_char_idx", "end_char_idx"} & type(node).model_fields.keys())
    copy = node.model_copy(update=changes)
    copy.set_content(entry.text)
    return copy


def _shows_more(document: Document) -> bool:
    """Return whether a document holds more than text."""
    return any((document.image_resource, document.audio_resource, document.video_resource))


def _node_of(document: Document) -> TextNode:
    """Return a document as a node of its id.

    The document is its source.
    """
    source = {NodeRelationship.SOURCE: document.source_node or document.as_related_node_info()}
    return TextNode(
        id_=document.node_id,
        text=document.get_content(),
        embedding=document.embedding,
        metadata=document.metadata,
        excluded_embed_metadata_keys=document.excluded_embed_metadata_keys,
        excluded_llm_metadata_keys=document.excluded_llm_metadata_keys,
        relationships={**document.relationships, **source},
        metadata_template=document.metadata_template,
        metadata_separator=document.metadata_separator,
        text_template=document.text_template,
    )


def _copied(metadata: Mapping[str, Any]) -> dict[str, Any]:
    # Most values are of kinds that nobody can write into; a deep copy of the whole would cost several times as much.
    return {name: value if type(value) in _FIXED else deepcopy(value) for name, value in metadata.items()}
