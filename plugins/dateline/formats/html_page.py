"""HTML pages: visible text, title, and the dates of their metadata.

Scanned in one pass of our own: the standard library's parser takes minutes for a page of unclosed tags.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from typing import Literal

from dateline.documents.fields import TITLE_FIELDS, Fields
from dateline.documents.raw import RawDocument, raw_of, title_of
from dateline.documents.rules import USUAL, DateRules
from dateline.formats.page_dates import is_marked, page_dates

MAX_TAG = 10_000
"""Characters of a tag; what is longer is text with a stray "<" in it."""

_HIDDEN = frozenset(["noscript", "template", "svg", "nav", "footer", "select", "button", "textarea", "iframe"])
"""Elements whose text nobody reads as the page's own; a form may hold the whole page."""

_RAW = {name: re.compile(rf"</{name}\b", re.I) for name in ("script", "style")}
"""Elements that hold no markup: how they end."""

_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_PARAGRAPHS = frozenset(["p", "div", "h1", "h2", "h3", "h4", "section", "article", "main", "blockquote", "pre"])
_LINES = frozenset(["br", "hr", "li", "ul", "ol", "tr", "table", "figure", "dl", "dt", "dd", "h5", "h6", "header"])
_CELLS = frozenset(["td", "th"])

_LONG_NUMBER = re.compile(r"&#[0-9]{9,};?")
"""A reference to no character; the standard library raises for one of more than 4,300 digits."""

_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9:-]{0,30})")
_QUOTE = re.compile(r"""=\s*+(["'])""")
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])([\w:.-]++)\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_LINKED_DATE = re.compile(r'"(datePublished|publishedDate|uploadDate|dateCreated)"\s{0,9}:\s{0,9}"([^"]{4,40})"')

_Token = tuple[Literal["text", "open", "close", "raw"], str, str]
"""(kind, element's name, text or attributes)."""


def read_html(text: str, *, file: str = "", rules: DateRules = USUAL) -> RawDocument:
    """Read an HTML page's visible text, title and dates."""
    page = _Page()
    for kind, name, rest in _tokens(text):
        page.take(kind, name, rest)
    fields = Fields({**page.linked, **page.meta})
    raw = raw_of(_lines("".join(page.text)), fields=fields, place="HTML metadata", rules=rules, file=file)
    heading = _said(page.heading)
    title = heading or _said(page.title) or fields.text(TITLE_FIELDS) or title_of(file)
    raw = replace(raw, title=title, heading=heading)
    if rules.date_field:
        return raw
    elements = [*page.published, *page.times, *page.dated]
    return replace(raw, dates=page_dates(raw.dates, address=raw.url, elements=elements, title="".join(page.title)))


def read_html_part(text: str) -> str:
    """Read markup within a document: its visible text, its heading first."""
    part = read_html(text)
    return "\n\n".join(filter(None, (part.heading, part.text)))


