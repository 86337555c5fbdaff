"""How strongly texts name somebody, what they say of the tie, and headlines in addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.language.names import find_names
from dateline_bench.readers.headline import headline_of
from dateline_bench.readers.naming import PHRASE, Folded, Name, alternatives
from dateline_bench.readers.stance import stance_of


def strength(name: str, text: str) -> float:
    return Name.of(name).strength(Folded.of(text))


def test_a_name_in_full_counts_most_then_its_words_then_its_last_one() -> None:
    full = strength("Ada Berg", "The town elected Ada Berg.")
    turned = strength("Ada Berg", "Berg, Ada: elected")
    last = strength("Ada Berg", "The town elected Berg.")
    assert full == PHRASE > turned == 1.0 > last > strength("Ada Berg", "The town elected Ada Holm.") > 0


def test_initials_name_a_body_of_three_words_or_more() -> None:
    assert strength("Norland League of Rowing Clubs", "The NLRC met in Lundby.") >= 0.9
    assert strength("Lundby United", "The lu in the text is no name") == 0


def test_words_that_many_names_share_tell_little() -> None:
    assert strength("Oberau Football Club", "The football club lost.") < 0.5 < strength("Oberau FC", "Oberau lost.")


def test_words_that_alternatives_share_do_not_tell_them_apart() -> None:
    law, arts = alternatives(["Lundby School of Law", "Oberau School of Law"])
    text = Folded.of("She teaches at the School of Law in Oberau.")
    assert arts.strength(text) > 3 * law.strength(text)


@given(st.text(), st.text())
def test_strength_lies_between_nothing_and_a_phrase(name: str, text: str) -> None:
    assert 0 <= strength(name, text) <= PHRASE


@given(st.text(alphabet="ab c", max_size=12), st.text(alphabet="ab c", max_size=40))
def test_a_place_lies_in_the_text(name: str, text: str) -> None:
    folded = Folded.of(text)
    place = Name.of(name).place(folded)
    assert place is None or 0 <= place[0] < place[1] <= len(folded.words)


def test_runs_of_capitals_are_names() -> None:
    found = [match.group() for match in find_names("Then Ada van Berg left the Bank of Lundby for 49ers training")]
    assert found == ["Then Ada van Berg", "Bank of Lundby"]


@pytest.mark.parametrize(
    ("sentence", "name", "stance"),
    [
        ("Ada Berg joins Oberau Rovers from Lundby United", "Oberau Rovers", "begins"),
        ("Ada Berg joins from Lundby United", "Lundby United", "ends"),
        ("Ada Berg leaves Lundby United for Oberau Rovers", "Lundby United", "ends"),
        ("Former Lundby United keeper Ada Berg is back", "Lundby United", "ends"),
        ("Vera Holt succeeds Jon Aske as mayor", "Jon Aske", "ends"),
        ("Vera Holt succeeds Jon Aske as mayor", "Vera Holt", "begins"),
        ("Jon Aske steps down after ten years", "Jon Aske", "ends"),
        ("Jon Aske was appointed Minister for Harbours", "Minister for Harbours", "begins"),
        ("Oberau Rovers keeper Ada Berg saved twice", "Oberau Rovers", "holds"),
    ],
)
def test_cue_words_beside_a_name_say_what_becomes_of_the_tie(sentence: str, name: str, stance: str) -> None:
    text = Folded.of(sentence)
    place = Name.of(name).place(text)
    assert place is not None
    assert stance_of(text.words, place) == stance


@pytest.mark.parametrize(
    ("url", "headline"),
    [
        ("https://news.example/2023/may/02/ada-berg-joins-oberau.html", "ada berg joins oberau"),
        ("https://news.example/sport/Ada_Berg/", "Ada Berg"),
        ("https://news.example/sport/", ""),
        ("https://news.example", ""),
        ("http://[", ""),
        ("", ""),
    ],
)
def test_an_address_spells_out_its_headline(url: str, headline: str) -> None:
    assert headline_of(url) == headline


@given(st.text())
def test_any_address_is_read(url: str) -> None:
    assert isinstance(headline_of(url), str)
