"""Fit the onsets of the judge of what ends anew, all else left as it is:

    python training/still_onsets.py [--first plugins/dateline/reading/models/still.onnx] [--out plugins/dateline/reading/models]

Its head for onsets is a linear layer over the first token; it is fitted to sentences that name a day to come and to later notes that end
an earlier one. A kind of onset that the graph does not know yet starts as "later".
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import torch
from effects import note_pairs
from half import half
from reader_model import SpanReader, encoded
from still import ship
from still_lessons import LAST_DAYS, TO_COME, Lesson, ahead, alone
from still_model import StillModel
from still_rows import Row, batches, inputs, small_tokens
from torch import Tensor, nn
from unpack import unpack

from dateline.protocols import ONSETS
from dateline.reading.model_files import FOLDER
from dateline_bench.benchmarks import onsets

DECAY = 1e-4
"""Of the squared change of the weights. From 1e-5 to 1e-3 a sixth left out is told alike."""
STEPS = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=Path, default=FOLDER / "still.onnx", help="the graph to go on from")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the int8 graph goes")
    given = parser.parse_args()
    torch.manual_seed(0)
    model, tokens, rng = opened(given.first).eval(), small_tokens(), random.Random(0)
    written = note_pairs()
    told = [alone(one) for folder in (TO_COME, LAST_DAYS) for one in onsets.load(folder)]
    lessons: list[Lesson] = [*told, *ahead(written), *(pair for pair in written if pair.effect == "ends")]
    refit(model, list(batches(lessons, tokens, rng=rng)))
    ship(model, tokens, folder=given.out, rng=rng)


def opened(graph: Path) -> StillModel:
    """A shipped judge as a module."""
    model = StillModel(SpanReader())
    known = unpack(graph, names=model.state_dict())
    for name, weights in known.items():
        if name.startswith("onsets"):
            later = weights[ONSETS.index("later")][None]
            known[name] = torch.cat([weights, later.expand(len(ONSETS) - len(weights), *later.shape[1:])])
    model.load_state_dict(known)
    return model


def refit(model: StillModel, plan: Sequence[Sequence[Row]]) -> None:
    """Fit the head of onsets to batches, in place."""
    seen, right = [], []
    with torch.no_grad(), half():
        for rows in plan:
            ids, mask, segments, marks = inputs(rows)
            seen.append(encoded(model.encoder, model.marks, ids, mask, segments, marks)[:, 0].float())
            right += [row.onset for row in rows]
    hidden, known = torch.cat(seen), torch.tensor(right)
    before = model.onsets.weight.detach().clone()
    optimiser = torch.optim.LBFGS(model.onsets.parameters(), max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimiser.zero_grad()
        value = nn.functional.cross_entropy(model.onsets(hidden), known)
        value = value + DECAY * ((model.onsets.weight - before) ** 2).sum()
        value.backward()
        return value

    optimiser.step(loss)


if __name__ == "__main__":
    main()
