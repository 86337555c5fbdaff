"""Number of processor threads that a model may take."""

from __future__ import annotations

import os


def allowed_threads(wanted: int) -> int:
    """Return the wanted number, at most `OMP_NUM_THREADS`.

    Whoever starts several processes on one machine, such as Ray, tells them so to share its processors.

    Example:
        >>> allowed_threads(1)
        1
    """
    given = os.environ.get("OMP_NUM_THREADS", "")
    return min(wanted, max(1, int(given))) if given.isdecimal() else wanted
