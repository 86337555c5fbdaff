"""SerpAPI's own client against a server of our own, in good days and bad ones."""

import logging
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from serpapi_server import Said, Server, serving

from dateline.errors import BadInput, MissingExtra, SearchFailed
from dateline.protocols import Search
from dateline.search import SerpApiSearch
from dateline.temporal.interval import Interval

KEY = "0123456789abcdef0123456789abcdef"
ASKED = datetime(2025, 9, 25, 12, tzinfo=UTC)
PAGE: dict[str, Any] = {
    "search_metadata": {"status": "Success", "created_at": "2025-09-25 11:00:00 UTC"},
    "search_parameters": {"engine": "google", "q": "harbour", "hl": "en", "gl": "us"},
    "answer_box": {"type": "organic_result", "title": "Harbour of Aldermouth › Opened", "answer": "1887"},
    "organic_results": [
        {
            "position": 1,
            "title": "Harbour",
            "link": "https://a.example/1",
            "snippet": "Old stones.",
            "date": "3 days ago",
        },
        {
            "position": 2,
            "title": "Quay",
            "link": "https://b.example/2",
            "snippet": "New stones.",
            "date": "Jan 2, 2020",
        },
    ],
    "related_questions": [{"question": "Who built it?", "snippet": "Nobody knows.", "link": "https://c.example"}],
}


def search(server: Server, **options: Any) -> SerpApiSearch:
    return SerpApiSearch(**{"api_key": KEY, "base_url": server.url, "pause": 0.0, "timeout": 2.0, **options})


def failure(*answers: Said, **options: Any) -> tuple[str, int]:
    """(the sentence, how often the server was asked)"""
    with serving(*answers) as server:
        with pytest.raises(SearchFailed) as caught:
            search(server, **options).search("harbour", as_of=ASKED)
        error: BaseException | None = caught.value
        while error is not None:
            assert KEY not in str(error)
            error = error.__cause__ or error.__context__
        return str(caught.value), len(server.asked)


def test_a_page_becomes_dated_evidence() -> None:
    with serving(Said(PAGE)) as server:
        engine = search(server)
        result = engine.search("harbour", as_of=ASKED)
    assert isinstance(engine, Search)
    assert [each.kind for each in result.evidence] == ["answer_box", "organic", "organic", "related_question"]
    assert [str(each.published) for each in result.evidence[1:3]] == ["2025-09-22", "2020-01-02"]
    assert [each.position for each in result.evidence] == [0, 1, 2, 3]
    assert result.cost.searches == 1


def test_the_query_reaches_the_engine_with_its_parameters() -> None:
    with serving(Said(PAGE)) as server:
        search(server, parameters={"hl": "de"}).search("harbour wall", as_of=ASKED)
        (asked,) = server.asked
    assert (asked["engine"], asked["q"], asked["hl"], asked["api_key"]) == ("google", "harbour wall", "de", KEY)


async def test_the_async_twin_finds_the_same() -> None:
    with serving(Said(PAGE)) as server:
        engine = search(server)
        assert (await engine.asearch("harbour", as_of=ASKED)).evidence == engine.search("harbour", as_of=ASKED).evidence


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_is_asked_again(status: int) -> None:
    with serving(Said({"error": "busy"}, status), Said(PAGE)) as server:
        result = search(server).search("harbour", as_of=ASKED)
        assert len(server.asked) == 2
    assert result.evidence


@pytest.mark.parametrize("status", [429, 500])
def test_a_server_that_stays_busy_fails_after_the_tries(status: int) -> None:
    sentence, asked = failure(Said({"error": "busy"}, status), tries=3)
    assert asked == 3
    assert str(status) in sentence
    assert "after 3 tries" in sentence


def test_the_pause_doubles_and_obeys_retry_after() -> None:
    pauses: list[float] = []
    answers = (Said({}, 500), Said({}, 500), Said({}, 429, headers={"Retry-After": "3"}), Said(PAGE))
    with serving(*answers) as server:
        search(server, tries=4, pause=0.5, sleep=pauses.append).search("harbour", as_of=ASKED)
    assert pauses == [0.5, 1.0, 3.0]


def test_a_pause_asked_for_is_bounded() -> None:
    pauses: list[float] = []
    with serving(Said({}, 429, headers={"Retry-After": "86400"}), Said(PAGE)) as server:
        search(server, sleep=pauses.append).search("harbour", as_of=ASKED)
    assert pauses == [8.0]


