"""Values that follow from other values: as long as what they rest on, and no longer."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hashed_words import HashedWords
from hypothesis import given, settings
from hypothesis import strategies as st

from dateline.errors import BadInput
from dateline.facts import ExactIndex, FactStore, MemoryLedger, SlotPack
from dateline.facts.fact import FactSlot, event_start, last_second
from dateline.facts.inference import Inference
from dateline.facts.slot_history import SlotPeriod, stops
from dateline.temporal.interval import Interval

NOW = datetime(2025, 1, 1, tzinfo=UTC)
WORKPLACES = """
[workplace]
values = "one"

[[inference]]
name = "works where the employer is"
given = [["X", "employer", "E"], ["E", "location", "P"]]
then = ["X", "workplace", "P"]
"""
AT_HOME = WORKPLACES + 'unless = [["X", "remote", "yes"]]\n'
PEOPLE, COMPANIES = ("Ada Berg", "Jon Holm", "Eva Lund"), ("Tolvex", "Maar Clinic")

Told = tuple[str, str, str, int]
"""Subject, attribute, value, and the day of January 2020 from which it holds."""


def new_store(pack: SlotPack | None = None) -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedWords(), clock=lambda: NOW, slots=pack)


def told_all(tellings: Iterable[Told]) -> FactStore:
    store = new_store()
    for subject, attribute, value, day in tellings:
        store.remember(subject, attribute=attribute, value=value, since=date(2020, 1, day))
    return store


def pack_of(folder: Path, text: str) -> SlotPack:
    (folder / "slots.toml").write_text(text, encoding="utf-8")
    return SlotPack.load(folder / "slots.toml")


employers = st.tuples(st.sampled_from(PEOPLE), st.just("employer"), st.sampled_from(COMPANIES), st.integers(1, 9))
colleagues = st.tuples(st.sampled_from(PEOPLE), st.just("colleague"), st.sampled_from(PEOPLE), st.integers(1, 9))
spouses = st.tuples(st.sampled_from(PEOPLE), st.just("spouse"), st.sampled_from(PEOPLE), st.integers(1, 9))
tellings = st.lists(st.one_of(employers, colleagues, spouses), max_size=5)


def state(store: FactStore) -> list[set[str]]:
    days = [date(2020, 1, day) for day in (1, 3, 5, 9)]
    slots = [(person, attribute) for person in PEOPLE for attribute in ("employer", "colleague", "spouse")]
    return [set(store.value(who, attribute=what, as_of=day).values) for who, what in slots for day in days]


@settings(max_examples=25, deadline=None)
@given(tellings, st.sampled_from([1, 3, 5, 9]))
def test_who_has_a_value_is_who_is_told_to_have_it_or_of_whom_it_follows(told: list[Told], day: int) -> None:
    store, when = told_all(told), date(2020, 1, day)
    for attribute, values in (("employer", COMPANIES), ("colleague", PEOPLE), ("spouse", PEOPLE)):
        for value in values:
            having = {who for who in PEOPLE if value in store.value(who, attribute=attribute, as_of=when).values}
            assert set(store.holders(attribute, value=value, as_of=when)) == having


def test_a_rule_is_followed_backwards_through_what_follows_by_another(tmp_path: Path) -> None:
    pack = pack_of(
        tmp_path,
        """
        [boss]
        values = "one"
        [report]
        values = "many"
        [[inference]]
        name = "the head of a team is the boss of its members"
        given = [["X", "team", "T"], ["T", "head", "Y"]]
        then = ["X", "boss", "Y"]
        [[inference]]
        name = "who has a boss reports to them"
        given = [["Y", "boss", "X"]]
        then = ["X", "report", "Y"]
        """,
    )
    store = new_store(pack)
    store.remember("Ada", attribute="team", value="Red", since="2019")
    store.remember("Red", attribute="head", value="Jon", since="2018")
    assert store.holders("boss", value="Jon", as_of="2020") == ["Ada"]
    assert store.value("Jon", attribute="report", as_of="2020").values == ("Ada",)
    assert store.value("Jon", attribute="report", as_of="2018").values == ()


def test_a_value_follows_while_all_that_it_rests_on_holds() -> None:
    store = told_all([("Ada Berg", "employer", "Tolvex", 2), ("Jon Holm", "colleague", "Ada Berg", 4)])
    found = {day: store.value("Jon Holm", attribute="employer", as_of=date(2020, 1, day)) for day in (3, 4)}
    assert (found[3].values, found[4].values) == ((), ("Tolvex",))
    (period,) = found[4].periods
    assert period.derivation is not None
    assert [fact.text for fact in period.derivation.premises] == [
        "Ada Berg is a colleague of Jon Holm.",
        "Ada Berg works at Tolvex.",
    ]


def test_a_value_that_follows_ends_the_older_one_that_was_told(tmp_path: Path) -> None:
    store = new_store(pack_of(tmp_path, WORKPLACES))
    store.remember("Ada Berg", attribute="workplace", value="Lund", since="2018")
    store.remember("Maar Clinic", attribute="location", value="Oslo", since="2010")
    store.remember("Ada Berg", attribute="employer", value="Maar Clinic", since="2022")
    assert [store.value("Ada Berg", attribute="workplace", as_of=day).value for day in ("2021", "2023")] == [
        "Lund",
        "Oslo",
    ]
    first, second = store.history_of("Ada Berg", attribute="workplace").periods
    assert (first.derivation, first.ended_by, str(first.until)) == (None, second.derivation, "2022")
    (found,) = [
        each for each in store.search("workplace of Ada Berg", as_of="2023", k=9) if "workplace" in each.fact.text
    ]
    assert (found.fact, found.derivation, str(found.since)) == (second.fact, second.derivation, "2022")
    assert found.metadata()["derivation"] in found.describe()
    (ended,) = [each for each in store.search("Ada Berg", as_of="2023", k=9, which="any") if "Lund" in each.fact.text]
    assert (ended.true, ended.doubted, store.true(ended.fact.id, as_of="2023")) == (False, first.ended_by, False)


def works_in_lund(folder: Path, rules: str) -> FactStore:
    store = new_store(pack_of(folder, rules))
    store.remember("Tolvex", attribute="location", value="Lund", since="2010")
    store.remember("Ada Berg", attribute="employer", value="Tolvex", since="2015")
    return store


def workplaces(store: FactStore, *days: str) -> list[str | None]:
    return [store.value("Ada Berg", attribute="workplace", as_of=day).value for day in days]


def test_the_exception_of_another_ends_nothing(tmp_path: Path) -> None:
    store = works_in_lund(tmp_path, WORKPLACES + 'unless = [["E", "kind", "remote firm"]]\n')
    store.remember("Maar Clinic", attribute="kind", value="remote firm", since="2022")
    assert workplaces(store, "2023") == ["Lund"]
    store.remember("Tolvex", attribute="kind", value="remote firm", since="2024")
    assert workplaces(store, "2023", "2024") == ["Lund", None]


def test_what_follows_stops_with_each_exception_and_goes_on_after_it(tmp_path: Path) -> None:
    store = works_in_lund(tmp_path, AT_HOME)
    for since, until in (("2010", "2012"), ("2018", "2020"), ("2022", None)):
        store.remember("Ada Berg", attribute="remote", value="yes", since=since, until=until)
    assert workplaces(store, "2016", "2019", "2021", "2023") == ["Lund", None, "Lund", None]
    first, second = store.history_of("Ada Berg", attribute="workplace").periods
    assert [(str(each.since), str(each.until)) for each in (first, second)] == [("2015", "2018"), ("2020", "2022")]
    assert first.ended_by is not None
    assert [fact.text for fact in first.ended_by.premises] == ["The remote of Ada Berg is yes."]


def test_an_exception_before_the_beginning_leaves_what_comes_after_it(tmp_path: Path) -> None:
    store = works_in_lund(tmp_path, AT_HOME)
    store.remember("Ada Berg", attribute="remote", value="yes", since="2014", until="2022")
    assert workplaces(store, "2016", "2023") == [None, "Lund"]


@pytest.mark.parametrize(("defines", "after"), [("", "Home"), ("defines = true\n", None)])
def test_an_exception_ends_what_was_told_only_where_nothing_else_gives_it(
    tmp_path: Path, defines: str, after: str | None
) -> None:
    store = works_in_lund(tmp_path, AT_HOME.replace('"P"]\nunless', f'"P"]\n{defines}unless'))
    value = after or "Lund"
    store.remember("Ada Berg", attribute="workplace", value=value, since="2016")
    store.remember("Ada Berg", attribute="remote", value="yes", since="2021")
    assert workplaces(store, "2017", "2023") == [value, after]


stretches = st.lists(st.tuples(st.integers(1, 10), st.integers(1, 5)), max_size=3)


@settings(max_examples=10, deadline=None)
@given(stretches, stretches)
def test_a_value_follows_on_the_days_on_which_all_is_given_and_no_exception_holds(
    employed: list[tuple[int, int]], remote: list[tuple[int, int]]
) -> None:
    with TemporaryDirectory() as folder:
        store = new_store(pack_of(Path(folder), AT_HOME))
    store.remember("Tolvex", attribute="location", value="Lund", since=date(2020, 1, 2))
    for attribute, value, told in (("employer", "Tolvex", employed), ("remote", "yes", remote)):
        for since, days in told:
            begins, ends = date(2020, 1, since), date(2020, 1, since + days)
            store.remember("Ada Berg", attribute=attribute, value=value, since=begins, until=ends)
    last = store.history_of("Ada Berg", attribute="workplace", as_of=date(2020, 1, 20)).periods
    for day in (date(2020, 1, number) for number in range(1, 17)):
        works, at_home, workplace = (
            store.value("Ada Berg", attribute=attribute, as_of=day).value
            for attribute in ("employer", "remote", "workplace")
        )
        follows = works is not None and at_home is None and day > date(2020, 1, 1)
        assert (workplace == "Lund") == follows
        second = last_second(day)
        assert any(event_start(each.since) <= second < stops(each.until) for each in last) == follows


def test_what_follows_is_as_old_as_the_oldest_word_that_it_rests_on() -> None:
    store = new_store()
    store.remember("Eva Lund", attribute="colleague", value="Jon Holm", since="2005")
    store.remember("Jon Holm", attribute="employer", value="Tolvex", since="2004")
    assert store.value("Eva Lund", attribute="employer", as_of="2006").stale is False
    store.remember("Jon Holm", attribute="employer", value="Tolvex", since="2024")
    assert store.value("Jon Holm", attribute="employer", as_of="2025").stale is False
    assert store.value("Eva Lund", attribute="employer", as_of="2025").stale is True


def test_what_never_changes_makes_nothing_stale() -> None:
    store = new_store()
    store.remember("Jon Holm", attribute="parent", value="Eva Lund", since="1980")
    store.remember("Ada Berg", attribute="spouse", value="Jon Holm", since="2023")
    answer = store.value("Ada Berg", attribute="parent-in-law", as_of="2025")
    assert (answer.value, answer.stale) == ("Eva Lund", False)


def test_what_a_change_puts_in_doubt_is_said_where_nothing_tells_the_new_value(tmp_path: Path) -> None:
    store = new_store(pack_of(tmp_path, WORKPLACES))
    store.remember("Ada Berg", attribute="employer", value="Tolvex", since="2017")
    store.remember("Ada Berg", attribute="workplace", value="Lund", since="2018")
    assert store.value("Ada Berg", attribute="workplace", as_of="2020").periods[0].doubted is None
    changes = store.remember("Ada Berg", attribute="employer", value="Maar Clinic", since="2022")
    answer = store.value("Ada Berg", attribute="workplace", as_of="2023")
    assert answer.value == "Lund"
    assert "doubtful by “works where the employer is” from: Ada Berg works at Maar Clinic." in answer.describe()
    store.undo(changes[0].document, known_at=NOW)
    assert store.value("Ada Berg", attribute="workplace", as_of="2023").periods[0].doubted is None


def test_who_leaves_a_team_heads_it_no_more_whoever_that_was_told_of() -> None:
    store = told_all(
        [("Search", "head", "Ada Berg", 3), ("Ada Berg", "team", "Search", 2), ("Ada Berg", "team", "Sales", 6)]
    )
    assert [store.value("Search", attribute="head", as_of=date(2020, 1, day)).value for day in (5, 6)] == [
        "Ada Berg",
        None,
    ]


@pytest.mark.parametrize("again", ["2013", "2015"])
def test_what_is_told_again_after_its_need_came_back_stands(again: str) -> None:
    store = new_store()
    for team, since in (("Search", "2010"), ("Sales", "2012"), ("Search", "2014")):
        store.remember("Ada Berg", attribute="team", value=team, since=since)
    store.remember("Search", attribute="head", value="Ada Berg", since="2010")
    assert store.value("Search", attribute="head", as_of="2016").value is None
    store.remember("Search", attribute="head", value="Ada Berg", since=again)
    assert store.value("Search", attribute="head", as_of="2016").value == "Ada Berg"
    store.remember("Ada Berg", attribute="team", value="Sales", since="2017")
    store.remember("Ada Berg", attribute="team", value="Search", since="2019")
    assert [store.value("Search", attribute="head", as_of=day).value for day in ("2016", "2020")] == ["Ada Berg", None]


def test_what_never_held_together_ends_nothing() -> None:
    store = told_all([("Search", "head", "Ada Berg", 3), ("Ada Berg", "team", "Sales", 6)])
    assert store.value("Search", attribute="head", as_of=date(2020, 1, 9)).value == "Ada Berg"


@settings(max_examples=15, deadline=None)
@given(tellings, st.integers(0, 10**6))
def test_the_order_in_which_things_are_told_does_not_matter(told: list[Told], seed: int) -> None:
    mixed = random.Random(seed).sample(told, len(told))
    assert state(told_all(told)) == state(told_all(mixed))


@settings(max_examples=15, deadline=None)
@given(tellings, st.integers(0, 10**6))
def test_undoing_what_was_told_undoes_what_followed(told: list[Told], seed: int) -> None:
    *before, last = [*dict.fromkeys(told), ("Ada Berg", "colleague", "Jon Holm", 5)]
    if last in before:
        return
    store = told_all(before)
    first = state(store)
    subject, attribute, value, day = last
    changes = store.remember(subject, attribute=attribute, value=value, since=date(2020, 1, day))
    store.undo(changes[0].document, known_at=NOW)
    assert state(store) == first


@settings(max_examples=15, deadline=None)
@given(tellings)
def test_each_premise_of_what_follows_holds_on_the_same_day(told: list[Told]) -> None:
    store = told_all(told)
    for person in PEOPLE:
        for period in store.value(person, attribute="employer", as_of=date(2020, 1, 11)).periods:
            for premise in period.derivation.premises if period.derivation else ():
                assert premise.slot is not None
                held = store.value(premise.slot.subject, attribute=premise.slot.attribute, as_of=date(2020, 1, 11))
                assert premise.slot.value in held.values


def test_rules_that_rest_on_each_other_come_to_an_end(tmp_path: Path) -> None:
    circle = '[[inference]]\nname = "a"\ngiven = [["X", "p", "Y"]]\nthen = ["X", "q", "Y"]\n'
    circle += '[[inference]]\nname = "b"\ngiven = [["X", "q", "Y"]]\nthen = ["X", "p", "Y"]\n'
    store = new_store(pack_of(tmp_path, circle))
    store.remember("Ada Berg", attribute="p", value="Oslo", since="2019")
    assert [store.value("Ada Berg", attribute=name, as_of="2020").values for name in "pq"] == [("Oslo",), ("Oslo",)]


def test_a_rule_of_ones_own_takes_the_place_of_the_shipped_one_of_its_name(tmp_path: Path) -> None:
    name = SlotPack.shipped().inferences[0].name
    pack = pack_of(
        tmp_path, f'[[inference]]\nname = "{name}"\ngiven = [["Y", "friend", "X"]]\nthen = ["X", "friend", "Y"]\n'
    )
    assert len(pack.inferences) == len(SlotPack.shipped().inferences)
    assert [rule.then[1] for rule in pack.inferences if rule.name == name] == ["friend"]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ('then = ["X", "a", "Y"]', "either given or needs"),
        ('given = [["X", "b", "Z"]]\nthen = ["X", "a", "Y"]', "no premise tells what Y stands for"),
        ('given = [["P", "b", "Q"]]\nthen = ["X", "a", "Q"]', "put the premises in order"),
        ('given = [["X", "b"]]\nthen = ["X", "a", "Y"]', "inference at 0.given.0"),
    ],
)
def test_a_rule_that_cannot_be_followed_is_refused(tmp_path: Path, rule: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        pack_of(tmp_path, f'[[inference]]\nname = "r"\n{rule}\n')


def worked_out_for(colleagues: int) -> int:
    """Count the slots that are looked up to tell where one of many colleagues works."""
    pack, asked = SlotPack.shipped(), list[tuple[str, str]]()

    def told(subject: str, attribute: str) -> list[SlotPeriod]:
        asked.append((subject, attribute))
        if attribute != "employer":
            return []
        fact = pack.fact(FactSlot(subject=subject, attribute=attribute, value="Tolvex"))
        return [SlotPeriod(fact=fact, value="Tolvex", since=Interval.of_year(2020))]

    everybody = [f"Ada B{number}" for number in range(colleagues)]
    inference = Inference(pack, told=told, holders=lambda attribute, _: everybody if attribute == "employer" else [])
    assert [period.value for period in inference.periods("Ada B7", "employer")] == ["Tolvex"]
    return len(asked)


def test_where_one_of_many_colleagues_works_takes_as_much_work_as_of_few() -> None:
    assert worked_out_for(200) <= 2 * worked_out_for(20)


def test_all_who_work_at_one_place_are_found_as_colleagues() -> None:
    store = told_all([(f"Ada B{number}", "employer", "Tolvex", 1) for number in range(40)])
    assert len(store.value("Ada B7", attribute="colleague", as_of=date(2020, 1, 9)).values) == 39
