"""How fast, how exact and how large the fact store is, embeddings given.

    python benchmarks/facts.py [--million] [--no-chroma] [--queries 200] [--json FILE] [--figure FILE]
    python benchmarks/facts.py --update [--facts 300000] [--folder DIR] [--json FILE]
    python benchmarks/facts.py --slot [--json FILE]

One store grows from 10,000 facts to 100,000 (to 1,000,000 with --million) and is asked at every size, each query as of
another day. Vectors have 384 numbers and lie in 2,000 clusters, as texts of one form do; a fifth of the facts is denied
later, so that half of the days see a fifth fewer. Beside it: vectors without any structure, the hardest case for the
sketch, and a Chroma collection that filters by two whole numbers of its own (from, until), which is as near as it comes.

--update takes documents in by LocalUpdater, in turn into a store of 1,000 facts and one of many; --slot in turn into a slot
of 10 versions and one of 1,000. Both give medians of processor time and their ratio; --update opens the large store, too, and tells what the first read
and the first update behind it take.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dateline import Evidence
from dateline.facts import Fact, FactStore, LocalUpdater, Operation, open_store
from dateline.facts.fact_reader import read_facts
from dateline.facts.file import FileIndex
from dateline.facts.index import Vectors
from dateline.facts.opening import VECTORS
from dateline.facts.operation import AddFact, MakeFalse
from dateline.temporal.interval import Interval

DIMENSIONS, CLUSTERS, SPREAD = 384, 2_000, 0.04
"""A spread of 0.04 a number puts two texts of one cluster at a cosine of about 0.6."""

SIZES = (10_000, 30_000, 100_000)
LARGE_SIZES = (300_000, 1_000_000)
PER_DOCUMENT = 10
DENIED = 2
"""Facts of a document that are denied from 2026 on."""

FIRST_YEAR, YEARS, LAST_YEAR = 1990, 35, 2026
WARM_UP, UPDATES, SLOT_UPDATES = 5, 85, 17
"""Updates that are not counted, and all of them; a slot of 10 versions must not grow by many."""

K = 10
START = datetime(2025, 1, 1, tzinfo=UTC)


class Unused:
    """Every vector is given; only the number of dimensions is asked for."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [1.0] + [0.0] * (DIMENSIONS - 1)


@dataclass(frozen=True)
class Queries:
    """What is asked: unit vectors, shape (n, dimensions), each as of a day and as known at a moment."""

    vectors: Vectors
    days: list[date]
    known: list[datetime]


def unit(rows: npt.NDArray[Any]) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / lengths, dtype=np.float32)


