"""Word lists of the language room, read from its data files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

_DATA = resources.files("dateline.language") / "data"


def word_set(words: str) -> frozenset[str]:
    """Return the words between the spaces of a text."""
    return frozenset(words.split())


@cache
def json_data(name: str) -> dict[str, Any]:
    """Return the table of `data/<name>.json`."""
    table: dict[str, Any] = json.loads((_DATA / f"{name}.json").read_text(encoding="utf-8"))
    return table


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the words of `data/<name>.txt`, one a line."""
    return frozenset(_lines(name))


@cache
def word_rows(name: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return `data/<name>.txt` as rows: columns by "|", entries by commas."""
    return tuple(
        tuple(tuple(entry.strip() for entry in column.split(",") if entry.strip()) for column in line.split("|"))
        for line in _lines(name)
    )


@cache
def word_table(name: str) -> Mapping[str, frozenset[str]]:
    """Return the words of `data/<name>.json` by kind."""
    return {kind: frozenset(words.split()) for kind, words in json_data(name).items()}


def _lines(name: str) -> list[str]:
    lines = (_DATA / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
