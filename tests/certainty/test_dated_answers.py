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
