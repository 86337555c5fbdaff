"""Putting requests to a chat model: each until its reply can be used, a bounded number of times, every reply paid for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import Runnable, RunnableConfig

from dateline.chat.reply import cost_of, failure, reply_text, unreadable
from dateline.errors import BadInput, ModelFailed
from dateline.records import Cost
from dateline.text.tokens import TokenCounter

T = TypeVar("T")
Parser = Callable[[BaseMessage], T | None]
"""What a reply says; `None` when it cannot be read, or `UnusableReply` raised with what is wrong with it."""

AGAIN = "That reply could not be read. Reply again in exactly the stated form, and with nothing else."


class UnusableReply(Exception):
    """What is wrong with a reply, in one sentence."""


@dataclass(frozen=True, slots=True)
class ParsedReply(Generic[T]):
    """What came of one request.

    Attributes:
        value: `None` when no reply could be used.
        problem: why there is no value, in one sentence; empty when there is one. A failed model's words stay out of it,
            since they may quote a key.
        failed: the model's own failure, where it failed; its sentence quotes the model, without keys.
        reply: the last one.
        tries: how often the request was put.
        cost: of all tries; without seconds, since requests may run side by side.
    """

    value: T | None
    problem: str
    failed: ModelFailed | None
    reply: BaseMessage | None
    tries: int
    cost: Cost

    @property
    def text(self) -> str:
        """The last reply's text."""
        return "" if self.reply is None else reply_text(self.reply)

    def raise_for_failure(self) -> ParsedReply[T]:
        """Return this reply, or raise the `ModelFailed` of a model that failed."""
        if self.failed is not None:
            raise self.failed
        return self


@dataclass(frozen=True)
class ReplyLoop:
    """Asks a chat model, alone or bound to arguments. A model that fails is not asked again; providers do that.

    Attributes:
        tries: how often one request is put at most.
        concurrency: how many requests run side by side.
        count: counts tokens where the model reports no usage; `None`: they count as 0.

    Raises:
        BadInput: for what is no chat model, or a number below 1.
    """

    model: Runnable[LanguageModelInput, BaseMessage]
    tries: int = 2
    concurrency: int = 8
    count: TokenCounter | None = None

    def __post_init__(self) -> None:
        for name, value in (("tries", self.tries), ("concurrency", self.concurrency)):
            if value < 1:
                raise BadInput(f"{name} must be at least 1, not {value}.")
        if not callable(getattr(self.model, "invoke", None)):
            raise BadInput(
                f"{type(self.model).__name__} is no chat model; pass for example init_chat_model('openai:gpt-4o')."
            )

    def ask(self, messages: Sequence[BaseMessage], *, read: Parser[T], again: str = AGAIN) -> ParsedReply[T]:
        """Put one request. Never raises for what the model does.

        Args:
            again: is put behind the request after a reply that cannot be used; `{fault}` in it is what was wrong.
        """
        turn = _Turn(list(messages), read, again, self.count)
        while turn.goes_on and turn.tries < self.tries:
            try:
                turn.take(self.model.invoke(turn.messages))
            except Exception as error:  # whatever a provider raises
                turn.fail(error)
        return turn.told()

    async def aask(self, messages: Sequence[BaseMessage], *, read: Parser[T], again: str = AGAIN) -> ParsedReply[T]:
        """Ask asynchronously."""
        turn = _Turn(list(messages), read, again, self.count)
        while turn.goes_on and turn.tries < self.tries:
            try:
                turn.take(await self.model.ainvoke(turn.messages))
            except Exception as error:
                turn.fail(error)
        return turn.told()

    def ask_each(
        self, requests: Sequence[Sequence[BaseMessage]], *, read: Parser[T], again: str = AGAIN
    ) -> list[ParsedReply[T]]:
        """Put requests side by side; one result for each, in their order."""
        turns = [_Turn(list(request), read, again, self.count) for request in requests]
        for _ in range(self.tries):
            if going := [turn for turn in turns if turn.goes_on]:
                sent: list[LanguageModelInput] = [turn.messages for turn in going]
                _take(going, self.model.batch(sent, config=self._config(), return_exceptions=True))
        return [turn.told() for turn in turns]

    async def aask_each(
        self, requests: Sequence[Sequence[BaseMessage]], *, read: Parser[T], again: str = AGAIN
    ) -> list[ParsedReply[T]]:
        """Ask each asynchronously."""
        turns = [_Turn(list(request), read, again, self.count) for request in requests]
        for _ in range(self.tries):
            if going := [turn for turn in turns if turn.goes_on]:
                sent: list[LanguageModelInput] = [turn.messages for turn in going]
                _take(going, await self.model.abatch(sent, config=self._config(), return_exceptions=True))
        return [turn.told() for turn in turns]

    def _config(self) -> RunnableConfig:
        return {"max_concurrency": self.concurrency}


@dataclass
class _Turn(Generic[T]):
    """One request on its way."""

    asked: list[BaseMessage]
    read: Parser[T]
    again: str
    count: TokenCounter | None
    value: T | None = None
    problem: str = ""
    failed: ModelFailed | None = None
    reply: BaseMessage | None = None
    cost: Cost = field(default_factory=Cost)
    tries: int = 0
    messages: list[BaseMessage] = field(init=False)

    def __post_init__(self) -> None:
        self.messages = self.asked

    @property
    def goes_on(self) -> bool:
        return self.value is None and self.failed is None

    def take(self, reply: BaseMessage) -> None:
        """Read one reply, and prepare the next request where it cannot be used."""
        text = reply_text(reply)
        self.cost += cost_of(reply, said=text, asked=self.messages, count=self.count)
        self.reply = reply
        self.tries += 1
        fault = ""
        try:
            self.value = self.read(reply)
        except UnusableReply as unusable:
            fault = str(unusable)
        except Exception:  # whatever odd text does to what reads it: it cannot be read
            fault = ""
        self.problem = "" if self.value is not None else fault or unreadable(text, tries=self.tries)
        self.messages = [*self.asked, HumanMessage(self.again.format(fault=fault))]

    def fail(self, error: Exception) -> None:
        """The model itself failed: no further try."""
        self.tries += 1
        self.cost += Cost(model_calls=1)
        self.failed = failure(error)
        self.problem = f"the chat model failed with {type(error).__name__}."

    def told(self) -> ParsedReply[T]:
        return ParsedReply(self.value, self.problem, self.failed, self.reply, self.tries, self.cost)


def _take(turns: Sequence[_Turn[T]], replies: Sequence[Any]) -> None:
    for turn, reply in zip(turns, replies, strict=True):
        turn.fail(reply) if isinstance(reply, Exception) else turn.take(reply)
