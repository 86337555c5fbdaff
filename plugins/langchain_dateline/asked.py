"""`AskedAt`: a chain asked as of its input's or config's day."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable
from langchain_core.runnables.utils import Output
from pydantic import ConfigDict, Field

from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, Clock, is_given, now
from dateline.temporal.asking import asked_at, context_asked_at
from dateline.temporal.run_day import day_in, without_day
from langchain_dateline.flows import day_of

_DONE = object()


@checked_arguments
class AskedAt(RunnableSerializable[Any, Output]):
    """A chain asked as of the day in its input or config.

    For chains that hand their retriever the question alone, such as `itemgetter("question") | retriever` and
    `create_retrieval_chain(retriever, ...)`: the `as_of` of the input would be lost there. Retrievers, prompts, readers and graphs
    of dateline in the chain follow it where they have none of their own. It streams as the chain does.

    For LangChain's own retrievers around one of dateline's, too, which are given a question and hand none of their config on, as
    `MultiQueryRetriever` and `ContextualCompressionRetriever`: `AskedAt(chain=theirs)` follows the day in the config.

    Raises:
        BadInput: while running, for an unreadable or misspelt `as_of`.

    Example:
        >>> from operator import itemgetter
        >>> from langchain_core.documents import Document
        >>> from langchain_core.vectorstores import InMemoryVectorStore
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> from langchain_dateline import AdaptiveRetriever
        >>> store = InMemoryVectorStore(LexicalEmbeddings())
        >>> ids = store.add_documents([Document(f"{who} leads Acme.", metadata={"date": when})
        ...                            for who, when in (("Ana", "2015"), ("Ben", "2021"))])
        >>> retriever = AdaptiveRetriever(retriever=store, embeddings=LexicalEmbeddings())
        >>> chain = AskedAt(chain=itemgetter("question") | retriever)
        >>> [each.page_content for each in chain.invoke({"question": "Who leads Acme?", "as_of": "2018"})]
        ['Ana leads Acme.']
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    chain: Runnable[Any, Output] = Field(description="What is run.")
    clock: Clock = Field(default=now, exclude=True, description="What a day that is not over means.")

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Output:
        """Run the chain as of the input's day, else the config's."""
        day, clock, config = self._asking(input, config)
        with asked_at(day, clock=clock):
            return self.chain.invoke(input, config, **kwargs)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Output:
        """Run the chain in the same way without blocking."""
        day, clock, config = self._asking(input, config)
        with asked_at(day, clock=clock):
            return await self.chain.ainvoke(input, config, **kwargs)

    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Output]:
        """Stream what the chain streams."""
        day, clock, config = self._asking(input, config)
        inside = context_asked_at(day, clock=clock)
        pieces = inside.run(self.chain.stream, input, config, **kwargs)
        try:
            while (piece := inside.run(next, pieces, _DONE)) is not _DONE:
                yield piece  # type: ignore[misc]
        finally:
            inside.run(getattr(pieces, "close", lambda: None))

    async def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AsyncIterator[Output]:
        """Stream what the chain streams, without blocking."""
        day, clock, config = self._asking(input, config)
        inside = context_asked_at(day, clock=clock)
        pieces = inside.run(self.chain.astream, input, config, **kwargs)

        async def following() -> Any:
            return await anext(pieces, _DONE)

        async def closing() -> None:
            if hasattr(pieces, "aclose"):
                await pieces.aclose()

        try:
            while (piece := await asyncio.create_task(following(), context=inside)) is not _DONE:
                yield piece
        finally:
            await asyncio.create_task(closing(), context=inside)

    def _asking(self, input: Any, config: RunnableConfig | None) -> tuple[AsOf, Clock, RunnableConfig | None]:
        """Return the day, its clock, and a config of no other."""
        if is_given(day := day_in(input)):
            return day, self.clock, without_day(config)
        return *day_of(config, clock=self.clock), config
