"""Fit a model to batches: AdamW, a rate that rises and falls, and the mean of the last weights."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import torch
from averaging import Mean
from torch import Tensor, nn

WARM_UP, LEAST_RATE = 0.06, 0.1
"""Share of the steps in which the rate rises, and of the rate that is left at the last step: weights that still move are worth averaging."""
AVERAGED, CHECKPOINT = 0.4, 25
"""The weights are the mean of those after every so many steps of this last part."""
DECAY = 0.01
LOGGED = 25

Batch = TypeVar("Batch")


def fit(
    model: nn.Module,
    plan: Sequence[Batch],
    *,
    loss: Callable[[Batch], Tensor],
    groups: Sequence[tuple[Sequence[nn.Parameter], float]],
) -> None:
    """Train `model` in place.

    Args:
        plan: the batches, in order.
        loss: of a batch.
        groups: parameters with the highest rate of each.
    """
    optimiser = torch.optim.AdamW(
        [{"params": list(some), "lr": rate} for some, rate in groups], weight_decay=DECAY, fused=True
    )
    total, schedule = len(plan), rise_and_fall(optimiser, total=len(plan))
    mean, begun = Mean(), time.monotonic()
    model.train()
    for step, batch in enumerate(plan, start=1):
        value = loss(batch)
        value.backward()
        nn.utils.clip_grad_norm_([one for some, _ in groups for one in some], 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad(set_to_none=True)
        if step == total or (step > (1 - AVERAGED) * total and step % CHECKPOINT == 0):
            mean.add(model)
        if step % LOGGED == 0:
            print(f"step {step}/{total} loss {value.item():.3f} {time.monotonic() - begun:.0f} s", flush=True)
    mean.put_into(model)
    model.eval()


def rise_and_fall(optimiser: torch.optim.Optimizer, *, total: int) -> torch.optim.lr_scheduler.LambdaLR:
    """A rate that rises at the beginning of `total` steps, then falls."""
    rise = max(1, round(WARM_UP * total))
    return torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / rise, max(LEAST_RATE, (total - step) / max(1, total - rise)))
    )
