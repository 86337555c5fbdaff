"""LangChain documents and LlamaIndex nodes as evidence, recognised by their attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dateline.documents.metadata import published_in
from dateline.documents.raw import SOURCE_FIELDS, TITLE_FIELDS, URL_FIELDS
from dateline.errors import BadInput
from dateline.records import Evidence

MOST_METADATA = 200
"""Fields of metadata that are looked at."""


def evidence_of(item: Any, *, position: int | None = None) -> Evidence:
    """Convert a LangChain `Document` or LlamaIndex node to evidence.

    The node may carry a score; the item stays unchanged.

    The date is the first readable one of the metadata fields `date`, `published`, `publish_date` and their like; an
    `Interval` or its JSON form under one of these names is taken as it is.

    Raises:
        BadInput: when `item` is neither.
    """
    node = getattr(item, "node", item)
    text = getattr(node, "page_content", None)
    if text is None and callable(getattr(node, "get_content", None)):
        text = node.get_content()
    if not isinstance(text, str):
        raise BadInput(f"{type(item).__name__} is neither a LangChain Document nor a LlamaIndex node.")
    given = getattr(node, "metadata", None)
    fields = _fields(given if isinstance(given, Mapping) else {})
    return Evidence.make(
        text,
        title=_first(fields, TITLE_FIELDS),
        source=_first(fields, SOURCE_FIELDS) or _first(fields, ("file_name", "file_path")),
        url=_first(fields, URL_FIELDS),
        published=published_in(fields),
        position=position,
    )


def _fields(metadata: Mapping[str, Any]) -> dict[str, Any]:
    names = list(metadata)[:MOST_METADATA]
    return {str(name).lower().replace("-", "_").replace(" ", "_"): metadata[name] for name in names}


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> str:
    return next((value.strip() for name in names if isinstance(value := fields.get(name), str) and value.strip()), "")
