"""File formats and their readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dateline.documents.raw import RawDocument
from dateline.search.html_page import read_html
from dateline.search.markdown import read_markdown

READERS: Mapping[str, Callable[..., RawDocument]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_markdown,
    ".text": read_markdown,
    ".html": read_html,
    ".htm": read_html,
}
"""By file ending, called with the text, `file=` and `rules=`; `.jsonl` and `.ndjson` are read line by line instead."""

LINE_ENDINGS = frozenset({".jsonl", ".ndjson"})
