"""Kill writing processes at random moments, and count what is lost, half written or written twice.

    python benchmarks/facts_kill.py [--kills 200] [--writers 4] [--backend sqlite|postgres] [--seed 0] [--json FILE]

Several processes write documents into one store, each its own, and note every document that was acknowledged. One
of them is killed (SIGKILL) at a random moment and started again, over and over. In the end all finish, and the state
must be that of one process that wrote the same documents undisturbed. Exit code 1 if anything is amiss.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Literal

import numpy as np
import servers
import sqlalchemy as sql

from dateline.facts import ExactIndex, Fact, FactStore, MemoryLedger, Operation, open_store
from dateline.facts.maintenance import Verification, verify
from dateline.facts.opening import LEDGER
from dateline.facts.operation import AddFact, MakeFalse
from dateline.temporal.interval import Interval

Index = Literal["file", "chroma"]

DIMENSIONS = 64
START = datetime(2025, 1, 1, tzinfo=UTC)
OWN_FACTS = 5
SHARED_BY = 20
"""So many documents in a row of every writer also state one fact that all writers share."""

LONGEST_WAIT = 0.05
"""Seconds between a writer's first word after its start and the kill, at most."""

PAUSE = 0.02
"""Seconds between two documents of a writer: SQLite's lock is not fair, and none shall starve the others of it."""

PATIENCE = 120.0
# Forks of a process without threads: a lock that a thread holds at a fork is never released in the child.
CLEAN = multiprocessing.get_context("forkserver")
CLEAN.set_forkserver_preload(["__main__", "dateline.facts"])


class HashedTexts:
    """Embeddings that cost nothing: every text has a direction of its own."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
        vector: list[float] = np.random.default_rng(seed).standard_normal(DIMENSIONS).tolist()
        return vector


@dataclass
class Outcome:
    """What the kills did; from `lost` on, everything must be 0, true or empty."""

    kills: int = 0
    documents: int = 0
    operations: int = 0
    unacknowledged_but_whole: int = 0
    seconds: float = 0.0
    lost: int = 0
    half_written: int = 0
    written_twice: int = 0
    same_state: bool = False
    problems: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        amiss = self.lost + self.half_written + self.written_twice + len(self.problems)
        return self.same_state and amiss == 0


def document_of(writer: int, number: int) -> tuple[str, list[Operation]]:
    """A document's id and what it says: new facts, one that it shares, and a denial of what the last one said."""
    document = f"writer {writer} document {number}"
    common: dict[str, Any] = {
        "document": document,
        "when": Interval.of_year(1000 + number % 1000),
        "known_at": START + timedelta(seconds=number),
    }
    facts = [Fact.make(f"Lamp {row} of {document} is on.") for row in range(OWN_FACTS)]
    facts.append(Fact.make(f"Mill {number // SHARED_BY} turns."))
    operations: list[Operation] = [AddFact(**common, fact=fact) for fact in facts]
    if number:
        before = Fact.make(f"Lamp 0 of writer {writer} document {number - 1} is on.")
        operations.append(MakeFalse(**common, fact_id=before.id))
    return document, operations


def write(where: str, index: Index | None, writer: int, notes: str, until: int | None) -> None:
    """The body of a writing process: goes on where its documents in the store end, and notes what is acknowledged."""
    with _open(where, index) as store, Path(notes).open("ab", buffering=0) as noted:
        mine = f"writer {writer} "
        number = sum(document.startswith(mine) for document in store.documents())
        while until is None or number < until:
            store.apply(*document_of(writer, number))
            noted.write(b"%d\n" % number)
            number += 1
            time.sleep(PAUSE)


class Writer:
    """One writing process after the other."""

    def __init__(self, number: int, *, where: str, index: Index | None, notes: Path) -> None:
        self.number = number
        self.notes = notes
        self._arguments = (where, index, number, str(notes))
        self._process: BaseProcess | None = None
        self._noted = 0
        notes.touch()

    def start(self, *, until: int | None = None) -> None:
        self._noted = self.notes.stat().st_size
        self._process = CLEAN.Process(target=write, args=(*self._arguments, until), daemon=True)
        self._process.start()

    def await_word(self) -> None:
        """Until it has acknowledged something since it was started."""
        end = time.monotonic() + PATIENCE
        while self.notes.stat().st_size == self._noted:
            if self._process is None or not self._process.is_alive() or time.monotonic() > end:
                raise RuntimeError(f"Writer {self.number} writes nothing.")
            time.sleep(0.002)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.join()

    def finish(self) -> None:
        assert self._process is not None
        self._process.join(PATIENCE)
        if self._process.exitcode != 0:
            raise RuntimeError(f"Writer {self.number} did not finish.")

    def acknowledged(self) -> set[int]:
        return {int(line) for line in self.notes.read_text().split()}


