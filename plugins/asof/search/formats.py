"""Files as people keep them: Markdown, plain text, HTML and JSON lines, read into one raw shape."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import yaml

from asof.errors import BadInput
from asof.evidence import metadata

MAX_BYTES = 32 * 2**20
"""Larger text files are skipped and named; JSON lines may be larger, each line may not."""

TITLE_FIELDS = ("title", "headline", "name", "subject")
TEXT_FIELDS = ("text", "content", "body", "page_content", "snippet", "passage")
URL_FIELDS = ("url", "link", "source_url", "canonical_url")
SOURCE_FIELDS = ("source", "publisher", "site", "outlet", "source_name")
DATE_FIELDS = (*metadata.DATE_FIELDS, "updated", "last_updated", "modified")
"""Field names in the order in which they are believed; compared in lower case with `_` for `-` and spaces."""

HTML_DATES = (
    "article:published_time", "datepublished", "og:published_time", "parsely-pub-date", "dc.date.issued", "dc.date",
    "dcterms.date", "dcterms.created", "sailthru.date", "date", "pubdate", "publishdate", "publish_date",
    "citation_publication_date", "article:modified_time", "datemodified", "last-modified",
)  # fmt: skip


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


def read_text(path: Path) -> str:
    """A text file in UTF-8, UTF-16 or a Western single-byte encoding. Raises `BadInput` for anything else."""
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise BadInput(f"is larger than {MAX_BYTES // 2**20} MiB ({size / 2**20:.0f} MiB)")
    return decode(path.read_bytes())


def decode(data: bytes) -> str:
    """Text of bytes whose encoding nobody stated. Raises `BadInput` for binary data."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    if b"\0" in data[:8192]:
        raise BadInput("is binary")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


# -- Markdown and plain text ------------------------------------------------------------------

