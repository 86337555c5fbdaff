"""Fit the weights of `dateline.certainty.MarginEstimator`:

    python training/certainty.py [--data DIR] [--limit N] [--seed 0] [--write]

DIR holds TimeQA's `passages`, `questions` and `reading` files; without it the tables for pieces read alone stay as they are. Only questions on pages that the reader was *not*
trained on are fitted to: on its own pages it is too sure of itself. Each is searched for over all pages; the first
three passages are read each alone and beside each other. The same is done over the corpora of `benchmarks/notes/fit` and `further`, twenty
fields whose writers knew neither reader nor rules; the tables for several pieces read together are fitted on these alone, that for
yes and no on the questions that ask for one there and over `benchmarks/notes/later`. Penalised maximum likelihood finds the
log-odds of being right, and where wrong of the evidence speaking of the matter. Printed: what the same fit does on pages and
corpora left out, five ways. The tables for given choices are not fitted here.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from reading_tasks import LATER, NOTES, Finder, FoundTask

from dateline.certainty import auroc, expected_calibration_error
from dateline.certainty.margin import probability
from dateline.certainty.signals import Signals, signals
from dateline.certainty.weights import FILE, FITTED, Fit, Tables, Weights
from dateline.protocols import Reader
from dateline.reading import TrainedReader
from dateline.records import Reading
from dateline_bench.rilm_tasks import RilmTask

Floats = NDArray[np.float64]

ALONE = 3
"""Pieces that are read each alone."""
PENALTY = 20.0
"""Of the squared weights of standardised signals, in units of one question."""
CAUTION = {"together": 0.45, "ranked": 0.65, "yes_no": 1.2}
"""Taken from the log-odds of what is read together. Of the wrong answers over benchmarks/notes/further, seen and fresh, 8, 15 and 15 in 100 are then
called reliable where it is ranked (bar 22); and no yes or no is, for nothing tells which are right."""
FOLDS = 5
_ALONE = ("probability", "no_answer", "agreement", "rivalry", "timely", "overlap", "typed", "length", "place", "person")
_TOGETHER = (
    *("probability", "margin", "no_answer", "agreement", "freshness", "timely", "overlap", "nearby", "typed"),
    *("length", "person"),
)
USED = {
    "alone": _ALONE,
    "alone_and_joint": (*_ALONE, "joint"),
    "together": _TOGETHER,
    "ranked": (*_TOGETHER, "place"),
    "yes_no": ("probability", "margin", "no_answer", "freshness", "overlap"),
}
"""The signals that each table may stand on."""


@dataclass(frozen=True, slots=True)
class Row:
    """One reading.

    Attributes:
        right, speaks: whether it was, and whether the evidence spoke of the matter.
        group: page or corpus, left out as a whole.
        question: the same for all readings of one question.
        undated: whether none of the evidence has a date: such collections have a base rate of their own.
    """

    seen: Signals
    right: bool
    speaks: bool
    group: str
    question: int
    undated: bool


def main() -> None:
    arguments = _arguments()
    rng = random.Random(arguments.seed)
    reader = TrainedReader(threads=arguments.threads)
    finder = Finder(reader)
    notes = list(finder.notes(arguments.notes, limit=arguments.limit))
    asked = [*notes, *finder.notes([LATER], limit=arguments.limit)]
    together = {"notes": list(_read(notes, alone=False, reader=reader))}
    joint = {
        "together": together,
        "ranked": together,
        "yes_no": {"notes": list(_read([task for task in asked if _is_yes_or_no(task)], alone=False, reader=reader))},
    }
    alone: dict[str, list[Row]] = {}
    if arguments.data is not None:
        tasks = list(finder.pages(arguments.data, limit=arguments.limit, rng=rng))
        alone = {
            "TimeQA": list(_read(tasks, alone=True, reader=reader)),
            "notes": list(_read(notes, alone=True, reader=reader)),
        }
    tables = {}
    for name, used in USED.items():
        sources = joint.get(name, alone)
        if not sources:
            continue
        tables[name] = fit([row for each in sources.values() for row in each], used=used)
        for source, found in checked(sources, used=used).items():
            print(f"{name:16} {source}: {len(sources[source])} readings; left out: {found}", flush=True)
    for name in joint:
        cautious = dict(tables[name].reliable)
        cautious["bias"] = round(cautious["bias"] - CAUTION[name], 3)
        tables[name] = replace(tables[name], reliable=cautious)
    made = replace(FITTED, **tables)
    if arguments.write:
        write(made)
    else:
        print(made)


def _is_yes_or_no(task: FoundTask) -> bool:
    return task.item is not None and task.item.match == "yesno"


def _read(tasks: Sequence[RilmTask], *, alone: bool, reader: Reader) -> Iterator[Row]:
    for number, task in enumerate(tasks):
        for seen, reading, speaks in _readings(task, alone, reader):
            undated = not any(piece.published for piece in task.candidates)
            yield Row(seen, task.is_right(reading), speaks, task.group, number, undated)


def _readings(task: RilmTask, alone: bool, reader: Reader) -> Iterator[tuple[Signals, Reading, bool]]:
    """For each piece in which an answer was found, or for what all say together: and whether it speaks of the matter."""
    groups = [(piece,) for piece in task.candidates[:ALONE]] if alone else [task.candidates]
    readings = [reader.read(task.question, evidence=pieces).reading for pieces in groups]
    joint = reader.read(task.question, evidence=task.candidates[:ALONE]).reading if alone else None
    for place, (pieces, reading) in enumerate(zip(groups, readings, strict=True)):
        if reading.answer:
            others = [*readings[:place], *readings[place + 1 :]]
            seen = signals(task.question, evidence=pieces, reading=reading, others=others, joint=joint, place=place)
            yield seen, reading, any(task.speaks(piece, reading=reading) for piece in pieces)


def fit(given: Sequence[Row], *, used: Sequence[str]) -> Fit:
    """Both logistic models."""
    wrong = [row for row in given if not row.right]
    return Fit(
        reliable=_weights(given, used, lambda row: row.right),
        misleading=_weights(wrong, used, lambda row: row.speaks),
    )


def checked(sources: dict[str, list[Row]], *, used: Sequence[str]) -> dict[str, str]:
    """AUROC and calibration error of each source's most reliable reading of each question, by fits on other groups."""
    every = [row for each in sources.values() for row in each]
    groups = sorted({row.group for row in every})
    fold = {group: place % FOLDS for place, group in enumerate(groups)}
    fits = [fit([row for row in every if fold[row.group] != number], used=used).reliable for number in range(FOLDS)]
    return {source: _told(each, [fits[fold[row.group]] for row in each]) for source, each in sources.items()}


