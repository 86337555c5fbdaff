"""What a file said, before it is dated and cut, and the names that fields go by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dateline.documents import metadata

TITLE_FIELDS = ("title", "headline", "name", "subject")

TEXT_FIELDS = ("text", "content", "body", "page_content", "snippet", "passage")

URL_FIELDS = ("url", "link", "source_url", "canonical_url")

SOURCE_FIELDS = ("source", "publisher", "site", "outlet", "source_name")

DATE_FIELDS = (*metadata.DATE_FIELDS, "updated", "last_updated", "modified")
"""Field names in the order in which they are believed; compared in lower case with `_` for `-` and spaces."""


@dataclass(frozen=True, slots=True)
class RawDocument:
    """What a file said, before it is dated and cut.

    Attributes:
        dates: (where it stood, value) in the order in which they are believed.
    """

    text: str
    title: str = ""
    source: str = ""
    url: str = ""
    dates: tuple[tuple[str, Any], ...] = ()


def normalised(fields: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key).lower().replace("-", "_").replace(" ", "_"): value for key, value in fields.items()}


def first_text(fields: Mapping[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = fields.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return ""


def dates_in(fields: Mapping[str, Any], place: str) -> tuple[tuple[str, Any], ...]:
    return tuple((f"{place} {name}", fields[name]) for name in DATE_FIELDS if fields.get(name) not in (None, ""))
