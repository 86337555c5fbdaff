"""Train the judge of what ends: `make train-still`, or

    python training/still.py [--first FILE] [--onward FILE] [--rounds 4] [--out plugins/dateline/reading/models] [--seed 0]

It goes on from the reader that ships, or other weights, with one question: is an earlier statement still so, by a later one? The
pairs are those of whole archives (`changes.py`), pairs written for it (`effects.py`) and crossed (`crossed.py`), contrasts
(`contrasts.py`), and what questions with a key tell of statements (`asked_changes.py`). Of sentences that name a day to come (`onsets`) it
also learns whether they hold from then on. Printed at the end: how well it finds the ends in archives and fields left out.
Two runs with one seed on one machine give the same weights.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from asked_changes import asked_changes
from averaging import Mean
from changes import ARCHIVES, Change, changes
from contrasts import contrasts
from crossed import crossed
from effects import NotePair, note_pairs
from export import export
from half import half
from histories import FIELDS, HISTORIES
from reader_model import MASK, SpanReader, base_model, encoded
from still_questions import HELD
from tokenizers import Tokenizer
from torch import Tensor, nn
from unpack import unpack

from dateline.certainty import auroc
from dateline.facts.onset import onset_day
from dateline.protocols import ONSETS, Effect, Onset
from dateline.reading.encoding import TextTokens, Window, batch, windows
from dateline.reading.model_files import FOLDER
from dateline.reading.still import SAYS, asked_still
from dateline.reading.verdicts import VERDICTS
from dateline.temporal.interval import Interval
from dateline_bench.benchmarks import onsets
from dateline_bench.effects.pairs import Note

VERSION = "1"
INPUTS = ("ids", "mask", "segments", "marks")
ROUNDS = 4
WRITTEN, CONTRASTS, HEDGED, SAID_PLAINLY = 2, 3_000, 500, 1_000
"""In each round, so many times what was written for it, and so many of the others."""
HEDGES = ("may", "might", "could")
AUXILIARY = re.compile(r"\b(?:is|are|has|have|can)\b")
PLAINLY: Sequence[tuple[str, str, Effect]] = (
    (" no longer", "", "ends"),
    (" not", " any more", "ends"),
    (" still", "", "restates"),
    ("", " as before", "restates"),
)
"""What is said behind the verb and at the end, and what that does to the statement."""
FIRM = {"will": "", "is|are|has been": " be", "moves?": " move", "costs?": " cost"}
"""Words of what is told as fact, and what stands behind a hedge in their place."""
LEFT_OUT = 6
"""Every sixth of the fields is left out, to measure by."""
RATE, HEAD_RATE, WARM_UP, LEAST_RATE = 1e-4, 5e-4, 0.06, 0.1
"""Of twice this rate fewer ends are found, docs/facts_measured.md."""
ONSET = 0.5
"""What onsets count beside effects. Chosen by hand."""
UNTITLED = 0.25
"""Share of the pairs that do without the title of the later one's document."""
HIDDEN = 0.08
"""Share of the words that are masked."""
SMOOTHING = 0.02
TOKENS, POOL = 4096, 2048
"""Tokens of a batch; pairs that are sorted by length before they are cut into batches."""
AVERAGED, CHECKPOINT = 0.4, 25
"""The weights are the mean of those after every so many steps of this last part."""
CALIBRATED = 100
PRECISE = r"layer\.[01]/output/dense"
"""As of the reader."""
UNKNOWN = -100
AHEAD = Path(__file__).parent / "onsets"
"""Sentences that name a day to come."""
HOLDS = ("same", "event")
"""Kinds of written pairs whose later note holds from its own day."""


@dataclass(frozen=True)
class Alone:
    """A note that names a day to come, and whether it holds from then on; nothing else is asked of it."""

    new: Note
    onset: Onset


Pair = Change | NotePair | Alone


class StillModel(nn.Module):
    """(ids, mask, segments, marks), each (pairs, tokens), to (pairs, VERDICTS) and (pairs, ONSETS)."""

    def __init__(self, reader: SpanReader) -> None:
        super().__init__()
        self.encoder, self.marks, self.verdicts = reader.encoder, reader.marks, reader.verdicts
        self.onsets = nn.Linear(self.encoder.config.hidden_size, len(ONSETS))

    def forward(self, ids: Tensor, mask: Tensor, segments: Tensor, marks: Tensor) -> tuple[Tensor, Tensor]:
        hidden = encoded(self.encoder, self.marks, ids, mask, segments, marks)[:, 0]
        return self.verdicts(hidden), self.onsets(hidden)


