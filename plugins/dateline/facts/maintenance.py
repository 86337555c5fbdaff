"""Maintenance of a store: export, import, check and index."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import islice
from pathlib import Path

import numpy as np
from pydantic import Field

from dateline.errors import BadInput
from dateline.facts.erasure import Forgotten
from dateline.facts.fact import Fact
from dateline.facts.ledger import Ledger
from dateline.facts.operation import OPERATION, Erased, Operation, alias_of
from dateline.facts.state import State
from dateline.facts.store import FactStore
from dateline.files import open_regular, whole_file
from dateline.records import Record
from dateline.text.embeddings import embed

FORMAT = "dateline facts 1"
"""First line of an export."""

_BATCH = 5_000
_EMBEDDED_AT_ONCE = 1_000
_SAME_VECTOR = 0.99


class Verification(Record):
    """Result of checking a store."""

    operations: int
    facts: int = 0
    head: str = Field(default="", description="Hash of the newest entry; note it elsewhere to compare it later.")
    unchained: int = Field(default=0, description="Number of first entries that were stored before entries had hashes.")
    erased: tuple[int, ...] = Field(default=(), description="Places of entries that were erased.")
    forgotten: tuple[Forgotten, ...] = Field(default=(), description="The traces of what was erased.")
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


def verify(store: FactStore, *, noted: str = "") -> Verification:
    """Check the ledger's chain, the facts' ids and the whole index.

    Every fact is embedded anew.

    Args:
        noted: a head of the ledger that was noted elsewhere; it must still be the hash of an entry.
    """
    chain = store.ledger.chain(noted=noted)
    traces = tuple(store.forgotten())
    found = Verification(
        operations=store.ledger.last(),
        head=chain.head,
        unchained=chain.unchained,
        erased=chain.erased,
        forgotten=traces,
    )
    if chain.problem:
        return found.model_copy(update={"problems": (chain.problem,)})
    spelt: set[str] = set()
    judged: dict[str, int] = {}
    rows: list[tuple[int, Fact | None]] = []
    problems: list[str] = []
    for count, (sequence, operation) in enumerate(store.ledger.operations(), start=1):
        if sequence != count:
            problems.append(f"The ledger jumps from entry {count - 1} to {sequence}; restore it from a copy.")
            break
        for fact in operation.facts:
            if fact.id not in spelt:
                rows.append((sequence, fact))
            spelt.add(fact.id)
            if Fact.make(fact.text, validity=fact.validity, slot=fact.slot, data=fact.data).id != fact.id:
                problems.append(f"Entry {sequence} does not hold the text it was stored with; restore it from a copy.")
        if isinstance(operation, Erased) and operation.numbered:
            rows.append((sequence, None))
        for fact_id, _ in operation.assertions:
            judged.setdefault(fact_id, sequence)
    problems += _unspelt(judged, spelt, traces)
    problems += _strange_tables(store)
    strange = _strange_row(store, [fact for _, fact in rows])
    if strange is not None:
        sequence, named = rows[strange]
        what = "nothing but zeros for a forgotten fact" if named is None else f"the vector of the fact {named.id!r}"
        problems.append(f"The index does not hold {what} of entry {sequence}, with these embeddings; call reindex().")
    return found.model_copy(update={"facts": len(spelt), "problems": tuple(problems)})


def _unspelt(judged: Mapping[str, int], spelt: Collection[str], traces: Sequence[Forgotten]) -> list[str]:
    """Return a sentence for each judged fact that none spells out.

    What others said of forgotten facts waits for them. Of facts that went with a document, traces tell only how many.
    """
    named = {trace.what for trace in traces}
    unspelt = {id: entry for id, entry in judged.items() if id not in spelt and alias_of("fact", id) not in named}
    if len(unspelt) <= sum(trace.facts - trace.what.startswith("fact:") for trace in traces):
        return []
    return [
        f"Entry {entry} judges the fact {id!r} that no entry spells out; import the entry that does."
        for id, entry in unspelt.items()
    ]


def _strange_tables(store: FactStore) -> Iterator[str]:
    """Yield a sentence where the tables contradict the ledger."""
    told, kept = State(store.ledger), store.fold
    told.follow()
    with kept.reading():
        kept.follow()
        for start in range(0, max(told.size, kept.size), _BATCH):
            facts, stop = told.spelt(start, start + _BATCH), start + _BATCH
            tags = dict.fromkeys(tag for fact in facts if fact is not None for tag in fact.tags)
            if (
                facts != kept.spelt(start, stop)
                or told.judged(start, min(stop, told.size)) != kept.judged(start, min(stop, kept.size))
                or any(told.tagged(tag) != kept.tagged(tag) for tag in tags)
            ):
                yield f"The tables of facts {start} to {stop} are not what the ledger tells; call reindex()."
                return


def _strange_row(store: FactStore, facts: Sequence[Fact | None]) -> int | None:
    """Return the first row that is not its fact's vector."""
    store.ids("")  # reads what others wrote
    store.flush()
    for start in range(0, len(facts), _EMBEDDED_AT_ONCE):
        some = facts[start : start + _EMBEDDED_AT_ONCE]
        wanted = embed(["" if fact is None else fact.text for fact in some], embeddings=store.embeddings)
        gone = np.array([fact is None for fact in some])
        kept = store.index.rows(start, start + len(wanted))
        if kept is None:
            return None
        if len(kept) < len(wanted):
            return start + len(kept)
        with np.errstate(all="ignore"):
            apart = np.abs(np.einsum("ij,ij->i", wanted, kept) - wanted.any(axis=1))
            apart[gone] = 2 * kept[gone].any(axis=1)
        strange = np.flatnonzero(~(apart <= 1 - _SAME_VECTOR))
        if len(strange):
            return start + int(strange[0])
    return None


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
        except ValueError as cause:
            raise BadInput(f"Line {number} of {path} is no operation; mend or remove it and import again.") from cause
