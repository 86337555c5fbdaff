"""Event streams of a generation, for blocking and async callers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

from dateline.dynamic.generation_loop import GenerationLoop
from dateline.dynamic.values import EndEvent, Event, Generation
from dateline.flow import Effect
from dateline.stopping import in_thread


class _Stream:
    """A generation loop that is driven step by step."""

    def __init__(self, run: GenerationLoop) -> None:
        self.run = run
        self._events = run.events()
        self._end: Generation | None = None
        self._stepping = threading.Lock()

    @property
    def generation(self) -> Generation:
        """The generation so far, "interrupted" until the end."""
        return self._end or self.run.result("interrupted")

    def _advance(self, found: Any, failed: Exception | None) -> Event | Effect | None:
        """Send a call's result or error; return the next event or call.

        `None` stands for the end.
        """
        with self._stepping:
            try:
                event: Event | Effect = self._events.send(found) if failed is None else self._events.throw(failed)
            except StopIteration:
                return None
            if isinstance(event, EndEvent):
                self._end = event.generation
            return event

    def _stop(self) -> None:
        with self._stepping:  # a forward pass that was cancelled comes to its end first
            self._end = self.generation
            self._events.close()


class GenerationStream(_Stream, Iterator[Event]):
    """An iterator over the events of one generation.

    `close()` (or leaving a `with` block) interrupts it; `generation` then holds what was written.
    """

    def __next__(self) -> Event:
        try:
            event = self._advance(None, None)
            while isinstance(event, Effect):
                found, failed = None, None
                try:
                    found = event.perform()
                except Exception as error:
                    failed = error
                event = self._advance(found, failed)
            if event is None:
                raise StopIteration
            return event
        except BaseException:  # the end too
            self.run.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop; no further event comes."""
        self.run.close()
        self._stop()


class AsyncGenerationStream(_Stream, AsyncIterator[Event]):
    """Async counterpart of `GenerationStream`.

    A local model runs in a worker thread; a chat model and an async retriever are awaited. `aclose()` (or leaving an
    `async with` block) interrupts the generation.
    """

    async def __anext__(self) -> Event:
        try:
            event = await in_thread(self._advance, None, None)
            while isinstance(event, Effect):
                found, failed = None, None
                try:
                    found = await event.aperform()
                except Exception as error:
                    failed = error
                event = await in_thread(self._advance, found, failed)
            if event is None:
                raise StopAsyncIteration
            return event
        except BaseException:  # the end too
            await self.run.aclose()
            raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Stop; no further event comes."""
        await self.run.aclose()
        await asyncio.to_thread(self._stop)
