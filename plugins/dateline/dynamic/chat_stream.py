"""Streams of a generation by a chat model: its replies are read piece by piece, and closed where a trigger fires."""

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
    """The events of one generation; `close()` interrupts it and the reply under way."""

    def __init__(self, run: ChatRun, *, search: Search, k: int, model: Any) -> None:
        super().__init__(run, search=search, k=k)
        self._model: Any = model
        self._reply: Iterator[BaseMessage] = iter(())

    def close(self) -> None:
        """Stop; no further event comes."""
        self._hang_up()
        super().close()

    def _advance(self, found: Any) -> Any:
        try:
            event = super()._advance(found)
        except BaseException:
            self._hang_up()
            raise
        if event is None:
            self._hang_up()
        return event

    def _answer(self, asked: Any) -> Any:
        return self._hear(asked) if isinstance(asked, ReplyRequest) else super()._answer(asked)

    def _hear(self, say: ReplyRequest) -> ReplyPiece:
        try:
            if say.messages is not None:
                self._hang_up()
                self._reply = iter(self._model.stream(list(say.messages)))
            return ReplyPiece(next(self._reply, None))
        except Exception as error:
            return _failed(error)

    def _hang_up(self) -> None:
        close = getattr(self._reply, "close", None)
        if close is not None:
            with suppress(Exception):  # what a reply says when nobody listens any more is of no interest
                close()
        self._reply = iter(())


class AsyncChatStream(AsyncGenerationStream):
    """The same for async callers: the model is awaited."""

    def __init__(self, run: ChatRun, *, search: Search, k: int, model: Any) -> None:
        super().__init__(run, search=search, k=k)
        self._model: Any = model
        self._reply: AsyncIterator[BaseMessage] | None = None

    async def __anext__(self) -> Any:
        try:
            return await super().__anext__()
        except BaseException:  # the end too
            await self._hang_up()
            raise

    async def aclose(self) -> None:
        """Stop; no further event comes."""
        await self._hang_up()
        await super().aclose()

    async def _answer(self, asked: Any) -> Any:
        return await self._hear(asked) if isinstance(asked, ReplyRequest) else await super()._answer(asked)

    async def _hear(self, say: ReplyRequest) -> ReplyPiece:
        try:
            if say.messages is not None:
                await self._hang_up()
                self._reply = aiter(self._model.astream(list(say.messages)))
            assert self._reply is not None
            return ReplyPiece(await anext(self._reply, None))
        except Exception as error:
            return _failed(error)

    async def _hang_up(self) -> None:
        close = getattr(self._reply, "aclose", None)
        if close is not None:
            with suppress(Exception):
                await close()
        self._reply = None


def _failed(error: Exception) -> ReplyPiece:
    said = without_secrets(str(error))
    return ReplyPiece(error=type(error).__name__ + (f": {said}" if said else ""))