class _Page:
    """Parser state of a page."""

    def __init__(self) -> None:
        self.title: list[str] = []
        self.heading: list[str] = []
        self.text: list[str] = []
        self.meta: dict[str, str] = {}
        self.linked: dict[str, str] = {}
        self.published: list[tuple[str, str]] = []
        self.times: list[tuple[str, str]] = []
        self.dated: list[tuple[str, str]] = []
        self._marked: tuple[str, int] | None = None
        self._hidden: list[str] = []
        self._hiding = Counter[str]()  # the names in `_hidden`, which may be many
        self._into = self.text
        self._broken = 0  # how long `text` was when a line last ended

    def take(self, kind: str, name: str, rest: str) -> None:
        """Add one token."""
        match kind:
            case "text" if rest and (self._into is not self.text or not self._hidden):
                self._into.append(rest)
            case "raw" if name == "script":
                for key, value in _LINKED_DATE.findall(rest):
                    self.linked.setdefault(key, value)
            case "open":
                self._open(name, rest)
            case "close":
                self._close(name)

    def _open(self, name: str, rest: str) -> None:
        given = _attributes(rest)
        if name in ("meta", "time", "link"):
            self._note(name, given, rest)
        elif name == "title" and not self.title:
            self._into = self.title
        elif name == "h1" and not self.heading:
            self._into = self.heading
        elif name in _HIDDEN and not rest.endswith("/"):
            self._hidden.append(name)
            self._hiding[name] += 1
        if self._marked is None and name != "body" and is_marked(given):
            self._marked = (name, len(self.text))
        if name in _PARAGRAPHS:
            self.text.append("\n\n")
        elif name in _LINES and self._broken < len(self.text):
            self.text.append("\n")
        elif name in _CELLS:
            self.text.append(" ")

    def _close(self, name: str) -> None:
        if self._marked is not None and self._marked[0] == name:
            self.dated.append(("date element", _said(self.text[self._marked[1] :])))
            self._marked = None
        if name == "title" or name in _HEADINGS:  # any of them ends a heading, as in browsers
            if self._into is not self.text and not _said(self._into):
                self._into.clear()  # a logo alone is no heading: the next may be
            self._into = self.text
        elif self._hiding[name]:
            closed = ""
            while closed != name:
                closed = self._hidden.pop()
                self._hiding[closed] -= 1
        if name in _PARAGRAPHS:
            self.text.append("\n\n")
        elif name in _LINES and self._broken < len(self.text):
            self.text.append("\n")
            self._broken = len(self.text)  # the next row or item begins here already

    def _note(self, name: str, given: dict[str, str], rest: str) -> None:
        if name == "meta":
            key = (given.get("property") or given.get("name") or given.get("itemprop") or "").lower()
            if key and given.get("content"):
                self.meta.setdefault(key, given["content"])
        elif name == "time":
            alone = _ATTRIBUTE.sub(" ", rest).lower().split()  # those without a value
            published = "pubdate" in given or "pubdate" in alone or given.get("itemprop") == "datePublished"
            (self.published if published else self.times).append(("<time>", given.get("datetime", "")))
        elif given.get("rel") == "canonical":
            self.meta.setdefault("canonical", given.get("href", ""))


def _tokens(text: str) -> Iterator[_Token]:
    """Split markup into tags and text in one pass, however broken."""
    position, close = 0, -1
    while (start := text.find("<", position)) >= 0:
        if text.startswith("<!--", start):
            yield "text", "", text[position:start]
            end = text.find("-->", start + 4)
            if end < 0:
                return
            position = end + 3
            continue
        if close < start:
            close = text.find(">", start)
        if close < 0:
            break
        match = _NAME.match(text, start + 1)
        if close - start > MAX_TAG or (match is None and text[start + 1] not in "!?"):
            yield "text", "", text[position : start + 1]
            position = start + 1
            continue
        yield "text", "", text[position:start]
        position = close + 1
        if match is None:
            continue
        end = _end_of_tag(text, match.end(), close, limit=start + MAX_TAG)
        position = end + 1
        name = match[1].lower()
        yield "close" if text[start + 1] == "/" else "open", name, text[match.end() : end]
        if name in _RAW and text[start + 1] != "/":
            ending = _RAW[name].search(text, position)
            if ending is None:
                return
            yield "raw", name, text[position : ending.start()]
            position = ending.start()
    yield "text", "", text[position:]


def _end_of_tag(text: str, position: int, close: int, *, limit: int) -> int:
    """Return the place of a tag's ">", which none in quotes is.

    Args:
        close: the first ">" behind its name.
        limit: where no tag goes on.
    """
    while (opened := _QUOTE.search(text, position, close)) is not None:
        position = text.find(opened[1], opened.end(), limit) + 1
        if not position:  # a quote that is never closed is a sign like any other
            position = opened.end()
        elif position > close:
            further = text.find(">", position, limit)
            if further < 0:
                break
            close = further
    return close


def _attributes(rest: str) -> dict[str, str]:
    found = _ATTRIBUTE.findall(rest)
    return {name.lower(): _unescaped(double or single or bare) for name, double, single, bare in found}


def _said(parts: list[str]) -> str:
    return " ".join(_unescaped("".join(parts)).split())


def _unescaped(text: str) -> str:
    return unescape(_LONG_NUMBER.sub("\ufffd", text))


def _lines(text: str) -> str:
    lines = (" ".join(line.split()) for line in _unescaped(text).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
