"""Maintenance of a store: export, import, check and index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import islice
from pathlib import Path

import numpy as np
from pydantic import Field, ValidationError

from dateline.errors import BadInput
from dateline.facts.fact import Fact
from dateline.facts.ledger import Ledger
from dateline.facts.operation import OPERATION, Operation
from dateline.facts.store import EVER, FactStore
from dateline.files import open_regular, whole_file
from dateline.records import Record
from dateline.text.embeddings import embed

FORMAT = "dateline facts 1"
"""First line of an export."""

_BATCH = 5_000
_SAMPLE = 32
_SAME_VECTOR = 0.99


class Verification(Record):
    """Result of checking a store."""

    operations: int
    facts: int
    problems: tuple[str, ...] = Field(default=(), description="One sentence each, with the way to mend it.")

    @property
    def sound(self) -> bool:
        return not self.problems


def export_operations(ledger: Ledger, *, path: Path) -> int:
    """Write operations as lines of JSON in arrival order; return their number.

    The file appears whole or not at all.

    Raises:
        BadInput: when it cannot be written.
    """
    count = 0
    try:
        with whole_file(path) as file:
            file.write(json.dumps({"format": FORMAT}).encode() + b"\n")
            for _, operation in ledger.operations():
                file.write(OPERATION.dump_json(operation) + b"\n")
                count += 1
    except OSError as cause:
        raise BadInput(f"Cannot write the operations to {path}: {cause.strerror or cause}.") from cause
    return count


def check_export(path: Path) -> None:
    """Raise `BadInput` for a file that is no export, before importing it."""
    with _export(path):
        pass


def import_operations(ledger: Ledger, *, path: Path) -> int:
    """Append an export's operations; return the number of new ones.

    Raises:
        BadInput: when the file is missing, not an export or has an unreadable line. Lines before it may be
            stored by then; importing the mended file again completes it.
    """
    with _export(path) as lines:
        operations = _operations(lines, path)
        return sum(len(ledger.append(batch)) for batch in iter(lambda: list(islice(operations, _BATCH)), []))


@contextmanager
def _export(path: Path) -> Iterator[Iterator[str]]:
    """Open an export behind its first line, which is checked."""
    try:
        with TextIOWrapper(open_regular(path), encoding="utf-8") as file:
            _check_format(file.readline(), path)
            yield file
    except (OSError, UnicodeDecodeError) as cause:
        raise BadInput(f"Cannot read the export {path}: {getattr(cause, 'strerror', None) or cause}.") from cause


def verify(store: FactStore) -> Verification:
    """Check facts against their ids, and the index against the ledger."""
    facts: dict[str, Fact] = {}
    problems: list[str] = []
    count = 0
    for count, (sequence, operation) in enumerate(store.ledger.operations(), start=1):
        if sequence != count:
            problems.append(f"The ledger jumps from entry {count - 1} to {sequence}; restore it from a copy.")
            break
        for fact in operation.facts:
            facts.setdefault(fact.id, fact)
            if Fact.make(fact.text, validity=fact.validity).id != fact.id:
                problems.append(f"Entry {sequence} does not hold the text it was stored with; restore it from a copy.")
        problems.extend(
            f"Entry {sequence} judges the fact {fact_id!r} that no entry spells out; import the entry that does."
            for fact_id, _ in operation.assertions
            if fact_id not in facts
        )
    damaged = store.index.damaged()
    if damaged:
        problems.append(f"{len(damaged)} rows of the index are damaged, the first is {damaged[0]}; call reindex().")
    elif facts and not _index_agrees(store, list(facts.values())):
        problems.append("The index does not hold the vectors of these facts and embeddings; call reindex().")
    return Verification(operations=count, facts=len(facts), problems=tuple(problems))


def _index_agrees(store: FactStore, facts: list[Fact]) -> bool:
    """Search for some facts by their own text."""
    some = facts[:: max(1, len(facts) // _SAMPLE)]
    vectors = embed([fact.text for fact in some], embeddings=store.embeddings)
    for vector, found in zip(vectors, store.search_vectors(vectors, as_of=EVER, k=1, which="any"), strict=True):
        nowhere = not np.any(vector)
        if not nowhere and not (found and found[0].similarity >= _SAME_VECTOR):
            return False
    return True


def _check_format(line: str, path: Path) -> None:
    try:
        first = json.loads(line)
    except ValueError:
        first = None
    if not isinstance(first, dict) or first.get("format") != FORMAT:
        raise BadInput(f'{path} is no export of facts; its first line must be {{"format": "{FORMAT}"}}.')


def _operations(lines: Iterator[str], path: Path) -> Iterator[Operation]:
    for number, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        try:
            yield OPERATION.validate_json(line)
        except (ValidationError, ValueError) as cause:
            raise BadInput(f"Line {number} of {path} is no operation; mend or remove it and import again.") from cause
