"""A search page becomes everything on it that a person would read."""

import copy
import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from serp_pages import BOXES, GOOGLE

from dateline.evidence.serp import parse_page
from dateline.records import Evidence

PAGE = parse_page(GOOGLE)


def of_kind(kind: str) -> list[Evidence]:
    return [each for each in PAGE.evidence if each.kind == kind]


def test_every_part_of_the_page_is_there_once() -> None:
    counts = {kind: len(of_kind(kind)) for kind in {each.kind for each in PAGE.evidence}}
    assert counts == {
        "answer_box": 1,
        "ai_overview": 2,
        "knowledge_graph": 1,
        "organic": 5,
        "news": 2,
        "related_question": 1,
        "question_answer": 2,
        "other": 4,
    }
    assert len({each.id for each in PAGE.evidence}) == len(PAGE.evidence)


def test_positions_count_from_zero_down_the_page() -> None:
    assert [each.position for each in PAGE.evidence] == list(range(len(PAGE.evidence)))


def test_advertisements_and_further_searches_are_no_evidence() -> None:
    everything = "\n".join(f"{each.title} {each.text}" for each in PAGE.evidence)
    for words in ("Buy ropes", "harbour jobs", "Saltford", "kgmid", "img.example", "/m/0abc"):
        assert words not in everything


def test_the_answer_box_is_its_answer() -> None:
    (box,) = of_kind("answer_box")
    assert (box.text, box.title) == ("1887", "Aldermouth Harbour › Opened")


@pytest.mark.parametrize("name", sorted(BOXES))
def test_every_kind_of_answer_box_is_read(name: str) -> None:
    box, expected = BOXES[name]
    (evidence,) = parse_page({"answer_box": box}).evidence
    for words in expected:
        assert words in evidence.text
    assert "https://" not in evidence.text


def test_a_list_of_answer_boxes_is_read() -> None:
    assert len(parse_page({"answer_box": [box for box, _ in BOXES.values()]}).evidence) == len(BOXES)


def test_the_knowledge_graph_is_its_facts_line_by_line() -> None:
    (graph,) = of_kind("knowledge_graph")
    assert graph.text.split("\n") == [
        "Aldermouth Harbour: Harbour",
        "A harbour on the north coast.",
        "Opened: 4 May 1887",
        "Berths: 41",
        "Ferries: Heron (Extensions: daily)",
    ]
    assert (graph.source, graph.url) == ("Encyclopedia", "https://enc.example/harbour")


def test_an_organic_result_has_its_rich_snippet_and_sitelinks() -> None:
    guide = of_kind("organic")[0]
    assert guide.text.split("\n") == [
        "A guide to the harbour.", "4.8(12)", "Berths: 41", "Also there: Tides", "Prices: From 3 euros."
    ]  # fmt: skip
    assert (str(guide.published), guide.source, guide.highlights) == ("2024-06-03", "Guide", ("harbour",))


def test_a_date_in_front_of_a_snippet_is_its_date() -> None:
    log = next(each for each in of_kind("organic") if each.title == "Log")
    assert str(log.published) == "2023-08-02"
    assert log.text.split("\n") == ["The crane was replaced.", "Year | Ships", "2022 | 310"]


def test_a_date_glued_to_the_end_of_a_snippet_is_its_date() -> None:
    (question,) = of_kind("related_question")
    assert (question.title, question.text, str(question.published)) == ("Who built it?", "Nobody knows.", "2019-05-06")


def test_lengths_of_time_are_no_dates() -> None:
    shop = next(each for each in of_kind("organic") if each.title == "Shop")
    assert shop.published is None
    assert "90-day returns · 8 hr" in shop.text


def test_a_result_without_snippet_is_its_title() -> None:
    assert of_kind("organic")[-1].text == "Undated and bare"


def test_news_without_a_headline_take_it_from_their_address() -> None:
    crane, wall = of_kind("news")
    assert (crane.text, wall.text) == ("Crane falls", "harbour wall to be raised")
    assert str(wall.published) == "2025-09-24"


def test_machine_written_answers_are_kept_apart() -> None:
    overview, question = of_kind("ai_overview")
    assert overview.text.split("\n") == ["The harbour opened in 1887.", "Depth: nine metres", "two basins"]
    assert (question.title, question.text) == ("How deep?", "Nine metres.")


def test_forums_and_answers_are_questions_with_answers() -> None:
    assert [(each.title, each.text, str(each.published)) for each in of_kind("question_answer")] == [
        ("Can I swim there?", "No.", "2025-06"),
        ("Swimming in the harbour", "I did it once.", "2023"),
    ]


def test_posts_videos_places_and_events_are_there() -> None:
    texts = {each.title or each.text: each for each in of_kind("other")}
    assert set(texts) == {"Fog today.", "The lock at work", "Harbour Inn", "Regatta"}
    assert str(texts["The lock at work"].published) == "2022-02-01"
    assert "Sat, Oct 4" in texts["Regatta"].text
    assert texts["Regatta"].published is None


def test_what_has_no_text_is_skipped_and_named() -> None:
    assert PAGE.skipped == ("related_questions: an item has no text",)


def test_google_news_with_highlights_and_stories_is_flat() -> None:
    story = {"title": "One", "source": {"name": "N", "authors": ["A"]}, "link": "https://n.example/1"}
    page = parse_page(
        {
            "search_parameters": {"engine": "google_news"},
            "news_results": [
                {
                    "highlight": {**story, "date": "10/07/2024, 01:06 PM, +0000 UTC"},
                    "stories": [{**story, "title": "Two"}],
                },
                {"title": "Three", "stories": [{**story, "title": "Four"}]},
                {**story, "title": "Five", "iso_date": "2024-10-07T13:06:00Z"},
            ],
        }
    )
    assert [each.title for each in page.evidence] == ["One", "Two", "Four", "Five"]
    assert str(page.evidence[0].published).startswith("2024-10-07T13:06")


