"""Putting requests to a chat model: side by side, each a bounded number of times, every reply paid for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig

from asof.errors import BadInput, ModelFailed
from asof.reading.chat import UNINFORMED, failure, probability_of, text_of, unreadable
from asof.records import Cost
from asof.text import TokenCounter, default_token_counter

T = TypeVar("T")
Parse = Callable[[str], T | None]
"""What a reply says, or `None` when it cannot be read."""

AGAIN = "That reply could not be read. Reply again in exactly the stated form, and with nothing else."


@dataclass(frozen=True, slots=True)
class Told(Generic[T]):
    """What came of one request.

    Attributes:
        value: `None` when no reply could be read.
        problem: one sentence why there is no value; empty when there is one.
        failed: whether the model itself failed, rather than said something odd.
        probability: the model's own, 0.5 where it reports none.
        cost: of all tries; without seconds, since requests run side by side.
    """

    value: T | None
    problem: str
    failed: bool
    probability: float
    cost: Cost


@dataclass(frozen=True)
class Asker:
    """Asks a chat model. Raises `BadInput` when made with what is no chat model, or with a number below 1.

    Attributes:
        tries: how often one request is put at most; a model that fails is not asked again, providers do that.
        concurrency: how many requests run side by side.
        count: counts tokens where the model reports no usage; `None`: asof's own.
    """

    model: BaseChatModel
    tries: int = 2
    concurrency: int = 8
    count: TokenCounter | None = None

    def __post_init__(self) -> None:
        for name, value in (("tries", self.tries), ("concurrency", self.concurrency)):
            if value < 1:
                raise BadInput(f"{name} must be at least 1, not {value}.")
        if not callable(getattr(self.model, "batch", None)):
            raise BadInput(
                f"{type(self.model).__name__} is no chat model; pass for example init_chat_model('openai:gpt-4o')."
            )

    def ask(self, requests: Sequence[Sequence[BaseMessage]], *, parse: Parse[T]) -> list[Told[T]]:
        """One result for each request, in their order. Never raises for what the model does."""
        turns = [_Turn(list(request), parse, self.counter()) for request in requests]
        for _ in range(self.tries):
            if going := [turn for turn in turns if turn.goes_on]:
                sent: list[LanguageModelInput] = [turn.messages for turn in going]
                replies: list[Any] = self.model.batch(sent, config=self._config(), return_exceptions=True)
                for turn, reply in zip(going, replies, strict=True):
                    turn.take(reply)
        return [turn.told() for turn in turns]

    async def aask(self, requests: Sequence[Sequence[BaseMessage]], *, parse: Parse[T]) -> list[Told[T]]:
        """The same, without blocking."""
        turns = [_Turn(list(request), parse, self.counter()) for request in requests]
        for _ in range(self.tries):
            if going := [turn for turn in turns if turn.goes_on]:
                sent: list[LanguageModelInput] = [turn.messages for turn in going]
                replies: list[Any] = await self.model.abatch(sent, config=self._config(), return_exceptions=True)
                for turn, reply in zip(going, replies, strict=True):
                    turn.take(reply)
        return [turn.told() for turn in turns]

    def counter(self) -> TokenCounter:
        """What counts tokens where the model reports none."""
        return self.count or default_token_counter().count

    def _config(self) -> RunnableConfig:
        return {"max_concurrency": self.concurrency}


def sole(told: Told[T]) -> Told[T]:
    """The result of a request that nothing can stand in for. Raises `ModelFailed` when the model failed."""
    if told.failed:
        raise ModelFailed(told.problem)
    return told


@dataclass
class _Turn(Generic[T]):
    """One request on its way."""

    messages: list[BaseMessage]
    parse: Parse[T]
    count: TokenCounter
    value: T | None = None
    problem: str = ""
    failed: bool = False
    probability: float = UNINFORMED
    cost: Cost = field(default_factory=Cost)
    tries: int = 0

    @property
    def goes_on(self) -> bool:
        return self.value is None and not self.failed

    def take(self, reply: BaseMessage | Exception) -> None:
        """Read one reply, and prepare the next request where it cannot be read."""
        self.tries += 1
        if isinstance(reply, Exception):
            self.failed, self.problem = True, str(failure(reply))
            self.cost += Cost(model_calls=1)
            return
        text = text_of(reply)
        self.cost += self._cost_of(reply, text)
        self.value = self.parse(text)
        self.problem = "" if self.value is not None else unreadable(text, tries=self.tries)
        self.probability = probability_of(reply) or UNINFORMED
        if self.value is None and self.tries == 1:
            self.messages = [*self.messages, HumanMessage(AGAIN)]

    def told(self) -> Told[T]:
        return Told(self.value, self.problem, self.failed, self.probability, self.cost)

    def _cost_of(self, reply: BaseMessage, text: str) -> Cost:
        usage: Mapping[str, Any] = getattr(reply, "usage_metadata", None) or {}
        given, taken = usage.get("input_tokens"), usage.get("output_tokens")
        if not (isinstance(given, int) and isinstance(taken, int)):
            given, taken = sum(self.count(str(each.content)) for each in self.messages), self.count(text)
        return Cost(model_calls=1, input_tokens=given, output_tokens=taken)
