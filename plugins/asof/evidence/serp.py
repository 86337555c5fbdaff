"""SerpAPI's JSON as dated evidence: everything on a search page that a person would read.

Answer boxes of every kind, AI overviews, knowledge graphs, organic results with their rich snippets, news, related
questions, questions and answers, forums, and posts, videos, places and events beside them. Advertisements and further
searches are left out. Whatever is malformed is skipped and named; nothing raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from urllib.parse import unquote, urlsplit

from asof.evidence.dates import read_date, reading_of, states_date
from asof.evidence.visible import lines_of, text_of
from asof.records import Evidence, EvidenceKind
from asof.temporal.interval import Interval

MAX_ITEMS = 400
"""Items read of any one list; a page of Google News holds about 200."""

MAX_PIECES = 400
"""Pieces of evidence taken of any one page."""

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SerpPage:
    """What a search page held.

    Attributes:
        evidence: in the order of the page, `position` counting from 0.
        skipped: one line a part that could not be read, with where it stood.
        dates: (date string, what it was read as), in the order of the page.
        searched_at: the moment of the search, to which relative dates refer; None when nobody said.
    """

    evidence: tuple[Evidence, ...]
    skipped: tuple[str, ...]
    dates: tuple[tuple[str, Interval | None], ...]
    searched_at: datetime | None


def parse_page(page: object, *, now: datetime | None = None) -> SerpPage:
    """Read one response of any of SerpAPI's search engines.

    Args:
        page: the decoded JSON.
        now: the moment of the search where the response does not say it itself.
    """
    if not isinstance(page, Mapping):
        return SerpPage((), (f"The response is {type(page).__name__}, not an object",), (), now)
    reader = _Reader(page, now)
    for key, read in _SECTIONS.items():
        if key in page:
            reader.section = key
            read(reader, page[key])
    return SerpPage(tuple(reader.evidence), tuple(reader.skipped), tuple(reader.dates), reader.searched_at)


class _Reader:
    """Collects the evidence of one page."""

    def __init__(self, page: Json, now: datetime | None) -> None:
        parameters = _mapping(page.get("search_parameters"))
        self.engine = text_of(parameters.get("engine"))
        domain = text_of(parameters.get("google_domain")) or text_of(parameters.get("yahoo_domain"))
        ending = domain.rpartition(".")[2]
        self.language = (text_of(parameters.get("hl")) or _LANGUAGE_OF_DOMAIN.get(ending, ending) or "en")[:2].lower()
        self.country = (text_of(parameters.get("gl")) or ("" if ending in ("com", "") else ending)).lower()
        self.searched_at = _searched_at(_mapping(page.get("search_metadata"))) or now
        self.section = ""
        self.evidence: list[Evidence] = []
        self.skipped: list[str] = []
        self.dates: list[tuple[str, Interval | None]] = []

    def add(
        self, kind: EvidenceKind, item: Json, *, text: str, title: str = "", dates: tuple[object, ...] = ()
    ) -> None:
        """One piece of evidence; without any text it is skipped and named."""
        if len(self.evidence) >= MAX_PIECES:
            self.skip(f"stands behind the first {MAX_PIECES}")
            return
        title = title or text_of(item.get("title"))
        if not text and not title:
            self.skip("has no text")
            return
        url = _address(item.get("link")) or _address(item.get("url"))
        piece = Evidence.make(
            text or title,
            title=title,
            source=_source(item, url),
            url=url,
            published=self.date(item, *dates),
            kind=kind,
            highlights=_highlights(item),
            position=len(self.evidence),
        )
        self.evidence.append(piece)

    def date(self, item: Json, *others: object) -> Interval | None:
        """The first readable date among the item's own fields and `others`."""
        for value in (*(item.get(name) for name in _DATE_FIELDS), *others):
            if value in (None, "") or not isinstance(value, str | int | float):
                continue
            if (read := self.read(value)) is not None and not self._lies_ahead(read):
                return read
        return None

    def _lies_ahead(self, date: Interval) -> bool:
        """Whether a date cannot be one of publication, because it had not come when the page was read."""
        return self.searched_at is not None and date.after(Interval.of_moment(self.searched_at))

    def read(self, value: object, *, ahead: bool = False) -> Interval | None:
        """A date string in the language and at the moment of the search, noted with what it was read as."""
        read = read_date(value, now=self.searched_at, language=self.language, country=self.country, ahead=ahead)
        self.dates.append((text_of(value), read))
        return read

    def skip(self, reason: str) -> None:
        self.skipped.append(f"{self.section}: an item {reason}")

    def items(self, value: object, *names: str) -> Iterator[Json]:
        """The objects of a list, or of the list under one of `names`; anything else is skipped and named."""
        if isinstance(value, Mapping):
            inner = next((value[name] for name in names if isinstance(value.get(name), list)), None)
            value = [value] if inner is None else inner
        if not isinstance(value, list):
            self.skip(f"is {type(value).__name__}, not a list")
            return
        for item in islice(value, MAX_ITEMS):
            if isinstance(item, Mapping):
                yield item
            else:
                self.skip(f"is {type(item).__name__}, not an object")


