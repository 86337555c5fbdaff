"""A scripted chat model for tests of your own: a real `BaseChatModel` that says what it is told to."""

from __future__ import annotations

from collections.abc import Sequence
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
        tokens = sum(len(str(message.content)) for message in messages) // 4
        usage = {"input_tokens": tokens, "output_tokens": len(reply) // 4, "total_tokens": tokens + len(reply) // 4}
        message = AIMessage(content=reply, usage_metadata=usage)
        return ChatResult(generations=[ChatGeneration(message=message)])
