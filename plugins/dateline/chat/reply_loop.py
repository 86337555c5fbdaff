"""Requests to a chat model, repeated until a reply can be parsed.

One body serves every caller: blocking and async, one request and many, with structured output or without, with replies
kept in a cache or not. Work that makes several requests is a flow that takes its replies from `ReplyLoop.asking`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel

from dateline.chat.blocking import only_blocks
from dateline.chat.reply import cost_of, failure, reply_text, unreadable
from dateline.errors import BadInput, ModelFailed
from dateline.evidence.sanitize import sanitize
from dateline.flow import Flow, arun, call, call_in_thread, run
from dateline.records import Cost
from dateline.text.tokens import TokenCounter

T = TypeVar("T")
Parser = Callable[[BaseMessage], T | None]
"""Reads a reply: its value, `None` where it cannot be read, or `UnusableReply` raised with the fault."""

AGAIN = "That reply could not be read. Reply again in exactly the stated form, and with nothing else."


class UnusableReply(Exception):
    """Fault of a reply, in one sentence."""


class ReplyCache(Protocol):
    """Durable store of replies; the notes beside a fact ledger are one."""

    def read(self, topic: Literal["reply"], key: str, /) -> str | None:
        """Return the text kept under a key, `None` where there is none."""
        ...

    def write(self, topic: Literal["reply"], notes: Mapping[str, str], /) -> None:
        """Keep texts by key, durable on return; never replace an earlier text."""
        ...


TRIES = 2
"""How often a chat model is asked before a reply that cannot be read counts as none; chosen by hand."""


@dataclass(frozen=True, slots=True)
class ParsedReply(Generic[T]):
    """Result of one request.

    Attributes:
        value: `None` when no reply could be used.
        problem: why there is no value, in one sentence; empty when there is one. A failed model's words stay out of it,
            since they may quote a key.
        failed: the model's own failure, where it failed; its sentence quotes the model, without keys.
        reply: the last one.
        tries: how often the request was put.
        cost: of all tries; without seconds, since requests may run side by side.
        recalled: how many replies came from the cache and cost nothing.

    Example:
        >>> from langchain_core.language_models import FakeListChatModel
        >>> loop = ReplyLoop(FakeListChatModel(responses=["7"]))
        >>> loop.ask([HumanMessage("How many?")], read=lambda reply: int(reply.text)).value
        7
    """

    value: T | None
    problem: str
    failed: ModelFailed | None
    reply: BaseMessage | None
    tries: int
    cost: Cost
    recalled: int = 0

    @property
    def text(self) -> str:
        """Text of the last reply."""
        return "" if self.reply is None else reply_text(self.reply)

    def raise_for_failure(self) -> ParsedReply[T]:
        """Return this reply, or raise the `ModelFailed` of a model that failed."""
        if self.failed is not None:
            raise self.failed
        return self


@dataclass(frozen=True)
class ReplyLoop:
    """Chat model that is asked until its reply can be parsed.

    After a failure of the model itself it is not asked again.

    Attributes:
        model: a chat model, alone or bound to arguments.
        tries: how often one request is put at most.
        concurrency: how many requests run side by side.
        count: counts tokens where the model reports no usage; `None`: they count as 0.
        cache: keeps each reply before it is used, so that no request is ever paid for twice.
        structured: use the model's structured output where a request has a schema and the model supports it.

    Raises:
        BadInput: for what is no chat model, or a number below 1.

    Example:
        >>> from langchain_core.language_models import FakeListChatModel
        >>> from langchain_core.messages import HumanMessage
        >>> loop = ReplyLoop(FakeListChatModel(responses=["I think it is 7", "7"]))
        >>> def number(reply: BaseMessage) -> int | None:
        ...     return int(reply.text) if reply.text.isdigit() else None
        >>> answer = loop.ask([HumanMessage("How many? Reply with a number.")], read=number)
        >>> (answer.value, answer.tries)
        (7, 2)
    """

    model: Runnable[LanguageModelInput, BaseMessage]
    tries: int = TRIES
    concurrency: int = 8
    count: TokenCounter | None = None
    cache: ReplyCache | None = None
    structured: bool = True
    _bound: dict[type[BaseModel], Runnable[Any, Any]] = field(default_factory=dict, init=False, repr=False)

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
        return run(self.asking(messages, read=read, again=again))

    async def aask(self, messages: Sequence[BaseMessage], *, read: Parser[T], again: str = AGAIN) -> ParsedReply[T]:
        """Ask asynchronously."""
        return await arun(self.asking(messages, read=read, again=again))

    def ask_each(
        self, requests: Sequence[Sequence[BaseMessage]], *, read: Parser[T], again: str = AGAIN
    ) -> list[ParsedReply[T]]:
        """Put requests side by side; one result for each, in their order."""
        return run(self.asking_each(requests, read=read, again=again))

    async def aask_each(
        self, requests: Sequence[Sequence[BaseMessage]], *, read: Parser[T], again: str = AGAIN
    ) -> list[ParsedReply[T]]:
        """Ask each asynchronously."""
        return await arun(self.asking_each(requests, read=read, again=again))

    def asking(
        self,
        messages: Sequence[BaseMessage],
        *,
        read: Parser[T],
        again: str = AGAIN,
        schema: type[BaseModel] | None = None,
    ) -> Flow[ParsedReply[T]]:
        """Put one request, as a step of a flow.

        Args:
            schema: shape of the reply for structured output; a structured reply is parsed as its JSON text.
        """
        (parsed,) = yield from self.asking_each([messages], read=read, again=again, schema=schema)
        return parsed

    def asking_each(
        self,
        requests: Sequence[Sequence[BaseMessage]],
        *,
        read: Parser[T],
        again: str = AGAIN,
        schema: type[BaseModel] | None = None,
    ) -> Flow[list[ParsedReply[T]]]:
        """Put requests side by side, as a step of a flow."""
        exchanges = [_Exchange(list(request), read, again) for request in requests]
        for _ in range(self.tries):
            unanswered: list[_Exchange[T]] = []
            for each in exchanges:
                if each.goes_on and not (yield from self._recall(each, schema)):
                    unanswered.append(each)
            if unanswered:
                replies = yield from self._send([each.messages for each in unanswered], schema)
                for each, reply in zip(unanswered, replies, strict=True):
                    yield from self._take(each, reply, schema)
        return [each.parsed() for each in exchanges]

    def _send(self, requests: Sequence[LanguageModelInput], schema: type[BaseModel] | None) -> Flow[list[Any]]:
        """Return a reply or an exception for each request."""
        model, ask = self._model_for(schema), call_in_thread if only_blocks(self.model) else call
        try:
            if len(requests) == 1:
                return [(yield from ask(model.invoke, requests[0]))]
            config = {"max_concurrency": self.concurrency}
            return (yield from ask(model.batch, requests, config=config, return_exceptions=True))  # type: ignore[arg-type]
        except Exception as error:  # whatever a provider raises
            return [error] * len(requests)

    def _model_for(self, schema: type[BaseModel] | None) -> Runnable[Any, Any]:
        """Return the model, bound to structured output where it supports the schema."""
        if schema is None or not self.structured:
            return self.model
        if schema not in self._bound:
            bound: Runnable[Any, Any] = self.model
            try:
                bound = self.model.with_structured_output(schema, include_raw=True)  # type: ignore[attr-defined]
            except (NotImplementedError, AttributeError):
                bound = self.model
            self._bound[schema] = bound
        return self._bound[schema]

    def _recall(self, exchange: _Exchange[T], schema: type[BaseModel] | None) -> Flow[bool]:
        """Take a reply from the cache; `False` where it has none."""
        kept = (yield from call(self._kept, self._key(exchange, schema))) if self.cache is not None else None
        if kept is not None:
            exchange.recalled += 1
            exchange.take(AIMessage(kept), Cost())
        return kept is not None

    def _take(self, exchange: _Exchange[T], reply: Any, schema: type[BaseModel] | None) -> Flow[None]:
        """Cache and parse a reply; prefer one that another process cached earlier."""
        if isinstance(reply, Exception):
            exchange.fail(reply)
            return
        text, message = _text_and_message(reply)
        cost = cost_of(message, said=text, asked=exchange.messages, count=self.count)
        if self.cache is not None:
            text = yield from call(self._keep, self._key(exchange, schema), text, cost)
        exchange.take(message if reply is message and self.cache is None else AIMessage(text), cost)

    def _key(self, exchange: _Exchange[T], schema: type[BaseModel] | None) -> str:
        """Identify a request by its words, the model and the try's number."""
        name = str(getattr(self.model, "model_name", None) or getattr(self.model, "model", None) or "")
        told = [f"{type(self.model).__name__} {name}", "" if schema is None else schema.__name__]
        told += [f"{message.type}: {message.text}" for message in exchange.messages]
        told += [f"try {exchange.tries + 1}"] if exchange.tries > 1 else []  # from the third on, the words repeat
        return hashlib.blake2b("\n".join(told).encode(errors="replace"), digest_size=20).hexdigest()

    def _kept(self, key: str) -> str | None:
        note = None if self.cache is None else self.cache.read("reply", key)
        return None if note is None else str(json.loads(note)["text"])

    def _keep(self, key: str, text: str, cost: Cost) -> str:
        assert self.cache is not None
        self.cache.write("reply", {key: json.dumps({"text": text, "cost": cost.model_dump(exclude_defaults=True)})})
        return self._kept(key) or text


