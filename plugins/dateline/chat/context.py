"""Room for a prompt in a chat model's context."""

from __future__ import annotations

from collections.abc import Mapping

RESERVE = 1_000
"""Tokens kept for a reply, and for that reply shown again in a second request; of a short context a quarter."""

_FIELDS = ("num_ctx", "n_ctx")
"""What Ollama's and llama.cpp's integrations call the length of the context."""


def context_tokens(model: object) -> int | None:
    """Return how many tokens a model reads at once, `None` if untold.

    LangChain's `profile` tells it of the models that it knows; of others the integration's own field.

    Example:
        >>> from langchain_core.language_models import FakeListChatModel
        >>> context_tokens(FakeListChatModel(responses=["7"], profile={"max_input_tokens": 2048}))
        2048
    """
    while (inner := getattr(model, "bound", None)) is not None:
        model = inner
    profile = getattr(model, "profile", None)
    told = profile.get("max_input_tokens") if isinstance(profile, Mapping) else None
    for value in (told, *(getattr(model, name, None) for name in _FIELDS)):
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return None


def prompt_room(model: object, *, budget: int, least: int = 0) -> int:
    """Return a prompt's tokens: `budget`, or less in a short context.

    Never less than `least`, which the parts of a prompt that cannot be left out take.

    Example:
        >>> from langchain_core.language_models import FakeListChatModel
        >>> small = FakeListChatModel(responses=["7"], profile={"max_input_tokens": 2048})
        >>> prompt_room(small, budget=8000), prompt_room(FakeListChatModel(responses=["7"]), budget=8000)
        (1536, 8000)
    """
    context = context_tokens(model)
    if context is None:
        return budget
    return max(min(budget, least), min(budget, context - min(RESERVE, context // 4)))
