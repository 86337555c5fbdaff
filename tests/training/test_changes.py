"""Archives in which every change is marked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dateline.protocols import Effects, PlacedStatement

TRAINING = Path(__file__).parents[2] / "training"
ARCHIVES = sorted((TRAINING / "changes").rglob("*.json"))


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(TRAINING)
    import changes

    return changes


@pytest.fixture
def fees(tmp_path: Path) -> Path:
    said = [
        ("2021-01-01", "The fee is 10 euros."),
        ("2021-01-01", "The hut has 12 beds."),
        ("2022-01-01", "The fee is 12 euros."),
        ("2023-01-01", "The fee is 15 euros."),
    ]
    archive = {
        "statements": [[day, "", text] for day, text in said],
        "changes": [[3, 1, "ends", None, True], [4, 3, "ends", "2023-03-01", True]],
    }
    (tmp_path / "hut.json").write_text(json.dumps(archive))
    return tmp_path


class AfraidOfBeds:
    """A judge that takes beds for ended, and nothing else."""

    def effects(self, pairs: Sequence[tuple[PlacedStatement, PlacedStatement]]) -> Effects:
        beds = np.array(["beds" in earlier.text for _, earlier in pairs], dtype=np.float32)
        chances = np.stack([beds, 0 * beds, 1 - beds], axis=1)
        return Effects(chances, chances)


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: path.stem)
def test_a_change_is_marked_once_and_names_two_statements(path: Path) -> None:
    archive = json.loads(path.read_text("utf-8"))
    told = [(later, earlier) for later, earlier, *_ in archive["changes"]]
    assert len(set(told)) == len(told) > 30
    assert all(
        later != earlier and 1 <= min(pair) <= max(pair) <= len(archive["statements"])
        for pair in told
        for later, earlier in [pair]
    )


def test_what_had_ended_before_is_no_lesson_in_what_ends_nothing(marked: Any, fees: Path) -> None:
    found = {(one.new.text, one.old.text): (one.effect, one.onset) for one in marked.changes(fees, seed=0)}
    assert found == {
        ("The fee is 12 euros.", "The fee is 10 euros."): ("ends", "then"),
        ("The fee is 12 euros.", "The hut has 12 beds."): ("leaves", "then"),
        ("The fee is 15 euros.", "The fee is 12 euros."): ("ends", "later"),
        ("The fee is 15 euros.", "The hut has 12 beds."): ("leaves", "then"),
    }


def test_what_misleads_a_judge_is_always_among_the_lessons(
    marked: Any, fees: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = json.loads((fees / "hut.json").read_text())
    archive["statements"] = [["2020-01-01", "", f"Path {number} leads to the hut."] for number in range(9)] + [
        [day, title, text] for day, title, text in archive["statements"]
    ]
    archive["changes"] = [[later + 9, earlier + 9, *rest] for later, earlier, *rest in archive["changes"]]
    (fees / "hut.json").write_text(json.dumps(archive))
    for seed in range(5):
        left = [one for one in marked.changes(fees, seed=seed, judge=AfraidOfBeds()) if one.effect == "leaves"]
        for fee in ("The fee is 12 euros.", "The fee is 15 euros."):
            olds = [one.old.text for one in left if one.new.text == fee]
            assert len(olds) == marked.LEFT
            assert "The hut has 12 beds." in olds


def test_a_note_holds_what_stands_before_it_in_its_document_alone(marked: Any) -> None:
    said = [
        ("2021-01-01", "Hut", "It has 12 beds."),
        ("2021-01-01", "Hut", "The fee is 10 euros."),
        ("", "Hut", "Rain."),
    ]
    notes = marked.notes_of({"statements": [*said, ("2021-01-01", "Inn", "It has 3 beds.")]})
    assert [note and note.before for note in notes] == ["", "It has 12 beds.", None, ""]


def test_what_misled_a_judge_is_marked_as_no_change(marked: Any) -> None:
    written = json.loads(marked.MISLED.read_text("utf-8"))
    for name, pairs in written.items():
        archive = json.loads((marked.MARKED / f"{name}.json").read_text("utf-8"))
        told = {(later, earlier) for later, earlier, *_ in archive["changes"]}
        assert told.isdisjoint(map(tuple, pairs))
    lessons = marked.misled()
    assert len(lessons) == sum(map(len, written.values())) > 3_000
    assert {one.effect for one in lessons} == {"leaves"}
    assert all(one.old.date < one.new.date for one in lessons)
    assert len(marked.misled(without=[next(iter(written))])) < len(lessons)
