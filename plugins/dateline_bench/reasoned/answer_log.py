"""Figures of answers, kept so that a run can go on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
        kept = [] if path is None or not path.is_file() else _rows(path, begun=_line({"settings": settings}))
        if not kept:
            self._write({"settings": settings})
            return
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
            with self._path.open("ab") as file:
                file.write(_line(row))


def _rows(path: Path, *, begun: bytes) -> list[dict[str, Any]]:
    """Read the rows of this run, less a last one cut short.

    Raises:
        BadInput: for any other file, which stays as it is.
    """
    with path.open("rb+") as file:
        content = file.read()
        first = content[: content.find(b"\n") + 1]
        # A first line that was cut short is ours, too.
        if first != begun and not begun.startswith(content):
            _check_settings(path, _settings(first), wanted=_settings(begun))
        file.truncate(content.rfind(b"\n") + 1)
    return list(rows.read(path))


def _check_settings(path: Path, held: Any, *, wanted: Any) -> None:
    if held is None:
        raise BadInput(f"{path} holds something else than answers; name another file.")
    if held != wanted:
        raise BadInput(f"{path} was begun with other settings; name another file, or remove this one.")


def _settings(line: bytes) -> Any:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row.get("settings") if isinstance(row, dict) else None


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"
