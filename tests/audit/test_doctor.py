"""A check-up counts what is undated, stale, contested, duplicated or unreadable."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dateline import Evidence, Interval
from dateline.audit import Doctor
from dateline.facts import LocalUpdater, SlotPack, open_store
from dateline.facts.slot_reader import SlotReader
from dateline.search import load_documents
from dateline.testing import ScriptedEffectJudge
from dateline.text.embeddings import default_embeddings
from dateline.text.lexical import LexicalEmbeddings
from dateline_cli.main import main

NOW = datetime(2024, 6, 1, tzinfo=UTC)
NOTES = Path(__file__).parent.parent.parent / "benchmarks" / "notes" / "seen" / "corpora" / "pool"
FILES = {
    "2021-03-01-fee.md": "The parking fee is 20 euros.",
    "2024-02-01-fee.md": "The parking fee is 25 euros.",
    "2024-03-01-mayor.md": "The mayor of Lund is Ada Berg.",
    "2024-03-01-news.md": "The mayor of Lund is Jon Holm.",
    "2024-04-01-copy.md": "The old mill by the river is now a museum of bread.",
    "2024-04-02-copy.md": "The old mill by the river is now a museum of bread.",
    "plain.md": "Ducks like water and sleep at night.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "damaged.jsonl").write_text("{no json\n", encoding="utf-8")
    return tmp_path


def test_each_trouble_is_found_once_and_with_the_other_document(folder: Path) -> None:
    loaded = load_documents(folder)
    found = Doctor().check(loaded.documents, as_of=NOW, skipped=loaded.skipped)
    assert found.counts() == {"unreadable": 1, "stale": 1, "contested": 2, "duplicated": 1, "undated": 1}
    stale = next(each for each in found.findings if each.trouble == "stale" and each.sentence)
    assert (stale.document, stale.other) == ("2021-03-01-fee.md", "2024-02-01-fee.md")
    assert stale.other_sentence == "The parking fee is 25 euros."


def test_what_repeats_another_is_duplicated() -> None:
    text = "The old mill by the river is now a museum of bread."
    notes = [Evidence.make(text, source=name, published=Interval.parse("2024")) for name in ("a.md", "b.md")]
    (finding,) = Doctor(embeddings=LexicalEmbeddings()).check(notes, as_of=NOW).findings
    assert (finding.trouble, finding.document, finding.other) == ("duplicated", "b.md", "a.md")


def test_a_line_that_is_only_a_date_ends_nothing() -> None:
    texts = {"2022": "Log of 4 Sept 2022: The press runs well. On 4 Sept 2022:", "2024": "On 12 March 2024:"}
    notes = [Evidence.make(text, source=f"{day}.md", published=Interval.parse(day)) for day, text in texts.items()]
    assert Doctor(embeddings=LexicalEmbeddings()).check(notes, as_of=NOW).pairs == 0


def test_age_makes_stale_only_where_one_is_given() -> None:
    note = Evidence.make("Ducks like water.", source="a.md", published=Interval.parse("2020"))
    embeddings = LexicalEmbeddings()
    assert Doctor(embeddings=embeddings).check([note], as_of=NOW).counts()["stale"] == 0
    aged = Doctor(embeddings=embeddings, most_age=timedelta(days=365)).check([note], as_of=NOW)
    assert aged.counts()["stale"] == 1


def test_a_store_is_checked_by_the_facts_it_holds_for_true(tmp_path: Path) -> None:
    embeddings = LexicalEmbeddings()
    with open_store(tmp_path / "facts", embeddings=embeddings) as store:
        told = [
            Evidence.make("The mill is open.", source="a"),
            Evidence.make("Lund is old.", published=Interval.parse("2023")),
        ]
        LocalUpdater(store).update(told, known_at=NOW)
        found = Doctor(embeddings=embeddings).check_store(store, as_of=NOW)
    assert (found.passages, found.counts()["undated"], found.counts()["unreadable"]) == (2, 1, 0)


def test_the_command_exits_by_the_troubles_it_is_told_to_fail_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["doctor", str(folder), "--as-of", "2024-06-01"]
    assert main(asked) == 0
    printed = capsys.readouterr().out
    assert "1 stale" in printed
    assert "2021-03-01-fee.md" in printed
    assert main([*asked, "--fail-on", "stale"]) == 1
    (folder / "2024-04-02-copy.md").unlink()
    assert main([*asked, "--fail-on", "duplicated"]) == 0
    capsys.readouterr()
    assert main([*asked, "--json", "--fail-on", "any"]) == 1
    assert json.loads(capsys.readouterr().out)["counts"]["contested"] == 2


def test_the_command_checks_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_store(tmp_path / "facts", embeddings=default_embeddings()) as store:
        LocalUpdater(store).update([Evidence.make("The mill is open.", source="a")], known_at=NOW)
    assert main(["doctor", str(tmp_path / "facts"), "--fail-on", "undated"]) == 1
    assert "1 undated" in capsys.readouterr().out


def test_the_worst_documents_come_first_and_pairs_beyond_the_limit_are_counted() -> None:
    passages = load_documents(NOTES).documents
    found = Doctor(embeddings=LexicalEmbeddings(), most_pairs=5, most_age=timedelta(days=500)).check(
        passages, as_of=NOW
    )
    assert found.pairs == 5
    assert found.pairs_left > 0
    kinds = [len({each.trouble for each in findings}) for _, findings in found.worst()]
    assert kinds == sorted(kinds, reverse=True)
    assert len(found.worst(3)) == 3
    assert all(each.document for each in found.findings)


def test_two_thousand_documents_take_bounded_work() -> None:
    notes = [
        Evidence.make(
            f"Room {place} of the house has {place % 7} windows.",
            source=f"{place}.md",
            published=Interval.of_day(2000 + place % 24, 1 + place % 12, 1 + place % 28),
        )
        for place in range(2000)
    ]
    found = Doctor(embeddings=LexicalEmbeddings(), most_pairs=50).check(notes, as_of=NOW)
    assert (found.documents, found.pairs) == (2000, 50)
    assert found.pairs_left > 50


def test_true_facts_of_one_source_are_no_versions_of_each_other(tmp_path: Path) -> None:
    embeddings = LexicalEmbeddings()
    with open_store(tmp_path / "facts", embeddings=embeddings) as store:
        for name, since in (("Bo Ek", "2019"), ("Eva Ek", "2021")):
            store.remember("Lund Chess Club", attribute="member", value=name, since=since, source="HR")
        found = Doctor(embeddings=embeddings).check_store(store, as_of=NOW)
    assert (found.passages, found.counts()["stale"]) == (2, 0)


def test_a_check_up_as_of_a_day_uses_nothing_that_was_published_later(folder: Path) -> None:
    found = Doctor().check(load_documents(folder).documents, as_of=datetime(2022, 1, 1, tzinfo=UTC))
    assert (found.documents, found.counts()["stale"], found.counts()["undated"]) == (2, 0, 1)


@pytest.mark.parametrize(("day", "stale"), [("2024-06-01", 0), ("2027-08-01", 1)])
def test_what_is_announced_makes_stale_from_its_own_day_on(day: str, stale: int) -> None:
    notes = [
        Evidence.make("The mayor of Lund is Ada Berg.", source="a.md", published=Interval.parse("2020")),
        Evidence.make(
            "From 1 July 2027 the mayor of Lund is Jon Holm.", source="b.md", published=Interval.parse("2024-05-01")
        ),
    ]
    as_of = datetime.fromisoformat(day).replace(tzinfo=UTC)
    assert Doctor(embeddings=LexicalEmbeddings()).check(notes, as_of=as_of).counts()["stale"] == stale


@pytest.mark.parametrize(
    ("earlier", "later", "stale"),
    [
        ("Ada Berg lives in Porto.", "Ada Berg moved to Oslo.", 1),
        ("Ada is a colleague of Jon.", "Eva is a colleague of Jon.", 0),
    ],
)
def test_declared_attributes_decide_before_the_judge_is_asked(earlier: str, later: str, stale: int) -> None:
    told = ((earlier, "2020"), (later, "2023"))
    notes = [Evidence.make(text, source=f"{day}.md", published=Interval.parse(day)) for text, day in told]
    contrary = ScriptedEffectJudge({} if stale else {(later, earlier): "then"})
    found = Doctor(embeddings=LexicalEmbeddings(), judge=contrary).check(notes, as_of=NOW)
    assert found.counts()["stale"] == stale


def test_what_a_store_calls_contested_is_contested_and_not_stale(tmp_path: Path) -> None:
    embeddings = LexicalEmbeddings()
    with open_store(tmp_path / "facts", embeddings=embeddings) as store:
        store.remember("Ada Berg", attribute="birthplace", value="Porto", since="2019")
        store.remember("Ada Berg", attribute="birthplace", value="Lisbon", since="2021")
        store.remember("Ada Berg", attribute="residence", value="Oslo", since="2021")
        porto, lisbon, _ = (each.fact.text for each in store.at())
        contrary = ScriptedEffectJudge({(lisbon, porto): "then"})
        found = Doctor(embeddings=embeddings, judge=contrary).check_store(store, as_of=NOW)
    assert (found.counts()["contested"], found.counts()["stale"]) == (2, 0)
    (finding, _) = (each for each in found.findings if each.trouble == "contested")
    assert (finding.sentence, finding.other_sentence) == (porto, lisbon)


def test_of_values_that_a_store_calls_contested_those_that_agree_do_not_clash(tmp_path: Path) -> None:
    sentences = [f"Ada Berg works as {post}." for post in ("an engineer", "a senior engineer", "a cook")]
    embeddings = LexicalEmbeddings()
    with open_store(tmp_path / "facts", embeddings=embeddings) as store:
        LocalUpdater(store, judge=ScriptedEffectJudge({})).update(
            [Evidence.make(each, published="2024-05-01") for each in sentences], known_at=NOW
        )
        found = Doctor(embeddings=embeddings, judge=ScriptedEffectJudge({})).check_store(store, as_of=NOW)
    contested = {(each.sentence, each.other_sentence) for each in found.findings if each.trouble == "contested"}
    assert len(contested) == 3
    assert not {tuple(sentences[:2]), tuple(sentences[1::-1])} & contested


@pytest.mark.parametrize("subjects", [20, 200])
def test_a_check_of_a_store_learns_an_undeclared_attribute_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subjects: int
) -> None:
    embeddings = LexicalEmbeddings()
    with open_store(tmp_path / "facts", embeddings=embeddings) as store:
        with store.together():
            for place in range(subjects):
                for value in ("red", "blue"):
                    store.remember(f"Hall {place}", attribute="lamp colour", value=value, since="2020")
        learnt: list[object] = []
        monkeypatch.setattr("dateline.facts.slot_values.learnt_cardinality", learnt.append)
        doctor = Doctor(embeddings=embeddings, judge=ScriptedEffectJudge({}), most_pairs=1)
        found = doctor.check_store(store, as_of=NOW)
    assert (found.counts()["contested"], len(learnt)) == (2 * subjects, 1)


def test_documents_are_checked_by_attributes_of_one_s_own(tmp_path: Path) -> None:
    pack = tmp_path / "slots.toml"
    pack.write_text('[mentor]\nvalues = "one"\nverbs = ["learns from"]\nshape = "person"\n', encoding="utf-8")
    told = (("Ada learns from Jon.", "2020"), ("Ada learns from Eva.", "2023"))
    notes = [Evidence.make(text, source=f"{day}.md", published=Interval.parse(day)) for text, day in told]
    stale = [
        Doctor(embeddings=LexicalEmbeddings(), judge=ScriptedEffectJudge({}), slots=slots)
        .check(notes, as_of=NOW)
        .counts()["stale"]
        for slots in (None, SlotReader(SlotPack.load(pack)))
    ]
    assert stale == [0, 1]
