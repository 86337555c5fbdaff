"""The whole local path on the example corpus: right answers, seconds a question, by kind of embeddings.

    python benchmarks/ask.py [--json FILE] [--limit N] [--date question]

Each question of examples/questions.jsonl is asked as of its date over examples/corpus; with `--date question` the
date is written into the question ("... in March 2000?") and it is asked as of a day after all notes. An answer is right when
it equals an accepted one after normalisation, "close" when it holds one.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from calendar import month_name
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from langchain_core.embeddings import Embeddings

from dateline.evaluation.metrics import exact_match, holds_answer
from dateline.search import FolderSearch
from dateline.text.encoder import MiniLMEmbeddings
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench.rows import read
from dateline_graphs import AnswerOptions, answer_graph
from dateline_graphs.components import default_components

EXAMPLES = Path(__file__).parent.parent / "examples"


AFTER = "2026-01-01"
"""A day after all notes."""


def put(row: Mapping[str, Any], *, date: str) -> dict[str, str]:
    """The question and the day as of which it is asked."""
    if date == "asked":
        return {"question": row["question"], "as_of": row["as_of"]}
    day = datetime.fromisoformat(row["as_of"])
    return {"question": f"{row['question'].rstrip('?')} in {month_name[day.month]} {day.year}?", "as_of": AFTER}


def measure(embeddings: Embeddings, *, limit: int | None, wrong: bool, date: str) -> dict[str, float]:
    embeddings = RememberedEmbeddings(embeddings)
    search = FolderSearch.open(EXAMPLES / "corpus", embeddings=embeddings)
    parts = default_components(search=search, options=AnswerOptions(), embeddings=embeddings)
    graph = answer_graph(parts).compile()
    right, close, sure, seconds = [], [], [], []
    for row in list(read(EXAMPLES / "questions.jsonl"))[:limit]:
        started = time.perf_counter()
        report = graph.invoke(put(row, date=date))["report"]
        seconds.append(time.perf_counter() - started)
        right.append(exact_match(report["answer"], golds=row["answers"]))
        close.append(right[-1] or holds_answer(report["answer"], golds=row["answers"]))
        sure.append(report["label"] == "reliable")
        if wrong and not right[-1]:
            print(f"{row['as_of']} {row['question']} -> {report['answer']!r} not {row['answers']} ({report['label']})")
    return {
        "n": len(right),
        "right": round(100 * statistics.mean(right), 1),
        "right_or_close": round(100 * statistics.mean(close), 1),
        "right_when_adopted_as_reliable": round(
            100 * statistics.mean([r for r, s in zip(right, sure, strict=True) if s] or [0]), 1
        ),
        "share_reliable": round(100 * statistics.mean(sure), 1),
        "median_ms": round(1000 * statistics.median(seconds), 1),
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--limit", type=int)
    arguments.add_argument("--embeddings", choices=["lexical", "minilm", "both"], default="both")
    arguments.add_argument("--date", choices=["asked", "question"], default="asked", help="where the date stands")
    arguments.add_argument("--wrong", action="store_true", help="print each wrong answer")
    given = arguments.parse_args()
    figures = {}
    if given.embeddings != "minilm":
        figures["lexical"] = measure(LexicalEmbeddings(), limit=given.limit, wrong=given.wrong, date=given.date)
    if given.embeddings != "lexical":
        figures["minilm"] = measure(MiniLMEmbeddings(), limit=given.limit, wrong=given.wrong, date=given.date)
    print(json.dumps(figures, indent=2))
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
