"""Relations of people as slots, sentences that stand alone, and facts found by their words."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hashed_words import HashedWords

from dateline.errors import BadInput
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.facts.fact import Fact
from dateline.facts.fact_reader import facts_of
from dateline.facts.rivals import compare
from dateline.facts.slot_reader import SlotReader
from dateline.facts.slots import SlotPack
from dateline.handwritten.facts.standalone import standalone
from dateline.handwritten.facts.statement import Statement
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline_bench.readers.keyword_facts import KeywordFacts

NOW = datetime(2025, 1, 1, tzinfo=UTC)
READER = SlotReader(SlotPack.shipped())


def compared(one: str, other: str) -> str:
    return compare(Fact.make(one), Fact.make(other), slots=READER)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ada's salary is $40,000.", "Ada earns a salary of $70,000."),
        ("Ada works from 8:00 to 16:00.", "Ada's work hours are 9:00 to 17:00."),
        ("Ada works as a clerk.", "Ada changed jobs and now works as a cook at Tolvex."),
        ("Ada works in the city of Lundby.", "Ada's work location is Oberau."),
        ("Ada works full-time.", "Ada is employed part-time."),
        ("The boss of Ada is Jon.", "Ada's boss is Vera."),
        ("Ada's spouse is Jon.", "Ada is no longer married to Jon."),
        ("Ada's spouse is Jon.", "Ada and Ben got married."),
        ("Ada and Jon are coworkers.", "Jon is no longer a coworker of Ada."),
        ("Ada's step-parents include Jon.", "Jon is no longer a step-parent of Ada."),
    ],
)
def test_another_value_or_the_end_of_a_tie_is_a_conflict(old: str, new: str) -> None:
    assert compared(old, new) == compared(new, old) == "conflict"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada's spouse is Jon.", "Ada is no longer married to Ben."),
        ("Jon is a coworker of Ada.", "Ben is no longer a coworker of Ada."),
        ("Jon is a parent of Ada.", "Ada is a parent of Jon."),
        ("Jon is a sibling of Ada.", "Jon is no longer a coworker of Ada."),
    ],
)
def test_a_tie_to_somebody_else_is_another_fact(one: str, other: str) -> None:
    assert compared(one, other) == compared(other, one) == "different"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada's spouse is Jon.", "Ada is no longer married to Ben."),
        ("Ada's children include Cleo.", "Cleo is a child of Ada."),
        ("Ada and Jon are siblings.", "Ada is a sibling of Jon."),
        ("Jon is a parent-in-law of Ada.", "Ada's parents-in-law include Jon."),
    ],
)
def test_slots_tell_that_two_facts_hold_beside_each_other(one: str, other: str) -> None:
    assert READER.compare(Fact.make(one), Fact.make(other)) == "different"


def test_what_a_speaker_says_of_themselves_is_said_of_them() -> None:
    assert standalone("I work as a nurse.", title="Vera") == "Vera works as a nurse."
    assert standalone("I'm glad that my boss is Ines.", title="Vera") == "Vera is glad that Vera's boss is Ines."


@pytest.mark.parametrize(
    "said",
    [
        "The tower was damaged in World War I.",
        "World War I ended in 1918.",
        "Elizabeth I was queen.",
        "After the death of Élisabeth I he wrote little.",
        "The castle of Charles I's father burnt down.",
    ],
)
def test_the_number_of_a_name_is_no_speaker(said: str) -> None:
    assert standalone(said, title="Kim Larsen") == said


@pytest.mark.parametrize("before", ["Yesterday", "Today", "On Monday", "When asked", "Sometimes", "Luckily", "Jon and"])
def test_a_speaker_speaks_behind_any_word_that_is_no_name(before: str) -> None:
    assert standalone(f"{before} I met Ada.", title="Kim Larsen") == f"{before} Kim Larsen met Ada."


def test_a_quotation_is_not_the_speakers_own_word() -> None:
    said = 'Jon said "I resign" to the whole town.'
    assert standalone(said, title="Vera") == said


def test_a_headline_heads_every_sentence_where_that_is_asked_for() -> None:
    news = Evidence.make("He scored twice on the day.", title="jon aske joins oberau rovers")
    assert [fact.text for fact in facts_of(news, headed=True)] == [
        "jon aske joins oberau rovers",
        "jon aske joins oberau rovers: He scored twice on the day.",
    ]
    plain = Evidence.make("Jon Aske scored twice.", title="jon aske joins oberau rovers")
    assert [fact.text for fact in facts_of(plain)] == ["Jon Aske scored twice."]


def test_a_headline_does_not_hide_a_slot() -> None:
    headed = Statement.read("lundby council meets late: Ines Maar is the mayor of Lundby.")
    assert headed.compare(Statement.read("Jon Aske is the mayor of Lundby.")) == "conflict"


def said(text: str, when: str) -> Evidence:
    return Evidence.make(text, published=Interval.parse(when))


@pytest.mark.parametrize(
    "news",
    [
        "Carl Dahl is the former director of Tolvex.",
        "The director of Tolvex is Swedish.",
        "Bo Ek is a director of Tolvex.",
        "Bo Ek is one of the directors of Tolvex.",
    ],
)
def test_who_holds_an_office_keeps_it_until_another_is_named(news: str) -> None:
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords()) as store:
        texts = ("Ada Berg is the director of Tolvex.", news)
        LocalUpdater(store).update(
            [said(text, day) for text, day in zip(texts, ("2019", "2022"), strict=True)], known_at=NOW
        )
        assert store.value("Tolvex", attribute="director", as_of="2023").values == ("Ada Berg",)


def test_facts_are_found_by_the_names_in_them_as_they_stood() -> None:
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords()) as store:
        updater, found = LocalUpdater(store), KeywordFacts(store)
        updater.update([said("Ada Berg works at Tolvex.", "2020-01-01")], known_at=NOW)
        assert [one.fact.text for one in found.search("Where does Ada Berg work?")] == ["Ada Berg works at Tolvex."]
        updater.update([said("Ada Berg works at Maar Clinic.", "2022-01-01")], known_at=NOW)
        updater.update([said("Jon Aske rows on the lake.", "2022-01-01")], known_at=NOW)
        now, then = found.search("Ada Berg?", k=5), found.search("Ada Berg?", as_of=date(2021, 1, 1), k=5)
        assert [one.fact.text for one in now] == ["Ada Berg works at Maar Clinic."]
        assert [one.fact.text for one in then] == ["Ada Berg works at Tolvex."]
        assert len(found.search("Ada Berg?", which="any")) == 2
        with pytest.raises(BadInput, match="k must be"):
            found.search("Ada", k=0)
