"""reStructuredText and Org: their headings and fields, in Markdown's form."""

from __future__ import annotations

import re

from dateline.documents.raw import RawDocument
from dateline.formats.given import GivenFile
from dateline.formats.markdown import read_with_fields

_ORG_FIELD = re.compile(r"^#\+(\w+):[ \t]*([^\n]*)\n?", re.M)
_ORG_STAMP = re.compile(r"[<\[](\d{4}-\d\d-\d\d)(?: [^\W\d]+\.?)?( \d\d?:\d\d)?[^>\]\n]{0,20}[>\]]")
_ORG_HEADING = re.compile(r"^(\*{1,6})[ \t]+(?:(?:TODO|DONE)[ \t]+)?", re.M)
_ORG_DRAWER = re.compile(r"^[ \t]*:[A-Z]+:[ \t]*\n(?:[ \t]*:[^\n]*\n){0,50}?[ \t]*:END:[ \t]*\n?", re.M)
_ORG_LINK = re.compile(r"\[\[([^\]\n]{1,500})\](?:\[([^\]\n]{1,500})\])?\]")

_RST_FIELD = re.compile(r"^:(\w[\w -]{0,30}):[ \t]+([^\n]+)\n?", re.M)
_RST_LINE = re.compile(r"([=\-~^\"'`#*+.:_<>!$%&(),/;?@\[\]{|}\\])\1{2,}[ \t]*")
_RST_MARKUP = re.compile(r"^\.\. ([^\n]*(?:\n|\Z))(?:[ \t]+:[\w-]+:[^\n]*\n)*", re.M)
_RST_SHOWN = re.compile(
    r"\[[^\]\n]{1,100}\]\s|(?:admonition|attention|caution|danger|error|hint|important|note|tip|warning|topic|sidebar|rubric|epigraph|"
    r"highlights|pull-quote|centered|seealso|versionadded|versionchanged|versionremoved|deprecated)::"
)
"""Footnotes, citations, and the directives of docutils and Sphinx whose first line is text for readers."""
_RST_ROLE = re.compile(r":[\w:-]{1,40}:`([^`\n]{1,300})`")
_FIELDS_END = 3000
"""Characters behind which a field list is a part of the text; chosen by hand."""


def read_org(file: GivenFile) -> list[RawDocument]:
    """Read an Org file; `#+TITLE` and `#+DATE` are its fields."""
    fields = {name.lower(): _ORG_STAMP.sub(r"\1\2", said).strip() for name, said in _ORG_FIELD.findall(file.text)}
    text = _ORG_DRAWER.sub("", _ORG_FIELD.sub("", file.text))
    text = _ORG_LINK.sub(lambda link: link[2] or link[1], _ORG_STAMP.sub(r"\1\2", text))
    text = _ORG_HEADING.sub(lambda head: "#" * len(head[1]) + " ", text)
    return [read_with_fields(text, fields, file=file, place="org")]


def read_rst(file: GivenFile) -> list[RawDocument]:
    """Read a reStructuredText file; its field list (`:Date:`) holds its fields."""
    text = _RST_ROLE.sub(r"\1", file.text)
    head = _headed(text)
    end = head.find("\n", _FIELDS_END) + 1 or len(head)
    fields = {name.lower(): said for name, said in _RST_FIELD.findall(head[:end])}
    plain = _RST_MARKUP.sub(_shown, _RST_FIELD.sub("", head[:end]) + head[end:])
    return [read_with_fields(plain, fields, file=file, place="rst")]


def _shown(markup: re.Match[str]) -> str:
    return markup[1] if _RST_SHOWN.match(markup[1]) else ""


def _headed(text: str) -> str:
    """Turn underlined lines into headings, by their marks' order."""
    lines, made, marks = text.split("\n"), list[str](), list[str]()
    for place, line in enumerate(lines):
        is_rule = _RST_LINE.fullmatch(line) is not None
        above = made[-1] if made else ""
        if is_rule and above.strip() and not above.startswith("#") and len(line.strip()) >= len(above.strip()) - 1:
            if line[0] not in marks:
                marks.append(line[0])
            made[-1] = f"{'#' * min(marks.index(line[0]) + 1, 6)} {above.strip()}"
        elif not (is_rule and (place + 2 < len(lines) and lines[place + 2].strip() == line.strip())):
            made.append(line)
    return "\n".join(made)