def _told(given: Sequence[Row], weights: Sequence[Weights]) -> str:
    best: dict[int, tuple[float, bool]] = {}
    for row, each in zip(given, weights, strict=True):
        best[row.question] = max(
            best.get(row.question, (-1.0, False)), (probability(row.seen, weights=each), row.right)
        )
    trust, right = [one[0] for one in best.values()], [one[1] for one in best.values()]
    error = expected_calibration_error(trust, correct=right)
    return f"n = {len(best)}, right {np.mean(right):.2f}, AUROC {auroc(trust, correct=right):.3f}, ECE {error:.3f}"


def _weights(given: Sequence[Row], used: Sequence[str], outcome: Callable[[Row], bool]) -> Weights:
    """Newton's method on standardised signals; the weights are given back for the signals as they are."""
    signals_of = np.array([[getattr(row.seen, name) for name in used] for row in given])
    y = np.array([outcome(row) for row in given], dtype=np.float64)
    mean, scale = signals_of.mean(axis=0), signals_of.std(axis=0) + 1e-6
    undated = np.array([row.undated for row in given], dtype=np.float64)
    x = np.column_stack([np.ones(len(y)), (signals_of - mean) / scale, undated])
    penalty = PENALTY * np.eye(x.shape[1])
    penalty[0, 0] = 1e-6
    w: Floats = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-(x @ w)))
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + penalty, x.T @ (p - y) + penalty @ w)
        w = w - step
        if np.abs(step).max() < 1e-8:
            break
    # What is shipped is for dated evidence.
    raw = w[1:-1] / scale
    bias = round(float(w[0] - raw @ mean), 3)
    return {"bias": bias} | {name: round(float(value), 3) for name, value in zip(used, raw, strict=True)}


def write(tables: Tables) -> None:
    """Put the tables into `dateline/certainty/weights.json`."""
    FILE.write_text(json.dumps(asdict(tables), indent=1) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of TimeQA")
    parser.add_argument("--notes", type=Path, nargs="+", default=NOTES, help="folders of corpora and questions on them")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=int, default=None, help="questions at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="write the tables into the package")
    return parser.parse_args()


if __name__ == "__main__":
    main()