def test_a_refused_key_is_not_tried_again() -> None:
    sentence, asked = failure(Said({"error": f"Invalid API key: {KEY}."}, 401))
    assert asked == 1
    assert "refused the API key" in sentence


def test_a_used_up_quota_is_not_tried_again() -> None:
    sentence, asked = failure(Said({"error": "Your account has run out of searches."}, 429))
    assert asked == 1
    assert "used up" in sentence


def test_a_blocked_address_is_said() -> None:
    assert failure(Said({"error": "Forbidden"}, 403)) == ("SerpAPI (google) refuses this account or address (403).", 1)


def test_an_error_body_with_status_200_is_an_error() -> None:
    sentence, asked = failure(Said({"error": "Unsupported `xyz` search engine."}))
    assert (sentence, asked) == ("SerpAPI (google) refused the query (200): Unsupported `xyz` search engine.", 1)


def test_an_invalid_key_with_status_200_is_a_refused_key() -> None:
    assert "refused the API key" in failure(Said({"error": "Invalid API key. Your API key should be here."}))[0]


def test_no_results_are_no_error() -> None:
    with serving(Said({"error": "Google hasn't returned any results for this query."})) as server:
        assert search(server).search("qqzzx", as_of=ASKED).evidence == ()


def test_truncated_json_is_tried_again_and_said() -> None:
    sentence, asked = failure(Said(PAGE, cut=40), tries=2)
    assert asked == 2
    assert "not whole JSON" in sentence


def test_a_wrong_content_type_is_said() -> None:
    sentence, _ = failure(Said(b"<html>Please log in</html>", content_type="text/html"), tries=1)
    assert "HTML page" in sentence


def test_json_that_is_no_object_is_said() -> None:
    assert "not whole JSON" in failure(Said([1, 2]), tries=1)[0]


def test_a_server_that_does_not_answer_in_time_is_said() -> None:
    started = time.perf_counter()
    sentence, asked = failure(Said(PAGE, wait=0.5), timeout=0.1, tries=2)
    assert (asked, time.perf_counter() - started < 5) == (2, True)
    assert "did not answer in time" in sentence


def test_a_server_that_is_not_there_is_said() -> None:
    with pytest.raises(SearchFailed, match="could not be reached after 2 tries"):
        SerpApiSearch(api_key=KEY, base_url="http://127.0.0.1:9", pause=0, tries=2).search("x", as_of=ASKED)


def test_the_key_is_nowhere_to_be_seen() -> None:
    assert KEY not in repr(SerpApiSearch(api_key=KEY))


def test_the_key_is_in_no_log_even_when_debugging(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), serving(Said(PAGE)) as server:
        search(server).search("harbour", as_of=ASKED)
    assert "api_key=***" in caplog.text
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    ("options", "said"),
    [({"api_key": " "}, "SERPAPI_API_KEY"), ({"engine": ""}, "engine"), ({"tries": 0}, "tries=0")],
)
def test_wrong_options_are_refused_while_building(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        SerpApiSearch(**{"api_key": KEY, **options})


def test_a_missing_package_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "serpapi", None)
    with pytest.raises(MissingExtra, match=r"dateline\[serpapi\]"):
        SerpApiSearch(api_key=KEY)


def test_a_window_is_looked_at_a_second_time_and_repetitions_are_merged() -> None:
    second = {**PAGE, "organic_results": [*PAGE["organic_results"], _result("Archive", "Jun 5, 2019")]}
    with serving(Said(PAGE), Said(second)) as server:
        result = search(server).search("harbour", as_of=ASKED, window=Interval.of_year(2019))
        assert [asked.get("tbs") for asked in server.asked] == [None, "cdr:1,cd_min:1/1/2019,cd_max:12/31/2019"]
    assert len(result.evidence) == 5
    assert result.cost.searches == 2


def test_a_past_asking_day_asks_for_what_was_there_then_and_leaves_later_results_out() -> None:
    with serving(Said(PAGE)) as server:
        result = search(server).search("harbour", as_of=datetime(2021, 5, 6, tzinfo=UTC))
        assert server.asked[1]["tbs"] == "cdr:1,cd_max:5/6/2021"
    assert [each.title for each in result.evidence] == ["Quay", "Who built it?"]
    assert "1 result was published after 2021-05-06" in result.skipped


