"""`StandaloneQuestion`: a chat's last question as one that needs no chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, MessageLikeRepresentation
from langchain_core.runnables import RunnableConfig
from pydantic import Field
from typing_extensions import TypedDict

from dateline.errors import BadInput
from dateline.flow import Flow, call
from dateline.options import checked_arguments
from dateline.reading.rewriting import ChatRewriter, Rewriter, RuleRewriter
from dateline.temporal.as_of import AsOfField, ClockField, now
from dateline.temporal.asking import asking_moment
from dateline.temporal.run_day import day_in
from langchain_dateline.flows import FlowRunnable
from langchain_dateline.io_fields import history_in, question_in


class ChatInput(TypedDict, total=False):
    """A question and the chat before it, as LangChain's messages."""

    input: str | BaseMessage
    chat_history: Sequence[MessageLikeRepresentation]
    question: str | BaseMessage
    as_of: AsOfField
    history: Sequence[MessageLikeRepresentation]


@checked_arguments
class StandaloneQuestion(FlowRunnable[ChatInput, str]):
    """A step that turns a chat's last question into a standalone one.

    Input: `{"input", "chat_history"}`, or `question` and `history`, and as wanted `as_of`.

    By rules, or by `model`, whose unusable replies are asked for again, then replaced by what the rules say:
    `StandaloneQuestion() | TemporalRetriever(...)` understands "And in 2015?".

    Raises:
        BadInput: while running, for input without a question, or a history that is none.

    Example:
        >>> from langchain_core.messages import AIMessage, HumanMessage
        >>> history = [HumanMessage("Who led Acme in 2021?"), AIMessage("Ben Hall.")]
        >>> StandaloneQuestion().invoke({"input": "And in 2015?", "chat_history": history})
        'Who led Acme in 2015?'
    """

    model: BaseChatModel | None = Field(default=None, exclude=True, description="Asked once a question; None: rules.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    clock: ClockField = now

    def _flow(self, given: ChatInput, config: RunnableConfig) -> Flow[str]:
        if not isinstance(given, Mapping):
            raise BadInput(f'The input is a {type(given).__name__}; give {{"input": ..., "chat_history": [...]}}.')
        text = question_in(given.get("input") or given.get("question"))
        if not text:
            raise BadInput('The input holds no question; give {"input": ..., "chat_history": [...]}.')
        history = history_in(given.get("chat_history") or given.get("history"))
        rewriter: Rewriter = RuleRewriter() if self.model is None else ChatRewriter(self.model)
        as_of = asking_moment(day_in(given), self.as_of, clock=self.clock)
        return (yield from call(rewriter.rewrite, text, history=history, as_of=as_of)).text
