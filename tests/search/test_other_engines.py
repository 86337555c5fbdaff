"""Retrievers and engines that people already have answer like any other search; recordings play back."""

import json
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool, ToolException, tool
from pydantic import BaseModel

sys.path.insert(0, str(Path(__file__).parent))

from serpapi_server import Said, serving

from dateline.errors import BadInput, SearchFailed
from dateline.protocols import Search, SearchResult
from dateline.records import Cost, Evidence
from dateline.search import EngineSearch, RecordedSearch, RetrieverSearch, evidence_of
from dateline.temporal.interval import Interval

ASKED = datetime(2025, 9, 25, tzinfo=UTC)


class ListRetriever(BaseRetriever):
    documents: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        if query == "break":
            raise RuntimeError("api_key=verysecretvalue was refused")
        return self.documents


OLD = Document("Old text.", metadata={"title": "Old", "publish_date": "2019-03-01", "source": "a.txt"})
LATE = Document("Late text.", metadata={"date": "2026-01-01"})
UNDATED = Document("Undated text.")


def asked_today(engine: Any) -> EngineSearch:
    return EngineSearch(engine, clock=lambda: ASKED)


def found(search: Search, query: str = "x", **options: Any) -> list[tuple[str, str]]:
    result = search.search(query, **{"as_of": ASKED, **options})
    return [(each.text, str(each.published)) for each in result.evidence]


def test_a_langchain_retriever_is_a_search() -> None:
    search = RetrieverSearch(ListRetriever(documents=[OLD, LATE, UNDATED]))
    assert isinstance(search, Search)
    assert found(search) == [("Old text.", "2019-03-01"), ("Undated text.", "None")]
    assert search.search("x", as_of=ASKED).skipped == ("1 result was published after 2025-09-25",)


async def test_the_async_retriever_finds_the_same() -> None:
    search = RetrieverSearch(ListRetriever(documents=[OLD, LATE]))
    assert (await search.asearch("x", as_of=ASKED)).evidence == search.search("x", as_of=ASKED).evidence


def test_documents_are_left_as_they_were() -> None:
    before = OLD.model_copy(deep=True)
    found(RetrieverSearch(ListRetriever(documents=[OLD])))
    assert before == OLD


def test_a_llamaindex_retriever_is_a_search() -> None:
    retrievers = pytest.importorskip("llama_index.core.retrievers")
    schema = pytest.importorskip("llama_index.core.schema")

    class NodeRetriever(retrievers.BaseRetriever):  # type: ignore[misc, name-defined]
        def _retrieve(self, query_bundle: Any) -> list[Any]:
            node = schema.TextNode(text="A node.", metadata={"date": "2020-05-06", "file_name": "n.txt"})
            return [schema.NodeWithScore(node=node, score=0.5)]

    search = RetrieverSearch(NodeRetriever())
    assert found(search) == [("A node.", "2020-05-06")]
    assert search.search("x", as_of=ASKED).evidence[0].source == "n.txt"


def test_a_failing_retriever_is_one_sentence_without_its_key() -> None:
    with pytest.raises(SearchFailed, match="ListRetriever failed with RuntimeError") as caught:
        found(RetrieverSearch(ListRetriever(documents=[])), "break")
    assert "verysecret" not in str(caught.value)


def test_what_is_no_retriever_is_refused() -> None:
    with pytest.raises(BadInput, match="is no retriever"):
        RetrieverSearch(object())


@pytest.mark.parametrize(
    "date", ["2020", 2020, {"start": "2020-01-01", "end": "2021-01-01", "granularity": "year"}, Interval.of_year(2020)]
)
def test_dates_in_metadata_come_in_many_forms(date: Any) -> None:
    assert str(evidence_of(Document("x", metadata={"Published-At": date})).published) == "2020"


class Serper:
    def results(self, query: str, **_: Any) -> dict[str, Any]:
        return {
            "searchParameters": {"q": query},
            "answerBox": {"title": "Height", "answer": "42 m", "snippetHighlighted": ["42 m"]},
            "knowledgeGraph": {
                "title": "Tower", "type": "Building", "description": "A tower.", "descriptionSource": "Encyclopedia",
                "attributes": {"Opened": "1901"}, "imageUrl": "https://i.example/x.png",
            },
            "organic": [
                {"title": "Tower", "link": "https://t.example", "snippet": "It is tall.", "date": "2 weeks ago",
                 "sitelinks": [{"title": "Tickets", "link": "https://t.example/t"}], "position": 1}
            ],
            "peopleAlsoAsk": [{"question": "How tall?", "snippet": "42 m.", "title": "T", "link": "https://q.example"}],
        }  # fmt: skip


