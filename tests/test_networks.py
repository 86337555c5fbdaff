"""Small networks: what they weigh, and how they are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dateline.networks import LARGEST, Networks


def networks(*, seed: int = 0) -> Networks:
    draw = np.random.default_rng(seed).normal
    return Networks(draw(size=3), np.exp(draw(size=3)), draw(size=(4, 3)), draw(size=4), draw(size=4), 0.25)


def test_what_is_written_is_read_again_to_four_digits(tmp_path: Path) -> None:
    file, rows = tmp_path / "some.json", np.random.default_rng(1).normal(size=(20, 3))
    file.write_text(networks().to_json(), encoding="utf-8")
    read = Networks.open(file)
    assert read.odds(rows) == pytest.approx(networks().odds(rows), abs=0.02)
    assert Networks.from_json(read.to_json()).to_json() == read.to_json()


def test_each_row_is_weighed_by_itself() -> None:
    rows = np.random.default_rng(2).normal(size=(20, 3))
    together = networks().odds(rows)
    assert together == pytest.approx(np.concatenate([networks().odds(row[None]) for row in rows]))
    assert networks().odds(rows[:0]).shape == (0,)


def test_no_feature_counts_for_more_than_its_share() -> None:
    model = networks()
    far = model.mean + 2 * LARGEST * model.spread
    assert model.odds(far[None]) == pytest.approx(model.odds((model.mean + LARGEST * model.spread)[None]))
