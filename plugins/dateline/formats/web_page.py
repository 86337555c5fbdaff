"""Web pages by trafilatura and htmldate, where they are installed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.util import find_spec

from dateline.documents.document_date import end_of_present, has_come
from dateline.documents.raw import RawDocument
from dateline.errors import BadInput
from dateline.formats.apart import FOREIGN
from dateline.formats.given import GivenFile
from dateline.formats.html_page import read_html
from dateline.temporal.as_of import Clock, now
from dateline.temporal.interval import Interval

LARGEST = 4 * 2**20
"""Characters of a page that these packages get; chosen by hand."""


SHORTEST = 250
"""Characters of an article; below them trafilatura itself takes whatever text there is."""


@cache
def web_extra() -> bool:
    """Return whether the extra `web` is installed."""
    return all(find_spec(name) is not None for name in ("htmldate", "trafilatura", "lxml_html_clean"))


def read_web_page(file: GivenFile) -> list[RawDocument]:
    """Read a web page, by the extra `web` if it is installed."""
    page = read_html(file.text, file=file.name, rules=file.rules)
    is_dated = (
        bool(file.rules.date_field) or replace(page, names=(file.name, *page.names)).dated(None).published is not None
    )
    is_whole = is_dated and len(page.text) < SHORTEST
    if is_whole or not web_extra() or len(file.text) > LARGEST:
        return [page]
    return [with_extra(page, file.text, is_dated=is_dated)]


def with_extra(page: RawDocument, markup: str, *, is_dated: bool, clock: Clock = now) -> RawDocument:
    """Add the article and the date that the extra finds.

    Where htmldate finds no more than a month or year, such as in "30 February", it gives its first day; that is no date of a page. Nor
    is a day to come.

    Args:
        is_dated: whether the page's own date stays.
    """
    try:
        made = FOREIGN.ask("web", markup.encode(errors="replace"))
    except BadInput:
        return page
    text = _article(made.get("text", ""), title=page.title) or page.text
    dated = str(made.get("date", ""))
    if is_dated or not dated or dated.endswith("-01"):
        return replace(page, text=text)
    day = Interval.parse(dated)
    return replace(page, text=text, dates=(("htmldate", day),) if has_come(day, end=end_of_present(clock)) else ())


def _article(text: str, *, title: str) -> str:
    """Return an article without its title, or "" for a note."""
    lines = text.splitlines()
    if lines and lines[0].strip() == title:
        lines = lines[1:]
    article = "\n".join(line if line.startswith(("- ", "|")) else f"\n{line}" for line in lines).strip()
    return article if len(article) >= SHORTEST else ""
