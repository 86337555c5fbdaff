"""Chat models for tests of your own: real `BaseChatModel`s that say what they are told to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field


class ScriptedChatModel(BaseChatModel):
    """Gives its replies in order, then the last one again; an exception among them is raised.

    `history` holds the messages of every call, so that a test can look at the prompts.
    """

    replies: Sequence[str | Exception] = Field(min_length=1)
    history: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        reply = self.replies[min(len(self.history), len(self.replies) - 1)]
        self.history.append(list(messages))
        if isinstance(reply, Exception):
            raise reply
        return _said(reply, messages)


class AnsweringChatModel(BaseChatModel):
    """Replies to what it reads, so that the order in which parallel requests arrive makes no difference.

    `respond` gets the messages and gives the reply; what it raises, the model raises. `history` holds the messages of
    every call, in the order in which they arrived.
    """

    respond: Callable[[list[BaseMessage]], str] = Field(exclude=True)
    history: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "answering"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.history.append(list(messages))
        return _said(self.respond(messages), messages)


def _said(reply: str, messages: list[BaseMessage]) -> ChatResult:
    """A reply with its usage, four characters a token."""
    tokens = sum(len(str(message.content)) for message in messages) // 4
    usage = {"input_tokens": tokens, "output_tokens": len(reply) // 4, "total_tokens": tokens + len(reply) // 4}
    return ChatResult(generations=[ChatGeneration(message=AIMessage(content=reply, usage_metadata=usage))])
