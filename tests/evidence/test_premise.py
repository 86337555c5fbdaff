"""What a question takes for granted is held against dated evidence; the newest that decides, decides."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.evidence.premise import check_premises, premises
from dateline.protocols import Verdict
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval


class WordJudge:
    """A judge that knows one matter: whether flights have ended."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        return [self._one(sentence) for sentence, _ in pairs]

    def _one(self, sentence: str) -> Verdict:
        if "still flies" in sentence:
            return "contradicts"
        return "supports" if "stopped" in sentence else "neither"


STOPPED = Evidence.make("Norvane stopped flying to Varn.", published=Interval.of_day(2020, 1, 5))
STILL = Evidence.make("Norvane still flies to Varn, flying daily.", published=Interval.of_day(2023, 1, 5))
BREAD = Evidence.make("Bread rises in the oven.", published=Interval.of_day(2023, 1, 5))


def asked(as_of: datetime, evidence: Sequence[Evidence] = (STILL, STOPPED, BREAD)) -> list[tuple[str, str, str]]:
    text = "When did Norvane stop flying to Varn?"
    found = check_premises(Question(text, text, None, as_of), evidence=evidence, judge=WordJudge())
    return [(each.text, each.standing, each.evidence_id) for each in found]


def test_the_newest_evidence_decides() -> None:
    premise = "Norvane did stop flying to Varn."
    assert asked(datetime(2024, 1, 1, tzinfo=UTC)) == [(premise, "fails", STILL.id)]


def test_the_premise_is_checked_as_of_the_asking_day() -> None:
    assert asked(datetime(2021, 1, 1, tzinfo=UTC))[0][1] == "holds"


def test_a_premise_without_evidence_is_open() -> None:
    assert asked(datetime(2024, 1, 1, tzinfo=UTC), [BREAD])[0][1:] == ("open", "")


@pytest.mark.parametrize(
    ("question", "premise"),
    [
        ("When did Norvane stop flying to Varn?", "Norvane did stop flying to Varn."),
        ("In what year did the Iron Bridge open?", "The Iron Bridge did open."),
        ("When did the ferries stop?", "The ferries stop."),
        ("When was the iron bridge of Varn built?", "The iron bridge of Varn was built."),
        ("How much did Norvane buy the ferry for?", "Norvane did buy the ferry."),
        ("How many times has Ana Bell won the cup?", "Ana Bell has won the cup."),
        ("Why was the mayor of Varn removed from office?", "The mayor of Varn was removed from office."),
        ("Who bought the ferry company?", "Someone bought the ferry company."),
    ],
)
def test_premises_are_statements(question: str, premise: str) -> None:
    assert premises(question) == [premise]


@pytest.mark.parametrize(
    "question", ["Who is the mayor of Varn?", "Will it rain?", "What is the capital of Varn?", "", "ferry timetable"]
)
def test_a_question_that_presupposes_nothing_has_no_premise(question: str) -> None:
    assert premises(question) == []


@given(st.text(max_size=400))
@settings(max_examples=200)
def test_no_question_is_an_exception(text: str) -> None:
    for question in (text, f"When did {text}?", f"How many {text} has {text}", f"who {text}"):
        assert all(each.endswith(".") for each in premises(question))
