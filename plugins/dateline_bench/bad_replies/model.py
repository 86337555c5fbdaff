"""A chat model of bad replies, which keeps to no schema."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import ConfigDict, Field

Draw = Callable[[Sequence[BaseMessage]], AIMessage]


class UnrulyChatModel(BaseChatModel):
    """A chat model with given replies first, then drawn ones.

    Its client parses structured output and fails, as clients of servers that enforce no schema do; and it fails where
    roles do not alternate, as strict templates do. `heard` holds the messages of every call, `drawn_for` of those whose
    reply was drawn.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    before: Sequence[str] = ()
    draw: Draw = Field(exclude=True)
    logprobs: bool | None = None
    heard: list[list[BaseMessage]] = Field(default_factory=list)
    answered: list[AIMessage] = Field(default_factory=list)
    drawn_for: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "unruly"

    @property
    def calls(self) -> int:
        """Count the calls beyond the given replies, failures included."""
        return len(self.heard) - min(len(self.before), len(self.answered))

    def with_structured_output(self, schema: Any, *, include_raw: bool = False, **kwargs: Any) -> Runnable[Any, Any]:
        """Bind a schema that no reply will keep to."""
        return self.bind(schema=schema)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.heard.append(list(messages))
        turns = [message.type for message in messages if message.type != "system"]
        if any(one == other for one, other in pairwise(turns)) or turns[-1:] != ["human"]:
            raise ValueError("conversation roles must alternate")
        if "schema" in kwargs:
            raise ValueError("the reply is no JSON of the schema")
        if len(self.answered) < len(self.before):
            reply = AIMessage(self.before[len(self.answered)])
        else:
            reply = self.draw(messages)
            self.drawn_for.append(list(messages))
        self.answered.append(reply)
        return ChatResult(generations=[ChatGeneration(message=reply)])
