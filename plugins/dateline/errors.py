"""Exceptions: one sentence with the bad value, valid values and the fix."""

from __future__ import annotations

import importlib
from collections.abc import Collection
from types import ModuleType

from dateline.secrets import masked
from dateline.visible import visible


class DatelineError(Exception):
    """The base of every error that dateline raises on purpose.

    Its message is one line without control characters or keys, whatever value it quotes.
    """

    def __init__(self, *told: object) -> None:
        super().__init__(*(masked(visible(each)) if isinstance(each, str) else each for each in told))


class BadInput(DatelineError, ValueError):
    """An input value that dateline cannot work with.

    Example:
        >>> from dateline import Interval
        >>> Interval.parse("2024-13")
        Traceback (most recent call last):
        dateline.errors.BadInput: ...
    """


class MissingExtra(DatelineError, ImportError):
    """An optional package is missing; the message names the extra to install.

    Example:
        >>> print(MissingExtra("torch", extra="transformers"))
        The package "torch" is not installed; install it with: pip install "dateline[transformers]"
    """

    def __init__(self, package: str, *, extra: str) -> None:
        super().__init__(f'The package "{package}" is not installed; install it with: pip install "dateline[{extra}]"')


class SearchFailed(DatelineError, RuntimeError):
    """A search engine failed in a way that retrying cannot fix."""


class ModelFailed(DatelineError, RuntimeError):
    """A chat model gave no usable answer within its allowed tries."""


class StoreFailed(DatelineError, RuntimeError):
    """The storage of a fact store failed; acknowledged data is safe."""


class DamagedInstall(DatelineError, RuntimeError):
    """A file of the installation is missing or damaged; reinstall dateline."""


def require(module: str, *, package: str, extra: str) -> ModuleType:
    """Import an optional module, or raise `MissingExtra` with the cause kept."""
    try:
        return importlib.import_module(module)
    except ImportError as cause:
        raise MissingExtra(package, extra=extra) from cause


def check_least(least: int, **values: float | None) -> None:
    """Raise `BadInput` for the first named value below `least`.

    None is without bound.

    Example:
        >>> check_least(1, k=0)
        Traceback (most recent call last):
        dateline.errors.BadInput: k must be at least 1, not 0.
    """
    for name, value in values.items():
        if value is not None and value < least:
            raise BadInput(f"{name} must be at least {least}, not {value}.")


def check_choice(value: object, *, name: str, choices: Collection[str]) -> None:
    """Raise `BadInput` for a value that is none of the choices.

    Example:
        >>> check_choice("fast", name="mode", choices=("slow", "quick"))
        Traceback (most recent call last):
        dateline.errors.BadInput: Unknown mode 'fast'; choose one of slow, quick.
    """
    if value not in choices:
        raise BadInput(f"Unknown {name} {value!r}; choose one of {', '.join(choices)}.")
