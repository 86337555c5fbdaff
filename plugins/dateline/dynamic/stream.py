"""Event streams of a generation, for blocking and async callers."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any

from dateline.dynamic.generation_loop import GenerationLoop, SearchRequest, SearchResponse
from dateline.dynamic.values import EndEvent, Event, Generation
from dateline.protocols import Search, SearchResult
from dateline.text.secrets import without_secrets

ALWAYS = datetime(9999, 12, 31, tzinfo=UTC)
"""Stands for "no asking date is known": everything that the retriever holds is known then."""


class _Driven:
    """A generation loop together with its retriever."""

    def __init__(self, run: GenerationLoop, *, search: Search, k: int) -> None:
        self.run, self._search, self._k = run, search, k
        self._events = run.events()
        self._end: Generation | None = None

    @property
    def generation(self) -> Generation:
        """The generation so far, "interrupted" until the end."""
        return self._end or self.run.result("interrupted")

    def _advance(self, found: Any) -> Any:
        try:
            event = self._events.send(found)
        except StopIteration:
            return None
        if isinstance(event, EndEvent):
            self._end = event.generation
        return event

    def _asking(self) -> tuple[datetime, object]:
        question = self.run.question
        if question is None:
            return ALWAYS, None
        return question.as_of, None if question.constraint is None else question.constraint.window()


class GenerationStream(_Driven, Iterator[Event]):
    """An iterator over the events of one generation.

    `close()` (or leaving a `with` block) interrupts it; `generation` then holds what was written.
    """

    def __next__(self) -> Event:
        event = self._advance(None)
        while event is not None and not isinstance(event, Event):
            event = self._advance(self._answer(event))
        if event is None:
            raise StopIteration
        return event

    def __enter__(self) -> GenerationStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop; no further event comes."""
        if self._end is None:
            self._end = self.run.result("interrupted")
        self._events.close()

    def _answer(self, request: Any) -> Any:
        """Answer a request of the loop."""
        return self._search_for(request)

    def _search_for(self, request: SearchRequest) -> SearchResponse:
        started = time.perf_counter()
        as_of, window = self._asking()
        try:
            result = self._search.search(request.query, as_of=as_of, k=self._k, window=window)  # type: ignore[arg-type]
        except Exception as error:
            return _failed(error, started)
        return _found(result, started)


class AsyncGenerationStream(_Driven, AsyncIterator[Event]):
    """Async counterpart of `GenerationStream`.

    The model runs in a worker thread, an async retriever is awaited. `aclose()` (or leaving an `async with` block)
    interrupts the generation.
    """

    def __init__(self, run: GenerationLoop, *, search: Search, k: int) -> None:
        super().__init__(run, search=search, k=k)
        self._stepping = threading.Lock()

    async def __anext__(self) -> Event:
        event = await self._step(None)
        while event is not None and not isinstance(event, Event):
            event = await self._step(await self._answer(event))
        if event is None:
            raise StopAsyncIteration
        return event

    async def __aenter__(self) -> AsyncGenerationStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stop; no further event comes."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._stepping:  # a forward pass that was cancelled comes to its end first
            if self._end is None:
                self._end = self.run.result("interrupted")
            self._events.close()

    async def _step(self, found: Any) -> Any:
        return await asyncio.to_thread(self._locked, found)

    def _locked(self, found: Any) -> Any:
        with self._stepping:
            return self._advance(found)

    async def _answer(self, request: Any) -> Any:
        """Answer a request of the loop."""
        return await self._search_for(request)

    async def _search_for(self, request: SearchRequest) -> SearchResponse:
        started = time.perf_counter()
        as_of, window = self._asking()
        try:
            result = await self._search.asearch(request.query, as_of=as_of, k=self._k, window=window)  # type: ignore[arg-type]
        except Exception as error:
            return _failed(error, started)
        return _found(result, started)


def _found(result: SearchResult, started: float) -> SearchResponse:
    return SearchResponse(result.evidence, seconds=time.perf_counter() - started, searches=result.cost.searches or 1)


def _failed(error: Exception, started: float) -> SearchResponse:
    reason = f"{type(error).__name__}: {without_secrets(str(error))}"
    return SearchResponse(error=reason, seconds=time.perf_counter() - started)
