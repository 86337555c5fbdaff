"""`dateline grow` as a person runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import dateline.text
from dateline.text.lexical import LexicalEmbeddings
from dateline_cli.main import main
from langchain_dateline.testing import ScriptedChatModel

SNAPSHOTS = str(Path(__file__).parents[2] / "examples" / "snapshots")
Run = Callable[..., "tuple[int, str, str]"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(dateline.text, "default_embeddings", LexicalEmbeddings)

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
        (["shrink", "OUT"], "shrink"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_exit_code_2(
    run: Run, tmp_path: Path, arguments: list[str], said: str
) -> None:
    code, _, err = run(*[str(tmp_path / "out") if one == "OUT" else one for one in arguments])
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_model_that_babbles_leaves_a_month_that_says_why(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedChatModel(replies=["la la la"])
    monkeypatch.setattr("dateline_graphs.models.chat_model", lambda name: model)
    code, out, _ = run("init", str(tmp_path), SNAPSHOTS, "--model", "scripted:one")
    assert code == 0
    assert "questions none; turns none" in out
    assert f"{len(model.history)} model calls" in out
    meta = json.loads((tmp_path / "2024-01" / "month.json").read_text())
    assert (meta["model"], len(meta["notes"]), meta["cost"]["model_calls"]) == ("scripted:one", 16, 32)
    assert all("no JSON object" in note for note in meta["notes"])
