"""Train the linear layer of `HiddenStateEstimator` with GrowOVER's settings (appendix A)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dateline.certainty.hidden_states import LABELS, LinearHead
from dateline.errors import BadInput, require
from dateline.records import CertaintyLabel, Record


class HeadTraining(Record):
    """The published settings; the paper names no batch size."""

    learning_rate: float = Field(default=1e-4, gt=0, description="At the start; it falls to 0 along a cosine.")
    weight_decay: float = Field(default=1e-7, ge=0)
    epochs: int = Field(default=10, ge=1, le=10_000)
    batch: int = Field(default=1, ge=1, description="Rows a step; not published.")
    seed: int = Field(default=0, description="Of the order of the rows and of the first weights.")
    standardise: bool = Field(
        default=False,
        description="Learn on states of mean 0 and deviation 1, number by number; not published. For few rows.",
    )


def train_head(
    states: NDArray[np.float32], *, labels: Sequence[CertaintyLabel], settings: HeadTraining | None = None
) -> LinearHead:
    """Train a layer by cross-entropy over `states` (n, hidden size).

    The same seed gives the same layer.

    Raises:
        BadInput: when the lists differ in length, a label is none of the three, or one of them never occurs.
        MissingExtra: without torch.
    """
    torch = require("torch", package="torch", extra="transformers")
    settings = settings or HeadTraining()
    targets = _targets(labels, rows=len(states))
    random = torch.Generator().manual_seed(settings.seed)
    layer = torch.nn.Linear(states.shape[1], len(LABELS))
    torch.nn.init.normal_(layer.weight, std=states.shape[1] ** -0.5 / 10, generator=random)
    torch.nn.init.zeros_(layer.bias)
    mean, scale = _scale(states) if settings.standardise else (np.float32(0), np.float32(1))
    inputs, outputs = torch.from_numpy(np.ascontiguousarray((states - mean) / scale)), torch.from_numpy(targets)
    optimizer = torch.optim.AdamW(layer.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay)
    steps = settings.epochs * -(-len(states) // settings.batch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps)
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(states), generator=random).split(settings.batch):
            loss = torch.nn.functional.cross_entropy(layer(inputs[rows]), outputs[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    # Folded in, so that the layer takes the states as they come.
    weight = layer.weight.detach().numpy() / scale
    return LinearHead(weight, layer.bias.detach().numpy() - (weight * mean).sum(axis=1))


def _scale(states: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Mean and deviation of each number; 1 for what never varies."""
    deviation = states.std(axis=0)
    return states.mean(axis=0), np.where(deviation > 1e-6, deviation, np.float32(1))


def _targets(labels: Sequence[CertaintyLabel], *, rows: int) -> NDArray[np.int64]:
    if len(labels) != rows:
        raise BadInput(f"There are {rows} states and {len(labels)} labels; give one label a state.")
    for label in labels:
        if label not in LABELS:
            raise BadInput(f"A label must be one of {', '.join(LABELS)}, not {label!r}.")
    missing = [label for label in LABELS if label not in labels]
    if missing:
        raise BadInput(f"No row is labelled {' or '.join(missing)}; the classifier needs rows of all three labels.")
    return np.array([LABELS.index(label) for label in labels], dtype=np.int64)
