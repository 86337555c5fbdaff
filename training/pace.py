"""Fit `dateline.temporal.pace`, which says how fast the answer to a question changes:

    python training/pace.py --data DIR [--folds] [--write]

DIR holds EverGreenQA's `evergreen/train.csv` (MIT): questions in seven languages, evergreen or not. How fast the others change
is learnt from `pace_questions.txt` beside this script, questions written for it: templates below the name of their speed, and the
values of their slots. First the English questions are fitted; where EverGreenQA says "not evergreen", any speed but "never" is
right. What this first model says of them, kept to that label, is then the target of their translations. --folds prints the AUROC
on five parts of train.csv, each left out in turn. No part is random but the drawing of values (seed 0).
"""

from __future__ import annotations

import argparse
import csv
import random
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, vstack

from dateline.certainty.calibration import auroc
from dateline.temporal.pace import BUCKETS, SPEEDS, features

TEXTS = Path(__file__).with_name("pace_questions.txt")
DATA = Path(__file__).parent.parent / "plugins" / "dateline" / "language" / "data" / "pace.npz"
OTHERS = ("Russian", "French", "German", "Hebrew", "Arabic", "Chinese")
EACH, FOLDS, STEPS = 6, 5, 80
PENALTY = 0.2
"""Of the squared weights, in units of one question; chosen by folds of train.csv."""
MUTABLE, WRITTEN = 4.0, 1.0
"""What a question counts that is not evergreen (one in ten is not), and a written one; chosen by hand."""
LEAST = 2
"""Features of fewer questions are left out."""

Floats = NDArray[np.float64]


def written(seed: int = 0) -> tuple[list[str], Floats]:
    """Questions from the templates, and the speeds that are right, shape (questions, speeds)."""
    slots: dict[str, list[str]] = {}
    found: dict[str, str] = {}
    speed, rng = "", random.Random(seed)
    for line in TEXTS.read_text(encoding="utf-8").splitlines():
        if named := re.fullmatch(r"<(\w+)> = (.*)", line):
            slots[named[1]] = named[2].split(" | ")
        elif named := re.fullmatch(r"\[(\w+)\]", line):
            speed = named[1]
        elif line and not line.startswith("#"):
            found |= {filled(line, slots, rng): speed for _ in range(EACH)}
    return list(found), np.eye(len(SPEEDS))[[SPEEDS.index(one) for one in found.values()]]  # type: ignore[arg-type]


def filled(template: str, slots: dict[str, list[str]], rng: random.Random) -> str:
    """Choose one of each (a|b), and a value for each <slot>."""
    text = re.sub(r"\(([^()]*\|[^()]*)\)", lambda match: rng.choice(match[1].split("|")), template)
    text = re.sub(r"<(\w+)>", lambda match: rng.choice(slots[match[1]]), text)
    return re.sub(r"\s+([?.,])", r"\1", " ".join(text.split()))


def matrix(questions: Sequence[str]) -> csr_matrix:
    rows = [features(question) for question in questions]
    places = np.cumsum([0, *map(len, rows)])
    buckets = np.concatenate([np.fromiter(row, np.int32, len(row)) for row in rows])
    values = np.concatenate([np.fromiter(row.values(), np.float64, len(row)) for row in rows])
    return csr_matrix((values, buckets, places), shape=(len(rows), BUCKETS))


def fit(seen: csr_matrix, right: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Weights (buckets, speeds) and bias that make the right speeds likely; `right` are shares or a set of ones."""
    kept = np.flatnonzero(np.bincount(seen.indices, minlength=BUCKETS) >= LEAST)
    given = seen[:, kept]
    back = given.T.tocsr()
    shape = (len(kept), len(SPEEDS))
    sets = right.sum(axis=1) > 1.5

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, bias = flat[: -len(SPEEDS)].reshape(shape), flat[-len(SPEEDS) :]
        chances = shares(given @ weights + bias)
        hit = (chances * right).sum(axis=1, keepdims=True)
        wanted = np.where(sets[:, None], chances * right / hit, right)
        told = np.where(sets, -np.log(hit[:, 0]), -(right * np.log(chances + 1e-12)).sum(axis=1))
        gap = counts[:, None] * (chances - wanted)
        slope = np.concatenate([(back @ gap + PENALTY * weights).ravel(), gap.sum(axis=0)])
        return float(counts @ told + 0.5 * PENALTY * (weights**2).sum()), slope

    found = minimize(
        loss, np.zeros(shape[0] * shape[1] + shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}
    ).x
    weights = np.zeros((BUCKETS, len(SPEEDS)))
    weights[kept] = found[: -len(SPEEDS)].reshape(shape)
    return weights, found[-len(SPEEDS) :]


def shares(sums: Floats) -> Floats:
    raised = np.exp(sums - sums.max(axis=1, keepdims=True))
    made: Floats = raised / raised.sum(axis=1, keepdims=True)
    return made


def allowed(evergreen: Sequence[bool]) -> Floats:
    """The speeds that a label leaves open, shape (questions, speeds)."""
    return np.array([[1.0, 0, 0, 0, 0] if one else [0, 1.0, 1, 1, 1] for one in evergreen])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with (arguments.data / "evergreen" / "train.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    stays = [row["is_evergreen"] == "1" for row in rows]
    own, speeds = written()
    own_seen, seen, right = matrix(own), matrix([row["English"] for row in rows]), allowed(stays)
    counts = np.where(stays, 1.0, MUTABLE)
    print(f"{len(rows)} questions of EverGreenQA, {sum(stays)} evergreen; {len(own)} written", flush=True)

    def english(part: NDArray[np.int64]) -> tuple[Floats, Floats]:
        weighed = np.concatenate([counts[part], np.full(len(own), WRITTEN)])
        return fit(vstack([seen[part], own_seen]).tocsr(), np.concatenate([right[part], speeds]), weighed)

    if arguments.folds:
        said, fold = np.zeros(len(rows)), np.random.default_rng(0).permutation(len(rows)) % FOLDS
        for one in range(FOLDS):
            weights, bias = english(np.flatnonzero(fold != one))
            said[fold == one] = shares(seen[fold == one] @ weights + bias)[:, 0]
        print(
            f"AUROC in English, {FOLDS} folds of train.csv: {100 * auroc(said.tolist(), correct=stays):.1f}", flush=True
        )
    weights, bias = english(np.arange(len(rows)))
    told = shares(seen @ weights + bias) * right
    told /= told.sum(axis=1, keepdims=True)
    every = [seen, own_seen, *(matrix([row[language] for row in rows]) for language in OTHERS)]
    targets = np.concatenate([right, speeds, *[told] * len(OTHERS)])
    weighed = np.concatenate([counts, np.full(len(own), WRITTEN), *[counts] * len(OTHERS)])
    weights, bias = fit(vstack(every).tocsr(), targets, weighed)
    if arguments.write:
        scales = np.abs(weights).max(axis=0) / 127
        np.savez_compressed(DATA, weights=np.rint(weights / scales).astype(np.int8), scales=scales, bias=bias)
        print(f"{DATA}: {DATA.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
