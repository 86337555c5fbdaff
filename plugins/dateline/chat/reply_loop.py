"""Requests to a chat model, repeated until a reply can be parsed.

One body serves every caller: blocking and async, one request and many, with structured output or without, with replies
kept in a cache or not. Work that makes several requests is a flow that takes its replies from `ReplyLoop.asking`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel

from dateline.chat.binding import NO_EXTRAS, BoundModel, Extras, Model
from dateline.chat.blocking import only_blocks
from dateline.chat.exchange import Exchange, ParsedReply, Parser
from dateline.chat.model_identity import model_identity
from dateline.chat.reply import cost_of, reply_text, whole_lines
from dateline.errors import BadInput, check_least
from dateline.flow import Flow, arun, call, call_in_thread, run
from dateline.records import Cost
from dateline.text.tokens import TokenCounter

T = TypeVar("T")

AGAIN = "That reply could not be read. Reply again in exactly the stated form, and with nothing else."


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


@dataclass(frozen=True)
class ReplyLoop:
    """Chat model that is asked until its reply can be parsed.

    After a failure of the model itself it is not asked again, nor after a refusal that its provider reports. What a
    request asks beyond text (`Extras`) is left out where the model fails with it, and from then on where it never replied
    with such ones: so one request costs at most `tries` calls, and one more for each of its tries that fails with extras.

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

    model: Model
    tries: int = TRIES
    concurrency: int = 8
    count: TokenCounter | None = None
    cache: ReplyCache | None = None
    structured: bool = True
    _bound: BoundModel = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_least(1, tries=self.tries, concurrency=self.concurrency)
        if not callable(getattr(self.model, "invoke", None)):
            raise BadInput(
                f"{type(self.model).__name__} is no chat model; pass for example init_chat_model('openai:gpt-4o')."
            )
        object.__setattr__(self, "_bound", BoundModel(self.model))

    def ask(self, messages: Sequence[BaseMessage], *, read: Parser[T], again: str = AGAIN) -> ParsedReply[T]:
        """Put one request. Never raises for what the model does.

        Args:
            again: is put behind the request after a reply that cannot be used; `{fault}` in it is what was wrong.
        """
        return run(self.asking(messages, read=read, again=again))

    async def aask(self, messages: Sequence[BaseMessage], *, read: Parser[T], again: str = AGAIN) -> ParsedReply[T]:
        """Ask asynchronously."""
        return await arun(self.asking(messages, read=read, again=again))

    def asking(
        self, messages: Sequence[BaseMessage], *, read: Parser[T], again: str = AGAIN, extras: Extras = NO_EXTRAS
    ) -> Flow[ParsedReply[T]]:
        """Put one request, as a step of a flow.

        Args:
            extras: schema, log-probabilities, limit; a structured reply is parsed as its JSON text.
        """
        (parsed,) = yield from self.asking_each([messages], read=read, again=again, extras=extras)
        return parsed

    def asking_each(
        self,
        requests: Sequence[Sequence[BaseMessage]],
        *,
        read: Parser[T],
        again: str = AGAIN,
        extras: Extras = NO_EXTRAS,
    ) -> Flow[list[ParsedReply[T]]]:
        """Put requests side by side, as a step of a flow."""
        exchanges = [Exchange(list(request), read, again) for request in requests]
        extras = extras if self.structured else replace(extras, schema=None)
        for _ in range(self.tries):
            unanswered: list[Exchange[T]] = []
            for each in exchanges:
                if each.goes_on and not (yield from self._recall(each, extras)):
                    unanswered.append(each)
            if unanswered:
                replies = yield from self._replies(unanswered, extras)
                for each, reply in zip(unanswered, replies, strict=True):
                    yield from self._take(each, reply, extras)
            extras = extras.once_more
        return [each.parsed() for each in exchanges]

    def _replies(self, exchanges: Sequence[Exchange[T]], extras: Extras) -> Flow[list[Any]]:
        """Return a reply or an exception for each, failing extras left out."""
        bound = self._bound.to(extras)
        replies = yield from self._send([each.messages for each in exchanges], bound)
        failed = [place for place, reply in enumerate(replies) if isinstance(reply, Exception)]
        if len(failed) < len(replies):
            self._bound.serve(extras)
        if not failed or bound is self.model:
            return replies
        plain = yield from self._send([exchanges[place].messages for place in failed], self.model)
        for place, reply in zip(failed, plain, strict=True):
            exchanges[place].cost += Cost(model_calls=1)
            replies[place] = reply
            if not isinstance(reply, Exception):
                self._bound.refuse(extras)
        return replies

    def _send(self, requests: Sequence[LanguageModelInput], model: Runnable[Any, Any]) -> Flow[list[Any]]:
        """Return a reply or an exception for each request."""
        ask = call_in_thread if only_blocks(self.model) else call
        try:
            if len(requests) == 1:
                return [(yield from ask(model.invoke, requests[0]))]
            config = {"max_concurrency": self.concurrency}
            return (yield from ask(model.batch, requests, config=config, return_exceptions=True))  # type: ignore[arg-type]
        except Exception as error:  # whatever a provider raises
            return [error] * len(requests)

    def _recall(self, exchange: Exchange[T], extras: Extras) -> Flow[bool]:
        """Take a reply from the cache; `False` where it has none."""
        kept = (yield from call(self._kept, self._key(exchange, extras))) if self.cache is not None else None
        if kept is not None:
            exchange.recalled += 1
            exchange.take(AIMessage(kept), Cost())
        return kept is not None

    def _take(self, exchange: Exchange[T], reply: Any, extras: Extras) -> Flow[None]:
        """Cache and parse a reply; prefer one that another process cached earlier."""
        if isinstance(reply, Exception):
            exchange.fail(reply)
            return
        text, message = _text_and_message(reply)
        cost = cost_of(message, said=text, asked=exchange.messages, count=self.count)
        if self.cache is not None:
            text = whole_lines(message) if reply is message else text
            text = yield from call(self._keep, self._key(exchange, extras), text, cost)
        exchange.take(message if text == reply_text(message) else AIMessage(text), cost)

    def _key(self, exchange: Exchange[T], extras: Extras) -> str:
        """Identify a request by its words, the model and the try's number."""
        schema = "" if extras.schema is None else extras.schema.__name__
        told: list[Any] = [model_identity(self.model), schema, extras.arguments]
        told += [[message.type, message.text] for message in exchange.messages]
        told += [exchange.tries + 1] if exchange.tries > 1 else []  # from the third on, the words repeat
        return hashlib.blake2b(json.dumps(told).encode(), digest_size=20).hexdigest()

    def _kept(self, key: str) -> str | None:
        note = None if self.cache is None else self.cache.read("reply", key)
        return None if note is None else str(json.loads(note)["text"])

    def _keep(self, key: str, text: str, cost: Cost) -> str:
        assert self.cache is not None
        self.cache.write("reply", {key: json.dumps({"text": text, "cost": cost.model_dump(exclude_defaults=True)})})
        return self._kept(key) or text


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