# -- sections ---------------------------------------------------------------------------------

_BOX_OWN = frozenset({"title", "date", "source", "snippet_highlighted_words", "answer", "result", "snippet"})
_GRAPH_OWN = frozenset({"title", "description", "source", "date", "website", "tabs", "buttons", "patents"})


def _answer_box(reader: _Reader, value: object) -> None:
    for box in reader.items(value):
        stated, snippet = _dateline(text_of(box.get("snippet")))
        item, shown, own = box, box, _BOX_OWN
        if box.get("type") != "organic_result" and not snippet:
            # The date of a forecast, a rate or a game is part of what the box says, not when a page was published.
            item, shown, own = {**box, "date": None}, _told(reader, box, depth=6), _BOX_OWN - {"date"}
        first = [text_of(box.get("answer")), text_of(box.get("result")), snippet]
        lines = dict.fromkeys(line for line in (*first, *lines_of(shown, leave=own)) if line)
        reader.add("answer_box", item, text="\n".join(lines), dates=(stated,))


def _sports(reader: _Reader, value: object) -> None:
    for box in reader.items(value):
        lines = lines_of(_told(reader, box, depth=6), leave=frozenset({"title"}))
        reader.add("answer_box", {"title": box.get("title")}, text="\n".join(lines))


def _told(reader: _Reader, value: Any, *, depth: int) -> Any:
    """A copy in which the dates of games say their day: "tomorrow, 7:30 pm (Jan 21, 2022)"."""
    if depth == 0:
        return None
    if isinstance(value, list):
        return [_told(reader, inner, depth=depth - 1) for inner in value[:MAX_ITEMS]]
    if not isinstance(value, Mapping):
        return value
    copy = {name: _told(reader, inner, depth=depth - 1) for name, inner in value.items()}
    if isinstance(value.get("date"), str) and (day := reader.read(value["date"], ahead=True)) is not None:
        copy["date"] = f"{text_of(value['date'])} ({reading_of(day)})"
    return copy


def _knowledge_graph(reader: _Reader, value: object) -> None:
    for graph in reader.items(value):
        kind = text_of(graph.get("type"))
        title = text_of(graph.get("title"))
        lines = [f"{title}: {kind}" if title and kind else kind, text_of(graph.get("description"))]
        lines += lines_of(graph, leave=_GRAPH_OWN)
        link = _mapping(graph.get("source")).get("link") or graph.get("website")
        item = {"title": title, "source": graph.get("source"), "link": link, "date": graph.get("date")}
        reader.add("knowledge_graph", item, text="\n".join(line for line in lines if line))


def _ai_overview(reader: _Reader, value: object) -> None:
    for overview in reader.items(value):
        text = "\n".join(_blocks(overview.get("text_blocks"), depth=4)) or text_of(overview.get("snippet"))
        if text or not overview.get("page_token"):
            reader.add("ai_overview", overview, text=text)


