"""The weights of `MarginEstimator`, written to `weights.json` by `training/certainty.py`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

Weights = Mapping[str, float]
"""Log-odds: a bias, and a weight for each of `signals.Signals` that counts."""

FILE = Path(__file__).with_name("weights.json")


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights for reliable; and, of the rest, for misleading."""

    reliable: Weights
    misleading: Weights


@dataclass(frozen=True, slots=True)
class Tables:
    """One fitted model for each mode of reading.

    A document alone beside others; the same with a joint reading; several at once, in any order and best first; a yes or no;
    and both with given choices, whose weights were chosen by hand.
    """

    alone: Fit
    alone_and_joint: Fit
    together: Fit
    ranked: Fit
    yes_no: Fit
    choice_alone: Fit
    choice_together: Fit

    @classmethod
    def load(cls, path: Path = FILE) -> Self:
        """Read the tables that `training/certainty.py` wrote."""
        tables = json.loads(path.read_text(encoding="utf-8"))
        return cls(**{name: Fit(**fit) for name, fit in tables.items()})


FITTED = Tables.load()
