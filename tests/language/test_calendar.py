"""The words of the calendar, in every language."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.language.calendar import CALENDAR, MONTH_NAMES, MONTHS, calendar_words, languages, languages_from

ROOT = Path(__file__).parents[2]
SPACED = [code for code in languages() if code != "vi"]
"""Vietnamese numbers its months."""


@given(st.sampled_from(SPACED), st.integers(1, 12))
def test_every_language_names_every_month(code: str, month: int) -> None:
    assert month in calendar_words(code).months.values()


@given(st.sampled_from(languages()))
def test_every_language_says_that_a_length_of_time_lies_back(code: str) -> None:
    words = calendar_words(code)
    assert words.ago
    assert {"second", "minute", "hour", "day", "week", "month", "year"} == set(words.units.values())


@given(st.sampled_from(languages()))
def test_words_are_written_in_small_letters_without_a_stop(code: str) -> None:
    words = calendar_words(code)
    for word in (*words.months, *words.weekdays, *words.units, *words.ago, *words.days):
        assert word == word.lower().rstrip(".")


def test_the_own_language_comes_first_and_an_unknown_one_changes_nothing() -> None:
    assert next(languages_from("pl")) is calendar_words("pl")
    assert list(languages_from("xx")) == [calendar_words(code) for code in languages()]


def test_english_has_its_names_in_order() -> None:
    assert [MONTHS[name.lower()] for name in MONTH_NAMES] == list(range(1, 13))
    assert MONTHS["sept"] == 9
    assert len(CALENDAR) == 19


@pytest.mark.skipif(importlib.util.find_spec("babel") is None, reason="Babel is only for writing the file")
def test_the_file_is_what_the_script_writes(tmp_path: Path) -> None:
    file = ROOT / "plugins" / "dateline" / "language" / "data" / "calendar.json"
    code = f"import calendars; from pathlib import Path; calendars.DATA = Path({str(tmp_path / 'new')!r}); calendars.main()"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT / "training", check=True)
    assert (tmp_path / "new").read_text(encoding="utf-8") == file.read_text(encoding="utf-8")