@dataclass(frozen=True)
class Row:
    """A pair as the judge reads it, and what is right of it."""

    window: Window
    verdict: int
    onset: int


def main() -> None:
    arguments = _arguments()
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    tokenizer = Tokenizer.from_file(str(base_model() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokens, rng = TextTokens(tokenizer), random.Random(arguments.seed)
    fields = _names(FIELDS)[LEFT_OUT - 1 :: LEFT_OUT]
    model = _model(arguments)
    if arguments.rounds:
        asked = asked_changes((FIELDS, HISTORIES), without=fields)
        plan = [
            step
            for place in range(arguments.rounds)
            for step in _batches(_round(asked, arguments.seed + place), tokens, rng)
        ]
        _train(model, plan[: arguments.steps])
    arguments.work.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), arguments.work / "still.pt")
    others = [file.stem for file in (ARCHIVES / "archives").glob("*.json") if file.stem not in HELD]
    measured = {
        "archives": changes(ARCHIVES / "archives", seed=arguments.seed, without=others),
        "fields": asked_changes((FIELDS,), without=[name for name in _names(FIELDS) if name not in fields]),
    }
    for name, pairs in measured.items():
        print(f"{name} left out: {_measure(model.eval(), pairs, tokens)}", flush=True)
    examples = [_inputs(rows) for rows in _batches(measured["archives"], tokens, rng)][:CALIBRATED]
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


def _names(folder: Path) -> list[str]:
    return sorted(one.name for one in (folder / "corpora").iterdir())


def _model(arguments: argparse.Namespace) -> StillModel:
    reader = SpanReader()
    reader.load_state_dict(unpack(arguments.first, names=reader.state_dict()))
    model = StillModel(reader)
    if arguments.onward:
        model.load_state_dict(torch.load(arguments.onward, weights_only=True))
    return model


def _round(asked: Sequence[Change], seed: int) -> list[Pair]:
    """All that ends or restates, and what leaves, drawn anew."""
    written = note_pairs()
    marked = [*changes(seed=seed, further=True, without=HELD), *WRITTEN * written]
    return [
        *marked,
        *crossed(written, seed=seed),
        *islice(_hedged(marked, random.Random(seed)), HEDGED),
        *islice(_said_plainly(marked, random.Random(seed)), SAID_PLAINLY),
        *_alone(marked),
        *(Alone(Note(date=told.said, text=told.text), told.onset) for told in WRITTEN * onsets.load(AHEAD)),
        *contrasts(CONTRASTS, seed=seed),
        *asked,
        *(pair for pair in asked if pair.effect == "ends"),
    ]


def _hedged(pairs: Sequence[Pair], rng: random.Random) -> Iterator[Change]:
    """What ends a statement at once, told as what may be: it leaves it.

    Not what is announced: "may not be walked from 1 July" forbids.
    """
    for pair in rng.sample(list(pairs), len(pairs)):
        if pair.effect != "ends" or pair.onset == "later":
            continue
        for firm, loose in FIRM.items():
            text, found = re.subn(rf"\b(?:{firm})\b", rng.choice(HEDGES) + loose, pair.new.text, count=1)
            if found:
                yield Change(pair.old, pair.new.model_copy(update={"text": text}), "leaves")
                break


def _said_plainly(pairs: Sequence[Pair], rng: random.Random) -> Iterator[Change]:
    """Statements that are denied or said again in their own words."""
    for pair in rng.sample(list(pairs), len(pairs)):
        behind, last, effect = rng.choice(PLAINLY)
        told, found = AUXILIARY.subn(rf"\g<0>{behind}", pair.old.text.rstrip(" ."), count=1)
        if found:
            yield Change(pair.old, pair.new.model_copy(update={"text": f"{told}{last}."}), effect)


def _alone(pairs: Sequence[Change | NotePair]) -> Iterator[Alone]:
    """Each note that names a day to come, by itself: is it so only from then on?

    Known of what ends an earlier note; of the others, of those written for what is repeated, or merely happens.
    """
    known = {pair.new: pair for pair in pairs if getattr(pair, "kind", "") in HOLDS}
    known |= {pair.new: pair for pair in pairs if pair.effect == "ends"}
    for note, pair in known.items():
        if onset_day(note.text, anchor=Interval.of_moment(note.date), onset="later"):
            yield Alone(note, pair.onset)


