"""Search engines of LangChain, recognised by their methods and results.

Serper, Tavily, Brave, SearxNG, DuckDuckGo, Google, Bing and SerpAPI wrappers or tools, and any function from a query to
results. Their answers are converted to SerpAPI's shape and read by the same parser.
"""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Callable, Collection, Mapping
from copy import copy
from dataclasses import asdict, dataclass, is_dataclass
from datetime import datetime
from typing import Any

from dateline.documents.fields import SOURCE_FIELDS, TEXT_FIELDS, TITLE_FIELDS, URL_FIELDS, Fields
from dateline.errors import BadInput, SearchFailed
from dateline.evidence.select import best
from dateline.evidence.serp import SerpPage, parse_page
from dateline.protocols import Search, SearchResult
from dateline.search.pages import known_on
from dateline.search.time_range import LATEST_DAY, Days, asked_days, google_range
from dateline.secrets import without_secrets
from dateline.temporal.as_of import now
from dateline.temporal.interval import DAY, Interval, iso_of

METHODS = ("raw_results", "results", "search", "invoke", "run")
"""How search wrappers and tools are asked, the most telling answer first."""

_INSIDE = ("api_wrapper", "search_wrapper", "wrapper")
"""Where LangChain's tools keep the wrapper whose answers are whole."""

_COUNTS = ("num_results", "max_results", "count", "k", "num")

_DATES = (("start_date", "end_date"), ("start_published_date", "end_published_date"))
"""Parameters for the first and the last day, in ISO form."""


class EngineSearch(Search):
    """A wrapper, tool or function behind the `Search` protocol.

    An engine that takes dates (Serper, Brave, Tavily, Exa) is asked once more for the window of time a question is about, or
    for what existed before a past asking day. It answers as of today, whatever day is asked about: documents published after
    the asking day are left out, and so are undated boxes and written answers, which show the state of the day they were
    fetched.

    Example:
        >>> search = EngineSearch(lambda query: [{"snippet": "Ada Berg is mayor.", "date": "2021-05-01"}])
        >>> search.search("mayor of Lund", as_of=now()).evidence[0].published.isoformat()
        '2021-05-01'
    """

    def __init__(self, engine: Any, *, name: str = "", clock: Callable[[], datetime] = now) -> None:
        """Wrap an engine.

        Args:
            name: what the engine is called in errors.
            clock: the moment of a search whose answer does not state it, to which relative dates ("3 days ago") refer.

        Raises:
            BadInput: when it has no method for searching.
        """
        self._clock = clock
        self._ask = _method(engine)
        self._engine = engine
        self.name = name or type(engine).__name__

    def __repr__(self) -> str:
        return f"EngineSearch({self.name})"

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        """Return the `k` best results known at `as_of`.

        Raises:
            SearchFailed: when the engine does.
        """
        started = time.perf_counter()
        failed: SearchFailed | None = None
        try:
            answer, notes = self._answer(self._ask, query, k=k)
        except Exception as error:
            failed = SearchFailed(f"{self.name} failed with {type(error).__name__}: {without_secrets(str(error))}")
        if failed is not None:
            raise failed
        now, searches = self._clock(), 1
        pages = [page_of(answer, now=now, engine=self.name)]
        days = asked_days(as_of=as_of, window=window, searched_at=now)
        if days is not None and (limited := _limited(self._engine, days)) is not None:
            # Beside the first answer, never instead of it: an engine leaves undated pages out of a range.
            searches = 2
            try:
                answer, _ = self._answer(limited, query, k=k)
                pages.append(page_of(answer, now=now, engine=self.name))
            except Exception as error:
                notes.append(f"{self.name} failed with {type(error).__name__} when asked for a range of days")
        evidence, skipped = known_on(pages, as_of=as_of)
        return SearchResult.ranked(best(evidence, k=k), skipped=[*skipped, *notes], started=started, searches=searches)

    def _answer(self, ask: Callable[[str, int], Any], query: str, *, k: int) -> tuple[Any, list[str]]:
        """Return an engine's answer, and a note where it found nothing."""
        try:
            return ask(query, k), []
        except Exception as error:
            if not _found_nothing(error):
                raise
            return [], [f"{self.name} brought nothing: {without_secrets(str(error))}"]


