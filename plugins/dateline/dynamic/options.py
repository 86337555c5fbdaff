"""Settings of a generation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from dateline.dynamic.prompt import Layout
from dateline.dynamic.queries.base import Query
from dateline.dynamic.sampling import Sampling
from dateline.dynamic.triggers.base import Trigger
from dateline.errors import BadInput

WhenSpent = Literal["continue", "stop"]
"""What to do when no retrieval is left: generate on without, or stop at the next token in doubt."""

MOST_WINDOW = 1_000_000
"""Tokens of context where a model states none."""


@dataclass(frozen=True)
class GenerationOptions:
    """Settings of a generator, documented at `DynamicGenerator`.

    `window` and `end_tokens` come from the model.
    """

    tokenizer: Any
    trigger: Trigger
    query: Query
    layout: Layout
    window: int
    end_tokens: frozenset[int]
    sampling: Sampling | None = None
    k: int = 3
    document_words: int = 100
    max_new_tokens: int = 128
    max_retrievals: int | None = None
    when_spent: WhenSpent = "continue"
    stop_at: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("k", "document_words", "max_new_tokens", "window"):
            if getattr(self, name) < 1:
                raise BadInput(f"{name} must be at least 1, not {getattr(self, name)}.")
        if self.max_retrievals is not None and self.max_retrievals < 0:
            raise BadInput(f"max_retrievals must be 0 or more, or None for no limit, not {self.max_retrievals}.")
        if self.when_spent not in ("continue", "stop"):
            raise BadInput(f"Unknown when_spent {self.when_spent!r}; choose continue or stop.")
        if any(not text for text in self.stop_at):
            raise BadInput("stop_at holds an empty text, which would end every answer at once; leave it out.")
