"""`dateline evaluate` and `dateline data build` as a person runs them, over small files written here."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from dateline_bench.benchmark import names
from dateline_bench.rows import read, write
from dateline_cli.main import main


@pytest.fixture
def timeqa(tmp_path: Path) -> Path:
    """Six passages, one key and one perturbed question."""
    spells = [("Anna Berg", 1998, 2004), ("Carl Dahl", 2004, 2011), ("Eva Holm", 2011, 2019)]
    passages = [
        {"id": n, "title": "Northern Observatory", "text": f"{name} was its director from {start} to {end} ."}
        for n, (name, start, end) in enumerate(spells)
    ]
    passages += [{"id": 3 + n, "title": f"Fish {n}", "text": "Fish is sold at the harbour in 2008 ."} for n in range(3)]
    question = "Who was the director of the Northern Observatory {}?"
    questions = [
        {
            "id": "a",
            "kind": "key",
            "question": question.format("from 2004 to 2011"),
            "answers": ["Carl Dahl"],
            "gold": [1],
        },
        {"id": "a", "kind": "perturbed", "question": question.format("in 2008"), "answers": ["Carl Dahl"], "gold": [1]},
    ]
    folder = tmp_path / "timeqa"
    write(folder / "passages.jsonl", passages)
    write(folder / "questions.jsonl.gz", questions)
    return folder


def test_timeqa_is_measured_beside_its_baselines_and_written_whole(
    timeqa: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    assert main(["evaluate", "timeqa", str(timeqa), "--json", str(out)]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    assert set(report) == {"benchmark", "n", "configuration", "metrics", "baselines", "cost"}
    assert report["n"] == 2
    assert report["metrics"]["key_ER@5"] == report["metrics"]["perturbed_ER@5"] == 100.0
    assert {
        f"{kind}_{what}@{k}" for kind in ("key", "perturbed") for what in ("AR", "ER") for k in (1, 5, 10, 20)
    } <= set(report["metrics"])
    assert len(report["baselines"]) >= 3
    assert "perturbed_ER@1" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["out.json"]


def test_the_same_seed_gives_the_same_figures(timeqa: Path, tmp_path: Path) -> None:
    figures = []
    for name in ("first.json", "second.json"):
        main(["evaluate", "timeqa", str(timeqa), "--json", str(tmp_path / name), "--seed", "3"])
        figures.append(json.loads((tmp_path / name).read_text(encoding="utf-8"))["metrics"])
    assert figures[0] == figures[1]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["evaluate", "nosuch", "DIR"], "nosuch"),
        (["evaluate", "timeqa", "no/such/folder"], "no/such/folder"),
        (["evaluate", "timeqa", "EMPTY"], "passages"),
        (["evaluate", "timeqa", "DIR", "--limit", "0"], "0"),
        (["evaluate", "timeqa", "DIR", "--option", "nonsense"], "nonsense"),
        (["evaluate", "timeqa", "DIR", "--json", "no/such/folder/out.json"], "no/such/folder"),
        (["data", "build", "nosuch", "DIR", "OUT"], "nosuch"),
        (["data", "build", "timeqa", "no/such/file", "OUT"], "timeqa|no/such/file"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    timeqa: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    (tmp_path / "empty").mkdir()
    places = {"DIR": str(timeqa), "EMPTY": str(tmp_path / "empty"), "OUT": str(tmp_path / "out")}
    assert main([places.get(argument, argument) for argument in arguments]) == 2
    err = capsys.readouterr().err
    assert any(word in err for word in expected.split("|")), err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_damaged_row_is_named_by_its_line(timeqa: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (timeqa / "passages.jsonl").open("a", encoding="utf-8") as file:
        file.write("{broken\n")
    assert main(["evaluate", "timeqa", str(timeqa)]) == 2
    assert "Line 7" in capsys.readouterr().err


def test_rows_survive_a_round_trip_plain_and_gzipped(tmp_path: Path) -> None:
    rows = [{"a": 1}, {"b": "ü"}]
    for name in ("x.jsonl", "x.jsonl.gz"):
        assert write(tmp_path / name, rows) == 2
        assert list(read(tmp_path / name)) == rows


def test_all_that_is_listed_as_a_benchmark_can_be_run() -> None:
    assert {"timeqa", "realtimeqa"} <= set(names())
    for name in names():
        assert callable(import_module(f"dateline_bench.benchmarks.{name}").run), name
