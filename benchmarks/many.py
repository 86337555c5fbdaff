"""Many questions at once: behind a slow chat model, and answers a second and core with the local reader.

    python benchmarks/many.py [--json FILE] [--questions 64] [--seconds 1.0] [--runs 3] [--only model,reader]

The questions of examples/questions.jsonl over examples/corpus, with the default embeddings. The scripted chat model
sleeps before it answers, as a coroutine (`async`) or in a thread (`sync`); it always gives an answer that no evidence
bears out, so that each question costs a second round: two calls, and the local reader looks twice at the evidence.
Processor time counts all threads of the process; wall times mean something on idle cores alone.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import platform
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel, SimpleChatModel

from dateline_bench.rows import read
from dateline_graphs import AnswerOptions, answer_graph
from dateline_graphs.components import components_for

EXAMPLES = Path(__file__).parent.parent / "examples"
Rows = list[dict[str, str]]
REPLY = "reasoning: It is said so.\nanswer: Ola Nordmann\nevidence: E1"


class BlockingModel(SimpleChatModel):
    """Sleeps in the thread that calls it."""

    seconds: float

    @property
    def _llm_type(self) -> str:
        return "sleeping"

    def _call(self, *_: Any, **__: Any) -> str:
        time.sleep(self.seconds)
        return REPLY


class AsyncModel(BlockingModel):
    """Sleeps without holding a thread."""

    async def _agenerate(self, messages: Any, *_: Any, **__: Any) -> Any:
        await asyncio.sleep(self.seconds)
        return self.model_copy(update={"seconds": 0.0})._generate(messages)


@dataclass
class Spent:
    """Wall and processor seconds of a block."""

    wall: float = 0.0
    cpu: float = 0.0


@contextmanager
def watch() -> Iterator[Spent]:
    spent = Spent(time.perf_counter(), time.process_time())
    try:
        yield spent
    finally:
        spent.wall, spent.cpu = time.perf_counter() - spent.wall, time.process_time() - spent.cpu


def graph_with(model: BaseChatModel | None) -> Any:
    options = AnswerOptions(docs=str(EXAMPLES / "corpus"), model=model or "")
    return answer_graph(components_for(options)).compile()


async def at_once(rows: Rows, ask: Callable[[dict[str, str]], Awaitable[Any]]) -> list[float]:
    """Wall seconds of each of the questions, asked at the same moment."""

    async def timed(row: dict[str, str]) -> float:
        started = time.perf_counter()
        await ask(row)
        return time.perf_counter() - started

    return list(await asyncio.gather(*map(timed, rows)))


def behind_model(sets: Iterator[Rows], *, seconds: float, runs: int) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for name, kind in (("async", AsyncModel), ("sync", BlockingModel)):
        graph, rows = graph_with(kind(seconds=seconds)), next(sets)
        asyncio.run(graph.ainvoke(rows[0]))
        with watch() as alone:
            asyncio.run(graph.ainvoke(rows[1]))
        walls, cpus, slowest = [], [], []
        for _ in range(runs):
            rows = next(sets)
            with watch() as spent:
                each = asyncio.run(at_once(rows, graph.ainvoke))
            walls.append(spent.wall)
            cpus.append(spent.cpu / len(rows))
            slowest.append(statistics.median(each))
        figures |= {
            f"model_{name}_alone_s": round(alone.wall, 2),
            f"model_{name}_at_once_s": round(statistics.median(walls), 2),
            f"model_{name}_median_s": round(statistics.median(slowest), 2),
            f"model_{name}_cpu_ms": round(1000 * statistics.median(cpus), 1),
        }
    return figures


def local_reader(sets: Iterator[Rows], *, runs: int) -> dict[str, Any]:
    graph = graph_with(None)
    for row in next(sets)[:4]:
        graph.invoke(row)
    after, gathered, slowest = [], [], []
    for _ in range(runs):
        rows = next(sets)
        with watch() as spent:
            for row in rows:
                graph.invoke(row)
        after.append(spent.cpu / len(rows))
        rows = next(sets)
        with watch() as spent:
            asyncio.run(at_once(rows, graph.ainvoke))
        gathered.append(spent.cpu / len(rows))
        slowest.append(spent.wall)
    return {
        "reader_one_after_another_cpu_ms": round(1000 * statistics.median(after), 1),
        "reader_at_once_cpu_ms": round(1000 * statistics.median(gathered), 1),
        "reader_at_once_s": round(statistics.median(slowest), 2),
        "reader_answers_a_core_second": round(1 / statistics.median(gathered), 1),
        "reader_answers_a_core_second_one_after_another": round(1 / statistics.median(after), 1),
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--questions", type=int, default=64)
    arguments.add_argument("--seconds", type=float, default=1.0, help="what a call of the model takes")
    arguments.add_argument("--runs", type=int, default=3, help="medians of so many")
    arguments.add_argument("--only", default="model,reader")
    given = arguments.parse_args()
    rows = [{"question": row["question"], "as_of": row["as_of"]} for row in read(EXAMPLES / "questions.jsonl")]
    # Each run asks others than those before it, so that nothing is found which the reader still has in memory.
    count = max(1, len(rows) // given.questions)
    sets = itertools.cycle([rows[first::count][: given.questions] for first in range(count)])
    figures: dict[str, Any] = {"questions": given.questions, "seconds": given.seconds, "runs": given.runs}
    if "model" in given.only:
        figures |= behind_model(sets, seconds=given.seconds, runs=given.runs)
    if "reader" in given.only:
        figures |= local_reader(sets, runs=given.runs)
    figures |= {
        "load": [round(one, 1) for one in os.getloadavg()],
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
    }
    print(json.dumps(figures, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