def test_serper_brings_boxes_and_results() -> None:
    result = asked_today(Serper()).search("tower", as_of=ASKED)
    assert [each.kind for each in result.evidence] == ["answer_box", "knowledge_graph", "organic", "related_question"]
    assert "Opened: 1901" in result.evidence[1].text
    assert result.evidence[1].source == "Encyclopedia"
    assert str(result.evidence[2].published) == "2025-09-08/2025-09-15"


class Tavily:
    def results(self, query: str, max_results: int = 5) -> list[dict[str, Any]]:
        raise AssertionError("the cleaned results have no titles")

    def raw_results(self, query: str, max_results: int = 5) -> dict[str, Any]:
        item = {"title": "A", "url": "https://a.example", "content": "Text.", "score": 0.9}
        return {
            "answer": "A model says so.",
            "results": [{**item, "published_date": "Mon, 06 Oct 2014 10:30:00 GMT"}] * max_results,
        }


def test_tavily_keeps_its_written_answer_apart() -> None:
    result = asked_today(Tavily()).search("x", as_of=ASKED, k=3)
    assert {each.kind for each in result.evidence} == {"organic", "ai_overview"}
    assert {str(each.published)[:10] for each in result.evidence if each.kind == "organic"} == {"2014-10-06"}


def test_a_brave_wrapper_answers_in_json() -> None:
    class Brave:
        def run(self, query: str) -> str:
            return json.dumps(
                [{"title": "A", "link": "https://a.example", "snippet": "Text.", "page_age": "2024-02-01"}]
            )

    assert found(EngineSearch(Brave())) == [("Text.", "2024-02-01")]


def test_a_duckduckgo_or_searx_list_is_read() -> None:
    class Wrapper:
        def results(self, query: str, num_results: int) -> list[dict[str, Any]]:
            item = {"title": "A", "href": "https://a.example", "body": "Text.", "date": "2024-02-01T10:00:00+00:00"}
            return [{**item, "body": f"Text {number}."} for number in range(num_results)]

    assert len(found(EngineSearch(Wrapper()), k=4)) == 4


def test_the_brave_wrapper_of_langchain_keeps_its_dates() -> None:
    utilities = pytest.importorskip("langchain_community.utilities")
    item = {"title": "A", "url": "https://a.example", "description": "Text.", "page_age": "2024-02-01T10:00:00"}
    item["meta_url"] = {"hostname": "a.example"}
    with serving(Said({"web": {"results": [item]}})) as server:
        search = EngineSearch(utilities.BraveSearchWrapper(api_key="k", base_url=server.url))
        assert [(text, date[:10]) for text, date in found(search)] == [("Text.", "2024-02-01")]


def test_the_searx_wrapper_of_langchain_keeps_its_dates_answers_and_boxes() -> None:
    utilities = pytest.importorskip("langchain_community.utilities")
    answer = {
        "results": [
            {"title": "A", "url": "https://a.example", "content": "Text.", "publishedDate": "2024-02-01T00:00:00"}
        ],
        "answers": [{"answer": "42", "url": "https://b.example"}],
        "infoboxes": [
            {"infobox": "Tower", "content": "A tower.", "attributes": [{"label": "Opened", "value": "1901"}]}
        ],
    }
    with serving(Said(answer)) as server:
        result = asked_today(utilities.SearxSearchWrapper(searx_host=server.url)).search("tower", as_of=ASKED)
    assert [(each.kind, each.text, str(each.published)) for each in result.evidence] == [
        ("answer_box", "42", "None"),
        ("knowledge_graph", "A tower.\nOpened: 1901", "None"),
        ("organic", "Text.", "2024-02-01"),
    ]


def test_a_tool_that_holds_its_wrapper_is_asked_through_it() -> None:
    class Tool:
        api_wrapper = Tavily()

        def invoke(self, query: Any) -> str:
            return "prose"

    assert len(found(asked_today(Tool()), k=2)) == 2


