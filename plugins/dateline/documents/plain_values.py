"""Values of fields, without what pandas, numpy and databases put round them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

_PLAIN = frozenset({str, int, bool, type(None)})
_EMPTY_IF_FALSE = (str, int, float, list, tuple, Mapping)


def plain(value: Any) -> Any:
    """Return a value as Python's own, `None` where it is missing.

    Example:
        >>> plain(np.int64(2019)), plain(np.datetime64("2019-03")), plain(float("nan"))
        (2019, '2019-03', None)
    """
    if type(value) in _PLAIN:
        return value
    try:
        if value != value:  # NaN and NaT are not equal to themselves
            return None
    except (TypeError, ArithmeticError):  # pandas.NA is neither equal to itself nor not
        return None
    except (ValueError, RuntimeError):  # an array says it for each of its values
        return value
    if isinstance(value, np.datetime64):
        return str(value)  # as precise as it is
    return value.item() if isinstance(value, np.generic) else value


def plain_date(value: Any) -> Any:
    """Return what a date's field holds, also in a list of one.

    Example:
        >>> plain_date(["2019-03-04"]), plain_date(["2019-03-04", "2019-03-05"])
        ('2019-03-04', ['2019-03-04', '2019-03-05'])
    """
    return plain(value[0] if isinstance(value, list | tuple) and len(value) == 1 else value)


def is_there(value: Any) -> bool:
    """Return whether a plain value says something: not "", 0 or []."""
    return value is not None and (not isinstance(value, _EMPTY_IF_FALSE) or bool(value))