@dataclass
class _Exchange(Generic[T]):
    """One request under way."""

    asked: list[BaseMessage]
    read: Parser[T]
    again: str
    value: T | None = None
    problem: str = ""
    failed: ModelFailed | None = None
    reply: BaseMessage | None = None
    cost: Cost = field(default_factory=Cost)
    tries: int = 0
    recalled: int = 0
    messages: list[BaseMessage] = field(init=False)

    def __post_init__(self) -> None:
        self.messages = self.asked

    @property
    def goes_on(self) -> bool:
        return self.value is None and self.failed is None

    def take(self, reply: BaseMessage, cost: Cost) -> None:
        """Parse one reply; prepare the next request where it is unusable."""
        self.cost += cost
        self.reply = reply
        self.tries += 1
        fault = ""
        try:
            self.value = self.read(reply)
        except UnusableReply as unusable:
            fault = str(unusable)
        except Exception:  # whatever odd text does to what reads it: it cannot be read
            fault = ""
        self.problem = "" if self.value is not None else fault or unreadable(reply_text(reply), tries=self.tries)
        self.messages = [*self.asked, HumanMessage(self.again.format(fault=sanitize(fault)))]

    def fail(self, error: Exception) -> None:
        """Record the model's own failure: no further try."""
        self.tries += 1
        self.cost += Cost(model_calls=1)
        self.failed = failure(error)
        self.problem = f"the chat model failed with {type(error).__name__}."

    def parsed(self) -> ParsedReply[T]:
        return ParsedReply(self.value, self.problem, self.failed, self.reply, self.tries, self.cost, self.recalled)


def _text_and_message(reply: Any) -> tuple[str, Any]:
    """Return a reply's message and text; structured replies become JSON text."""
    if not (isinstance(reply, Mapping) and "raw" in reply):
        return reply_text(reply), reply
    raw, parsed = reply["raw"], reply.get("parsed")
    if isinstance(parsed, BaseModel):
        return parsed.model_dump_json(), raw
    calls: Sequence[Any] = getattr(raw, "tool_calls", None) or ()
    arguments = calls[0].get("args") if calls and isinstance(calls[0], Mapping) else None
    return (json.dumps(arguments, default=str) if arguments else reply_text(raw)), raw
