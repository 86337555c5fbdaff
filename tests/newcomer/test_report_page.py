"""The page says first what was decided, and nothing that says nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline import Certainty, Constraint, Cost, Evidence, Interval, RankedEvidence, Reading
from dateline.certainty.answer import AskedQuestion
from dateline.certainty.gate import GateDecision
from dateline.evidence.freshness import Freshness
from dateline_graphs import AnswerReport
from dateline_graphs.page import render
from dateline_graphs.page.names import GAP, HEIGHT, LETTER, Head, name_pins
from dateline_graphs.report import OUTCOMES, CitedSource, source_of


def source(title: str, date: str, *, used: bool = False, score: float = 0.5) -> CitedSource:
    piece = Evidence.make(f"{title} leads the choir.", title=title, published=Interval.parse(date))
    ranked = RankedEvidence(evidence=piece, score=score, semantic=0.3, temporal=0.5, matched=None)
    return source_of(ranked, used=used)


def report(outcome: str = "adopt", reliable: float = 0.75) -> AnswerReport:
    return AnswerReport(
        asked=AskedQuestion(question="Who leads the choir?", as_of="2024-05-01T00:00:00+00:00", content="choir", constraint=None),
        answer="Tom Reyes",
        reading=Reading(answer="Tom Reyes", probability=0.9, no_answer=0.1, evidence_ids=()),
        evidence_ids=(),
        certainty=Certainty(reliable=reliable, misleading=0.0, uncertain=1 - reliable),
        label="reliable" if reliable > 0.5 else "uncertain",
        decision=GateDecision(outcome=outcome, reason="So it is."),  # type: ignore[arg-type]
        rounds=0,
        evidence=(source("Ana Bell", "2019"), source("Tom Reyes", "2023", used=True, score=0.0)),
        freshness=Freshness(newest="2023", oldest="2023", newest_age_days=400, undated=0, statement="Of 2023."),
        facts={},
        cost=Cost(),
        problems=(),
        steps=(),
    )  # fmt: skip


def words(page: str) -> str:
    return re.sub("<[^>]+>", " ", page[page.index("<main") :])


@pytest.mark.parametrize(("outcome", "reliable"), [("adopt", 0.75), ("keep", 0.03), ("abstain", 0.03)])
def test_the_decision_stands_before_the_answer_in_the_words_of_the_command(outcome: str, reliable: float) -> None:
    text = words(render(report(outcome, reliable)))
    assert text.index(OUTCOMES[outcome]) < text.index("Tom Reyes")
    assert ("Adopted" in text) == ("No answer in these documents" not in text) == (outcome == "adopt")


def test_used_evidence_stands_before_unused() -> None:
    page = render(report())
    assert page.index("The answer stands on") < page.index('id="e2"') < page.index('id="e1"')


def test_pins_carry_names() -> None:
    assert len(re.findall(r'class="name">(?:Ana Bell|Tom Reyes)<', render(report()))) == 4


def test_the_axes_say_what_they_measure() -> None:
    text = words(render(report()))
    assert "From left to right: the day of publication." in text
    assert " score " in text


def test_what_says_nothing_is_left_out() -> None:
    page = render(report())
    assert "Premises" not in page
    assert "What changed in the facts" not in page
    cards = page[page.index('id="evidence-title"') :]
    assert "0.00" not in cards[: cards.index("</section>")]
    assert "claim 1" not in page


def under(top: float, bottom: float) -> bool:
    """Whether one lies above the other by more than rounding."""
    return top < bottom - 1e-6


@settings(max_examples=60)
@given(
    st.lists(
        st.builds(Head, st.floats(20, 780), st.floats(20, 180), st.just(11.0), st.sampled_from(["", "Ana", "A" * 60])),
        max_size=9,
    )
)
def test_no_name_covers_a_head_or_another_name(heads: list[Head]) -> None:
    boxes = [(head.x - 11, head.y - 11, head.x + 11, head.y + 11) for head in heads]
    for head, placed in zip(heads, name_pins(heads, width=800), strict=True):
        if placed is None:
            continue
        long = LETTER * len(placed.name)
        left = head.x + GAP if placed.anchor == "start" else head.x - GAP - long
        middle = head.y + placed.dy - 4
        box = (left, middle - HEIGHT / 2, left + long, middle + HEIGHT / 2)
        assert 0 <= box[0] <= box[2] <= 800
        assert all(not (box[0] < b[2] and b[0] < box[2] and under(box[1], b[3]) and under(b[1], box[3])) for b in boxes)
        boxes.append(box)


def test_a_constraint_is_still_drawn_with_names() -> None:
    asked = report().asked.model_copy(update={"constraint": Constraint("at", Interval.parse("2019"))})
    assert "asked for: in 2019" in words(render(report().model_copy(update={"asked": asked})))
