"""Which invented values are heard: how words and their pieces are read, and what a threshold lets through."""

from __future__ import annotations

import pytest

from dateline.dynamic.values import Generation, TokenScore
from dateline.records import Cost
from dateline_bench.reasoned import ReasonedQuestion

pytest.importorskip("torch")

from dragin_hearing import heard, level, row_of

ASKED = ReasonedQuestion("birth date: Anna Berg", "When was Anna Berg born?", ("3 May 1977", "May 3, 1977"))


def answer(*tokens: tuple[str, str, float]) -> Generation:
    scores = tuple(
        TokenScore(index=place, id=0, text=text, word=word, stopword=word in ("was", "in"), rind=risk)
        for place, (text, word, risk) in enumerate(tokens)
    )
    text = "".join(text for text, _, _ in tokens)
    return Generation(question=ASKED.text, text=text, tokens=scores, ended="finished", statement="", cost=Cost())


INVENTED = answer(
    (" Anna", "Anna", 0.1), (" was", "was", 9.0), (" born", "born", 0.5), (" in", "in", 9.0), (" ", "1990", 0.3),
    *((digit, "1990", 0.2) for digit in "1990"), (".", "", 9.0),
)  # fmt: skip


def test_the_pieces_of_a_word_are_put_together_and_stopwords_and_punctuation_are_none() -> None:
    row = row_of(ASKED, INVENTED)
    assert [each["word"] for each in row["words"]] == ["Anna", "born", "1990"]
    assert [each["role"] for each in row["words"]] == ["filler", "filler", "value"]
    year = row["words"][-1]
    assert (year["pieces"], year["largest"], year["largest without its space"]) == (4, 0.3, 0.2)
    assert year["sum without its space"] == pytest.approx(0.8)
    assert year["sum"] == pytest.approx(1.1)
    assert not row["right"]
    assert row_of(ASKED, answer((" 3 May 1977", "1977", 0.1)))["right"]


def test_the_threshold_lets_one_filler_word_in_so_many_answers_through() -> None:
    rows = [row_of(ASKED, INVENTED)] * 10
    above = level(rows, rule="sum", alarms=5)
    assert above == 0.5
    told = heard(rows, alarms=5)
    assert told["birth date (n = 10)"]["sum"].startswith("100.0")
    assert told["birth date (n = 10)"]["largest without its space"].startswith("0.0")
