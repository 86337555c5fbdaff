"""Let the large judge of what ends tell of pairs that nobody has marked:

    python training/told.py --base FOLDER --teacher FILE --small FILE [--out training/told.npz] [--count N]

For each pair of `still_pool.py` it writes a fingerprint of both texts and how likely each verdict is, in steps of 1/255: the large judge and
the small one that is to learn from it by the mean of their logits, for both err differently. What is told already stays, so that a run that
was stopped goes on.

    told(pairs, path) -> list[Told]    the pairs of which something is told
"""

from __future__ import annotations

import argparse
import hashlib
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from half import half
from large_still import LargeStill
from numpy.typing import NDArray
from reader_model import SpanReader, small_tokens
from still_lessons import Told
from still_measure import left_out
from still_model import StillModel
from still_pool import Unmarked, pairs
from still_rows import batches, inputs
from torch import nn

TOLD = Path(__file__).parent / "told.npz"
STEPS = 255
SAVED = 200
"""Batches between two savings."""


def told(unmarked: Sequence[Unmarked], path: Path = TOLD) -> list[Told]:
    """The pairs of which `path` tells, with what it tells."""
    known = _read(path)
    found = [(pair, steps) for pair in unmarked if (steps := known.get(fingerprint(pair))) is not None]
    return [Told(pair.old, pair.new, _chances(steps)) for pair, steps in found]


def fingerprint(pair: Unmarked) -> int:
    """A number for the texts and the days of a pair."""
    said = "\n".join((pair.old.text, pair.new.title, pair.new.text, pair.new.date.isoformat()))
    return int.from_bytes(hashlib.blake2b(said.encode(), digest_size=8).digest(), "little")


def _chances(steps: NDArray[np.uint8]) -> tuple[float, ...]:
    return tuple((steps / max(1, int(steps.sum()))).tolist())


def _read(path: Path) -> dict[int, NDArray[np.uint8]]:
    if not path.exists():
        return {}
    with np.load(path) as stored:
        return dict(zip(stored["pairs"].tolist(), stored["steps"], strict=True))


def write(path: Path, known: dict[int, NDArray[np.uint8]]) -> None:
    """Keep what is told, by fingerprint."""
    order = sorted(known)
    steps = np.array([known[one] for one in order], dtype=np.uint8)
    np.savez_compressed(path, pairs=np.array(order, dtype=np.uint64), steps=steps)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True, help="the folder of all-mpnet-base-v2")
    parser.add_argument("--teacher", type=Path, required=True, help="its float weights, by teacher.py")
    parser.add_argument("--small", type=Path, required=True, help="float weights of the small judge, by still.py")
    parser.add_argument("--out", type=Path, default=TOLD)
    parser.add_argument("--count", type=int, help="so many pairs, drawn")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    models: list[tuple[nn.Module, Path]] = [
        (LargeStill(given.base), given.teacher),
        (StillModel(SpanReader()), given.small),
    ]
    for model, weights in models:
        model.load_state_dict(torch.load(weights, weights_only=True))
    known, rng = _read(given.out), random.Random(given.seed)
    unmarked = pairs(seed=given.seed, without=left_out())
    asked = rng.sample(unmarked, min(given.count or len(unmarked), len(unmarked)))
    asked = [pair for pair in asked if fingerprint(pair) not in known]
    print(f"{len(asked)} of {len(unmarked)} pairs are asked, {len(known)} are told", flush=True)
    _ask([model.eval() for model, _ in models], asked, known, given.out)


def _ask(
    models: Sequence[nn.Module], asked: Sequence[Unmarked], known: dict[int, NDArray[np.uint8]], path: Path
) -> None:
    """Ask in batches of like length, and write what is told now and then."""
    tokens, rng = small_tokens(), random.Random(0)
    # Each pair carries its fingerprint through the batches in place of chances.
    lessons = [Told(pair.old, pair.new, (float(place),)) for place, pair in enumerate(asked)]
    for number, rows in enumerate(batches(lessons, tokens, rng=rng), start=1):
        with torch.no_grad(), half():
            logits = torch.stack([model(*inputs(rows))[0].float() for model in models]).mean(dim=0)
        chances = logits.softmax(dim=1).numpy()
        for row, one in zip(rows, np.round(STEPS * chances).astype(np.uint8), strict=True):
            known[fingerprint(asked[int(row.chances[0])])] = one
        if number % SAVED == 0:
            write(path, known)
            print(f"{len(known)} told", flush=True)
    write(path, known)


if __name__ == "__main__":
    main()
