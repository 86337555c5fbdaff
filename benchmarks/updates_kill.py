"""Kill an ingestion by a chat model at random moments, and count what is lost, half applied or paid for twice.

    python benchmarks/updates_kill.py [--kills 100] [--seed 0] [--json FILE]

A process takes in documents one after the other; the scripted model notes every call in a file, synced to disk before
it replies. The process is killed (SIGKILL) at random moments and started again until all documents are in. Then the
store must be that of an undisturbed run, and no reply that was kept may have been asked for again. A reply that the
kill caught on its way, between the model's note and the store's, must be asked for again by any client: those
are counted apart. No second word confirms what ends a fact: it reads and writes nothing, and would take most of the time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from updates_model import RuleModel

from dateline.facts import ChatUpdater, ExactIndex, FactStore, MemoryLedger, open_store
from dateline.facts.maintenance import verify
from dateline.records import Evidence
from dateline.temporal.interval import Interval

NOW = datetime(2025, 1, 1, tzinfo=UTC)
MILLS, PIECE_TOKENS = 4, 60
DIMENSIONS = 64
LONGEST_WAIT = 0.25
CALL_SECONDS = 0.01
PATIENCE = 120.0
# Forks of a process without threads: a lock that a thread holds at a fork is never released in the child.
CLEAN = multiprocessing.get_context("forkserver")
CLEAN.set_forkserver_preload(["__main__", "dateline.facts"])


class SlotEmbeddings:
    """What is said of one mill points one way; has the methods of LangChain's `Embeddings`."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        slot = text.split(" is ")[0]
        seed = int.from_bytes(hashlib.blake2b(slot.encode(), digest_size=8).digest(), "big")
        vector: list[float] = np.random.default_rng(seed).standard_normal(DIMENSIONS).tolist()
        return vector


@dataclass
class Outcome:
    """What the kills did; from `lost` on, everything must be 0, true or empty."""

    kills: int = 0
    documents: int = 0
    calls: int = 0
    caught_on_the_way: int = 0
    seconds: float = 0.0
    lost: int = 0
    half_applied: int = 0
    paid_twice: int = 0
    same_state: bool = False
    problems: list[str] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        return self.same_state and not (self.lost or self.half_applied or self.paid_twice or self.problems)


def document_of(number: int) -> Evidence:
    """Every document has a few pieces and gives the mills of a village new keepers."""
    village = number // 10
    text = " ".join(f"The keeper of mill {mill} of village {village} is Keeper {number}." for mill in range(MILLS))
    return Evidence.make(text, source=f"gazette {number}", published=Interval.of_year(1000 + number))


def ingest(where: str, calls: str, documents: int) -> None:
    """The body of the process that is killed."""
    with open_store(where, embeddings=SlotEmbeddings()) as store:
        model = RuleModel(calls=Path(calls), seconds=CALL_SECONDS)
        updater = ChatUpdater(store, model, piece_tokens=PIECE_TOKENS, confirms=0.0)
        for number in range(documents):
            updater.update([document_of(number)], known_at=NOW)


class Undisturbed:
    """The same documents taken in without any kill."""

    def __init__(self) -> None:
        self.store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=SlotEmbeddings())
        self._updater = ChatUpdater(self.store, RuleModel(), piece_tokens=PIECE_TOKENS, confirms=0.0)
        self._taken_in = 0

    def take_in(self, documents: int) -> None:
        while self._taken_in < documents:
            self._updater.update([document_of(self._taken_in)], known_at=NOW)
            self._taken_in += 1

    def sizes(self) -> Counter[str]:
        """How many operations each document amounts to."""
        return Counter(operation.document for _, operation in self.store.ledger.operations())


def run(where: Path, *, kills: int, documents: int = 40, seed: int = 0) -> Outcome:
    """Take in and kill; where the documents are all in before the last kill, as many more follow."""
    chance, started, outcome = random.Random(seed), time.perf_counter(), Outcome()
    store, calls = str(where / "store"), where / "calls"
    calls.touch()
    undisturbed, total = Undisturbed(), documents
    while outcome.kills < kills:
        noted, kept = len(_noted(calls)), _kept(store)
        process = _start(store, calls, total)
        _await_work(process, calls)
        process.join(chance.uniform(0.0, LONGEST_WAIT))
        if process.exitcode is None:
            process.kill()
            outcome.kills += 1
        else:
            total += documents
        process.join()
        undisturbed.take_in(total)
        outcome.half_applied += _half_applied(store, undisturbed.sizes())
        outcome.paid_twice += sum(call in kept for call in _noted(calls)[noted:])
    process = _start(store, calls, total)
    process.join(PATIENCE)
    if process.exitcode != 0:
        raise RuntimeError("The ingestion did not finish.")
    noted_calls = _noted(calls)
    outcome.documents, outcome.calls = total, len(noted_calls)
    outcome.caught_on_the_way = len(noted_calls) - len(set(noted_calls)) - outcome.paid_twice
    with open_store(store, embeddings=SlotEmbeddings()) as final:
        outcome.lost = total - len(final.documents())
        outcome.problems = list(verify(final).problems)
        outcome.same_state = _state(final) == _state(undisturbed.store)
    outcome.seconds = round(time.perf_counter() - started, 1)
    return outcome


def _start(store: str, calls: Path, documents: int) -> Any:
    process = CLEAN.Process(target=ingest, args=(store, str(calls), documents), daemon=True)
    process.start()
    return process


def _await_work(process: Any, calls: Path) -> None:
    """Until it asks its model, so that the kill meets calls, notes and transactions rather than the opening."""
    size, end = calls.stat().st_size, time.monotonic() + PATIENCE
    while calls.stat().st_size == size and process.is_alive() and time.monotonic() < end:
        time.sleep(0.001)


def _noted(calls: Path) -> list[str]:
    return calls.read_text().split()


def _kept(where: str) -> set[str]:
    """The prompts whose replies the store holds."""
    with open_store(where, embeddings=SlotEmbeddings()) as store:
        notes = store.ledger.notes.all("reply").values()
    return {json.loads(json.loads(note)["text"])["prompt"] for note in notes}


def _half_applied(where: str, sizes: Counter[str]) -> int:
    with open_store(where, embeddings=SlotEmbeddings()) as store:
        held = Counter(operation.document for _, operation in store.ledger.operations())
    return sum(count != sizes[document] for document, count in held.items())


def _state(store: FactStore) -> dict[str, Any]:
    return {history.fact.id: history for history in store.at(which="any")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(Path(folder), kills=options.kills, seed=options.seed)
    result = {**asdict(outcome), "sound": outcome.sound}
    print(json.dumps(result, indent=2))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")
    sys.exit(0 if outcome.sound else 1)


if __name__ == "__main__":
    main()
