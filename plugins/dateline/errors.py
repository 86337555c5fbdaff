"""What dateline raises: one sentence with the bad value, the valid ones and the fix."""

from __future__ import annotations

import importlib
from types import ModuleType


class DatelineError(Exception):
    """The base of every error that dateline raises on purpose."""


class BadInput(DatelineError, ValueError):
    """A value from outside that dateline cannot work with."""


class MissingExtra(DatelineError, ImportError):
    """An optional package is not installed; the sentence names the extra that brings it."""

    def __init__(self, package: str, *, extra: str) -> None:
        super().__init__(f'The package "{package}" is not installed; install it with: pip install "dateline[{extra}]"')


class SearchFailed(DatelineError, RuntimeError):
    """A search engine gave no usable answer, and trying again would not help."""


class ModelFailed(DatelineError, RuntimeError):
    """A chat model gave no usable answer within the bounded number of tries."""


class StoreFailed(DatelineError, RuntimeError):
    """The storage behind a fact store failed; nothing that was acknowledged is lost."""


class DamagedInstall(DatelineError, RuntimeError):
    """A file that belongs to dateline itself is missing or is not the one that was shipped; installing again mends it."""


def require(module: str, *, package: str, extra: str) -> ModuleType:
    """Import an optional module, or raise `MissingExtra` with the cause kept."""
    try:
        return importlib.import_module(module)
    except ImportError as cause:
        raise MissingExtra(package, extra=extra) from cause
