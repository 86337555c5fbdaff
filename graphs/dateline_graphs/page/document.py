"""Frame of every page: `document.html`, its style sheet and policy."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from string import Template

from dateline_graphs.page.markup import Html, clean, join, safe, tag

_TITLES = {"Facts": "What changed in the facts"}
"""Titles of sections that are not called as in the navigation."""


def document(
    title: str,
    *,
    head: Html,
    sections: Mapping[str, Html],
    origin: str = "",
    styles: tuple[str, ...] = ("tokens.css", "page.css"),
) -> str:
    """Return a whole page: head, navigation, and sections by name.

    Args:
        origin: what the page was written from, for its foot.
        styles: style sheets of this folder.
    """
    style = clean("".join(map(file, styles)))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return Template(file("document.html")).substitute(
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'",
        title=safe(title),
        style=style,
        head=head,
        links=join(tag("li", tag("a", name, href=f"#{_id(name)}")) for name in sections),
        sections=join(_section(name, content) for name, content in sections.items()),
        origin=safe(origin),
    )


def _section(name: str, content: Html) -> Html:
    id = _id(name)
    head = tag("h2", _TITLES.get(name, name), id=f"{id}-title")
    return tag("section", head, content, id=id, aria_labelledby=f"{id}-title", tabindex="-1")


def _id(name: str) -> str:
    return name.lower().replace(" ", "")


@lru_cache(maxsize=8)
def file(name: str) -> str:
    """Return the text of a style sheet or frame of this folder."""
    return files("dateline_graphs.page").joinpath(name).read_text(encoding="utf-8")