def _batches(pairs: Sequence[Pair], tokens: TextTokens, rng: random.Random) -> Iterator[list[Row]]:
    """Rows of like length together, in about a random order."""
    shuffled = rng.sample(list(pairs), len(pairs))
    for begin in range(0, len(shuffled), POOL):
        rows = [_row(pair, tokens, titled=rng.random() >= UNTITLED) for pair in shuffled[begin : begin + POOL]]
        made: list[list[Row]] = [[]]
        for row in sorted(rows, key=lambda one: len(one.window.ids)):
            if made[-1] and (len(made[-1]) + 1) * len(row.window.ids) > TOKENS:
                made.append([])
            made[-1].append(row)
        yield from rng.sample(made, len(made))


def _row(pair: Pair, tokens: TextTokens, *, titled: bool = True) -> Row:
    """A pair as the store asks, without the later one's title where it is to do without."""
    title = pair.new.title if titled else ""
    earlier = "" if isinstance(pair, Alone) else pair.old.text
    question, piece = asked_still(earlier, later=pair.new.text, day=pair.new.date, title=title)
    read = windows(question, evidence=[piece], tokens=tokens)
    if isinstance(pair, Alone):
        return Row(read[0], UNKNOWN, ONSETS.index(pair.onset))
    onset = ONSETS.index(pair.onset) if pair.effect == "ends" else UNKNOWN
    return Row(read[0], VERDICTS.index(SAYS[pair.effect]), onset)


def _inputs(rows: Sequence[Row]) -> tuple[Tensor, ...]:
    arrays = batch([row.window for row in rows])
    return tuple(torch.from_numpy(arrays[name]) for name in INPUTS)


def _train(model: StillModel, plan: Sequence[Sequence[Row]]) -> None:
    inner = [one for name, one in model.named_parameters() if name.startswith("encoder") and one.requires_grad]
    outer = [one for name, one in model.named_parameters() if not name.startswith("encoder")]
    optimiser = torch.optim.AdamW(
        [{"params": inner, "lr": RATE}, {"params": outer, "lr": HEAD_RATE}], weight_decay=0.01
    )
    total, rise = len(plan), max(1, round(WARM_UP * len(plan)))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / rise, max(LEAST_RATE, (total - step) / max(1, total - rise)))
    )
    mean, begun = Mean(), time.monotonic()
    model.train()
    for step, rows in enumerate(plan, start=1):
        loss = _loss(model, rows)
        loss.backward()
        nn.utils.clip_grad_norm_([*inner, *outer], 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad(set_to_none=True)
        if step == total or (step > (1 - AVERAGED) * total and step % CHECKPOINT == 0):
            mean.add(model)
        if step % 100 == 0:
            print(f"step {step}/{total} loss {loss.item():.3f} {time.monotonic() - begun:.0f} s", flush=True)
    mean.put_into(model)


def _loss(model: StillModel, rows: Sequence[Row]) -> Tensor:
    """Cross entropy of effects, and of onsets where something ends."""
    ids, mask, *rest = _inputs(rows)
    ids = ids.masked_fill((torch.rand(ids.shape) < HIDDEN) & (ids > MASK), MASK)
    with half():
        verdicts, onsets = model(ids, mask, *rest)
    right = torch.tensor([(row.verdict, row.onset) for row in rows])
    effect, onset = (
        nn.functional.cross_entropy(
            told.float(), known, ignore_index=UNKNOWN, reduction="sum", label_smoothing=smoothing
        )
        for told, known, smoothing in ((verdicts, right[:, 0], SMOOTHING), (onsets, right[:, 1], 0.0))
    )
    return (effect + ONSET * onset) / len(rows)


def _measure(model: StillModel, pairs: Sequence[Change], tokens: TextTokens) -> str:
    """AUROC of an end, and ends found where one in a hundred of the others would be, and two."""
    rows = [_row(pair, tokens) for pair in dict.fromkeys(pairs) if pair.effect != "restates"]
    with torch.no_grad(), half():
        logits = np.concatenate([model(*_inputs([row]))[0].float().numpy() for row in rows])
    no, yes, unsaid = (logits[:, VERDICTS.index(said)] for said in ("no", "yes", "unsaid"))
    worths = no - np.logaddexp(yes, unsaid)
    ends = np.array([row.verdict == VERDICTS.index("no") for row in rows])
    found = [float(np.mean(worths[ends] >= np.quantile(worths[~ends], 1 - share))) for share in (0.01, 0.02)]
    return (
        f"{len(ends)} pairs, {ends.sum()} ends, AUROC {100 * auroc(worths, correct=ends):.1f}, "
        f"found {100 * found[0]:.1f} and {100 * found[1]:.1f} %"
    )


if __name__ == "__main__":
    main()
