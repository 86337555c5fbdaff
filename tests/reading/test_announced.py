"""What is told for a day to come."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from dateline.reading.announced import Announced, announced, announcement
from dateline.reading.outdated import outdated
from dateline.reading.settling import signals
from dateline.reading.span_scores import Mention
from dateline.records import Announcement, Candidate, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval
from dateline.testing import FixedSearch
from dateline_graphs import AnswerOptions, AnswerReport, answer_graph, default_components
from dateline_graphs.page import render
from langchain_dateline import ReaderChatModel, dated_context

OLD = Evidence.make("Ada Holm keeps the key.", published=Interval.of_day(2023, 1, 9))
NEW = Evidence.make("From 1 June 2024 Bo Lind keeps the key.", published=Interval.of_day(2024, 5, 4))
BETWEEN = st.dates(datetime(2024, 5, 5).date(), datetime(2024, 5, 31).date())
AFTER = st.dates(datetime(2024, 6, 2).date(), datetime(2026, 1, 1).date())


def asked(day: object) -> Question:
    return decompose("Who keeps the key?", as_of=datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC))


def found(piece: Evidence, *names: str, source: int = 0) -> list[Mention]:
    return [Mention(name, source, piece.text.index(name), piece.text.index(name) + len(name), 9.0) for name in names]


def ahead(mentions: list[Mention], day: object, *evidence: Evidence) -> np.ndarray:
    return announced(mentions, question=asked(day), evidence=evidence).later


def told_of(day: object) -> Announced:
    return announced(BOTH, question=asked(day), evidence=[OLD, NEW])


BOTH = [*found(OLD, "Ada Holm"), *found(NEW, "Bo Lind", source=1)]


@given(BETWEEN)
def test_an_announced_answer_outdates_none_before_its_day(day: object) -> None:
    assert ahead(BOTH, day, OLD, NEW).tolist() == [False, True]
    assert not outdated(BOTH, question=asked(day), evidence=[OLD, NEW]).any()


@pytest.mark.parametrize("told", ["the council said on Monday", "as was agreed last week", "a letter of 3 May says"])
@given(BETWEEN)
def test_the_day_of_a_report_does_not_say_when_it_will_be(told: str, day: object) -> None:
    piece = Evidence.make(f"From 1 June 2024 Bo Lind will keep the key, {told}.", published=Interval.of_day(2024, 5, 4))
    assert ahead(found(piece, "Bo Lind"), day, piece).tolist() == [True]


@given(BETWEEN)
def test_a_long_answer_that_holds_its_day_is_told_for_it(day: object) -> None:
    told = "Bo Lind will keep the key from 1 June 2024 on"
    piece = Evidence.make(f"{told}, when Ada Holm retires.", published=NEW.published)
    assert ahead(found(piece, told), day, piece).tolist() == [True]


@given(BETWEEN)
def test_a_plan_may_tell_its_day_in_the_next_sentence(day: object) -> None:
    piece = Evidence.make(
        "We chose Bo Lind to keep the key. The change is planned for 1 June 2024.", published=NEW.published
    )
    assert ahead(found(piece, "Bo Lind"), day, piece).tolist() == [True]


@given(BETWEEN)
def test_a_reading_says_what_is_to_come_and_from_when(day: object) -> None:
    told = announcement("Ada Holm", BOTH, told_of(day), question=asked(day), evidence=[OLD, NEW])
    assert told == Announcement(answer="Bo Lind", since="2024-06-01", evidence_id=NEW.id)


@given(AFTER)
def test_what_has_come_is_announced_no_longer(day: object) -> None:
    assert announcement("Bo Lind", BOTH, told_of(day), question=asked(day), evidence=[OLD, NEW]) is None


def test_the_local_reader_and_the_page_tell_both_values() -> None:
    notes = [
        Evidence.make("A day ticket for the lido costs 6.50 euros.", published=Interval.of_day(2022, 3, 1)),
        Evidence.make("From 1 May 2024 a day ticket will cost 7.20 euros.", published=Interval.of_day(2024, 2, 12)),
    ]
    graph = answer_graph(default_components(search=FixedSearch(notes), options=AnswerOptions())).compile()
    asked = {"question": "How much is a day ticket for the lido?", "as_of": "2024-03-01"}
    report = graph.invoke(asked)["report"]
    assert (report["answer"], report["reading"]["announced"]["answer"]) == ("6.50 euros", "7.20 euros")
    assert "from 2024-05-01: 7.20 euros." in render(AnswerReport.model_validate(report))


@given(AFTER)
def test_from_its_day_on_it_does(day: object) -> None:
    assert not ahead(BOTH, day, OLD, NEW).any()
    assert outdated(BOTH, question=asked(day), evidence=[OLD, NEW]).tolist() == [1.0, 0.0]


def test_the_rules_have_no_say_on_what_is_not_yet() -> None:
    rules = Reading(answer="Bo Lind", probability=1.0, candidates=(Candidate(answer="Bo Lind", probability=1.0),))

    def seen(day: str) -> float:
        return float(
            signals(
                BOTH,
                told_of(day),
                question=asked(day),
                evidence=[OLD, NEW],
                rules=rules,
            )[1, -1]
        )

    assert seen("2024-05-20") < seen("2024-07-20")


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("Since 2020 Ada Holm has kept the key, and on 1 June 2024 Bo Lind gets it.", [False, True]),
        ("The key changes hands on 1 June 2024. Bo Lind will keep it, Ada Holm will not.", [True, True]),
        ("Ada Holm keeps the key. Bo Lind keeps the other.", [False, False]),
    ],
)
def test_the_nearest_time_of_a_sentence_or_the_last_before_it_decides(text: str, later: list[bool]) -> None:
    piece = Evidence.make(text, published=Interval.of_day(2024, 5, 4))
    mentions = found(piece, "Ada Holm", "Bo Lind")
    assert ahead(mentions, "2024-05-20", piece).tolist() == later


def test_a_day_asked_for_is_not_later_than_itself() -> None:
    piece = Evidence.make("The new key comes on 1 June 2024.", published=Interval.of_day(2024, 5, 4))
    day = found(piece, "1 June 2024")
    assert not np.any(ahead(day, "2024-05-20", piece))


@pytest.mark.parametrize(
    "text",
    [
        "From 1 June 2024 Bo Lind keeps the key instead of Ada Holm.",
        "From 1 June 2024 Bo Lind keeps the key (until now Ada Holm).",
        "The key goes from Ada Holm to Bo Lind on 1 June 2024.",
        "Bo Lind succeeds Ada Holm on 1 June 2024.",
        "From 1 June 2024 Bo Lind keeps the key. Until then it stays with Ada Holm.",
    ],
)
def test_what_a_change_to_come_replaces_still_holds(text: str) -> None:
    piece = Evidence.make(text, published=Interval.of_day(2024, 5, 4))
    both = found(piece, "Ada Holm", "Bo Lind")
    before, after = (announced(both, question=asked(day), evidence=[piece]) for day in ("2024-05-20", "2024-07-20"))
    assert before.still.tolist() == [True, False]
    assert before.later.tolist() == [False, True]
    assert not np.any([after.still, after.later])


def test_who_comes_for_a_spell_that_ends_is_told_for_later() -> None:
    piece = Evidence.make("From 1 June until 31 August 2024 Bo Lind keeps the key.", published=NEW.published)
    assert ahead(found(piece, "Bo Lind"), "2024-05-20", piece).all()


def test_what_holds_until_then_is_not_what_is_announced() -> None:
    piece = Evidence.make(
        "From 1 June 2024 Bo Lind keeps the key. Until then it stays with Ada Holm.", published=NEW.published
    )
    held, next_one = found(piece, "Ada Holm", "Bo Lind")
    whole = replace(
        held, text="Bo Lind keeps the key. Until then it stays with Ada Holm", start=17, score=8.0, behind=1.0
    )
    mentions = [
        *found(OLD, "Ada Holm"),
        replace(held, source=1),
        replace(whole, source=1),
        replace(next_one, source=1, behind=2.0, score=7.0),
    ]
    told = announced(mentions, question=asked("2024-05-20"), evidence=[OLD, piece])
    said = announcement("Ada Holm", mentions, told, question=asked("2024-05-20"), evidence=[OLD, piece])
    assert said == Announcement(answer="Bo Lind", since="2024-06-01", evidence_id=piece.id)


def test_who_holds_something_already_is_not_announced_by_signing_a_plan() -> None:
    plan = Evidence.make("The key moves to the hall on 1 June 2024. Ada Holm, keeper", published=NEW.published)
    mentions = [*found(OLD, "Ada Holm"), *found(plan, "Ada Holm", source=1)]
    told = announced(mentions, question=asked("2024-05-20"), evidence=[OLD, plan])
    assert told.later.tolist() == [False, True]
    assert announcement("Ada Holm", mentions, told, question=asked("2024-05-20"), evidence=[OLD, plan]) is None
    alone = announced(mentions[1:], question=asked("2024-05-20"), evidence=[OLD, plan])
    assert announcement("Ada Holm", mentions[1:], alone, question=asked("2024-05-20"), evidence=[OLD, plan]) is not None


def test_a_reader_behind_a_prompt_announces_what_the_graph_does() -> None:
    notes = [
        Evidence.make("Membership costs 25 pounds a month.", published=Interval.of_day(2022, 3, 14)),
        Evidence.make(
            "From 1 February 2023 membership will cost 32 pounds. Until then it stays at 25 pounds.",
            published=Interval.of_day(2023, 1, 5),
        ),
    ]
    graph = answer_graph(default_components(search=FixedSearch(notes), options=AnswerOptions())).compile()
    asked = {"question": "What does membership cost?", "as_of": "2023-01-20"}
    by_graph = graph.invoke(asked)["report"]["reading"]
    context = dated_context(
        [Document(each.text, metadata={"date": str(each.published)}) for each in notes], as_of="2023-01-20"
    )
    by_model = ReaderChatModel().invoke(f"{context}\n\nQuestion: {asked['question']}")
    assert (by_graph["answer"], by_graph["announced"]["answer"]) == ("25 pounds", "32 pounds")
    told = by_model.response_metadata["announced"]
    assert (by_model.text, told["answer"], told["since"]) == ("25 pounds", "32 pounds", "2023-02-01")


def test_a_time_of_day_is_no_day_from_which_something_holds() -> None:
    piece = Evidence.make(
        "From 1 June 2024 we close at 18:30, and open at 09:00.", published=Interval.of_day(2024, 5, 4)
    )
    assert ahead(found(piece, "18:30"), "2024-05-20", piece).all()


@pytest.mark.parametrize("text", ["Who keeps the key?", "Who keeps the key today?"])
def test_an_announcement_is_told_to_who_asks_of_today_with_its_whole_day(text: str) -> None:
    question = decompose(text, as_of=datetime(2024, 5, 20, tzinfo=UTC))
    note = Evidence.make("From June 2024 Bo Lind keeps the key.", published=Interval.of_day(2024, 5, 4))
    said = [*found(OLD, "Ada Holm"), *found(note, "Bo Lind", source=1)]
    told = announced(said, question=question, evidence=[OLD, note])
    later = announcement("Ada Holm", said, told, question=question, evidence=[OLD, note])
    assert later is not None
    assert later.since == "2024-06-01"


@given(
    st.lists(
        st.tuples(st.sampled_from([2020, 2021, 2022, 2023, None]), st.sampled_from("ABC"), st.integers(0, 9)),
        min_size=1,
        max_size=8,
    )
)
def test_what_is_outdated_is_told_as_by_comparing_each_with_each(told: list[tuple[int | None, str, int]]) -> None:
    notes = [
        Evidence.make(f"{n}", published=None if y is None else Interval.of_year(y)) for n, (y, _, _) in enumerate(told)
    ]
    said = [Mention(name, place, 0, 1, float(worth)) for place, (_, name, worth) in enumerate(told)]
    question = decompose("Who leads?", as_of=datetime(2030, 1, 1, tzinfo=UTC))
    close = outdated(said, question=question, evidence=notes, later=np.zeros(len(said), dtype=np.bool_))
    for one, (year, name, worth) in enumerate(told):
        newer = [w for y, other, w in told if year is not None and y is not None and y > year and other != name]
        assert close[one] == pytest.approx(np.clip(max(newer, default=-np.inf) - worth + 6, 0, 6) / 6)
