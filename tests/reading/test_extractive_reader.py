from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import Evidence, Interval, Question, Reading
from dateline.protocols import Reader
from dateline.reading import ExtractiveReader
from dateline.temporal.decomposition import decompose

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


def read(text: str, *evidence: Evidence, as_of: str = "2024-06-01") -> Reading:
    return ExtractiveReader().read(ask(text, as_of), evidence=evidence).reading


def note(day: str, text: str, title: str = "") -> Evidence:
    return Evidence.make(text, title=title, published=Interval.parse(day))


def test_the_one_who_gives_up_an_office_is_not_its_holder() -> None:
    told = note("2024-03-01", "Bo Lind succeeds Ann Hale as mayor of Norvik.")
    assert read("Who is the mayor of Norvik?", told).answer == "Bo Lind"


def test_the_new_price_counts_and_not_the_old_one() -> None:
    told = note("2024-03-01", "A day ticket in Norvik now costs 3.20 euros, up from 2.90 euros.")
    assert read("How much does a day ticket in Norvik cost?", told).answer == "3.20 euros"


def test_a_count_is_a_number_before_what_is_counted() -> None:
    told = note("2024-03-01", "With two new arrivals the league now has 24 members, and its budget is 3 million euros.")
    assert read("How many members does the league have?", told).answer == "24"


def test_the_newest_release_is_named_with_its_number() -> None:
    old = note("2022-03-01", "Kestrel 11 is out, the latest version of the Kestrel browser.")
    new = note("2024-03-01", "Kestrel 12 is out, the latest version of the Kestrel browser.")
    assert read("What is the latest version of Kestrel?", old, new).answer == "Kestrel 12"
    assert read("What is the latest version of Kestrel?", old, new, as_of="2023-01-01").answer == "Kestrel 11"


def test_a_country_is_answered_by_a_country() -> None:
    told = note("2024-03-01", "The Handball Cup of Nils Borg and the Norvik Hall comes to Iceland in May.")
    assert read("Which country hosts the Handball Cup?", told).answer == "Iceland"


def test_a_spell_in_a_biography_answers_for_its_years() -> None:
    life = Evidence.make(
        "Ada Berg studied in Lund. From 1990 to 1995 she played for Norvik United. "
        "From 1996 to 2001 she played for Skagen Rovers. She now coaches children.",
        title="Ada Berg",
    )
    question = decompose("Which team did Ada Berg play for from 1996 to 2001?", as_of=datetime(2024, 6, 1, tzinfo=UTC))
    assert ExtractiveReader().read(question, evidence=[life]).reading.answer == "Skagen Rovers"


def test_the_first_of_several_is_found_where_the_first_is_asked_for() -> None:
    one = note("1998-05-01", "Ann Hale won the Norvik Marathon.")
    two = note("2004-05-01", "Bo Lind won the Norvik Marathon.")
    question = Question(
        "Who first won the Norvik Marathon?", "Who won the Norvik Marathon?", None,
        datetime(2024, 1, 1, tzinfo=UTC), ordinal="first",
    )  # fmt: skip
    assert ExtractiveReader().read(question, evidence=[one, two]).reading.answer == "Ann Hale"


def test_yes_or_no_follows_the_sentence_that_speaks_of_it() -> None:
    question = "Is the harbour bridge open?"
    assert read(question, note("2024-05-01", "The harbour bridge is open again.")).answer == "yes"
    assert read(question, note("2024-05-01", "The harbour bridge is not open yet.")).answer == "no"


def test_passages_that_agree_make_an_answer_more_probable() -> None:
    one = note("2024-03-01", "Bo Lind is the mayor of Norvik.")
    other = note("2024-03-01", "Cy Moe is the mayor of Norvik.")
    again = note("2024-03-01", "On Friday Bo Lind, the mayor of Norvik, opened a school.")
    alone, together = (
        read("Who is the mayor of Norvik?", one, other),
        read("Who is the mayor of Norvik?", one, other, again),
    )
    assert together.answer == "Bo Lind"
    assert together.probability > alone.probability


def test_unrelated_evidence_leaves_the_reader_without_an_answer_or_doubtful() -> None:
    reading = read("Who is the mayor of Norvik?", note("2024-03-01", "Heavy rain fell over Leeds for a third day."))
    assert reading.answer == "" or reading.no_answer > reading.probability


odd = st.text(max_size=300) | st.lists(
    st.sampled_from(
        [
            "The",
            "of",
            "Aa",
            "B.",
            "3",
            "3.5",
            "2019",
            "May",
            "from",
            "to",
            ",",
            ".",
            "'",
            '"',
            "(",
            "’s",
            "km",
            "£",
            "who",
            "is",
            "not",
            "was",
        ]
    ),
    max_size=60,
).map(" ".join)


@given(odd, odd, odd, st.sampled_from(["who", "when", "how many", "what version", "is", "which country", ""]))
def test_no_text_raises_and_probabilities_stay_within_one(asked: str, title: str, text: str, word: str) -> None:
    evidence = [Evidence.make(text, title=title), Evidence.make(title, published=Interval.of_year(2020))]
    reading = ExtractiveReader().read(ask(f"{word} {asked}", "2024-06-01"), evidence=evidence).reading
    assert sum(one.probability for one in reading.candidates) + reading.no_answer <= 1.000001
    assert reading.answer == "" or reading.answer == reading.candidates[0].answer


@pytest.mark.parametrize(
    "piece", ["Aa ", "of the ", "was the a ", "1,", "12:34 ", "one ", "Aa’s ", "2019 to ", "“", "(", "A1 2 "]
)
def test_long_odd_text_is_read_in_time(piece: str) -> None:
    started = time.perf_counter()
    read("What is the position of the record of Aa?", Evidence.make(piece * (20_000 // len(piece))))
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(("month", "leader"), [("March", "Ana Bell"), ("April", "Eva Holm"), ("May", "Carl Dahl")])
def test_a_report_is_of_the_month_that_it_names_and_not_of_the_day_of_its_writing(month: str, leader: str) -> None:
    reports = [
        Evidence.make(f"In {name} 2024 the pump station was led by {who}.", published=Interval.parse(written))
        for name, who, written in (
            ("March", "Ana Bell", "2024-04-02"),
            ("April", "Eva Holm", "2024-05-02"),
            ("May", "Carl Dahl", "2024-06-03"),
        )
    ]
    question = decompose(f"Who led the pump station in {month} 2024?", as_of=datetime(2024, 6, 12, tzinfo=UTC))
    assert ExtractiveReader().read(question, evidence=reports).reading.answer == leader
