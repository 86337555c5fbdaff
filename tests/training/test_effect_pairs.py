"""Training pairs of notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def crossed(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "training")
    import crossed

    return crossed


@pytest.fixture
def effects(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "training")
    import effects

    return effects


def test_each_pair_is_trained_on_once_and_none_that_is_measured(effects: Any) -> None:
    pairs = effects.note_pairs()
    asked = {tuple((note.title, note.before, note.text) for note in (pair.old, pair.new)) for pair in pairs}
    assert len(asked) == len(pairs) > 1_500  # a pair of other days asks the same
    trained = {(pair.old.text, pair.new.text) for pair in pairs}
    for folder in ("seen", "apart", "plain", "further", "exceptions", "placed"):
        measured = {
            (pair.old.text, pair.new.text) for pair in effects.note_pairs(ROOT / "benchmarks" / "effects" / folder)
        }
        assert measured.isdisjoint(trained)


def test_crossed_pairs_leave_earlier_notes_that_were_written_for_others(effects: Any, crossed: Any) -> None:
    pairs = [pair for pair in effects.note_pairs() if pair.field in ("bees", "zoo")]
    written = {(pair.old.text, pair.new.text) for pair in pairs}
    fields = {pair.old.text: pair.field for pair in pairs} | {pair.new.text: pair.field for pair in pairs}
    made = crossed.crossed(pairs, seed=0)
    assert len(made) > len(pairs) / 2
    for change in made:
        assert change.effect == "leaves"
        assert change.old.date < change.new.date
        assert (change.old.text, change.new.text) not in written
        assert fields[change.old.text] == fields[change.new.text]
    assert made == crossed.crossed(pairs, seed=0) != crossed.crossed(pairs, seed=1)
