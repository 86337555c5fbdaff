"""Facts and the history of their truth (ERASE, section 3)."""

from __future__ import annotations

import hashlib
import unicodedata
from datetime import date, datetime
from itertools import dropwhile, takewhile
from typing import Any, Literal

from pydantic import AwareDatetime, Field

from dateline.records import Record
from dateline.temporal.interval import Interval, beginning, seconds_of

Moment = datetime | date | Interval
"""A point of event time: a datetime by its own wall clock, a date, or the last second of an interval."""


class FactSlot(Record):
    """Value that a fact gives to an attribute of its subject.

    Example:
        >>> FactSlot(subject="Ada  Berg", attribute="residence", value="Porto").key
        'slot:residence:ada berg'
    """

    subject: str
    attribute: str
    value: str

    @property
    def key(self) -> str:
        """The tag that all facts of the slot carry."""
        return slot_key(self.subject, self.attribute)

    def compare(self, other: FactSlot) -> Literal["same", "conflict", "different"]:
        """Tell what another value is to this one."""
        if self.key != other.key:
            return "different"
        return "same" if folded(self.value) == folded(other.value) else "conflict"


class Fact(Record):
    """One statement that stands on its own.

    Example:
        >>> [Fact.make("The mayor  is Ada Berg.").id == Fact.make(text).id for text in ("The mayor is Ada Berg.", "Other")]
        [True, False]
    """

    id: str = Field(description="Stable: the same text (and validity) gives the same id.")
    text: str
    validity: Interval | None = Field(default=None, description="When it holds, where the text itself says so.")
    tags: tuple[str, ...] = ()
    slot: FactSlot | None = Field(default=None, description="What it gives a value to, where that was told apart.")
    data: str = Field(default="", description="What an app keeps with it, as JSON.")
    about: str = Field(default="", description="Title of the document that stated it first.")

    @classmethod
    def make(
        cls,
        text: str,
        *,
        validity: Interval | None = None,
        tags: tuple[str, ...] = (),
        slot: FactSlot | None = None,
        data: str = "",
        about: str = "",
    ) -> Fact:
        """Build a fact whose id is derived from its text.

        White space and Unicode form do not matter, letter case does.

        A validity counts into the id: "the office is closed this week" is another fact a year later. So do a slot, and
        data: two users' equal words are two facts. A title does not.
        """
        text = " ".join(unicodedata.normalize("NFC", text).split())
        origin = text if validity is None else f"{text}\n{validity.isoformat()}"
        origin = origin if slot is None else f"{origin}\n{slot.model_dump_json()}"
        origin = f"{origin}\n{data}" if data else origin
        digest = hashlib.blake2b(origin.encode(errors="replace"), digest_size=12).hexdigest()
        return cls(id=digest, text=text, validity=validity, tags=tags, slot=slot, data=data, about=about)


class FactJudgement(Record):
    """Entry of a history: a document's judgement of a fact, doubly timed."""

    true: bool
    when: Interval | None = Field(description="Event time: from when on it holds; None: the document is undated.")
    known_at: AwareDatetime = Field(description="Knowledge time: when the store learnt it.")
    document: str
    origin: str = Field(default="", description="The document's own word for where it comes from.")
    channel: str = Field(default="", description="What it came through, as told by what loaded it.")
    revision: int = Field(default=0, description="How often the document had been undone before.")
    operation: str = Field(description="Id of the operation that says so.")
    rests_on: tuple[str, ...] = Field(default=(), exclude=True, description="Other documents that it is undone with.")
    replaced_by: str | None = Field(default=None, description="Id of the fact that a rewrite put in its place.")
    replaces: str | None = Field(default=None, description="Id of the fact in whose place a rewrite put this one.")
    undone_at: AwareDatetime | None = Field(default=None, description="Knowledge time of the undo that withdrew it.")

    @property
    def speaker(self) -> str:
        """Whose word it counts as."""
        return self.channel or self.origin or self.document

    def visible(self, *, as_of: Moment | None = None, known_at: datetime | None = None) -> bool:
        """Check that it counts at both times; undated ones always count."""
        if known_at is None:
            return self.undone_at is None and self.holds_by(as_of)
        known = self.known_at <= known_at and (self.undone_at is None or known_at < self.undone_at)
        return known and self.holds_by(as_of)

    def holds_by(self, as_of: Moment | None) -> bool:
        """Check that its event time has begun; undated ones always have."""
        if as_of is None or self.when is None or self.when.start is None:
            return True
        return self.when.start <= last_second(as_of)

    def order(self) -> tuple[Any, ...]:
        """Return its sort key: `event_order`, assertions first, then as known."""
        # What forgetting leaves of an operation has a random id, so that it comes behind all that an entry says.
        said = (self.known_at, self.document, self.revision, self.replaced_by or "", self.replaces or "", self.rests_on)
        return (*event_order(self.when), not self.true, *said, self.operation)


