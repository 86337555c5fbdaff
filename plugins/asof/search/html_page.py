"""HTML pages: visible text, title, and the dates of their metadata."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

from asof.search.raw import RawDocument

HTML_DATES = (
    "article:published_time", "datepublished", "og:published_time", "parsely-pub-date", "dc.date.issued", "dc.date",
    "dcterms.date", "dcterms.created", "sailthru.date", "date", "pubdate", "publishdate", "publish_date",
    "citation_publication_date", "article:modified_time", "datemodified", "last-modified",
)  # fmt: skip

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
