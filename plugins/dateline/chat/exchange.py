"""One request to a chat model, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from langchain_core.messages import BaseMessage

from dateline.chat.echo import without_echo
from dateline.chat.messages import alternating, asked_again
from dateline.chat.reply import failure, refused, reply_text, unreadable
from dateline.errors import ModelFailed
from dateline.evidence.sanitize import sanitize
from dateline.records import Cost

T = TypeVar("T")
Parser = Callable[[BaseMessage], T | None]
"""Reads a reply: its value, `None` where it cannot be read, or `UnusableReply` raised with the fault."""


class UnusableReply(Exception):
    """Fault of a reply, in one sentence."""


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
        >>> from dateline.chat import ReplyLoop
        >>> from langchain_core.language_models import FakeListChatModel
        >>> from langchain_core.messages import HumanMessage
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


@dataclass
class Exchange(Generic[T]):
    """One request under way."""

    asked: Sequence[BaseMessage]
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
    _complaint: str = ""
    _refused: bool = False

    def __post_init__(self) -> None:
        self.messages = alternating(self.asked)

    @property
    def goes_on(self) -> bool:
        """Return whether the model may be asked once more."""
        return self.value is None and self.failed is None and not self._refused

    def take(self, reply: BaseMessage, cost: Cost) -> None:
        """Parse one reply; prepare the next request where it is unusable."""
        self.cost += cost
        self.reply = reply
        self.tries += 1
        text, fault = reply_text(reply), ""
        # What stands before the complaint is echo; behind it, lines of the reply before may stand again, corrected.
        behind = text[max(0, text.find(self._complaint)) :]
        said = without_echo(behind, asked=[*self.asked, *self.messages[-1:]])
        try:
            self.value = self.read(reply if said == text else reply.model_copy(update={"content": said}))
        except UnusableReply as unusable:
            fault = str(unusable)
        except Exception:  # whatever odd text does to what reads it: it cannot be read
            fault = ""
        if self.value is not None:
            self.problem = ""
            return
        self._refused = refused(reply)
        self.problem = "The model refused to reply." if self._refused else fault or unreadable(text, tries=self.tries)
        self._complaint = self.again.format(fault=sanitize(fault))
        self.messages = asked_again(self.asked, reply=text, complaint=self._complaint)

    def fail(self, error: Exception) -> None:
        """Record the model's own failure: no further try."""
        self.tries += 1
        self.cost += Cost(model_calls=1)
        self.failed = failure(error)
        self.problem = f"the chat model failed with {type(error).__name__}."

    def parsed(self) -> ParsedReply[T]:
        """Return the result as it stands."""
        return ParsedReply(self.value, self.problem, self.failed, self.reply, self.tries, self.cost, self.recalled)
