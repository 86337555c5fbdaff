"""The gate of ingestion: a second snapshot costs what changed in it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from dateline.documents.document_date import version_key
from dateline.evolution import IngestionGate, SentenceLabeller
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.reading import RuleJudge
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline.text.lexical import LexicalEmbeddings
from dateline_cli.main import main

NOW = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def benchmark_module(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    import ingestion_gate

    yield ingestion_gate
    for name in ("ingestion_gate", "updates_model"):
        sys.modules.pop(name, None)


def labeller() -> SentenceLabeller:
    return SentenceLabeller(embeddings=LexicalEmbeddings(), judge=RuleJudge())


def document(text: str, *, year: int, name: str = "mill") -> Evidence:
    return Evidence.make(text, title=name, source=f"{name}.txt", published=Interval.of_year(year))


def test_a_second_snapshot_through_the_gate_costs_a_quarter_and_leaves_the_same_facts(benchmark_module: Any) -> None:
    found = benchmark_module.measure(0.15, documents=20, sentences=6, seed=3)
    assert found["same_final_facts"]
    assert 0 < found["calls_gated"] <= found["calls_whole"] / 4


def test_the_updater_reads_what_changed_and_what_explains_it_and_nothing_else() -> None:
    old = document("The mill has four floors. The keeper is Jon Aske. It is red. He is 60.", year=2020)
    new = document("The mill has four floors. The keeper is Jon Aske. It is red. He is 63.", year=2023)
    selection = IngestionGate(LocalUpdater(store()), labeller=labeller()).select([new], since=[old])
    (given,) = selection.documents
    assert given.text == "It is red. He is 63."
    assert (given.id, given.title, given.published) == (new.id, new.title, new.published)
    assert new.text.startswith("The mill")
    assert selection.report.sentences_given == 2


def test_an_unchanged_document_is_not_read_and_one_without_an_old_version_is_read_whole() -> None:
    old = document("The mill has four floors. The tower is red.", year=2020)
    moved = document("The tower is red. The mill has four floors.", year=2023)
    other = document("The bridge is closed. The toll is two crowns.", year=2023, name="bridge")
    gated = IngestionGate(LocalUpdater(store()), labeller=labeller()).update([moved, other], since=[old], known_at=NOW)
    assert [one.document for one in gated.changes] == [other.id]
    assert (gated.documents, gated.documents_given, gated.sentences_given) == (2, 1, 2)


def test_a_dry_run_writes_nothing_and_an_undo_takes_back_what_came_through() -> None:
    facts = store()
    old = document("The mayor of Varn is Jon Aske.", year=2020)
    new = document("The mayor of Varn is Vera Holt.", year=2023)
    updater = LocalUpdater(facts)
    updater.update([old], known_at=NOW)
    gate = IngestionGate(updater, labeller=labeller())
    before = [one.fact.text for one in facts.at(NOW)]
    assert gate.update([new], since=[old], known_at=NOW, dry_run=True).changes[0].made_false
    assert [one.fact.text for one in facts.at(NOW)] == before
    gate.update([new], since=[old], known_at=NOW)
    assert [one.fact.text for one in facts.at(NOW)] == ["The mayor of Varn is Vera Holt."]
    facts.undo(new.id, known_at=NOW)
    assert [one.fact.text for one in facts.at(NOW)] == before


def test_versions_meet_by_url_or_by_file_name_without_its_date() -> None:
    first = Evidence.make("One.", title="mill", source="mill-2021-05-01.txt")
    second = Evidence.make("Two.", title="mill", source="mill-2023-05-01.txt")
    assert version_key(first) == version_key(second)
    assert version_key(Evidence.make("x", url="https://a.example/1", title="t")) == "https://a.example/1"


def test_documents_without_any_name_are_no_versions_of_each_other() -> None:
    one, other = Evidence.make("The mill has four floors."), Evidence.make("The mill has four floors. It is red.")
    assert version_key(one) != version_key(other)
    selection = IngestionGate(LocalUpdater(store()), labeller=labeller()).select([other], since=[one])
    assert [given.text for given in selection.documents] == [other.text]


def test_facts_add_since_reads_only_what_is_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for year, text in (
        ("2021", "The mayor of Varn is Jon Aske. The town has a mill."),
        ("2023", "The mayor of Varn is Vera Holt. The town has a mill."),
    ):
        (tmp_path / year).mkdir()
        (tmp_path / year / "varn.md").write_text(f"---\ntitle: Varn\ndate: {year}-05-01\n---\n\n{text}\n")
    facts = str(tmp_path / "store")
    assert main(["facts", "add", facts, str(tmp_path / "2021")]) == 0
    capsys.readouterr()
    assert main(["facts", "add", facts, str(tmp_path / "2023"), "--since", str(tmp_path / "2021")]) == 0
    out = capsys.readouterr().out
    assert "1 of 2 sentences in 1 of 1 documents" in out
    assert "Vera Holt" in out
    assert main(["facts", "add", facts, str(tmp_path / "2023"), "--since", str(tmp_path / "none")]) == 2


def store() -> FactStore:
    return FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())


async def test_the_gate_awaits_its_updater() -> None:
    class Awaited(LocalUpdater):
        def update(self, *_: Any, **__: Any) -> Any:
            raise AssertionError("blocked the event loop's thread")

    old = document("The mill has four floors.", year=2020)
    new = document("The mill has five floors.", year=2023)
    gated = await IngestionGate(Awaited(store()), labeller=labeller()).aupdate([new], since=[old], known_at=NOW)
    assert [one.document for one in gated.changes] == [new.id]
