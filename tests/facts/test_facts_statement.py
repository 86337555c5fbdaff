"""Reading sentences as slots and values."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.handwritten.facts.statement import Statement

CONFLICTS = [
    ("Ines Maar is the CEO of Tolvex.", "Jon Aske is the CEO of Tolvex."),
    ("Ines Maar is the CEO of Tolvex.", "The CEO of Tolvex is Jon Aske."),
    ("Ines Maar is the CEO of Tolvex.", "Jon Aske became Tolvex's CEO on 3 May 2021 after a vote."),
    ("Ines Maar became mayor of Lundby this morning.", "Jon Aske was sworn in as mayor of Lundby on Tuesday."),
    ("Ines Maar, 47, is the mayor of Lundby.", "On Monday, Jon Aske was elected mayor of Lundby."),
    ("The population of Lundby is 5,100.", "The population of Lundby is now 5,250."),
    ("The inflation rate of Norland is 15%.", "The inflation rate of Norland is 20%."),
    ("Tolvex employs 300 people.", "Tolvex employs 450 people."),
    ("Ines Maar lives in Lundby.", "Ines Maar now lives in Oberau."),
    ("Tolvex is headquartered in Lundby.", "Since 2020, Tolvex is headquartered in Oberau."),
    ("Ines Maar works for Tolvex.", "Ines Maar works at Brandt Lines."),
    ("Jon Aske plays for Lundby United.", "Jon Aske plays for Oberau Rovers."),
    ("Tolvex is owned by Brandt Lines.", "Tolvex is owned by Maar Holdings."),
    ("The capital of Norland is Lundby.", "The capital of Norland is Oberau."),
    ("Lundby United are coached by Jon Aske.", "Lundby United are coached by Ines Maar."),
    ("The director of the billing team is Ines Maar.", "The director of the billing team is now Jon Aske."),
    ("Ines Maar is the manager of the Lundby office.", "The manager of the Lundby office is Jon Aske."),
    ("Ines Maar leads the billing team.", "The billing team is led by Jon Aske."),
    ("The search service is owned by Ines Maar.", "Jon Aske owns the search service."),
    ("Ines Maar lives in York.", "Ines Maar lives in New York."),
    ("Jon Aske plays for Inter.", "Jon Aske plays for Inter Miami."),
    ("Tolvex is owned by Delta.", "Tolvex is owned by Delta Electronics."),
    ("The capital of Norland is Lundby.", "The capital of Norland is Old Lundby."),
    ("The price of the Tolvex card is $5.", "The price of the Tolvex card is €5."),
    ("The price of the Tolvex card is 1950 euros.", "The price of the Tolvex card is 2050 euros."),
]

OFFICES = [
    "Ines Maar is the Prime Minister of the United Kingdom.",
    "Ines Maar becomes British prime minister.",
    "On Tuesday Ines Maar was sworn in as the UK's 57th Prime Minister.",
    "Ines Maar, a lawyer by training, took office as Prime Minister of Britain after a short ceremony.",
    "Ines Maar succeeded Jon Aske as Prime Minister of the United Kingdom.",
    "The new British Prime Minister is Ines Maar.",
    "The prime minister of the United Kingdom is Ines Maar.",
]

SAME = [
    ("Ines Maar is the CEO of Tolvex.", "The CEO of Tolvex is Ines Maar."),
    ("Ines Maar is the CEO of Tolvex.", "Ines Maar is still the CEO of Tolvex."),
    ("Ines Maar is the CEO of Tolvex.", "Maar is the CEO of Tolvex"),
    ("The population of Lundby is 5,100.", "As of March 2022, the population of Lundby is 5,100."),
]

DIFFERENT = [
    ("Ines Maar is the CEO of Tolvex.", "Jon Aske is the CEO of Brandt Lines."),
    ("Ines Maar is the CEO of Tolvex.", "Jon Aske is the vice president of Tolvex."),
    ("Ines Maar is the president of Tolvex.", "Jon Aske is the vice president of Tolvex."),
    ("Ines Maar is the Prime Minister of Norland.", "Jon Aske is the Foreign Minister of Norland."),
    ("Ines Maar said Jon Aske became mayor of Lundby.", "Ines Maar became mayor of Oberau."),
    ("Ines Maar is a director of Tolvex.", "Jon Aske is a director of Tolvex."),
    ("Ines Maar is the CEO of Tolvex.", "Jon Aske is the former CEO of Tolvex."),
    ("Ines Maar was the CEO of Tolvex.", "Jon Aske is the CEO of Tolvex."),
    ("Ines Maar visited Lundby.", "Ines Maar visited Oberau."),
    ("Ines Maar likes Lundby.", "Jon Aske likes Lundby."),
    ("Ines Maar works for Tolvex.", "Jon Aske works for Tolvex."),
    ("Lundby lies in Norland.", "Lundby lies in Europe."),
    ("The election was held on 5 May 2019.", "The election was held on 7 May 2023."),
    ("The mayor of Lundby is angry.", "The mayor of Lundby is Jon Aske."),
    ("The mayor of Lundby is Swedish.", "The mayor of Lundby is Jon Aske."),
    ("The owner of USA Today is Ines Maar.", "The owner of the USA is Jon Aske."),
    ("Tolvex employs 300 people.", "Tolvex has 4 plants."),
    ("Jon Aske has been signed by Oberau 92.", "Jon Aske has been signed by Oberau 93."),
    ("Lundby has 5 schools.", "Lundby has 6 parks."),
    ("Jon Aske was elected to the council.", "Ines Maar was elected to the council."),
    ("The director of the billing team is Ines Maar.", "The director of the payments team is Jon Aske."),
    ("The head of the team is Ines Maar.", "The head of the team is Jon Aske."),
    ("Ines Maar is coach of the national team.", "Jon Aske is coach of the national team."),
    ("Ines Maar leads the race.", "Jon Aske leads the race."),
    ("Ines Maar owns the house.", "Jon Aske owns the house."),
]


@pytest.mark.parametrize(("old", "new"), CONFLICTS)
def test_another_value_in_the_same_slot_is_a_conflict(old: str, new: str) -> None:
    assert Statement.read(old).compare(Statement.read(new)) == "conflict"


@pytest.mark.parametrize("sentence", OFFICES)
def test_an_office_is_one_slot_however_it_is_named(sentence: str) -> None:
    statement = Statement.read(sentence)
    assert (statement.slot, statement.value) == ("role:prime minister of kingdom unit", ("ine", "maar"))


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_value_in_other_words_is_the_same(old: str, new: str) -> None:
    assert Statement.read(old).compare(Statement.read(new)) == "same"


@pytest.mark.parametrize(("old", "new"), DIFFERENT)
def test_what_can_hold_side_by_side_is_different(old: str, new: str) -> None:
    assert Statement.read(old).compare(Statement.read(new)) == "different"


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_can_be_read_and_compares_the_same_both_ways(left: str, right: str) -> None:
    one, other = Statement.read(left), Statement.read(right)
    assert one.compare(other) == other.compare(one)
    assert one.compare(one) == "same"


@given(
    st.integers(1, 20_000), st.sampled_from(["is ", "of ", "1,", "May 19 ", "( ", "A, ", "has been ", "Ada's ", "A B "])
)
def test_reading_is_quick_on_long_repetitive_text(length: int, piece: str) -> None:
    started = time.process_time()
    Statement.read((piece * length)[:20_000])
    assert time.process_time() - started < 0.2
