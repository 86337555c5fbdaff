from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from dateline_cli.main import main
from tiny_model import tiny_parts, tiny_world

LABELS = ("reliable", "misleading", "uncertain")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model, and rows whose labels show in the document's last word."""
    made = tmp_path_factory.mktemp("certainty")
    model, tokens = tiny_parts()
    model.save_pretrained(made / "model")
    tokens.save_pretrained(made / "model")
    (made / "prompt.json").write_text('{"document": "{text}\\n", "question": "{question}"}')
    rows = []
    for number, fact in enumerate(tiny_world().facts[:90]):
        ending = ("red", "eels", "flute")[number % 3]
        rows.append({"question": f"{fact.subject} {ending}", "document": fact.value, "label": LABELS[number % 3]})
    (made / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return made


def run(folder: Path, job: str, *more: str) -> int:
    return main(["certainty", job, str(folder / "rows.jsonl"), "--model", str(folder / "model"), *more])


def test_train_calibrate_and_report_say_how_good_the_classifier_is(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    classifier, figures = folder / "c.safetensors", folder / "figures.json"
    options = ["--epochs", "40", "--learning-rate", "0.02", "--prompt", str(folder / "prompt.json")]
    assert run(folder, "train", "--out", str(classifier), *options) == 0
    assert "held out (n = 18): accuracy" in capsys.readouterr().out
    calibrated = ["--classifier", str(classifier), "--out", str(folder / "cal.json"), "--method", "isotonic"]
    assert run(folder, "calibrate", *calibrated) == 0
    assert "before (n = 46)" in capsys.readouterr().out
    measured = ["--classifier", str(classifier), "--calibration", str(folder / "cal.json"), "--json", str(figures)]
    assert run(folder, "report", *measured, "--figure", str(folder / "d.png")) == 0
    found = json.loads(figures.read_text())
    assert found["classifier"]["accuracy"] > 90
    assert set(found) == {"classifier", "calibrated"}
    assert (folder / "d.png").stat().st_size > 1000


def test_training_with_the_same_seed_writes_the_same_file(folder: Path) -> None:
    paths = [folder / f"{name}.safetensors" for name in "ab"]
    for path in paths:
        assert run(folder, "train", "--out", str(path), "--seed", "7", "--epochs", "1") == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_what_cannot_work_is_one_sentence_and_exit_code_2(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(folder / "x.safetensors")
    assert run(folder, "train", "--out", out, "--epochs", "0") == 2
    assert run(folder, "train", "--out", out, "--holdout", "2") == 2
    assert run(folder, "train", "--out", str(folder / "none" / "x")) == 2
    assert run(folder, "report", "--classifier", str(folder / "missing")) == 2
    assert main(["certainty", "train", str(folder / "none"), "--model", "m", "--out", out]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 5


def test_a_result_takes_the_place_of_another_like_it_and_of_nothing_else(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    classifier, calibration, figures = (tmp_path / name for name in ("c.safetensors", "cal.json", "figures.json"))
    measured = ["--classifier", str(classifier), "--json", str(figures)]
    jobs = [
        ["train", "--out", str(classifier), "--epochs", "1"],
        ["calibrate", "--out", str(calibration), "--classifier", str(classifier)],
        *(["report", *measured, "--figure", str(tmp_path / f"d.{kind}")] for kind in ("png", "svg", "pdf")),
    ]
    for job in jobs:
        assert [run(folder, *job), run(folder, *job)] == [0, 0], capsys.readouterr().err
    for file in [*tmp_path.iterdir()]:
        file.write_bytes(b"%PDF What I wrote myself.")
    capsys.readouterr()
    assert [run(folder, *job) for job in jobs] == [2] * len(jobs)
    assert capsys.readouterr().err.count("it holds something else; name another file.") == len(jobs)
    assert {file.read_bytes() for file in tmp_path.iterdir()} == {b"%PDF What I wrote myself."}
