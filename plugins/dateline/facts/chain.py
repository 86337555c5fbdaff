"""Chain of hashes over a ledger's entries, which shows later changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Chain(NamedTuple):
    """A ledger's chain, walked from its first entry.

    Attributes:
        head: hash of the newest entry; empty where none has one.
        unchained: number of entries that are older than the chain.
        problem: the first break in one sentence; empty: there is none.
        erased: places of what is left of erased entries.
    """

    head: str = ""
    unchained: int = 0
    problem: str = ""
    erased: tuple[int, ...] = ()


def link(previous: str, content: Mapping[str, Any]) -> str:
    """Hash an entry's stored fields together with the hash before it."""
    written = json.dumps(content, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(f"{previous}\n{written}".encode()).hexdigest()


def walk(entries: Iterable[Mapping[str, Any]], *, head: str, unchained: int, noted: str) -> Chain:
    """Check entries in their order, each with its `hash` beside its fields.

    An erased entry keeps its hash, to which the next one is chained; a later entry names that hash and what is left of it.

    Args:
        head: the hash that the ledger itself keeps of its newest entry.
        unchained: number of first entries that have no hash.
        noted: a hash that was noted elsewhere; empty: none was.
    """
    awaited, previous, count = {head, noted} - {""}, "", 0
    changed: dict[int, tuple[str, str]] = {}
    erased: list[int] = []
    for count, entry in enumerate(entries, start=1):
        kept, content = entry["hash"], {name: value for name, value in entry.items() if name != "hash"}
        if content["sequence"] != count:
            problem = _strange(changed) or f"Entry {count} was removed; {_RESTORE}."
            return Chain(previous, unchained, problem)
        if count > unchained:
            if kept != link(previous, content):
                changed[count] = (kept or "", remainder_hash(content))
            previous = kept or ""
            awaited.discard(previous)
        if content.get("kind") == "erased":
            erased.append(count)
        for place, *hashes in _erased_by(content):
            if changed.get(place) == tuple(hashes):
                del changed[place]
    problem = _strange(changed)
    if problem:
        pass
    elif head in awaited:
        problem = f"The entries behind entry {count} were removed; {_RESTORE}."
    elif noted in awaited:
        problem = f"No entry has the hash {noted!r}: this is not the ledger it was noted from, or its entries were written anew."
    return Chain(previous, unchained, problem, tuple(erased))


def remainder_hash(content: Mapping[str, Any]) -> str:
    """Hash what is left of an erased entry."""
    return link("", {name: value for name, value in content.items() if name != "hash"})


def _erased_by(content: Mapping[str, Any]) -> list[list[Any]]:
    return json.loads(content["more"])["entries"] if content.get("kind") == "forget" else []


def _strange(changed: Mapping[int, object]) -> str:
    """Tell of the first entry that was changed and not erased."""
    if not changed:
        return ""
    count = min(changed)
    return (
        f"Entry {count} is not what was stored behind entry {count - 1}: it was changed, or entries were "
        f"removed, inserted or moved there; {_RESTORE}."
    )


_RESTORE = "restore the ledger from a copy"
