"""A very small causal language model with random weights, and one that is saved: real transformers, in milliseconds."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

TRAINING = Path(__file__).parent.parent / "training"


def of_training(name: str) -> Any:
    """A module of `training/`."""
    sys.path.insert(0, str(TRAINING))
    try:
        return __import__(name)
    finally:
        sys.path.remove(str(TRAINING))


@cache
def tiny_world() -> Any:
    """A few towns, firms and people."""
    return of_training("made_up_world").build(seed=1, towns=6, firms=6, people=12)


def tiny_parts(*, seed: int = 0, width: int = 16) -> tuple[Any, Any]:
    """An untrained model of the tiny world's words, and its tokenizer."""
    made = of_training("world_model")
    tokens = made.tokenizer(tiny_world())
    plan = made.Plan(width=width, layers=1, heads=2, seed=seed)
    return made.new_model(plan, words=len(tokens)).train(False), tokens
