"""Reading which state holds, and who belongs to a list, from dated evidence."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dateline.facts import SlotPack
from dateline.facts.slot_reader import SlotReader
from dateline.protocols import Reader
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval
from dateline_bench.conversations import RULES
from dateline_bench.readers.members import MembersReader
from dateline_bench.readers.states import StateReader, subject_of

CLUBS = ("Lundby United", "Oberau Rovers")
TEAM = "What sports team is Ada Berg a member of?"


def piece(text: str, when: str | None = None, *, title: str = "") -> Evidence:
    return Evidence.make(text, title=title, published=Interval.parse(when) if when else None)


def answer(question: str, *evidence: Evidence, choices: tuple[str, ...] = CLUBS, year: int = 2024) -> str:
    asked = decompose(question, as_of=datetime(year, 12, 31, tzinfo=UTC))
    return StateReader().read(asked, evidence=evidence, choices=choices).reading.answer


EARLIER = piece("Lundby United keeper Ada Berg saved a penalty.", "2021-03-01")
LATER = piece("Ada Berg saved twice for Oberau Rovers.", "2023-03-01")


def test_the_state_asserted_last_holds_whatever_the_order_of_the_evidence() -> None:
    assert answer(TEAM, EARLIER, LATER) == answer(TEAM, LATER, EARLIER) == "Oberau Rovers"


def test_what_was_said_after_the_asked_time_is_not_read() -> None:
    assert answer(TEAM, EARLIER, LATER, year=2022) == "Lundby United"
    assert answer("What sports team was Ada Berg a member of in 2022?", EARLIER, LATER) == "Lundby United"


def test_a_newer_sentence_about_somebody_else_changes_nothing() -> None:
    assert answer(TEAM, EARLIER, piece("Jon Aske scored for Oberau Rovers.", "2024-01-01")) == "Lundby United"


def test_a_tie_that_has_ended_speaks_little() -> None:
    news = piece("Ada Berg leaves Lundby United and signs for Oberau Rovers.", "2022-07-01")
    assert answer(TEAM, news) == "Oberau Rovers"


def test_a_title_says_whom_a_sentence_is_about() -> None:
    assert (
        answer(TEAM, EARLIER, piece("She now keeps goal at Oberau.", "2023-01-01", title="Ada Berg is back"))
        == CLUBS[1]
    )


def test_without_dates_the_fullest_mention_wins() -> None:
    assert answer(TEAM, piece("Ada Berg, once near Oberau, is at Lundby United.")) == "Lundby United"


def test_without_evidence_the_reading_says_so() -> None:
    asked = decompose(TEAM, as_of=datetime(2024, 1, 1, tzinfo=UTC))
    reading = StateReader().read(asked, evidence=[], choices=CLUBS).reading
    assert reading.no_answer == 1
    assert reading.candidates[0].probability == pytest.approx(0.5)


def test_candidates_add_up_and_name_their_evidence() -> None:
    asked = decompose(TEAM, as_of=datetime(2024, 1, 1, tzinfo=UTC))
    reading = StateReader().read(asked, evidence=[EARLIER, LATER], choices=CLUBS).reading
    assert sum(candidate.probability for candidate in reading.candidates) == pytest.approx(1)
    assert reading.evidence_ids[0] == LATER.id
    assert reading.choice == 1


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        (TEAM, "Ada Berg"),
        ("Who is the CEO of Tolvex?", "Tolvex"),
        ("Who is the chairperson of Bank of Norland?", "Bank of Norland"),
        ("who is the mayor of lundby?", "mayor lundby"),
    ],
)
def test_a_question_is_about_its_longest_name(question: str, subject: str) -> None:
    assert subject_of(question) == subject


PEOPLE = ("Ada", "Ben", "Cleo", "Dario")


def members(question: str, *texts: str) -> str:
    asked = decompose(question, as_of=datetime(2024, 1, 1, tzinfo=UTC))
    return MembersReader().read(asked, evidence=[piece(text) for text in texts], choices=PEOPLE).reading.answer


def test_a_list_holds_those_that_some_sentence_puts_there() -> None:
    said = ("Ben is a sibling of Ada.", "Ada and Cleo are siblings.", "Dario is a coworker of Ada.")
    assert members("List all siblings of Ada.", *said) == "Ben, Cleo"


def test_what_is_read_as_a_value_of_something_else_is_on_no_list() -> None:
    said = [piece(text) for text in ("Ada's hobby equipment includes oars.", "Rowing is a hobby of Ada.")]
    reader = MembersReader(slots=SlotReader(SlotPack.load(RULES)))
    for asked, answer in (("hobbies", "rowing"), ("hobby equipment", "oars")):
        question = f"List all {asked} of Ada."
        assert list(reader.members(question, evidence=said, choices=("oars", "rowing", "Ben"))) == [answer]


def test_a_tie_that_is_denied_or_over_puts_nobody_on_the_list() -> None:
    assert members("List all coworkers of Ada.", "Ben is no longer a coworker of Ada.") == ""


def test_parents_in_law_are_no_parents() -> None:
    said = ("Ben is a parent-in-law of Ada.", "Ada's parents include Cleo.")
    assert members("List all parents of Ada.", *said) == "Cleo"
    assert members("List all parents-in-law of Ada.", *said) == "Ben"


def test_both_are_readers() -> None:
    assert isinstance(StateReader(), Reader)
    assert isinstance(MembersReader(), Reader)
