"""Search pages of our own writing, in SerpAPI's shape."""

from __future__ import annotations

from typing import Any

GOOGLE: dict[str, Any] = {
    "search_metadata": {"created_at": "2025-09-25 17:55:09 UTC", "processed_at": "2025-09-25 17:55:09 UTC"},
    "search_parameters": {"engine": "google", "q": "aldermouth harbour", "hl": "en", "gl": "us"},
    "answer_box": {
        "type": "organic_result",
        "title": "Aldermouth Harbour › Opened",
        "answer": "1887",
        "link": "https://www.google.com/search?q=x",
        "thumbnail": "https://img.example/1.png",
        "people_also_search_for": [{"name": "Saltford Harbour", "link": "https://x.example"}],
    },
    "ai_overview": {
        "text_blocks": [
            {"type": "paragraph", "snippet": "The harbour opened in 1887.", "reference_indexes": [0]},
            {"type": "list", "list": [{"title": "Depth", "snippet": "nine metres"}, {"snippet": "two basins"}]},
        ],
        "references": [{"title": "Ref", "link": "https://r.example", "index": 0}],
    },
    "knowledge_graph": {
        "title": "Aldermouth Harbour",
        "type": "Harbour",
        "kgmid": "/m/0abc",
        "description": "A harbour on the north coast.",
        "source": {"name": "Encyclopedia", "link": "https://enc.example/harbour"},
        "opened": "4 May 1887",
        "opened_links": [{"text": "1887", "link": "https://x.example"}],
        "berths": 41,
        "images": [{"image": "https://img.example/2.png"}],
        "ferries": [{"name": "Heron", "extensions": ["daily"], "link": "https://f.example"}],
    },
    "organic_results": [
        {
            "position": 1,
            "title": "Harbour guide",
            "link": "https://www.guide.example/harbour",
            "displayed_link": "https://www.guide.example › harbour",
            "snippet": "A guide to the harbour.",
            "snippet_highlighted_words": ["harbour", "harbour"],
            "source": "Guide",
            "rich_snippet": {
                "top": {"extensions": ["4.8(12)", "Jun 3, 2024"], "detected_extensions": {"rating": 4.8}},
                "bottom": {"extensions": ["Berths: 41"]},
            },
            "sitelinks": {
                "inline": [{"title": "Tides", "link": "https://g.example/t"}],
                "expanded": [{"title": "Prices", "link": "https://g.example/p", "snippet": "From 3 euros."}],
            },
            "related_results": [{"title": "Harbour history", "link": "https://g.example/h", "snippet": "Long ago."}],
        },
        {
            "title": "Log",
            "link": "https://log.example/a",
            "snippet": "Aug 2, 2023 — The crane was replaced.",
            "rich_snippet_table": [["Year", "Ships"], ["2022", "310"]],
        },
        {
            "title": "Shop",
            "link": "https://shop.example",
            "snippet": "Ropes.",
            "extensions": ["90-day returns", "8 hr"],
        },
        {"title": "Undated and bare", "link": "https://bare.example"},
    ],
    "top_stories": [
        {"title": "Crane falls", "link": "https://n.example/crane", "source": "News", "date": "2 hours ago"},
        {"link": "https://n.example/2025/harbour-wall-to-be-raised-22781267", "source": "News", "date": "1 day ago"},
    ],
    "related_questions": [
        {
            "question": "Who built it?",
            "snippet": "Nobody knows.6 May 2019",
            "title": "Builders",
            "link": "https://q.example",
        },
        {
            "question": "How deep?",
            "type": "ai_overview",
            "text_blocks": [{"type": "paragraph", "snippet": "Nine metres."}],
        },
        {"next_page_token": "abc"},
    ],
    "questions_and_answers": [
        {"question": "Can I swim there?", "answer": "No.", "link": "https://a.example", "date": "3 months ago"},
    ],
    "discussions_and_forums": [
        {
            "title": "Swimming in the harbour",
            "link": "https://forum.example/1",
            "date": "2 years ago",
            "answers": [{"snippet": "I did it once.", "link": "https://forum.example/1#a"}],
        }
    ],
    "twitter_results": {
        "tweets": [{"snippet": "Fog today.", "published_date": "13 hours ago", "link": "https://t.example/1"}]
    },
    "inline_videos": [
        {"title": "The lock at work", "link": "https://v.example", "channel": "Boats", "date": "Feb 1, 2022"}
    ],
    "local_results": {"places": [{"title": "Harbour Inn", "rating": 4.1, "address": "1 Quay", "place_id": "99"}]},
    "events_results": [
        {"title": "Regatta", "date": {"start_date": "Oct 4", "when": "Sat, Oct 4"}, "address": ["Quay"]}
    ],
    "related_searches": [{"query": "harbour jobs"}],
    "ads": [{"title": "Buy ropes"}],
}

BOXES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "calculator": ({"type": "calculator_result", "result": "42"}, ("42",)),
    "weather": (
        {
            "type": "weather_result", "temperature": "83", "unit": "Fahrenheit", "location": "Varn",
            "weather": "Clear", "date": "Monday 5:00 AM",
            "forecast": [{"day": "Tuesday", "weather": "Rain", "temperature": {"high": "70", "low": "61"}}],
        },
        ("Temperature: 83", "Weather: Clear", "Tuesday", "High: 70"),
    ),
    "finance": (
        {"type": "finance_results", "title": "Norvane", "exchange": "VSE", "price": 12.5, "currency": "EUR",
         "price_movement": {"percentage": 1.2, "movement": "Down"}},
        ("Price: 12.5", "Movement: Down"),
    ),
    "population": ({"type": "population_result", "place": "Varn", "population": "9,365", "year": "2024"}, ("9,365", "2024")),
    "currency": ({"type": "currency_converter", "result": "1.08 Euro"}, ("1.08 Euro",)),
    "dictionary": (
        {"type": "dictionary_results", "syllables": "trans·par·ent", "definitions": ["letting light through"],
         "examples": ["clear water"]},
        ("letting light through", "clear water"),
    ),
    "translation": (
        {"type": "translation_result", "translation": {"source": {"text": "harbour"}, "target": {"text": "Hafen"}}},
        ("Hafen",),
    ),
    "list": (
        {"type": "organic_result", "title": "Steps", "list": ["Cast off", "Set sail"], "link": "https://l.example"},
        ("Cast off", "Set sail"),
    ),
    "table": (
        {"type": "organic_result", "title": "Ships", "contents": {"table": [["Heron", "1901"], ["Gull", "1930"]]}},
        ("Heron | 1901", "Gull | 1930"),
    ),
    "snippet": (
        {"type": "organic_result", "title": "T", "snippet": "The text.", "date": "May 1, 2021", "link": "https://s.example"},
        ("The text.",),
    ),
    "flights": ({"type": "google_flights", "flights": [{"name": "NV 12", "duration": "2 h"}]}, ("NV 12", "2 h")),
}  # fmt: skip
"""Kind of answer box -> (the box, what must stand in its evidence)."""