def test_dates_are_read_in_the_language_of_the_search() -> None:
    page = parse_page(
        {
            "search_metadata": {"created_at": "2025-09-25 17:55:09 UTC"},
            "search_parameters": {"google_domain": "google.es"},
            "organic_results": [
                {"title": "A", "snippet": "B", "date": "hace 2 días"},
                {"title": "C", "date": "3/4/2021"},
            ],
        }
    )
    assert [str(each.published) for each in page.evidence] == ["2025-09-23", "2021-04-03"]


def test_without_a_moment_relative_dates_are_undated() -> None:
    page = parse_page({"organic_results": [{"title": "A", "date": "3 days ago"}]})
    assert page.evidence[0].published is None
    assert page.searched_at is None


@pytest.mark.parametrize("page", [None, [], "text", 3, {}])
def test_what_is_no_page_holds_nothing(page: Any) -> None:
    assert parse_page(page).evidence == ()


def test_the_page_stays_as_it_was() -> None:
    before = copy.deepcopy(GOOGLE)
    parse_page(GOOGLE)
    assert before == GOOGLE


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["title", "link", "date", "list"]), inner)
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(sorted(GOOGLE)), JSON, max_size=8))
@settings(max_examples=300)
def test_any_json_is_read_without_an_exception(page: dict[str, Any]) -> None:
    for each in parse_page(page).evidence:
        assert each.text


def test_mutated_pages_are_read_without_an_exception_and_quickly() -> None:
    chance = random.Random(0)
    slowest = 0.0
    for _ in range(400):
        page = mutated(copy.deepcopy(GOOGLE), chance)
        started = time.process_time()
        parse_page(page)
        slowest = max(slowest, time.process_time() - started)
    assert slowest < 0.05


def mutated(value: Any, chance: random.Random) -> Any:
    """The value with a few of its parts replaced by something else."""
    odd = (None, 0, -1.5, True, "", "x" * 5_000, "3 days ago", [], {}, [[]], {"title": {}}, "\ud800", float("inf"))
    if chance.random() < 0.03:
        return chance.choice(odd)
    if isinstance(value, dict):
        return {name: mutated(inner, chance) for name, inner in value.items() if chance.random() > 0.02}
    if isinstance(value, list):
        return [mutated(inner, chance) for inner in value]
    return value


def test_games_say_their_day_even_when_it_lies_ahead() -> None:
    games = [
        {"tournament": "Cup", "date": date, "teams": [{"name": "Heron"}]} for date in ("tomorrow, 7:30 pm", "Jan 23")
    ]
    page = parse_page(
        {
            "search_metadata": {"created_at": "2022-01-20 07:04:19 UTC"},
            "sports_results": {"title": "Heron", "rankings": "3rd", "games": [*games, {"date": "Dec 30"}]},
        }
    )
    (box,) = page.evidence
    assert (box.kind, box.title, box.published) == ("answer_box", "Heron", None)
    for words in (
        "tomorrow, 7:30 pm (Jan 21, 2022)",
        "Jan 23 (Jan 23, 2022)",
        "Dec 30 (Dec 30, 2021)",
        "Rankings: 3rd",
    ):
        assert words in box.text


def test_a_forecast_says_its_day_and_is_no_dated_page() -> None:
    box = {"type": "weather_result", "temperature": "83", "date": "Monday 5:00 AM", "location": "Varn"}
    page = parse_page({"search_metadata": {"created_at": "2025-09-28 21:00:00 UTC"}, "answer_box": box})
    assert "Date: Monday 5:00 AM (Sep 29, 2025)" in page.evidence[0].text
    assert page.evidence[0].published is None


def test_a_date_that_has_not_come_is_no_date_of_publication() -> None:
    page = parse_page(
        {
            "search_metadata": {"created_at": "2025-09-28 21:00:00 UTC"},
            "organic_results": [
                {"title": "Regatta", "snippet": "Oct 4, 2026 — The regatta starts at noon."},
                {"title": "Old", "snippet": "Text.", "date": "09/12/2025"},
            ],
            "search_parameters": {"engine": "google", "gl": "gb"},
        }
    )
    assert [str(each.published) for each in page.evidence] == ["None", "2025-09-12"]


def test_engines_that_only_write_answers_are_machine_written() -> None:
    page = parse_page({"text_blocks": [{"type": "paragraph", "snippet": "So it is."}], "references": []})
    assert [(each.kind, each.text) for each in page.evidence] == [("ai_overview", "So it is.")]


@pytest.mark.parametrize(
    ("section", "name"),
    [("organic_results", "related_results"), ("organic_results", "inline_results"), ("news_results", "stories")],
)
def test_results_within_results_without_end_are_skipped_and_named(section: str, name: str) -> None:
    nested: dict[str, Any] = {"title": "Deepest", "link": "https://n.example"}
    for level in range(1_200):
        nested = {"title": f"Level {level}", "link": "https://n.example", name: [nested]}
    page = parse_page({section: [nested]})
    assert [each.title for each in page.evidence][:3] == ["Level 1199", "Level 1198", "Level 1197"]
    (told,) = page.skipped
    assert "nested more than" in told
