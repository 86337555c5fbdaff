"""Why a guess is not trusted is said in plain words, and what is said is true of what was read."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from dateline import Candidate, Evidence, Reading
from dateline.certainty.doubt import main_doubt
from dateline.temporal import decompose
from dateline.testing import FixedSearch
from dateline_graphs import AnswerOptions, AnswerReport, answer_graph, default_components
from dateline_graphs.page import render
from dateline_graphs.tool import readable

NOTE = Evidence.make("Ana Bell leads the choir.", published="2020")
UNDATED = Evidence.make("Ana Bell leads the choir.")


def doubt(text: str, *, used: list[Evidence], read: int = 3, **reading: object) -> str:
    found = Reading.model_validate({"answer": "Ana Bell", "probability": 0.4, **reading})
    return main_doubt(decompose(text, as_of=datetime(2024, 1, 1, tzinfo=UTC)), reading=found, used=used, read=read)


@pytest.mark.parametrize(
    ("question", "used", "read", "reading", "said"),
    [
        ("Who leads the choir of Norway?", [NOTE], 3, {}, 'where it stands, nothing is said of "Norway"'),
        (
            "Who leads the choir?",
            [NOTE],
            3,
            {
                "candidates": (
                    Candidate(answer="Ana Bell", probability=0.4),
                    Candidate(answer="Tom Reyes", probability=0.3),
                )
            },
            'another answer is nearly as likely: "Tom Reyes"',
        ),
        (
            "Who leads the choir?",
            [NOTE],
            3,
            {"no_answer": 0.6},
            "more likely than not, nothing that was read answers this",
        ),
        ("Who leads the choir?", [NOTE], 3, {}, "only one of the 3 pieces that were read says so"),
        (
            "Who leads the choir?",
            [UNDATED],
            3,
            {},
            "only one of the 3 pieces that were read says so, and it has no date",
        ),
        ("Who leads the choir?", [UNDATED], 1, {}, "nothing that it stands on has a date"),
        ("Who leads the choir?", [NOTE], 1, {}, ""),
        ("Who leads the choir?", [], 3, {}, ""),
    ],
)
def test_the_main_reason_is_named(
    question: str, used: list[Evidence], read: int, reading: dict[str, object], said: str
) -> None:
    assert doubt(question, used=used, read=read, **reading) == said


def report(question: str) -> AnswerReport:
    notes = [NOTE, Evidence.make("Tom Reyes bakes bread.", published="2021")]
    graph = answer_graph(default_components(search=FixedSearch(notes), options=AnswerOptions(k=2))).compile()
    return AnswerReport.model_validate(graph.invoke({"question": question, "as_of": "2024"})["report"])


def test_a_guess_stands_with_its_doubt_on_the_page_and_before_an_agent_and_a_trusted_answer_without() -> None:
    guessed = report("Who is the harbour master of Norvane?")
    assert guessed.guess
    assert '"harbour", "master", "Norvane"' in guessed.doubt
    assert "why not trusted: where it stands" in readable(guessed)
    assert "Why not trusted: where it stands" in re.sub("<[^<>]*>", "", render(guessed))
    assert AnswerReport.model_validate_json(guessed.model_dump_json()) == guessed
    trusted = report("Who leads the choir?")
    assert trusted.adopted
    assert trusted.doubt == ""
    assert "trusted" not in readable(trusted)