def run(
    where: str, *, ledger: str, kills: int, writers: int = 4, seed: int = 0, index: Index | None = "file"
) -> Outcome:
    """Write and kill; `where` is what `open_store` takes, `ledger` the URL of the ledger's database."""
    chance, started, outcome = random.Random(seed), time.perf_counter(), Outcome(kills=kills)
    _open(where, index).close()
    with tempfile.TemporaryDirectory() as folder:
        running = [Writer(n, where=where, index=index, notes=Path(folder) / f"{n}") for n in range(writers)]
        for writer in running:
            writer.start()
        try:
            for _ in range(kills):
                victim = chance.choice(running)
                victim.await_word()
                time.sleep(chance.uniform(0.0, LONGEST_WAIT))
                victim.kill()
                _check(victim, ledger=ledger, outcome=outcome)
                victim.start()
        finally:
            for writer in running:
                writer.kill()
        # The last two kills of a writer may each have left a whole document without its acknowledgement.
        until = 3 + max(max(writer.acknowledged(), default=0) for writer in running)
        for writer in running:
            writer.start(until=until)
        for writer in running:
            writer.finish()
            outcome.unacknowledged_but_whole += _check(writer, ledger=ledger, outcome=outcome)
    outcome.documents = until * writers
    with _open(where, index) as store:
        checked: Verification = verify(store)
        outcome.operations, outcome.problems = checked.operations, list(checked.problems)
        outcome.same_state = _state(store) == _undisturbed(writers=writers, until=until)
    outcome.seconds = round(time.perf_counter() - started, 1)
    return outcome


def _check(writer: Writer, *, ledger: str, outcome: Outcome) -> int:
    """Hold what the ledger has of a writer that is not running against what it acknowledged.

    Returns how many documents are whole though the kill came before their acknowledgement.
    """
    engine = sql.create_engine(ledger)
    with engine.connect() as connection:
        stored = connection.execute(
            sql.text("SELECT document, id FROM dateline_operations WHERE document LIKE :mine"),
            {"mine": f"writer {writer.number} %"},
        ).all()
    engine.dispose()
    rows = Counter(document for document, _ in stored)
    acknowledged = {f"writer {writer.number} document {number}" for number in writer.acknowledged()}
    expected = {document: len(document_of(writer.number, int(document.split()[-1]))[1]) for document in rows}
    outcome.lost += len(acknowledged - rows.keys())
    outcome.half_written += sum(rows[document] < whole for document, whole in expected.items())
    outcome.written_twice += len(stored) - len({id for _, id in stored})
    outcome.written_twice += sum(rows[document] > whole for document, whole in expected.items())
    return len(rows.keys() - acknowledged)


def _undisturbed(*, writers: int, until: int) -> dict[str, Any]:
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=HashedTexts()) as store:
        for number in range(until):
            for writer in range(writers):
                store.apply(*document_of(writer, number))
        return _state(store)


def _state(store: FactStore) -> dict[str, Any]:
    return {history.fact.id: history for history in store.at(which="any")}


def _open(where: str, index: Index | None) -> FactStore:
    return open_store(where, embeddings=HashedTexts(), index=index or "auto")


@contextmanager
def _backend(name: str) -> Iterator[tuple[str, str, Index | None]]:
    if name == "postgres":
        given = os.environ.get("DATELINE_TEST_POSTGRES")
        if given:
            yield given, given, None
            return
        with servers.postgres() as url:
            yield url, url, None
        return
    with tempfile.TemporaryDirectory() as folder:
        yield folder, f"sqlite:///{Path(folder) / LEDGER}", "file"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--backend", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with _backend(options.backend) as (where, ledger, index):
        outcome = run(
            where, ledger=ledger, kills=options.kills, writers=options.writers, seed=options.seed, index=index
        )
    result = {"backend": options.backend, "writers": options.writers, **asdict(outcome), "sound": outcome.sound}
    print(json.dumps(result, indent=2))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")
    sys.exit(0 if outcome.sound else 1)


if __name__ == "__main__":
    main()