def test_a_tool_is_asked_by_its_query() -> None:
    @tool
    def web(query: str) -> list[dict[str, str]]:
        """Search."""
        return [{"title": query, "url": "https://a.example", "content": "Text."}]

    assert found(EngineSearch(web), "hello") == [("Text.", "None")]


def test_a_function_is_an_engine() -> None:
    assert found(EngineSearch(lambda query: [{"title": "A", "snippet": query}]), "said") == [("said", "None")]


def test_prose_is_refused_with_the_way_out() -> None:
    with pytest.raises(SearchFailed, match=r"answered in prose; pass the wrapper"):
        found(EngineSearch(lambda query: "snippet: it is tall"))


def test_an_engine_that_cannot_be_asked_is_refused() -> None:
    with pytest.raises(BadInput, match="cannot be searched"):
        EngineSearch(3)


# -- time travel: the engine is asked on a later day than that of the question -------------------------------

PAST = datetime(2024, 3, 1, tzinfo=UTC)


def item(title: str, date: str) -> dict[str, str]:
    return {"title": title, "url": f"https://{title}.example", "snippet": f"{title} text.", "date": date}


@pytest.mark.parametrize("date", ["2025-02-01", "Feb 1, 2025", "Sat, 01 Feb 2025 10:30:00 GMT", "3 days ago", "Sep 20"])
def test_a_result_of_a_later_day_is_left_out_and_counted(date: str) -> None:
    search = asked_today(lambda query: [item("late", date), item("early", "2023-05-06"), item("undated", "")])
    result = search.search("x", as_of=PAST)
    assert [(each.title, str(each.published)) for each in result.evidence] == [
        ("early", "2023-05-06"),
        ("undated", "None"),
    ]
    assert result.skipped == ("1 result was published after 2024-03-01",)


async def test_the_async_engine_leaves_out_the_same() -> None:
    search = asked_today(lambda query: [item("late", "2025-02-01"), item("early", "2023-05-06")])
    result = await search.asearch("x", as_of=PAST)
    assert [each.title for each in result.evidence] == ["early"]
    assert result.skipped == ("1 result was published after 2024-03-01",)


def test_later_results_take_no_place_of_earlier_ones() -> None:
    late = [item(f"late{number}", "2025-02-01") for number in range(8)]
    result = asked_today(lambda query: [*late, item("early", "2023-05-06")]).search("x", as_of=PAST, k=3)
    assert [(each.title, each.position) for each in result.evidence] == [("early", 0)]


def test_a_relative_date_counts_from_the_day_of_the_search() -> None:
    search = asked_today(lambda query: [item("a", "2 years ago")])
    assert found(search, as_of=PAST) == [("a text.", "2023")]


def test_boxes_and_written_answers_of_today_are_not_known_in_the_past() -> None:
    result = asked_today(Tavily()).search("x", as_of=PAST, k=3)
    assert {each.kind for each in result.evidence} == {"organic"}
    assert result.skipped == ("1 of the page's boxes may show a later state than that of 2024-03-01",)


def test_an_engine_without_a_clock_of_its_own_is_asked_now() -> None:
    search = EngineSearch(lambda query: [item("recent", "2 hours ago")])
    assert found(search, as_of=PAST) == []
    assert len(found(search, as_of=datetime.now(UTC))) == 1


def test_a_date_that_has_not_come_on_the_day_of_the_search_is_no_date_of_publication() -> None:
    assert found(asked_today(lambda query: [item("ahead", "2031-01-01")]), as_of=PAST) == [("ahead text.", "None")]


@pytest.mark.parametrize("moment", [datetime(2024, 6, 7), datetime(2024, 6, 7, tzinfo=UTC).date(), "2024-06-07"])
@pytest.mark.parametrize("kind", ["mapping", "document"])
def test_a_date_counts_in_whatever_form_an_engine_of_ones_own_gives_it(kind: str, moment: Any) -> None:
    fields = {"title": "late", "date": moment}
    given = {**fields, "snippet": "Late."} if kind == "mapping" else Document("Late.", metadata=fields)
    search = asked_today(lambda query: [given])
    assert found(search) == [("Late.", "2024-06-07")]
    assert search.search("x", as_of=PAST).skipped == ("1 result was published after 2024-03-01",)


