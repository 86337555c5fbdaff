"""Markdown and plain text, with or without YAML front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dateline.documents.fields import TITLE_FIELDS, Fields
from dateline.documents.journal import journal_entries
from dateline.documents.raw import RawDocument, raw_of
from dateline.documents.rules import USUAL, DateRules
from dateline.documents.text_head import HEADING, split_head
from dateline.formats.given import GivenFile

_CLOSING = re.compile(r"(?:\A|[ \t])#*[ \t]*\Z")
"""Marks that close a heading; the one of "C#" is its own."""


def read_markdown(text: str, *, file: str = "", rules: DateRules = USUAL) -> RawDocument:
    """Read Markdown or text with front matter, or its heading."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front, text = split_head(text, file=file)
    fields = Fields(front)
    title = fields.text(TITLE_FIELDS)
    if (heading := HEADING.match(text)) is not None:
        said = _CLOSING.sub("", heading[1]).strip()
        # A journal's first heading is the day of its first entry.
        if (not title or said == title) and journal_entries(text)[0].day is None:
            title, text = said, text[heading.end() :]
    # A note that is only a heading says what that says.
    raw = raw_of(text.strip() or title, fields=fields, place="front matter", rules=rules, file=file)
    return replace(raw, title=title, heading=title) if title else raw


def read_with_fields(text: str, given: Mapping[Any, Any], *, file: GivenFile, place: str) -> RawDocument:
    """Read Markdown whose fields stand elsewhere, as their title and dates."""
    fields = Fields(given)
    own = raw_of("", fields=fields, place=place, rules=file.rules, file=file.name)
    read = read_titled(text, fields.text(TITLE_FIELDS), file=file.name, rules=file.rules)
    return replace(read, dates=(*own.dates, *read.dates))


def read_titled(text: str, title: str, *, file: str, rules: DateRules) -> RawDocument:
    """Read Markdown whose title is known, or stands in its heading."""
    return read_markdown(f"# {title}\n\n{text}" if title else text, file=file, rules=rules)
