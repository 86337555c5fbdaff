"""Package exports that are imported at first use."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy_exports(package: str, **modules: str) -> Callable[[str], Any]:
    """Return a `__getattr__` for `package` that imports each name from its module.

    Example:
        >>> load = lazy_exports("dateline.text", Sentence="dateline.text.sentences")
        >>> load("Sentence").__name__
        'Sentence'
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(modules[name]), name)

    return load