class Clusters:
    """Vectors around centres."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._centres = unit(np.random.default_rng(0).standard_normal((CLUSTERS, DIMENSIONS)))

    def draw(self, count: int) -> Vectors:
        centres = self._centres[self._random.integers(0, CLUSTERS, count)]
        return unit(centres + SPREAD * self._random.standard_normal((count, DIMENSIONS), dtype=np.float32))


def queries(count: int, *, facts: int) -> Queries:
    random = np.random.default_rng(1)
    return Queries(
        vectors=Clusters(seed=2).draw(count),
        days=[date(FIRST_YEAR + int(year), 6, 1) for year in random.integers(0, LAST_YEAR - FIRST_YEAR + 1, count)],
        known=[START + timedelta(seconds=float(part) * facts / PER_DOCUMENT) for part in random.random(count)],
    )


# -- the store ------------------------------------------------------------------------------------


def fill(store: FactStore, *, start: int, end: int, vectors: Clusters) -> float:
    """Write facts `start` to `end`; the seconds that the store took."""
    seconds = 0.0
    for number in range(start // PER_DOCUMENT, end // PER_DOCUMENT):
        document = f"document {number}"
        common: dict[str, Any] = {"document": document, "known_at": START + timedelta(seconds=number)}
        facts = [Fact.make(f"Fact {number * PER_DOCUMENT + row} is stated.") for row in range(PER_DOCUMENT)]
        given = dict(zip([fact.id for fact in facts], vectors.draw(PER_DOCUMENT), strict=True))
        stated = Interval.of_year(FIRST_YEAR + number % YEARS)
        operations: list[Operation] = [AddFact(**common, when=stated, fact=fact) for fact in facts]
        operations += [
            MakeFalse(**common, when=Interval.of_year(LAST_YEAR), fact_id=fact.id) for fact in facts[:DENIED]
        ]
        started = time.perf_counter()
        store.apply(document, operations, vectors=given)
        seconds += time.perf_counter() - started
    return seconds


def true_on(day: date, *, facts: int) -> npt.NDArray[np.bool_]:
    """Shape (facts,): which rows hold on a day, computed from how they were written."""
    rows = np.arange(facts)
    stated = FIRST_YEAR + rows // PER_DOCUMENT % YEARS <= day.year
    denied = (rows % PER_DOCUMENT < DENIED) & (day.year >= LAST_YEAR)
    return np.asarray(stated & ~denied, dtype=np.bool_)


def nearest(rows: Vectors, query: Vectors, allowed: npt.NDArray[np.bool_]) -> set[int]:
    """The true answer: every allowed row compared in full."""
    scores = rows @ query
    scores[~allowed] = -np.inf
    return set(np.argpartition(-scores, K)[:K].tolist())


def ask(store: FactStore, asked: Queries, *, facts: int, rows: Vectors) -> dict[str, Any]:
    """Times of as-of reads, and how many of the true ten nearest they bring."""
    vectors, count = asked.vectors, len(asked.days)
    found: dict[int, set[int]] = {}

    def as_of(n: int) -> None:
        (hits,) = store.search_vectors(vectors[n : n + 1], k=K, as_of=asked.days[n])
        found[n] = {int(re.sub(r"\D", "", hit.fact.text)) for hit in hits}

    result: dict[str, Any] = {
        "facts": facts,
        "as_of": timed(as_of, times=count),
        "both_clocks": timed(
            lambda n: store.search_vectors(vectors[n : n + 1], k=K, as_of=asked.days[n], known_at=asked.known[n]),
            times=count,
        ),
        "now": timed(lambda n: store.search_vectors(vectors[n : n + 1], k=K), times=count),
    }
    true = [nearest(rows, vectors[n], true_on(asked.days[n], facts=facts)) for n in range(count)]
    result["recall_at_10"] = statistics.mean(len(true[n] & found[n]) / K for n in range(count))
    result["memory_mb"] = memory_mb()
    return result


def grow(sizes: Sequence[int], *, count: int) -> dict[str, Any]:
    """One store, asked at every size."""
    vectors, curve, written, seconds = Clusters(seed=3), [], 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        with open_store(folder, embeddings=Unused()) as store:
            for size in sizes:
                took = fill(store, start=written, end=size, vectors=vectors)
                rate = (size - written) * (PER_DOCUMENT + DENIED) / PER_DOCUMENT / took
                seconds, written = seconds + took, size
                store.flush()
                rows = np.memmap(Path(folder) / VECTORS, dtype="<f4", mode="r", shape=(size, DIMENSIONS))
                curve.append(ask(store, queries(count, facts=size), facts=size, rows=rows) | {"writes_per_s": rate})
                print(json.dumps(curve[-1]), flush=True)
        started = time.perf_counter()
        with open_store(folder, embeddings=Unused()) as store:
            store.search_vectors(queries(1, facts=written).vectors, k=1)
            opened = time.perf_counter() - started
        disk = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()) / 1e6
    return {
        "curve": curve,
        "ledger_writes_per_s": written * (PER_DOCUMENT + DENIED) / PER_DOCUMENT / seconds,
        "open_s": opened,
        "disk_mb": disk,
    }


# -- beside it ------------------------------------------------------------------------------------


def index_alone(facts: int, *, count: int, clustered: bool) -> dict[str, Any]:
    """The file index without a store, four in five rows allowed: rows a second, time and recall."""
    random = np.random.default_rng(4)
    if clustered:
        rows, asked = Clusters(seed=5).draw(facts), Clusters(seed=6).draw(count)
    else:
        rows = unit(random.standard_normal((facts, DIMENSIONS), dtype=np.float32))
        asked = unit(random.standard_normal((count, DIMENSIONS), dtype=np.float32))
    allowed = random.random(facts) < 0.8
    with tempfile.TemporaryDirectory() as folder:
        index = FileIndex(Path(folder) / VECTORS, dimensions=DIMENSIONS)
        started = time.perf_counter()
        for start in range(0, facts, 1_000):
            index.extend(rows[start : start + 1_000], start=start)
        built = time.perf_counter() - started
        found: dict[int, set[int]] = {}

        def search(n: int) -> None:
            found[n] = {row for row, _ in index.search(asked[n], k=K, allowed=allowed)}

        times = timed(search, times=count)
    recall = statistics.mean(len(nearest(rows, asked[n], allowed) & found[n]) / K for n in range(count))
    return {"facts": facts, "rows_per_s": facts / built, "recall_at_10": recall, **times}


def chroma(facts: int, *, count: int) -> dict[str, Any]:
    """Chroma on disk with (from, until) as metadata, default settings, filtered by its own `where`."""
    import chromadb
    from chromadb.config import Settings

    asked, rows = queries(count, facts=facts), Clusters(seed=3).draw(facts)
    numbers = np.arange(facts)
    since = FIRST_YEAR + numbers // PER_DOCUMENT % YEARS
    until = np.where(numbers % PER_DOCUMENT < DENIED, LAST_YEAR, 9999)
    with tempfile.TemporaryDirectory() as folder:
        client = chromadb.PersistentClient(path=folder, settings=Settings(anonymized_telemetry=False))
        collection = client.create_collection(
            "facts", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        started = time.perf_counter()
        for start in range(0, facts, 5_000):
            some = range(start, min(start + 5_000, facts))
            collection.add(
                ids=[str(n) for n in some],
                embeddings=rows[some.start : some.stop],
                metadatas=[{"from": int(since[n]), "until": int(until[n])} for n in some],
            )
        built = time.perf_counter() - started
        found: dict[int, set[int]] = {}

        def search(n: int) -> None:
            year = asked.days[n].year
            where = {"$and": [{"from": {"$lte": year}}, {"until": {"$gt": year}}]}
            hits = collection.query(query_embeddings=[asked.vectors[n]], n_results=K, where=where, include=[])
            found[n] = {int(id) for id in hits["ids"][0]}

        times = timed(search, times=count)
        client.close()
    true = [nearest(rows, asked.vectors[n], true_on(asked.days[n], facts=facts)) for n in range(count)]
    recall = statistics.mean(len(true[n] & found[n]) / K for n in range(count))
    return {"facts": facts, "rows_per_s": facts / built, "recall_at_10": recall, **times}


# -- updates --------------------------------------------------------------------------------------


class Hashed:
    """Every text lies near one of the clusters' centres, always at the same place."""

    def __init__(self) -> None:
        self._centres = unit(np.random.default_rng(0).standard_normal((CLUSTERS, DIMENSIONS)))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        random = np.random.default_rng(zlib.crc32(text.encode()))
        vector: list[float] = (
            self._centres[random.integers(CLUSTERS)] + SPREAD * random.standard_normal(DIMENSIONS)
        ).tolist()
        return vector


