"""Memory of what was found in short texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SHORT = 2_000
"""Characters of a text that is remembered; longer ones are rare and would fill the memory. Chosen by hand."""

KEPT = 8_192
"""Texts that a function remembers: with sentences, about 5 to 10 MB. Chosen by hand."""


def remember(function: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
    """Remember what a function finds in a text, the latest asked for.

    Questions of many people meet the same sentences over and over. The function depends on its arguments alone, which can be
    hashed, and what it returns is never changed.

    Example:
        >>> @remember
        ... def first(text: str) -> str:
        ...     return text.split()[0]
        >>> first("Ada Berg") is first("Ada Berg")
        True
    """
    kept = lru_cache(KEPT)(function)

    @wraps(function)
    def remembered(text: str, /, *args: P.args, **named: P.kwargs) -> T:
        # mypy holds the arguments of `lru_cache` to be hashable objects, not those of the function.
        return kept(text, *args, **named) if len(text) <= SHORT else function(text, *args, **named)  # type: ignore[arg-type]

    return remembered
