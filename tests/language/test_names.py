"""Names in the letters of every alphabet are found whole, by everything that looks for names."""

from __future__ import annotations

import ast
import re
import sys
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import Evidence
from dateline.facts.updating.document_parts import split_document
from dateline.facts.updating.grounds import speaks_of, stands_in
from dateline.handwritten.facts.role import read_role
from dateline.handwritten.facts.standalone import standalone
from dateline.handwritten.facts.statement import Statement
from dateline.language.assertion import is_mixed
from dateline.language.names import (
    CAPITAL,
    SMALL,
    LetterPattern,
    begins_name,
    find_names,
    is_name,
    is_short_name,
    may_begin_name,
)
from dateline.ranking.possible_answers import AnswerTable, PossibleAnswers
from dateline.reading import local_reader
from dateline.reading.coreference import is_person, names_in
from dateline.reading.follow_up import resolve
from dateline.reading.history import Turn
from dateline.temporal.decomposition import decompose
from dateline.text.words import words

AS_OF = datetime(2024, 1, 1, tzinfo=UTC)
CAPITALS = [letter for letter in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(letter) in ("Lu", "Lt")]
QUESTION = decompose("Who became mayor of Lundby in May 2022?", as_of=AS_OF)
ROOT = Path(__file__).parents[2]
SOURCES = [*(ROOT / "plugins").rglob("*.py"), *(ROOT / "graphs").rglob("*.py")]
SYNTAX = {
    "announced.py": "English words before a value",
    "answer_text.py": "labels of prompts, and English",
    "echo.py": "marks of chat templates",
    "european_phrases.py": "the small letters of six languages",
    "prompted.py": "labels of prompts",
    "headline.py": "suffixes of files",
    "html_page.py": "names of tags",
    "outlines.py": "names of Org's drawers",
    "page_dates.py": "names of classes",
    "phrases.py": "English words behind a preposition",
    "reply.py": "letters of choices",
    "replies.py": "verdicts, which are English words",
    "serp_items.py": "parts of addresses",
    "verb_clause.py": "endings of English verbs",
    "tokens.py": "an estimate of tokens, of which other alphabets need more",
    "written_dates.py": "time zones",
}
"""Files in which ASCII letters are what is meant, and of what."""
SAMPLE = "ÁÅÄÇČÉÎİŁÑØÖŐŠŞŽÞǅЖЊΔἈԱႠᏣ𐐀"


def name(letter: str) -> str:
    return f"{letter}lma {letter}erg"


def answer(reader: str, named: str) -> str:
    sentence = Evidence.make(f"{named} became mayor of Lundby in May 2022.")
    return (
        local_reader("trained" if reader == "trained" else "rules").read(QUESTION, evidence=[sentence]).reading.answer
    )


def test_there_are_capitals_of_many_alphabets() -> None:
    assert len(CAPITALS) > 1800


def test_a_name_is_found_whole_whatever_capital_it_begins_with() -> None:
    for letter in CAPITALS:
        named = name(letter)
        assert [found[0] for found in find_names(f"then {named} won")] == [named], letter
        assert all(test(named) for test in (is_name, is_short_name, begins_name)), letter


def test_follow_ups_see_a_person_in_such_a_name() -> None:
    for letter in CAPITALS:
        named = name(letter)
        assert names_in(f"When was {named} born?") == [named], letter
        assert is_person(named), letter


@pytest.mark.parametrize("letter", SAMPLE)
def test_she_stands_for_such_a_name(letter: str) -> None:
    chat = (Turn("user", "Who was the director of the archive in 2018?"), Turn("assistant", name(letter)))
    assert name(letter) in resolve("When was she born?", history=chat, as_of=AS_OF).text


def test_a_statement_gives_an_office_to_such_a_name() -> None:
    for letter in CAPITALS:
        named, place = name(letter), f"{letter}undby"
        told = Statement.read(f"{named} is the mayor of {place}.")
        turned = Statement.read(f"The mayor of {place} is {named}.")
        assert told.slot == turned.slot is not None, letter
        assert told.value == turned.value, letter
        assert len(told.value) == len(words(named)), letter
        assert read_role(f"mayor of {place}") is not None, letter


