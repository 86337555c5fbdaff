"""The script of DRAGIN's tables, from end to end on a small model with two questions a data set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dateline.dynamic.hyperparameters import TABLE_9
from dateline.testing import tiny_causal_model

pytest.importorskip("torch")

import dragin_tables

PLACES = ["Ostrow", "Kirkhope"]


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    model, tokenizer = tiny_causal_model("llama")
    for part in (model, tokenizer):
        part.save_pretrained(tmp_path / "model")
    context = [[place, [f"{place} is a town run by Agnes Molde."]] for place in PLACES]
    answers: dict[str, Any] = {
        "hotpotqa": "Agnes Molde", "iirc": {"type": "span", "answer_spans": [{"text": "Agnes Molde"}]},
    }  # fmt: skip
    for name, answer in answers.items():
        (tmp_path / name).mkdir()
        rows = [
            {"qid": place, "question": f"Who runs {place}?", "answer": answer, "context": context} for place in PLACES
        ]
        (tmp_path / name / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return {name: tmp_path / name for name in ("model", *answers)}


def test_all_six_tables_are_written_and_a_second_run_measures_nothing_again(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    given = [f"--model=tiny={folders['model']}", f"--data=hotpotqa={folders['hotpotqa']}",
             f"--data=iirc={folders['iirc']}", f"--out={tmp_path / 'out'}", "--length=6", "--limit=2"]  # fmt: skip
    dragin_tables.main(given)
    text = (tmp_path / "out" / "tables.md").read_text()
    assert [line.split(":")[0] for line in text.splitlines() if line.startswith("## ")] == [
        f"## Table {number}" for number in range(1, 7)
    ]
    table = {title.splitlines()[0][:7]: title.splitlines()[4:] for title in text.split("## ")[1:]}
    sizes = {name: len([row for row in rows if row.startswith("|")]) for name, rows in table.items()}
    assert sizes == {"Table 1": 6, "Table 2": 6, "Table 3": 4, "Table 4": 4, "Table 5": 8, "Table 6": 5}
    kept = {path.name: path.read_text() for path in (tmp_path / "out").glob("*.jsonl")}
    assert {name: len(rows.splitlines()) for name, rows in kept.items()} == {
        "tiny--hotpotqa.jsonl": 1 + 2 * (6 + 8 + 5), "tiny--iirc.jsonl": 1 + 2 * (6 + 4),
    }  # fmt: skip
    dragin_tables.main(given)
    assert {path.name: path.read_text() for path in (tmp_path / "out").glob("*.jsonl")} == kept
    assert (tmp_path / "out" / "tables.md").read_text() == text


def test_fl_rag_has_its_own_25_tokens_and_dragin_those_of_table_9() -> None:
    row = TABLE_9["llama2-13b-chat"]["hotpotqa"]
    for dataset in ("iirc", "hotpotqa"):
        for cell in dragin_tables.cells(row, dataset=dataset, tables=(2, 3, 4, 5, 6), flare=0.4, fl_n=25):
            sizes = {part.n for part in (cell.trigger, cell.query) if hasattr(part, "n")}
            assert sizes <= ({25} if "fl-rag" in cell.name else {row.n})
            assert sizes or not cell.name.endswith("fl-rag")
    assert row.n == 35


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, capsys: Any) -> None:
    with pytest.raises(SystemExit):
        dragin_tables.main([f"--model=tiny={tmp_path / 'none'}", f"--out={tmp_path}"])
    assert "NAME=FOLDER" in capsys.readouterr().err
