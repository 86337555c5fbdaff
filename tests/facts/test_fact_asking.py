"""Questions to a store: the value that is asked for, by one fact or two, or none."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime

import numpy as np
import pytest

from dateline import Evidence, Interval
from dateline.errors import BadInput
from dateline.facts import ExactIndex, FactAnswer, FactAsker, FactStore, LocalUpdater, MemoryLedger
from dateline.facts.asking import PathWeights, answered, asked_of, paths_of
from dateline.facts.fact import Fact
from dateline.facts.fact_paths import FactPath, FactPaths
from dateline_graphs.components import shared_embeddings

NOW = datetime(2025, 6, 1, tzinfo=UTC)
TOLD = (
    ("Ada Berg", "employer", "Tolvex", "2020"),
    ("Mira Falk", "employer", "Norland Rail", "2021"),
    ("Tolvex", "headquarters", "Lund", "2015"),
    ("Tolvex", "headquarters", "Porto", "2022"),
    ("Mira Falk", "language", "Danish", "2010"),
    ("Mira Falk", "language", "Polish", "2012"),
    ("Norland Rail", "chief executive", "Jon Holm", "2019"),
    ("Jon Holm", "spouse", "Eva Lund", "2011"),
)


@pytest.fixture(scope="module")
def store() -> Iterator[FactStore]:
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=shared_embeddings(), clock=lambda: NOW) as store:
        for subject, attribute, value, since in TOLD:
            store.remember(subject, attribute=attribute, value=value, since=since)
        yield store


@pytest.fixture(scope="module")
def asker(store: FactStore) -> FactAsker:
    return FactAsker(store)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Who is Ada Berg's employer?", {"Tolvex"}),
        ("In which city is Ada Berg's employer based?", {"Porto"}),
        ("In which city was Ada Berg's employer based in 2021?", {"Lund"}),
        ("Which languages does Mira Falk speak?", {"Danish", "Polish"}),
        ("Who works at Tolvex?", {"Ada Berg"}),
        ("Who is the wife of the chief executive of Norland Rail?", {"Eva Lund"}),
    ],
)
def test_the_value_asked_for_is_found_by_one_fact_or_two(asker: FactAsker, question: str, values: set[str]) -> None:
    answer = asker.ask(question)
    assert answer is not None
    assert set(answer.values) == values
    assert 0.5 <= answer.chance <= 1


@pytest.mark.parametrize("question", ["Where does Karl Otto live?", "When was Jon Holm born?", "What?"])
def test_what_nobody_told_is_not_answered(asker: FactAsker, question: str) -> None:
    assert asker.ask(question) is None


def test_the_facts_in_between_are_shown(asker: FactAsker) -> None:
    answer = asker.ask("In which city is Ada Berg's employer based?")
    assert answer is not None
    assert answer.describe() == "Porto, by: Ada Berg works at Tolvex. Tolvex is based in Porto."


def test_what_was_not_known_yet_does_not_count(asker: FactAsker) -> None:
    assert asker.ask("Which company does Ada Berg work for?", known_at="2019") is None


def test_a_question_that_names_a_later_time_is_answered_as_of_then() -> None:
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=shared_embeddings(), clock=lambda: NOW) as store:
        for city, since in (("Lund", "2010"), ("Porto", "2019"), ("Oslo", "2026-07")):
            store.remember("Ada Berg", attribute="residence", value=city, since=since)
        for asked, city in (
            ("Where did Ada Berg live in 2012?", "Lund"),
            ("Where does Ada Berg live?", "Porto"),
            ("Where has Ada Berg lived since 2020?", "Porto"),
            ("Where does Ada Berg live in 2025?", "Porto"),
            ("Where will Ada Berg live in 2027?", "Oslo"),
            ("Where will Ada Berg live after 2026?", "Oslo"),
        ):
            paths = paths_of(asked_of(asked, as_of=None, clock=store.clock), store=store)
            assert {path.values for path in paths if path.asked == "What is the residence of Ada Berg?"} == {(city,)}


def test_asking_asynchronously_gives_the_same(asker: FactAsker) -> None:
    question = "Which company does Ada Berg work for?"
    assert asyncio.run(asker.aask(question)) == asker.ask(question)


def test_a_time_that_cannot_be_read_is_refused(asker: FactAsker) -> None:
    with pytest.raises(BadInput, match="someday"):
        asker.ask("Where does Ada Berg live?", as_of="someday")
    with pytest.raises(BadInput, match="empty"):
        asker.ask("")


def test_a_contested_value_is_shown_as_contested() -> None:
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=shared_embeddings(), clock=lambda: NOW) as store:
        for name in ("Jon Holm", "Eva Lund"):
            store.remember("Ada Berg", attribute="mentor", value=name, since="2020")
        answer = FactAsker(store).ask("Who is the mentor of Ada Berg?")
    assert answer is not None
    assert answer.describe().startswith("Jon Holm, Eva Lund (contested), by: ")


def test_paths_lead_onwards_and_back_from_every_name(store: FactStore) -> None:
    paths = FactPaths("Tolvex", store=store, as_of=NOW).every()
    asked = {path.asked: path.values for path in paths}
    assert asked["What is the headquarters of Tolvex?"] == ("Porto",)
    assert asked["Whose employer is Tolvex?"] == ("Ada Berg",)
    assert [len(path.facts) for path in paths] == sorted(len(path.facts) for path in paths)


def test_paths_to_the_same_values_add_up_and_none_is_a_choice() -> None:
    fact = Fact.make("Ada lives in Lund.")
    paths = [
        FactPath("One?", ("Lund",), (fact,)),
        FactPath("Two?", ("Lund",), (fact,)),
        FactPath("Three?", ("Oslo",), (fact,)),
    ]
    weights = PathWeights(signals=(3.0,), none=0.0)
    found = answered(paths, np.array([[1.0], [1.0], [1.1]]), weights=weights)
    assert isinstance(found, FactAnswer)
    assert found.values == ("Lund",)
    assert answered(paths, np.array([[-3.0], [-3.0], [-3.0]]), weights=weights) is None


def test_holders_are_those_whose_value_it_was_then(store: FactStore) -> None:
    assert store.holders("headquarters", value="lund", as_of="2018") == ["Tolvex"]
    assert store.holders("headquarters", value="Lund") == []


def test_a_value_told_twice_has_one_holder_and_of_two_holders_neither_is_the_one() -> None:
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=shared_embeddings(), clock=lambda: NOW) as store:
        store.remember("Ada Berg", attribute="employer", value="Tolvex", since="2020")
        LocalUpdater(store).update(
            [Evidence.make("Ada Berg works for Tolvex.", published=Interval.parse("2021"))], known_at=NOW
        )
        assert store.holders("employer", value="Tolvex") == ["Ada Berg"]
        store.remember("Mira Falk", attribute="employer", value="Tolvex", since="2021")
        store.remember("Ada Berg", attribute="language", value="Polish", since="2010")
        store.remember("Mira Falk", attribute="language", value="Danish", since="2010")
        asked = "What is the language of the one whose employer is Tolvex?"
        paths = FactPaths("Who works for Tolvex?", store=store, as_of=NOW).every()
    assert {path.values for path in paths if path.asked == asked} == {("Polish",), ("Danish",)}
