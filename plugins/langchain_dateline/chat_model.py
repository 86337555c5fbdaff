"""`ReaderChatModel`: a dateline reader in the place of a chat model."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from pydantic import Field

from dateline import Evidence, Question
from dateline.evidence.knowledge import split_known
from dateline.evidence.sanitize import MAX_SHOWN, inert
from dateline.protocols import Reader, ReadResult
from dateline.reading import local_reader
from dateline.reading.follow_up import resolve
from dateline.temporal.as_of import written
from dateline.temporal.asking import asking_moment
from dateline.temporal.decomposition import decompose
from langchain_dateline.chat_model_base import DatelineChatModel, usage_of
from langchain_dateline.prompt_parsing import asked_prompt


class ReaderChatModel(DatelineChatModel):
    """A chat model that answers from the context in its prompt.

    It suits prompts such as `create_stuff_documents_chain` writes.

    The last human message holds the question; the context stands there or in the system message. Read are

    - lines that begin with `context:` (or `documents:`, `evidence:`) and `question:` (or `query:`, `input:`), in either order;
    - `<context>...</context>`, and `<question>...</question>` or a plain text around it;
    - a human message that is the question alone, under a system message that holds the context: behind its
      label or tag, else behind its first blank line;
    - the prompt of `FreshPromptTemplate`, with its asking day;
    - the asking day with which `dated_context` begins, else a line that begins with `as of:`.

    Human and AI messages before the last one are the chat: "And in 2015?" asks the question before it again.

    Passages are parted by blank lines and may stand in any order; lines `date:`, `title:`, `source:`, `url:` in front of
    one are its own. The reply's `response_metadata` hold probability, no_answer, candidates and reasoning. Nothing but
    the answer is said.

    Example:
        >>> from dateline.reading import ExtractiveReader
        >>> model = ReaderChatModel(reader=ExtractiveReader(), as_of="2024")
        >>> model.invoke([("system", "Context: Ben Hall leads Acme."), ("human", "Who leads Acme?")]).content
        'Ben Hall'
    """

    reader: Reader = Field(default_factory=local_reader, exclude=True, description="Any reader of dateline's.")
    abstention: str = Field(default="unknown", description="What is said where the reader gives no answer.")

    @property
    def _llm_type(self) -> str:
        return "dateline-reader"

    @property
    def _identifying_params(self) -> Mapping[str, Any]:
        return {"reader": type(self.reader).__name__, "as_of": written(self.as_of)}

    @property
    def _traced_as(self) -> tuple[str, str]:
        return "dateline", type(self.reader).__name__

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        question, evidence = self._asked(messages)
        yield from self._chunks(self.reader.read(question, evidence=evidence), stop)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        question, evidence = self._asked(messages)
        for chunk in self._chunks(await self.reader.aread(question, evidence=evidence), stop):
            yield chunk

    def _asked(self, messages: Sequence[BaseMessage]) -> tuple[Question, list[Evidence]]:
        asked = asked_prompt(messages)
        as_of = asked.as_of or asking_moment(self.as_of, clock=self.clock)
        text = asked.question
        if asked.history:
            text = resolve(text, history=asked.history, as_of=as_of).text
        question = decompose(text, as_of=as_of)
        return question, split_known(asked.evidence, as_of=question.as_of)[0]

    def _chunks(self, result: ReadResult, stop: Sequence[str] | None) -> Iterator[ChatGenerationChunk]:
        """Yield the answer by words; the last piece carries its metadata."""
        text = inert(result.reading.answer, limit=MAX_SHOWN) or self.abstention
        for mark in stop or ():
            text = text.split(mark)[0] if mark else text
        words = re.findall(r"\S+\s*|\s+", text)
        for word in words[:-1]:
            yield ChatGenerationChunk(message=AIMessageChunk(content=word))
        reading = result.reading.model_dump(mode="json", exclude={"answer", "choice"})
        yield ChatGenerationChunk(
            message=AIMessageChunk(
                content=words[-1] if words else "",
                response_metadata={**reading, "model_name": self._llm_type},
                usage_metadata=usage_of(result.cost),
                chunk_position="last",
            )
        )
