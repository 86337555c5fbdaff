"""Event handlers that listen to LlamaIndex within a `with` block."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.dispatcher import Dispatcher

from dateline.background import BackgroundHandler


class ListeningHandler(BackgroundHandler, BaseEventHandler):
    """A handler that works in the background.

    `with handler:` attaches it, and waits for the last of its work at the end.
    """

    _dispatcher: Dispatcher | None = PrivateAttr(default=None)

    def attach(self, dispatcher: Dispatcher | None = None) -> Self:
        """Listen to a dispatcher, by default LlamaIndex's root; once is enough."""
        chosen = dispatcher or get_dispatcher()
        if self._dispatcher is None and not any(one is self for one in chosen.event_handlers):
            self._dispatcher = chosen
            chosen.add_event_handler(self)
        return self

    def detach(self) -> None:
        """Stop listening where `attach` began it."""
        if self._dispatcher is not None:
            self._dispatcher.event_handlers = [one for one in self._dispatcher.event_handlers if one is not self]
            self._dispatcher = None

    def __enter__(self) -> Self:
        return self.attach()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.detach()
        self.close()
