"""Ask a chat model until its reply can be read, a bounded number of times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import BaseMessage

from asof.errors import BadInput, ModelFailed
from asof.reading.chat import failure
from asof.records import Certainty

UNKNOWN = Certainty(reliable=0.0, misleading=0.0, uncertain=1.0)
"""The safe estimate when a model gives none: nothing is adopted on its word."""

Parse = Callable[[BaseMessage], Certainty | None]


def model_of(model: Any, *, tries: int) -> Any:
    """`model`, or `BadInput` when it is no chat model or `tries` is below 1."""
    if tries < 1:
        raise BadInput(f"tries must be at least 1, not {tries}.")
    if not callable(getattr(model, "invoke", None)):
        raise BadInput(f"{type(model).__name__} is no chat model; pass for example init_chat_model('openai:gpt-4o').")
    return model


class Asking:
    """One estimate on its way: which model is asked next, and what came of it.

    `models` are asked in order: where one fails, the next takes its place for the tries that are left. After the
    last try an unreadable reply counts as uncertain; a model that failed every time is an error.
    """

    def __init__(self, models: Sequence[Any], *, parse: Parse, tries: int) -> None:
        self.models, self.parse, self.left = list(models), parse, tries
        self.found: Certainty | None = None
        self.failed: ModelFailed | None = None

    def ask(self, messages: Sequence[BaseMessage]) -> Certainty:
        """The estimate. Raises `ModelFailed` when no try brought a reply."""
        while self._goes_on:
            try:
                self._take(self.models[0].invoke(list(messages)))
            except Exception as error:
                self._fail(error)
        return self._result()

    async def aask(self, messages: Sequence[BaseMessage]) -> Certainty:
        """The same, without blocking."""
        while self._goes_on:
            try:
                self._take(await self.models[0].ainvoke(list(messages)))
            except Exception as error:
                self._fail(error)
        return self._result()

    @property
    def _goes_on(self) -> bool:
        return self.found is None and self.left > 0

    def _take(self, reply: BaseMessage) -> None:
        self.left -= 1
        self.failed = None
        self.found = self.parse(reply)

    def _fail(self, error: Exception) -> None:
        if len(self.models) > 1:
            self.models.pop(0)  # for example a model that refuses to give log-probabilities: not a try
            return
        self.left -= 1
        self.failed = failure(error)

    def _result(self) -> Certainty:
        if self.failed is not None:
            raise self.failed
        return self.found or UNKNOWN
