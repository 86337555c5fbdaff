from __future__ import annotations

from datetime import UTC, datetime

import pytest

from asof import Evidence, Interval, Question
from asof.protocols import Reader
from asof.reading import ExtractiveReader

NOTES = [
    ("2016-07-13", "Theresa May becomes Prime Minister", "Theresa May has become Prime Minister of the United Kingdom after David Cameron resigned."),
    ("2019-07-24", "Boris Johnson becomes Prime Minister", "Boris Johnson became Prime Minister of the United Kingdom today, succeeding Theresa May."),
    ("2022-09-06", "Liz Truss takes office", "Liz Truss took office as Prime Minister of the United Kingdom, replacing Boris Johnson."),
    ("2022-10-25", "Rishi Sunak becomes Prime Minister", "Rishi Sunak has become Prime Minister of the United Kingdom, the third this year."),
    ("2021-03-02", "Rain over Leeds", "Heavy rain fell over Leeds for the third day."),
]  # fmt: skip


def notes(until: str) -> list[Evidence]:
    return [
        Evidence.make(text, title=title, published=Interval.parse(day)) for day, title, text in NOTES if day <= until
    ]


def ask(text: str, as_of: str) -> Question:
    moment = datetime.fromisoformat(as_of).replace(tzinfo=UTC)
    return Question(text=text, content=text, constraint=None, as_of=moment)


@pytest.mark.parametrize(
    ("as_of", "answer"),
    [
        ("2019-01-15", "Theresa May"),
        ("2020-05-01", "Boris Johnson"),
        ("2022-09-20", "Liz Truss"),
        ("2023-01-15", "Rishi Sunak"),
    ],
)
def test_the_holder_of_an_office_depends_on_the_asking_date(as_of: str, answer: str) -> None:
    question = ask("Who is the Prime Minister of the United Kingdom?", as_of)
    reading = ExtractiveReader().read(question, evidence=notes(as_of)).reading
    assert reading.answer == answer
    assert reading.evidence_ids


def test_later_evidence_does_not_answer_an_earlier_question() -> None:
    question = ask("Who is the Prime Minister of the United Kingdom?", "2019-01-15")
    assert ExtractiveReader().read(question, evidence=notes("2030-01-01")).reading.answer == "Theresa May"


def test_no_evidence_gives_no_answer() -> None:
    reading = ExtractiveReader().read(ask("Who won?", "2020-01-01"), evidence=[]).reading
    assert reading.answer == ""
    assert reading.no_answer == 1.0


def test_a_choice_is_an_index_into_the_given_choices() -> None:
    question = ask("Who is the Prime Minister of the United Kingdom?", "2023-01-15")
    reading = (
        ExtractiveReader()
        .read(question, evidence=notes("2023-01-15"), choices=["Theresa May", "Rishi Sunak", "Liz Truss"])
        .reading
    )
    assert reading.choice == 1
    assert reading.answer == "Rishi Sunak"


async def test_the_async_twin_reads_the_same() -> None:
    question = ask("Who is the Prime Minister of the United Kingdom?", "2023-01-15")
    reader = ExtractiveReader()
    one, two = (
        reader.read(question, evidence=notes("2023-01-15")),
        await reader.aread(question, evidence=notes("2023-01-15")),
    )
    assert one.reading == two.reading


def test_it_is_a_reader() -> None:
    assert isinstance(ExtractiveReader(), Reader)