def test_the_first_date_that_can_be_read_counts() -> None:
    given = {"snippet": "Late.", "published_date": "unknown", "date": "2024-06-07", "age": "3 days ago"}
    assert found(asked_today(lambda query: [given])) == [("Late.", "2024-06-07")]
    assert evidence_of(given).published == Interval.of_day(2024, 6, 7)
    given |= {"date": ""}
    assert found(asked_today(lambda query: [given])) == [("Late.", "2025-09-22")]


def test_a_date_that_only_the_second_search_brings_is_kept() -> None:
    class Serper:
        tbs: str | None = None

        def results(self, query: str) -> Any:
            return [{"snippet": "Said.", "link": "https://a.example/", **({"date": "May 1, 2018"} if self.tbs else {})}]

    assert found(asked_today(Serper()), as_of=datetime(2019, 6, 1, tzinfo=UTC)) == [("Said.", "2018-05-01")]
    assert found(asked_today(Serper()), as_of=ASKED) == [("Said.", "None")]


@pytest.mark.parametrize(("day", "known"), [(1, 0), (15, 1), (25, 2)])
def test_a_journal_in_a_mapping_is_known_by_its_entries_before_and_between_them(day: int, known: int) -> None:
    entries = ["2024-03-10 Filter changed.", "2024-03-20 Pressure is 3 bar."]

    class Retriever:
        def invoke(self, query: str) -> list[dict[str, str]]:
            return [{"text": "\n".join(entries)}]

    search = RetrieverSearch(Retriever())
    told = " ".join(text for text, _ in found(search, as_of=datetime(2024, 3, day, tzinfo=UTC)))
    assert [each for each in entries if each in told] == entries[:known]


def test_a_mapping_that_only_speaks_of_a_day_to_come_stays_whole() -> None:
    class Retriever:
        def invoke(self, query: str) -> list[dict[str, str]]:
            return [{"text": "The bridge was to open on 20 March 2024."}]

    assert found(RetrieverSearch(Retriever()), as_of=datetime(2024, 3, 1, tzinfo=UTC)) == [
        ("The bridge was to open on 20 March 2024.", "None")
    ]


# -- recordings -------------------------------------------------------------------------------


class Counting:
    def __init__(self) -> None:
        self.asked = 0

    def search(self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None) -> SearchResult:
        self.asked += 1
        evidence = Evidence.make(f"{query} {self.asked}", published=Interval.of_year(2020))
        return SearchResult(evidence=(evidence,), cost=Cost(searches=1))

    async def asearch(
        self, query: str, *, as_of: datetime, k: int = 10, window: Interval | None = None
    ) -> SearchResult:
        return self.search(query, as_of=as_of, k=k, window=window)


def test_a_cached_search_asks_once_a_day(tmp_path: Path) -> None:
    engine = Counting()
    search = RecordedSearch(engine, folder=tmp_path, engine="e")
    first, second = (search.search("q", as_of=ASKED) for _ in range(2))
    search.search("q", as_of=datetime(2025, 9, 26, tzinfo=UTC))
    assert (engine.asked, first.evidence, second.cost) == (2, second.evidence, Cost())


@pytest.mark.parametrize("change", [{"k": 3}, {"window": Interval.of_year(2019)}])
def test_another_question_is_asked_anew(tmp_path: Path, change: dict[str, Any]) -> None:
    engine = Counting()
    search = RecordedSearch(engine, folder=tmp_path, engine="e")
    search.search("q", as_of=ASKED)
    search.search("q", as_of=ASKED, **change)
    assert engine.asked == 2


async def test_a_recording_plays_back_without_the_engine(tmp_path: Path) -> None:
    recorded = RecordedSearch(Counting(), folder=tmp_path, engine="e", mode="record").search("q", as_of=ASKED)
    player = RecordedSearch(None, folder=tmp_path, engine="e", mode="replay")
    assert player.search("q", as_of=ASKED).evidence == recorded.evidence
    assert (await player.asearch("q", as_of=ASKED)).evidence == recorded.evidence


def test_what_was_never_recorded_is_said(tmp_path: Path) -> None:
    with pytest.raises(SearchFailed, match="no recording of 'q'"):
        RecordedSearch(None, folder=tmp_path, engine="e", mode="replay").search("q", as_of=ASKED)


