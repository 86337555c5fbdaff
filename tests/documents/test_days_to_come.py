"""A day to come, by the clock, dates no document that mentions it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from langchain_core.documents import Document

from dateline.documents import evidence_of
from dateline.documents.document_date import date_of_address, date_of_name, date_of_text
from dateline.documents.journal import journal_entries
from dateline.documents.text_head import split_head
from dateline.formats.html_page import read_html
from dateline.search import load_documents
from dateline.temporal.as_of import Clock

FAR = "2131"
"""A year that the clock of no machine that runs this has reached."""


def at(year: int, month: int = 6, day: int = 1, hour: int = 0) -> Clock:
    """A clock that stands still."""
    return lambda: datetime(year, month, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "Plan A costs 9 euros. The offer is valid until 31 December {}.",
        "The passport expires on 4 May {}.",
        "The lease ends on 3 May {}.",
        "Conference: 3 March {}, Berlin.",
        "Warranty until 3 May {}",
        "Exam on 3 July {}",
        "When: 3 March {}\nWhere: Berlin",
        "Treffen am 3. März {}",
    ],
)
def test_a_day_to_come_that_a_text_mentions_does_not_date_it(text: str) -> None:
    assert evidence_of(Document(text.format(FAR))).published is None


def test_what_dates_nothing_yet_dates_when_its_day_is_there() -> None:
    text = "Conference: 3 March 2031, Berlin."
    assert date_of_text(text, clock=at(2031, 3, 2, 9)) is None
    for clock in (at(2031, 3, 2, 12), at(2031, 3, 3), at(2040)):  # in the east it is the third at noon already
        found = date_of_text(text, clock=clock)
        assert found is not None
        assert str(found.interval) == "2031-03-03"


def test_a_day_that_has_come_dates_a_text_behind_one_to_come() -> None:
    found = date_of_text(f"The fair is on 12 June {FAR}. Noted 2 March 2019.")
    assert found is not None
    assert str(found.interval) == "2019-03-02"


def test_what_a_text_is_valid_until_does_not_date_it_when_that_is_over() -> None:
    assert date_of_text("The offer is valid until 31 December 2020.") is None


def test_a_day_to_come_in_a_name_or_an_address_dates_nothing() -> None:
    then = at(2024)
    assert date_of_name("2031-05-03-fair", clock=then) is None
    assert str(date_of_name("2031-05-03-fair-2024-04-02", clock=then)) == "2024-04-02"
    assert date_of_address("https://x.example/item/20301231", clock=then) is None


def test_a_line_at_the_head_of_a_text_that_tells_a_day_to_come_is_no_field() -> None:
    text = "When: 3 March 2031\nDate: 2 April 2024\n\nBerlin."
    assert split_head(text, clock=at(2024))[0] == {"Date": "2 April 2024"}
    assert set(split_head(text, clock=at(2031))[0]) == {"When", "Date"}


def test_a_list_of_what_is_to_come_is_no_journal_and_an_entry_to_come_has_the_texts_own_day() -> None:
    text = "- 2031-03-01 Spring fair\n- 2031-09-02 Autumn fair"
    days = [
        [entry.day and str(entry.day) for entry in journal_entries(text, clock=at(year))] for year in (2030, 2031, 2032)
    ]
    assert days == [[None], ["2031-03-01", None], ["2031-03-01", "2031-09-02"]]


def test_an_element_of_a_page_that_announces_a_day_does_not_date_it() -> None:
    page = "<title>Fair on 3 May 2031</title><p>Open from <time datetime='2031-05-03'>May</time>.</p>"
    assert read_html(page.replace("2031", FAR)).dated(None, by_text=True).published is None
    assert str(read_html(page.replace("2031", "2021")).dated(None).published) == "2021-05-03"


def test_a_file_that_mentions_a_day_to_come_is_undated_and_keeps_the_day_in_its_title(tmp_path: Path) -> None:
    (tmp_path / f"{FAR}-05-03-fair.md").write_text(f"The fair is on 3 May {FAR}.\n")
    (piece,) = load_documents(tmp_path).documents
    assert (piece.published, piece.title) == (None, f"{FAR} 05 03 fair")
