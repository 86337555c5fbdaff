"""The benchmark of sentences that name a day to come."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dateline.errors import BadInput
from dateline_bench import benchmark
from dateline_bench.benchmarks.onsets import load
from dateline_bench.effects.pairs import Note, onset_of

LATER = {
    "date": "2023-05-01",
    "text": "From 1 June 2023 a day at the baths costs 5 euros.",
    "onset": "later",
    "from": "2023-06-01",
}
THEN = {"date": "2023-05-01", "text": "The open day of the baths is on 14 June 2023.", "onset": "then", "from": None}
ROOT = Path(__file__).parents[2]


def write(folder: Path, *told: object) -> Path:
    (folder / "baths.jsonl").write_text("\n".join(map(json.dumps, told)))
    return folder


def test_what_is_announced_waits_for_its_day_and_what_holds_does_not(tmp_path: Path) -> None:
    report = benchmark.load("onsets").run(write(tmp_path, LATER, THEN))
    assert report.metrics == {"right": 100.0, "announced_in_time": 100.0, "told_in_time": 100.0}
    assert report.baselines["true at once"]["announced_in_time"] == 0.0
    assert report.baselines["true from the first day to come"]["told_in_time"] == 0.0


def test_a_note_from_which_no_fact_is_taken_is_not_told_in_time(tmp_path: Path) -> None:
    question = {**THEN, "text": "Is the new hall of the baths open?"}
    assert benchmark.load("onsets").run(write(tmp_path, question)).metrics["told_in_time"] == 0.0


def test_a_folder_without_sentences_and_a_day_on_the_wrong_side_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no NAME\.jsonl"):
        load(tmp_path)
    for wrong in ({**LATER, "from": "2023-04-01"}, {**LATER, "from": None}, {**THEN, "from": "2023-06-01"}):
        with pytest.raises(BadInput, match=r"Line 1 .* give a later day where it is later"):
            load(write(tmp_path, wrong))


@pytest.mark.parametrize("folder", ["training/onsets", "benchmarks/onsets"])
def test_half_of_the_sentences_that_ship_are_announced(folder: str) -> None:
    told = load(ROOT / folder)
    assert 2 * sum(one.onset == "later" for one in told) == len(told)


@pytest.mark.parametrize("folder", ["training/last_days", "benchmarks/last_days"])
def test_of_sentences_with_a_last_day_most_end_on_the_day_behind_it(folder: str) -> None:
    told = load(ROOT / folder)
    onsets = [onset_of(one.starts, note=Note(date=one.said, text=one.text)) for one in told]
    assert onsets.count("day_after") > len(told) / 4
    assert onsets.count("later") > len(told) / 4


def test_no_sentence_is_both_learned_and_measured() -> None:
    learned, measured = (
        {one.text for name in ("onsets", "last_days") for one in load(ROOT / folder / name)}
        for folder in ("training", "benchmarks")
    )
    assert not learned & measured
