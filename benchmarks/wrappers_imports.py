"""What an import costs: a fresh interpreter for each, beside the bare framework that the name needs."""

from __future__ import annotations

import statistics
import subprocess
import sys
from functools import cache

INDEX = "llama_index.core"
NAMES = {
    "dateline": "",
    "dateline.facts": "",
    "langchain_dateline": "langchain_core.retrievers, langchain_core.language_models, langchain_core.prompts",
    "langchain_dateline.middleware": "langchain.agents",
    "dateline_graphs": "langgraph.graph",
    "dateline_graphs.tool": "langgraph.graph",
    "llama_index.retrievers.dateline": INDEX,
    "llama_index.postprocessor.dateline": INDEX,
    "llama_index.node_parser.dateline": INDEX,
    "llama_index.response_synthesizers.dateline": INDEX,
    "llama_index.query_engine.dateline": INDEX,
    "llama_index.workflow.dateline": f"{INDEX}.workflow, {INDEX}",
    "llama_index.memory.dateline": f"{INDEX}.memory, {INDEX}",
    "llama_index.llms.dateline": INDEX,
    "llama_index.embeddings.dateline": INDEX,
    "llama_index.callbacks.dateline": INDEX,
    "dateline_cli": "",
    "dateline_cli.main": "",
}
"""Each import name, and what of its framework it cannot do without."""


def imported(name: str, *, runs: int) -> dict[str, float]:
    """Medians over fresh interpreters: the name, and the bare framework below it."""
    mine = _times(name, runs=runs)
    below = _times(NAMES[name], runs=runs) if NAMES[name] else (0.0, 0.0)
    return {"cpu_s": mine[0], "wall_s": mine[1], "framework_alone_cpu_s": below[0]}


@cache
def _times(names: str, *, runs: int) -> tuple[float, float]:
    code = (
        "import time; c, w = time.process_time(), time.perf_counter(); "
        f"import {names}; print(time.process_time() - c, time.perf_counter() - w)"
    )
    command = [sys.executable, "-c", code]
    subprocess.run(command, check=True, capture_output=True)  # writes byte code, warms the disk
    said = [subprocess.run(command, check=True, capture_output=True, text=True).stdout.split() for _ in range(runs)]
    cpu, wall = ([float(one[place]) for one in said] for place in (0, 1))
    return round(statistics.median(cpu), 3), round(statistics.median(wall), 3)
