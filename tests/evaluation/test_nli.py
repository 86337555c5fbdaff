"""The NLI benchmark on pairs of our own."""

from __future__ import annotations

from pathlib import Path

import pytest

from dateline import BadInput
from dateline_bench import rows
from dateline_bench.benchmarks import nli

PAIRS = [
    ("The harbour of Varn was closed in 2019 after the storm .", "The harbour of Varn was closed .", "supports"),
    ("The harbour of Varn was never closed .", "The harbour of Varn was closed .", "refutes"),
    ("The market of Varn sells fish on Fridays .", "The harbour of Lund has nine cranes .", "not enough info"),
] * 2
SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"


def folder_with(tmp_path: Path, *, sick: bool = True) -> Path:
    claims = [{"evidence": premise, "claim": claim, "label": label} for premise, claim, label in PAIRS]
    rows.write(tmp_path / "small" / "vitaminc" / "test.jsonl", claims)
    rows.write(
        tmp_path / "small" / "rte" / "test.jsonl",
        [
            {"premise": premise, "hypothesis": claim, "label": str(label == "supports")}
            for premise, claim, label in PAIRS
        ],
    )
    if sick:
        lines = [
            "1\tA cat is asleep\tThere is no cat asleep\t3.5\tCONTRADICTION",
            "2\tA cat is asleep\tA cat is red\t3\tNEUTRAL",
        ]
        (tmp_path / "SICK_trial.txt").write_text(SICK + "\n".join(lines) + "\n")
    return tmp_path


def test_each_set_is_measured_beside_the_rules(tmp_path: Path) -> None:
    report = nli.run(folder_with(tmp_path))
    assert report.n == 14
    assert report.configuration["pairs"] == {"vitaminc": 6, "rte": 6, "sick": 2}
    assert set(report.metrics) == set(report.baselines["rules"])
    assert {"vitaminc_contradiction_auroc", "sick_contradiction_auroc", "rte_accuracy"} <= set(report.metrics)
    assert "rte_contradiction_auroc" not in report.metrics
    assert all(0 <= figure <= 100 for figure in report.metrics.values())
    assert report.baselines["rules"]["vitaminc_contradiction_auroc"] == 100


def test_a_row_of_the_confusion_table_adds_up(tmp_path: Path) -> None:
    metrics = nli.run(folder_with(tmp_path)).metrics
    for kind in ("entailment", "contradiction", "neutral"):
        assert sum(metrics[f"vitaminc_{kind}_as_{said}"] for said in nli.CLASSES.values()) == pytest.approx(100)


def test_the_same_seed_draws_the_same_pairs(tmp_path: Path) -> None:
    folder = folder_with(tmp_path)
    first, second = (nli.run(folder, limit=3, seed=4) for _ in range(2))
    assert first.metrics == second.metrics
    assert first.n == 8


def test_what_cannot_be_measured_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no SICK"):
        nli.run(tmp_path)
    with pytest.raises(BadInput, match="Unknown option"):
        nli.run(folder_with(tmp_path), speed="fast")
    rows.write(tmp_path / "small" / "mnli" / "test.jsonl", [{"premise": "a", "hypothesis": "b", "label": "maybe"}])
    with pytest.raises(BadInput, match="label 'maybe'"):
        nli.run(tmp_path)
    rows.write(tmp_path / "small" / "mnli" / "test.jsonl", [{"premise": "a", "label": "neutral"}])
    with pytest.raises(BadInput, match="lacks the field 'hypothesis'"):
        nli.run(tmp_path)
