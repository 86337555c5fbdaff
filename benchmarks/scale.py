"""A folder of 200,000 passages: indexed, opened again, one file changed, asked through the whole graph without reading.

    python benchmarks/scale.py [--passages 200000] [--files 2000] [--questions 30] [--json FILE] [--folder DIR]

The texts are made up, 60 words each, one a line of JSONL files; the vectors have 384 numbers, drawn by the hash of their text, so that
the encoder costs next to nothing and finds nothing: content is found by words. Every step runs in a process of its
own, over one cache folder that is made for the run; `--folder` keeps folder and index for the next run. Seconds are the
processor's, of all threads; `wall` says what a clock showed. `memory_mb` is what the process held at most, `before_mb` what it held
after the imports.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from versions_world import long_passages, long_questions

from dateline import Certainty, Evidence, Question, Reading
from dateline.protocols import Search
from dateline.ranking import HybridRanker
from dateline.search.index import FolderIndex
from dateline.testing import ScriptedReader
from dateline.text.array_embeddings import ArrayEmbeddingsBase
from dateline_graphs import AnswerOptions, answer_graph
from dateline_graphs.components import default_components

DIMENSIONS, POOL = 384, 4_096
WORDS = 60
NOW = datetime(2026, 1, 1, tzinfo=UTC)
NEWS = "The zeppelin hangar at Quarley was painted in ultramarine."
STEPS = ("index", "open", "change", "ask")


class HashedEmbeddings(ArrayEmbeddingsBase):
    """Two of a pool of random vectors, chosen by the text's hash."""

    name = kept_as = "hashed-384"

    def __init__(self) -> None:
        self._pool = np.random.default_rng(0).standard_normal((POOL, DIMENSIONS), dtype=np.float32)

    def embed_array(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector a text, of length 1."""
        digests = [hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts]
        places = np.frombuffer(b"".join(digests), dtype=np.uint32).reshape(-1, 2) % POOL
        vectors = self._pool[places[:, 0]] + 0.5 * self._pool[places[:, 1]]
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / lengths, dtype=np.float32)


class Sure:
    """An estimator that takes no time."""

    def estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """Always the same."""
        return Certainty(reliable=0.9, misleading=0.05, uncertain=0.05)

    async def aestimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Certainty:
        """The same."""
        return self.estimate(question, evidence=evidence, reading=reading)


class Watch:
    """Seconds of the processor and of the wall since it was made."""

    def __init__(self) -> None:
        self._processor, self._wall = time.process_time(), time.perf_counter()

    def read(self, name: str) -> dict[str, float]:
        """Both under this name."""
        return {
            f"{name}_seconds": round(time.process_time() - self._processor, 3),
            f"{name}_wall": round(time.perf_counter() - self._wall, 3),
        }


def write(folder: Path, *, passages: int, files: int) -> None:
    """Write the folder, unless it is there."""
    if folder.exists():
        return
    folder.mkdir(parents=True)
    made, size = long_passages(passages, words=WORDS, seed=0), -(-passages // files)
    for number in range(0, len(made), size):
        rows = [json.dumps({"text": each.text, **each.metadata}) for each in made[number : number + size]]
        (folder / f"notes-{number:07}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")


def opened(folder: Path, embeddings: HashedEmbeddings) -> FolderIndex:
    """The index on disk, brought up to date with the folder."""
    index = FolderIndex(folder, embeddings=embeddings)
    index.update()
    return index


def found(search: Search, text: str) -> list[str]:
    """The texts found for a question."""
    return [each.text for each in search.search(text, as_of=NOW, k=5).evidence]


# -- steps, each in a process of its own ---------------------------------------------------------------------------


def index(folder: Path, *, questions: int) -> dict[str, Any]:
    """Index the folder for the first time."""
    watch = Watch()
    opened(folder, HashedEmbeddings())
    return watch.read("index")


def open_again(folder: Path, *, questions: int) -> dict[str, Any]:
    """Open what is indexed, and ask once."""
    embeddings, before, watch = HashedEmbeddings(), _memory(), Watch()
    search = opened(folder, embeddings).search()
    figures = watch.read("open")
    watch = Watch()
    found(search, "Who leads the Kelmarsh art school?")
    return {**figures, **watch.read("first_question"), "before_mb": before}


def change(folder: Path, *, questions: int) -> dict[str, Any]:
    """Add a line to one file while the folder is open."""
    embeddings = HashedEmbeddings()
    index = opened(folder, embeddings)
    search = index.search()
    found(search, NEWS)
    one = min(folder.iterdir())
    with one.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"text": f"{NEWS} {time.time()}", "date": "2020-01-01"}) + "\n")
    watch = Watch()
    told = index.update()
    figures = watch.read("change")
    assert told.read == 1, told
    assert any(NEWS in each for each in found(search, NEWS)), "The new line is not found."
    return figures


def ask(folder: Path, *, questions: int) -> dict[str, Any]:
    """Ask through the whole graph with a reader that says nothing new."""
    embeddings = HashedEmbeddings()
    parts = default_components(
        search=opened(folder, embeddings).search(), options=AnswerOptions(), embeddings=embeddings
    )
    reader = ScriptedReader([Reading(answer="Person", probability=0.9)])
    parts = replace(parts, ranker=HybridRanker(embeddings=embeddings), reader=reader, estimator=Sure())
    graph = answer_graph(parts).compile()
    spent: list[float] = []
    walls: list[float] = []
    for number, (question, day) in enumerate(long_questions(questions + 3, seed=1)):
        watch = Watch()
        graph.invoke({"question": question, "as_of": day.isoformat()})
        if number >= 3:
            told = watch.read("it")
            spent.append(1000 * told["it_seconds"])
            walls.append(1000 * told["it_wall"])
    return {
        "question_ms": round(statistics.median(spent), 1),
        "question_most_ms": round(max(spent), 1),
        "question_wall_ms": round(statistics.median(walls), 1),
        "questions": len(spent),
    }


def _memory() -> int:
    """Megabytes that this process held at most; `getrusage` would count those of the process that started it."""
    try:
        told = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return int(told.partition("VmHWM:")[2].split()[0]) // 1024


_STEPS: dict[str, Callable[..., dict[str, Any]]] = {
    "index": index,
    "open": open_again,
    "change": change,
    "ask": ask,
}


# -- running ---------------------------------------------------------------------------------------------------------


def run(where: Path, *, passages: int, files: int, questions: int) -> dict[str, Any]:
    """All steps in order."""
    folder = where / f"folder-{passages}"
    write(folder, passages=passages, files=files)
    figures: dict[str, Any] = {"passages": passages, "files": len(list(folder.iterdir()))}
    for step in STEPS:
        command = [sys.executable, __file__, "--step", step, "--folder", str(folder), "--questions", str(questions)]
        own = {**os.environ, "XDG_CACHE_HOME": str(where / "cache")}
        told = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=own).stdout)
        print(f"{step:8} {json.dumps(told)}", flush=True)
        figures |= {name: value for name, value in told.items() if name != "memory_mb"}
        figures[f"{step}_memory_mb"] = told["memory_mb"]
    kept = [each for each in (where / "cache").rglob("*") if each.is_file()]
    figures["on_disk_mb"] = sum(each.stat().st_size for each in kept) // 2**20
    return figures | {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "load": round(os.getloadavg()[0], 1),
    }


@contextmanager
def folder_for(given: Path | None) -> Iterator[Path]:
    """The folder given, else one for this run alone."""
    if given is not None:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="scale-") as where:
        yield Path(where)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        print(json.dumps({**_STEPS[given.step](given.folder, questions=given.questions), "memory_mb": _memory()}))
        return
    with folder_for(given.folder) as where:
        figures = run(where, passages=given.passages, files=given.files, questions=given.questions)
    print(json.dumps(figures, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
