"""Chat models for your own tests, with replies that you decide."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LangSmithParams, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ConfigDict, Field, InstanceOf

from langchain_dateline.chat_model import ReaderChatModel


class _FakeChatModel(BaseChatModel):
    """Chat model that notes the messages and tools it is given."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    history: list[list[BaseMessage]] = Field(default_factory=list)
    tools: list[str] = Field(default_factory=list)

    @abstractmethod
    def _reply(self, messages: list[BaseMessage], stop: list[str] | None) -> str | AIMessage:
        """Return the reply; `history` has these messages already."""

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.history.append(list(messages))
        return _said(self._reply(messages, stop), messages)

    def bind_tools(
        self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Note the tools' names."""
        self.tools[:] = [str(convert_to_openai_tool(tool)["function"]["name"]) for tool in tools]
        return self


class ScriptedChatModel(_FakeChatModel):
    """A chat model that gives its replies in order.

    The last one is given again and again; an exception among them is raised.

    A reply may be a message, such as one that calls a tool (`calls_tool`), so that agents can be scripted. `history`
    holds the messages of every call, so that a test can look at the prompts; `tools` the names of those it was given.

    Example:
        >>> model = ScriptedChatModel(replies=["Ana.", "Ben."])
        >>> [model.invoke("Who leads Acme?").content for _ in range(3)]
        ['Ana.', 'Ben.', 'Ben.']
    """

    replies: Sequence[str | InstanceOf[AIMessage] | Exception] = Field(min_length=1)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        params = super()._get_ls_params(stop=stop, **kwargs)
        return LangSmithParams(**{**params, "ls_model_name": str(kwargs.get("model") or self._llm_type)})

    def _reply(self, messages: list[BaseMessage], stop: list[str] | None) -> str | AIMessage:
        reply = self.replies[min(len(self.history), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        return reply


def calls_tool(name: str, **arguments: Any) -> AIMessage:
    """Return a reply that calls a tool; equal calls have equal ids."""
    digest = blake2b(f"{name} {sorted(arguments.items())}".encode(), digest_size=6).hexdigest()
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": f"call-{digest}", "type": "tool_call"}])


class AnsweringChatModel(_FakeChatModel):
    """A chat model whose replies follow from the messages it gets.

    So the order in which parallel requests arrive makes no difference.

    `respond` gets the messages and gives the reply; what it raises, the model raises. `history` holds the messages of
    every call, in the order in which they arrived.

    Example:
        >>> model = AnsweringChatModel(respond=lambda messages: messages[-1].text.upper())
        >>> model.invoke("acme").content
        'ACME'
    """

    respond: Callable[[list[BaseMessage]], str] = Field(exclude=True)

    @property
    def _llm_type(self) -> str:
        return "answering"

    def _reply(self, messages: list[BaseMessage], stop: list[str] | None) -> str:
        return self.respond(messages)


class SearchingChatModel(_FakeChatModel):
    """A model for agents without a key.

    It calls its first tool with the question, then reads the answer in the results.

    It answers from what it is shown and from nothing else, so that an agent's answer changes with what its tools and
    middleware show. `reader` gets one prompt that holds the results as context. A turn's tool is called once.

    Example:
        >>> from dateline.reading import ExtractiveReader
        >>> model = SearchingChatModel(reader=ReaderChatModel(reader=ExtractiveReader()), tools=["web_search"])
        >>> model.invoke("Who leads Acme?").tool_calls[0]["args"]
        {'query': 'Who leads Acme?'}
    """

    reader: BaseChatModel = Field(default_factory=ReaderChatModel, exclude=True, description="Answers from a context.")
    argument: str = Field(default="query", description="The tool's argument that takes the question.")

    @property
    def _llm_type(self) -> str:
        return "searching"

    def _reply(self, messages: list[BaseMessage], stop: list[str] | None) -> str | AIMessage:
        asked = max(place for place, each in enumerate(messages) if isinstance(each, HumanMessage))
        question = str(messages[asked].text)
        found = [str(each.text) for each in messages[asked + 1 :] if isinstance(each, ToolMessage)]
        if self.tools and not found:
            return calls_tool(self.tools[0], **{self.argument: question})
        context = "\n\n".join(found)
        prompt = HumanMessage(f"Context:\n{context}\n\nQuestion: {question}")
        return str(self.reader.invoke([prompt], stop=stop).text)


def _said(reply: str | AIMessage, messages: list[BaseMessage]) -> ChatResult:
    """A reply with its usage, four characters a token."""
    message = AIMessage(reply) if isinstance(reply, str) else reply.model_copy(deep=True)
    tokens, written = sum(len(str(message.content)) for message in messages) // 4, len(str(message.content)) // 4
    usage = UsageMetadata(input_tokens=tokens, output_tokens=written, total_tokens=tokens + written)
    said = message.model_copy(update={"usage_metadata": message.usage_metadata or usage})
    return ChatResult(generations=[ChatGeneration(message=said)])
