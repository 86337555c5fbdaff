"""Archives in which every change is marked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ARCHIVES = sorted((Path(__file__).parents[2] / "training" / "changes").rglob("*.json"))


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
