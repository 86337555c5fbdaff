"""Chat models without an async way of their own."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel


def only_blocks(model: object) -> bool:
    """Return whether a chat model blocks a thread while it answers.

    LangChain then waits in a thread of asyncio's own pool, which has about six on two cores for a whole program: with
    more users than that they wait for each other. dateline waits in threads of its own.

    Example:
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> only_blocks(ScriptedChatModel(replies=["7"]))
        True
    """
    while not isinstance(model, BaseChatModel):
        model = getattr(model, "bound", None)
        if model is None:
            return False
    own = type(model)
    return own._agenerate.__module__ == BaseChatModel.__module__ and own._astream is BaseChatModel._astream
