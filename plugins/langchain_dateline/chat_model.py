"""`ReaderChatModel`: a dateline reader in the place of a chat model."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from langchain_core.caches import BaseCache
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LangSmithParams
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import ConfigDict, Field

from dateline import Evidence, Question
from dateline.evidence.knowledge import split_known
from dateline.protocols import Reader, ReadResult
from dateline.reading import local_reader
from dateline.reading.follow_up import resolve
from dateline.temporal.as_of import AsOfField, now, read_moment, written
from dateline.temporal.decomposition import decompose
from langchain_dateline.prompt_parsing import asked_prompt


class ReaderChatModel(BaseChatModel):
    """A chat model that answers from the context in its prompt.

    It suits prompts such as `create_stuff_documents_chain` writes.

    The last human message holds the question; the context stands there or in the system message. Read are

    - lines that begin with `context:` (or `documents:`, `evidence:`) and `question:` (or `query:`, `input:`), in either order;
    - `<context>...</context>`, and `<question>...</question>` or a plain text around it;
    - a human message that is the question alone, under a system message that holds the context: behind its
      label or tag, else behind its first blank line;
    - the prompt of `FreshPromptTemplate`, with its asking day.

    Human and AI messages before the last one are the chat: "And in 2015?" asks the question before it again.

    Passages are parted by blank lines; lines `date:`, `title:`, `source:`, `url:` in front of one are its own. The
    reply's `response_metadata` hold probability, no_answer, candidates and reasoning. Nothing but the answer is said.

    Example:
        >>> from dateline.reading import ExtractiveReader
        >>> model = ReaderChatModel(reader=ExtractiveReader(), as_of="2024")
        >>> model.invoke([("system", "Context: Ben Hall leads Acme."), ("human", "Who leads Acme?")]).content
        'Ben Hall'
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    reader: Reader = Field(default_factory=local_reader, exclude=True, description="Any reader of dateline's.")
    cache: BaseCache | bool | None = Field(default=False, exclude=True, description="Off: an answer is as of its day.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    abstention: str = Field(default="unknown", description="What is said where the context holds no answer.")
    clock: Callable[[], datetime] = Field(default=now, exclude=True, description="What 'when called' means.")

    @property
    def _llm_type(self) -> str:
        return "dateline-reader"

    @property
    def _identifying_params(self) -> Mapping[str, Any]:
        return {"reader": type(self.reader).__name__, "as_of": written(self.as_of)}

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        params = super()._get_ls_params(stop=stop, **kwargs)
        return LangSmithParams(
            **{
                **params,
                "ls_provider": "dateline",
                "ls_model_name": str(kwargs.get("model") or type(self.reader).__name__),
            }
        )

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        question, evidence = self._asked(messages)
        return self._said(self.reader.read(question, evidence=evidence), stop)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        question, evidence = self._asked(messages)
        return self._said(await self.reader.aread(question, evidence=evidence), stop)

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        for chunk in _chunks(self._generate(messages, stop)):
            if run_manager is not None:
                run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in _chunks(await self._agenerate(messages, stop)):
            if run_manager is not None:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk

    def _asked(self, messages: Sequence[BaseMessage]) -> tuple[Question, list[Evidence]]:
        asked = asked_prompt(messages)
        as_of = asked.as_of or read_moment(self.as_of, clock=self.clock)
        text = asked.question
        if asked.history:
            text = resolve(text, history=asked.history, as_of=as_of).text
        question = decompose(text, as_of=as_of)
        return question, split_known(asked.evidence, as_of=question.as_of)[0]

    def _said(self, result: ReadResult, stop: Sequence[str] | None) -> ChatResult:
        text = result.reading.answer or self.abstention
        for mark in stop or ():
            text = text.split(mark)[0] if mark else text
        reading, cost = result.reading.model_dump(mode="json", exclude={"answer", "choice"}), result.cost
        usage = UsageMetadata(
            input_tokens=cost.input_tokens,
            output_tokens=cost.output_tokens,
            total_tokens=cost.input_tokens + cost.output_tokens,
        )
        message = AIMessage(
            content=text, response_metadata={**reading, "model_name": self._llm_type}, usage_metadata=usage
        )
        return ChatResult(generations=[ChatGeneration(message=message)])


def _chunks(result: ChatResult) -> Iterator[ChatGenerationChunk]:
    """Yield the answer by words; the last piece carries its metadata."""
    message = result.generations[0].message
    assert isinstance(message, AIMessage)
    words = re.findall(r"\S+\s*|\s+", str(message.text))
    for word in words[:-1]:
        yield ChatGenerationChunk(message=AIMessageChunk(content=word))
    yield ChatGenerationChunk(
        message=AIMessageChunk(
            content=words[-1] if words else "",
            response_metadata=message.response_metadata,
            usage_metadata=message.usage_metadata,
            chunk_position="last",
        )
    )
