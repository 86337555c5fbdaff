"""Work mapped over items, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias, TypeVar

from dateline.stopping import check_stop

In = TypeVar("In")
Out = TypeVar("Out")

Work: TypeAlias = Callable[[Sequence[In]], Sequence[Out]]
"""Work on a chunk of items, with one result for each, in order. It pickles, for it is sent to other processes."""


class Mapper(Protocol):
    """Way to do bulk work: `OneProcess` or `RayActors`."""

    def map(self, items: Sequence[In], *, work: Work[In, Out], chunk: int) -> Iterator[Out]:
        """Yield one result for each item, in order.

        Each comes as soon as it is there.

        Args:
            chunk: how many items the work gets at a time.
        """
        ...


class OneProcess:
    """Bulk work in this process.

    Example:
        >>> list(OneProcess().map([1, 2, 3], work=lambda numbers: [2 * each for each in numbers], chunk=2))
        [2, 4, 6]
    """

    def map(self, items: Sequence[In], *, work: Work[In, Out], chunk: int) -> Iterator[Out]:
        """Yield one result for each item, in order."""
        for start in range(0, len(items), chunk):
            check_stop()
            yield from work(items[start : start + chunk])
