"""`RetrievingQueryEngine`: a query engine that retrieves while it writes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import (
    RESPONSE_TYPE,
    AsyncStreamingResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.callbacks import CallbackManager
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from dateline import Question
from dateline.dynamic import Retrieval, RetrievingGenerator
from dateline.dynamic.settled_text import HOLD, SettledText
from dateline.dynamic.values import EndEvent, Event, RetrievalEvent
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, Clock, checked, now
from dateline.temporal.asking import asking_moment
from dateline.temporal.decomposition import decompose
from llama_index.llms.dateline.looking_up import heard, nodes_of, tell

GENERATION = "dateline_generation"
"""The key of a response's metadata that holds how the generation ended, its retrievals and its cost."""


@checked_arguments
class RetrievingQueryEngine(BaseQueryEngine):
    """A generator (`DynamicGenerator`, `ChatGenerator`) as a query engine, async and streaming.

    What is streamed is not taken back (see `dateline.dynamic.settled_text.SettledText`). The source nodes are what was found on
    the way, those in front at the end last; while a stream runs they are filled in as they are found. Each retrieval dispatches
    the events of a retriever, and a `LookedUpEvent` with its trigger, score and query.

    Example:
        >>> from dateline.dynamic import Bm25Search, ChatGenerator
        >>> from dateline.dynamic.triggers import Once
        >>> from langchain_dateline.testing import ScriptedChatModel
        >>> chat = ScriptedChatModel(replies=["Ada Berg is mayor."])
        >>> search = Bm25Search(["Ada Berg is mayor of Lund."])
        >>> engine = RetrievingQueryEngine(ChatGenerator(chat, retriever=search, trigger=Once()))
        >>> response = engine.query("Who is mayor of Lund?")
        >>> response.response, [each.text for each in response.source_nodes]
        ('Ada Berg is mayor.', ['Ada Berg is mayor of Lund.'])
    """

    def __init__(
        self,
        generator: RetrievingGenerator,
        *,
        streaming: bool = False,
        hold: int = HOLD,
        as_of: AsOf = None,
        clock: Clock = now,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        """Take a generator.

        Args:
            streaming: whether the answer comes as it is written.
            hold: tokens held back for a trigger that could withdraw any.
            as_of: the asking moment; `None`: when called.
        """
        super().__init__(callback_manager)
        self._generator = heard(generator)
        self._streaming, self._hold = streaming, hold
        self._as_of, self._clock = checked(as_of, clock=clock), clock

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        nodes: list[NodeWithScore] = []
        told: dict[str, Any] = {}
        text = self._write(self._question(query_bundle), nodes, told)
        if self._streaming:
            return StreamingResponse(response_gen=text, source_nodes=nodes, metadata=told)
        return Response(response="".join(text), source_nodes=nodes, metadata=told)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        nodes: list[NodeWithScore] = []
        told: dict[str, Any] = {}
        text = self._awrite(self._question(query_bundle), nodes, told)
        if self._streaming:
            return AsyncStreamingResponse(response_gen=text, source_nodes=nodes, metadata=told)
        return Response(response="".join([piece async for piece in text]), source_nodes=nodes, metadata=told)

    def _question(self, query: QueryBundle) -> Question:
        return decompose(query.query_str, as_of=asking_moment(self._as_of, clock=self._clock))

    def _write(
        self, question: Question, nodes: list[NodeWithScore], told: dict[str, Any]
    ) -> Generator[str, None, None]:
        with self._generator.stream(question) as events:
            steady = SettledText(events, hold=self._hold)
            for event in events:
                _note(event, nodes, told)
                if text := steady.take(event):
                    yield text

    async def _awrite(
        self, question: Question, nodes: list[NodeWithScore], told: dict[str, Any]
    ) -> AsyncGenerator[str, None]:
        async with self._generator.astream(question) as events:
            steady = SettledText(events, hold=self._hold)
            async for event in events:
                _note(event, nodes, told)
                if text := steady.take(event):
                    yield text


def _note(event: Event, nodes: list[NodeWithScore], told: dict[str, Any]) -> None:
    """Keep what an event says for whoever holds the response."""
    if isinstance(event, RetrievalEvent):
        one = event.retrieval
        nodes[:] = _with(nodes, one)
        tell(one)
    elif isinstance(event, EndEvent):
        # What was found is in the source nodes already.
        retrievals = [each.told(documents=False) for each in event.generation.retrievals]
        told[GENERATION] = {**event.generation.told(documents=False), "retrievals": retrievals}


def _with(nodes: list[NodeWithScore], one: Retrieval) -> list[NodeWithScore]:
    new = nodes_of(one.documents)
    ids = {each.node.node_id for each in new}
    return [*(each for each in nodes if each.node.node_id not in ids), *new]
