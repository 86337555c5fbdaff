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
from dateline.visible import logger

_LOG = logger(__name__)

_DEEPEST = 16
"""Levels of nested front matter; chosen by hand, documents have two or three."""

_LONGEST_VALUE = 64
"""Characters beyond which a value is text, never a number or a date."""

_FRONT_MATTER = re.compile(r"\A\s{0,8}---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)

_OPENING, _MOST_OPENED = re.compile(r"[\[{]"), 200
"""Brackets that front matter may open: PyYAML's time grows with the square of those that are open at once."""

_HEADING = re.compile(r"\A\s*#{1,2}[ \t]+(\S[^\n]{0,300})\n?")


def read_markdown(text: str, *, file: str = "", rules: DateRules = USUAL) -> RawDocument:
    """Read Markdown or text with front matter, or its heading."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front: Mapping[Any, Any] = {}
    if (match := _FRONT_MATTER.match(text)) is not None:
        front = _front_matter(match[1], file=file)
        text = text[match.end() :]
    fields = Fields(front)
    title = fields.text(TITLE_FIELDS)
    if (heading := _HEADING.match(text)) is not None and (not title or heading[1].strip(" #") == title):
        title = heading[1].strip(" #")
        text = text[heading.end() :]
    raw = raw_of(text.strip(), fields=fields, place="front matter", rules=rules, file=file)
    return replace(raw, title=title) if title else raw


class PlainSafeLoader(yaml.SafeLoader):
    """Loader of nested mappings and lists, in linear time."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if getattr(event, "anchor", None) or getattr(event, "tag", None):
            raise _NotPlain("it has an anchor, an alias or a tag")
        self.depth += 1
        if self.depth > _DEEPEST:
            raise _NotPlain(f"it is nested more than {_DEEPEST} deep")
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def resolve(self, kind: Any, value: Any, implicit: Any) -> Any:
        # Merge keys are keys like others, and a number of a thousand digits is text.
        tag = super().resolve(kind, value, implicit)  # type: ignore[no-untyped-call]
        plain = tag != "tag:yaml.org,2002:merge" and (kind is not yaml.ScalarNode or len(value) <= _LONGEST_VALUE)
        return tag if plain else "tag:yaml.org,2002:str"


class _NotPlain(yaml.YAMLError):
    """Front matter with more than nested plain values."""


def _front_matter(block: str, *, file: str) -> Mapping[Any, Any]:
    try:
        if len(_OPENING.findall(block)) > _MOST_OPENED:
            raise _NotPlain(f"it opens more than {_MOST_OPENED} brackets")
        fields = yaml.load(block, Loader=PlainSafeLoader)
    except Exception as cause:  # PyYAML raises whatever a wrong value makes Python raise: KeyError, IndexError.
        if isinstance(cause, _NotPlain):
            _LOG.warning("The front matter of %r is read line by line: %s.", file, cause)
        # A value with a stray colon breaks YAML, but the simple lines around it can still be read.
        pairs = (line.partition(":") for line in block.splitlines() if ":" in line)
        fields = {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}
    return fields if isinstance(fields, dict) else {}


def read_titled(text: str, title: str, *, file: str, rules: DateRules) -> RawDocument:
    """Read Markdown whose title is known, or stands in its heading."""
    return read_markdown(f"# {title}\n\n{text}" if title else text, file=file, rules=rules)
