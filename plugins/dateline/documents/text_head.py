"""Fields in a text's head: front matter, or `Date: 2022-09-01`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

import yaml

from dateline.documents.dates import date_of
from dateline.documents.document_date import end_of_present, has_come
from dateline.documents.fields import DATE_FIELDS, key_of
from dateline.language.names import LETTER
from dateline.temporal.as_of import Clock, now
from dateline.visible import logger

_LOG = logger(__name__)

_DEEPEST = 16
"""Levels of nested front matter; chosen by hand, documents have two or three."""

_LONGEST_VALUE = 64
"""Characters beyond which a value is text, never a number or a date."""

_FRONT_MATTER = re.compile(r"\A\s{0,8}---[ \t]*\r?\n(.{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S)

_OPENING, _MOST_OPENED = re.compile(r"[\[{]"), 200
"""Brackets that front matter may open: PyYAML's time grows with the square of those that are open at once."""

HEADING = re.compile(r"\A\s*#{1,2}[ \t]+(\S[^\n]{0,300})\n?")
"""The first heading of a Markdown text."""

_HEAD_LINES = 12
"""Lines at a text's beginning that may be fields; chosen by hand."""

_HEAD_LINE = re.compile(
    rf"[*_]{{0,2}}({LETTER}(?:{LETTER}|[ -]){{0,30}})[*_]{{0,2}}:[*_]{{0,2}}[ \t]+(\S[^\n]{{0,200}})"
)


def split_head(text: str, *, file: str = "", clock: Clock = now) -> tuple[Mapping[Any, Any], str]:
    """Return a text's own fields, and the text without front matter.

    Lines such as `Date: 2022-09-01`, first in the text or below its heading, tell its date and stay where they are. One of a
    day to come tells nothing ("When: 3 March 2031").

    Example:
        >>> split_head("---\\ndate: 2023-02-01\\n---\\nThe price rose.")[1]
        'The price rose.'
        >>> split_head("Author: Ana Bell\\nDate: 2022-09-01\\n\\nThe price rose.")[0]
        {'Date': '2022-09-01'}
    """
    match = _FRONT_MATTER.match(text)
    if match is not None and (fields := _front_matter(match[1].replace("\r", ""), file=file)) is not None:
        return fields, text[match.end() :].lstrip()
    heading = HEADING.match(text)
    lines = (text[heading.end() if heading else 0 :][:4000]).strip().splitlines()[:_HEAD_LINES]
    matches = takewhile(bool, (_HEAD_LINE.fullmatch(line.strip()) for line in lines))
    said = {match[1].strip(): match[2].strip(" *_") for match in matches if match is not None}
    dates = {name: date_of(value) for name, value in said.items() if key_of(name) in DATE_FIELDS}
    end = end_of_present(clock)
    return {name: said[name] for name, day in dates.items() if day is not None and has_come(day, end=end)}, text


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


def _front_matter(block: str, *, file: str) -> Mapping[Any, Any] | None:
    """Read a block's fields; `None` for a text between two rules."""
    try:
        if len(_OPENING.findall(block)) > _MOST_OPENED:
            raise _NotPlain(f"it opens more than {_MOST_OPENED} brackets")
        fields = yaml.load(block, Loader=PlainSafeLoader)
    except Exception as cause:  # PyYAML raises whatever a wrong value makes Python raise: KeyError, IndexError.
        if isinstance(cause, _NotPlain):
            _LOG.warning("The front matter of %r is read line by line: %s.", file, cause)
        # A value with a stray colon breaks YAML, but the simple lines around it can still be read.
        pairs = (line.partition(":") for line in block.splitlines() if ":" in line)
        said = {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}
        return said if said or isinstance(cause, _NotPlain) else None
    return {} if fields is None else fields if isinstance(fields, dict) else None
