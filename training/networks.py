"""Fit `dateline.networks.Networks`: small networks that differ by their start, of which the mean counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from dateline.networks import LARGEST, Networks

Floats = NDArray[np.float64]
Lost = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""The loss of log-odds, given with the numbers of their items."""


@dataclass(frozen=True)
class Recipe:
    """Hidden units of a network, networks, and how they are fitted; the rate falls to a hundredth."""

    hidden: int
    nets: int
    epochs: int
    batch: int
    rate: float
    decay: float


def learn(items: Floats, *, rows: Floats, lost: Lost, recipe: Recipe) -> Networks:
    """Return the mean of networks of the least loss.

    Args:
        items: features, shape (items, features), or (items, most, features) where an item has several rows.
        rows: the rows by which features are standardised, shape (rows, features).
    """
    mean, spread = rows.mean(0), rows.std(0) + 1e-3
    table = torch.tensor(np.clip((items - mean) / spread, -LARGEST, LARGEST), dtype=torch.float32)
    nets = [_net(table, lost=lost, recipe=recipe, seed=seed) for seed in range(recipe.nets)]
    hidden, bias, out, offset = (np.concatenate(parts) for parts in zip(*nets, strict=True))
    return Networks(mean, spread, hidden, bias, out / recipe.nets, float(offset.mean()))


def _net(table: torch.Tensor, *, lost: Lost, recipe: Recipe, seed: int) -> list[Floats]:
    """Weights and biases of one network, layer by layer."""
    torch.manual_seed(seed)
    model = torch.nn.Sequential(
        torch.nn.Linear(table.shape[-1], recipe.hidden), torch.nn.Tanh(), torch.nn.Linear(recipe.hidden, 1)
    )
    optimiser = torch.optim.AdamW(model.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    steps = recipe.epochs * (len(table) // recipe.batch + 1)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.01, total_iters=steps)
    for _ in range(recipe.epochs):
        for some in torch.randperm(len(table)).split(recipe.batch):
            loss = lost(model(table[some]).squeeze(-1), some)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    inner, _, outer = model
    parts = (inner.weight, inner.bias, outer.weight[0], outer.bias)
    return [part.detach().numpy().astype(np.float64) for part in parts]
