"""Posts that nobody holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dateline.reading import local_reader
from dateline.reading.span_scores import Mention
from dateline.reading.vacancy import NOBODY, vacancies
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval

DAY = datetime(2024, 5, 20, tzinfo=UTC)
ASKED = decompose("Who is the treasurer?", as_of=DAY)
BEFORE = Evidence.make("Ada Holm is the treasurer.", title="Sheet", published=Interval.of_day(2023, 1, 9))


def said(text: str, question: str = "Who is the treasurer?") -> list[str]:
    piece = Evidence.make(text, published=Interval.of_day(2024, 5, 4))
    found = vacancies(decompose(question, as_of=DAY), evidence=[piece], mentions=[Mention("x", 0, 0, 1, 5.0)])
    return [one.text for one in found]


@pytest.mark.parametrize(
    "text",
    [
        "The post of treasurer has been vacant since March.",
        "There is no treasurer at present.",
        "Ada Holm, the treasurer, left in March. There is no successor yet.",
        "Treasurer: nobody appointed, the second round is in June.",
        "That leaves us without a treasurer.",
        "No club treasurer came forward.",
        "We have not yet found a treasurer.",
        "The post of treasurer: we have not found anybody yet.",
        "The post of treasurer is not yet filled.",
    ],
)
def test_a_post_said_to_be_vacant_is_held_by_nobody(text: str) -> None:
    assert said(text) == [NOBODY]


@pytest.mark.parametrize(
    "text",
    [
        "Ada Holm is the treasurer.",
        "The treasurer asks that nobody opens the safe.",
        "After five months without a treasurer we have Bo Lind.",
        "Welfare officer: the post is vacant.",
        "No treasurer report this month.",
        "We meet without the treasurer.",
        "The treasurer has not found the key.",
        "The treasurer has never replaced the safe.",
    ],
)
def test_other_words_tell_of_no_vacancy(text: str) -> None:
    assert said(text) == []


def test_only_who_can_be_nobody() -> None:
    assert said("The post of treasurer is vacant.", "What does the treasurer earn?") == []


def test_the_reader_says_nobody_from_the_day_of_the_vacancy_on() -> None:
    left = Evidence.make(
        "Ada Holm has left. The post of treasurer is vacant from 1 May 2024.",
        title="Board",
        published=Interval.of_day(2024, 4, 2),
    )
    answers = {
        day: local_reader()
        .read(
            decompose("Who is the treasurer?", as_of=datetime.fromisoformat(day).replace(tzinfo=UTC)),
            evidence=[left, BEFORE],
        )
        .reading
        for day in ("2024-04-10", "2024-05-20")
    }
    assert answers["2024-04-10"].answer == "Ada Holm"
    assert answers["2024-05-20"].answer == NOBODY
    assert answers["2024-05-20"].evidence_ids == (left.id,)


def test_what_is_lacked_must_be_the_post_and_not_something_of_it() -> None:
    leads = "Who leads the project?"
    assert said("No project meeting on Friday.", leads) == said("There is no project.", leads) == []
    assert said("There is no project leader yet.", leads) == [NOBODY]
    assert said("Since yesterday there is no marina manager.", "Who is in charge of the marina?") == [NOBODY]
    assert said("There is no club president.", "Who is the club secretary?") == []
    assert said("The plumber has not found the leak.", "Who's the plumber?") == []


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Coach Ann Lee said nobody was to blame for the loss.", "Who is the coach of the team?"),
        ("The vacant shop belongs to Tom Reyes.", "Who owns the vacant shop?"),
    ],
)
def test_nobody_and_vacant_said_of_something_else_are_no_vacancy(text: str, question: str) -> None:
    assert said(text, question) == []
