"""Train the large judge of what ends, which teaches the small one:

    python training/teacher.py --base FOLDER [--rounds 1] [--steps N] [--onward FILE] [--out build/still/teacher.pt]

FOLDER holds all-mpnet-base-v2. The lessons are those of the small judge (`still_lessons.py`). At the end it is measured as that one is.
Float weights alone are written: it is too large to ship.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import torch
from large_still import LargeStill
from reader_model import small_tokens
from still_lessons import lessons
from still_measure import left_out, measure
from still_model import train
from still_rows import batches

RATE, HEAD_RATE = 5e-5, 5e-4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", type=Path, required=True, help="the folder of all-mpnet-base-v2")
    parser.add_argument("--out", type=Path, default=Path("build/still/teacher.pt"))
    parser.add_argument("--onward", type=Path, help="float weights of this judge to go on from")
    parser.add_argument("--frozen", type=int, default=0, help="layers that stay as they are")
    parser.add_argument("--rate", type=float, default=RATE, help="of the encoder")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--steps", type=int, help="stop after so many steps")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    model, tokens, rng = LargeStill(given.base, frozen=given.frozen), small_tokens(), random.Random(given.seed)
    if given.onward:
        model.load_state_dict(torch.load(given.onward, weights_only=True))
    plan = [
        rows
        for place in range(given.rounds)
        for rows in batches(lessons(seed=given.seed + place, without=left_out()), tokens, rng=rng)
    ]
    print(f"{len(plan)} batches", flush=True)
    train(model, plan[: given.steps], rate=given.rate, head_rate=HEAD_RATE)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), given.out)
    measure(model.eval(), tokens)


if __name__ == "__main__":
    main()
