"""Event streams of a generation by a chat model.

The model's reply is read piece by piece and closed when a trigger fires.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Any

from langchain_core.messages import BaseMessage

from dateline.dynamic.chat_run import ChatRun, ReplyPiece, ReplyRequest
from dateline.dynamic.stream import AsyncGenerationStream, GenerationStream
from dateline.protocols import Search
from dateline.text.secrets import without_secrets


class ChatStream(GenerationStream):
    """The events of one generation by a chat model.

    `close()` interrupts the generation and the current reply.
    """

    def __init__(self, run: ChatRun, *, search: Search, k: int, model: Any) -> None:
        super().__init__(run, search=search, k=k)
        self._model: Any = model
        self._reply: Iterator[BaseMessage] = iter(())

    def close(self) -> None:
        """Stop; no further event comes."""
        self._close_reply()
        super().close()

    def _advance(self, found: Any) -> Any:
        try:
            event = super()._advance(found)
        except BaseException:
            self._close_reply()
            raise
        if event is None:
            self._close_reply()
        return event

    def _answer(self, request: Any) -> Any:
        return self._next_piece(request) if isinstance(request, ReplyRequest) else super()._answer(request)

    def _next_piece(self, request: ReplyRequest) -> ReplyPiece:
        try:
            if request.messages is not None:
                self._close_reply()
                self._reply = iter(self._model.stream(list(request.messages)))
            return ReplyPiece(next(self._reply, None))
        except Exception as error:
            return _failed(error)

    def _close_reply(self) -> None:
        close = getattr(self._reply, "close", None)
        if close is not None:
            with suppress(Exception):  # what a reply says when nobody listens any more is of no interest
                close()
        self._reply = iter(())


class AsyncChatStream(AsyncGenerationStream):
    """Async counterpart of `ChatStream`; the model is awaited."""

    def __init__(self, run: ChatRun, *, search: Search, k: int, model: Any) -> None:
        super().__init__(run, search=search, k=k)
        self._model: Any = model
        self._reply: AsyncIterator[BaseMessage] | None = None

    async def __anext__(self) -> Any:
        try:
            return await super().__anext__()
        except BaseException:  # the end too
            await self._close_reply()
            raise

    async def aclose(self) -> None:
        """Stop; no further event comes."""
        await self._close_reply()
        await super().aclose()

    async def _answer(self, request: Any) -> Any:
        return await self._next_piece(request) if isinstance(request, ReplyRequest) else await super()._answer(request)

    async def _next_piece(self, request: ReplyRequest) -> ReplyPiece:
        try:
            if request.messages is not None:
                await self._close_reply()
                self._reply = aiter(self._model.astream(list(request.messages)))
            assert self._reply is not None
            return ReplyPiece(await anext(self._reply, None))
        except Exception as error:
            return _failed(error)

    async def _close_reply(self) -> None:
        close = getattr(self._reply, "aclose", None)
        if close is not None:
            with suppress(Exception):
                await close()
        self._reply = None


def _failed(error: Exception) -> ReplyPiece:
    said = without_secrets(str(error))
    return ReplyPiece(error=type(error).__name__ + (f": {said}" if said else ""))
