"""Answers cut to what was asked for, and wordings that count as one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.reading.cut import cut
from dateline.text.answer_key import answer_key, content_key


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        (" , Ada Berg . ", "person", "Ada Berg"),
        ("on 3 May 2019 in Oslo", "date", "3 May 2019"),
        ("between 1990 or in May 2001 or later", "date", "between 1990 or in May 2001 or later"),
        ("about 1,200 people", "count", "1,200"),
        ("some 13 million people", "count", "13 million"),
        ("2.5 thousands of visitors", "count", "2.5 thousands"),
        ("12 of 14 seats", "count", "12 of 14 seats"),
        ("certificate QX-204", "count", "certificate QX-204"),
        ("QX 204", "count", "QX 204"),
        ("Alba ( Lund", "name", "Alba ( Lund"),
        ("( Alba Lund", "name", "Alba Lund"),
        ("Alba Lund )", "name", "Alba Lund"),
        ("Alba (Lund)", "name", "Alba (Lund)"),
    ],
)
def test_an_answer_is_cut_to_what_was_asked_for(text: str, kind: str, expected: str) -> None:
    assert cut(text, kind=kind) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other"),
    [("the Alba Club", "Alba Club"), ("1,200", "1200"), ("3 May 2019", "May 3, 2019"), ("ADA BERG", "Ada Berg.")],
)
def test_wordings_of_one_answer_share_a_key(one: str, other: str) -> None:
    assert answer_key(one) == answer_key(other)


@pytest.mark.parametrize(("one", "other"), [("1990", "1991"), ("Ada Berg", "Ada Lind"), ("May 2019", "3 May 2019")])
def test_different_answers_do_not(one: str, other: str) -> None:
    assert answer_key(one) != answer_key(other)


@given(st.text(max_size=80), st.sampled_from(["date", "count", "name", "person"]))
def test_nothing_is_added_by_cutting(text: str, kind: str) -> None:
    assert cut(text, kind=kind) in text  # type: ignore[arg-type]


def test_the_sign_of_a_number_is_part_of_it() -> None:
    assert cut("-12 °C.", kind="measure") == "-12 °C"
    assert cut("- 12 °C", kind="measure") == "12 °C"
    assert answer_key("-12 °C") != answer_key("12 °C")
    assert content_key("-12 °C") != content_key("12 °C")