def test_a_damaged_file_is_asked_anew(tmp_path: Path) -> None:
    engine = Counting()
    search = RecordedSearch(engine, folder=tmp_path, engine="e")
    search.search("q", as_of=ASKED)
    for path in tmp_path.iterdir():
        path.write_text('{"evidence": [')
    search.search("q", as_of=ASKED)
    assert engine.asked == 2


def test_wrong_modes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="choose one of cache, record, replay"):
        RecordedSearch(Counting(), folder=tmp_path, engine="e", mode="keep")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="needs a search"):
        RecordedSearch(None, folder=tmp_path, engine="e")


LONG_AGO = datetime(2019, 6, 1, tzinfo=UTC)
RANGE = {"Serper": ("tbs", "cdr:1,cd_max:6/1/2019"), "Brave": ("freshness", "1970-01-01to2019-06-01"), "Exa": ("end_published_date", "2019-06-01")}  # fmt: skip


class DatedSerper:
    """Google behind a field for its range of dates."""

    tbs: str | None = None

    def results(self, query: str) -> Any:
        return [{"snippet": f"tbs {self.tbs}", "link": f"https://a.example/{self.tbs}", "date": "2018-01-02"}]


class DatedBrave:
    """Brave's settings lie in a mapping."""

    def __init__(self) -> None:
        self.search_kwargs: dict[str, Any] = {"count": 3}

    def _search_request(self, query: str) -> Any:
        said = self.search_kwargs.get("freshness")
        return [{"description": f"freshness {said}", "url": f"https://a.example/{said}", "page_age": "2018-01-02"}]


def dated_exa(query: str, start_published_date: str = "", end_published_date: str = "") -> Any:
    said = end_published_date or None
    return [{"text": f"end_published_date {said}", "url": f"https://a.example/{said}", "publishedDate": "2018-01-02"}]


@pytest.mark.parametrize(("name", "engine"), [("Serper", DatedSerper()), ("Brave", DatedBrave()), ("Exa", dated_exa)])
def test_an_engine_that_takes_dates_is_asked_a_second_time_for_a_past_day(name: str, engine: Any) -> None:
    parameter, value = RANGE[name]
    texts = {each.text for each in asked_today(engine).search("x", as_of=LONG_AGO).evidence}
    assert texts == {f"{parameter} None", f"{parameter} {value}"}
    assert {each.text for each in asked_today(engine).search("x", as_of=ASKED).evidence} == {f"{parameter} None"}


def test_a_refused_range_costs_nothing_but_a_note() -> None:
    def engine(query: str, start_date: str = "", end_date: str = "") -> Any:
        if end_date:
            raise ValueError("no such parameter")
        return [{"snippet": "Said.", "link": "https://a.example/", "date": "2018-01-02"}]

    result = asked_today(engine).search("x", as_of=LONG_AGO)
    assert [each.text for each in result.evidence] == ["Said."]
    assert any("range of days" in note for note in result.skipped)
    assert result.cost.searches == 2


# -- tools of LangChain's current packages, with the signatures and answers of langchain-tavily 0.2.18 and langchain-exa 1.1.0 -----------


class TavilyWrapper(BaseModel):
    """Asks for every setting by itself; what it was asked for stands in its results."""

    def raw_results(
        self, query: str, max_results: int | None, include_domains: list[str] | None, topic: str | None,
        start_date: str | None, end_date: str | None, **kwargs: Any,
    ) -> dict[str, Any]:  # fmt: skip
        if query == "break":
            raise ValueError("Error 401: Unauthorized, api_key=verysecretvalue")
        said = f"{topic} until {end_date}"
        item = {"title": "A", "url": f"https://a.example/{end_date}", "content": said, "published_date": "2018-01-02"}
        return {
            "query": query,
            "answer": None,
            "images": [],
            "results": [] if query == "nothing" or (query == "undated" and end_date) else [item],
        }


class TavilyInput(BaseModel):
    query: str
    include_domains: list[str] | None = None
    topic: str | None = "general"
    start_date: str | None = None
    end_date: str | None = None


