"""SerpAPI pages as dated evidence: all that a person would read.

Answer boxes of every kind, AI overviews, knowledge graphs, organic results with their rich snippets, news, related
questions, questions and answers, forums, and posts, videos, places and events beside them. Advertisements and further
searches are left out. Whatever is malformed is skipped and named; nothing raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dateline.evidence.dates import reading_of
from dateline.evidence.json_text import lines_of, text_of
from dateline.evidence.serp_items import (
    MAX_ITEMS,
    Json,
    address_of,
    answers_of,
    block_lines,
    extra_dates,
    mapping_of,
    rich_lines,
    sitelink_lines,
    snippet_of,
    strings_of,
    table_lines,
    title_of_address,
    without_date,
)
from dateline.evidence.serp_reader import PageReader
from dateline.language.word_lists import word_set
from dateline.records import Evidence, EvidenceKind
from dateline.temporal.interval import Interval


@dataclass(frozen=True, slots=True)
class SerpPage:
    """Contents of a search page.

    Attributes:
        evidence: in the order of the page, `position` counting from 0.
        skipped: one line a part that could not be read, with where it stood.
        dates: (date string, what it was read as), in the order of the page.
        searched_at: the moment of the search, to which relative dates refer; None when nobody said.

    Example:
        >>> page = parse_page({"organic_results": [{"snippet": "Ada Berg is mayor.", "date": "2021-05-01"}]})
        >>> [(each.text, str(each.published)) for each in page.evidence]
        [('Ada Berg is mayor.', '2021-05-01')]
    """

    evidence: tuple[Evidence, ...]
    skipped: tuple[str, ...]
    dates: tuple[tuple[str, Interval | None], ...]
    searched_at: datetime | None


def parse_page(page: object, *, now: datetime | None = None, engine: str = "search") -> SerpPage:
    """Read one response of any of SerpAPI's search engines.

    Args:
        page: the decoded JSON.
        now: the moment of the search where the response does not say it itself.
        engine: the channel of what has no address; what has one came from its host.
    """
    if not isinstance(page, Mapping):
        return SerpPage((), (f"The response is {type(page).__name__}, not an object",), (), now)
    reader = PageReader(page, now, engine=engine)
    for key, read in _SECTIONS.items():
        if key in page:
            reader.section = key
            read(reader, page[key])
    return SerpPage(tuple(reader.evidence), tuple(reader.skipped), tuple(reader.dates), reader.searched_at)


_DEEPEST = 6
"""Levels of items within items; chosen by hand."""

_BOX_OWN = frozenset({"title", "date", "source", "snippet_highlighted_words", "answer", "result", "snippet"})

_GRAPH_OWN = frozenset({"title", "description", "source", "date", "website", "tabs", "buttons", "patents"})


def _answer_box(reader: PageReader, value: object) -> None:
    for box in reader.items(value):
        stated, snippet = without_date(text_of(box.get("snippet")))
        item, shown, own = box, box, _BOX_OWN
        if box.get("type") != "organic_result" and not snippet:
            # The date of a forecast, a rate or a game is part of what the box says, not when a page was published.
            item, shown, own = {**box, "date": None}, _told(reader, box, depth=_DEEPEST), _BOX_OWN - {"date"}
        first = [text_of(box.get("answer")), text_of(box.get("result")), snippet]
        lines = dict.fromkeys(line for line in (*first, *lines_of(shown, leave=own)) if line)
        reader.add("answer_box", item, text="\n".join(lines), dates=(stated,))


def _sports(reader: PageReader, value: object) -> None:
    for box in reader.items(value):
        lines = lines_of(_told(reader, box, depth=_DEEPEST), leave=frozenset({"title"}))
        reader.add("answer_box", {"title": box.get("title")}, text="\n".join(lines))


def _told(reader: PageReader, value: Any, *, depth: int) -> Any:
    """Copy with the day of each game: "tomorrow (Jan 21, 2022)"."""
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


def _knowledge_graph(reader: PageReader, value: object) -> None:
    for graph in reader.items(value):
        kind = text_of(graph.get("type"))
        title = text_of(graph.get("title"))
        lines = [f"{title}: {kind}" if title and kind else kind, text_of(graph.get("description"))]
        lines += lines_of(graph, leave=_GRAPH_OWN)
        link = mapping_of(graph.get("source")).get("link") or graph.get("website")
        item = {"title": title, "source": graph.get("source"), "link": link, "date": graph.get("date")}
        reader.add("knowledge_graph", item, text="\n".join(line for line in lines if line))


def _ai_overview(reader: PageReader, value: object) -> None:
    for overview in reader.items(value):
        text = "\n".join(block_lines(overview.get("text_blocks"), depth=4)) or text_of(overview.get("snippet"))
        if text or not overview.get("page_token"):
            reader.add("ai_overview", overview, text=text)


def _blocks_alone(reader: PageReader, value: object) -> None:
    """Read the blocks of engines that answer with nothing else.

    Such as Google's AI mode and Bing's Copilot.
    """
    _ai_overview(reader, {"text_blocks": value})


def _organic(reader: PageReader, value: object, depth: int = _DEEPEST) -> None:
    for item in reader.items(value, "results", "items"):
        prefix, snippet = without_date(snippet_of(item))
        texts = [snippet, *rich_lines(item), *table_lines(item), *sitelink_lines(item)]
        reader.add("organic", item, text="\n".join(text for text in texts if text), dates=(prefix, *extra_dates(item)))
        for name in ("related_results", "inline_results"):
            if isinstance(item.get(name), list):
                _within(reader, item[name], _organic, depth)


def _news(reader: PageReader, value: object, depth: int = _DEEPEST) -> None:
    for item in reader.items(value, "stories", "news", "items", "results"):
        highlight = item.get("highlight")
        if isinstance(highlight, Mapping):
            _story(reader, highlight)
        elif any(item.get(name) for name in ("link", "snippet", "source", "date")) or "stories" not in item:
            _story(reader, item)
        if isinstance(item.get("stories"), list):
            _within(reader, item["stories"], _news, depth)


def _within(reader: PageReader, value: object, read: Callable[[PageReader, object, int], None], depth: int) -> None:
    """Read the items of an item."""
    if depth > 1:
        read(reader, value, depth - 1)
    else:
        reader.skip(f"is nested more than {_DEEPEST} deep")


def _story(reader: PageReader, item: Json) -> None:
    title = text_of(item.get("title")) or title_of_address(address_of(item.get("link")))
    reader.add("news", item, text=snippet_of(item) or title, title=title)


def _related_questions(reader: PageReader, value: object) -> None:
    for item in reader.items(value):
        question = text_of(item.get("question"))
        blocks = list(block_lines(item.get("text_blocks"), depth=4))
        kind: EvidenceKind = "ai_overview" if blocks or item.get("type") == "ai_overview" else "related_question"
        stated, snippet = without_date(snippet_of(item))
        texts = blocks or [text_of(item.get("answer")), snippet, *table_lines(item)]
        text = "\n".join(dict.fromkeys(text for text in texts if text))
        if text:
            reader.add(kind, item, text=text, title=question or text_of(item.get("title")), dates=(stated,))
        else:
            reader.skip("has no text")


def _questions_and_answers(reader: PageReader, value: object) -> None:
    for item in reader.items(value, "questions", "items", "results"):
        question = text_of(item.get("question")) or text_of(item.get("title"))
        answers = [text_of(item.get("answer")), text_of(item.get("snippet")), *answers_of(item.get("answers"))]
        answers += answers_of([item[name] for name in ("answer", "top_answer", "suggested_answer") if name in item])
        text = "\n".join(dict.fromkeys(text for text in answers if text))
        extensions = tuple(strings_of(item.get("extensions")))
        reader.add("question_answer", item, text=text, title=question, dates=extensions)


def _other(reader: PageReader, value: object) -> None:
    for item in reader.items(value, "tweets", "places", "events", "videos", "buttons", "sights", "items", "results"):
        title = text_of(item.get("title")) or text_of(item.get("name"))
        lines = [snippet_of(item), *lines_of(item, leave=_OTHER_OWN)]
        when = mapping_of(item.get("date"))
        if when:
            lines += lines_of({"date": when.get("when") or when.get("start_date")})
        text = "\n".join(dict.fromkeys(line for line in lines if line))
        if text or title:
            reader.add("other", item, text=text, title=title, dates=extra_dates(item))
        else:
            reader.skip("has no text")


_OTHER_OWN = word_set(
    "title name snippet description date published_date published_at source rating_count block_position category"
)

_SECTIONS: Mapping[str, Callable[[PageReader, object], None]] = {
    name: read
    for read, names in (
        (_answer_box, "answer_box answer_box_list"),
        (_sports, "sports_results"),
        (_ai_overview, "ai_overview"),
        (_blocks_alone, "text_blocks"),
        (_knowledge_graph, "knowledge_graph"),
        (_organic, "organic_results web_results"),
        (_news, "top_stories news_results latest_news local_news latest_posts"),
        (_related_questions, "related_questions related_questions_and_answers"),
        (_questions_and_answers, "questions_and_answers discussions_and_forums perspectives"),
        (
            _other,
            "things_to_know twitter_results events_results inline_videos video_results local_results "
            "recipes_results jobs_results short_videos visual_stories top_sights available_on courses "
            "immersive_products",
        ),
    )
    for name in names.split()
}
"""Field of a response -> how it is read, in the order of importance on the page."""
