"""Figures of answers, kept so that a run can go on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dateline.errors import BadInput
from dateline_bench import rows

Figures = Mapping[str, float]


class AnswerLog:
    """Figures by method and question, in a file if one is named.

    It holds JSON lines, the first of them the settings; a file that was begun with others is refused.
    """

    def __init__(self, path: Path | None, *, settings: Mapping[str, Any]) -> None:
        """Read what is there.

        Raises:
            BadInput: for a file that was begun with other settings or is none of these.
        """
        self._path = path
        self._figures: dict[tuple[str, str], Figures] = {}
        self._levels: dict[str, float] = {}
        kept = list(_whole_rows(path)) if path is not None and path.is_file() else []
        if not kept:
            self._write({"settings": settings})
            return
        if kept[0].get("settings") != json.loads(json.dumps(settings)):
            raise BadInput(f"{path} was begun with other settings; name another file, or remove this one.")
        try:
            for row in kept[1:]:
                if "threshold" in row:
                    self._levels[row["method"]] = float(row["threshold"])
                else:
                    self._figures[row["method"], row["id"]] = dict(row["figures"])
        except (KeyError, TypeError, ValueError) as cause:
            raise BadInput(f"{path} holds a line that is no answer; name another file, or remove this one.") from cause

    def threshold(self, method: str) -> float | None:
        """Return the threshold that a method was calibrated to."""
        return self._levels.get(method)

    def keep_threshold(self, method: str, *, threshold: float) -> None:
        """Keep a calibrated threshold."""
        self._levels[method] = threshold
        self._write({"method": method, "threshold": threshold})

    def has(self, method: str, *, question: str) -> bool:
        """Return whether a question was measured."""
        return (method, question) in self._figures

    def keep(self, method: str, *, question: str, figures: Figures, text: str) -> None:
        """Keep a question's figures, and the text for people."""
        self._figures[method, question] = figures
        self._write({"method": method, "id": question, "figures": figures, "text": text})

    def of(self, method: str, *, questions: Sequence[str]) -> list[Figures]:
        """Return a method's figures on these questions."""
        return [self._figures[method, each] for each in questions if (method, each) in self._figures]

    def _write(self, row: Mapping[str, Any]) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _whole_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Read whole lines, and remove a last one that was cut short."""
    with path.open("rb+") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)
    yield from rows.read(path)
