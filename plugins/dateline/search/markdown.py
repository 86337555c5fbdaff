"""Markdown and plain text, with or without YAML front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from dateline.documents.raw import (
    SOURCE_FIELDS,
    TITLE_FIELDS,
    URL_FIELDS,
    RawDocument,
    dates_in,
    first_text,
    normalised,
)

_FRONT_MATTER = re.compile(r"\A\s{0,8}---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)

_HEADING = re.compile(r"\A\s*#{1,2}[ \t]+(\S[^\n]{0,300})\n?")


def read_markdown(text: str) -> RawDocument:
    """Read Markdown or plain text with its title and front matter.

    YAML front matter, else a first heading as the title.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    fields: Mapping[str, Any] = {}
    if (match := _FRONT_MATTER.match(text)) is not None:
        fields = _front_matter(match[1])
        text = text[match.end() :]
    title = first_text(fields, TITLE_FIELDS)
    if (heading := _HEADING.match(text)) is not None and (not title or heading[1].strip(" #") == title):
        title = heading[1].strip(" #")
        text = text[heading.end() :]
    return RawDocument(
        text=text.strip(),
        title=title,
        source=first_text(fields, SOURCE_FIELDS),
        url=first_text(fields, URL_FIELDS),
        dates=dates_in(fields, "front matter"),
    )


def _front_matter(block: str) -> Mapping[str, Any]:
    try:
        fields = yaml.safe_load(block)
    except (yaml.YAMLError, ValueError, RecursionError):
        # A value with a stray colon breaks YAML, but the simple lines around it can still be read.
        pairs = (line.partition(":") for line in block.splitlines() if ":" in line)
        fields = {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}
    return normalised(fields) if isinstance(fields, dict) else {}
