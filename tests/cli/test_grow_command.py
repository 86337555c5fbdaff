"""`dateline grow` as a person runs it."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import dateline.text
from dateline.text.lexical import LexicalEmbeddings
from dateline_bench import grow_graph
from dateline_bench.certainty_training.labelled import read_labelled
from dateline_cli.main import main
from langchain_dateline.testing import ScriptedChatModel

SNAPSHOTS = str(Path(__file__).parents[2] / "examples" / "snapshots")
Run = Callable[..., "tuple[int, str, str]"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for module in (dateline.text, grow_graph):
        monkeypatch.setattr(module, "default_embeddings", LexicalEmbeddings)
    # What is made here is kept for no other test.
    monkeypatch.setattr(grow_graph, "growth_of", inspect.unwrap(grow_graph.growth_of))

    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(("grow", *arguments))
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_a_benchmark_begins_grows_and_is_counted(run: Run, tmp_path: Path) -> None:
    folder = str(tmp_path / "grown")
    assert (
        run("init", folder, SNAPSHOTS, "--month", "2024-02")[:2]
        == run("init", folder, SNAPSHOTS, "--month", "2024-02")[:2]
    )
    code, out, _ = run("update", folder, SNAPSHOTS)
    assert code == 0
    assert out.count("\n") == 1
    assert "2 Changed" in out
    assert "up to date" in run("update", folder, SNAPSHOTS)[1]
    counted = json.loads(run("stats", folder, "--json")[1])
    assert [each["month"] for each in counted] == ["2024-02", "2024-03"]
    assert counted[1]["questions"]["Changed"] == 2
    assert "Turns of dialogues" in run("stats", folder)[1]


def test_rows_for_a_certainty_classifier_are_written_and_read(run: Run, tmp_path: Path) -> None:
    folder, out = str(tmp_path / "grown"), tmp_path / "rows.jsonl"
    run("init", folder, SNAPSHOTS)
    run("update", folder, SNAPSHOTS)
    code, told, _ = run("rows", folder, "--out", str(out))
    labels = Counter(row.label for row in read_labelled(out, now=datetime.now(UTC)))
    assert code == 0
    assert set(labels) == {"reliable", "misleading", "uncertain"}
    assert all(f"{number} {label}" in told for label, number in labels.items())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["init", "OUT", "no/such/folder"], "no/such/folder"),
        (["init", "OUT", SNAPSHOTS, "--month", "2030-01"], "2030-01"),
        (["init", "OUT", SNAPSHOTS, "--model", "gpt"], "'gpt'"),
        (["init", "OUT", SNAPSHOTS, "--seed", "-1"], "seed"),
        (["init", "OUT", SNAPSHOTS, "--clusters", "0"], "clusters"),
        (["update", "OUT", SNAPSHOTS], "dateline grow init"),
        (["stats", "OUT"], "dateline grow init"),
        (["rows", "OUT", "--out", "FILE"], "dateline grow init"),
        (["shrink", "OUT"], "shrink"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_code_2(
    run: Run, tmp_path: Path, arguments: list[str], said: str
) -> None:
    places = {"OUT": str(tmp_path / "out"), "FILE": str(tmp_path / "rows.jsonl")}
    code, _, err = run(*[places.get(one, one) for one in arguments])
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_model_that_babbles_leaves_a_month_that_says_why(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedChatModel(replies=["la la la"])
    monkeypatch.setattr(grow_graph, "chat_model", lambda name: model)
    code, out, _ = run("init", str(tmp_path), SNAPSHOTS, "--model", "scripted:one")
    assert code == 0
    assert "questions none; turns none" in out
    assert f"{len(model.history)} model calls" in out
    meta = json.loads((tmp_path / "2024-01" / "month.json").read_text())
    assert (meta["model"], len(meta["notes"]), meta["cost"]["model_calls"]) == ("scripted:one", 16, 32)
    assert all("no JSON object" in note for note in meta["notes"])
