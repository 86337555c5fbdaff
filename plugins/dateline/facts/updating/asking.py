"""Putting questions to a chat model: each reply kept before it is used, so that none is ever paid for twice."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel

from dateline.chat import AGAIN, cost_of, failure
from dateline.errors import ModelFailed
from dateline.facts.notes import Notes
from dateline.records import Cost
from dateline.text.tokens import TokenCounter

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model: what it is told, and the shape of the reply."""

    messages: tuple[BaseMessage, ...]
    shape: type[BaseModel]


Script = Generator[Request, str, T]
"""Work that asks a model on its way: it yields requests, is sent the replies' texts, and returns its result."""


class Outcome(NamedTuple, Generic[T]):
    """What a script returned, what its calls cost, and how many replies were on hand already."""

    result: T
    cost: Cost
    recalled: int


def ask(
    messages: tuple[BaseMessage, ...], *, shape: type[BaseModel], read: Callable[[str], T | None], tries: int
) -> Script[T | None]:
    """Ask until the reply can be read, `tries` times at most; `None` when none could be."""
    asked = messages
    for _ in range(tries):
        result = read((yield Request(asked, shape)))
        if result is not None:
            return result
        asked = (*asked, HumanMessage(AGAIN))  # longer each time: a request that was put before is not put again
    return None


class ScriptRunner:
    """Runs scripts against a model.

    Args:
        notes: where replies are kept before they are used; the same request is never put twice.
        structured: whether the model's structured output is used where it has one.
        count: counts tokens where the model reports no usage.
    """

    def __init__(self, model: BaseChatModel, *, notes: Notes, structured: bool, count: TokenCounter) -> None:
        self._model = model
        self._notes = notes
        self._structured = structured
        self._count = count
        self._shaped: dict[type[BaseModel], Runnable[Any, Any]] = {}

    def run(self, script: Script[T]) -> Outcome[T]:
        """Run a script to its end. Raises `ModelFailed` when the model itself fails; what was replied is kept."""
        turn = _Turn(script, self)
        while (request := turn.request()) is not None:
            failed: ModelFailed | None = None
            try:
                reply = self._shape(request).invoke(list(request.messages))
            except Exception as error:
                failed = failure(error)
            if failed is not None:  # outside the handler, so that no key in the cause travels along
                raise failed
            turn.take(reply)
        return turn.outcome()

    async def arun(self, script: Script[T]) -> Outcome[T]:
        """Run asynchronously."""
        turn = _Turn(script, self)
        # Between two calls a script embeds and reads the store, which an event loop should not wait for.
        while (request := await asyncio.to_thread(turn.request)) is not None:
            failed: ModelFailed | None = None
            try:
                reply = await self._shape(request).ainvoke(list(request.messages))
            except Exception as error:
                failed = failure(error)
            if failed is not None:
                raise failed
            await asyncio.to_thread(turn.take, reply)
        return turn.outcome()

    def _shape(self, request: Request) -> Runnable[Any, Any]:
        """The model as it is asked for replies of a shape."""
        if request.shape not in self._shaped:
            shaped: Runnable[Any, Any] = self._model
            if self._structured:
                try:
                    shaped = self._model.with_structured_output(request.shape, include_raw=True)
                except (NotImplementedError, AttributeError):
                    shaped = self._model
            self._shaped[request.shape] = shaped
        return self._shaped[request.shape]

    def _key(self, request: Request) -> str:
        """A request's name: the same words to the same model."""
        model = self._model
        name = str(getattr(model, "model_name", None) or getattr(model, "model", None) or "")
        told = [f"{type(model).__name__} {name}", request.shape.__name__]
        told += [f"{message.type}: {message.text}" for message in request.messages]
        return hashlib.blake2b("\n".join(told).encode(errors="replace"), digest_size=20).hexdigest()


class _Turn(Generic[T]):
    """A script on its way: what it asks next, what came back, what that cost."""

    def __init__(self, script: Script[T], runner: ScriptRunner) -> None:
        self._script = script
        self._runner = runner
        self._reply: str | None = None
        self._asked: Request | None = None
        self._cost = Cost()
        self._recalled = 0
        self._result: list[T] = []

    def request(self) -> Request | None:
        """The next request that has no reply yet, `None` at the script's end."""
        while not self._result:
            try:
                self._asked = self._script.send(self._reply) if self._reply is not None else next(self._script)
            except StopIteration as end:
                self._result.append(end.value)
                return None
            kept = self._kept(self._asked)
            if kept is None:
                return self._asked
            self._reply = kept
            self._recalled += 1
        return None

    def take(self, reply: Any) -> None:
        """Keep a reply, durably, and only then use it; where another process was faster, its reply is used."""
        assert self._asked is not None
        text, raw = _read(reply)
        cost = cost_of(raw, said=text, asked=self._asked.messages, count=self._runner._count)
        note = json.dumps({"text": text, "cost": cost.model_dump(exclude_defaults=True)})
        self._runner._notes.write("reply", {self._runner._key(self._asked): note})
        self._cost += cost
        self._reply = self._kept(self._asked) or text

    def _kept(self, request: Request) -> str | None:
        note = self._runner._notes.read("reply", self._runner._key(request))
        return None if note is None else str(json.loads(note)["text"])

    def outcome(self) -> Outcome[T]:
        return Outcome(self._result[0], self._cost, self._recalled)


def _read(reply: Any) -> tuple[str, Any]:
    """A reply's text and the message that brought it; a structured one is written as JSON."""
    if not (isinstance(reply, Mapping) and "raw" in reply):
        return _text(reply), reply
    raw, parsed = reply["raw"], reply.get("parsed")
    if isinstance(parsed, BaseModel):
        return parsed.model_dump_json(), raw
    calls: Sequence[Any] = getattr(raw, "tool_calls", None) or ()
    arguments = calls[0].get("args") if calls and isinstance(calls[0], Mapping) else None
    return (json.dumps(arguments, default=str) if arguments else _text(raw)), raw


def _text(message: Any) -> str:
    return str(getattr(message, "text", "") or "")
