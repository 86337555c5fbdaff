"""Times in German, French, Spanish, Italian, Portuguese and Dutch."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline.errors import BadInput
from dateline.temporal import Interval, decompose, find_expressions
from dateline.temporal.european_rules import EUROPEAN_GRAMMAR
from dateline.temporal.first_letters import first_letters
from dateline.temporal.language_files import foreign, language_file
from dateline.temporal.languages_told import LANGUAGES, told

ANCHOR = Interval.parse("2025-05-14")  # a Wednesday
NOON = datetime(2025, 5, 14, 12, tzinfo=UTC)
FOREIGN = LANGUAGES[1:]

SAID: dict[str, dict[str, str]] = {
    "de": {
        "Heute vor zwei Wochen kam der Brief.": "2025-04-30",
        "In den ersten drei Monaten 2019 regnete es.": "2019-01-01/2019-04-01",
        "Die Rechnung vom 5. d. M. ist bezahlt.": "2025-05-05",
        "Im Vorjahr war der Umsatz besser.": "2024",
        "Vor einem halben Jahr zog er um.": "2024-11",
        "Die Führung beginnt am 3. Juni 2025, 17.15 Uhr.": "2025-06-03T17:15:00",
        "Die Frist endet am 5. Mai 2024 um 24 Uhr.": "2024-05-06",
        "Der Saal war bis Ende März geschlossen.": "../2025-04-01",
        "Am 3. März 2021 war es kalt.": "2021-03-03",
        "Das Dach wurde im 2. Quartal 2023 gedeckt.": "2023-04-01/2023-07-01",
        "Er wohnte vom 28. Dezember 2023 bis 3. Januar 2024 hier.": "2023-12-28/2024-01-04",
        "Sie ging vor drei Jahren.": "2022",
        "Die vorletzte Woche war ruhig.": "2025-04-28/2025-05-05",
        "Seit letztem März ist er krank.": "2025-03/..",
        "Das war Anfang der neunziger Jahre.": "1990-01-01/1994-01-01",
        "Der Ostermontag 2021 war verregnet.": "2021-04-05",
        "Der Antrag vom 14.2. fehlt.": "2025-02-14",
    },
    "fr": {
        "La première quinzaine de mars fut froide.": "2025-03-01/2025-03-16",
        "Il y a deux hivers, le lac a gelé.": "2023-12-01/2024-03-01",
        "Le chantier démarrera en mars.": "2026-03",
        "Il est parti le 1er mars 2021.": "2021-03-01",
        "Le T3 2024 fut bon.": "2024-07-01/2024-10-01",
        "Elle y travaille depuis deux ans.": "2023-05-14/..",
        "Il y a trois semaines il pleuvait.": "2025-04-21/2025-04-28",
        "Le mois dernier, rien.": "2025-04",
        "C'était au XIXe siècle.": "1800-01-01/1900-01-01",
        "Les années 1990 sont loin.": "1990-01-01/2000-01-01",
        "La réunion est fixée à après-demain.": "2025-05-16",
    },
    "es": {
        "La Semana Santa de 2019 fue seca.": "2019-04-14/2019-04-22",
        "Los primeros dos meses de 2020 fueron buenos.": "2020-01-01/2020-03-01",
        "Recibí su nota del 6 del corriente.": "2025-05-06",
        "Nació el 3 de marzo de 2021.": "2021-03-03",
        "El lunes pasado llovió.": "2025-05-12",
        "Hace tres semanas que no viene.": "2025-04-21/2025-04-28",
        "Fue a mediados de los años ochenta.": "1983-01-01/1987-01-01",
        "La semana que viene no estoy.": "2025-05-19/2025-05-26",
        "El museo estuvo abierto de 2015 a 2018.": "2015-01-01/2019-01-01",
        "Vino anteayer.": "2025-05-12",
    },
    "it": {
        "La seconda quindicina di marzo è stata mite.": "2025-03-16/2025-04-01",
        "Mezzo secolo fa non c'era niente.": "1975",
        "È nato il 3 marzo 2021.": "2021-03-03",
        "Dal 2017 vive a Roma.": "2017/..",
        "È aperto dal 3 al 7 giugno 2023.": "2023-06-03/2023-06-08",
        "Negli anni Sessanta era chiuso.": "1960-01-01/1970-01-01",
        "È successo tre settimane fa.": "2025-04-21/2025-04-28",
        "Il lunedì di Pasqua 2021 ero a casa.": "2021-04-05",
        "Lo scorso inverno non ha nevicato.": "2024-12-01/2025-03-01",
    },
    "pt": {
        "De hoje a três semanas há eleições na escola.": "2025-06-04",
        "Há dois verões choveu muito.": "2023-06-01/2023-09-01",
        "Nasceu em 3 de março de 2021.": "2021-03-03",
        "O 3T23 foi fraco.": "2023-07-01/2023-10-01",
        "Há dois anos era mais barato.": "2023",
        "Na próxima segunda-feira não há aula.": "2025-05-19",
        "Foi no final dos anos 80.": "1986-01-01/1990-01-01",
        "De março a junho de 2020 esteve fechado.": "2020-03-01/2020-07-01",
    },
    "nl": {
        "Vorige week vrijdag was het feest.": "2025-05-09",
        "Over een week of twee is het klaar.": "2025-05-26/2025-06-02",
        "Het begint half september 2025.": "2025-09-11/2025-09-21",
        "Het was op 3 maart 2021.": "2021-03-03",
        "Drie weken geleden regende het.": "2025-04-21/2025-04-28",
        "In de jaren zestig was het anders.": "1960-01-01/1970-01-01",
        "Hij kwam in het tweede kwartaal van 2023.": "2023-04-01/2023-07-01",
        "Van 28 december 2023 tot en met 3 januari 2024 zijn we dicht.": "2023-12-28/2024-01-04",
        "Volgend jaar wordt het beter.": "2026",
    },
}
NO_TIMES: dict[str, tuple[str, ...]] = {
    "de": ("Die Halle hat 2000 Plätze.", "Frau März ist im Zimmer 2019.", "Es dauert zwei Tage."),
    "fr": ("Il a été malade.", "La salle 2019 a 1200 places.", "La sonde est arrivée sur Mars."),
    "es": ("Julio y Domingo son primos.", "La sala tiene 2000 plazas.", "Duró dos semanas."),
    "it": ("Non l'ho mai visto.", "La sala ha 2000 posti.", "Domenica Bianchi è mia zia."),
    "pt": ("O mar estava calmo.", "A sala tem 2000 lugares.", "Abril Santos é a minha tia."),
    "nl": ("De zaal heeft 2000 plaatsen.", "We zijn met 2015 leden.", "Het duurde twee weken."),
}
ASKED: dict[str, tuple[str, str, str, str]] = {
    "de": ("Wer war 2018 Direktor?", "Wer war Direktor?", "at", "2018"),
    "fr": ("Qui était le maire de Lyon en mars dernier ?", "Qui était le maire de Lyon?", "at", "2025-03"),
    "es": ("¿Quién dirigía el museo antes de 2010?", "¿Quién dirigía el museo?", "before", "2010"),
    "it": ("Cosa è cambiato da gennaio?", "Cosa è cambiato?", "since", "2025-01"),
    "pt": ("Que erros houve depois de 3 de maio de 2022?", "Que erros houve?", "after", "2022-05-03"),
    "nl": ("Wie woonde er tot eind 2019?", "Wie woonde er?", "until", "2019-09-01/2020-01-01"),
}


@pytest.mark.parametrize(("code", "text"), [(code, text) for code in FOREIGN for text in SAID[code]])
def test_a_time_is_read_as_it_is_meant(code: str, text: str) -> None:
    found = [each.interval for each in find_expressions(text, anchor=ANCHOR) if each.interval is not None]
    assert [str(interval) for interval in found] == [SAID[code][text]]


@pytest.mark.parametrize(("code", "text"), [(code, text) for code in FOREIGN for text in SAID[code]])
def test_the_language_is_told_by_the_words(code: str, text: str) -> None:
    assert told(text).code == code


@pytest.mark.parametrize("text", [text for code in FOREIGN for text in NO_TIMES[code]])
def test_names_numbers_and_lengths_are_no_times(text: str) -> None:
    assert [each.text for each in find_expressions(text, anchor=ANCHOR) if each.interval is not None] == []


@pytest.mark.parametrize("code", FOREIGN)
def test_a_question_is_taken_apart(code: str) -> None:
    text, content, relation, interval = ASKED[code]
    question = decompose(text, as_of=NOON)
    assert question.constraint is not None
    said = (question.content, question.constraint.relation, str(question.constraint.interval))
    assert said == (content, relation, interval)


@pytest.mark.parametrize(
    "text",
    [
        "Wer ist seit der Wahl 2021 Bürgermeister?",
        "Qui est maire depuis l'élection de 2021 ?",
        "¿Quién es alcalde desde las elecciones de 2021?",
        "Chi è sindaco dalle elezioni del 2021?",
        "Quem é prefeito desde a eleição de 2021?",
        "Wie is burgemeester sinds de verkiezingen van 2021?",
    ],
)
def test_a_year_that_tells_an_event_bounds_a_question(text: str) -> None:
    constraint = decompose(text, as_of=NOON).constraint
    assert constraint is not None
    assert (constraint.relation, str(constraint.interval)) == ("since", "2021")


@pytest.mark.parametrize(
    "text",
    [
        "Wer war nach 2005 und vor 2010 Trainer?",
        "Wer war nach 2005 und vor 2010 als Trainer tätig?",
        "¿Quién fue el alcalde que gobernó después de 2005 y antes de 2010?",
        "Wie was na 2005 en voor 2010 dan de trainer?",
    ],
)
def test_two_bounds_become_one_range(text: str) -> None:
    question = decompose(text, as_of=NOON)
    assert question.constraint is not None
    assert (question.constraint.relation, str(question.constraint.interval)) == ("between", "2006-01-01/2010-01-01")


def test_a_date_of_a_thing_stays_in_the_content() -> None:
    assert decompose("Wer leitet das 1999 gegründete Museum?", as_of=NOON).constraint is None
    assert decompose("Qui dirige l'institut fondé en 1969 ?", as_of=NOON).constraint is None


def test_whoever_is_in_office_now_is_the_last() -> None:
    assert decompose("Wer ist der aktuelle Leiter?", as_of=NOON).ordinal == "last"


@pytest.mark.parametrize(
    "text", ["War sie vor 2010 größer als nach 2005?", "¿Era mayor antes de 2010 que después de 2005?"]
)
def test_what_compares_two_times_has_no_constraint(text: str) -> None:
    assert decompose(text, as_of=NOON).constraint is None


@pytest.mark.parametrize(
    "text",
    [
        "Qui est le premier ministre de la France ?",
        "¿Quién es el primer ministro?",
        "Chi è il primo ministro?",
        "Quem é o primeiro-ministro?",
        "Wie is de eerste minister?",
        "Wer ist Erster Vorsitzender?",
        "Wer war 2010 Erste Bürgermeisterin?",
        "¿Quién es primer ministro desde 2020?",
        "Chi era direttore prima della guerra?",
        "Chi era direttore dopo il 2005 e prima del 2010?",
        "Wer war nach dem ersten Quartal 2010 und vor 2015 Trainer?",
    ],
)
def test_who_holds_a_place_called_the_first_is_not_the_earliest(text: str) -> None:
    assert decompose(text, as_of=NOON).ordinal is None


@pytest.mark.parametrize(
    "text",
    [
        "Wer war der erste Trainer?",
        "Qui fut la première directrice ?",
        "Qui est le premier à avoir gagné ?",
        "Qui était le premier après 2010 ?",
        "¿Quién es el primero que ganó?",
        "Chi è stato il primo sindaco?",
        "Wie was de eerste burgemeester?",
    ],
)
def test_the_first_to_do_something_is_the_earliest(text: str) -> None:
    assert decompose(text, as_of=NOON).ordinal == "first"


def test_english_is_read_where_nothing_speaks_for_another() -> None:
    for text in ("2019", "Ada Berg", "", "1937-05-01", "May 2021", "December 2024"):
        assert told(text).code == "en"


def test_a_month_in_another_language_is_understood_in_english_notes() -> None:
    found = find_expressions("notes from maggio 2025", anchor=ANCHOR)
    assert [str(each.interval) for each in found] == ["2025-05"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Les maisons bâties avant 1950 sont petites.", ["../1950-01-01", "1950"]),
        ("Die Häuser stammen aus der Zeit nach 1950 und sind klein.", ["1950"]),
        ("Las casas levantadas tras 1950 son pequeñas.", ["1950"]),
        ("De huizen van voor 1950 zijn klein.", ["1950"]),
        ("Le case costruite dopo il 1950 sono piccole.", ["1950"]),
    ],
)
def test_a_word_that_bounds_times_tells_a_year(text: str, expected: list[str]) -> None:
    found = [str(each.interval) for each in find_expressions(text, anchor=ANCHOR)]
    assert len(found) == 1
    assert found[0] in expected


@pytest.mark.parametrize(
    "text",
    [
        "Er is subsidie voor 1850 woningen.",
        "Er is subsidie voor 1900 woningen.",
        "Après 1650 interventions, les pompiers sont fatigués.",
        "Les pompiers sont fatigués après 1850 interventions.",
        "El equipo está cansado tras 1850 kilos de carga.",
        "Ci sono ritardi dopo 1850 chiamate della gente.",
        "A equipa está cansada após 1850 chamadas.",
        "Die Halle ist nach 1850 Einsätzen müde.",
    ],
)
def test_what_is_counted_behind_a_word_that_also_bounds_times_is_no_year(text: str) -> None:
    assert find_expressions(text, anchor=ANCHOR) == []


def test_a_year_after_a_bound_constrains_a_question() -> None:
    question = decompose("Qui dirigeait le musée avant 2010 avec sa sœur ?", as_of=NOON)
    assert question.constraint is not None
    assert (question.constraint.relation, str(question.constraint.interval)) == ("before", "2010")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("La première semaine du mois dernier, il a plu.", "2025-04-01/2025-04-08"),
        ("La première moitié de la semaine prochaine, elle est absente.", "2025-05-19/2025-05-22"),
        ("Die Zahlen im letzten Quartal 2019 waren gut.", "2019-10-01/2020-01-01"),
        ("Il pleut depuis une quinzaine.", "2025-04-30/.."),
    ],
)
def test_a_part_is_one_of_the_period_that_is_named(text: str, expected: str) -> None:
    assert [str(each.interval) for each in find_expressions(text, anchor=ANCHOR)] == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "Die Zahlen im vorigen Quartal 2019 waren gut.",
        "Anfang des vorigen Quartals 2019 war es noch gut.",
        "Het was beter dan in het vorige kwartaal van 2019.",
        "È andata meglio del precedente trimestre del 2019.",
        "Fue mejor que el anterior trimestre de 2019.",
    ],
)
def test_the_quarter_before_another_of_a_year_may_be_any(text: str) -> None:
    assert [str(each.interval) for each in find_expressions(text, anchor=ANCHOR)] == ["2019"]


@pytest.mark.parametrize(
    ("code", "last", "before"),
    [
        ("de", "letzten", "vorigen"),
        ("fr", "dernier", "précédent"),
        ("es", "último", "anterior"),
        ("it", "ultimo", "precedente"),
        ("pt", "último", "anterior"),
        ("nl", "laatste", "vorige"),
    ],
)
def test_every_language_tells_the_last_of_several_from_the_one_before(code: str, last: str, before: str) -> None:
    assert last in foreign(code).final
    assert before not in foreign(code).final


def test_the_last_year_of_something_is_not_last_year() -> None:
    for text in ("Il vint la dernière année de la guerre.", "Kwam hij in het laatste jaar van de oorlog?"):
        assert find_expressions(text, anchor=ANCHOR) == []


def test_the_first_language_given_is_read_where_nothing_speaks_for_another() -> None:
    said = {
        code: str(find_expressions("05/04/2022", languages=(code, "en", "de"))[0].interval) for code in ("en", "de")
    }
    assert said == {"en": "2022-05-04", "de": "2022-04-05"}


def test_days_come_before_months_but_in_english() -> None:
    assert str(find_expressions("La facture du 05/04/2022")[0].interval) == "2022-04-05"
    assert str(find_expressions("The invoice of 05/04/2022")[0].interval) == "2022-05-04"


def test_only_the_languages_asked_for_are_read() -> None:
    text = "Er kam letzte Woche."
    assert find_expressions(text, anchor=ANCHOR, languages=("en",)) == []
    assert len(find_expressions(text, anchor=ANCHOR, languages=("en", "de"))) == 1
    assert decompose("Wer war es letzte Woche?", as_of=NOON, languages=["en"]).constraint is None


def test_an_unknown_language_is_refused_in_one_sentence() -> None:
    with pytest.raises(BadInput, match=r"Unknown languages .*'xx'.*; give some of en, de"):
        find_expressions("2019", languages=("en", "xx"))
    with pytest.raises(BadInput, match="Unknown languages"):
        decompose("Who?", as_of=NOON, languages=())


@pytest.mark.parametrize("code", FOREIGN)
def test_every_word_of_a_file_is_one_of_the_grammar_or_told_with_others(code: str) -> None:
    relations = set(language_file(code)["relations"])
    assert relations == {"before", "after", "as_of", "by", "around", "between", "since", "until", "at"}
    vocabulary = foreign(code)
    assert {"yesterday", "ereyesterday", "overmorrow", "january", "monday", "century", "easter monday"} <= set(
        vocabulary.spellings.values()
    )


@given(st.data())
def test_no_text_of_a_language_raises(data: st.DataObject) -> None:
    code = data.draw(st.sampled_from(FOREIGN))
    words = sorted(foreign(code).spellings)
    pieces = st.sampled_from(words) | st.sampled_from(["1", "12.", "2019", "XIV", "3º", "'90", "-", ",", "/", "14.2."])
    text = data.draw(st.lists(pieces, max_size=12).map(" ".join))
    for found in find_expressions(text, anchor=ANCHOR, languages=(code,)):
        assert text[found.start : found.end] == found.text
    if text.strip():
        decompose(text, as_of=NOON, languages=(code,))


def test_first_letters_name_every_way_to_begin() -> None:
    assert first_letters(r"(?:P-?F?T?)?[ijl]?S|(?<=[+])T?o") == set("PijlSTo")
    assert EUROPEAN_GRAMMAR is not None