def test_a_server_that_does_not_say_when_it_searched_is_taken_to_have_searched_now() -> None:
    silent = {name: value for name, value in PAGE.items() if name != "search_metadata"}
    silent["organic_results"] = [*PAGE["organic_results"], _result("Later", "Feb 1, 2025")]
    with serving(Said(silent)) as server:
        result = search(server, clock=lambda: ASKED).search("harbour", as_of=datetime(2021, 5, 6, tzinfo=UTC))
        assert server.asked[1]["tbs"] == "cdr:1,cd_max:5/6/2021"
    assert [each.title for each in result.evidence] == ["Quay", "Who built it?"]
    assert result.skipped == (
        "2 results were published after 2021-05-06",
        "2 of the page's boxes may show a later state than that of 2021-05-06",
    )


def test_undated_results_stay_when_the_window_is_looked_at() -> None:
    undated = {**PAGE, "organic_results": [{"title": "Undated", "link": "https://d.example", "snippet": "Always."}]}
    with serving(Said(undated), Said({"error": "Google hasn't returned any results for this query."})) as server:
        result = search(server).search("harbour", as_of=ASKED, window=Interval.of_year(2019))
    assert "Undated" in {each.title for each in result.evidence}


def test_at_most_k_pieces_come_back_boxes_first() -> None:
    many = {**PAGE, "organic_results": [_result(f"Result {number}", "Jan 2, 2020") for number in range(30)]}
    with serving(Said(many)) as server:
        result = search(server).search("harbour", as_of=ASKED, k=12)
        assert server.asked[0]["num"] == "12"
    assert len(result.evidence) == 12
    assert {"answer_box", "organic", "related_question"} == {each.kind for each in result.evidence}


@pytest.mark.parametrize(("engine", "name"), [("yahoo", "p"), ("bing", "q"), ("yandex", "text")])
def test_every_engine_gets_its_query_under_its_own_name(engine: str, name: str) -> None:
    with serving(Said(PAGE)) as server:
        search(server, engine=engine).search("harbour", as_of=ASKED)
        assert server.asked[0][name] == "harbour"


def test_a_client_of_ones_own_is_taken() -> None:
    class Client:
        def search(self, params: dict[str, Any], **_: Any) -> dict[str, Any]:
            return PAGE

    assert SerpApiSearch(client=Client()).search("harbour", as_of=ASKED).evidence


def test_a_client_that_breaks_in_its_own_way_is_one_sentence() -> None:
    def breaks(*_: Any, **__: Any) -> Any:
        raise AttributeError(f"'list' has no attribute 'get' {KEY}")

    client = type("Client", (), {"search": breaks})()
    with pytest.raises(SearchFailed, match="failed with AttributeError") as caught:
        SerpApiSearch(client=client).search("harbour", as_of=ASKED)
    assert KEY not in str(caught.value)


def _result(title: str, date: str) -> dict[str, str]:
    return {"title": title, "link": f"https://e.example/{title}", "snippet": f"{title} in the snippet.", "date": date}


@pytest.mark.parametrize(
    ("engine", "name", "value"),
    [
        ("bing", "filters", 'ex1:"ez5_17897_18261"'),
        ("duckduckgo", "df", "2019-01-01..2019-12-31"),
        ("google_light", "tbs", "cdr:1,cd_min:1/1/2019,cd_max:12/31/2019"),
    ],
)
def test_engines_are_asked_for_a_range_in_their_own_way(engine: str, name: str, value: str) -> None:
    with serving(Said(PAGE)) as server:
        search(server, engine=engine).search("harbour", as_of=ASKED, window=Interval.of_year(2019))
        assert [asked.get(name) for asked in server.asked] == [None, value]


def test_engines_without_ranges_are_asked_once() -> None:
    with serving(Said(PAGE)) as server:
        search(server, engine="yahoo").search("harbour", as_of=ASKED, window=Interval.of_year(2019))
        assert len(server.asked) == 1


def test_a_second_look_that_fails_costs_nothing_but_a_note() -> None:
    with serving(Said(PAGE), Said({"error": "Your account has run out of searches."})) as server:
        result = search(server).search("harbour", as_of=ASKED, window=Interval.of_year(2019))
    assert len(result.evidence) == 4
    assert any("range of days" in note and "used up" in note for note in result.skipped)
    assert result.cost.searches == 2


def test_a_key_at_the_edge_of_a_long_message_leaks_no_part() -> None:
    with serving(Said({"error": f"{'x' * 290} {KEY} refused"})) as server, pytest.raises(SearchFailed) as caught:
        search(server).search("harbour", as_of=ASKED)
    assert KEY[:4] not in str(caught.value)
