"""Context-manager support for classes with `close`."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class Closable:
    """Base class that adds `with` support to `close`.

    Example:
        >>> class Printer(Closable):
        ...     def close(self) -> None:
        ...         print("closed")
        >>> with Printer():
        ...     print("open")
        open
        closed
    """

    def close(self) -> None:
        """Release resources; by default there are none."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
