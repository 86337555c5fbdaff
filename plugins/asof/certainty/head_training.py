"""Train the linear layer of `HiddenStateEstimator` with GrowOVER's settings (appendix A)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from asof.certainty.hidden_states import LABELS, LinearHead
from asof.errors import BadInput, require
from asof.records import CertaintyLabel, Record


class HeadTraining(Record):
    """The published settings; the paper names no batch size."""

    learning_rate: float = Field(default=1e-4, gt=0, description="At the start; it falls to 0 along a cosine.")
    weight_decay: float = Field(default=1e-7, ge=0)
    epochs: int = Field(default=10, ge=1, le=10_000)
    batch: int = Field(default=1, ge=1, description="Rows a step; not published.")
    seed: int = Field(default=0, description="Of the order of the rows and of the first weights.")


def train_head(
    states: NDArray[np.float32], *, labels: Sequence[CertaintyLabel], settings: HeadTraining | None = None
) -> LinearHead:
    """Cross-entropy over `states` of shape (n, hidden size); the same seed gives the same layer.

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
    inputs, outputs = torch.from_numpy(np.ascontiguousarray(states)), torch.from_numpy(targets)
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
    return LinearHead(layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy())


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