def _blocks_alone(reader: _Reader, value: object) -> None:
    """The blocks of an engine that answers with nothing else (Google's AI mode, Bing's Copilot)."""
    _ai_overview(reader, {"text_blocks": value})


def _organic(reader: _Reader, value: object) -> None:
    for item in reader.items(value, "results", "items"):
        prefix, snippet = _dateline(_snippet(item))
        texts = [snippet, *_rich(item), *_table(item), *_sitelinks(item)]
        reader.add("organic", item, text="\n".join(text for text in texts if text), dates=(prefix, *_extra_dates(item)))
        for name in ("related_results", "inline_results"):
            if isinstance(item.get(name), list):
                _organic(reader, item[name])


def _news(reader: _Reader, value: object) -> None:
    for item in reader.items(value, "stories", "news", "items", "results"):
        highlight = item.get("highlight")
        if isinstance(highlight, Mapping):
            _story(reader, highlight)
        elif any(item.get(name) for name in ("link", "snippet", "source", "date")) or "stories" not in item:
            _story(reader, item)
        if isinstance(item.get("stories"), list):
            _news(reader, item["stories"])


def _story(reader: _Reader, item: Json) -> None:
    title = text_of(item.get("title")) or _title_of_address(_address(item.get("link")))
    reader.add("news", item, text=_snippet(item) or title, title=title)


def _related_questions(reader: _Reader, value: object) -> None:
    for item in reader.items(value):
        question = text_of(item.get("question"))
        blocks = list(_blocks(item.get("text_blocks"), depth=4))
        kind: EvidenceKind = "ai_overview" if blocks or item.get("type") == "ai_overview" else "related_question"
        stated, snippet = _dateline(_snippet(item))
        texts = blocks or [text_of(item.get("answer")), snippet, *_table(item)]
        text = "\n".join(dict.fromkeys(text for text in texts if text))
        if text:
            reader.add(kind, item, text=text, title=question or text_of(item.get("title")), dates=(stated,))
        else:
            reader.skip("has no text")


def _questions_and_answers(reader: _Reader, value: object) -> None:
    for item in reader.items(value, "questions", "items", "results"):
        question = text_of(item.get("question")) or text_of(item.get("title"))
        answers = [text_of(item.get("answer")), text_of(item.get("snippet")), *_answers(item.get("answers"))]
        answers += _answers([item[name] for name in ("answer", "top_answer", "suggested_answer") if name in item])
        text = "\n".join(dict.fromkeys(text for text in answers if text))
        extensions = tuple(_strings(item.get("extensions")))
        reader.add("question_answer", item, text=text, title=question, dates=extensions)


def _other(reader: _Reader, value: object) -> None:
    for item in reader.items(value, "tweets", "places", "events", "videos", "buttons", "sights", "items", "results"):
        title = text_of(item.get("title")) or text_of(item.get("name"))
        lines = [_snippet(item), *lines_of(item, leave=_OTHER_OWN)]
        when = _mapping(item.get("date"))
        if when:
            lines += lines_of({"date": when.get("when") or when.get("start_date")})
        text = "\n".join(dict.fromkeys(line for line in lines if line))
        if text or title:
            reader.add("other", item, text=text, title=title, dates=_extra_dates(item))
        else:
            reader.skip("has no text")


_OTHER_OWN = frozenset(
    [
        "title",
        "name",
        "snippet",
        "description",
        "date",
        "published_date",
        "published_at",
        "source",
        "rating_count",
        "block_position",
        "category",
    ]
)

