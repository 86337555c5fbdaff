"""Verdicts of evidence on a question for yes or no."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dateline.softmax import softmax

Said = Literal["yes", "no", "unsaid"]
VERDICTS: tuple[Said, ...] = get_args(Said)
"""The order of the reader's outputs for a window."""


def weigh(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return probabilities of yes, no and unsaid over all windows.

    `logits` has shape (windows, 3). Each window's yes and no stand against its own "unsaid"; the windows are summed, as
    in training, and "unsaid" is what remains where none says anything.

    Example:
        >>> yes, no, unsaid = weigh(np.array([[4, 0, 0], [0, 0, 6]], dtype=np.float32))
        >>> bool(yes > 0.9)
        True
    """
    said = np.logaddexp.reduce(logits[:, :2] - logits[:, 2:], axis=0)
    return softmax(np.array([said[0], said[1], 0], dtype=np.float32))
