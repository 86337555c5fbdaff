"""Train the judge of what ends: `make train-still`, or

    python training/still.py [--first FILE] [--onward FILE] [--rounds 4] [--out plugins/dateline/reading/models] [--seed 0]

It goes on from the reader that ships, or other weights, with one question: is an earlier statement still so, by a later one? The lessons are
those of `still_lessons.py`. Printed at the end: how well it finds the ends in archives and fields left out.
Two runs with one seed on one machine give the same weights.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from asked_changes import asked_changes
from changes import ARCHIVES, Change, changes
from export import export
from half import half
from histories import FIELDS, HISTORIES
from reader_model import SpanReader, base_model
from still_lessons import lessons
from still_model import StillModel, train
from still_questions import HELD
from still_rows import INPUTS, batches, inputs, row
from tokenizers import Tokenizer
from unpack import unpack

from dateline.certainty import auroc
from dateline.reading.encoding import TextTokens
from dateline.reading.model_files import FOLDER
from dateline.reading.verdicts import VERDICTS

VERSION = "1"
LEFT_OUT = 6
"""Every sixth of the fields is left out, to measure by."""
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
    tokens, rng = _tokens(), random.Random(arguments.seed)
    model = _model(arguments)
    if arguments.rounds:
        asked = asked_changes((FIELDS, HISTORIES), without=_left_out())
        heard = (lessons(asked, seed=arguments.seed + place) for place in range(arguments.rounds))
        plan = [rows for pairs in heard for rows in batches(pairs, tokens, rng=rng)]
        train(model, plan[: arguments.steps], rate=RATE, head_rate=HEAD_RATE)
    arguments.work.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), arguments.work / "still.pt")
    _measure(model.eval(), tokens)
    examples = [inputs(rows) for rows in batches(_archives(), tokens, rng=rng)][:CALIBRATED]
    written = export(
        model,
        name="still",
        outputs=["verdicts", "onsets"],
        inputs=INPUTS,
        version=VERSION,
        folder=arguments.out,
        examples=examples,
        precise=PRECISE,
    )
    print(f"{written}: {written.stat().st_size:,} bytes")


def _tokens() -> TextTokens:
    """The tokenizer of the small models."""
    tokenizer = Tokenizer.from_file(str(base_model() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return TextTokens(tokenizer)


def _left_out() -> list[str]:
    """The names of the fields to measure by."""
    return _fields()[LEFT_OUT - 1 :: LEFT_OUT]


def _measure(model: StillModel, tokens: TextTokens) -> None:
    """Print how well the ends in archives and fields left out are found."""
    fields = asked_changes((FIELDS,), without=[name for name in _fields() if name not in _left_out()])
    for name, pairs in {"archives": _archives(), "fields": fields}.items():
        print(f"{name} left out: {_found(model, pairs, tokens)}", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=Path, default=FOLDER / "reader.onnx", help="the reader to go on from")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the int8 graph goes")
    parser.add_argument("--work", type=Path, default=Path("build/still"), help="where the float weights go")
    parser.add_argument("--onward", type=Path, help="float weights of this judge to go on from")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="0: only measure and write out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, help="stop after so many steps")
    return parser.parse_args()


def _fields() -> list[str]:
    return sorted(one.name for one in (FIELDS / "corpora").iterdir())


def _archives() -> list[Change]:
    others = [file.stem for file in (ARCHIVES / "archives").glob("*.json") if file.stem not in HELD]
    return changes(ARCHIVES / "archives", seed=0, without=others)


def _model(arguments: argparse.Namespace) -> StillModel:
    reader = SpanReader()
    reader.load_state_dict(unpack(arguments.first, names=reader.state_dict()))
    model = StillModel(reader)
    if arguments.onward:
        model.load_state_dict(torch.load(arguments.onward, weights_only=True))
    return model


def _found(model: StillModel, pairs: Sequence[Change], tokens: TextTokens) -> str:
    """AUROC of an end, and ends found where one in a hundred of the others would be, and two."""
    rows = [row(pair, tokens) for pair in dict.fromkeys(pairs) if pair.effect != "restates"]
    with torch.no_grad(), half():
        logits = np.concatenate([model(*inputs([one]))[0].float().numpy() for one in rows])
    no, yes, unsaid = (logits[:, VERDICTS.index(said)] for said in ("no", "yes", "unsaid"))
    worths = no - np.logaddexp(yes, unsaid)
    ends = np.array([one.verdict == VERDICTS.index("no") for one in rows])
    found = [float(np.mean(worths[ends] >= np.quantile(worths[~ends], 1 - share))) for share in (0.01, 0.02)]
    return (
        f"{len(ends)} pairs, {ends.sum()} ends, AUROC {100 * auroc(worths, correct=ends):.1f}, "
        f"found {100 * found[0]:.1f} and {100 * found[1]:.1f} %"
    )


if __name__ == "__main__":
    main()
