"""Estimators of a chat model beside each other, on labelled rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from dateline.errors import BadInput, MissingExtra
from dateline.temporal import now
from dateline_bench.certainty_training.compared import NAMES, compared, estimator_named
from dateline_bench.certainty_training.labelled import read_labelled
from dateline_cli.main import main
from langchain_dateline.testing import AnsweringChatModel, ScriptedChatModel


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Questions on councils: of half of them the documents tell who chairs them."""
    told: list[dict[str, Any]] = []
    for number in range(12):
        known = number % 2 == 0
        text = f"Bo Lind chairs council {number}." if known else f"Council {number} met."
        told.append({
            "question": f"Who chairs council {number}?", "document": text, "label": "reliable" if known else "uncertain"
        })  # fmt: skip
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, told)), encoding="utf-8")
    return path


def guesser() -> AnsweringChatModel:
    """A model that reads what it is told, and otherwise says another name each time."""
    made_up = iter(f"Ada{number} Berg{number}" for number in range(1000))

    def respond(messages: list[BaseMessage]) -> str:
        known = any("chairs council" in str(each.text).split("Who chairs")[0] for each in messages)
        return "answer: Bo Lind" if known else f"answer: {next(made_up)}"

    return AnsweringChatModel(respond=respond)


def test_estimators_stand_beside_each_other_as_they_are_and_calibrated(rows: Path) -> None:
    model = guesser()
    estimators = {name: estimator_named(name, model=model, samples=3) for name in ("agreement", "semantic_entropy")}
    found = compared(read_labelled(rows, now=now()), model=model, estimators=estimators)
    assert list(found) == ["agreement", "agreement, calibrated", "semantic_entropy", "semantic_entropy, calibrated"]
    assert {one.n for one in found.values()} == {6}
    assert all(one.auroc > 0.9 for one in found.values())
    assert len(model.history) == 12 * (1 + 3 + 3)


def test_an_estimator_is_named_or_refused() -> None:
    model = ScriptedChatModel(replies=["answer: x"])
    assert all(estimator_named(name, model=model, samples=2) for name in NAMES)
    with pytest.raises(BadInput, match="choose of self_report"):
        estimator_named("entropy", model=model, samples=2)
    with pytest.raises(MissingExtra, match="uqlm"):
        estimator_named("uqlm:exact_match", model=model, samples=2)


def test_a_report_needs_a_classifier_or_a_chat_model(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certainty", "report", str(rows)]) == 2
    assert "--chat" in capsys.readouterr().err
