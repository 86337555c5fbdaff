"""Fit how the judge's and the reader's words on an end are weighed:

    python training/ending.py [--folder DIR]

Over the marked archives of `changes/archives`, on which neither was trained. Printed: AUROC of an end against all other pairs, of the
judge alone, of the reader alone and of both with each archive left out in turn; and the weights for `dateline.reading.still`.
A pair that changes nothing stands for all of its kind among the candidates that a store looks at.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from changes import ARCHIVES, LEFT, NEAREST, changes
from numpy.typing import NDArray

from dateline.certainty import auroc
from dateline.protocols import EFFECTS
from dateline.reading import TrainedReader
from dateline.reading.still import StillJudge
from dateline.reading.trained_judge import TrainedJudge, titled

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

PENALTY = 1.0
"""Of the squared weights of log-odds, in units of one pair."""
SEED = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=ARCHIVES / "archives")
    folder: Path = parser.parse_args().folder
    archives = [seen(folder, name) for name in sorted(file.stem for file in folder.glob("*.json"))]
    every, ends = (np.concatenate(parts) for parts in zip(*archives, strict=True))
    print(f"{len(ends)} pairs, {ends.sum()} ends")
    print(f"judge {_auroc(every[:, 0], ends)}, reader {_auroc(every[:, 1], ends)}")
    left_out = []
    for place, (pairs, _) in enumerate(archives):
        kept = [archive for number, archive in enumerate(archives) if number != place]
        bias, *weights = fit(*(np.concatenate(parts) for parts in zip(*kept, strict=True)))
        left_out.append(bias + pairs @ np.array(weights))
    print(f"both, each archive left out {_auroc(np.concatenate(left_out), ends)}")
    print(f"still.FITTED = {json.dumps([round(weight, 2) for weight in fit(every, ends)])}")


def seen(folder: Path, name: str) -> tuple[Floats, Bools]:
    """The log-odds of an end by judge and reader, (pairs, 2), and which pairs are ends."""
    others = [file.stem for file in folder.glob("*.json") if file.stem != name]
    pairs = [one for one in dict.fromkeys(changes(folder, seed=SEED, without=others)) if one.effect != "restates"]
    judge = StillJudge(TrainedJudge(), reader=TrainedReader())
    texts = [(titled(one.new.text, one.new.title), titled(one.old.text, one.old.title)) for one in pairs]
    days = [(one.new.date, one.old.date) for one in pairs]
    chances = np.clip(TrainedJudge().effects(texts, dates=days).chances[:, EFFECTS.index("ends")], 1e-6, 1 - 1e-6)
    denied = [judge.denied(text, day) for text, (day, _) in zip(texts, days, strict=True)]
    return np.column_stack([np.log(chances / (1 - chances)), denied]), np.array([one.effect == "ends" for one in pairs])


def fit(pairs: Floats, ends: Bools) -> tuple[float, ...]:
    """Bias and weights by penalised maximum likelihood, by Newton's method."""
    given = np.column_stack([np.ones(len(pairs)), pairs])
    share = np.where(ends, 1.0, NEAREST / LEFT)
    weights = np.zeros(given.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-(given @ weights)))
        slope = given.T @ (share * (likely - ends)) + PENALTY * weights
        bend = (given * (share * likely * (1 - likely))[:, None]).T @ given + PENALTY * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return tuple(weights.tolist())


def _auroc(worths: Floats, ends: Bools) -> float:
    return round(100 * auroc(worths, correct=ends), 1)


if __name__ == "__main__":
    main()
