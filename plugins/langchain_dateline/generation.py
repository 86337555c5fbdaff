"""`RetrievingChatModel`: a chat model that looks things up while it writes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from langchain_core.caches import BaseCache
from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
    adispatch_custom_event,
    dispatch_custom_event,
)
from langchain_core.language_models import BaseChatModel, LangSmithParams
from langchain_core.language_models.chat_models import agenerate_from_stream, generate_from_stream
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import ConfigDict, Field

from dateline import BadInput
from dateline.dynamic import ChatGenerator, Generation, Retrieval, RetrievingGenerator
from dateline.dynamic.app_prompt import AppPrompt, QuestionOf, read_app_prompt
from dateline.dynamic.settled_text import HOLD, SettledText
from dateline.dynamic.values import EndEvent, Event, RetrievalEvent
from dateline.options import checked_arguments
from dateline.reading.history import Turn
from dateline.reading.prompted import question_in
from dateline.temporal.as_of import AsOfField, now, read_moment
from langchain_dateline.traced_search import TracedSearch, aunder, under

RETRIEVAL_EVENT = "dateline_retrieval"
"""The custom event of each retrieval, as `astream_events` shows it; its data is what `told` gives."""


@checked_arguments
class RetrievingChatModel(BaseChatModel):
    """A generator (`DynamicGenerator`, `ChatGenerator`) as the model of any chain.

    The prompt is shown to the model as the chain wrote it, inside the generator's layout: system messages, where chains
    put their context, then the last human message; what is looked up stands in front. The question in that message
    ("Question: ...", or all of it) is what queries and triggers go by. Turns before it are the chat that "And in
    2015?" goes back to.

    Streams text that nothing takes back (see `dateline.dynamic.settled_text.SettledText`). Each retrieval fires the callbacks of a retriever,
    a custom event "dateline_retrieval", and comes as a chunk without text whose `additional_kwargs["dateline_retrievals"]` say
    trigger, score, query and what was found; the whole message has all of them. `response_metadata["dateline"]` says how
    the generation ended and what it cost.

    Raises:
        BadInput: while running, where the messages hold no question.
        ModelFailed: while running, where a model behind an API fails before its first token.

    Example:
        >>> from dateline.dynamic import Bm25Search, ChatGenerator
        >>> from dateline.dynamic.triggers import Once
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> chat = ScriptedChatModel(replies=["Ada Berg is mayor."])
        >>> search = Bm25Search(["Ada Berg is mayor of Lund."])
        >>> model = RetrievingChatModel(generator=ChatGenerator(chat, retriever=search, trigger=Once()))
        >>> reply = model.invoke("Who is mayor of Lund?")
        >>> reply.text, len(reply.additional_kwargs["dateline_retrievals"])
        ('Ada Berg is mayor.', 1)
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    generator: RetrievingGenerator = Field(exclude=True, description="The model and its retriever.")
    cache: BaseCache | bool | None = Field(default=False, exclude=True, description="Off: an answer is as of its day.")
    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    hold: int = Field(default=HOLD, ge=0, description="Tokens held back for a trigger that could withdraw any.")
    clock: Callable[[], datetime] = Field(default=now, exclude=True, description="What 'when called' means.")
    question_of: QuestionOf = Field(default=question_in, exclude=True, description="Finds a prompt's question.")

    @property
    def _llm_type(self) -> str:
        return "dateline-retrieving"

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        params = super()._get_ls_params(stop=stop, **kwargs)
        name = str(kwargs.get("model") or type(self.generator).__name__)
        return LangSmithParams(**{**params, "ls_provider": "dateline", "ls_model_name": name})

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        # The same way as a stream, so that both write the same.
        return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return await agenerate_from_stream(self._astream(messages, stop, run_manager, **kwargs))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        callbacks = under(run_manager)
        asked = self._asked(messages)
        generator = asked.within(self._prepared(callbacks, stop))
        with generator.stream(asked.question) as events:
            steady = SettledText(events, hold=self.hold)
            for event in events:
                if isinstance(event, RetrievalEvent) and callbacks is not None and callbacks.parent_run_id is not None:
                    dispatch_custom_event(RETRIEVAL_EVENT, told(event.retrieval), config={"callbacks": callbacks})
                for chunk in _chunks(event, steady.take(event)):
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
        callbacks = aunder(run_manager)
        asked = self._asked(messages)
        generator = asked.within(self._prepared(callbacks, stop))
        async with generator.astream(asked.question) as events:
            steady = SettledText(events, hold=self.hold)
            async for event in events:
                if isinstance(event, RetrievalEvent) and callbacks is not None and callbacks.parent_run_id is not None:
                    await adispatch_custom_event(
                        RETRIEVAL_EVENT, told(event.retrieval), config={"callbacks": callbacks}
                    )
                for chunk in _chunks(event, steady.take(event)):
                    if run_manager is not None:
                        await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
                    yield chunk

    def _prepared(self, callbacks: Any, stop: Sequence[str] | None) -> RetrievingGenerator:
        """The generator with the run's callbacks and its texts to stop at."""
        generator = self.generator
        if callbacks is not None:
            generator = generator.with_retriever(TracedSearch(generator.search, callbacks=callbacks))
            if isinstance(generator, ChatGenerator):
                generator = generator.with_model(generator.model.with_config(callbacks=callbacks))
        if stop:
            generator = generator.with_options(stop_at=(*generator.options.stop_at, *stop))
        return generator

    def _asked(self, messages: Sequence[BaseMessage]) -> AppPrompt:
        visible = [each for each in messages if str(each.text).strip()]
        turns = [each for each in visible if isinstance(each, HumanMessage | AIMessage)]
        if not turns or not isinstance(turns[-1], HumanMessage):
            raise BadInput("The last message is no question; end the messages with a human one.")
        return read_app_prompt(
            str(turns[-1].text),
            as_of=read_moment(self.as_of, clock=self.clock),
            question_of=self.question_of,
            turns=[
                Turn("user" if isinstance(each, HumanMessage) else "assistant", str(each.text)) for each in turns[:-1]
            ],
            system=[str(each.text) for each in visible if isinstance(each, SystemMessage)],
        )


def told(retrieval: Retrieval) -> dict[str, Any]:
    """A retrieval as JSON, the tokens that were withdrawn counted, not shown."""
    return retrieval.model_dump(mode="json", exclude={"withdrawn_text"})


def _chunks(event: Event, text: str) -> Iterator[ChatGenerationChunk]:
    if isinstance(event, RetrievalEvent):
        yield ChatGenerationChunk(
            message=AIMessageChunk(content=text, additional_kwargs={"dateline_retrievals": [told(event.retrieval)]})
        )
    elif isinstance(event, EndEvent):
        yield ChatGenerationChunk(
            message=AIMessageChunk(
                content=text,
                response_metadata={"dateline": _ending(event.generation), "model_name": "dateline-retrieving"},
                usage_metadata=_usage(event.generation),
                chunk_position="last",
            )
        )
    elif text:
        yield ChatGenerationChunk(message=AIMessageChunk(content=text))


def _ending(generation: Generation) -> dict[str, Any]:
    return {
        "ended": generation.ended,
        "statement": generation.statement,
        "retrievals": len(generation.retrievals),
        "documents": [each.model_dump(mode="json") for each in generation.documents],
        "cost": generation.cost.model_dump(mode="json"),
    }


def _usage(generation: Generation) -> UsageMetadata:
    cost = generation.cost
    return UsageMetadata(
        input_tokens=cost.input_tokens,
        output_tokens=cost.output_tokens,
        total_tokens=cost.input_tokens + cost.output_tokens,
    )