class FactHistory(Record):
    """A fact and every judgement on it, in event-time order."""

    fact: Fact
    entries: tuple[FactJudgement, ...] = ()

    def visible(self, *, as_of: Moment | None = None, known_at: datetime | None = None) -> tuple[FactJudgement, ...]:
        """Return the entries that count at both times, in order."""
        return tuple(entry for entry in self.entries if entry.visible(as_of=as_of, known_at=known_at))

    def known(self, known_at: datetime | None) -> FactHistory:
        """Return the history as it was known at a time; `None`: now."""
        entries = (entry.model_copy(update={"undone_at": None}) for entry in self.visible(known_at=known_at))
        return self.model_copy(update={"entries": tuple(entries)})

    def true_at(self, as_of: Moment | None = None, known_at: datetime | None = None) -> bool | None:
        """Judge the fact at event time `as_of` by knowledge up to `known_at`.

        The last visible judgement decides; `None` for either argument means "at the latest".
        Returns `None` when nothing was known of the fact.
        """
        visible = self.visible(as_of=as_of, known_at=known_at)
        return visible[-1].true if visible else None


class Derivation(Record):
    """Rule by which something was inferred, and its premises."""

    rule: str
    premises: tuple[Fact, ...]

    def describe(self) -> str:
        """Name the rule and what it was applied to."""
        return f"“{self.rule}” from: {' '.join(fact.text for fact in self.premises)}"


class FoundFact(Record):
    """Fact that a search found, as it stood at the asked times."""

    fact: Fact
    similarity: float = Field(description="Cosine of query and fact, -1 to 1.")
    true: bool
    entries: tuple[FactJudgement, ...] = Field(description="The judgements that counted there, in event-time order.")
    contested: tuple[Fact, ...] = Field(
        default=(), description="Facts that give its slot another value at that time, and nothing tells which holds."
    )
    doubted: Derivation | None = Field(default=None, description="By what it follows that it held no longer then.")
    derivation: Derivation | None = Field(default=None, description="What it follows from; None: it was told.")

    @property
    def since(self) -> Interval | None:
        """Return the event time at which its present truth value began."""
        first = None
        # A read over a window may have seen the end of what was true in it.
        entries = dropwhile(lambda entry: entry.true != self.true, reversed(self.entries))
        for entry in takewhile(lambda entry: entry.true == self.true, entries):
            first = entry.when
        return first

    def describe(self) -> str:
        """Format the fact, its history in brackets, and what contests it.

        As ERASE has it (appendix A.3).
        """
        history = ", ".join(f"{'true' if one.true else 'false'} at {beginning(one.when)}" for one in self.entries)
        others = "".join(f"; contested: {other.text}" for other in self.contested)
        doubt = "" if self.doubted is None else f"; doubtful by {self.doubted.describe()}"
        follows = "" if self.derivation is None else f"; follows by {self.derivation.describe()}"
        return f"{self.fact.text} ({history}){follows}{others}{doubt}"

    def metadata(self) -> dict[str, Any]:
        """Return JSON values: all fields, and the history from the oldest entry."""
        since = self.since
        return {
            "fact_id": self.fact.id,
            "true": self.true,
            "since": None if since is None else since.isoformat(),
            "validity": None if self.fact.validity is None else self.fact.validity.isoformat(),
            "tags": list(self.fact.tags),
            "score": self.similarity,
            "contested": [other.text for other in self.contested],
            "derivation": None if self.derivation is None else self.derivation.describe(),
            "doubted": None if self.doubted is None else self.doubted.describe(),
            "history": [
                {
                    "true": entry.true,
                    "when": None if entry.when is None else entry.when.isoformat(),
                    "known_at": entry.known_at.isoformat(),
                    "document": entry.document,
                    "source": entry.origin or entry.document,
                    "channel": entry.channel,
                }
                for entry in self.entries
            ],
        }


def event_order(when: Interval | None) -> tuple[int, int]:
    """Return a key that sorts event times by beginning, vague before precise.

    Undated comes first, so that any dated word overrules it; "2019" comes before every day of 2019,
    so that a vague date never overrules a precise one of the same period.
    """
    if when is None:
        return (_EARLIEST, _EARLIEST)
    start = _EARLIEST + 1 if when.start is None else when.start
    return (start, -(_LATEST if when.end is None else when.end))


def event_start(when: Interval | None) -> int:
    """Return the second at which an event time begins, as `event_order` counts."""
    return event_order(when)[0]


def folded(text: str) -> str:
    """Return a name without letter case and superfluous white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def slot_key(subject: str, attribute: str) -> str:
    """Return the tag that all facts of a slot carry."""
    return f"slot:{folded(attribute)}:{folded(subject)}"


def last_second(moment: Moment) -> int:
    """Return a datetime's second, or a day's or interval's last."""
    if isinstance(moment, Interval):
        return _LATEST if moment.last is None else moment.last
    if isinstance(moment, datetime):
        return seconds_of(moment)
    return seconds_of(moment) + 86_399


_LATEST = 1 << 60
_EARLIEST = -_LATEST
