"""HTML built from values; everything but `Html` is escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

_UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_VOID = frozenset({"meta", "link", "br", "circle", "rect", "line", "path"})
MAX_URL = 2000
"""Characters of an address; a longer one is shown as text only."""


class Html(str):
    """Markup that is safe in a page, made only here."""

    __slots__ = ()


NOTHING = Html("")


def clean(text: str) -> str:
    """Replace control characters and lone surrogates by U+FFFD."""
    return _UNSHOWABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def safe(text: str) -> Html:
    """A value as markup: `Html` as it is, any other text escaped."""
    return text if isinstance(text, Html) else Html(html.escape(clean(text), quote=True))


def join(children: Iterable[str], *, by: str = "") -> Html:
    """Values one after the other."""
    return Html(safe(by).join(safe(child) for child in children))


def tag(name: str, /, *children: str, **attributes: str | float | bool | None) -> Html:
    """Build an element.

    An attribute `None` or `False` is left out; `class_` is `class`, `aria_label` is `aria-label`.
    """
    written = "".join(
        f" {_name(key)}" if value is True else f' {_name(key)}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID and not children:
        return Html(f"<{name}{written}>" if name in ("meta", "link", "br") else f"<{name}{written}/>")
    return Html(f"<{name}{written}>{join(children)}</{name}>")


def said(text: str, name: str = "bdi", /, **attributes: str | float | bool | None) -> Html:
    """Isolate foreign text, so that it cannot turn its surroundings' direction."""
    return tag(name, text, dir="auto", **attributes)


def described(rows: Iterable[tuple[str, str]], kind: str) -> Html:
    """Return names and their values as a list."""
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows), class_=kind)


def fold(summary: str, *children: str, **attributes: str | None) -> Html:
    """Return a part of the page that opens at a click."""
    return tag("details", tag("summary", summary), *children, **attributes)


def table(
    caption: str, heads: Iterable[str], rows: Iterable[Iterable[str]], *, name: str, class_: str | None = None
) -> Html:
    """Return a table in a region that scrolls.

    The first cell of a row is its head.
    """
    head = tag("thead", tag("tr", *(tag("th", each, scope="col") for each in heads)))
    body = tag(
        "tbody", *(tag("tr", tag("th", no, scope="row"), *(tag("td", cell) for cell in row)) for no, *row in rows)
    )
    shown = tag("table", tag("caption", caption), head, body, class_=class_)
    return tag("div", shown, class_="scroll", role="region", aria_label=name, tabindex="0")


def web_address(url: str) -> str:
    """Return an http or https address; empty for any other."""
    url = url.strip()
    if not url or len(url) > MAX_URL or clean(url) != url or re.search(r"\s", url):
        return ""
    try:
        parts = urlsplit(url)
        return url if parts.scheme in ("http", "https") and parts.hostname else ""
    except ValueError:
        return ""


def link(url: str, *children: str, **attributes: str | float | bool | None) -> Html:
    """Link out of the page privately, or return the content alone."""
    address = web_address(url)
    return tag("a", *children, href=address, rel="noopener noreferrer", **attributes) if address else join(children)


def number(value: float, *, places: int = 2) -> str:
    """Write a number with at most `places` decimals, none if whole."""
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(value: str | float) -> Html:
    return safe(value if isinstance(value, str) else number(value, places=3))
