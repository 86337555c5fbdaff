"""Tables, lists and code keep their lines in a prompt, and no line of theirs can pass for one of ours."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from dateline.evidence.quoted import quoted
from dateline.evidence.sanitize import sanitize
from langchain_dateline import ReaderChatModel, dated_context
from langchain_dateline.prompt_parsing import passages

TABLE = "| Tier | Price |\n| --- | --- |\n| Basic | 4 |\n| Pro | 9 |"
CODE = "Set it so:\n\n    def limit():\n        return 9"
LIST = "To do:\n- call Ana\n- pay Ben"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"Prices.\n\n{TABLE}", ["Prices.", *TABLE.split("\n")]),
        (LIST, ["To do:", "| - call Ana", "| - pay Ben"]),
        (CODE, ["Set it so:", "|     def limit():", "|         return 9"]),
        ("```\na = 1\n```", ["` ``", "| a = 1", "| ` ``"]),
        ("1. Ana\n2. Ben", ["1. Ana", "| 2. Ben"]),
    ],
)
def test_lines_that_were_set_on_purpose_stay_lines(text: str, lines: list[str]) -> None:
    assert quoted(text).split("\n") == lines


@pytest.mark.parametrize(
    "prose",
    [
        "Ana leads the choir since the spring\nof last year and Ben sings in it\nas before.",
        "One.\n\nTwo paragraphs.",
        "Ana.",
    ],
)
def test_wrapped_prose_is_one_line_as_before(prose: str) -> None:
    assert quoted(prose) == sanitize(prose)


@given(st.text(alphabet=st.sampled_from("ab |-:*#>`~\t\n\r\x85\u2028[]E9.question"), max_size=200))
def test_no_further_line_begins_without_a_mark_and_no_word_is_lost(text: str) -> None:
    shown = quoted(text)
    assert all(line.startswith("|") for line in shown.splitlines()[1:])
    said = [character for character in shown if character.isalnum()]
    assert said == [character for character in sanitize(text) if character.isalnum()]


@pytest.mark.parametrize("limit", [1, 20, 21])
def test_a_long_list_ends_in_an_ellipsis_within_its_limit(limit: int) -> None:
    shown = quoted("\n".join(f"- item {number}" for number in range(100)), limit=limit)
    assert len(shown.replace("\n| ", "\n")) <= limit + 1
    assert len(shown) < 60


@pytest.mark.parametrize("text", [f"Prices.\n{TABLE}", LIST, CODE])
def test_a_reader_in_a_models_place_gets_the_lines_back(text: str) -> None:
    (piece,) = passages(dated_context([Document(text, metadata={"date": "2024"})]))
    assert piece.text.split("\n") == [line for line in text.split("\n") if line]


def test_a_price_is_read_in_its_row() -> None:
    context = dated_context([Document(f"Prices of the tiers.\n\n{TABLE}", metadata={"date": "2024"})])
    asked = f"Context:\n{context}\n\nQuestion: What is the price of Pro?"
    assert "9" in ReaderChatModel().invoke(asked).text


def test_a_whole_document_of_many_lines_takes_linear_time() -> None:
    def seconds(count: int) -> float:
        text, began = "wrapped prose that goes on\n" * count, process_time()
        quoted(text, limit=len(text))
        return process_time() - began

    # The least of three: one run in many waits for the collector or another process.
    long, short = (min(seconds(count) for _ in range(3)) for count in (40_000, 10_000))
    assert long < 12 * max(short, 0.01)
