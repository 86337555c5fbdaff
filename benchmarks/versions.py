"""How often the right one of many versions of a fact comes first: wrapper, folder search, fact store; and what it costs.

    python benchmarks/versions.py [--json FILE] [--only wrapper,folder,facts,overhead] [--sizes 50,200,1000]
                                  [--asks 20] [--seed 0] [--world made]

A world holds n versions of each of several states (who is director, what is the price, ...) from 1990 to 2025, among 2,500
dated passages about other subjects, and is asked as of days in its first third and elsewhere, a quarter of the times with
the day in the question and no `as_of`. Right is the newest version published by that day. `look_alike_*`: as many passages
about narrower or other things lie between the versions. Doors: `wrapper` is LangChain's TemporalRetriever over Chroma on disk,
`stamped` the same over documents that went through DateStamper, `folder` is FolderSearch, `facts` a FactStore fed by
LocalUpdater. Beside them what a user would write without us: `plain` Chroma, and `newest`, the newest of the 50 that
Chroma finds with its own date filter. Documents carry a date in ISO form.

`stamped_overhead_ms` is processor time of a new process: fresh questions over 100-word passages, less the store's own search;
`stamped_queries_ms` is what the store itself takes meanwhile, for its nearest, its nearest of the period and its newest.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from typing import Any

from langchain_chroma import Chroma
from langchain_core.documents import Document
from versions_world import Ask, Passage, World, long_passages, long_questions, make_world

from dateline import Evidence
from dateline.facts import FactStore, LocalUpdater, open_store
from dateline.facts.fact import FoundFact
from dateline.search import FolderSearch
from dateline.temporal.interval import Interval
from dateline.text import default_embeddings
from dateline.text.disk_cache import CachedEmbeddings
from langchain_dateline import DateStamper, TemporalRetriever

DOORS = ("wrapper", "folder", "facts", "overhead")
SIZES = (50, 200, 1_000)
ALIKE = 200
"""Versions of each state between which look-alikes are put."""

OTHERS, FACT_OTHERS = 2_500, 300
NEWEST_OF = 50
DEEP = 50
"""A right version that is not first is looked for among so many."""

PLAIN_K = 5
LONG, WORDS, QUESTIONS, WARM_UP = 300, 100, 20, 3
BATCH = 5_000
KNOWN = datetime(2026, 1, 1, tzinfo=UTC)

Door = Callable[[Ask, int], Sequence[str]]
"""Returns the ids of the best passages for a question."""


@dataclass
class Bench:
    """Encoder, a folder for stores, and what was measured so far."""

    folder: Path
    world: str
    asks: int
    seed: int
    figures: dict[str, Any]
    details: list[dict[str, Any]]

    def __post_init__(self) -> None:
        self.own = default_embeddings()
        where = Path(tempfile.gettempdir()) / f"dateline-versions-{os.getuid()}"
        self.cached = CachedEmbeddings(self.own, name=self.own.name, folder=where)

    def make(self, versions: int, *, others: int = OTHERS, look_alikes: bool = False) -> World:
        """The world in one size."""
        return make_world(
            self.world, versions=versions, others=others, asks=self.asks, look_alikes=look_alikes, seed=self.seed
        )

    def chroma(self, name: str, documents: Sequence[Document], ids: Sequence[str]) -> Chroma:
        """A collection on disk, filled through the cache and opened with the encoder itself."""
        where = str(self.folder / name)
        filling = Chroma(name, embedding_function=self.cached, persist_directory=where)
        for start in range(0, len(documents), BATCH):
            filling.add_documents(list(documents[start : start + BATCH]), ids=list(ids[start : start + BATCH]))
        return Chroma(name, embedding_function=self.own, persist_directory=where)

    def ask(self, name: str, world: World, door: Door) -> None:
        """Ask everything of one door; count the right ones that come first, and say where the others went."""
        by_id = {each.id: each for each in world.passages}
        rows, began = [], time.process_time()
        for ask in world.asks:
            found = door(ask, PLAIN_K)
            row = {"door": name, "kind": ask.kind, "early": ask.early, "dated": ask.dated, "first": "nothing"}
            if found:
                row["first"] = _what(by_id.get(found[0]), ask)
            if row["first"] != "right":
                deep = door(ask, DEEP)
                row["place"] = deep.index(ask.right.id) + 1 if ask.right.id in deep else None
                row |= {"question": ask.question, "as_of": None if ask.dated else ask.day.isoformat()}
                row |= {"right": ask.right.text, "got": by_id[found[0]].text if found and found[0] in by_id else ""}
            rows.append(row)
        self.details += rows
        self.figures[name] = round(100 * statistics.mean(row["first"] == "right" for row in rows), 1)
        spent = (time.process_time() - began) / len(rows) * 1000
        print(f"{name:28}{self.figures[name]:6.1f} %   {spent:7.0f} ms   {_misses(rows)}", flush=True)


def _what(passage: Passage | None, ask: Ask) -> str:
    """What came first, seen from the right one."""
    if passage is None:
        return "another sentence"
    if passage.id == ask.right.id:
        return "right"
    if passage.state == ask.right.state:
        return "later" if passage.day > ask.day else "older"
    return "look-alike" if passage.like == ask.right.state else "other"


def _misses(rows: Sequence[dict[str, Any]]) -> str:
    """Why the others were not: what came first, and whether the right one was among the found."""
    missed = [row for row in rows if row["first"] != "right"]
    told = ", ".join(f"{count} {what}" for what, count in Counter(row["first"] for row in missed).most_common())
    absent = sum(row["place"] is None for row in missed)
    return f"{told}; of these {absent} not among {DEEP}" if missed else ""


# -- doors ----------------------------------------------------------------------------------------------------


def _documents(world: World) -> list[Document]:
    return [Document(each.text, metadata=each.metadata) for each in world.passages]


def _ids(documents: Sequence[Document]) -> list[str]:
    return [each.metadata["source"].rsplit("/", 1)[1] for each in documents]


def _as_of(ask: Ask) -> str | None:
    return None if ask.dated else ask.day.isoformat()


def wrapped(store: Chroma) -> Door:
    """TemporalRetriever as it is, nothing but the store given."""
    retriever = TemporalRetriever(retriever=store)
    return lambda ask, k: _ids(retriever.invoke(ask.question, k=k, as_of=_as_of(ask)))


def plain(store: Chroma) -> Door:
    """The store alone."""
    return lambda ask, k: _ids(store.similarity_search(ask.question, k=k))


def newest(store: Chroma) -> Door:
    """The store with its own filter on a whole number of days, the newest of what it finds first."""

    def found(ask: Ask, k: int) -> list[str]:
        known: Any = {"ordinal": {"$lte": ask.day.toordinal()}}
        near = store.similarity_search(ask.plain, k=NEWEST_OF, filter=known)
        return _ids(sorted(near, key=lambda each: -each.metadata["ordinal"]))[:k]

    return found


def folder(world: World, embeddings: CachedEmbeddings) -> Door:
    """FolderSearch as it is; its encoder's vectors are kept on disk between runs."""
    documents = [
        {"text": each.text, "date": each.metadata["date"], "url": each.metadata["source"]} for each in world.passages
    ]
    search = FolderSearch.from_documents(documents, embeddings=embeddings)

    def found(ask: Ask, k: int) -> list[str]:
        moment = KNOWN if ask.dated else datetime(ask.day.year, ask.day.month, ask.day.day, 12, tzinfo=UTC)
        return [each.url.rsplit("/", 1)[1] for each in search.search(ask.question, as_of=moment, k=k).evidence]

    return found