def page_of(answer: Any, *, now: datetime, engine: str) -> SerpPage:
    """Parse an engine's answer, whatever its shape.

    `now` is when the engine was asked, never the day asked about; a date later than `now` is dropped.

    Raises:
        SearchFailed: when it holds no list of results.
    """
    if isinstance(answer, str):
        try:
            answer = json.loads(answer)
        except ValueError:
            raise SearchFailed(f"{engine} answered in prose; pass the wrapper whose results() gives a list.") from None
    answer = getattr(answer, "data", answer)
    if is_dataclass(answer) and not isinstance(answer, type):  # Exa's
        answer = asdict(answer)
    if isinstance(answer, Mapping) and set(answer) == {"error"}:  # Tavily's tool hands its failures back
        raise SearchFailed(f"{engine} failed: {without_secrets(str(answer['error']))}")
    if isinstance(answer, Mapping):
        return parse_page(_shape(answer), now=now, engine=engine)
    if isinstance(answer, list | tuple):
        return parse_page({"organic_results": [_item(each) for each in answer]}, now=now, engine=engine)
    raise SearchFailed(f"{engine} answered with {type(answer).__name__}, not with results.")


@dataclass(frozen=True, slots=True)
class _Door:
    """The way to ask an engine, with its further parameters."""

    ask: Callable[..., Any]
    names: Collection[str]

    def asking(self, given: Mapping[str, str]) -> Callable[[str, int], Any]:
        """Return how to ask for a query and `k`."""
        count = next((name for name in _COUNTS if name in self.names), "")
        return lambda query, k: self.ask(query, **given, **({count: k} if count else {}))


def _method(engine: Any) -> Callable[[str, int], Any]:
    """Return how to call an engine with a query and `k`."""
    engine = _inner(engine)
    if (whole := _whole(engine)) is not None:
        return whole
    door = _door(engine)
    if door is None:
        raise BadInput(
            f"{type(engine).__name__} cannot be searched; pass an object with one of {', '.join(METHODS)}, or a function."
        )
    return door.asking({})


def _limited(engine: Any, days: Days) -> Callable[[str, int], Any] | None:
    """Return how to call an engine for a range of days.

    Serper's wrapper holds Google's `tbs`, Brave's its `freshness`; Tavily's and Exa's searches and tools take two dates.
    """
    engine = _inner(engine)
    first, last = (None if day is None else iso_of(day * DAY) for day in days)
    if hasattr(engine, "tbs"):
        return _method(_changed(engine, **google_range(days)))
    if callable(getattr(engine, "_search_request", None)) and isinstance(kept := engine.search_kwargs, Mapping):
        freshness = f"{first or '1970-01-01'}to{last or iso_of(LATEST_DAY * DAY)}"
        return _method(_changed(engine, search_kwargs={**kept, "freshness": freshness}))
    door = _door(engine)
    pair = None if door is None else next((each for each in _DATES if set(each) <= set(door.names)), None)
    if door is None or pair is None:
        return None
    return door.asking({name: day for name, day in zip(pair, (first, last), strict=True) if day is not None})


def _changed(engine: Any, **fields: Any) -> Any:
    """Return a copy of a wrapper with other settings."""
    if callable(copied := getattr(engine, "model_copy", None)):
        return copied(update=fields)
    other = copy(engine)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _found_nothing(error: Exception) -> bool:
    """Return whether an error is Tavily's word that nothing was found.

    Other tools signal failures with the same class, whose import takes long.
    """
    told = any(each.__name__ == "ToolException" for each in type(error).__mro__)
    return told and str(error).startswith("No search results found")


def _whole(engine: Any) -> Callable[[str, int], Any] | None:
    """Fetch results with the dates that LangChain's Brave and SearxNG wrappers drop."""
    if callable(brave := getattr(engine, "_search_request", None)):
        return lambda query, k: brave(query)
    if callable(searx := getattr(engine, "_searx_api_query", None)):
        return lambda query, k: searx({**engine.params, "q": query})
    return None


def _inner(engine: Any) -> Any:
    """Return the tool's wrapper where a query is enough for it."""
    for inner in (getattr(engine, name, None) for name in _INSIDE):
        if inner is not None and (_whole(inner) is not None or _takes_a_query(_searching(inner))):
            return inner
    return engine


def _door(engine: Any) -> _Door | None:
    """Return how an engine is asked."""
    search = _searching(engine)
    if search is None:
        return None
    if getattr(search, "__name__", "") != "invoke":
        return _Door(search, _parameters(search))
    if hasattr(engine, "handle_tool_error"):  # a failure is to come as one, not in words for a model
        search = _changed(engine, handle_tool_error=False).invoke
    names = getattr(engine, "args", None)
    return _Door(lambda query, **given: search({"query": query, **given}), names if isinstance(names, Mapping) else ())


