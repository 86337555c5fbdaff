"""Journals, logs and minute books: each entry has its own day."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import Interval
from dateline.documents.journal import journal_entries
from dateline.search import load_documents

MARCH, APRIL = "2024-03-01", "2024-04-02"


@pytest.mark.parametrize(
    "heads",
    [
        ("2024-03-01", "2024-04-02"),
        ("## 1 March 2024", "## 2 April 2024"),
        ("**1 Mar 2024** Filter is new.", "**2 Apr 2024** All well."),
        ("1 March 2024 - Filter is new.", "2 April 2024 - All well."),
        ("- 1.3.2024: Filter is new.", "- 2.4.2024: All well."),
    ],
)
def test_an_entry_begins_at_a_line_that_begins_with_a_day(heads: tuple[str, str]) -> None:
    entries = journal_entries(f"Pump log\n\n{heads[0]}\nThe pump runs.\n\n{heads[1]}\nThe pump is off.")
    assert [str(entry.day) for entry in entries] == ["None", MARCH, APRIL]
    assert "runs" in entries[1].text
    assert "off" not in entries[1].text


def test_the_newest_entry_may_stand_first() -> None:
    assert [str(entry.day) for entry in journal_entries("2024-04-02 Off.\n2024-03-01 On.")] == [APRIL, MARCH]


@pytest.mark.parametrize(
    "text",
    [
        "Letter of 1 March 2024\n\n2024-03-01\nDear Ada, we shall come.",
        "It rained on\n1 March 2024 and we\nmet again on\n2 April 2024 in Lund.",
        "2024-03-01 On.\n2024-05-01 Off.\n2024-04-02 On.",
        "1 March 2024 to 2 April 2024: closed.\n3 April 2024 to 5 May 2024: open.",
        "| 2024-03-01 | on |\n| 2024-04-02 | off |",
        "",
    ],
)
def test_other_texts_with_dates_stay_whole(text: str) -> None:
    assert [entry.text for entry in journal_entries(text)] == [text]


def test_a_programme_of_what_is_to_come_is_no_journal() -> None:
    programme = "2024-03-01 Talk on bees.\n2024-04-02 Talk on wasps."
    assert len(journal_entries(programme, own=Interval.of_day(2024, 1, 15))) == 1
    assert len(journal_entries(programme, own=Interval.of_day(2024, 4, 2))) == 2


@given(st.text(alphabet=st.sampled_from("2024-031 .#*-\nMarch"), max_size=200))
def test_no_word_of_a_text_is_lost(text: str) -> None:
    assert "".join("".join(entry.text for entry in journal_entries(text)).split()) == "".join(text.split())


def test_a_folder_knows_of_each_entry_on_its_own_day(tmp_path: Path) -> None:
    (tmp_path / "log.md").write_text("# Pump log\n\n## 2024-03-01\nOn.\n\n## 2024-04-02\nOff.\n", encoding="utf-8")
    loaded = load_documents(tmp_path)
    assert [str(piece.published) for piece in loaded.documents] == [MARCH, APRIL]
    assert loaded.origins() == {"entry": 2}
