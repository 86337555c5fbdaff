"""Markdown and plain text, with or without YAML front matter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import yaml

from dateline.documents.fields import TITLE_FIELDS, Fields
from dateline.documents.raw import RawDocument, raw_of
from dateline.documents.rules import USUAL, DateRules

_FRONT_MATTER = re.compile(r"\A\s{0,8}---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)

_HEADING = re.compile(r"\A\s*#{1,2}[ \t]+(\S[^\n]{0,300})\n?")


def read_markdown(text: str, *, file: str = "", rules: DateRules = USUAL) -> RawDocument:
    """Read Markdown or text with front matter, or its heading."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front: Mapping[Any, Any] = {}
    if (match := _FRONT_MATTER.match(text)) is not None:
        front = _front_matter(match[1])
        text = text[match.end() :]
    fields = Fields(front)
    title = fields.text(TITLE_FIELDS)
    if (heading := _HEADING.match(text)) is not None and (not title or heading[1].strip(" #") == title):
        title = heading[1].strip(" #")
        text = text[heading.end() :]
    raw = raw_of(text.strip(), fields=fields, place="front matter", rules=rules, file=file)
    return replace(raw, title=title) if title else raw


def _front_matter(block: str) -> Mapping[Any, Any]:
    try:
        fields = yaml.safe_load(block)
    except (yaml.YAMLError, ValueError, RecursionError):
        # A value with a stray colon breaks YAML, but the simple lines around it can still be read.
        pairs = (line.partition(":") for line in block.splitlines() if ":" in line)
        fields = {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}
    return fields if isinstance(fields, dict) else {}