def test_a_speaker_of_such_a_name_stands_for_i() -> None:
    for letter in CAPITALS:
        assert standalone("I live in Lundby now.", title=name(letter)) == f"{name(letter)} lives in Lundby now.", letter


def test_what_a_model_says_of_such_a_name_needs_a_document_that_says_it() -> None:
    for letter in CAPITALS[::20]:
        document = Evidence.make(f"{name(letter)} is the mayor of Lundby. {name(letter)} resigned.")
        (piece,) = split_document(document, tokens=500, count=len)
        if any(map(is_mixed, name(letter).split())):
            # Such a word could pass for another name, so nothing that is said of it counts.
            assert not stands_in(f"{name(letter)} is the mayor of Lundby.", piece=piece), letter
            continue
        assert stands_in(f"{name(letter)} is the mayor of Lundby.", piece=piece), letter
        assert not stands_in(f"Q{name(letter)} is the mayor of Lundby.", piece=piece), letter
        assert speaks_of(f"{name(letter)} is the mayor of Lundby.", lines=[2], piece=piece), letter


def test_rankers_see_such_a_name_as_an_answer() -> None:
    table = AnswerTable.of(PossibleAnswers.of(f"then {name(letter)} won") for letter in CAPITALS)
    seen = table.has("person", known=(), sentences=np.arange(len(CAPITALS)))
    assert seen.all(), [letter for letter, is_seen in zip(CAPITALS, seen, strict=True) if not is_seen]


def test_the_reader_by_rules_answers_with_the_whole_name() -> None:
    for letter in CAPITALS:
        assert answer("rules", name(letter)) == name(letter), letter


@pytest.mark.parametrize("letter", SAMPLE)
def test_the_trained_reader_answers_with_the_whole_name(letter: str) -> None:
    assert answer("trained", name(letter)) == name(letter)


@pytest.mark.parametrize("reader", ["rules", "trained"])
@pytest.mark.parametrize(
    "named",
    [
        "Élisabeth Borne", "Łukasz Fabiański", "Željko Obradović", "Çetin Şahin", "İbrahim Öz", "Ángel Di María",
        "Ursula von der Leyen", "Bashar al-Assad", "Jean-Luc Évrard", "Seán O’Neill",
        unicodedata.normalize("NFD", "Élisabeth Borne"),
    ],
)  # fmt: skip
def test_names_as_people_bear_them_are_answered_whole(reader: str, named: str) -> None:
    assert answer(reader, named) == named


@pytest.mark.parametrize("word", ["李克强", "محمد", "नरेन्द्र", "Łódź", "Жан"])
def test_a_word_of_a_script_without_capitals_may_begin_a_name(word: str) -> None:
    assert may_begin_name(word)
    assert is_name(word)


@pytest.mark.parametrize("word", ["łódź", "жан", "élan", "of", "1990", ""])
def test_small_letters_and_numbers_begin_none(word: str) -> None:
    assert not may_begin_name(word)
    assert not is_name(word)


def letter_classes(path: Path) -> list[str]:
    """Expressions of a file that write letters out from A to Z."""
    texts = [
        one.value for one in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(one, ast.Constant)
    ]
    return [text for text in texts if isinstance(text, str) and re.search(r"\[[^]]*(?:A-Z|a-z|À-)", text)]


def test_nobody_else_writes_letters_out_from_a_to_z() -> None:
    outside = [path for path in SOURCES if "language" not in path.parts and path.name not in SYNTAX]
    assert {path.name: found for path in outside if (found := letter_classes(path))} == {}


@given(st.text(max_size=40))
def test_matches_are_cut_out_of_the_text_itself(text: str) -> None:
    pattern = LetterPattern(f"{CAPITAL}{SMALL}*")
    for match in pattern.finditer(text):
        assert match[0] == text[match.start() : match.end()]
        assert match[0][0].istitle()
    assert pattern.sub(lambda match: match[0], text) == text