def wrapper_part(bench: Bench, sizes: Sequence[int]) -> None:
    """The wrapper over both stores, and what a user would pick, at every size and between look-alikes."""
    for size, alike in [*((size, False) for size in sizes), (ALIKE, True)]:
        world = bench.make(size, look_alikes=alike)
        documents, ids = _documents(world), [each.id for each in world.passages]
        end = f"look_alike_first_{size}" if alike else f"first_{size}"
        store = bench.chroma(f"plain-{end}", documents, ids)
        bench.ask("look_alike_first_200" if alike else f"wrapper_{end}", world, wrapped(store))
        stamped = bench.chroma(f"stamped-{end}", DateStamper().transform_documents(documents), ids)
        bench.ask(f"stamped_{end}", world, wrapped(stamped))
        numbered = [
            Document(each.text, metadata={**each.metadata, "ordinal": each.day.toordinal()}) for each in world.passages
        ]
        bench.ask(f"plain_{end}", world, plain(store))
        bench.ask(f"newest_{end}", world, newest(bench.chroma(f"newest-{end}", numbered, ids)))


def folder_part(bench: Bench, sizes: Sequence[int]) -> None:
    """FolderSearch at every size and between look-alikes."""
    for size, alike in [*((size, False) for size in sizes), (ALIKE, True)]:
        world = bench.make(size, look_alikes=alike)
        name = f"folder_look_alike_first_{size}" if alike else f"folder_first_{size}"
        bench.ask(name, world, folder(world, bench.cached))


def facts_part(bench: Bench, sizes: Sequence[int]) -> None:
    """A fact store that learnt the same from the oldest document to the newest; asked beside the day, always."""
    for size, alike in [*((size, False) for size in sizes), (ALIKE, True)]:
        world = bench.make(size, others=FACT_OTHERS, look_alikes=alike)
        name = f"facts_look_alike_first_{size}" if alike else f"facts_first_{size}"
        with open_store(bench.folder / name, embeddings=bench.cached) as store:
            updater, ids = LocalUpdater(store), dict[str, str]()
            for each in sorted(world.passages, key=lambda each: each.day):
                read = Evidence.make(
                    each.text,
                    url=each.metadata["source"],
                    published=Interval.of_day(each.day.year, each.day.month, each.day.day),
                )
                ids[read.id] = each.id
                updater.update([read], known_at=KNOWN)
            bench.ask(name, world, believed(store, ids))


