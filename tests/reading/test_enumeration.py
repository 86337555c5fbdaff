"""Lists: which parts an answer has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.reading.enumeration import enumerate_parts
from dateline.reading.span_scores import Mention

INLINE = "The slip is kept by Ada Holm (Mondays), Bo Lind and Cem Aral. Dag Moe, Eli and Fay have left."
LINES = "Keys, June\n\nK-01 hall, spare with Bo\nK-02 cellar\nK-07 yard, lent to Fay\n\nAsk Ada."
TABLE = "| boat | berth | keeper |\n|---|---|---|\n| Heron | A1 | Bo Lind |\n| Lark | A2 | Fay Moe |\n| Swift | B1 | Bo Lind |"


def parts(text: str, *best: str, asked: tuple[str, ...] = (), count: int | None = None) -> str:
    found = [Mention(one, 0, text.index(one), text.index(one) + len(one), 9.0) for one in best]
    worths = [-0.5 * place for place in range(len(found))]
    return enumerate_parts(found, worths=worths, texts=[text], asked=asked, count=count).text


@pytest.mark.parametrize("first", ["Ada Holm", "Bo Lind", "Cem Aral"])
def test_an_enumeration_is_answered_whole_whichever_part_is_best(first: str) -> None:
    assert parts(INLINE, first) == "Ada Holm, Bo Lind and Cem Aral"


@pytest.mark.parametrize("count", [None, 2])
def test_a_span_that_enumerates_enough_is_the_list_itself(count: int | None) -> None:
    text = "Besides Elm Hall, the house is built of red brick and Lund stone, in Lund."
    assert parts(text, "red brick and Lund stone", count=count) == "red brick and Lund stone"


def test_where_fewer_answer_than_are_asked_for_none_is_made_up() -> None:
    text = "The hall was built by Ada Holm. Two came later."
    found = [Mention("Ada Holm", 0, 22, 30, 9.0), Mention("Two", 0, 32, 35, -9.0)]
    assert enumerate_parts(found, worths=[0.0, -8.0], texts=[text], count=2).text == "Ada Holm"


def test_lines_below_each_other_are_a_list() -> None:
    assert parts(LINES, "K-02") == "K-01, K-02 and K-07"


def test_of_a_table_the_column_is_taken_in_the_rows_that_name_what_is_asked() -> None:
    assert parts(TABLE, "Swift", asked=("boat", "bo", "lind")) == "Heron and Swift"
    assert parts(TABLE, "Swift") == "Heron, Lark and Swift"


def test_what_the_question_names_is_no_part() -> None:
    assert parts("Lark, Heron and Swift were sold.", "Swift", asked=("lark",)) == "Heron and Swift"


def test_a_day_behind_names_is_no_part() -> None:
    assert parts("The key goes to Ada Holm and Bo Lind, Monday at six.", "Bo Lind") == "Ada Holm and Bo Lind"


@pytest.mark.parametrize("text", ["Tuesday to Thursday", "twice a week"])
def test_a_range_and_a_phrase_are_whole_by_themselves(text: str) -> None:
    assert parts(f"Open {text}, ring Bo or Ada.", text) == text


def test_a_mention_in_a_list_goes_before_a_slightly_better_one_of_its_kind() -> None:
    text = "The tanker came from Cowgill. So now Upper Slack, Bank End and Cowgill."
    assert parts(text, "Cowgill", "Bank End") == "Upper Slack, Bank End and Cowgill"


def test_as_many_parts_of_all_pieces_are_given_as_are_asked_for() -> None:
    texts = ["Ada Holm led it.", "Then came Bo Lind."]
    found = [Mention("Ada Holm", 0, 0, 8, 9.0), Mention("Bo Lind", 1, 10, 17, 5.0)]
    assert enumerate_parts(found, worths=[1, 0], texts=texts).sources == (0,)
    both = enumerate_parts(found, worths=[1, 0], texts=texts, count=2)
    assert both == ("Ada Holm and Bo Lind", (0, 1))


@given(st.text(max_size=80), st.integers(0, 80), st.integers(1, 20))
def test_any_text_is_listed_from_its_own_words(text: str, start: int, size: int) -> None:
    said = text[start : start + size]
    if said:
        whole = enumerate_parts([Mention(said, 0, start, start + len(said), 1.0)], worths=[0.0], texts=[text]).text
        assert all(part in text or part in said for part in whole.replace(" and ", ", ").split(", "))


def test_names_in_capitals_that_are_function_words_too_are_parts() -> None:
    text = "Canada, the US and Mexico have signed; It rained."
    assert (
        enumerate_parts([Mention("Canada", 0, 0, 6, 8.0)], worths=[0.0], texts=[text]).text == "Canada, US and Mexico"
    )
