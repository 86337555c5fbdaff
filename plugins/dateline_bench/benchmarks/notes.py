"""Questions as of a day over notes as people keep them.

Files: folders of documents `corpora/NAME/`, in any format that `dateline ask --docs` reads, and `questions.jsonl` with
id, corpus, category, question, as_of, gold, match (any, all, yesno, none) and gold_docs; docs/benchmarks.md.

`right` is judged by `dateline_bench.notes.judge`. Beside our path the same reader and estimator read the five nearest
passages without dates, the newest of three, and the gold documents alone. The option `items=FILE` (`--items`) writes
each answer with its certainty, documents and facts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import compress
from operator import not_
from pathlib import Path
from statistics import mean
from typing import Any

from dateline.certainty import auroc
from dateline.errors import BadInput
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.notes.answers import NoteAnswer, NoteSystems
from dateline_bench.notes.facts import FactTally, learnt, nearest
from dateline_bench.notes.questions import NoteQuestion, NotesCorpus, is_one_of

DEPTHS = {"first": 1, "five": 5}
"""Among how many documents a gold one is looked for."""

JudgedPair = tuple[NoteQuestion, NoteAnswer]
"""A question, and what one system answered."""

ITEMS = '"reliable": '
"""What every line of answers holds."""


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `limit` questions drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, a corpus without documents, or an option other than `items`.
    """
    items = options.pop("items", "")
    refuse_unknown(options, "items")
    asked = load(folder)
    asked = drawn(asked, limit=limit, seed=seed)
    started = time.perf_counter()
    answered: dict[str, list[JudgedPair]] = {}
    found: dict[str, list[str]] = {}
    tally = FactTally()
    for name in sorted({item.corpus for item in asked}):
        corpus = NotesCorpus(folder / "corpora" / name)
        mine = [item for item in asked if item.corpus == name]
        systems = NoteSystems(corpus)
        for system, answer in systems.named.items():
            shown = watched(mine, stage=f"{name}: {system}", progress=progress)
            answered.setdefault(system, []).extend((item, answer(item)) for item in shown)
        with learnt(corpus) as store:
            tally.add(store, mine, corpus=corpus)
            found.update({item.id: [one.fact.text for one in nearest(store, item)] for item in mine})
    if items:
        rows.write(Path(items), (_row(item, answer, found[item.id]) for item, answer in answered["dateline"]))
    figures = {system: figures_of(pairs) for system, pairs in answered.items()}
    return BenchmarkReport(
        benchmark="notes",
        n=len(asked),
        configuration={
            "corpora": sorted({item.corpus for item in asked}),
            "answerable": sum(item.answerable for item in asked),
            "changes": len(tally.found),
            "seed": seed,
            "limit": limit,
        },
        metrics={**figures.pop("dateline"), **_facts(tally)},
        baselines=figures,
        cost={"seconds": time.perf_counter() - started},
    )


def load(folder: Path) -> list[NoteQuestion]:
    """Read the questions; each must be of a corpus that is there."""
    asked = list(rows.read_as(NoteQuestion, rows.find(folder, "questions")))
    if not asked:
        raise BadInput(f"{folder} holds no questions.")
    for item in asked:
        if not (folder / "corpora" / item.corpus).is_dir():
            raise BadInput(f"Question {item.id!r} is of the corpus {item.corpus!r}, and {folder}/corpora holds none.")
    return asked


def figures_of(pairs: Sequence[JudgedPair]) -> dict[str, float]:
    """Return the figures of one system in percent.

    One is left out where there is nothing to count. A category of both kinds counts its answerable questions; one that has
    none, those rightly withheld.
    """
    answerable = [pair for pair in pairs if pair[0].answerable]
    categories = sorted({item.category for item, _ in pairs})
    right = [answer.is_right(item) for item, answer in answerable]
    called = [answer.label == "reliable" for _, answer in answerable]
    figures: dict[str, float | None] = {
        "right": _percent(right),
        **{f"right_{name}": _percent(_of_category(pairs, name)) for name in categories},
        "right_called_reliable": _percent(compress(called, right)),
        "wrong_called_reliable": _percent(compress(called, map(not_, right))),
        "auroc": 100 * auroc([answer.reliable for _, answer in answerable], correct=right) if answerable else None,
        "withheld_unanswerable": _percent(answer.withheld for item, answer in pairs if not item.answerable),
        **{
            f"retrieval_{name}": _percent(
                any(is_one_of(document, item.gold_docs) for document in answer.documents[:depth])
                for item, answer in answerable
                if item.gold_docs
            )
            for name, depth in DEPTHS.items()
        },
    }
    return {name: value for name, value in figures.items() if value is not None}


def _of_category(pairs: Iterable[JudgedPair], name: str) -> list[bool]:
    mine = [pair for pair in pairs if pair[0].category == name]
    return [answer.is_right(item) for item, answer in [pair for pair in mine if pair[0].answerable] or mine]


def _facts(tally: FactTally) -> dict[str, float]:
    figures = {"found": tally.found, "retired": tally.retired, "wrongly_ended": tally.ended}
    return {f"facts_{name}": value for name, each in figures.items() if (value := _percent(each)) is not None}


def _percent(values: Iterable[bool]) -> float | None:
    counted = list(values)
    return 100 * mean(counted) if counted else None


def _row(item: NoteQuestion, answer: NoteAnswer, facts: Sequence[str]) -> Mapping[str, Any]:
    return {"id": item.id, **asdict(answer), "facts": facts}