_SECTIONS: Mapping[str, Callable[[_Reader, object], None]] = {
    "answer_box": _answer_box,
    "answer_box_list": _answer_box,
    "sports_results": _sports,
    "ai_overview": _ai_overview,
    "text_blocks": _blocks_alone,
    "knowledge_graph": _knowledge_graph,
    "organic_results": _organic,
    "web_results": _organic,
    "top_stories": _news,
    "news_results": _news,
    "latest_news": _news,
    "local_news": _news,
    "latest_posts": _news,
    "related_questions": _related_questions,
    "related_questions_and_answers": _related_questions,
    "questions_and_answers": _questions_and_answers,
    "discussions_and_forums": _questions_and_answers,
    "perspectives": _questions_and_answers,
    "things_to_know": _other,
    "twitter_results": _other,
    "events_results": _other,
    "inline_videos": _other,
    "video_results": _other,
    "local_results": _other,
    "recipes_results": _other,
    "jobs_results": _other,
    "short_videos": _other,
    "visual_stories": _other,
    "top_sights": _other,
    "available_on": _other,
    "courses": _other,
    "immersive_products": _other,
}
"""Field of a response -> how it is read, in the order of importance on the page."""


# -- parts of an item -------------------------------------------------------------------------

_DATE_FIELDS = (
    "iso_date", "date", "published_date", "published_at", "publish_date", "date_published", "published", "date_utc",
    "publication_date", "posted_at", "upload_date",
)  # fmt: skip
_SNIPPETS = ("snippet", "description", "summary", "text", "content")
_DATELINE = re.compile(r"(.{4,28}?)\s*(?:—|–|·|\s-\s|\.\.\.|…)\s*(?=\S)")
_LAST_DATE = re.compile(r"(?<=[.!?…»”)\"])\s*(\d{1,2}\.? [^\W\d_]{3,12}\.? \d{4}|[^\W\d_]{3,12}\.? \d{1,2}, \d{4})$")


def _snippet(item: Json) -> str:
    return next((text for name in _SNIPPETS if (text := text_of(item.get(name)))), "")


def _dateline(snippet: str) -> tuple[str, str]:
    """(date, rest) of a snippet that begins with a date and a dash, or ends with one glued to its last sentence."""
    if (match := _DATELINE.match(snippet)) is not None and states_date(match[1]):
        return match[1], snippet[match.end() :]
    if (match := _LAST_DATE.search(snippet)) is not None and states_date(match[1]):
        return match[1], snippet[: match.start()]
    return "", snippet


def _extra_dates(item: Json) -> tuple[str, ...]:
    """Dates among extensions and rich snippets, and the year of a scholarly publication."""
    found = [text for text in _strings(item.get("extensions")) if states_date(text)]
    found += [text_of(_mapping(item.get("detected_extensions")).get("posted_at"))]
    for place in _mapping(item.get("rich_snippet")).values():
        detected = _mapping(_mapping(place).get("detected_extensions"))
        found += [text_of(detected[name]) for name in ("date", "published_date") if name in detected]
        found += [text for text in _strings(_mapping(place).get("extensions")) if states_date(text)]
    summary = text_of(_mapping(item.get("publication_info")).get("summary"))
    found += re.findall(r"\b(?:19|20)\d\d\b(?= - |$)", summary)[-1:]
    return tuple(found)


def _rich(item: Json) -> Iterator[str]:
    """Extensions of the item and of its rich snippet, each group on one line."""
    groups = [item.get("extensions")]
    groups += [_mapping(place).get("extensions") for place in _mapping(item.get("rich_snippet")).values()]
    for group in groups:
        if texts := [text for text in _strings(group) if not states_date(text)]:
            yield " · ".join(texts)
    if summary := text_of(_mapping(item.get("publication_info")).get("summary")):
        yield summary


def _table(item: Json) -> Iterator[str]:
    """Rows of tables and lists, wherever rich snippets keep them."""
    for holder in (item, _mapping(item.get("rich_snippet"))):
        for name in ("table", "rich_snippet_table", "rich_snippet_list", "list", "key_moments", "answers", "questions"):
            if isinstance(holder.get(name), list | Mapping):
                yield from lines_of(holder[name])


