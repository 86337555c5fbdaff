"""Bases of chat models: checked options, and an asking day."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from langchain_core.caches import BaseCache
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LangSmithParams
from langchain_core.language_models.chat_models import agenerate_from_stream, generate_from_stream
from langchain_core.messages import BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatResult
from pydantic import ConfigDict, Field, ValidationError

from dateline import Cost
from dateline.options import refusal, suggestion, unknown
from dateline.temporal.as_of import AsOfField, ClockField, now

STANDARD = frozenset({"api_key", "base_url", "max_retries", "streaming", "timeout"})
"""Parameters that LangChain may give to any chat model."""


class CheckedChatModel(BaseChatModel):
    """A chat model that checks its options.

    LangChain's chat models take any argument, so an unknown one is let through, unless it looks like an option of ours.

    Raises:
        BadInput: for such a near miss, and for a value that an option cannot have.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    def __init__(self, **given: Any) -> None:
        kind = type(self)
        own = [name for name in kind.model_fields if name == "cache" or name not in BaseChatModel.model_fields]
        for name in given.keys() - kind.model_fields.keys() - STANDARD:
            if suggestion(name, known=own):
                raise unknown(name, of=kind.__name__, known=own)
        try:
            super().__init__(**given)
        except ValidationError as cause:
            raise refusal(cause, kind) from cause

    @property
    @abstractmethod
    def _traced_as(self) -> tuple[str, str]:
        """The provider and the model's name, as tracers show them."""

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        params = super()._get_ls_params(stop=stop, **kwargs)
        provider, name = self._traced_as
        return LangSmithParams(**{**params, "ls_provider": provider, "ls_model_name": str(kwargs.get("model") or name)})


class DatelineChatModel(CheckedChatModel):
    """A chat model that answers as of a day."""

    cache: BaseCache | bool | None = Field(default=False, exclude=True, description="Off: an answer is as of its day.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    clock: ClockField = now

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return await agenerate_from_stream(self._astream(messages, stop, run_manager, **kwargs))


def usage_of(cost: Cost) -> UsageMetadata:
    """Return a cost's tokens as LangChain reports them."""
    return UsageMetadata(input_tokens=cost.input_tokens, output_tokens=cost.output_tokens, total_tokens=cost.tokens)
