"""`FactMemoryBlock`: conversations as dated facts with histories (ERASE, section 3)."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol, Self, runtime_checkable

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.bridge.pydantic import ConfigDict, Field, PrivateAttr, model_validator
from llama_index.core.memory import BaseMemoryBlock

from dateline import BadInput, Evidence, Interval
from dateline.channels import without_folders
from dateline.documents.reading import dates_of_all
from dateline.evidence.sanitize import sanitize
from dateline.facts import Changes, FactStore, LocalUpdater
from dateline.facts.asking import time_asked
from dateline.facts.background_ingestor import FAILURES_KEPT, IngestionFailure
from dateline.facts.fact import FoundFact, last_second
from dateline.facts.store import Which
from dateline.facts.stores import FactStores
from dateline.handwritten.facts.standalone import told_of
from dateline.limits import QUESTION
from dateline.options import checked_arguments
from dateline.stopping import Stopped
from dateline.temporal.as_of import AsOf, AsOfField, ClockField, now
from dateline.temporal.asking import asking_moment
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import beginning, seconds_of
from dateline.text import default_token_counter

Scope = Literal["all", "session"]
"""Whose facts are recalled: of all conversations, or of this one."""


@runtime_checkable
class LearnsLater(Protocol):
    """An updater that can be awaited: `LocalUpdater`, `ChatUpdater` or your own."""

    async def aupdate(self, evidence: Sequence[Evidence], *, known_at: datetime) -> Sequence[Changes]:
        """Return changes by document."""
        ...


@checked_arguments
class FactMemoryBlock(BaseMemoryBlock[str]):
    """A long-term memory of dated facts.

    For `Memory.from_defaults(memory_blocks=[FactMemoryBlock(store=store)])`.

    What leaves the short-term memory becomes facts: said again, a fact is reinforced; contradicted later, it is false from
    then on and keeps its history. The last user message recalls those that are true as of `aget(as_of=...)`, or at the
    time that the message itself asks about ("in 2019"). A message is dated by `date`, `timestamp` or the like among its
    `additional_kwargs`, else by the clock when it is learnt. What an updater cannot take in is kept in `failures`, and
    the conversation goes on.

    Raises:
        BadInput: from `aget`, for an unreadable `as_of`.
        StoreFailed: from `aget`, where the store cannot be read.

    Example:
        >>> import asyncio
        >>> from dateline.facts import ExactIndex, FactStore, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> from llama_index.core.llms import ChatMessage
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> block = FactMemoryBlock(store=store, speaker="Ana")
        >>> said = ChatMessage(role="user", content="The mayor is Ada Berg.", additional_kwargs={"date": "2019-05-01"})
        >>> asyncio.run(block.aput([said]))
        >>> asked = ChatMessage(role="user", content="Who is the mayor?")
        >>> print(asyncio.run(block.aget([asked], as_of="2024-06-01")))
        What is known to hold on 2024-06-01, each with when it was said to be true or false:
        - The mayor is Ada Berg. (true at 2019-05-01)
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    name: str = Field(default="Facts", description="The name that the prompt shows.")
    description: str | None = Field(default="Facts of conversations, with when each was said to hold.")
    store: FactStore | FactStores = Field(exclude=True, description="Where facts are kept.")
    namespace: tuple[str, ...] = Field(default=(), description="Whose facts, of `FactStores`: ('users', 'ana').")
    updater: LearnsLater | Callable[[FactStore], LearnsLater] | None = Field(
        default=None,
        exclude=True,
        description="On the same store, or what makes one for it; None: `LocalUpdater`, by rules, without a model.",
    )
    k: int = Field(default=10, ge=1, description="How many facts are recalled at most.")
    which: Which = Field(default="true", description='"any" recalls facts that were false then as well.')
    threshold: float = Field(default=0.0, ge=-1.0, le=1.0, description="The least cosine of message and fact.")
    scope: Scope = Field(default="all", description="all: facts of every conversation; session: of this one.")
    roles: tuple[MessageRole, ...] = Field(default=(MessageRole.USER,), description="Whose messages are learnt.")
    speaker: str = Field(default="User", description='Who "I" is in a user\'s message: a name with a capital.')
    as_of: AsOfField = Field(default=None, description="The asking moment; None: when called.")
    known_at: AsOfField = Field(default=None, description="By what was known then; None: by all that is known.")
    clock: ClockField = now
    _learnt_until: datetime | None = PrivateAttr(default=None)
    _failures: deque[IngestionFailure] = PrivateAttr(default_factory=lambda: deque(maxlen=FAILURES_KEPT))

    @model_validator(mode="after")
    def _of_one_namespace(self) -> Self:
        if isinstance(self.store, FactStores) != bool(self.namespace):
            raise BadInput(
                "A namespace goes with FactStores, and FactStores with a namespace; give both, or one FactStore."
            )
        return self

    @property
    def facts(self) -> FactStore:
        """Return the store of this memory's namespace."""
        return self.store.of(*self.namespace) if isinstance(self.store, FactStores) else self.store

    @property
    def failures(self) -> tuple[IngestionFailure, ...]:
        """Return the latest messages that could not be learnt; put them again."""
        return tuple(self._failures)

    async def _aget(
        self,
        messages: list[ChatMessage] | None = None,
        session_id: str | None = None,
        as_of: AsOf = None,
        **block_kwargs: Any,
    ) -> str:
        text = _last_asked(messages or ())
        if not text:
            return ""
        asking = asking_moment(as_of, self.as_of, clock=self.clock)
        point = _point_asked(text, asking, now=self.clock())
        found = await asyncio.to_thread(
            lambda: self.facts.search(  # which may have to open its store
                told_of(self.speaker, sentence=text),
                as_of=point,
                known_at=self.known_at,
                k=self.k,
                which=self.which,
                threshold=self.threshold,
                sources=(without_folders(session_id),) if self.scope == "session" and session_id else (),
            )
        )
        return _told(found, point)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        learnt = [one for one in messages if one.role in self.roles and (one.content or "").strip()]
        moments = self._moments(len(learnt))
        documents = [self._evidence(one, moment) for one, moment in zip(learnt, moments, strict=True)]
        updater: LearnsLater | None = None
        for document in documents:  # in the order in which they were said: the later finds the earlier
            try:
                if updater is None:
                    updater = await asyncio.to_thread(self._learner)
                await updater.aupdate([document], known_at=self.clock())
            except Stopped:
                raise
            except Exception as error:  # whatever fails: the message has left the short-term memory by now
                self._failures.append(IngestionFailure.of(document, error))

    def _learner(self) -> LearnsLater:
        if self.updater is None:
            return LocalUpdater(self.facts)
        return self.updater(self.facts) if callable(self.updater) else self.updater

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Leave out the least likely facts, to save `tokens_to_truncate` tokens."""
        if not content:  # LlamaIndex gives an empty list for a block that recalled nothing
            return None
        count = default_token_counter()
        head, *facts = content.splitlines()
        allowed = count(content) - tokens_to_truncate
        while facts and count("\n".join([head, *facts])) > allowed:
            facts.pop()
        return "\n".join([head, *facts]) if facts else None

    def _moments(self, count: int) -> list[datetime]:
        """Date messages that leave the short-term memory together, in order.

        A second apart, the last one now, and none before what was learnt already: the later may correct the earlier.
        """
        now = self.clock()
        apart = [now - timedelta(seconds=before) for before in reversed(range(count))]
        earliest, self._learnt_until = self._learnt_until, now
        return apart if earliest is None else [min(now, max(earliest, moment)) for moment in apart]

    def _evidence(self, message: ChatMessage, moment: datetime) -> Evidence:
        text, said = (message.content or "").strip(), message.additional_kwargs
        told = dates_of_all([("", said)])[0].published
        day, when = told or Interval.of_moment(moment), told or Interval.of_second(seconds_of(moment))
        session = str(said.get("session_id") or "")
        speaker = self.speaker if message.role == MessageRole.USER else str(message.role.value).title()
        # Put again on its day, a message is the same document.
        spoken = f"{session}|{speaker}|{day.isoformat()}|{text}"
        digest = hashlib.blake2b(spoken.encode(errors="replace"), digest_size=8).hexdigest()
        channel = without_folders(session) if session else speaker
        return Evidence(id=digest, text=text, title=speaker, source=session or speaker, channel=channel, published=when)


def _last_asked(messages: Sequence[ChatMessage]) -> str:
    spoken = [(one.role, (one.content or "").strip()) for one in messages]
    return next((text for role, text in reversed(spoken) if role == MessageRole.USER and text), "")


def _point_asked(text: str, asking: datetime, *, now: datetime) -> datetime | Interval:
    """Return the time that a message asks about, else the asking moment.

    As of a past day, a later time tells nothing that is not known yet.
    """
    point = time_asked(decompose(text[-QUESTION:], as_of=asking))
    is_past = asking.date() < now.astimezone(asking.tzinfo).date()
    return asking if is_past and last_second(point) > last_second(asking) else point


def _told(found: Sequence[FoundFact], point: datetime | Interval) -> str:
    """Return a line for each fact, likeliest first.

    What people said is data: it opens no line and closes no tag.
    """
    if not found:
        return ""
    if isinstance(point, datetime):
        when = f"on {point.date().isoformat()}"
    else:
        when = f"from {beginning(point)} on" if point.end is None else f"on {point.last_moment().date().isoformat()}"
    head = f"What is known to hold {when}, each with when it was said to be true or false:"
    return "\n".join([head, *(f"- {sanitize(fact.describe())}" for fact in found)])
