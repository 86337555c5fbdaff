"""`StandaloneQuestion`: a chat's last question as one that needs no chat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig, RunnableSerializable
from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from dateline.errors import BadInput
from dateline.options import checked_arguments
from dateline.reading.history import Turn, read_history
from dateline.reading.rewriting import ChatRewriter, Rewriter, RuleRewriter
from dateline.temporal.as_of import AsOfField, now, read_moment


class ChatInput(TypedDict, total=False):
    """A question and the chat before it: LangChain messages, or `{"role", "content"}`."""

    input: str
    chat_history: Sequence[BaseMessage | dict[str, Any]]
    question: str
    history: Sequence[BaseMessage | dict[str, Any]]


@checked_arguments
class StandaloneQuestion(RunnableSerializable[ChatInput, str]):
    """A step that turns a chat's last question into a standalone one.

    Input: `{"input", "chat_history"}`, or `question` and `history`.

    By rules, or by `model`, whose unusable replies are asked for again, then replaced by what the rules say:
    `StandaloneQuestion() | TemporalRetriever(...)` understands "And in 2015?".

    Example:
        >>> from langchain_core.messages import AIMessage, HumanMessage
        >>> history = [HumanMessage("Who led Acme in 2021?"), AIMessage("Ben Hall.")]
        >>> StandaloneQuestion().invoke({"input": "And in 2015?", "chat_history": history})
        'Who led Acme in 2015?'
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    model: BaseChatModel | None = Field(default=None, exclude=True, description="Asked once a question; None: rules.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    clock: Callable[[], datetime] = Field(default=now, exclude=True, description="What 'when called' means.")

    def invoke(self, input: ChatInput, config: RunnableConfig | None = None, **kwargs: Any) -> str:
        """Return the standalone question.

        Raises:
            BadInput: for input without a question, or a history that is none.
        """
        return self._call_with_config(self._rewrite, input, config, **kwargs)

    async def ainvoke(self, input: ChatInput, config: RunnableConfig | None = None, **kwargs: Any) -> str:
        """Invoke asynchronously."""
        return await self._acall_with_config(self._arewrite, input, config, **kwargs)

    def _rewrite(self, given: ChatInput) -> str:
        text, history = _asked(given)
        return self._rewriter().rewrite(text, history=history, as_of=read_moment(self.as_of, clock=self.clock)).text

    async def _arewrite(self, given: ChatInput) -> str:
        text, history = _asked(given)
        return (
            await self._rewriter().arewrite(text, history=history, as_of=read_moment(self.as_of, clock=self.clock))
        ).text

    def _rewriter(self) -> Rewriter:
        return RuleRewriter() if self.model is None else ChatRewriter(self.model)


def _asked(given: ChatInput) -> tuple[str, tuple[Turn, ...]]:
    text = str(given.get("input") or given.get("question") or "").strip()
    if not text:
        raise BadInput('The input holds no question; give {"input": ..., "chat_history": [...]}.')
    return text, read_history(given.get("chat_history") or given.get("history"))
