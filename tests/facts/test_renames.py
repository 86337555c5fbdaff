"""Subjects with several names: asked for one, the store answers by all, and says so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hashed_words import HashedWords

from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.facts.state import State
from dateline.records import Evidence
from dateline.temporal.interval import Interval

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def told(*values: tuple[str, str, str, str]) -> FactStore:
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords(), clock=lambda: NOW)
    for subject, attribute, value, since in values:
        store.remember(subject, attribute=attribute, value=value, since=since)
    return store


def renamed() -> FactStore:
    return told(
        ("Twitter", "chief executive", "Parag Agrawal", "2021-11"),
        ("Twitter", "name", "X", "2023-07"),
        ("X", "chief executive", "Linda Yaccarino", "2023-06"),
    )


def test_asked_for_the_old_name_the_store_answers_under_the_new_one_and_says_so() -> None:
    answer = renamed().value("Twitter", attribute="chief executive", as_of="2024")
    assert (answer.value, answer.contested) == ("Linda Yaccarino", False)
    assert answer.describe() == (
        "The chief executive of X is Linda Yaccarino. (since 2023-06; Twitter is named X since 2023-07)"
    )


def test_before_the_renaming_only_the_old_name_answers() -> None:
    store = renamed()
    assert store.value("Twitter", attribute="chief executive", as_of="2023-06-30").value == "Parag Agrawal"
    assert "named" not in store.value("Twitter", attribute="chief executive", as_of="2023-06-30").describe()


@pytest.mark.parametrize(("day", "holder"), [("2022", "Parag Agrawal"), ("2024", "Linda Yaccarino")])
def test_asked_for_the_new_name_what_was_told_of_the_old_one_counts(day: str, holder: str) -> None:
    assert renamed().value("X", attribute="chief executive", as_of=day).value == holder


@pytest.mark.parametrize("name", ["Twitter", "X"])
def test_a_history_goes_on_under_the_next_name(name: str) -> None:
    periods = renamed().history_of(name, attribute="chief executive").periods
    assert [(each.value, str(each.since), str(each.until)) for each in periods] == [
        ("Parag Agrawal", "2021-11", "2023-06"),
        ("Linda Yaccarino", "2023-06", "None"),
    ]


def test_what_held_under_a_name_before_the_subject_took_it_is_of_something_else() -> None:
    store = renamed()
    store.remember("X", attribute="headquarters", value="Lund", since="1999", until="2010")
    assert store.history_of("Twitter", attribute="headquarters").periods == ()


def test_several_renamings_are_followed_and_circles_come_to_an_end() -> None:
    store = told(
        ("Odeo", "name", "Twitter", "2006"),
        ("Twitter", "name", "X", "2023"),
        ("X", "name", "Odeo", "2024"),
        ("X", "owner", "Ada Berg", "2023"),
    )
    answer = store.value("Odeo", attribute="owner", as_of="2023")
    assert answer.value == "Ada Berg"
    assert "Odeo is named Twitter since 2006, Twitter is named X since 2023" in answer.describe()
    many = told(*((f"N{each}", "name", f"N{each + 1}", "2020") for each in range(40)), ("N40", "owner", "Ada", "2020"))
    assert many.value("N30", attribute="owner").value == "Ada"
    assert many.value("N0", attribute="owner").value is None


def test_a_name_that_two_have_is_followed_for_neither() -> None:
    store = told(
        ("user 1", "name", "Ana", "2020"), ("user 2", "name", "Ana", "2020"), ("Ana", "residence", "Porto", "2020")
    )
    assert store.value("user 1", attribute="residence").value is None


def test_values_of_two_names_that_begin_on_one_day_are_contested() -> None:
    store = told(("A", "name", "B", "2020"), ("A", "owner", "Ada", "2021"), ("B", "owner", "Jon", "2021"))
    answer = store.value("A", attribute="owner")
    assert (set(answer.values), answer.contested) == ({"Ada", "Jon"}, True)


@pytest.mark.parametrize("text", ["Twitter was renamed to X.", "Twitter is now called X.", "Twitter's new name is X."])
def test_a_renaming_is_read_from_a_document(text: str) -> None:
    store = told(("X", "owner", "Ada Berg", "2023"))
    LocalUpdater(store).update([Evidence.make(text, published=Interval.parse("2023-07-01"))], known_at=NOW)
    assert [store.value("Twitter", attribute="owner", as_of=day).value for day in ("2023-06", "2024")] == [
        None,
        "Ada Berg",
    ]


def test_a_place_that_is_called_something_gives_nobody_else_its_name() -> None:
    store = told()
    for text in ("The museum is in a town called Lund.", "The population of Lund is 95,000."):
        LocalUpdater(store).update([Evidence.make(text, published=Interval.parse("2023"))], known_at=NOW)
    assert store.value("Lund", attribute="population").value == "95,000"
    assert store.value("museum", attribute="population").values == ()


def test_a_value_told_again_after_one_under_another_name_comes_back() -> None:
    store = told(
        ("Twitter", "name", "X", "2018"),
        ("Twitter", "owner", "Ada", "2020"),
        ("X", "owner", "Bo", "2021"),
        ("Twitter", "owner", "Ada", "2022"),
    )
    assert [store.value("Twitter", attribute="owner", as_of=day).value for day in ("2020", "2021", "2024")] == [
        "Ada",
        "Bo",
        "Ada",
    ]
    store.remember("X", attribute="owner", value="Bo", since="2023")
    periods = store.history_of("X", attribute="owner").periods
    assert [(each.value, str(each.since), str(each.until)) for each in periods] == [
        ("Ada", "2020", "2021"),
        ("Bo", "2021", "2022"),
        ("Ada", "2022", "2023"),
        ("Bo", "2023", "None"),
    ]


def test_a_name_given_to_another_by_mistake_is_followed_once_that_is_undone() -> None:
    store = renamed()
    (mistake, *_) = store.remember("Bird", attribute="name", value="X", since="2023-07")
    assert store.value("Twitter", attribute="chief executive", as_of="2024").value == "Parag Agrawal"
    store.undo(mistake.document, known_at=NOW + timedelta(days=1))
    assert store.value("Twitter", attribute="chief executive", as_of="2024").value == "Linda Yaccarino"


def test_a_name_that_another_was_given_later_is_followed_as_known_before() -> None:
    day = [NOW]
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords(), clock=lambda: day[0])
    store.remember("Twitter", attribute="name", value="X", since="2023-07")
    store.remember("X", attribute="owner", value="Ada", since="2023-07")
    day[0] += timedelta(days=2)
    store.remember("Bird", attribute="name", value="X", since="2023-07")
    before = NOW + timedelta(days=1)
    assert store.value("Twitter", attribute="owner", as_of="2024", known_at=before).value == "Ada"
    assert store.value("Twitter", attribute="owner", as_of="2024").value is None


@pytest.mark.parametrize("name", ["Odeo", "Twitter", "X"])
def test_two_names_of_one_subject_that_have_the_same_next_name_are_no_two_subjects(name: str) -> None:
    store = told(
        ("Odeo", "name", "Twitter", "2006"),
        ("Twitter", "name", "X", "2023"),
        ("Odeo", "name", "X", "2023"),
        ("X", "owner", "Ada", "2023"),
        ("Odeo", "founder", "Bo", "2005"),
    )
    assert store.value(name, attribute="owner", as_of="2024").value == "Ada"
    assert store.value(name, attribute="founder", as_of="2024").value == "Bo"


def test_what_renamed_a_name_before_the_subject_took_it_was_about_something_else() -> None:
    store = told(
        ("X", "name", "PayPal", "2001"),
        ("Twitter", "name", "X", "2023-07"),
        ("X", "chief executive", "Linda Yaccarino", "2023-06"),
        ("PayPal", "chief executive", "Alex Chriss", "2023-09"),
        ("Twitter", "founder", "Jack Dorsey", "2006"),
    )
    assert store.value("Twitter", attribute="chief executive", as_of="2024").value == "Linda Yaccarino"
    assert store.value("PayPal", attribute="founder", as_of="2024").values == ()


def test_a_value_is_read_without_listing_all_names(monkeypatch: pytest.MonkeyPatch) -> None:
    store = told(*((f"user {number}", "name", f"Ana {number}", "2020") for number in range(100)))
    store.remember("user 7", attribute="residence", value="Porto", since="2020")
    returned: list[int] = []
    tagged = State.tagged

    def counted(state: State, *tags: str, limit: int | None = None) -> list[int]:
        rows = tagged(state, *tags, limit=limit)
        returned.extend(rows)
        return rows

    monkeypatch.setattr(State, "tagged", counted)
    assert store.value("Ana 7", attribute="residence").value == "Porto"
    assert len(returned) < 40


def test_a_name_that_many_bear_is_not_looked_up_for_each_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    store = told(*((f"user {number}", "name", "Ana", "2020") for number in range(100)))
    store.remember("user 7", attribute="residence", value="Porto", since="2020")
    calls: list[tuple[str, ...]] = []
    tagged = State.tagged

    def counted(state: State, *tags: str, limit: int | None = None) -> list[int]:
        calls.append(tags)
        return tagged(state, *tags, limit=limit)

    monkeypatch.setattr(State, "tagged", counted)
    assert store.value("user 7", attribute="residence").value == "Porto"
    assert len(calls) < 40


def test_undoing_a_renaming_parts_the_names() -> None:
    store = renamed()
    (changed, *_) = store.remember("X", attribute="name", value="Y", since="2024")
    store.remember("Y", attribute="owner", value="Ada Berg", since="2024")
    assert store.value("Twitter", attribute="owner").value == "Ada Berg"
    store.undo(changed.document, known_at=NOW)
    assert store.value("Twitter", attribute="owner").value is None
