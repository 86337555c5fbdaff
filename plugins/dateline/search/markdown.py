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

_OPENING, _MOST_OPENED = re.compile(r"[\[{]"), 200
"""Brackets that front matter may open: PyYAML's time grows with the square of those that are open at once."""

_LONGEST_NUMBER = 40
"""Characters of a whole number in front matter; Python refuses to write out what has thousands of digits."""

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


class _PlainSafeLoader(yaml.SafeLoader):
    """A loader without aliases and merge keys, which make much of little."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Refuse an alias; compose anything else."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("Front matter is read without aliases.")
        return super().compose_node(parent, index)

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Leave a merge key as it stands."""

    def construct_yaml_int(self, node: yaml.ScalarNode) -> Any:
        """Read a whole number; leave one of very many digits as text."""
        return super().construct_yaml_int(node) if len(node.value) <= _LONGEST_NUMBER else node.value


_PlainSafeLoader.add_constructor("tag:yaml.org,2002:int", _PlainSafeLoader.construct_yaml_int)


def _front_matter(block: str) -> Mapping[Any, Any]:
    try:
        fields = yaml.load(block, Loader=_PlainSafeLoader) if len(_OPENING.findall(block)) <= _MOST_OPENED else None
    except Exception:  # PyYAML raises whatever a wrong value makes Python raise: KeyError, AttributeError, IndexError.
        # A value with a stray colon breaks YAML, but the simple lines around it can still be read.
        pairs = (line.partition(":") for line in block.splitlines() if ":" in line)
        fields = {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}
    return fields if isinstance(fields, dict) else {}
