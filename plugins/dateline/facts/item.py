"""Items of key and value, as a fact store keeps them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pydantic import AwareDatetime, Field

from dateline.errors import BadInput
from dateline.facts.fact import Fact, FactHistory
from dateline.records import Record
from dateline.temporal.as_of import AsOf
from dateline.temporal.interval import Interval

Namespace = tuple[str, ...]
"""Labels from the outermost to the innermost, without full stops: ("users", "ana")."""


class Place(NamedTuple):
    """Address of an item."""

    namespace: Namespace
    key: str

    @property
    def tag(self) -> str:
        """The tag of all facts of this item."""
        key = hashlib.blake2b(self.key.encode(errors="replace"), digest_size=12).hexdigest()
        return f"item:{'.'.join(self.namespace)}:{key}"


def listed_tag(prefix: Namespace) -> str:
    """Return the tag of all items below a prefix."""
    return f"items:{'.'.join(prefix)}"


def worded_tag(prefix: Namespace) -> str:
    """Return the tag of facts below a prefix that queries find."""
    return f"words:{'.'.join(prefix)}"


class ItemVersion(Record):
    """One value that an item had, and from when to when."""

    namespace: Namespace
    key: str
    value: dict[str, Any]
    since: Interval = Field(description="Event time from which on it holds.")
    until: Interval | None = Field(default=None, description="Event time at which it ended; None: it holds.")
    created_at: AwareDatetime = Field(description="When the item was first put, since it was last deleted.")
    updated_at: AwareDatetime = Field(description="When this value was put.")
    ttl: float | None = Field(default=None, description="Minutes it stays after its last use; None: for good.")
    document: str = Field(description="The write it came with; `FactStore.undo` takes that back.")

    @property
    def place(self) -> Place:
        return Place(self.namespace, self.key)

    @property
    def id(self) -> str:
        """Tell it from every other version of any item."""
        return f"{self.document} {self.place.tag}"

    def expires_at(self, used_at: datetime | None = None) -> datetime | None:
        """Return when it expires, last used at a moment; `None`: never."""
        return None if self.ttl is None else (used_at or self.updated_at) + timedelta(minutes=self.ttl)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPut:
    """Write of an item.

    Attributes:
        value: JSON; `None` deletes the item.
        texts: what a query may find it by.
        ttl: minutes it stays after its last use.
        since: from when on it holds; `None`: now.
    """

    place: Place
    value: Mapping[str, Any] | None
    texts: Sequence[str] = ()
    ttl: float | None = None
    since: AsOf = None

    def facts(self, *, document: str, created_at: datetime, updated_at: datetime) -> Iterator[Fact]:
        """Yield the fact of the value, then one for each further text.

        Raises:
            BadInput: for a value that JSON cannot hold.
        """
        namespace, key = self.place
        stored = {
            "namespace": namespace,
            "key": key,
            "document": document,
            "created": created_at.isoformat(),
            "updated": updated_at.isoformat(),
            "ttl": self.ttl,
            "value": self.value,
        }
        prefixes = [namespace[:depth] for depth in range(len(namespace) + 1)]
        listed = (self.place.tag, *map(listed_tag, prefixes))
        worded = tuple(map(worded_tag, prefixes))
        texts = list(dict.fromkeys(self.texts))
        # A text that nothing may find is short: embeddings may be paid by its length.
        yield Fact.make(texts[0] if texts else key, tags=listed + (worded if texts else ()), data=as_json(stored))
        for text in texts[1:]:
            yield Fact.make(
                text, tags=(self.place.tag, *worded), data=as_json({"of": self.place, "document": document})
            )


def place_of(fact: Fact) -> Place:
    """Read which item a further text belongs to."""
    namespace, key = json.loads(fact.data)["of"]
    return Place(tuple(namespace), key)


def version_of(history: FactHistory) -> ItemVersion | None:
    """Read an item's version; `None` where undone, or for further texts."""
    stored, entries = json.loads(history.fact.data), history.visible()
    since = next((entry.when for entry in entries if entry.true), None)
    if since is None or "of" in stored:
        return None
    return ItemVersion(
        namespace=tuple(stored["namespace"]),
        key=stored["key"],
        value=stored["value"],
        since=since,
        until=next((entry.when for entry in entries if not entry.true), None),
        created_at=stored["created"],
        updated_at=stored["updated"],
        ttl=stored["ttl"],
        document=stored["document"],
    )


def versions_of(histories: Sequence[FactHistory]) -> list[ItemVersion]:
    """Read versions, in the order put."""
    return [version for history in histories if (version := version_of(history)) is not None]


def as_json(stored: Mapping[str, Any] | None) -> str:
    """Write a value; raise `BadInput` for what JSON cannot hold."""
    try:
        return json.dumps(stored)
    except (TypeError, ValueError, RecursionError) as cause:
        raise BadInput(
            f"A value must be JSON (texts, numbers, lists, objects), which this one is not: {cause}."
        ) from cause