class TavilySearch(BaseTool):
    name: str = "tavily_search"
    description: str = "Searches."
    args_schema: type[BaseModel] = TavilyInput
    handle_tool_error: bool = True
    topic: str | None = None
    api_wrapper: TavilyWrapper = TavilyWrapper()

    def _run(
        self, query: str, include_domains: list[str] | None = None, topic: str | None = None,
        start_date: str | None = None, end_date: str | None = None, run_manager: Any = None, **kwargs: Any,
    ) -> dict[str, Any]:  # fmt: skip
        try:
            found = self.api_wrapper.raw_results(
                query=query, max_results=None, include_domains=include_domains, topic=self.topic or topic,
                start_date=start_date, end_date=end_date, **kwargs,
            )  # fmt: skip
            if not found["results"]:
                raise ToolException(f"No search results found for '{query}'. Suggestions: try another.")
        except ToolException:
            raise
        except Exception as error:
            return {"error": error}
        return found


def test_a_tool_whose_wrapper_needs_more_than_a_query_is_asked_itself_with_its_settings() -> None:
    search = asked_today(TavilySearch(topic="news"))
    assert [each.text for each in search.search("x", as_of=ASKED).evidence] == ["news until None"]
    assert {each.text for each in search.search("x", as_of=LONG_AGO).evidence} == {
        "news until None",
        "news until 2019-06-01",
    }


def test_a_tool_that_found_nothing_brings_nothing_and_says_so() -> None:
    result = asked_today(TavilySearch()).search("nothing", as_of=ASKED)
    assert (result.evidence, len(result.skipped)) == ((), 1)
    assert result.skipped[0].startswith("TavilySearch brought nothing: No search results found for 'nothing'.")


def test_a_tool_that_found_nothing_in_a_range_of_days_has_not_failed() -> None:
    result = asked_today(TavilySearch(topic="news")).search("undated", as_of=LONG_AGO)
    assert [each.text for each in result.evidence] == ["news until None"]
    assert (result.skipped, result.cost.searches) == ((), 2)


def test_a_failure_that_a_tool_tells_a_model_is_a_failure_and_is_not_kept(tmp_path: Path) -> None:
    @tool
    def notes(query: str) -> list[str]:
        """Search notes."""
        raise ToolException("The search is not available.")

    search = RecordedSearch(asked_today(notes), folder=tmp_path, engine="notes")
    with pytest.raises(SearchFailed, match=r"failed with ToolException: The search is not available\."):
        search.search("x", as_of=ASKED)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_that_a_tool_hands_back_is_a_failure() -> None:
    with pytest.raises(SearchFailed, match=r"^TavilySearch failed: Error 401") as caught:
        found(asked_today(TavilySearch()), "break")
    assert "verysecret" not in str(caught.value)


@dataclass
class ExaResult:
    url: str
    id: str
    title: str | None = None
    published_date: str | None = None
    text: str | None = None
    highlights: list[str] | None = None


@dataclass
class ExaResponse:
    results: list[ExaResult]
    resolved_search_type: str | None = None
    auto_date: str | None = None
    statuses: list[str] = field(default_factory=list)


class Exa:
    def search(
        self, query: str, *, stream: bool | None = False, num_results: int | None = None,
        start_published_date: str | None = None, end_published_date: str | None = None,
    ) -> ExaResponse:  # fmt: skip
        address = f"https://a.example/{end_published_date}"
        said = f"{num_results} until {end_published_date}"
        return ExaResponse([ExaResult(address, address, "A", "2018-01-02T01:17:06.594Z", said)])


class ExaSearchResults(BaseTool):
    name: str = "exa_search_results_json"
    description: str = "Searches."
    client: Any = None

    def _run(
        self, query: str, num_results: int = 10, include_domains: list[str] | None = None,
        start_published_date: str | None = None, end_published_date: str | None = None, run_manager: Any = None,
    ) -> Any:  # fmt: skip
        dates = {"start_published_date": start_published_date, "end_published_date": end_published_date}
        return self.client.search(query, num_results=num_results, **dates)


@pytest.mark.parametrize("engine", [Exa(), ExaSearchResults(client=Exa())], ids=["client", "tool"])
def test_an_engine_that_answers_with_a_data_class_is_read_and_takes_dates(engine: Any) -> None:
    assert [(text, date[:10]) for text, date in found(asked_today(engine), k=7)] == [("7 until None", "2018-01-02")]
    assert {text for text, _ in found(asked_today(engine), k=7, as_of=LONG_AGO)} == {
        "7 until None",
        "7 until 2019-06-01",
    }
