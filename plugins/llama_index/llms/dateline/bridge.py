"""`as_chat_model`: a LlamaIndex `LLM` wherever dateline takes a chat model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LangSmithParams
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    FunctionMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.messages import ChatMessage as RoleMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LogProb, MessageRole
from llama_index.core.callbacks.token_counting import get_tokens_from_response
from llama_index.core.llms import LLM
from pydantic import ConfigDict, Field

from dateline.errors import BadInput

_KINDS: tuple[tuple[type[BaseMessage], MessageRole], ...] = (
    (SystemMessage, MessageRole.SYSTEM),
    (AIMessage, MessageRole.ASSISTANT),
    (ToolMessage, MessageRole.TOOL),
    (FunctionMessage, MessageRole.FUNCTION),
)
_ROLES = {"ai": MessageRole.ASSISTANT, **{role.value: role for role in MessageRole}}
"""Of a message that names its role itself."""


class BridgedChatModel(BaseChatModel):
    """A LangChain chat model that asks a LlamaIndex one; made by `as_chat_model`.

    Text goes through, also as a stream, with usage and log-probabilities where the model reports them; tools do not.
    LlamaIndex's own instrumentation sees every call.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    llm: LLM = Field(exclude=True, description="Any language model of LlamaIndex.")

    @property
    def _llm_type(self) -> str:
        return self.llm.class_name()

    @property
    def _identifying_params(self) -> Mapping[str, Any]:
        asked = {name: getattr(self.llm, name, None) for name in ("temperature", "max_tokens", "api_base", "base_url")}
        return {"model_name": self.llm.metadata.model_name, **asked}

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        params = super()._get_ls_params(stop=stop, **kwargs)
        return LangSmithParams(**{**params, "ls_model_name": self.llm.metadata.model_name})

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _result(self.llm.chat(_messages(messages), **_options(stop, kwargs)))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return _result(await self.llm.achat(_messages(messages), **_options(stop, kwargs)))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        reply = _StreamedReply()
        for response in self.llm.stream_chat(_messages(messages), **_options(stop, kwargs)):
            chunk = reply.chunk(response)
            if run_manager is not None:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk
        yield from reply.end()

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        reply = _StreamedReply()
        async for response in await self.llm.astream_chat(_messages(messages), **_options(stop, kwargs)):
            chunk = reply.chunk(response)
            if run_manager is not None:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk
        for chunk in reply.end():
            yield chunk


def as_chat_model(llm: LLM | BaseChatModel) -> BaseChatModel:
    """Return a LangChain chat model, which dateline's parts take, for an `LLM`.

    LangChain's own pass through.

    Raises:
        BadInput: for anything else.
    """
    if isinstance(llm, BaseChatModel):
        return llm
    if not isinstance(llm, LLM):
        raise BadInput(f"{type(llm).__name__} is no language model; pass a LlamaIndex LLM or a LangChain chat model.")
    return BridgedChatModel(llm=llm)


def _messages(messages: Sequence[BaseMessage]) -> list[ChatMessage]:
    return [ChatMessage(role=_role(one), content=str(one.text)) for one in messages]


def _role(message: BaseMessage) -> MessageRole:
    if isinstance(message, RoleMessage):
        return _ROLES.get(message.role.lower(), MessageRole.USER)
    return next((role for kind, role in _KINDS if isinstance(message, kind)), MessageRole.USER)


def _options(stop: list[str] | None, more: dict[str, Any]) -> dict[str, Any]:
    return {**more, "stop": stop} if stop else more


def _result(response: ChatResponse) -> ChatResult:
    message = AIMessage(
        content=response.message.content or "",
        usage_metadata=_usage(response),
        response_metadata=_logprobs(response.logprobs),
    )
    return ChatResult(generations=[ChatGeneration(message=message)])


@dataclass(slots=True)
class _StreamedReply:
    """A streamed reply: what its responses told so far."""

    logprobs: list[list[LogProb]] = field(default_factory=list)
    usage: UsageMetadata | None = None

    def chunk(self, response: ChatResponse) -> ChatGenerationChunk:
        """Return the piece that a response adds."""
        given, told = response.logprobs or [], len(self.logprobs)
        # Some models tell those of the new piece, and some of all the text so far, as a response's message does.
        again = given[:told] == self.logprobs and (len(given) > told or not response.delta)
        new = given[told:] if again else given
        self.logprobs += new
        self.usage = _usage(response) or self.usage
        return ChatGenerationChunk(
            message=AIMessageChunk(content=response.delta or "", response_metadata=_logprobs(new))
        )

    def end(self) -> list[ChatGenerationChunk]:
        """Return a last piece with the usage, where that was told.

        Alone there: LangChain adds up the pieces', and each response may tell all so far.
        """
        if self.usage is None:
            return []
        message = AIMessageChunk(content="", usage_metadata=self.usage, chunk_position="last")
        return [ChatGenerationChunk(message=message)]


def _usage(response: ChatResponse) -> UsageMetadata | None:
    """Return the tokens that a model reports, `None` for none."""
    try:
        asked, written = (int(count or 0) for count in get_tokens_from_response(response))
    except (TypeError, ValueError, AttributeError):
        return None
    if not asked and not written:
        return None
    return UsageMetadata(input_tokens=asked, output_tokens=written, total_tokens=asked + written)


def _logprobs(given: list[list[LogProb]] | None) -> dict[str, Any]:
    """Return each place's likeliest tokens, in LangChain's form."""
    if not given:
        return {}
    content = [
        {
            "token": options[0].token,
            "logprob": options[0].logprob,
            "top_logprobs": [{"token": one.token, "logprob": one.logprob} for one in options],
        }
        for options in given
        if options
    ]
    return {"logprobs": cast(dict[str, Any], {"content": content})}
