"""Digits in a file's name date it only where they are a year and a month."""

from __future__ import annotations

from pathlib import Path

import pytest

from dateline.documents.document_date import date_of_name
from dateline.search import load_documents


@pytest.mark.parametrize(
    "stem",
    ["240612", "250312-pump", "190304-meeting", "201103", "ticket-104512", "INV-271103", "2502.12", "room-2604-11",
     "1803-04", "12062024"],
)  # fmt: skip
def test_a_number_that_is_no_year_and_month_dates_no_file(stem: str) -> None:
    assert date_of_name(stem) is None


@pytest.mark.parametrize(
    ("stem", "date"),
    [
        ("202105", "2021-05"),
        ("199912-notes", "1999-12"),
        ("2019_05", "2019-05"),
        ("2011-03", "2011-03"),
        ("20110304", "2011-03-04"),
        ("240612 of 2024-06-12", "2024-06-12"),
    ],
)
def test_a_year_and_a_month_that_can_be_nothing_else_date_a_file(stem: str, date: str) -> None:
    assert str(date_of_name(stem)) == date


def test_a_number_that_dates_no_file_stays_in_its_title(tmp_path: Path) -> None:
    for name in ("ticket-104512.md", "2019-03-04-ticket-7.md"):
        (tmp_path / name).write_text("The pump is loud.")
    assert sorted(each.title for each in load_documents(tmp_path).documents) == ["ticket 104512", "ticket 7"]