def _searching(engine: Any) -> Callable[..., Any] | None:
    """Return the method that searches."""
    found = next((getattr(engine, name) for name in METHODS if callable(getattr(engine, name, None))), None)
    return found if found is not None else engine if callable(engine) else None


def _takes_a_query(search: Callable[..., Any] | None) -> bool:
    """Return whether a query and a count are enough."""
    needed = [] if search is None else [each for each in _parameters(search).values() if _must_be_given(each)]
    return search is not None and all(each.name in _COUNTS for each in needed[1:])


def _must_be_given(parameter: inspect.Parameter) -> bool:
    several = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter.default is parameter.empty and not several


def _parameters(search: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(search).parameters
    except (TypeError, ValueError):
        return {}


# -- shapes -----------------------------------------------------------------------------------

_SERPER = {
    "organic": "organic_results",
    "answerBox": "answer_box",
    "knowledgeGraph": "knowledge_graph",
    "peopleAlsoAsk": "related_questions",
    "topStories": "top_stories",
    "news": "news_results",
    "videos": "video_results",
    "places": "local_results",
}
_LISTS = ("results", "items", "data", "articles", "value", "hits", "documents")


def _shape(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Convert an answer to SerpAPI's shape."""
    if any(name.endswith("_results") or name in ("answer_box", "knowledge_graph") for name in answer):
        return answer
    if any(name in answer for name in _SERPER):
        return {ours: _serper(answer[theirs]) for theirs, ours in _SERPER.items() if theirs in answer}
    page: dict[str, Any] = {}
    if isinstance(answer.get("answer"), str) and answer["answer"].strip():
        # Tavily's answer is written by a model, not found.
        page["ai_overview"] = {"snippet": answer["answer"]}
    if isinstance(answers := answer.get("answers"), list):
        page["answer_box"] = [each if isinstance(each, Mapping) else {"answer": each} for each in answers]
    if isinstance(boxes := answer.get("infoboxes"), list):
        page["knowledge_graph"] = [_infobox(each) for each in boxes]
    groups: list[Any] = [answer.get(name) for name in _LISTS]
    groups += [inner.get("results") for inner in answer.values() if isinstance(inner, Mapping)]
    found = next((group for group in groups if isinstance(group, list)), [])
    page["organic_results"] = [_item(each) for each in found]
    return page


def _infobox(box: Any) -> Any:
    """Convert SearxNG's info box to a knowledge graph."""
    if not isinstance(box, Mapping):
        return box
    facts = box.get("attributes")
    labelled = {
        str(fact.get("label")): fact.get("value")
        for fact in (facts if isinstance(facts, list) else ())
        if isinstance(fact, Mapping)
    }
    return {**labelled, "title": box.get("infobox"), "description": box.get("content"), "link": box.get("id")}


def _serper(value: Any) -> Any:
    if isinstance(value, list):
        return [_serper(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    item = dict(value)
    attributes = item.pop("attributes", None)
    if isinstance(attributes, Mapping):
        item = {**attributes, **item}
    if "snippetHighlighted" in item:
        item["snippet_highlighted_words"] = item.pop("snippetHighlighted")
    if isinstance(item.get("descriptionSource"), str):
        item["source"] = {"name": item.pop("descriptionSource"), "link": item.pop("descriptionLink", "")}
    return item


def _item(each: Any) -> Any:
    """Convert one result to SerpAPI's field names.

    A LangChain document brings its metadata along.
    """
    if not isinstance(each, Mapping):
        text = getattr(each, "page_content", None)
        if text is None:
            return each
        metadata = getattr(each, "metadata", None)
        each = {**(metadata if isinstance(metadata, Mapping) else {}), "snippet": text}
    fields = Fields(each)
    dates = [*(value for _, value in fields.dates("field", ())), *filter(None, [fields.get("age")])]
    item: dict[str, Any] = {
        "link": fields.text(URL_FIELDS),
        "snippet": fields.text(TEXT_FIELDS),
        "title": fields.text(TITLE_FIELDS),
        "date": dates,
        "source": fields.text(SOURCE_FIELDS),
    }
    item = {name: value for name, value in item.items() if value}
    meta = each.get("meta_url") or each.get("profile")
    if "source" not in item and isinstance(meta, Mapping):
        item["source"] = meta.get("hostname") or meta.get("name")
    return item
