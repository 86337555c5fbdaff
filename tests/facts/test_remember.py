"""Values told and asked as fields: one at a time or many, in any order of arrival."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from hashed_words import HashedWords
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.errors import BadInput, StoreFailed
from dateline.facts import ExactIndex, Fact, FactStore, Ledger, LocalUpdater, MemoryLedger, SlotPack
from dateline.facts.changes import Change
from dateline.facts.chroma import ChromaIndex
from dateline.facts.emptiness import emptiness
from dateline.facts.ledger import LedgerEntry
from dateline.facts.operation import Operation
from dateline.facts.sql import SqlLedger
from dateline.records import Evidence
from dateline.temporal.interval import Interval

NOW = datetime(2025, 1, 1, tzinfo=UTC)
DAYS = range(1, 13)
ADA = "Ada Berg"


def new_store(ledger: Ledger | None = None) -> FactStore:
    return FactStore(ledger or MemoryLedger(), index=ExactIndex(), embeddings=HashedWords(), clock=lambda: NOW)


def on(day: int) -> date:
    return date(2020, 1, day)


class Told(NamedTuple):
    """A value, from a day on, and perhaps until another."""

    value: str
    since: int | None
    until: int | None
    source: str


def lasting(value: str, since: int, days: int | None, source: str) -> Told:
    return Told(value, since, None if days is None else since + days, source)


tellings = st.lists(
    st.builds(
        lasting,
        st.sampled_from(["Porto", "Lisbon", "Lund", "Oslo", "Kiel"]),
        st.integers(1, 10),
        st.one_of(st.none(), st.integers(1, 8)),
        st.sampled_from(["HR", "Gazette"]),
    ),
    min_size=1,
    max_size=8,
)


def tell(store: FactStore, told: Told, *, attribute: str = "residence") -> str:
    since, until = (None if day is None else on(day) for day in (told.since, told.until))
    changes = store.remember(ADA, attribute=attribute, value=told.value, since=since, until=until, source=told.source)
    return changes[0].document if changes else ""


def told_all(tellings: Iterable[Told], *, attribute: str = "residence") -> FactStore:
    store = new_store()
    for told in tellings:
        tell(store, told, attribute=attribute)
    return store


def values(store: FactStore, *, attribute: str = "residence") -> list[set[str]]:
    return [set(store.value(ADA, attribute=attribute, as_of=on(day)).values) for day in DAYS]


def expected(tellings: Sequence[Told], day: int) -> set[str]:
    """All values told of the last day before, unless their end was told since."""
    last = max((told.since for told in tellings if told.since is not None and told.since <= day), default=0)
    ended = {told.value for told in tellings if told.until is not None and last < told.until <= day}
    return {told.value for told in tellings if told.since == last} - ended


@settings(max_examples=50)
@given(tellings, st.randoms(use_true_random=False))
def test_the_value_told_of_the_latest_day_holds_in_whatever_order_it_arrives(
    told: list[Told], chance: random.Random
) -> None:
    shuffled = list(told)
    chance.shuffle(shuffled)
    store = told_all(shuffled)
    assert values(store) == [expected(told, day) for day in DAYS]
    true = [{history.fact.slot.value for history in store.at(on(day)) if history.fact.slot} for day in DAYS]
    assert true == values(store), "reads of facts and of values agree"


undated = st.builds(Told, st.sampled_from(["Porto", "Lund"]), st.none(), st.integers(2, 12), st.just("Almanac"))


@settings(max_examples=40)
@given(tellings, st.lists(undated, max_size=2), st.randoms(use_true_random=False))
def test_values_without_a_beginning_are_as_good_first_as_last(
    told: list[Told], more: list[Told], chance: random.Random
) -> None:
    everything = [*told, *more]
    shuffled = list(everything)
    chance.shuffle(shuffled)
    assert values(told_all(shuffled)) == values(told_all(everything))


@settings(max_examples=60)
@given(tellings, st.randoms(use_true_random=False), st.integers(1, 4), st.booleans())
def test_withdrawing_what_was_told_leaves_what_the_others_tell(
    told: list[Told], chance: random.Random, count: int, erased: bool
) -> None:
    told = list(dict.fromkeys(told))
    shuffled = list(told)
    chance.shuffle(shuffled)
    gone = shuffled[:count]
    chance.shuffle(shuffled)
    store = new_store()
    documents = {each: tell(store, each) for each in shuffled}
    for each in gone:
        if erased:
            store.forget(documents[each], by="Ada", reason="asked", known_at=NOW)
        else:
            store.undo(documents[each], known_at=NOW)
    assert values(store) == [expected([each for each in told if each not in gone], day) for day in DAYS]


def test_a_value_that_held_twice_stays_ended_in_between_though_what_ended_it_is_withdrawn() -> None:
    store = new_store()
    places = [("Porto", 2, "HR"), ("Porto", 2, "Gazette"), ("Porto", 1, "HR"), ("Lisbon", 2, "HR"), ("Lund", 3, "HR")]
    told = [Told(value, since, None, source) for value, since, source in (*places, ("Lund", 1, "HR"))]
    documents = [tell(store, each) for each in told]
    for place in (1, 3):
        store.undo(documents[place], known_at=NOW)
    assert [store.value(ADA, attribute="residence", as_of=on(day)).values for day in (2, 3)] == [("Porto",), ("Lund",)]


@pytest.mark.parametrize("erased", [False, True])
def test_a_value_stays_ended_though_both_that_ended_it_are_withdrawn(erased: bool) -> None:
    store = new_store()
    told = [Told(value, day, None, "HR") for day, value in enumerate(("Porto", "Lisbon", "Lund", "Oslo"), start=1)]
    documents = [tell(store, each) for each in told]
    for document in documents[1:3]:
        if erased:
            store.forget(document, by="Ada", reason="asked", known_at=NOW)
        else:
            store.undo(document, known_at=NOW)
    assert values(store) == [expected([told[0], told[3]], day) for day in DAYS]
    assert len(store.at(on(9))) == 1


class HaltingLedger(SqlLedger):
    """Ledger that fails at one of its next writes."""

    left = 0

    def append(self, operations: Sequence[Operation]) -> list[LedgerEntry]:
        self.left -= 1
        if self.left == 0:
            raise StoreFailed("The disk is full.")
        return super().append(operations)


FOLLOWING = [Told(value, day, None, "HR") for day, value in enumerate(("Porto", "Lisbon", "Lund", "Oslo"), start=1)]


def withdraw(store: FactStore, document: str, *, erased: bool) -> None:
    if erased:
        store.forget(document, by="Ada", reason="asked", known_at=NOW)
    else:
        store.undo(document, known_at=NOW)


@pytest.mark.parametrize("erased", [False, True])
def test_a_withdrawal_that_fails_half_way_has_done_nothing_and_is_done_when_tried_again(
    tmp_path: Path, erased: bool
) -> None:
    ledger = HaltingLedger.at(tmp_path / "facts.db")
    assert isinstance(ledger, HaltingLedger)
    store = new_store(ledger)
    documents = [tell(store, each) for each in FOLLOWING]
    withdraw(store, documents[1], erased=erased)
    ledger.left = 1 if erased else 2  # its last write: the ends of what is open again
    with pytest.raises(StoreFailed):
        withdraw(store, documents[2], erased=erased)
    left = [FOLLOWING[0], *FOLLOWING[2:]]
    assert values(store) == [expected(left, day) for day in DAYS]
    withdraw(store, documents[2], erased=erased)
    assert values(store) == [expected([FOLLOWING[0], FOLLOWING[3]], day) for day in DAYS]
    assert len(store.at(on(9))) == 1
    store.close()


KILLED_WITHDRAWAL = """
import os, sys
from pathlib import Path
from test_remember import FOLLOWING, new_store, tell, withdraw
from dateline.facts import FactStore
from dateline.facts.sql import SqlLedger

