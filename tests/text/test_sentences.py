"""Sentences of running and of tokenised text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.text import split_sentences


@pytest.mark.parametrize(
    ("passage", "count"),
    [
        ("It rained . Then it stopped .", 2),
        ("Newton D . Baker met Maj . George Peter in Washington , D.C. . They talked .", 2),
        ("Dr. Okafor left at noon. Why? Nobody knows!", 3),
        ("The price was 3.5 dollars.", 1),
        ("It has 2 parts :\n- one\n- two", 3),
        ("", 0),
        (" \n ", 0),
        ("no full stop here", 1),
        ('He said "Stop ." Then he left .', 2),
        ("moved to porto. no longer in lisbon.", 2),
        ("Elia plays for A.C. Reggiana. He left the U.S. Army.", 2),
        ("He left the U.S. She stayed until 5 p.m. Ada had gone.", 3),
        ("first line\nhe left. she stays", 3),
        ("it was built . in 1794", 1),
        ("billing is run by team-red. payments-db is on port 5432.", 2),
        ("see approx. forty boats, incl. breakfast", 1),
        ("on the 12. august, e.g. at x. or nr. two", 1),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(passage: str, count: int) -> None:
    assert len(split_sentences(passage)) == count


@given(st.text(alphabet=st.sampled_from("aB1 .!?\n\"')D-…。！」"), max_size=200) | st.text(max_size=200))
def test_sentences_stand_where_they_say_and_lose_nothing(passage: str) -> None:
    sentences = split_sentences(passage)
    assert all(passage[each.start : each.end] == each.text for each in sentences)
    kept = "".join(each.text for each in sentences)
    assert "".join(kept.split()) == "".join(passage.split())


def test_a_long_text_is_split_in_linear_time() -> None:
    assert len(split_sentences("A . " * 100_000)) <= 100_000


@pytest.mark.parametrize(
    ("passage", "sentences"),
    [
        ("彼は市長です。昨日着きました。", ["彼は市長です。", "昨日着きました。"]),
        ("他走了！真的吗？是的。", ["他走了！", "真的吗？", "是的。"]),
        ("「行く。」彼は言った。", ["「行く。」", "彼は言った。"]),
        ("It rained. 他走了。She left.", ["It rained.", "他走了。", "She left."]),
    ],
)
def test_sentences_of_scripts_without_spaces_end_at_their_marks(passage: str, sentences: list[str]) -> None:
    assert [each.text for each in split_sentences(passage)] == sentences
