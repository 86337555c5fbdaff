"""Values that notebooks show as pictures, drawn by installed packages."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any, Protocol


class Draw(Protocol):
    """A function that draws values of the kinds it knows."""

    def __call__(self, value: Any, /) -> str:
        """Return HTML without scripts, or an empty text."""


class Pictured:
    """Base of values that notebooks show as pictures.

    A value without a picture is shown as text. It is drawn by the entry point `dateline.pictures`, which no lower package imports.
    """

    def _repr_html_(self) -> str | None:
        return next((drawn for draw in _drawers() if (drawn := draw(self))), None)


@cache
def _drawers() -> tuple[Draw, ...]:
    return tuple(entry.load() for entry in entry_points(group="dateline.pictures"))
