"""Arithmetic on groups that lie one after the other in an array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dateline.text.term_ids import Ids, term_ids

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Places = NDArray[np.int64]
Table = TypeVar("Table", bound="DataclassInstance")


def bounds_of(sizes: NDArray[np.integer[Any] | np.bool_]) -> Places:
    """Return each group's beginning, and the last one's end."""
    bounds = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=bounds[1:])
    return bounds


def ranges(starts: Places, sizes: Places) -> Places:
    """Return the numbers of all ranges, one range after the other."""
    shifts = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return shifts + np.arange(len(shifts))


def members_of(bounds: Places, groups: Places) -> tuple[Places, Places]:
    """Return the members of some groups, and each group's size."""
    sizes = bounds[groups + 1] - bounds[groups]
    return ranges(bounds[groups], sizes), sizes


def any_in(flags: NDArray[np.bool_], sizes: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Return whether any flag of each group is set."""
    before, bounds = bounds_of(flags), bounds_of(sizes)
    return np.asarray(before[bounds[1:]] > before[bounds[:-1]])


def latest_in(groups: Places, *, flags: NDArray[np.bool_]) -> Places:
    """Return each place's latest flagged one in its group, or -1."""
    if not len(groups):
        return groups
    latest = np.maximum.accumulate(np.where(flags, np.arange(len(groups)), -1))
    return np.where((latest >= 0) & (groups[latest] == groups), latest, -1)


def joined(texts: Sequence[Ids]) -> tuple[Ids, Places]:
    """Return the words of all texts, and the text of each."""
    sizes = np.array(list(map(len, texts)), dtype=np.int64)
    return np.concatenate([term_ids(()), *texts]), np.repeat(np.arange(len(texts)), sizes)


def concatenated(tables: Sequence[Table]) -> Table:
    """Join dataclasses of arrays, at least one, column by column."""
    names = [column.name for column in fields(tables[0])]
    return replace(tables[0], **{name: np.concatenate([getattr(each, name) for each in tables]) for name in names})
