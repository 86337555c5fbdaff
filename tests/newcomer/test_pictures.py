"""Notebooks show answers, evidence and the history of facts: small, escaped, without scripts or network."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import Evidence, Interval
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.testing import FixedSearch
from dateline.text.lexical import LexicalEmbeddings
from dateline_graphs import AnswerOptions, AnswerReport, answer_graph, default_components
from dateline_graphs.page import SideBySide

ANNA = Evidence.make("Anna Berg is the director of the Northern Observatory.", published=Interval.parse("2015-03-02"))
CARL = Evidence.make("Carl Dahl is the director of the Northern Observatory.", published=Interval.parse("2021-09-14"))
EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\u202e&lt;"


def told() -> FactStore:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
    LocalUpdater(store).update([ANNA, CARL], known_at=datetime(2024, 1, 1, tzinfo=UTC))
    return store


def report(*pieces: Evidence) -> AnswerReport:
    components = default_components(search=FixedSearch(list(pieces)), options=AnswerOptions())
    asked: Any = {"question": "Who is the director of the Northern Observatory?", "as_of": "2016"}
    return AnswerReport.model_validate(answer_graph(components).compile().invoke(asked)["report"])


def words(html: str | None) -> str:
    assert html is not None
    return re.sub("<style>.*?</style>|<[^>]+>", " ", html, flags=re.S).replace("\u00a0", " ")


def test_an_answer_is_shown_with_its_decision_and_the_evidence_it_stands_on_first() -> None:
    text = words(report(CARL, ANNA)._repr_html_())
    assert text.index("Anna Berg") < text.index("2 March 2015")
    assert "31 December 2016" in text
    assert "p(reliable)" in text


def test_an_answer_that_is_not_trusted_is_not_shown_as_one() -> None:
    text = words(report(Evidence.make("The hill is green."))._repr_html_())
    assert "No answer in these documents" in text
    assert "Adopted" not in text


def test_evidence_is_shown_with_its_date_in_words() -> None:
    assert "2 March 2015" in words(ANNA._repr_html_())


def test_the_history_of_a_fact_is_a_time_line_that_ends_where_it_ended() -> None:
    store = told()
    (fact,) = [found.fact for found in store.search("Anna Berg", k=5, which="any") if "Anna" in found.fact.text]
    html = store.history(fact.id)._repr_html_()
    assert html is not None
    assert html.count('class="held"') == html.count('class="ended"') == 1
    assert "14 September 2021" in words(html)


def test_the_values_of_an_attribute_are_bars_one_below_the_other() -> None:
    html = told().history_of("Northern Observatory", attribute="director")._repr_html_()
    assert html is not None
    assert html.count("<rect") == 2
    assert words(html).index("Anna Berg") < words(html).index("Carl Dahl")


def test_before_and_after_stand_side_by_side_whatever_they_are() -> None:
    both = SideBySide(before="The older note.", after=report(ANNA))
    assert both._repr_html_().count("<h4>") == 2
    assert "The older note." in words(both._repr_html_())
    assert repr(both).startswith("before: The older note.")


def test_a_record_without_a_picture_is_shown_as_text() -> None:
    assert Interval.parse("2015").__class__ is Interval
    assert report(ANNA).cost._repr_html_() is None


@pytest.mark.parametrize("make", [lambda: report(ANNA, CARL), lambda: told().history_of("Northern Observatory", attribute="director")])  # fmt: skip
def test_a_picture_is_small_and_asks_for_nothing(make: Any) -> None:
    html = make()._repr_html_()
    assert len(html) < 10_000
    assert not re.search(r"<script|<iframe|<img|<link|url\(|@import|https?:| on\w+=| href=| src=", html)


@given(st.text(max_size=80) | st.just(EVIL))
def test_no_text_of_a_document_becomes_markup(text: str) -> None:
    piece = Evidence.make(text or "x", title=text, source=text)
    for html in (piece._repr_html_(), SideBySide(before=text)._repr_html_()):
        assert html is not None
        body = html[html.index("</style>") :]
        assert set(re.findall(r"<(\w+)", body)) <= {"div", "p", "strong", "bdi", "h4"}
