"""The mean of a model's weights at several steps (Izmailov et al., 2018)."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn


class Mean:
    """Weights added up in double precision."""

    def __init__(self) -> None:
        self._sums: dict[str, Tensor] = {}
        self._total = 0

    def add(self, model: nn.Module) -> None:
        """Count the model's present weights in."""
        for name, tensor in model.state_dict().items():
            kept = tensor.double()
            self._sums[name] = self._sums[name] + kept if name in self._sums else kept
        self._total += 1

    def put_into(self, model: nn.Module) -> None:
        """Give the model the mean."""
        kinds = {name: tensor.dtype for name, tensor in model.state_dict().items()}
        model.load_state_dict({name: (total / self._total).to(kinds[name]) for name, total in self._sums.items()})

    def state(self) -> dict[str, Any]:
        """Return what `load` takes up again."""
        return {"sums": self._sums, "total": self._total}

    def load(self, state: dict[str, Any]) -> None:
        """Go on from an earlier state."""
        self._sums, self._total = dict(state["sums"]), int(state["total"])
