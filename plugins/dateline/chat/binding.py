"""Chat models bound to what a request asks beyond text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel

Model = Runnable[LanguageModelInput, BaseMessage]


@dataclass(frozen=True, slots=True)
class Extras:
    """Parts of a request that not every model takes.

    Attributes:
        schema: shape of the reply, for structured output.
        logprobs: how many alternatives of each token are reported; `None`: no log-probabilities.
        limit: the most tokens of the reply.

    Example:
        >>> Extras(logprobs=10, limit=16).arguments
        {'logprobs': True, 'top_logprobs': 10, 'max_tokens': 16}
    """

    schema: type[BaseModel] | None = None
    logprobs: int | None = None
    limit: int | None = None

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments by the names that OpenAI and most others give them."""
        told: dict[str, Any] = {} if self.logprobs is None else {"logprobs": True}
        told |= {"top_logprobs": self.logprobs} if self.logprobs else {}
        return told | ({} if self.limit is None else {"max_tokens": self.limit})

    @property
    def kinds(self) -> frozenset[str]:
        """The names of those that are asked for."""
        return frozenset({"schema"} if self.schema is not None else self.arguments)

    @property
    def once_more(self) -> Extras:
        """Return those of a second request: no schema, no limit."""
        return Extras(logprobs=self.logprobs)


NO_EXTRAS = Extras()


class BoundModel:
    """A model, bound to extras until it has refused them."""

    def __init__(self, model: Model) -> None:
        self.plain = model
        self._bound: dict[Extras, Runnable[Any, Any]] = {NO_EXTRAS: model}
        self._served: set[frozenset[str]] = set()
        self._refused: set[frozenset[str]] = set()

    def to(self, extras: Extras) -> Runnable[Any, Any]:
        """Return the model with extras, as far as it supports them."""
        if extras.kinds in self._refused:
            return self.plain
        if extras not in self._bound:
            self._bound[extras] = self._made(extras)
        return self._bound[extras]

    def serve(self, extras: Extras) -> None:
        """Note that the model replied to a request with extras."""
        self._served.add(extras.kinds)

    def refuse(self, extras: Extras) -> None:
        """Note that the model failed with extras and replied without.

        That is no refusal where it has replied with the same kinds before.
        """
        if extras.kinds not in self._served:
            self._refused.add(extras.kinds)

    def _made(self, extras: Extras) -> Runnable[Any, Any]:
        if extras.schema is not None:
            try:
                made: Runnable[Any, Any] = self.plain.with_structured_output(extras.schema, include_raw=True)  # type: ignore[attr-defined]
            except (NotImplementedError, AttributeError):
                return self.plain
            return made
        return self.plain.bind(**extras.arguments) if extras.arguments else self.plain
