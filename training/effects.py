"""Pairs of notes, an earlier and a later one, and what the later one does to the earlier.

    note_pairs(folder) -> list[NotePair]

`folder` holds a file for each field, NAME.jsonl, a pair a line: kind, old and new (date and text each), effect, from.
"""

from __future__ import annotations

from pathlib import Path

from dateline_bench.effects.pairs import NotePair, load

FIELDS = Path(__file__).parent / "effects"


def note_pairs(folder: Path = FIELDS) -> list[NotePair]:
    """All pairs of all fields."""
    return load(folder)
