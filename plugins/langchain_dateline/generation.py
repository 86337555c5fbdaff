"""`RetrievingChatModel`: a chat model that looks things up while it writes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManager,
    AsyncCallbackManagerForLLMRun,
    CallbackManager,
    CallbackManagerForLLMRun,
    adispatch_custom_event,
    dispatch_custom_event,
)
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGenerationChunk
from pydantic import Field

from dateline import BadInput
from dateline.dynamic import ChatGenerator, RetrievingGenerator
from dateline.dynamic.app_prompt import AppPrompt, QuestionOf, read_app_prompt
from dateline.dynamic.settled_text import HOLD, SettledText
from dateline.dynamic.values import EndEvent, Event, RetrievalEvent
from dateline.reading.history import Turn
from dateline.reading.prompted import question_in
from dateline.temporal.asking import asking_moment
from langchain_dateline.chat_model_base import DatelineChatModel, usage_of
from langchain_dateline.traced_search import TracedSearch, under

RETRIEVAL_EVENT = "dateline_retrieval"
"""The custom event of each retrieval, as `astream_events` shows it; its data is what `Retrieval.told` gives."""


class RetrievingChatModel(DatelineChatModel):
    """A generator (`DynamicGenerator`, `ChatGenerator`) as the model of any chain.

    The prompt is shown to the model as the chain wrote it, inside the generator's layout: system messages, where chains
    put their context, then the last human message; what is looked up stands in front. The question in that message
    ("Question: ...", or all of it) is what queries and triggers go by. Turns before it are the chat that "And in
    2015?" goes back to.

    It streams text that nothing takes back (see `dateline.dynamic.settled_text.SettledText`). Each retrieval fires the
    callbacks of a retriever and a custom event "dateline_retrieval", and comes as a chunk without text whose
    `additional_kwargs["dateline_retrievals"]` hold trigger, score, query and what was found; the whole message has all
    of them. `response_metadata["dateline"]` tells how the generation ended and what it cost.

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

    generator: RetrievingGenerator = Field(exclude=True, description="The model and its retriever.")
    hold: int = Field(default=HOLD, ge=0, description="Tokens held back for a trigger that could withdraw any.")
    question_of: QuestionOf = Field(default=question_in, exclude=True, description="Finds a prompt's question.")

    @property
    def _llm_type(self) -> str:
        return "dateline-retrieving"

    @property
    def _traced_as(self) -> tuple[str, str]:
        return "dateline", type(self.generator).__name__

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        callbacks = under(run_manager, CallbackManager)
        asked = self._asked(messages)
        generator = asked.within(self._prepared(callbacks, stop))
        with generator.stream(asked.question) as events:
            steady = SettledText(events, hold=self.hold)
            for event in events:
                if isinstance(event, RetrievalEvent) and callbacks is not None and callbacks.parent_run_id is not None:
                    dispatch_custom_event(RETRIEVAL_EVENT, event.retrieval.told(), config={"callbacks": callbacks})
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
        callbacks = under(run_manager, AsyncCallbackManager)
        asked = self._asked(messages)
        generator = asked.within(self._prepared(callbacks, stop))
        async with generator.astream(asked.question) as events:
            steady = SettledText(events, hold=self.hold)
            async for event in events:
                if isinstance(event, RetrievalEvent) and callbacks is not None and callbacks.parent_run_id is not None:
                    await adispatch_custom_event(
                        RETRIEVAL_EVENT, event.retrieval.told(), config={"callbacks": callbacks}
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
            as_of=asking_moment(self.as_of, clock=self.clock),
            question_of=self.question_of,
            turns=[
                Turn("user" if isinstance(each, HumanMessage) else "assistant", str(each.text)) for each in turns[:-1]
            ],
            system=[str(each.text) for each in visible if isinstance(each, SystemMessage)],
        )


def _chunks(event: Event, text: str) -> Iterator[ChatGenerationChunk]:
    if isinstance(event, RetrievalEvent):
        yield ChatGenerationChunk(
            message=AIMessageChunk(content=text, additional_kwargs={"dateline_retrievals": [event.retrieval.told()]})
        )
    elif isinstance(event, EndEvent):
        yield ChatGenerationChunk(
            message=AIMessageChunk(
                content=text,
                response_metadata={"dateline": event.generation.told(), "model_name": "dateline-retrieving"},
                usage_metadata=usage_of(event.generation.cost),
                chunk_position="last",
            )
        )
    elif text:
        yield ChatGenerationChunk(message=AIMessageChunk(content=text))
