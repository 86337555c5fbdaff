"""The benchmark of pairs of notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dateline.errors import BadInput
from dateline_bench import benchmark
from dateline_bench.effects.pairs import NotePair, load

PAIR = {
    "kind": "announced",
    "old": {"date": "2023-02-01", "text": "The fee for a day at the baths is 4 euros."},
    "new": {"date": "2023-05-01", "text": "The fee for a day at the baths will be 5 euros from 1 June 2023."},
    "effect": "ends",
    "from": "2023-06-01",
}
BESIDE = {
    "kind": "look_alike",
    "old": {"date": "2023-02-01", "text": "The fee for a day at the baths is 4 euros."},
    "new": {"date": "2023-05-01", "text": "The library is shut on Mondays."},
    "effect": "leaves",
}


def write(folder: Path, *pairs: object) -> Path:
    (folder / "baths.jsonl").write_text("\n".join(map(json.dumps, pairs)))
    return folder


def test_a_report_tells_what_went_and_what_should_have_stayed(tmp_path: Path) -> None:
    report = benchmark.load("effects").run(write(tmp_path, PAIR, BESIDE))
    assert report.n == 2
    assert report.metrics["wrongly_ended"] == 0.0
    assert report.metrics["too_early"] == 0.0
    assert report.metrics["right_look_alike"] == 100.0
    assert set(report.baselines["newest of the near"]) == set(report.metrics)
    assert report.baselines["newest of the near"]["too_early"] == 100.0


def test_what_stands_before_a_note_is_stored_and_not_what_is_asked_of(tmp_path: Path) -> None:
    old = {"date": "2023-02-01", "title": "Tariff", "before": "The pool is open.", "text": "A day is 4 euros."}
    shut = {"date": "2023-05-01", "text": "The pool is closed."}
    pair = {"kind": "other_attribute", "old": old, "new": shut, "effect": "leaves"}
    assert benchmark.load("effects").run(write(tmp_path, pair)).metrics["wrongly_ended"] == 0.0
    ended = {**pair, "kind": "stopped", "effect": "ends", "old": {**old, "text": "The pool is open.", "before": ""}}
    assert benchmark.load("effects").run(write(tmp_path, ended)).metrics["retired"] == 100.0


def test_a_pair_tells_its_field_and_when_it_ends(tmp_path: Path) -> None:
    announced, beside = load(write(tmp_path, PAIR, BESIDE))
    assert (announced.field, announced.onset, beside.onset) == ("baths", "later", "then")


def test_a_folder_without_pairs_and_a_pair_out_of_order_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no NAME\.jsonl"):
        load(tmp_path)
    with pytest.raises(BadInput, match=r"Line 1 .* not later than"):
        load(write(tmp_path, {**PAIR, "new": {"date": "2023-01-01", "text": "The fee is 5 euros."}}))


@pytest.mark.parametrize(
    "folder",
    [
        "training/effects",
        "benchmarks/effects/placed",
        "benchmarks/effects/seen",
        "benchmarks/effects/apart",
        "benchmarks/effects/plain",
        "benchmarks/effects/further",
    ],
)
def test_the_pairs_that_ship_can_be_read(folder: str) -> None:
    pairs: list[NotePair] = load(Path(__file__).parents[2] / folder)
    assert {pair.effect for pair in pairs} == {"ends", "restates", "leaves"}
    assert all(pair.starts is None for pair in pairs if pair.effect != "ends")
