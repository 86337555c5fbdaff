"""What a large judge tells a small one of pairs that nobody has marked."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

TRAINING = Path(__file__).parents[2] / "training"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(TRAINING)
    import told

    return told


@pytest.fixture
def pair(module: Any) -> Any:
    from dateline_bench.effects.pairs import Note

    return module.Unmarked(
        Note(date=date(2023, 1, 1), text="The fee is 10 euros."),
        Note(date=date(2024, 1, 1), text="The fee is 12 euros."),
    )


def test_what_is_told_is_found_by_the_words_of_the_pair_alone(module: Any, pair: Any, tmp_path: Path) -> None:
    other = replace(pair, new=pair.new.model_copy(update={"text": "The hut has 12 beds."}))
    module.write(tmp_path / "told.npz", {module.fingerprint(pair): np.array([12, 191, 52], dtype=np.uint8)})
    [found] = module.told([other, pair], tmp_path / "told.npz")
    assert (found.old, found.new) == (pair.old, pair.new)
    assert found.chances == pytest.approx((12 / 255, 191 / 255, 52 / 255))


def test_a_file_that_is_not_there_tells_nothing(module: Any, pair: Any, tmp_path: Path) -> None:
    assert module.told([pair], tmp_path / "none.npz") == []


@pytest.mark.parametrize("part", [{"text": "The fee is 11 euros."}, {"date": date(2023, 6, 1)}, {"title": "Prices"}])
def test_another_later_note_has_another_fingerprint(module: Any, pair: Any, part: dict[str, Any]) -> None:
    assert module.fingerprint(replace(pair, new=pair.new.model_copy(update=part))) != module.fingerprint(pair)


def test_a_judge_that_says_what_it_was_told_loses_least(module: Any) -> None:
    import torch
    from still_model import taught
    from still_rows import UNKNOWN, Row

    rows = [Row(None, UNKNOWN, UNKNOWN, (0.1, 0.7, 0.2)), Row(None, 1, UNKNOWN)]  # type: ignore[arg-type]
    said = torch.tensor([[0.1, 0.7, 0.2], [0.3, 0.3, 0.4]]).log()
    best = taught(said, rows)
    assert float(best) == pytest.approx(-(0.1 * np.log(0.1) + 0.7 * np.log(0.7) + 0.2 * np.log(0.2)), abs=1e-5)
    assert all(float(taught(said + step * torch.eye(3)[:1], rows)) > float(best) for step in (-1.0, 1.0))
