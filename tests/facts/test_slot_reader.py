"""What sentences say of whom: read in the words of anybody, named as the pack names it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.facts import Fact, SlotPack
from dateline.facts.slot_reader import SlotReader

READER = SlotReader(SlotPack.shipped())


def told(text: str) -> set[tuple[str, ...]]:
    return {(*each.slot.model_dump().values(), *(["ended"] if each.ended else [])) for each in READER.read(text)}


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "value"),
    [
        ("Marta Ruiz is the CEO of Tolvex.", "Tolvex", "chief executive", "Marta Ruiz"),
        ("Tolvex has been based in Lund since 2019.", "Tolvex", "headquarters", "Lund"),
        ("Jon Holm moved to Porto in May 2021.", "Jon Holm", "residence", "Porto"),
        ("Jon Holm now lives in Lisbon with his sister.", "Jon Holm", "residence", "Lisbon"),
        ("The Lund office's phone number is 555 0114.", "Lund office", "phone", "555 0114"),
        ("The phone number of the Lund office is 555 0114.", "Lund office", "phone", "555 0114"),
        ("Ada Berg is managed by Eva Lund.", "Ada Berg", "boss", "Eva Lund"),
        ("Eva Lund is Ada Berg's manager.", "Ada Berg", "boss", "Eva Lund"),
        ("The Basic plan costs $12 a month.", "Basic plan", "price", "$12 a month"),
        ("The price of the Basic plan is now $14.", "Basic plan", "price", "$14"),
        ("Ines Maar owns the bakery.", "bakery", "owner", "Ines Maar"),
        ("The bakery belongs to Ines Maar.", "bakery", "owner", "Ines Maar"),
        ("Kim Olsen leads the billing team.", "billing team", "head", "Kim Olsen"),
        ("Holt's latest version is 4.3.", "Holt", "version", "4.3"),
        ("Rosa is Wim's sister.", "Wim", "sibling", "Rosa"),
        ("The salary of a nurse at Tolvex is $90,000.", "nurse at Tolvex", "salary", "$90,000"),
        ("Ada is employed part-time.", "Ada", "employment type", "part-time"),
        ("Norland Rail is in the transport industry.", "Norland Rail", "industry", "transport"),
        ("One needs bait as equipment for fishing.", "fishing", "equipment", "bait"),
        ("The gate code of Oby Park is 4471.", "Oby Park", "gate code", "4471"),
        ("The plant is managed by Ada in a building called Maar House.", "plant", "boss", "Ada"),
        ("Tolvex is now called Maar Clinic.", "Tolvex", "name", "Maar Clinic"),
        ("Tolvex changed its name to Maar Clinic.", "Tolvex", "name", "Maar Clinic"),
    ],
)
def test_one_value_is_read_in_many_constructions(text: str, subject: str, attribute: str, value: str) -> None:
    assert told(text) == {(subject, attribute, value)}


def compared(earlier: str, later: str) -> str | None:
    return READER.compare(Fact.make(later), Fact.make(earlier))


def test_a_name_cut_short_is_the_same_value_and_a_noun_that_says_more_is_left_to_the_judge() -> None:
    assert compared("Ada Berg is managed by Eva Lund.", "Ada Berg is managed by Lund.") == "different"
    assert compared("Jon Holm works as an engineer.", "Jon Holm works as a senior engineer.") is None
    assert compared("Jon Holm works as an engineer.", "Jon Holm works as a cook.") == "conflict"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada Berg lives in York.", "Ada Berg lives in New York."),
        ("Ada Berg lives in Porto.", "Ada Berg lives in Porto Alegre."),
        ("Ada Berg works at Delta.", "Ada Berg works at Delta Electronics."),
        ("Bo Ek plays for Inter.", "Bo Ek plays for Inter Miami."),
        ("Ada's address is 12 Main Street.", "Ada's address is 12 Oak Street."),
        ("The opening hours of Lund Zoo are 9 am to 5 pm.", "The opening hours of Lund Zoo are 9 pm to 5 am."),
        ("The price of the Lund pass is 5 euros.", "The price of the Lund pass is 5 dollars."),
        ("The price of the Lund pass is $5.", "The price of the Lund pass is €5."),
        ("The limit of the Lund card is 1950 euros.", "The limit of the Lund card is 2050 euros."),
        ("Ada's salary is 1950 euros.", "Ada's salary is 2050 euros."),
    ],
)
def test_another_word_makes_another_value_in_a_sentence_as_in_a_field(one: str, other: str) -> None:
    (mine,), (theirs,) = READER.read(one), READER.read(other)
    assert compared(one, other) == compared(other, one) == mine.slot.compare(theirs.slot) == "conflict"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The opening hours of Lund Zoo are 9am to 5pm.", "The opening hours of Lund Zoo are 9 am to 5 pm."),
        ("Ada's phone number is 555 0114.", "Ada's phone number is 555-0114."),
        ("Berg is the director of Tolvex.", "Ada Berg is the director of Tolvex."),
        ("Ada's boss is Eva.", "Ada's boss is Eva Lund."),
    ],
)
def test_another_spelling_of_a_value_is_the_same(one: str, other: str) -> None:
    assert compared(one, other) == compared(other, one) == "different"


def test_a_value_that_says_more_is_left_to_the_judge() -> None:
    one, other = "The price of the Lund pass is $12.", "The price of the Lund pass is $12 a month."
    assert compared(one, other) is None
    assert compared(other, one) is None


def test_one_sentence_fills_several_slots() -> None:
    assert told("Ada changed jobs and now works as a cook at Tolvex.") == {
        ("Ada", "job title", "cook"),
        ("Ada", "employer", "Tolvex"),
    }
    assert told("Wim speaks Dutch and German.") == {("Wim", "language", "Dutch"), ("Wim", "language", "German")}
    assert told("Ada and Eva work at Tolvex.") == {("Ada", "employer", "Tolvex"), ("Eva", "employer", "Tolvex")}


def test_what_is_over_is_read_as_ended() -> None:
    assert told("Oda no longer works at Tolvex.") == {("Oda", "employer", "Tolvex", "ended")}
    assert told("Jon is no longer a coworker of Ada.") == {("Ada", "colleague", "Jon", "ended")}


def test_a_denial_covers_all_that_its_verb_says() -> None:
    assert told("Ada no longer works as a cook at Tolvex.") == {
        ("Ada", "job title", "cook", "ended"),
        ("Ada", "employer", "Tolvex", "ended"),
    }
    assert compared("Ada works at Maar Clinic.", "Ada no longer works as a cook at Tolvex.") == "different"


@pytest.mark.parametrize(
    "text",
    [
        "Carl Dahl is the former director of Tolvex.",
        "The former director of Tolvex is Carl Dahl.",
        "The director of Tolvex is away.",
        "The director of Tolvex is Swedish.",
        "The director of Tolvex is in Porto.",
        "The director of Tolvex is pleased with the results.",
        "Bo Ek is a director of Tolvex.",
        "Bo Ek is one of the directors of Tolvex.",
        "The directors of Tolvex include Bo Ek.",
    ],
)
def test_what_names_no_holder_of_today_gives_an_office_no_value(text: str) -> None:
    assert not {said for said in told(text) if said[:2] == ("Tolvex", "director")}
    assert compared("Ada Berg is the director of Tolvex.", text) != "conflict"


@pytest.mark.parametrize("holder", ["Ada Berg", "Al-Assad", "de Gaulle", "王伟", "Łukasz Nowak"])
def test_people_of_every_alphabet_hold_an_office(holder: str) -> None:
    assert told(f"The director of Tolvex is {holder}.") == {("Tolvex", "director", holder)}


@pytest.mark.parametrize("text", ["Bo Ek is a director of Tolvex.", "Bo Ek is one of the directors of Tolvex."])
def test_one_of_several_holds_beside_any_other(text: str) -> None:
    assert compared("Ada Berg is the director of Tolvex.", text) == "different"
    assert told("Jon is a friend of Ada.") == {("Ada", "friend", "Jon")}


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "value"),
    [
        ("The owner of USA Today is Gannett.", "USA Today", "owner", "Gannett"),
        ("The owner of the Sunday Times is Maar Holdings.", "Sunday Times", "owner", "Maar Holdings"),
        ("Today the owner of the mill is Ada Berg.", "mill", "owner", "Ada Berg"),
        ("On Monday, Ada Berg is the director of Tolvex.", "Tolvex", "director", "Ada Berg"),
        ("The limit of the Tolvex card is 1950 euros.", "Tolvex card", "limit", "1950 euros"),
        ("The limit of the Tolvex card is 1950.", "Tolvex card", "limit", "1950"),
        ("As of early 2021 the limit of the Tolvex card is 300 euros.", "Tolvex card", "limit", "300 euros"),
    ],
)
def test_words_of_time_are_left_out_and_names_and_amounts_kept(
    text: str, subject: str, attribute: str, value: str
) -> None:
    assert told(text) == {(subject, attribute, value)}


@pytest.mark.parametrize(
    "text",
    [
        "Oda said that Jon lives in Oslo.",
        "If elected, Oda is the mayor of Lund.",
        "Oda visited Tolvex in Oslo.",
        "Oda may move to Porto.",
        "Oda is called to the bar.",
        "The museum is in a town called Lund.",
        "She works at Tolvex.",
        "The seal is in the drawer under it.",
    ],
)
def test_what_gives_nobody_a_value_is_not_read(text: str) -> None:
    assert told(text) == set()


@given(st.text(alphabet="AaOdaworksatTolvexis'the of,.1$ ", max_size=200))
def test_any_text_is_read(text: str) -> None:
    for slot, *_ in READER.read(text):
        assert slot.subject
        assert slot.value


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("Ada works at Tolvex.", "Ada is employed at Maar Clinic.", "conflict"),
        ("Ada works at Tolvex.", "Ada is employed at Tolvex.", "different"),
        ("Ada works at Tolvex.", "Ada no longer works at Tolvex.", "conflict"),
        ("Ada works at Tolvex.", "Jon works at Maar Clinic.", "different"),
        ("Ada speaks Dutch.", "Ada speaks German.", "different"),
        ("The gate code of Oby Park is 4471.", "The gate code of Oby Park is 9920.", None),
        ("Ada works at Tolvex.", "Ada rows on the lake.", None),
    ],
)
def test_slots_tell_what_two_facts_are_to_each_other_or_nothing(one: str, other: str, found: str | None) -> None:
    assert READER.compare(Fact.make(one), Fact.make(other)) == found
    assert READER.compare(Fact.make(other), Fact.make(one)) == found


def test_a_question_tells_which_slots_it_asks_for() -> None:
    assert "Zoe" in READER.subjects("List all coworkers of Zoe.")
    assert READER.asked("List all coworkers of Zoe.") == ["colleague"]
    assert READER.asked("Does Zoe work full-time or part-time?") == ["employment type"]
    assert READER.asked("what is new?") == []


@pytest.mark.parametrize("verb", ["remains", "was named", "met the new"])
def test_whoever_is_of_an_office_does_not_have_it_as_a_value(verb: str) -> None:
    assert READER.read(f"Ada Berg {verb} director of Tolvex.") == ()