store = new_store(SqlLedger.at(Path(sys.argv[1])))
documents = [tell(store, each) for each in FOLLOWING]
withdraw(store, documents[1], erased=sys.argv[2] == "erased")
FactStore._end_again = lambda *_, **__: os.kill(os.getpid(), 9)
withdraw(store, documents[2], erased=sys.argv[2] == "erased")
"""


@pytest.mark.parametrize("erased", [False, True])
def test_a_killed_withdrawal_has_done_nothing_and_is_done_when_tried_again(tmp_path: Path, erased: bool) -> None:
    path = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])}
    script = [sys.executable, "-c", KILLED_WITHDRAWAL, str(tmp_path / "facts.db"), "erased" if erased else "undone"]
    assert subprocess.run(script, env=os.environ | path, check=False).returncode == -9
    with new_store(SqlLedger.at(tmp_path / "facts.db")) as store:
        left = [FOLLOWING[0], *FOLLOWING[2:]]
        assert values(store) == [expected(left, day) for day in DAYS]
        withdraw(store, tell(new_store(), FOLLOWING[2]), erased=erased)
        assert values(store) == [expected([FOLLOWING[0], FOLLOWING[3]], day) for day in DAYS]


def test_what_two_tellings_ended_by_the_word_of_one_document_is_ended_by_the_next_too() -> None:
    first, *others = [
        lasting("Porto", 2, None, "HR"),
        lasting("Lund", 1, None, "HR"),
        lasting("Lund", 1, None, "Gazette"),
        lasting("Porto", 3, None, "HR"),
    ]
    store = new_store()
    gone = tell(store, first)
    for each in others:
        tell(store, each)
    store.undo(gone, known_at=NOW)
    assert values(store) == [expected(others, day) for day in DAYS]


@settings(max_examples=30)
@given(tellings)
def test_of_an_attribute_with_many_values_all_stand_until_their_own_end(told: list[Told]) -> None:
    together = values(told_all(told, attribute="members"), attribute="member")
    alone = [
        values(told_all([each for each in told if each.value == value], attribute="member"), attribute="member")
        for value in {each.value for each in told}
    ]
    assert together == [set().union(*days) for days in zip(*alone, strict=True)]


@settings(max_examples=12)
@given(told=tellings, undone=st.sets(st.integers(0, 7)))
def test_tables_tell_what_memory_tells_after_values_are_told_and_withdrawn(
    tmp_path_factory: pytest.TempPathFactory, told: list[Told], undone: set[int]
) -> None:
    memory = new_store()
    with new_store(SqlLedger.at(tmp_path_factory.mktemp("ledger") / "facts.db")) as tables:
        for store in (memory, tables):
            documents = [tell(store, each) for each in told]
            for place, document in enumerate(documents):
                if place in undone and document:
                    store.undo(document, known_at=NOW)
        for day in DAYS:
            for window in ({"during": on(day)}, {"before": on(day)}, {"after": on(day)}):
                assert tables.at(**window) == memory.at(**window)
        assert tables.what_changed(since="2020") == memory.what_changed(since="2020")
        assert tables.history_of(ADA, attribute="residence") == memory.history_of(ADA, attribute="residence")


@settings(max_examples=10)
@given(tellings)
def test_a_window_holds_what_was_true_on_one_of_its_days(told: list[Told]) -> None:
    store = told_all(told)
    daily = [{history.fact.id for history in store.at(on(day))} for day in DAYS]
    for first in DAYS:
        for last in DAYS[first - 1 :]:
            window = Interval(Interval.of_moment(on(first)).start, Interval.of_moment(on(last)).end)
            found = {history.fact.id for history in store.at(during=window)}
            assert found == set().union(*daily[first - 1 : last])
            assert {each.fact.id for each in store.search("Ada Berg lives", during=window)} == found


@settings(max_examples=30)
@given(tellings)
def test_turns_lead_from_one_day_to_the_next(told: list[Told]) -> None:
    store = told_all(told)
    true: set[str] = set()
    for day in DAYS:
        turns = store.what_changed(since=on(day), until=on(day))
        true = true - {turn.fact.id for turn in turns if not turn.true} | {turn.fact.id for turn in turns if turn.true}
        assert true == {history.fact.id for history in store.at(on(day))}


@given(st.dates(date(2025, 1, 2), date(2030, 1, 1)))
def test_what_is_announced_is_not_true_before_its_day(day: date) -> None:
    store = new_store()
    store.remember(ADA, attribute="residence", value="Porto", since="2020")
    store.remember(ADA, attribute="residence", value="Oslo", since=day)
    assert store.value(ADA, attribute="residence").value == "Porto"
    assert [period.value for period in store.history_of(ADA, attribute="residence").periods] == ["Porto"]
    assert [each.fact.text for each in store.search("Where does Ada live?")] == ["Ada Berg lives in Porto."]
    assert store.value(ADA, attribute="residence", as_of=day).value == "Oslo"


def test_without_a_day_a_value_holds_from_when_it_is_told() -> None:
    store = new_store()
    store.remember("Tolvex", attribute="price", value=19, since="2020")
    store.remember("Tolvex", attribute="costs", value=22, known_at="2024-03-01")
    assert store.value("tolvex", attribute="price", as_of="2024-02").value == "19"
    assert store.value("Tolvex", attribute="fee").value == "22"
    store.remember("Tolvex", attribute="price", value=25)
    assert store.value("Tolvex", attribute="price").value == "25"


def test_what_a_value_was_until_a_day_is_known_without_its_beginning() -> None:
    store = new_store()
    store.remember("Nordwind", attribute="owner", value="Eva Lund", until="2021")
    assert store.value("Nordwind", attribute="owner", as_of="1999").value == "Eva Lund"
    assert store.value("Nordwind", attribute="owner", as_of="2021").describe() == (
        "Nothing is known of the owner of Nordwind as of 2021: it is known until 2021."
    )


@pytest.mark.parametrize("beginning_first", [True, False])
def test_an_end_that_is_told_alone_leaves_a_beginning_that_is_known(beginning_first: bool) -> None:
    store = new_store()
    store.remember("Nordwind", attribute="owner", value="Jon Holm", since="2010")
    tellings = [{"since": "2015"}, {"until": "2021"}]
    documents = {
        "until" in told: store.remember("Nordwind", attribute="owner", value="Eva Lund", **told)[0].document
        for told in (tellings if beginning_first else reversed(tellings))
    }
    held = [store.value("Nordwind", attribute="owner", as_of=year).values for year in (2005, 2012, 2020, 2022)]
    assert held == [(), ("Jon Holm",), ("Eva Lund",), ()]
    store.undo(documents[False], known_at=NOW)
    assert store.value("Nordwind", attribute="owner", as_of=2005).values == ("Eva Lund",), "unknown once more"


def test_an_announced_value_that_is_told_to_end_was_not_true_in_the_past() -> None:
    store = new_store()
    store.remember("Nordwind", attribute="owner", value="Jon Holm", since="2020")
    for told in ({"since": "2028"}, {"until": "2028"}):
        store.remember("Nordwind", attribute="owner", value="Eva Lund", **told)
    held = [store.value("Nordwind", attribute="owner", as_of=year).values for year in (2019, 2024)]
    assert held == [(), ("Jon Holm",)]


def test_an_end_that_is_told_leaves_the_day_of_which_a_document_stated_the_value() -> None:
    store = tolvex_of_documents(2019)
    store.remember("Ada", attribute="employer", value="Tolvex", until="2021")
    assert store.value("Ada", attribute="employer", as_of="2018").values == ()


def test_nothing_of_that_time_is_an_answer() -> None:
    store = new_store()
    store.remember("Nordwind", attribute="owner", value="Eva Lund", since="2021", until="2022")
    store.remember("Nordwind", attribute="owner", value="Jon Holm", since="2024-05")
    said = [store.value("Nordwind", attribute="owner", as_of=year).describe() for year in (2020, 2021, 2023, 2024)]
    assert said == [
        "Nothing is known of the owner of Nordwind as of 2020: it is known only from 2021 on.",
        "Nordwind is owned by Eva Lund. (since 2021)",
        "Nothing is known of the owner of Nordwind as of 2023: it is known until 2022 and again from 2024-05 on.",
        "Nordwind is owned by Jon Holm. (since 2024-05)",
    ]
    assert store.value("Nordwind", attribute="phone").describe().endswith("as of 2025-01-01.")


def test_values_of_an_undeclared_attribute_stand_and_are_shown_as_contested() -> None:
    store = new_store()
    for year, value in ((2020, "Jon Holm"), (2022, "Eva Lund")):
        store.remember(ADA, attribute="mentor", value=value, since=year)
    answer = store.value(ADA, attribute="mentor")
    assert (answer.values, answer.value, answer.contested) == (("Jon Holm", "Eva Lund"), None, True)
    found = {each.fact.slot.value: each for each in store.search("mentor of Ada Berg") if each.fact.slot}
    assert found["Eva Lund"].metadata()["contested"] == ["The mentor of Ada Berg is Jon Holm."]
    assert found["Eva Lund"].describe().endswith("; contested: The mentor of Ada Berg is Jon Holm.")
    (before,) = store.search("mentor of Ada Berg", as_of=2021)
    assert not before.contested


def test_that_values_always_gave_way_is_learnt() -> None:
    store = new_store()
    for subject in ("Hall One", "Hall Two"):
        store.remember(subject, attribute="lamp colour", value="green", since="2019", until="2020")
        store.remember(subject, attribute="lamp colour", value="red", since="2020")
    assert store.history_of("Hall One", attribute="lamp colour").cardinality == "one"
    store.remember("Hall One", attribute="lamp colour", value="blue", since="2023")
    assert store.value("Hall One", attribute="lamp colour").value == "blue"


def test_that_values_stood_together_is_learnt() -> None:
    store = new_store()
    store.remember("Nordwind", attribute="sponsor", value="Acme", since="2018", until="2023")
    store.remember("Nordwind", attribute="sponsor", value="Tolvex", since="2020")
    store.remember("Nordwind", attribute="sponsor", value="Zenit", since="2021")
    answer = store.value("Nordwind", attribute="sponsor")
    assert (answer.values, answer.contested) == (("Tolvex", "Zenit"), False)


def test_what_is_learnt_later_changes_no_earlier_read() -> None:
    store = new_store()
    early, late = datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 9, 1, tzinfo=UTC)
    for value, since in (("day", "2019"), ("night", "2020")):
        store.remember(ADA, attribute="shift", value=value, since=since, known_at=early)

    def read() -> list[object]:
        then = {"attribute": "shift", "as_of": "2022", "known_at": "2024-02"}
        found = store.search("shift of Ada", as_of="2022", known_at="2024-02")
        return [store.value(ADA, **then), store.history_of(ADA, **then), [each.metadata() for each in found]]

    before = read()
    for value, since, until in (("day", "2010", "2022"), ("night", "2015", None)):
        store.remember("Jon", attribute="shift", value=value, since=since, until=until, known_at=late)
    assert store.history_of(ADA, attribute="shift").cardinality == "many"
    assert read() == before


def test_values_that_merely_stand_side_by_side_teach_nothing() -> None:
    store = new_store()
    for value in ("Jon Holm", "Eva Lund", "Ida Falk"):
        store.remember(ADA, attribute="mentor", value=value, since="2020")
    assert store.history_of(ADA, attribute="mentor").cardinality is None


def test_what_never_changes_is_contested_and_not_replaced() -> None:
    store = new_store()
    store.remember(ADA, attribute="birthplace", value="Lund", since="2020")
    store.remember(ADA, attribute="born in", value="Oslo", since="2022")
    assert store.value(ADA, attribute="birthplace").contested


def test_documents_and_told_values_end_each_other() -> None:
    store = new_store()
    updater = LocalUpdater(store)

    def read(text: str, year: int) -> None:
        updater.update([Evidence.make(text, published=Interval.of_year(year))], known_at=NOW)

    read("Carl Dahl is the director of the Northern Observatory.", 2015)
    store.remember("Northern Observatory", attribute="director", value="Anna Berg", since=2018)
    read("Eva Lund is the director of the Northern Observatory.", 2022)
    found = [store.value("Northern Observatory", attribute="director", as_of=year).value for year in (2016, 2019, 2023)]
    assert found == ["Carl Dahl", "Anna Berg", "Eva Lund"]
    for year, text in ((2016, "Carl Dahl is"), (2019, "is Anna Berg"), (2023, "Eva Lund is")):
        (history,) = store.at(year)
        assert text in history.fact.text


@pytest.mark.parametrize(
    ("attribute", "stale"), [("status", True), ("price", True), ("owner", False), ("mentor", False)]
)
def test_a_value_that_was_told_long_ago_is_stale_if_such_values_change_fast(attribute: str, stale: bool) -> None:
    store = new_store()
    store.remember("Tolvex", attribute=attribute, value="first", since="2020", until="2021")
    store.remember("Tolvex", attribute=attribute, value="second", since="2023-03")
    answer = store.value("Tolvex", attribute=attribute)
    assert (answer.value, answer.stale) == ("second", stale)
    assert answer.describe().endswith("Perhaps no longer: last told of 2023-03.") is stale
    store.remember("Tolvex", attribute=attribute, value="second", since="2024-12-20")
    assert not store.value("Tolvex", attribute=attribute).stale
    assert store.value("Tolvex", attribute=attribute, as_of="2024-11").stale is stale


def test_a_value_that_was_told_to_hold_until_a_later_day_is_not_stale() -> None:
    store = new_store()
    store.remember("Tolvex", attribute="status", value="closed", since="2023-06-01", until="2024-06-30")
    said = [store.value("Tolvex", attribute="status", as_of=day).describe() for day in ("2024-06-01", "2024-07")]
    assert said == [
        "The status of Tolvex is closed. (since 2023-06-01)",
        "Nothing is known of the status of Tolvex as of 2024-07: it is known until 2024-06-30.",
    ]
    store.remember("Tolvex", attribute="status", value="open", since="2024-06")
    store.remember("Tolvex", attribute="status", value="full", since="2025-06")
    answer = store.value("Tolvex", attribute="status")
    assert (answer.values, answer.stale) == (("open",), True), "an announced value does not say how long this one holds"


def test_a_value_in_other_words_is_one_value() -> None:
    store = new_store()
    store.remember("Lund", attribute="president", value="Ada Berg", since="2020")
    LocalUpdater(store).update(
        [Evidence.make("Berg is the president of Lund.", published=Interval.of_year(2021))], known_at=NOW
    )
    assert store.value("Lund", attribute="president").value == "Ada Berg"


def test_a_value_that_is_told_and_stated_is_one_value() -> None:
    store = new_store()
    store.remember("Tolvex", attribute="hosting", value="Norcloud", since="2020", source="list")
    read = Evidence.make("Tolvex's hosting is Norcloud.", published=Interval.parse("2021"))
    LocalUpdater(store).update([read], known_at=NOW)
    assert store.value("Tolvex", attribute="hosting").values == ("Norcloud",)


def test_telling_the_same_again_changes_nothing() -> None:
    store = new_store()
    assert store.remember(ADA, attribute="residence", value="Porto", since="2020", source="HR")
    assert not store.remember(ADA, attribute="Residence", value="Porto", since="2020", source="HR")
    assert store.ledger.last() == 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"value": " "}, "value is empty"),
        ({"attribute": ""}, "attribute is empty"),
        ({"since": "2020", "until": "2020"}, "must end after it begins"),
        ({"since": "soon"}, "Cannot read 'soon'"),
    ],
)
def test_what_cannot_be_told_is_refused(wrong: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        new_store().remember(ADA, **{"attribute": "residence", "value": "Porto", **wrong})


def test_a_window_stands_in_place_of_a_date_and_must_hold_a_moment() -> None:
    with pytest.raises(BadInput, match="leave one of the two out"):
        new_store().at("2020", during="2021")
    with pytest.raises(BadInput, match="no moment in common"):
        new_store().search("Ada", before="2020", after="2021")
    with pytest.raises(BadInput, match="swap since and until"):
        new_store().what_changed(since="2021", until="2019")


def test_attributes_of_a_persons_own_are_merged_over_the_shipped_ones(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[mentor]\nvalues = "one"\naliases = ["coach"]\ntext = "{value} coaches {subject}."\n', encoding="utf-8"
    )
    pack = SlotPack.load(file)
    store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords(), clock=lambda: NOW, slots=pack)
    store.remember(ADA, attribute="Mentor", value="Jon Holm", since="2020")
    (added, ended) = store.remember(ADA, attribute="coach", value="Eva Lund", since="2022")
    assert (added.fact.text, ended.kind) == ("Eva Lund coaches Ada Berg.", "made_false")
    assert pack.name("home") == "residence"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[x]\nvalues = "two"\n', "x.values"),
        ('[x]\nvalues = "one"\ntext = "of {subject}"\n', "x.text"),
        ("[x\n", "Cannot read the attributes"),
        ("x = 1\n", "does not declare an attribute at x"),
    ],
)
def test_a_file_that_declares_something_else_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        SlotPack.load(tmp_path / "mine.toml")


def test_no_name_of_a_shipped_attribute_means_two() -> None:
    names = [name for own, rule in SlotPack.shipped().rules.items() for name in (own, *rule.aliases)]
    assert len(names) == len(set(names))


def test_ids_of_facts_from_before_there_were_fields_stay() -> None:
    assert Fact.make("The mayor is Ada Berg.").id == "c56b98693cff8767408d77da"


@pytest.mark.parametrize("kind", [MemoryLedger, SqlLedger])
def test_an_attribute_that_is_declared_later_has_what_was_told_under_its_other_name(
    tmp_path: Path, kind: type[MemoryLedger | SqlLedger]
) -> None:
    (tmp_path / "slots.toml").write_text('[mentor]\nvalues = "one"\naliases = ["coach"]\n', encoding="utf-8")
    ledger = MemoryLedger() if kind is MemoryLedger else SqlLedger(f"sqlite:///{tmp_path}/ledger")
    new_store(ledger).remember(ADA, attribute="coach", value="Jon", since="2020")
    pack = SlotPack.load(tmp_path / "slots.toml")
    store = FactStore(ledger, index=ExactIndex(), embeddings=HashedWords(), clock=lambda: NOW, slots=pack)
    assert store.value(ADA, attribute="mentor", as_of="2021").value == "Jon"
    assert store.holders("mentor", value="Jon", as_of="2021") == [ADA]
    assert "mentor" in store.declared_of(ADA)
    store.remember(ADA, attribute="mentor", value="Eva", since="2022")
    assert [store.value(ADA, attribute=name, as_of="2023").value for name in ("mentor", "coach")] == ["Eva", "Eva"]
    assert [history.fact.text for history in store.at("2023")] == ["The mentor of Ada Berg is Eva."]


def test_a_changed_file_of_attributes_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    for values in ("one", "many"):
        file.write_text(f'[mentor]\nvalues = "{values}"\n', encoding="utf-8")
        assert SlotPack.load(file).rules["mentor"].values == values


def test_a_store_whose_index_has_not_seen_its_facts_yet_is_not_called_empty(tmp_path: Path) -> None:
    store = FactStore(MemoryLedger(), index=ChromaIndex.at(tmp_path), embeddings=HashedWords(), clock=lambda: NOW)
    assert emptiness(store)
    store.remember(ADA, attribute="home", value="Lund", since="2020")
    assert store.index.size == 0
    assert not emptiness(store)


@pytest.mark.parametrize("told_first", [True, False])
def test_a_value_and_a_sentence_in_other_words_end_each_other_in_any_order(told_first: bool) -> None:
    store = new_store()
    steps = [
        lambda: store.remember(ADA, attribute="residence", value="Porto", since="2024"),
        lambda: LocalUpdater(store).update(
            [Evidence.make(f"{ADA} moved to Lisbon.", published=Interval.parse("2022"))], known_at=NOW
        ),
    ]
    for step in steps if told_first else reversed(steps):
        step()
    answers = [store.value(ADA, attribute="residence", as_of=when) for when in ("2023", "2024-06")]
    assert [(one.values, one.contested) for one in answers] == [(("Lisbon",), False), (("Porto",), False)]


def test_changes_are_listed_after_a_document_that_was_ended_is_forgotten() -> None:
    store = new_store()
    notes = [
        Evidence.make(f"{name} is the director of Tolvex.", published=Interval.parse(year))
        for name, year in (("Ada Berg", "2010"), ("Carl Dahl", "2020"))
    ]
    LocalUpdater(store).update(notes, known_at=NOW)
    store.forget(notes[0].id, by="Ida Falk", reason="asked to", known_at=NOW)
    assert {change.fact.text for change in store.changes(since="2024")} == {"Carl Dahl is the director of Tolvex."}


def tolvex_of_documents(*years: int) -> FactStore:
    store = new_store()
    documents = [Evidence.make("Ada works at Tolvex.", published=Interval.of_year(year)) for year in years]
    LocalUpdater(store).update(documents, known_at=NOW)
    assert store.value("Ada", attribute="employer", as_of="2020").values == ("Tolvex",)
    return store


def test_an_end_that_is_told_ends_what_a_document_stated_until_it_is_withdrawn() -> None:
    store = tolvex_of_documents(2019)
    changes = store.remember("Ada", attribute="employer", value="Tolvex", until="2021")
    answers = [store.value("Ada", attribute="employer", as_of=year).value for year in (2020, 2022)]
    assert answers == ["Tolvex", None]
    store.undo(changes[0].document, known_at=NOW)
    assert store.value("Ada", attribute="employer", as_of=2022).value == "Tolvex"


@pytest.mark.parametrize("attribute", ["employer", "members"])
@pytest.mark.parametrize("value", ["tolvex", "TOLVEX", "Tolvex"])
def test_an_end_that_is_told_ends_its_value_in_every_letter_case_and_no_other(attribute: str, value: str) -> None:
    store = new_store()
    store.remember("Ada", attribute=attribute, value="Tolvex", since=2019)
    store.remember("Ada", attribute=attribute, value="Nordwind", since=2019)
    store.remember("Ada", attribute=attribute, value=value, until="2021")
    held = [store.value("Ada", attribute=attribute, as_of=year).values for year in (2019, 2022)]
    assert [{each.casefold() for each in some} for some in held] == [{"tolvex", "nordwind"}, {"nordwind"}]


def test_an_end_that_is_told_leaves_a_value_that_was_stated_again_since() -> None:
    store = tolvex_of_documents(2019, 2023)
    store.remember("Ada", attribute="employer", value="Tolvex", until="2021")
    assert store.value("Ada", attribute="employer", as_of=2024).values == ("Tolvex",)


def test_of_two_processes_that_tell_one_slot_at_once_the_later_value_ends_the_earlier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (new_store(SqlLedger.at(tmp_path / "facts.db")) for _ in range(2))
    second = Thread(
        target=other.remember, args=(ADA,), kwargs={"attribute": "residence", "value": "Lisbon", "since": "2022"}
    )
    apply = one.apply

    def apply_late(*given: Any, **options: Any) -> list[Change]:
        second.start()
        second.join(timeout=1)  # it may not get through before the first has written
        return apply(*given, **options)

    monkeypatch.setattr(one, "apply", apply_late)
    one.remember(ADA, attribute="residence", value="Porto", since="2019")
    second.join()
    answers = [one.value(ADA, attribute="residence", as_of=year) for year in ("2020", "2023")]
    assert [(answer.values, answer.contested) for answer in answers] == [(("Porto",), False), (("Lisbon",), False)]
    for store in (one, other):
        store.close()


def test_a_value_is_embedded_before_other_processes_have_to_wait(tmp_path: Path) -> None:
    ledger = SqlLedger.at(tmp_path / "facts.db")

    class Waited(HashedWords):
        """Embeddings that must not be asked while others wait to write."""

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            assert ledger.database.joined is None
            return super().embed_documents(texts)

    with FactStore(ledger, index=ExactIndex(), embeddings=Waited(), clock=lambda: NOW) as store:
        store.remember(ADA, attribute="residence", value="Porto", since="2019")
        store.remember(ADA, attribute="residence", value="Lisbon", since="2022")
        assert store.value(ADA, attribute="residence", as_of="2020").values == ("Porto",)