def mayor(town: int, day: int, *, name: str) -> Evidence:
    published = Interval.of_day(FIRST_YEAR + day // 336, 1 + day // 28 % 12, 1 + day % 28)
    return Evidence.make(f"{name} is the mayor of Town{town}.", title=f"{name} in {town}", published=published)


def fill_towns(store: FactStore, *, facts: int) -> None:
    """One fact a town, each in a slot of its own, a thousand to a document."""
    for start in range(0, facts, 1_000):
        document = f"register {start}"
        common: dict[str, Any] = {"document": document, "known_at": START, "when": Interval.of_year(FIRST_YEAR)}
        towns = range(start, min(start + 1_000, facts))
        read = [read_facts(mayor(town, 0, name="Ada Berg"))[0][0] for town in towns[:1]]
        tag = read[0].tags[0]
        stated = [
            Fact.make(f"Ada Berg is the mayor of Town{town}.", tags=(tag.replace(str(start), str(town)),))
            for town in towns
        ]
        store.apply(document, [AddFact(**common, fact=fact) for fact in stated])


def in_turn(stores: Sequence[FactStore], documents: Sequence[Sequence[Evidence]]) -> list[float]:
    """Median milliseconds of processor time of an update in each store, one document after the other in turn."""
    updaters = [LocalUpdater(store) for store in stores]
    taken: list[list[float]] = [[] for _ in stores]
    for number, some in enumerate(zip(*documents, strict=True)):
        for place, (updater, document) in enumerate(zip(updaters, some, strict=True)):
            started = time.process_time()
            updater.update([document], known_at=START)
            if number >= WARM_UP:
                taken[place].append(1000 * (time.process_time() - started))
    return [statistics.median(each) for each in taken]


def updates(facts: int, *, folder: Path) -> dict[str, Any]:
    """An update at 1,000 facts and at many, and opening the larger store."""
    embeddings, paths = Hashed(), [folder / str(size) for size in (1_000, facts)]
    for path in paths:
        if not path.exists():
            with open_store(path, embeddings=embeddings) as store:
                fill_towns(store, facts=int(path.name))
    figures: dict[str, Any] = {"facts": facts}
    small = open_store(paths[0], embeddings=embeddings)  # first: the larger one is opened with all modules imported
    small.search("the mayor of Town7", k=1)
    with measured(figures, "open_cpu_s"):
        large = open_store(paths[1], embeddings=embeddings)
    with measured(figures, "first_read_cpu_s"):
        large.search("the mayor of Town7", k=1)
    with measured(figures, "first_update_cpu_s"):
        LocalUpdater(large).update([mayor(8, 400, name=f"Ida Lind{large.ledger.last()}")], known_at=START)
    stores = [small, large]
    # A new fact of a known slot, and one of a new slot, in turn; other ones where the stores were kept.
    first = large.ledger.last()
    towns = [number if number % 2 else 10_000_000 + first + number for number in range(UPDATES)]
    documents = [mayor(town, 400, name=f"Jon Holm{first + number}") for number, town in enumerate(towns)]
    few, many = in_turn(stores, [documents, documents])
    for store in stores:
        store.close()
    return {**figures, "update_ms_1k": few, "update_ms_many": many, "update_ratio": many / few}


def slots() -> dict[str, Any]:
    """An update of a slot of 10 versions and of one of 1,000; each is measured on new stores of its own."""
    embeddings = Hashed()
    with tempfile.TemporaryDirectory() as folder:
        stores, documents = [], []
        for versions in (10, 1_000):
            store = open_store(Path(folder) / str(versions), embeddings=embeddings)
            LocalUpdater(store).update(
                [mayor(1, day, name=f"Ada Berg{day}") for day in range(versions)], known_at=START
            )
            stores.append(store)
            # Every one is newer than all, and comes between versions as often.
            days = [versions + number if number % 2 else versions // 2 for number in range(SLOT_UPDATES)]
            documents.append([mayor(1, day, name=f"Jon Holm{number}") for number, day in enumerate(days)])
        few, many = in_turn(stores, documents)
        for store in stores:
            store.close()
    return {"slot_ms_10": few, "slot_ms_1000": many, "slot_ratio": many / few}


@contextmanager
def measured(figures: dict[str, Any], name: str) -> Iterator[None]:
    """Note seconds of processor time."""
    started = time.process_time()
    yield
    figures[name] = time.process_time() - started


# -- figures --------------------------------------------------------------------------------------


def timed(action: Callable[[int], object], *, times: int) -> dict[str, float]:
    """Median and 95th percentile in milliseconds, waiting included and of processor time, after one call."""
    action(0)
    taken: dict[str, list[float]] = {"": [], "cpu_": []}
    for number in range(times):
        started, spent = time.perf_counter(), time.process_time()
        action(number)
        taken["cpu_"].append(1000 * (time.process_time() - spent))
        taken[""].append(1000 * (time.perf_counter() - started))
    return {
        f"{clock}p{share}_ms": float(np.percentile(each, share)) for clock, each in taken.items() for share in (50, 95)
    }


def memory_mb() -> float:
    """What the process holds of its own; pages of mapped files, which the system may drop, do not count."""
    status = Path("/proc/self/status").read_text()
    found = re.search(r"RssAnon:\s+(\d+) kB", status)
    return int(found.group(1)) / 1024 if found else float("nan")


def draw(result: dict[str, Any], path: Path) -> None:
    """The growth curve: time of an as-of read and memory against the number of facts."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    curve = result["curve"]
    sizes = [point["facts"] for point in curve]
    figure, (times, memory) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    for name, label in (("as_of", "as of a day"), ("both_clocks", "both clocks"), ("now", "at the latest")):
        times.plot(sizes, [point[name]["p95_ms"] for point in curve], marker="o", label=label)
    if "chroma" in result:
        beside = result["chroma"]
        times.plot([beside["facts"]], [beside["p95_ms"]], "s", color="black", label="Chroma, its own filter")
    times.set(xscale="log", yscale="log", xlabel="facts", ylabel="95th percentile, ms", title="Ten nearest facts")
    times.legend()
    memory.plot(sizes, [point["memory_mb"] for point in curve], marker="o", color="tab:green")
    memory.set(xscale="log", yscale="log", xlabel="facts", ylabel="MB", title="Memory of the process")
    for axes in (times, memory):
        axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


def rounded(value: Any) -> Any:
    """Four significant digits, all the way down."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    return [rounded(inner) for inner in value] if isinstance(value, list) else value


def headline(curve: Sequence[dict[str, Any]]) -> Iterator[tuple[str, float]]:
    names = {100_000: "100k", 1_000_000: "1m"}
    for point in curve:
        if point["facts"] in names:
            name = names[point["facts"]]
            yield f"as_of_p95_ms_{name}", point["as_of"]["p95_ms"]
            yield f"recall_at_10_{name}", point["recall_at_10"]
            yield f"memory_mb_{name}", point["memory_mb"]


def show(result: dict[str, Any], path: Path | None) -> None:
    result = rounded(result | {"cores": os.cpu_count(), "load": os.getloadavg()[0]})
    print(json.dumps(result, indent=2))
    if path:
        path.write_text(json.dumps(result, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--million", action="store_true", help="grow to a million facts; takes minutes")
    parser.add_argument("--chroma", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--figure", type=Path, help="where to draw the growth curve, a PNG")
    parser.add_argument("--update", action="store_true", help="measure updates at 1,000 and at --facts facts")
    parser.add_argument("--slot", action="store_true", help="measure updates of slots of 10 and of 1,000 versions")
    parser.add_argument("--facts", type=int, default=LARGE_SIZES[0], help="facts of the larger store of --update")
    parser.add_argument("--folder", type=Path, help="where the stores of --update are kept, to be measured again")
    options = parser.parse_args()
    if options.update or options.slot:
        with tempfile.TemporaryDirectory() as passing:
            found = updates(options.facts, folder=options.folder or Path(passing)) if options.update else {}
        show(found | (slots() if options.slot else {}), options.json)
        return
    result: dict[str, Any] = grow(SIZES + (LARGE_SIZES if options.million else ()), count=options.queries)
    result["index"] = index_alone(SIZES[-1], count=options.queries, clustered=True)
    result["index_no_structure"] = index_alone(SIZES[-1], count=options.queries, clustered=False)
    if options.chroma:
        result["chroma"] = chroma(SIZES[-1], count=options.queries)
    result["index_rows_per_s"] = result["index"]["rows_per_s"]
    show(dict(headline(result["curve"])) | result, options.json)
    if options.figure:
        draw(result, options.figure)


if __name__ == "__main__":
    main()
