"""An answer to "when" tells its date, also where its text is of another year than the reader."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dateline.certainty import CheckedReader, MarginEstimator
from dateline.certainty.dated_answer import dated_answer
from dateline.reading import TrainedReader
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval

NOW = datetime(2025, 6, 1, tzinfo=UTC)
WHEN = decompose("When did the mill close?", as_of=NOW)
NOTE = Evidence.make(
    "On 3 March 2023 the council met. The mill closed on Thursday 1 August, in the early hours, and reopened last week. "
    "It had been open since May 2021, since 1 July free of charge, until 30 September. Yesterday it rained. Yoga is on Thursdays at 6 pm, and now also on Monday. In May the baths opened.",
    published=Interval.parse("2024-08-20"),
)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Thursday 1 August", "Thursday 1 August (2024-08-01)"),
        ("on Thursday 1 August", "on Thursday 1 August (2024-08-01)"),
        ("last week", "last week (2024-08-12/2024-08-19)"),
        ("Yesterday", "Yesterday (2024-08-19)"),
        ("30 September", "30 September (2024-09-30)"),
        ("1 July", "1 July (2024-07-01)"),
        ("In May", "In May (2024-05)"),
    ],
)
def test_a_date_that_its_text_tells_by_its_own_day_is_told_in_full(answer: str, told: str) -> None:
    assert dated_answer(answer, question=WHEN, evidence=[NOTE]) == told


@pytest.mark.parametrize("answer", ["3 March 2023", "Monday", "Thursdays", "6 pm", "now", "the council", "2 July", ""])
def test_what_needs_no_date_or_has_none_there_stays_as_it_is(answer: str) -> None:
    assert dated_answer(answer, question=WHEN, evidence=[NOTE]) == answer


def test_no_date_is_put_behind_the_answer_to_another_question_or_of_an_undated_text() -> None:
    asked = decompose("What is the name of the fair?", as_of=NOW)
    assert dated_answer("Thursday 1 August", question=asked, evidence=[NOTE]) == "Thursday 1 August"
    undated = Evidence.make("The mill closed on Thursday 1 August.")
    assert dated_answer("Thursday 1 August", question=WHEN, evidence=[undated]) == "Thursday 1 August"


def test_an_answer_keeps_its_reading_as_it_stands_in_the_text() -> None:
    note = Evidence.make("The mill of Varn closed on 1 August.", published=Interval.parse("2024-08-20"))
    asked = decompose("When did the mill of Varn close?", as_of=NOW)
    found = CheckedReader(TrainedReader(), estimator=MarginEstimator()).check(asked, evidence=[note])
    assert (found.answer, found.reading.answer) == ("1 August (2024-08-01)", "1 August")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The post of treasurer has been vacant since 11 March 2025.", "nobody (since 2025-03-11)"),
        ("There has been no treasurer since March.", "nobody (since 2025-03)"),
        ("Since 11 March 2025 there is no treasurer.", "nobody (since 2025-03-11)"),
        ("Since 11 March 2025, the post of treasurer is vacant.", "nobody (since 2025-03-11)"),
        ("Since 2019 Ada Holm led us, and now the post of treasurer is vacant.", "nobody"),
        ("The post of treasurer is vacant.", "nobody"),
        ("The post of treasurer is vacant. Dues rose on 11 March 2025.", "nobody"),
        ("After Ada Holm, treasurer since 2015, left, the post is vacant.", "nobody"),
        ("There is nobody to replace our treasurer Ada Holm, who had led us since 2015.", "nobody"),
        ("Bo Lind has kept the keys since 2019.", "nobody"),
    ],
)
def test_a_vacancy_is_told_with_the_day_from_which_its_own_words_date_it(text: str, told: str) -> None:
    note = Evidence.make(text, published=Interval.parse("2025-04-02"))
    asked = decompose("Who is the treasurer?", as_of=NOW)
    assert dated_answer("nobody", question=asked, evidence=[note]) == told


def test_of_two_vacancies_the_later_one_that_has_begun_dates_the_answer() -> None:
    days = ("1 May 2019", "11 March 2025", "1 July 2025")
    notes = [Evidence.make(f"The post of treasurer is vacant from {day}.") for day in days]
    asked = decompose("Who is the treasurer?", as_of=NOW)
    assert dated_answer("nobody", question=asked, evidence=notes) == "nobody (since 2025-03-11)"
