"""Event handlers that listen to LlamaIndex within a `with` block."""

from __future__ import annotations

from typing import Any, Self

from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.dispatcher import Dispatcher

from dateline.background import BackgroundHandler


class AttachedHandler(BaseEventHandler):
    """Handler that listens within a `with` block, or while attached."""

    _dispatcher: Dispatcher | None = PrivateAttr(default=None)
    _spans: tuple[BaseSpanHandler[Any], ...] = PrivateAttr(default=())

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex knows it under."""
        return f"Dateline{cls.__name__}"

    def attach(self, dispatcher: Dispatcher | None = None) -> Self:
        """Listen to a dispatcher, by default LlamaIndex's root; once is enough."""
        chosen = dispatcher or get_dispatcher()
        if self._dispatcher is None and not any(one is self for one in chosen.event_handlers):
            self._dispatcher = chosen
            chosen.add_event_handler(self)
            for one in self._spans:
                chosen.add_span_handler(one)
        return self

    def detach(self) -> None:
        """Stop listening where `attach` began it."""
        if (dispatcher := self._dispatcher) is not None:
            own = {id(each) for each in (self, *self._spans)}
            dispatcher.event_handlers = [one for one in dispatcher.event_handlers if id(one) not in own]
            dispatcher.span_handlers = [one for one in dispatcher.span_handlers if id(one) not in own]
            self._dispatcher = None

    def __enter__(self) -> Self:
        return self.attach()

    def __exit__(self, *_: object) -> None:
        self.detach()


class ListeningHandler(AttachedHandler, BackgroundHandler):
    """A handler that works in the background.

    `with handler:` attaches it, and waits for the last of its work at the end.
    """

    def __exit__(self, *_: object) -> None:
        self.detach()
        self.close()
