"""Training pairs of notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def effects(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "training")
    import effects

    return effects


def test_each_pair_is_trained_on_once_and_none_that_is_measured(effects: Any) -> None:
    trained = [(pair.old.text, pair.new.text) for pair in effects.note_pairs()]
    assert len(set(trained)) == len(trained) > 1_500
    for folder in ("seen", "apart", "plain", "further"):
        measured = {
            (pair.old.text, pair.new.text) for pair in effects.note_pairs(ROOT / "benchmarks" / "effects" / folder)
        }
        assert measured.isdisjoint(trained)
