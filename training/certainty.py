"""Fit the weights of `asof.certainty.MarginEstimator`:

    python training/certainty.py --data DIR [--limit N] [--seed 0] [--write]

DIR holds TimeQA's `passages`, `questions` and `reading` files. Only questions on pages that the reader was *not*
trained on are fitted to: on its own pages it is too sure of itself. Each is searched for over all pages, the first
three passages are read each alone and the first five together. Penalised maximum likelihood finds the log-odds of being right, and
where wrong of the evidence speaking of the matter. Printed: what the same fit does on pages left out, five ways.

The weights of p(reliable) for several pieces read together are kept unless `--together` is given: they were fitted on
dated notes too, which TimeQA has not. Those for given choices are not fitted here at all.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import numpy as np
import timeqa
from numpy.typing import NDArray

from asof.certainty import auroc, expected_calibration_error
from asof.certainty import weights as shipped
from asof.certainty.signals import Signals, signals
from asof.certainty.weights import FITTED, Fit, Tables, Weights
from asof.evaluation.metrics import holds_answer
from asof.evaluation.rilm_tasks import Task
from asof.evaluation.timeqa import AS_OF, build_index
from asof.evaluation.timeqa import load as load_corpus
from asof.protocols import Reader
from asof.ranking.index import PassageIndex
from asof.reading import TrainedReader
from asof.records import Evidence, Reading
from asof.temporal.decomposition import decompose

Floats = NDArray[np.float64]

ALONE, TOGETHER = 3, 5
"""Pieces that are read each alone, and at once."""
PENALTY = 20.0
"""Of the squared weights of standardised signals, in units of one question."""
FOLDS = 5
USED = {
    "alone": ("probability", "no_answer", "agreement", "rivalry", "timely", "overlap", "typed", "length", "place"),
    "together": ("probability", "margin", "no_answer", "agreement", "timely", "overlap", "typed", "length"),
}
"""The signals that each table may stand on."""


@dataclass(frozen=True, slots=True)
class Row:
    """One reading: its signals, whether it was right, whether the evidence spoke of the matter, and where it is from."""

    seen: Signals
    right: bool
    speaks: bool
    group: str
    question: int


def main() -> None:
    arguments = _arguments()
    rng = random.Random(arguments.seed)
    tasks = list(_tasks(arguments.data, limit=arguments.limit, rng=rng))
    reader = TrainedReader(threads=1)
    tables = {}
    for name in USED:
        rows = [row for number, task in enumerate(tasks) for row in _rows(task, number, name, reader)]
        tables[name] = fit(rows, used=USED[name])
        print(f"{name:16} {len(rows)} readings; pages left out: {checked(rows, used=USED[name])}", flush=True)
    if not arguments.together:
        tables["together"] = replace(tables["together"], reliable=FITTED.together.reliable)
    made = replace(FITTED, **tables)
    if arguments.write:
        write(made)
    else:
        print(made)


def _tasks(folder: Path, *, limit: int | None, rng: random.Random) -> Iterator[Task]:
    """The questions on held-out pages, with the passages that our own ranking finds."""
    asked = [one for one in timeqa.load(folder).validation if one.answers]
    rng.shuffle(asked)
    index = build_index(load_corpus(folder)[0], progress=lambda stage, done, total: None)
    matters: dict[tuple[str, str], set[str]] = {}
    for one in asked:
        matters.setdefault((one.title, _content(one)), set()).update(one.answers)
    for one in asked[:limit]:
        others = matters[one.title, _content(one)] - set(one.answers)
        yield _task(one, sorted(others), index)


def _content(one: timeqa.Asked) -> str:
    """What a question asks about, whenever it asks."""
    return decompose(one.text, as_of=AS_OF).content


def _task(one: timeqa.Asked, others: Sequence[str], index: PassageIndex) -> Task:
    question = decompose(one.text, as_of=AS_OF)
    found = tuple(ranked.evidence for ranked in index.search(question, TOGETHER))
    gold = one.gold or {piece.id for piece in found if holds_answer(f"{piece.title} {piece.text}", golds=one.answers)}
    return Task(
        question=question,
        golds=one.answers,
        candidates=found,
        gold=frozenset(gold),
        group=one.title,
        other_times=tuple(others),
    )


def _rows(task: Task, number: int, table: str, reader: Reader) -> Iterator[Row]:
    if table == "alone":
        pieces = task.candidates[:ALONE]
        readings = [reader.read(task.question, evidence=[one]).reading for one in pieces]
        yield from alone(task, pieces, readings, number=number)
    else:
        reading = reader.read(task.question, evidence=task.candidates).reading
        if reading.answer:
            seen = signals(task.question, evidence=task.candidates, reading=reading)
            speaks = any(task.speaks(piece, reading=reading) for piece in task.candidates)
            yield Row(seen, task.is_right(reading), speaks, task.group, number)


def alone(task: Task, pieces: Sequence[Evidence], readings: Sequence[Reading], *, number: int) -> Iterator[Row]:
    """A row for each piece in which an answer was found."""
    for place, (piece, reading) in enumerate(zip(pieces, readings, strict=True)):
        if reading.answer:
            others = [other for other in range(len(readings)) if other != place]
            told = [readings[other] for other in others]
            seen = signals(task.question, evidence=[piece], reading=reading, others=told, place=place)
            yield Row(seen, task.is_right(reading), task.speaks(piece, reading=reading), task.group, number)


def fit(rows: Sequence[Row], *, used: Sequence[str]) -> Fit:
    """Both logistic models."""
    wrong = [row for row in rows if not row.right]
    return Fit(
        reliable=_weights(rows, used, lambda row: row.right),
        misleading=_weights(wrong, used, lambda row: row.speaks),
    )


def checked(rows: Sequence[Row], *, used: Sequence[str]) -> str:
    """AUROC and calibration error over the most reliable reading of each question, by fits on other pages."""
    groups = sorted({row.group for row in rows})
    fold = {group: place % FOLDS for place, group in enumerate(groups)}
    best: dict[int, tuple[float, bool]] = {}
    for number in range(FOLDS):
        weights = fit([row for row in rows if fold[row.group] != number], used=used).reliable
        for row in rows:
            if fold[row.group] == number:
                found = (_probability(row.seen, weights), row.right)
                best[row.question] = max(best.get(row.question, (-1.0, False)), found)
    trust, right = [one[0] for one in best.values()], [one[1] for one in best.values()]
    error = expected_calibration_error(trust, correct=right)
    return f"n = {len(best)}, right {np.mean(right):.2f}, AUROC {auroc(trust, correct=right):.3f}, ECE {error:.3f}"


def _weights(rows: Sequence[Row], used: Sequence[str], outcome: Callable[[Row], bool]) -> Weights:
    """Newton's method on standardised signals; the weights are given back for the signals as they are."""
    signals_of = np.array([[getattr(row.seen, name) for name in used] for row in rows])
    y = np.array([outcome(row) for row in rows], dtype=np.float64)
    mean, scale = signals_of.mean(axis=0), signals_of.std(axis=0) + 1e-6
    x = np.column_stack([np.ones(len(y)), (signals_of - mean) / scale])
    penalty = PENALTY * np.eye(x.shape[1])
    penalty[0, 0] = 1e-6
    w: Floats = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-(x @ w)))
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + penalty, x.T @ (p - y) + penalty @ w)
        w = w - step
        if np.abs(step).max() < 1e-8:
            break
    raw = w[1:] / scale
    return Weights(
        bias=round(float(w[0] - raw @ mean), 3),
        **{name: round(float(value), 3) for name, value in zip(used, raw, strict=True)},
    )


def _probability(seen: Signals, weights: Weights) -> float:
    given = asdict(weights)
    logit = weights.bias + sum(given[one.name] * getattr(seen, one.name) for one in fields(seen))
    return float(1 / (1 + np.exp(-logit)))


def write(tables: Tables) -> None:
    """Put the tables into `asof/certainty/weights.py`, below its classes."""
    path = Path(shipped.__file__)
    head = path.read_text(encoding="utf-8").partition("FITTED = ")[0]
    shown = ", ".join(f"{name}={_shown(fit)}" for name, fit in asdict(tables).items())
    path.write_text(f"{head}FITTED = Tables({shown})\n", encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", str(path)], check=True)


def _shown(fit: dict[str, dict[str, float]]) -> str:
    parts = (f"{name}=Weights({', '.join(f'{k}={v}' for k, v in w.items() if v)})" for name, w in fit.items())
    return f"Fit({', '.join(parts)})"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of TimeQA")
    parser.add_argument("--limit", type=int, default=None, help="questions at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--together", action="store_true", help="fit the tables for several pieces anew as well")
    parser.add_argument("--write", action="store_true", help="write the tables into the package")
    return parser.parse_args()


if __name__ == "__main__":
    main()
