"""What the reader sees of time: sentences, expressions and titles marked against the time asked for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.reading.temporal_tags import (
    AFTER,
    BEFORE,
    BORROWED,
    COVERS,
    EXPRESSION,
    FIRST_AFTER,
    LAST_BEFORE,
    MARKS,
    MEETS,
    OWN,
    PUBLISHED,
    UNMARKED,
    TaggedEvidence,
    tag,
)
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval

AS_OF = datetime(2024, 1, 1, tzinfo=UTC)
HISTORY = (
    "He joined Alba in 1998. He scored often. In 2003 he moved to Brio. In 2009 he signed for Cora. He left in 2012."
)


def marked(question: str, *texts: str, title: str = "Ada Berg") -> list[TaggedEvidence]:
    return tag(decompose(question, as_of=AS_OF), evidence=[Evidence.make(text, title=title) for text in texts])


def code_of(found: TaggedEvidence, text: str, words: str, *, offset: int) -> int:
    start = text.index(words)
    codes = [one.code for one in found.text if one.start <= start < one.end and offset < one.code <= offset + 6]
    assert len(codes) == 1, codes
    return codes[0] - offset


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Which club did he play for in 2005?",
            {"1998": BEFORE, "2003": LAST_BEFORE, "2009": FIRST_AFTER, "2012": AFTER},
        ),
        (
            "Which club did he play for in 2003?",
            {"1998": LAST_BEFORE, "2003": COVERS, "2009": FIRST_AFTER, "2012": AFTER},
        ),
        (
            "Which club did he play for from 2002 to 2010?",
            {"1998": LAST_BEFORE, "2003": MEETS, "2009": MEETS, "2012": FIRST_AFTER},
        ),
        (
            "Which club did he play for in May 2009?",
            {"1998": BEFORE, "2003": LAST_BEFORE, "2009": COVERS, "2012": FIRST_AFTER},
        ),
    ],
)
def test_each_expression_says_how_it_stands_to_the_time_asked_for(question: str, expected: dict[str, int]) -> None:
    (found,) = marked(question, HISTORY)
    assert {year: code_of(found, HISTORY, year, offset=EXPRESSION) for year in expected} == expected


def test_a_sentence_without_a_time_borrows_that_of_the_one_before() -> None:
    (found,) = marked("Which club did he play for in 2005?", HISTORY)
    assert code_of(found, HISTORY, "He scored", offset=BORROWED) == BEFORE
    assert code_of(found, HISTORY, "In 2003 he moved", offset=OWN) == LAST_BEFORE


def test_a_text_without_times_is_unmarked() -> None:
    assert marked("Which club did he play for in 2005?", "He plays for Alba.") == [
        TaggedEvidence(text=(), title=UNMARKED)
    ]


def test_the_last_time_before_is_found_over_all_evidence_of_a_title() -> None:
    texts = ("In 1998 he joined Alba.", "In 2003 he moved to Brio.")
    first, second = marked("Which club did he play for in 2005?", *texts)
    assert code_of(first, texts[0], "1998", offset=EXPRESSION) == BEFORE
    assert code_of(second, texts[1], "2003", offset=EXPRESSION) == LAST_BEFORE


def test_times_of_another_title_do_not_count() -> None:
    question = decompose("Which club did he play for in 2005?", as_of=AS_OF)
    mine = Evidence.make("In 1998 he joined Alba.", title="Ada Berg")
    other = Evidence.make("In 2003 he moved to Brio.", title="Bo Lind")
    assert code_of(tag(question, evidence=[mine, other])[0], mine.text, "1998", offset=EXPRESSION) == LAST_BEFORE


def test_the_day_of_publication_is_marked_on_the_title() -> None:
    question = decompose("Who leads Alba?", as_of=datetime(2021, 6, 1, tzinfo=UTC))
    evidence = [
        Evidence.make("Bo leads.", title="a", published=Interval.of_day(2020, 1, 1)),
        Evidence.make("Cy leads.", title="b", published=Interval.of_day(2021, 5, 1)),
        Evidence.make("Di leads.", title="c", published=Interval.of_day(2022, 1, 1)),
        Evidence.make("Ed leads.", title="d"),
    ]
    titles = [found.title for found in tag(question, evidence=evidence)]
    assert titles == [PUBLISHED + BEFORE, PUBLISHED + LAST_BEFORE, PUBLISHED + FIRST_AFTER, UNMARKED]


@given(st.lists(st.text(max_size=120), max_size=4), st.integers(1000, 2100))
@settings(max_examples=60)
def test_any_text_is_marked_within_its_own_bounds(texts: list[str], year: int) -> None:
    for text, found in zip(texts, marked(f"Who led it in {year}?", *texts), strict=True):
        for one in found.text:
            assert 0 <= one.start < one.end <= len(text)
            assert 0 < one.code < MARKS