def _sitelinks(item: Json) -> Iterator[str]:
    links = item.get("sitelinks")
    groups = list(links.values()) if isinstance(links, Mapping) else [links]
    for group in groups:
        if not isinstance(group, list):
            continue
        entries = [entry for entry in group[:20] if isinstance(entry, Mapping)]
        told = [f"{text_of(entry.get('title'))}: {_snippet(entry)}" for entry in entries if _snippet(entry)]
        titles = [text_of(entry.get("title")) for entry in entries if not _snippet(entry)]
        yield from told
        if any(titles):
            yield "Also there: " + "; ".join(title for title in titles if title)


def _blocks(value: object, *, depth: int) -> Iterator[str]:
    """The text of an AI overview's blocks: paragraphs, headings, lists, tables, nested ones too."""
    if depth == 0 or not isinstance(value, list):
        return
    for block in value[:MAX_ITEMS]:
        if not isinstance(block, Mapping):
            continue
        title, snippet = text_of(block.get("title")), _snippet(block)
        if title or snippet:
            yield f"{title}: {snippet}" if title and snippet else title or snippet
        for name in ("list", "text_blocks", "comparison"):
            yield from _blocks(block.get(name), depth=depth - 1)
        yield from lines_of(block.get("table"))


def _answers(value: object) -> list[str]:
    if not isinstance(value, list):
        return []
    return [
        text_of(answer) if not isinstance(answer, Mapping) else text_of(answer.get("answer")) or _snippet(answer)
        for answer in value[:20]
    ]


def _source(item: Json, url: str) -> str:
    given = item.get("source")
    name = text_of(_mapping(given).get("name")) if isinstance(given, Mapping) else text_of(given)
    if name:
        return name
    displayed = text_of(item.get("displayed_link")).partition(" ›")[0]
    host = _host(displayed if "//" in displayed else f"//{displayed}") if displayed else ""
    return host or _host(url)


def _host(url: str) -> str:
    """The host of an address without `www.`, or nothing."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _title_of_address(url: str) -> str:
    """Words of the longest part of a news address, for stories that come without their headline."""
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return ""
    parts = [re.sub(r"\.\w{2,5}$", "", part) for part in path.split("/")]
    longest = max(parts, key=lambda part: part.count("-"), default="")
    words = [word for word in longest.split("-") if word and not re.fullmatch(r"\d{5,}|[a-z]*\d{6,}", word)]
    return " ".join(words)[:200] if len(words) >= 3 else ""


def _address(value: object) -> str:
    return value[:2_000] if isinstance(value, str) and re.match(r"https?://", value) else ""


def _highlights(item: Json) -> tuple[str, ...]:
    words = item.get("snippet_highlighted_words") or item.get("highlighted_words")
    return tuple(dict.fromkeys(_strings(words)))[:20]


def _strings(value: object) -> list[str]:
    if not isinstance(value, list):
        return []
    return [text for inner in value[:40] if (text := text_of(inner))]


def _mapping(value: object) -> Json:
    return value if isinstance(value, Mapping) else {}


def _searched_at(metadata: Json) -> datetime | None:
    for name in ("processed_at", "created_at"):
        try:
            return datetime.strptime(text_of(metadata.get(name)), "%Y-%m-%d %H:%M:%S UTC").replace(tzinfo=UTC)
        except ValueError:
            continue
    return None


_LANGUAGE_OF_DOMAIN = {
    "com": "en", "uk": "en", "au": "en", "in": "en", "sg": "en", "ca": "en", "ie": "en", "nz": "en", "za": "en",
    "us": "en", "mx": "es", "ar": "es", "co": "es", "cl": "es", "pe": "es", "at": "de", "ch": "de", "be": "nl",
    "br": "pt", "jp": "ja", "kr": "ko", "tw": "zh", "hk": "zh", "cn": "zh", "se": "sv", "dk": "da", "cz": "cs",
    "gr": "el", "ua": "uk", "il": "he", "eg": "ar", "sa": "ar", "ae": "ar",
}  # fmt: skip
