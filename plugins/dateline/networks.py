"""Small networks whose weights ship as text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.products import products

Floats = NDArray[np.float64]

LARGEST = 5.0
"""No feature counts for more than so many standard deviations."""


@dataclass(frozen=True, eq=False)
class Networks:
    """Networks of one hidden layer, of which the mean counts.

    Attributes:
        mean, spread: of each feature, shape (features,).
        hidden, bias: of all networks, shapes (units, features) and (units,).
        out, offset: shape (units,), and a number.

    Example:
        >>> told = Networks(np.zeros(1), np.ones(1), np.ones((2, 1)), np.zeros(2), np.ones(2), 0.5)
        >>> told.odds(np.zeros((3, 1))).tolist()
        [0.5, 0.5, 0.5]
    """

    mean: Floats
    spread: Floats
    hidden: Floats
    bias: Floats
    out: Floats
    offset: float

    def odds(self, rows: Floats) -> Floats:
        """Return log-odds, shape (rows,)."""
        table = np.clip((rows - self.mean) / self.spread, -LARGEST, LARGEST)
        inner = products(table.astype(np.float32), self.hidden.astype(np.float32)) + self.bias
        return np.asarray(np.tanh(inner) @ self.out + self.offset)

    def to_json(self) -> str:
        """Write the weights, four digits each."""
        return json.dumps({name: _rounded(np.asarray(part).tolist()) for name, part in vars(self).items()})

    @classmethod
    def from_json(cls, text: str) -> Networks:
        """Read the weights."""
        told = json.loads(text)
        mean, spread, hidden, bias, out = (np.array(told[name], dtype=np.float64) for name in _ARRAYS)
        return cls(mean, spread, hidden, bias, out, float(told["offset"]))

    @classmethod
    def open(cls, file: Path) -> Networks:
        """Read the weights from a file."""
        return cls.from_json(file.read_text(encoding="utf-8"))


_ARRAYS = ("mean", "spread", "hidden", "bias", "out")


def _rounded(value: Any) -> Any:
    return [_rounded(each) for each in value] if isinstance(value, list) else float(f"{value:.4g}")
