"""Settings of a generation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dateline.dynamic.prompt import Layout
from dateline.dynamic.queries.base import Query
from dateline.dynamic.sampling import Sampling
from dateline.dynamic.triggers.base import Trigger
from dateline.errors import BadInput, check_choice, check_least

WhenSpent = Literal["continue", "stop"]
"""What to do when no retrieval is left: generate on without, or stop at the next token in doubt."""

MOST_WINDOW = 1_000_000
"""Tokens of context where a model states none."""


@dataclass(frozen=True)
class GenerationOptions:
    """Settings of a generator, documented at `DynamicGenerator`.

    `tokenizer` and `end_tokens` come from the model.
    """

    tokenizer: Any
    trigger: Trigger
    query: Query
    layout: Layout
    context_tokens: int
    end_tokens: frozenset[int]
    sampling: Sampling | None = None
    k: int = 3
    document_words: int = 100
    max_new_tokens: int = 128
    max_retrievals: int | None = None
    when_spent: WhenSpent = "continue"
    stop_at: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in ("trigger", "query", "layout", "context_tokens"):
            if getattr(self, name) is None:
                raise BadInput(f"{name} is None; give one, or leave it out.")
        check_least(
            1,
            k=self.k,
            document_words=self.document_words,
            max_new_tokens=self.max_new_tokens,
            context_tokens=self.context_tokens,
        )
        if self.max_retrievals is not None and self.max_retrievals < 0:
            raise BadInput(f"max_retrievals must be 0 or more, or None for no limit, not {self.max_retrievals}.")
        check_choice(self.when_spent, name="when_spent", choices=("continue", "stop"))
        if isinstance(self.stop_at, str):
            raise BadInput(f"stop_at holds texts and is none itself; write [{self.stop_at!r}].")
        object.__setattr__(self, "stop_at", tuple(self.stop_at))
        if any(not text for text in self.stop_at):
            raise BadInput("stop_at holds an empty text, which would end every answer at once; leave it out.")


@dataclass(frozen=True, kw_only=True)
class ChatOptions(GenerationOptions):
    """Settings of a `ChatGenerator`, documented there."""

    max_calls: int
    top_logprobs: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(1, max_calls=self.max_calls)
        check_least(0, top_logprobs=self.top_logprobs)