_FRONT_MATTER = re.compile(r"\A\s{0,8}---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_HEADING = re.compile(r"\A\s*#{1,2}[ \t]+(\S[^\n]{0,300})\n?")


def read_markdown(text: str) -> RawDocument:
    """Markdown or plain text: YAML front matter, else a first heading as the title."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    fields: Mapping[str, Any] = {}
    if (match := _FRONT_MATTER.match(text)) is not None:
        fields = _front_matter(match[1])
        text = text[match.end() :]
    title = _first(fields, TITLE_FIELDS)
    if (heading := _HEADING.match(text)) is not None and (not title or heading[1].strip(" #") == title):
        title = heading[1].strip(" #")
        text = text[heading.end() :]
    return RawDocument(
        text=text.strip(),
        title=title,
        source=_first(fields, SOURCE_FIELDS),
        url=_first(fields, URL_FIELDS),
        dates=_dates(fields, "front matter"),
    )


def _front_matter(block: str) -> Mapping[str, Any]:
    try:
        fields = yaml.safe_load(block)
    except (yaml.YAMLError, ValueError, RecursionError):
        # A value with a stray colon breaks YAML, but the simple lines around it can still be read.
        pairs = (line.partition(":") for line in block.splitlines() if ":" in line)
        fields = {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}
    return _normalised(fields) if isinstance(fields, dict) else {}


# -- HTML -------------------------------------------------------------------------------------

_HIDDEN = frozenset({"script", "style", "noscript", "template", "svg", "nav", "footer", "form", "iframe"})
_BLOCKS = frozenset(
    [
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "li",
        "table",
        "tr",
        "br",
        "hr",
        "blockquote",
        "pre",
        "figure",
        "dl",
        "dt",
        "dd",
    ]
)


@dataclass
class _Page:
    title: list[str] = field(default_factory=list)
    heading: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    meta: dict[str, str] = field(default_factory=dict)
    times: list[str] = field(default_factory=list)
    linked: list[str] = field(default_factory=list)


class _HtmlReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = _Page()
        self._hidden = 0
        self._into: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "meta":
            name = (given.get("property") or given.get("name") or given.get("itemprop") or "").lower()
            if name and given.get("content"):
                self.page.meta.setdefault(name, given["content"])
        elif tag == "time" and given.get("datetime"):
            self.page.times.append(given["datetime"])
        elif tag == "link" and given.get("rel") == "canonical":
            self.page.meta.setdefault("canonical", given.get("href", ""))
        elif tag == "script" and given.get("type") == "application/ld+json":
            self._into = self.page.linked
            return
        elif tag == "title":
            self._into = self.page.title
        elif tag == "h1" and not self.page.heading:
            self._into = self.page.heading
        if tag in _HIDDEN:
            self._hidden += 1
        if tag in _BLOCKS:
            self.page.text.append("\n\n" if tag in ("p", "div", "h1", "h2", "h3", "section", "article") else "\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("title", "h1") or (tag == "script" and self._into is self.page.linked):
            linked = self._into is self.page.linked
            self._into = None
            if linked:
                return
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        if tag in ("p", "div", "h1", "h2", "h3", "li", "tr"):
            self.page.text.append("\n")

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into.append(data)
        elif not self._hidden:
            self.page.text.append(data)


_LINKED_DATE = re.compile(r'"(datePublished|dateCreated|dateModified)"\s*:\s*"([^"]{4,40})"')


def read_html(text: str) -> RawDocument:
    """An HTML page: its visible text, its title, and the dates of its metadata and `<time>` elements."""
    reader = _HtmlReader()
    reader.feed(text)
    reader.close()
    page = reader.page
    linked = {key.lower(): value for key, value in reversed(_LINKED_DATE.findall("".join(page.linked)))}
    dates = [("HTML metadata", page.meta[name]) for name in HTML_DATES if name in page.meta]
    dates += [("HTML metadata", linked[name]) for name in ("datepublished", "datecreated") if name in linked]
    dates += [("<time>", value) for value in page.times[:1]]
    lines = (" ".join(line.split()) for line in "".join(page.text).split("\n"))
    return RawDocument(
        text=re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(),
        title=" ".join("".join(page.heading or page.title).split()),
        source=page.meta.get("og:site_name", ""),
        url=page.meta.get("canonical") or page.meta.get("og:url", ""),
        dates=tuple(dates),
    )


# -- JSON lines -------------------------------------------------------------------------------


def read_row(line: str) -> RawDocument:
    """One line of JSON. Raises `BadInput` when it is not an object with text."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as cause:
        raise BadInput("is not JSON") from cause
    if not isinstance(row, dict):
        raise BadInput("is not a JSON object")
    fields = _normalised(row)
    nested = fields.get("metadata")
    if isinstance(nested, dict):
        fields = {**_normalised(nested), **fields}
    text, title = _first(fields, TEXT_FIELDS), _first(fields, TITLE_FIELDS)
    if not text and not title:
        raise BadInput(f"has none of the text fields {', '.join(TEXT_FIELDS)}")
    return RawDocument(
        text=text or title,
        title=title,
        source=_first(fields, SOURCE_FIELDS),
        url=_first(fields, URL_FIELDS),
        dates=_dates(fields, "field"),
    )


def read_lines(path: Path) -> Iterator[tuple[int, str | BadInput]]:
    """The numbered lines of a JSONL file; a line that cannot be read is its error."""
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_BYTES):
            number += 1
            if len(line) == MAX_BYTES and not line.endswith(b"\n"):
                yield number, BadInput(f"is longer than {MAX_BYTES // 2**20} MiB")
                while (rest := file.readline(MAX_BYTES)) and not rest.endswith(b"\n"):
                    pass
                continue
            try:
                text = decode(line).strip()
            except BadInput as error:
                yield number, error
                continue
            if text:
                yield number, text


READERS: Mapping[str, Callable[[str], RawDocument]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_markdown,
    ".text": read_markdown,
    ".html": read_html,
    ".htm": read_html,
}
"""By file ending; `.jsonl` and `.ndjson` are read line by line instead."""

LINE_ENDINGS = frozenset({".jsonl", ".ndjson"})


def _normalised(fields: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key).lower().replace("-", "_").replace(" ", "_"): value for key, value in fields.items()}


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = fields.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return ""


def _dates(fields: Mapping[str, Any], place: str) -> tuple[tuple[str, Any], ...]:
    return tuple((f"{place} {name}", fields[name]) for name in DATE_FIELDS if fields.get(name) not in (None, ""))
