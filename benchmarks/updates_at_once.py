"""Count what is paid when several bring the same document to one store at the same moment, and look at the ledger after.

    python benchmarks/updates_at_once.py [--writers 4] [--json FILE]

Threads, tasks of one event loop, and processes; the model is scripted and takes 0.3 s a call. The document changes five
known facts, so that one writer alone pays for three calls and leaves five ended facts and five new ones.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import tempfile
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from updates import NOW, document_of
from updates_model import RuleModel

from dateline.facts import ChatUpdater, FactStore, open_store
from dateline.text.lexical import LexicalEmbeddings

KNOWN = document_of(0, facts=5, keeper="Ada Berg", year=2015)
NEWS = document_of(0, facts=5, keeper="Bo Lind", year=2020)


def opened(folder: Path) -> FactStore:
    return open_store(folder / "facts", embeddings=LexicalEmbeddings())


def updater_of(store: FactStore, folder: Path) -> ChatUpdater:
    return ChatUpdater(store, RuleModel(calls=folder / "calls", seconds=0.3))


def threads(folder: Path, writers: int) -> None:
    with opened(folder) as store, ThreadPoolExecutor(writers) as pool:
        updater = updater_of(store, folder)
        for each in [pool.submit(updater.update, [NEWS], known_at=NOW) for _ in range(writers)]:
            each.result()


def tasks(folder: Path, writers: int) -> None:
    async def all_at_once(updater: ChatUpdater) -> None:
        await asyncio.gather(*(updater.aupdate([NEWS], known_at=NOW) for _ in range(writers)))

    with opened(folder) as store:
        asyncio.run(all_at_once(updater_of(store, folder)))


def processes(folder: Path, writers: int) -> None:
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(writers)
    started = [context.Process(target=_process, args=(folder, together)) for _ in range(writers)]
    for each in started:
        each.start()
    for each in started:
        each.join(timeout=120)
        assert each.exitcode == 0, f"A writer ended with {each.exitcode}."


def _process(folder: Path, together: Barrier) -> None:
    with opened(folder) as store:
        updater = updater_of(store, folder)
        together.wait(timeout=60)
        updater.update([NEWS], known_at=NOW)


def measure(way: Any, writers: int) -> dict[str, Any]:
    """Calls, and how many entries the facts have: one for each new fact, two for each that was ended."""
    with tempfile.TemporaryDirectory(prefix="dateline-at-once-") as name:
        folder = Path(name)
        with opened(folder) as store:
            ChatUpdater(store, RuleModel()).update([KNOWN], known_at=NOW)
        way(folder, writers)
        with opened(folder) as store:
            entries = sorted(len(history.entries) for history in store.at(which="any"))
        return {"calls": len((folder / "calls").read_text().splitlines()), "entries": entries}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    result = {way.__name__: measure(way, options.writers) for way in (threads, tasks, processes)}
    print(json.dumps(result))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
