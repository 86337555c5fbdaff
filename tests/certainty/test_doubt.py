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
OTHER = Evidence.make("Tom Reyes bakes bread.", published="2021")
RIVALS = [Evidence.make(f"{name} leads the choir of {town}.") for name, town in (("Bo", "Ely"), ("Cy", "Ayr"))]
AGREEING = Evidence.make("The choir that Ana Bell leads sang.", published="2022")


def doubt(text: str, *, used: list[Evidence], others: list[Evidence], **reading: object) -> str:
    found = Reading.model_validate({"answer": "Ana Bell", "probability": 0.4, **reading})
    return main_doubt(
        decompose(text, as_of=datetime(2024, 1, 1, tzinfo=UTC)), reading=found, used=used, read=[*used, *others]
    )


@pytest.mark.parametrize(
    ("question", "used", "others", "reading", "said"),
    [
        ("Who leads the choir of Norway?", [NOTE], [OTHER], {}, 'where it stands, nothing is said of "Norway"'),
        (
            "Does Norway have a choir?",
            [],
            [OTHER],
            {"answer": "no"},
            'nothing that was read speaks of "Norway", "choir"',
        ),
        (
            "Who leads the choir?",
            [NOTE],
            [OTHER],
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
            [OTHER],
            {"no_answer": 0.6},
            "more likely than not, nothing that was read answers this",
        ),
        (
            "Who leads the choir?",
            [NOTE],
            [OTHER, OTHER],
            {},
            "only one document says so, of 2020, and nothing else that was read speaks of it; check it before you rely on it",
        ),
        (
            "Who leads the choir?",
            [UNDATED],
            RIVALS,
            {},
            "only one document says so, without a date, and 2 more that speak of it do not; check it before you rely on it",
        ),
        (
            "Who leads the choir?",
            [NOTE],
            [OTHER, RIVALS[0]],
            {},
            "only one document says so, of 2020, and one more that speaks of it does not; check it before you rely on it",
        ),
        (
            "Who leads the choir?",
            [NOTE],
            [],
            {},
            "only one document says so, of 2020, and no other was read; check it before you rely on it",
        ),
        ("Who leads the choir at the moment?", [NOTE], [AGREEING], {}, ""),
        ("Who leads the choir?", [NOTE], [AGREEING], {}, ""),
        ("Who leads the choir?", [UNDATED, UNDATED], [OTHER], {}, "nothing that it stands on has a date"),
        ("Who leads the choir?", [], [NOTE], {}, ""),
    ],
)
def test_the_main_reason_is_named(
    question: str, used: list[Evidence], others: list[Evidence], reading: dict[str, object], said: str
) -> None:
    assert doubt(question, used=used, others=others, **reading) == said


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
