"""Fit which path of facts a question asks for:

    python training/asking.py [FILE]

FILE holds worlds as of `dateline evaluate asking`, by default those of training/worlds of which the reader has heard no question. Each
world is measured once by weights that were fitted on the others; those fitted on all are printed last, for `dateline.facts.asking.FITTED`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from path_lessons import HELD, WORLDS

from dateline.facts.asking import FactAnswer, PathWeights, answered, asked_of, path_signals, paths_of
from dateline.facts.fact_paths import FactPath
from dateline.reading.trained_reader import TrainedReader
from dateline_bench import rows
from dateline_bench.benchmarks.asking import ASKED, FactQuestion, FactWorld

PENALTY = 0.1
"""Of the squared weights, for signals of unit spread, in units of one question."""
SPREAD = (2.0, 0.2)


@dataclass(frozen=True)
class _Seen:
    """A question, the paths of its world, and their signals, shape (paths, signals)."""

    asked: FactQuestion
    paths: Sequence[FactPath]
    signals: NDArray[np.float64]

    @property
    def right(self) -> NDArray[np.bool_]:
        """Which paths are right, and last whether none is."""
        own = [bool(self.asked.answer) and sorted(path.values) == sorted(self.asked.answer) for path in self.paths]
        return np.array([*own, not any(own)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=WORLDS / f"{HELD}.jsonl")
    reader = TrainedReader()
    seen = [list(_seen(world, reader)) for world in rows.read_as(FactWorld, parser.parse_args().file)]
    told = []
    for place, own in enumerate(seen):
        weights = _fit([each for other in (*seen[:place], *seen[place + 1 :]) for each in other])
        told += [(each, answered(each.paths, each.signals, weights=weights)) for each in own]
    print(_figures(told))
    print(_fit([each for some in seen for each in some]))


def _seen(world: FactWorld, reader: TrainedReader) -> Iterator[_Seen]:
    with world.store() as store:
        for each in world.questions:
            asked = asked_of(each.question, as_of=ASKED, clock=store.clock)
            paths = paths_of(asked, store=store)
            if paths:
                yield _Seen(each, paths, path_signals(asked, paths, store=store, reader=reader))


def _fit(questions: Sequence[_Seen]) -> PathWeights:
    weights = torch.zeros(len(SPREAD) + 1, dtype=torch.float64, requires_grad=True)
    some = [(torch.tensor(each.signals / SPREAD), torch.tensor(each.right)) for each in questions]
    optimizer = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        utilities = [torch.cat([signals @ weights[:-1], weights[-1:]]) for signals, _ in some]
        missed = [
            torch.logsumexp(each, 0) - torch.logsumexp(each[right], 0)
            for each, (_, right) in zip(utilities, some, strict=True)
        ]
        total = torch.stack(missed).sum() + PENALTY * weights[:-1].square().sum()
        total.backward()
        return total

    optimizer.step(loss)
    *signals, none = weights.tolist()
    return PathWeights(
        tuple(round(one / spread, 3) for one, spread in zip(signals, SPREAD, strict=True)), round(none, 3)
    )


def _figures(given: Sequence[tuple[_Seen, FactAnswer | None]]) -> str:
    told = [(sorted(() if one is None else one.values), sorted(each.asked.answer)) for each, one in given]
    right = sum(mine == theirs for mine, theirs in told)
    wrong = sum(bool(mine) and mine != theirs for mine, theirs in told)
    return f"right {right}, wrong {wrong} of {len(told)} that name something known"


if __name__ == "__main__":
    main()
