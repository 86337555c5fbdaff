"""A chat model that streams token by token and tells log-probabilities where it is asked to."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.chat_models import generate_from_stream
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import Field


class TellingChatModel(BaseChatModel):
    """`respond` gets the last message and gives a reply; `unsure` holds words and their probabilities, others have 1.

    `sent` counts the tokens of each reply that somebody listened to.
    """

    respond: Callable[[str], str] = Field(exclude=True)
    unsure: Mapping[str, float] = Field(default_factory=dict)
    tells: bool = True
    history: list[str] = Field(default_factory=list)
    sent: list[int] = Field(default_factory=list)
    fail_after: int | None = None

    @property
    def _llm_type(self) -> str:
        return "telling"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        self.history.append(str(messages[-1].text))
        self.sent.append(0)
        for number, token in enumerate(re.findall(r"\s*\w+|\s*[^\w\s]", self.respond(self.history[-1]))):
            if self.fail_after is not None and number >= self.fail_after:
                raise ConnectionError("the line is dead, api_key=sk-abcdefghijkl")
            self.sent[-1] += 1
            told = {"logprobs": {"content": [self._told(token)]}} if self.tells and kwargs.get("logprobs") else {}
            yield ChatGenerationChunk(message=AIMessageChunk(content=token, response_metadata=told))

    def _told(self, token: str) -> dict[str, Any]:
        share = self.unsure.get(token.strip(), 1.0)
        others = [{"token": token, "logprob": math.log(share)}]
        if share < 1:
            others.append({"token": " other", "logprob": math.log(1 - share)})
        return {"token": token, "bytes": list(token.encode()), "logprob": math.log(share), "top_logprobs": others}
