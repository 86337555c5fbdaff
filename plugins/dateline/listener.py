"""Calls of an app's own function with what a handler found."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar

from dateline.visible import logger

T = TypeVar("T")

_LOG = logger(__name__)
_TELLING: ContextVar[bool] = ContextVar("dateline_telling", default=False)


def tell(listener: Callable[[T], object] | None, told: T) -> None:
    """Call an app's function, where one listens; its errors are logged.

    Of what it runs itself nothing is told: a function that asks a retriever would be called by its own question, without end.

    Example:
        >>> heard: list[int] = []
        >>> tell(heard.append, 1)
        >>> tell(lambda told: tell(heard.append, 2), 0)
        >>> heard
        [1]
    """
    if listener is None or _TELLING.get():
        return
    token = _TELLING.set(True)
    try:
        listener(told)
    except Exception:  # A handler must not be what breaks an app.
        _LOG.warning("A function that is told of each answer failed.", exc_info=True)
    finally:
        _TELLING.reset(token)
