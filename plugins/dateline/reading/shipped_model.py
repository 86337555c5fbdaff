"""Shipped weights in use: opened once, and anew in another process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from dateline.reading.model_files import FOLDER


class ShippedModel(ABC):
    """Base of what runs shipped weights; it can be pickled.

    Args:
        threads: how many texts are read at once, at least 1.
        folder: where the weights lie.

    Raises:
        BadInput: when `threads` is below 1.
        DamagedInstall: when the weights are missing or not the ones that were shipped.
    """

    def __init__(self, *, threads: int = 2, folder: Path = FOLDER) -> None:
        self._threads, self._folder = threads, folder
        self._open()

    def __getstate__(self) -> dict[str, Any]:
        # A session cannot be sent to another process; it is opened anew there.
        return {"_threads": self._threads, "_folder": self._folder}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._open()

    @abstractmethod
    def _open(self) -> None:
        """Open the session, and make what else is not pickled."""
