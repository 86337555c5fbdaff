"""The tagger: names, titles and numbers are no times, and nothing that is one is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.language.word_lists import word_table
from dateline.temporal import Interval, find_expressions
from dateline.temporal.language_files import LANGUAGES, name_forms
from dateline.temporal.name_features import features
from dateline.temporal.name_kinds import name_kinds
from dateline.temporal.tagger import JUDGED, accepts, is_time, judged_letter, weights
from dateline.temporal.tokens import Tokens

ANCHOR = Interval.of_day(2025, 2, 13)
YEARS = st.integers(1900, 2035).filter(lambda year: year % 100)  # the grammar takes round numbers for amounts

NUMBERS = [
    "My Renault {} is old.",
    "Is extension {} busy?",
    "We moved to office {} upstairs.",
    "Set port {} in the file.",
    "She booked BA {} to Rome.",
    "Their shop is at {} Oak Street.",
    'The novel "{}" won a prize.',
    "Who wrote {}?",
    "The file has {} lines.",
    "Tickets for Expo {} sold out.",
    "The heater draws {} Wh.",
    "They sell rolls of {} x 60 mm.",
    "Reference 07-11-{}-K is out of print.",
    "Phone: 0711 {}-1988",
    "Ordinance (EC) No {}/2009 was repealed.",
    "Rooms cost CHF {} a night.",
    "She drinks Hofgold {} with lemon, a stout.",
    "Runner number {} fell at the bridge.",
    "Invoice no. {} was never paid.",
    "Kiosk {} sells maps.",
    "They forwarded voucher {} to the desk.",
]
TIMES = [
    "In {} the library moved.",
    "The library moved in {}.",
    "{} was a good year.",
    "What was our revenue {}?",
    "Sales in {} were flat.",
    "The summer of {} was dry.",
    "Before {} nobody complained.",
    "She led the club from {} to 2040.",
    "The {} budget was cut.",
]


@given(st.sampled_from(NUMBERS), YEARS)
def test_numbers_in_names_titles_and_labels_are_no_years(text: str, year: int) -> None:
    assert not find_expressions(text.format(year), anchor=ANCHOR)


@given(st.sampled_from(TIMES), YEARS)
def test_years_stay_years(text: str, year: int) -> None:
    assert [one for one in find_expressions(text.format(year), anchor=ANCHOR) if one.interval]


@pytest.mark.parametrize(
    "text",
    [
        "April and June are my cousins.",
        "The third quarter of the derby was rough.",
        "The lighthouse keeper ran it in 2:58:31.",
        "Last time they watched 2013: The Glass War.",
        "Oscar Sunday owns the bakery.",
        "They named the horse Tuesday and sold it.",
        "She reports for the Tomorrow show.",
        "18th Century Studios built the set.",
        "The ferry calls at Easter Island.",
        '"Winter of \'63" is her saddest song.',
        "How many of the 1400 crates were lost?",
        '"Tuesday Night Lanterns" is a dull film.',
        "We ate at Café November.",
        "Midnight in Tampa is a musical.",
        "The second quarter was scoreless, and the visitors trailed.",
        "Ask June about the cello.",
        "Please install version 4.10.2018 of the driver.",
        "Summer Lane leads to the quay.",
    ],
)
def test_names_and_results_are_no_times(text: str) -> None:
    assert not [one for one in find_expressions(text, anchor=ANCHOR) if one.interval]


@pytest.mark.parametrize(
    "text",
    [
        "The Christmas market opened in Lund.",
        "Oscar arrives on Sunday.",
        "The horse arrived Tuesday in a van.",
        "The mill dates from the 18th Century.",
        "The permit dated 19/08/2024 has lapsed.",
        "The 1987 crates scandal broke in Lund.",
        "On Tuesday night the lanterns were lit.",
        "The café was shut in November.",
        "At midnight the musical ended.",
        "The second quarter was weak, and the bank lost money.",
        "In June we heard the cello.",
        "Version 4 of the driver came on 4.10.2018.",
        "In summer the lane to the quay is closed.",
        "The plan was announced Thursday.",
        "From 1974 to 1996 she kept the kiosk.",
    ],
)
def test_what_stands_beside_names_stays_a_time(text: str) -> None:
    assert [one for one in find_expressions(text, anchor=ANCHOR) if one.interval]


@pytest.mark.parametrize(
    "text",
    [
        "Die Feier ist am Platz des 3. Oktober.",
        "Herr Montag und Frau Winter sind krank.",
        "Zum Gut gehören neun Morgen Wald.",
        "Die Halle steht in 2033 Ebersdorf.",
        "Le kiosque est sur la place du 2 août.",
        "Voir la norme EN 1998.",
        "La tienda está en la calle 3 de Abril.",
        "El código es el 1987.",
        "Il bar è in piazza 2 Giugno.",
        "O código é o 1987.",
        "A farmácia fica na Rua 7 de Setembro.",
        "Mevrouw Zaterdag opent de deur.",
        "Die Hausnummer 1987 fehlt.",
        "Das Café Herbst öffnet bald.",
        "Julia Sommer und Anna Freitag spielen.",
        "La directive 2016/34/UE s'applique aux ponts.",
        "El punto 3.4.2018 de la lista falta.",
        "Il romanzo Domani è lungo.",
        "A revista Hoje saiu.",
        "Versie 3.11.2019 is stabiel.",
    ],
)
def test_names_and_numbers_are_told_from_times_in_other_languages_too(text: str) -> None:
    assert not [one for one in find_expressions(text, anchor=ANCHOR) if one.interval]


@pytest.mark.parametrize(
    ("code", "word", "kind"),
    [
        ("en", "albums", "work"),
        ("de", "Zimmernummer", "label"),
        ("nl", "Marktplein", "street"),
        ("fr", "roman", "work"),
    ],
)
def test_words_beside_names_have_one_kind_in_all_languages(code: str, word: str, kind: str) -> None:
    assert name_kinds(code)[word] == kind


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_knows_the_same_kinds(code: str) -> None:
    assert set(name_forms(code)) <= set(word_table("name_kinds"))


@given(st.text(max_size=80), st.integers(0, 20), st.sampled_from(sorted(JUDGED)))
def test_any_place_of_any_text_can_be_judged(text: str, first: int, rule: str) -> None:
    tokens = Tokens(text)
    first = min(first, len(tokens))
    if first == len(tokens):
        return
    letter = judged_letter(tokens, first, first + 1, rule=rule)
    taken = is_time(tokens, first, first + 1, rule=rule)
    assert taken or (
        letter is not None and not accepts(features(tokens, first, first + 1, letter=letter), table=weights())
    )


def test_what_is_not_judged_is_a_time() -> None:
    assert is_time(Tokens("on 6 May 2021"), 1, 4, rule="calendar_day")