def believed(store: FactStore, ids: Mapping[str, str]) -> Door:
    """The documents behind the facts that a search finds; a fact counts for the right one where it holds its value."""

    def document(fact: FoundFact, ask: Ask) -> str:
        spoken = [ids[entry.document] for entry in fact.entries if entry.true]
        if ask.right.id in spoken and ask.right.value in fact.fact.text:
            return ask.right.id
        return next((each for each in reversed(spoken) if each != ask.right.id), f"another sentence of {ask.right.id}")

    return lambda ask, k: [document(each, ask) for each in store.search(ask.plain, as_of=ask.day, k=k)]


# -- what it costs ----------------------------------------------------------------------------------------------


def overhead_part(bench: Bench) -> None:
    """A stamped store on disk, asked by a process that has seen none of it."""
    passages = long_passages(LONG, words=WORDS, seed=bench.seed)
    documents = DateStamper().transform_documents([Document(each.text, metadata=each.metadata) for each in passages])
    bench.chroma("overhead", documents, [each.id for each in passages])
    # Whatever a first use fills on disk is filled by a process of its own.
    for _ in range(2):
        command = [sys.executable, __file__, "--overhead", str(bench.folder / "overhead"), "--seed", str(bench.seed)]
        told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    bench.figures |= json.loads(told.splitlines()[-1])
    print(told.splitlines()[-1])


def overhead(where: str, *, seed: int) -> dict[str, Any]:
    """Medians over fresh questions; no question is asked twice, so that neither side finds the other's vector."""
    own = default_embeddings()
    store = Chroma("overhead", embedding_function=own, persist_directory=where)
    retriever = TemporalRetriever(retriever=store)
    asked = long_questions(2 * (QUESTIONS + WARM_UP), seed=seed)
    taken: tuple[list[float], list[float]] = ([], [])
    search, within = store.similarity_search_by_vector, list[float]()

    @wraps(search)
    def timed(*given: Any, **more: Any) -> list[Document]:
        started = time.process_time()
        found = search(*given, **more)
        within[-1] += (time.process_time() - started) * 1000
        return found

    store.similarity_search_by_vector = timed  # type: ignore[method-assign]
    for number, (question, day) in enumerate(asked):
        side = number // 2 % 2
        within.append(0.0)
        started = time.process_time()
        if side:
            retriever.invoke(question, as_of=day.isoformat())
        else:
            store.similarity_search(question, k=PLAIN_K)
        if number >= 2 * WARM_UP:
            taken[side].append((time.process_time() - started) * 1000)
    alone, with_us = (statistics.median(each) for each in taken)
    return {
        "stamped_overhead_ms": round(with_us - alone, 1),
        "stamped_overhead_most_ms": round(max(taken[1]) - alone, 1),
        "stamped_queries_ms": round(statistics.median(filter(None, within[2 * WARM_UP :])), 1),
        "store_alone_ms": round(alone, 1),
        "overhead_n": len(taken[1]),
    }


# -- running -----------------------------------------------------------------------------------------------------


@contextmanager
def stores() -> Iterator[Path]:
    """A folder for the stores, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="versions-", ignore_cleanup_errors=True) as where:
        yield Path(where)


def run(only: Sequence[str], *, world: str, sizes: Sequence[int], asks: int, seed: int) -> dict[str, Any]:
    """All figures of one world, with what is needed to judge them."""
    began, load = time.perf_counter(), os.getloadavg()
    with stores() as where:
        bench = Bench(where, world, asks, seed, {}, [])
        if "wrapper" in only:
            wrapper_part(bench, sizes)
        if "folder" in only:
            folder_part(bench, sizes)
        if "facts" in only:
            facts_part(bench, sizes)
        if "overhead" in only:
            overhead_part(bench)
    return bench.figures | {
        "world": world,
        "n": asks,
        "seed": seed,
        "encoder": bench.own.name,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "load": [round(each, 1) for each in (*load[:1], *os.getloadavg()[:1])],
        "seconds": round(time.perf_counter() - began),
        "details": bench.details,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", default=",".join(DOORS), help="some of these, with commas between")
    parser.add_argument("--sizes", default=",".join(str(each) for each in SIZES))
    parser.add_argument("--asks", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--world", default="made", help="a file of versions_worlds")
    parser.add_argument("--overhead", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.overhead:
        print(json.dumps(overhead(given.overhead, seed=given.seed)))
        return
    sizes = [int(each) for each in given.sizes.split(",") if each]
    figures = run(given.only.split(","), world=given.world, sizes=sizes, asks=given.asks, seed=given.seed)
    print(json.dumps({name: value for name, value in figures.items() if name != "details"}, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
