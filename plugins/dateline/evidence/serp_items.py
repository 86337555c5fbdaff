"""Components of one search item: text, dates, source, lists, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from dateline.channels import host_of
from dateline.evidence.dates import states_date
from dateline.evidence.json_text import lines_of, text_of

MAX_ITEMS = 400
"""Items read of any one list; a page of Google News holds about 200."""

Json = Mapping[str, Any]

DATE_FIELDS = (
    "iso_date", "date", "published_date", "published_at", "publish_date", "date_published", "published", "date_utc",
    "publication_date", "posted_at", "upload_date",
)  # fmt: skip

_SNIPPETS = ("snippet", "description", "summary", "text", "content")

_DATELINE = re.compile(r"(.{4,28}?)\s*(?:—|–|·|\s-\s|\.\.\.|…)\s*(?=\S)")

_LAST_DATE = re.compile(r"(?<=[.!?…»”)\"])\s*(\d{1,2}\.? [^\W\d_]{3,12}\.? \d{4}|[^\W\d_]{3,12}\.? \d{1,2}, \d{4})$")


def snippet_of(item: Json) -> str:
    return next((text for name in _SNIPPETS if (text := text_of(item.get(name)))), "")


def without_date(snippet: str) -> tuple[str, str]:
    """Split a snippet into (date, rest).

    The date stands in front with a dash, or is glued to the last sentence.
    """
    if (match := _DATELINE.match(snippet)) is not None and states_date(match[1]):
        return match[1], snippet[match.end() :]
    if (match := _LAST_DATE.search(snippet)) is not None and states_date(match[1]):
        return match[1], snippet[: match.start()]
    return "", snippet


def extra_dates(item: Json) -> tuple[str, ...]:
    """Find dates in extensions, rich snippets and scholarly publications."""
    found = [text for text in strings_of(item.get("extensions")) if states_date(text)]
    found += [text_of(mapping_of(item.get("detected_extensions")).get("posted_at"))]
    for place in mapping_of(item.get("rich_snippet")).values():
        detected = mapping_of(mapping_of(place).get("detected_extensions"))
        found += [text_of(detected[name]) for name in ("date", "published_date") if name in detected]
        found += [text for text in strings_of(mapping_of(place).get("extensions")) if states_date(text)]
    summary = text_of(mapping_of(item.get("publication_info")).get("summary"))
    found += re.findall(r"\b(?:19|20)\d\d\b(?= - |$)", summary)[-1:]
    return tuple(found)


def rich_lines(item: Json) -> Iterator[str]:
    """Write an item's extensions, each group on one line."""
    groups = [item.get("extensions")]
    groups += [mapping_of(place).get("extensions") for place in mapping_of(item.get("rich_snippet")).values()]
    for group in groups:
        if texts := [text for text in strings_of(group) if not states_date(text)]:
            yield " · ".join(texts)
    if summary := text_of(mapping_of(item.get("publication_info")).get("summary")):
        yield summary


def table_lines(item: Json) -> Iterator[str]:
    """Rows of tables and lists, wherever rich snippets keep them."""
    for holder in (item, mapping_of(item.get("rich_snippet"))):
        for name in ("table", "rich_snippet_table", "rich_snippet_list", "list", "key_moments", "answers", "questions"):
            if isinstance(holder.get(name), list | Mapping):
                yield from lines_of(holder[name])


def sitelink_lines(item: Json) -> Iterator[str]:
    links = item.get("sitelinks")
    groups = list(links.values()) if isinstance(links, Mapping) else [links]
    for group in groups:
        if not isinstance(group, list):
            continue
        entries = [entry for entry in group[:20] if isinstance(entry, Mapping)]
        told = [f"{text_of(entry.get('title'))}: {snippet_of(entry)}" for entry in entries if snippet_of(entry)]
        titles = [text_of(entry.get("title")) for entry in entries if not snippet_of(entry)]
        yield from told
        if any(titles):
            yield "Also there: " + "; ".join(title for title in titles if title)


def block_lines(value: object, *, depth: int) -> Iterator[str]:
    """Write the text of an AI overview's blocks, nested ones too."""
    if depth == 0 or not isinstance(value, list):
        return
    for block in value[:MAX_ITEMS]:
        if not isinstance(block, Mapping):
            continue
        title, snippet = text_of(block.get("title")), snippet_of(block)
        if title or snippet:
            yield f"{title}: {snippet}" if title and snippet else title or snippet
        for name in ("list", "text_blocks", "comparison"):
            yield from block_lines(block.get(name), depth=depth - 1)
        yield from lines_of(block.get("table"))


def answers_of(value: object) -> list[str]:
    if not isinstance(value, list):
        return []
    return [
        text_of(answer) if not isinstance(answer, Mapping) else text_of(answer.get("answer")) or snippet_of(answer)
        for answer in value[:20]
    ]


def source_of(item: Json, url: str) -> str:
    given = item.get("source")
    name = text_of(mapping_of(given).get("name")) if isinstance(given, Mapping) else text_of(given)
    if name:
        return name
    displayed = text_of(item.get("displayed_link")).partition(" ›")[0]
    host = host_of(displayed if "//" in displayed else f"//{displayed}") if displayed else ""
    return host or host_of(url)


def title_of_address(url: str) -> str:
    """Derive a headline from the longest part of an address."""
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return ""
    parts = [re.sub(r"\.\w{2,5}$", "", part) for part in path.split("/")]
    longest = max(parts, key=lambda part: part.count("-"), default="")
    words = [word for word in longest.split("-") if word and not re.fullmatch(r"\d{5,}|[a-z]*\d{6,}", word)]
    return " ".join(words)[:200] if len(words) >= 3 else ""


def address_of(value: object) -> str:
    return value[:2_000] if isinstance(value, str) and re.match(r"https?://", value) else ""


def highlights_of(item: Json) -> tuple[str, ...]:
    words = item.get("snippet_highlighted_words") or item.get("highlighted_words")
    return tuple(dict.fromkeys(strings_of(words)))[:20]


def strings_of(value: object) -> list[str]:
    if not isinstance(value, list):
        return []
    return [text for inner in value[:40] if (text := text_of(inner))]


def mapping_of(value: object) -> Json:
    return value if isinstance(value, Mapping) else {}
