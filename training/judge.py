"""Train the judge that ships: all-MiniLM-L6-v2 as a reader of two sentences at once, which answers two questions.

    python training/judge.py --data DIR --out plugins/dateline/reading/models --seed 0

Whether the first supports the second or contradicts it is learned from pairs made by `judge_pairs`; what a later note does to an
earlier one, from pairs written for it (`effects.py`) and, in a second stage, from whole archives in which every change is marked
(`changes.py`, `archive_changes.py`): most of what comes near changes nothing; and from
short statements that differ in one word (`contrasts.py`). Two runs with one seed on one machine give the same weights.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from archive_changes import archive_changes
from averaging import Mean
from changes import Change, changes, titled
from contrasts import contrasts
from effects import NotePair, note_pairs
from export import export
from fitting import rise_and_fall
from half import half
from judge_pairs import VERDICTS, Pair, Prose, pages, pairs
from reader_model import base_model
from transformers import AutoModel
from transformers.utils import logging

from dateline.protocols import EFFECTS, ONSETS
from dateline.reading.model_files import FOLDER, load_tokenizer
from dateline.reading.still import StillJudge
from dateline.reading.trained_judge import dated, prepared
from dateline_bench.effects.pairs import Note

VERSION = "4"
PAIRS = 48_000
TIMES, SECOND_TIMES = 5, 2
"""How often each pair of notes is asked in the first stage; in the second, that many times a round."""
SECOND_PAIRS, SECOND_EPOCHS = 4_000, 2
"""Pairs of the first question that the second stage asks again, and its rounds."""
CONTRASTS = 1_500
UNKNOWN = -100
"""The outcome of a question that is not asked of a pair."""
RATE, SECOND_RATE = 2e-4, 8e-5
AVERAGED, CHECKPOINT = 0.35, 50
"""The weights are the mean of those after every so many steps of this last part."""
CALIBRATED = 60
"""Batches from which the ranges of activations are learned."""
PRECISE = r"layer\.\d+/output/dense"
"""The layers that narrow the hidden state again keep their activations as floats."""
TOKENS_A_BATCH = 2048
MAX_TOKENS = 128
THREADS = 1
LOG = 20
"""Steps between two lines of the log."""
BUCKET = 4096
"""Pairs that are sorted by length before they are cut into batches."""


class Model(torch.nn.Module):
    """The base model with one layer for each question over its first token and the mean of all."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(base_model(), attn_implementation="eager")
        for part in self.encoder.modules():
            if isinstance(part, torch.nn.Dropout):
                part.p = 0.0
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        self.head = torch.nn.Linear(2 * self.encoder.config.hidden_size, len(VERDICTS))
        self.head_of_effects = torch.nn.Linear(2 * self.encoder.config.hidden_size, len(EFFECTS))
        self.head_of_onsets = torch.nn.Linear(2 * self.encoder.config.hidden_size, len(ONSETS))

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, segments: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits of verdicts, effects and onsets, each of shape (batch, 3)."""
        hidden = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=segments).last_hidden_state
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weights).sum(1) / weights.sum(1)
        both = torch.cat([hidden[:, 0], mean], dim=-1)
        return self.head(both), self.head_of_effects(both), self.head_of_onsets(both)


@dataclass(frozen=True)
class Row:
    """One pair as tokens."""

    ids: list[int]
    segments: list[int]
    verdict: int = UNKNOWN
    effect: int = UNKNOWN
    onset: int = UNKNOWN


def rows_of(given: Sequence[Pair]) -> list[Row]:
    """Pairs as the judge will read them."""
    read = _read([prepared(pair.premise, pair.hypothesis) for pair in given])
    return [
        Row(*one, verdict=VERDICTS.index(pair.verdict))  # type: ignore[arg-type]
        for pair, one in zip(given, read, strict=True)
    ]


def rows_of_notes(given: Sequence[NotePair | Change]) -> list[Row]:
    """Pairs of notes as the judge will read them: the later one first."""
    read = _read([prepared(_told(pair.new), _told(pair.old)) for pair in given])
    return [
        Row(
            *one,
            effect=EFFECTS.index(pair.effect),
            onset=ONSETS.index(pair.onset) if pair.effect == "ends" else UNKNOWN,
        )
        for pair, one in zip(given, read, strict=True)
    ]


def _told(note: Note) -> str:
    return dated(titled(note), note.date)


def _read(texts: Sequence[tuple[str, str]]) -> list[tuple[list[int], list[int]]]:
    tokenizer = load_tokenizer()
    tokenizer.enable_truncation(MAX_TOKENS)
    return [(one.ids, one.type_ids) for one in tokenizer.encode_batch(texts)]


def batches(rows: Sequence[Row], rng: random.Random) -> list[list[Row]]:
    """Batches of like lengths in random order."""
    shuffled = rng.sample(list(rows), len(rows))
    found: list[list[Row]] = []
    for begin in range(0, len(shuffled), BUCKET):
        batch: list[Row] = []
        for row in sorted(shuffled[begin : begin + BUCKET], key=lambda one: len(one.ids)):
            if batch and (len(batch) + 1) * len(row.ids) > TOKENS_A_BATCH:
                found.append(batch)
                batch = []
            batch.append(row)
        found.append(batch)
    return rng.sample(found, len(found))


def tensors(batch: Sequence[Row]) -> tuple[torch.Tensor, ...]:
    """ids, mask, segments (batch, tokens), verdicts, effects and onsets (batch,)."""
    longest = max(len(row.ids) for row in batch)
    ids, mask, segments = (torch.zeros(len(batch), longest, dtype=torch.long) for _ in range(3))
    for number, row in enumerate(batch):
        ids[number, : len(row.ids)] = torch.tensor(row.ids)
        mask[number, : len(row.ids)] = 1
        segments[number, : len(row.ids)] = torch.tensor(row.segments)
    outcomes = torch.tensor([(row.verdict, row.effect, row.onset) for row in batch])
    return ids, mask, segments, *outcomes.unbind(1)


def train(
    given: Sequence[Pair],
    notes: Sequence[NotePair | Change] = (),
    *,
    seed: int,
    epochs: int = 1,
    steps: int | None = None,
    threads: int = THREADS,
    first: Model | None = None,
    rate: float = RATE,
) -> Model:
    """The model after `epochs` rounds over the pairs, with the notes among them, or after `steps` batches.

    Args:
        first: the model to go on with.
    """
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(seed)
    rng = random.Random(seed)
    logging.disable_progress_bar()
    model, rows = (first or Model()).train(), [*rows_of(given), *rows_of_notes(notes)]
    plan = [batch for _ in range(epochs) for batch in batches(rows, rng)][:steps]
    slow = [one for name, one in model.named_parameters() if one.requires_grad and not name.startswith("head")]
    # In the first stage the encoder learns what later notes do, through heads of effects that stay as they began.
    heads = [model.head] if first is None else [model.head, model.head_of_effects, model.head_of_onsets]
    quick = [one for head in heads for one in head.parameters()]
    optimiser = torch.optim.AdamW([{"params": slow}, {"params": quick, "lr": 5 * rate}], lr=rate, weight_decay=0.01)
    schedule = rise_and_fall(optimiser, total=len(plan))
    mean = Mean()
    begun, total = time.monotonic(), 0.0
    for step, batch in enumerate(plan, start=1):
        ids, mask, segments, *outcomes = tensors(batch)
        with half():
            logits = model(ids, mask, segments)
        loss = sum((_loss(each, asked) for each, asked in zip(logits, outcomes, strict=True)), torch.zeros(()))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        total += loss.item()
        if step == len(plan) or (step > (1 - AVERAGED) * len(plan) and step % CHECKPOINT == 0):
            mean.add(model)
        if step % LOG == 0 or step == len(plan):
            since = time.monotonic() - begun
            sys.stderr.write(f"step {step}/{len(plan)} loss {total / ((step - 1) % LOG + 1):.3f} {since:.0f} s\n")
            total = 0.0
    mean.put_into(model)
    return model.eval()


def _loss(logits: torch.Tensor, outcomes: torch.Tensor) -> torch.Tensor:
    """Cross entropy of the rows that were asked, as a share of the batch."""
    summed = torch.nn.functional.cross_entropy(
        logits.float(), outcomes, ignore_index=UNKNOWN, label_smoothing=0.05, reduction="sum"
    )
    return summed / len(outcomes)


def main() -> None:
    """Train, export and state the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="the folder that holds timeqa/passages.jsonl.gz")
    parser.add_argument("--no-prose", action="store_true", help="train on made-up sentences alone")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--work", type=Path, default=Path("build/judge"), help="where the float weights go")
    parser.add_argument("--first", type=Path, help="float weights of the first stage, to begin with the second")
    parser.add_argument("--further", action="store_true", help="train on the archives below training/changes, too")
    parser.add_argument("--weights", type=Path, help="float weights to write out instead of training")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--threads", type=int, default=THREADS)
    given = parser.parse_args()
    if given.data is None and not given.no_prose:
        parser.error("give --data DIR, the folder that holds timeqa/passages.jsonl.gz, or --no-prose")
    prose = None if given.no_prose else Prose(pages(given.data))
    made = pairs(given.pairs, seed=given.seed, prose=prose)
    before = StillJudge(threads=given.threads)
    notes = note_pairs()
    marked = [
        *changes(seed=given.seed, judge=before, further=given.further),
        *archive_changes(seed=given.seed),
        *contrasts(CONTRASTS, seed=given.seed),
    ]
    if given.weights:
        model = Model().eval()
        model.load_state_dict(torch.load(given.weights, weights_only=True))
    else:
        given.work.mkdir(parents=True, exist_ok=True)
        if given.first:
            model = Model()
            model.load_state_dict(torch.load(given.first, weights_only=True))
        else:
            model = train(made, TIMES * notes, seed=given.seed, epochs=given.epochs, threads=given.threads)
            torch.save(model.state_dict(), given.work / "first.pt")
        model = train(
            made[:SECOND_PAIRS],
            [*SECOND_TIMES * notes, *marked],
            seed=given.seed,
            epochs=SECOND_EPOCHS,
            threads=given.threads,
            first=model,
            rate=SECOND_RATE,
        )
        torch.save(model.state_dict(), given.work / "judge.pt")
    examples = [
        tensors(batch)[:3]
        for batch in batches(
            [*rows_of(made[-BUCKET:]), *rows_of_notes([*notes, *marked][-BUCKET:])], random.Random(given.seed)
        )
    ]
    path = export(
        model,
        name="judge",
        outputs=["logits", "effects", "onsets"],
        version=VERSION,
        folder=given.out,
        examples=examples[:CALIBRATED],
        precise=PRECISE,
    )
    sys.stderr.write(f"{path}: {path.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
