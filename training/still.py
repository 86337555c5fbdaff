"""Train the judge of what ends: `make train-still`, or

    python training/still.py [--first FILE] [--onward FILE] [--told FILE] [--rounds 4] [--last] [--out plugins/dateline/reading/models] [--seed 0]

It goes on from the reader that ships, or other weights, with one question: is an earlier statement still so, by a later one? The lessons are
those of `still_lessons.py`. Printed at the end: how well it finds the ends in archives and fields left out.
Two runs with one seed on one machine give the same weights.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import torch
from export import export
from reader_model import SpanReader, small_tokens
from still_lessons import last_lessons, lessons
from still_measure import held_archives, left_out, measure
from still_model import StillModel, train
from still_pool import pairs
from still_rows import INPUTS, batches, inputs
from told import told
from unpack import unpack

from dateline.reading.encoding import TextTokens
from dateline.reading.model_files import FOLDER

VERSION = "3"
ROUNDS = 4
RATE, HEAD_RATE = 1e-4, 5e-4
"""Of twice this rate fewer ends are found, docs/facts_measured.md."""
CALIBRATED = 100
PRECISE = r"layer\.[01]/output/dense"
"""As of the reader."""


def main() -> None:
    arguments = _arguments()
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    tokens, rng = small_tokens(), random.Random(arguments.seed)
    model = _model(arguments)
    if arguments.rounds:
        taught = told(pairs(without=left_out()), arguments.told) if arguments.told else []
        heard = last_lessons if arguments.last else lessons
        given = (heard(seed=arguments.seed + place, without=left_out()) for place in range(arguments.rounds))
        plan = [rows for marked in given for rows in batches([*marked, *taught], tokens, rng=rng)]
        print(f"{len(taught)} pairs told, {len(plan)} batches", flush=True)
        train(model, plan[: arguments.steps], rate=arguments.rate, head_rate=arguments.head_rate)
    arguments.work.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), arguments.work / "still.pt")
    measure(model.eval(), tokens)
    ship(model, tokens, folder=arguments.out, rng=rng)


def ship(model: StillModel, tokens: TextTokens, *, folder: Path, rng: random.Random) -> None:
    """Write the int8 graph into `folder`."""
    examples = [inputs(rows) for rows in batches(held_archives(), tokens, rng=rng)][:CALIBRATED]
    written = export(
        model,
        name="still",
        outputs=["verdicts", "onsets"],
        inputs=INPUTS,
        version=VERSION,
        folder=folder,
        examples=examples,
        precise=PRECISE,
    )
    print(f"{written}: {written.stat().st_size:,} bytes")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=Path, default=FOLDER / "reader.onnx", help="the reader to go on from")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the int8 graph goes")
    parser.add_argument("--work", type=Path, default=Path("build/still"), help="where the float weights go")
    parser.add_argument("--onward", type=Path, help="float weights of this judge to go on from")
    parser.add_argument("--told", type=Path, help="what the large judge told of unmarked pairs, by told.py")
    parser.add_argument("--rate", type=float, default=RATE, help="of the encoder")
    parser.add_argument("--head-rate", type=float, default=HEAD_RATE, help="of all else")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="0: only measure and write out")
    parser.add_argument("--last", action="store_true", help="a short last round, mostly of plain pairs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, help="stop after so many steps")
    return parser.parse_args()


def _model(arguments: argparse.Namespace) -> StillModel:
    reader = SpanReader()
    reader.load_state_dict(unpack(arguments.first, names=reader.state_dict()))
    model = StillModel(reader)
    if arguments.onward:
        model.load_state_dict(torch.load(arguments.onward, weights_only=True))
    return model


if __name__ == "__main__":
    main()
