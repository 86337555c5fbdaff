"""Train the local reader: `make train-reader DATA=DIR`, or

    python training/reader.py --data DIR [--out plugins/dateline/reading/models] [--seed 0]

DIR holds TimeQA's `passages`, `questions` and `reading` files. Three stages follow each other: questions made from
plain passages (`cloze.py`), then annotated questions with other constraints (`timeqa.py`) mixed with made-up worlds
(`worlds.py`) and made-up news (`news.py`). This is done twice, with other questions and in other amounts, and the mean of both
runs' weights is what ships: its probabilities tell right from wrong better than those of either run. The same seed gives the same
weights on one machine. The float weights stay in --work.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import cloze
import news
import numpy as np
import timeqa
import torch
import worlds
from averaging import Mean
from export import export
from reader_model import SpanReader, Task, base_model, loss
from timeqa import Example
from tokenizers import Tokenizer

from dateline.reading.encoding import Window, batch, windows
from dateline.reading.model_files import FOLDER
from dateline_bench.benchmarks.reading import held_out

VERSION = "3"


@dataclass(frozen=True)
class Run:
    """How many questions of each kind one run sees; annotated ones are asked `epochs` times."""

    cloze: int
    news: int
    epochs: int


RUNS = (Run(cloze=14_000, news=2_000, epochs=4), Run(cloze=6_000, news=3_000, epochs=3))
"""Two runs from one start end close enough for their weights to be averaged (Wortsman et al., 2022), by the tokens they saw."""
INPUTS = ("ids", "mask", "segments", "marks")
CALIBRATED = 100
"""Groups from which the ranges of activations are learned."""
PRECISE = r"layer\.\d+/output/dense"
"""The layers that narrow the hidden state again: quantising what comes into them costs two points of exact match."""
PASSAGES = 3
"""Pieces of evidence in a group at most."""
TOKENS = 4096
"""About this many tokens make a step."""
RATE, HEAD_RATE, WARMUP = 2e-4, 1e-3, 0.06
LEAST_RATE = 0.15
"""Share of the rate that is left at the last step; weights that still move are worth averaging."""
CHECKPOINT = 100
"""Steps between weights that are averaged."""
HIDDEN = 0.1
"""Share of the evidence that is masked."""
AVERAGED = 0.45
"""The shipped weights are the mean of those kept over this last part of the steps."""
POOL = 64
"""Groups that are sorted by length among themselves, so that a batch is padded little."""


def main() -> None:
    arguments = _arguments()
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(arguments.threads)
    tokenizer = Tokenizer.from_file(str(base_model() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    pages = timeqa.load(arguments.data) if arguments.data else None
    mean, examples = Mean(), []
    for number, run in enumerate(RUNS[:1] if arguments.weights else RUNS):
        torch.manual_seed(arguments.seed + number)
        rng = random.Random(arguments.seed + number)
        groups = list(_curriculum(run, arguments, pages, rng))
        tasks = [_tasks(example, place, tokenizer) for place, example in enumerate(groups)]
        tokens = sum(len(task.window.ids) for group in tasks for task in group)
        examples = [_inputs(group) for group in tasks[-CALIBRATED:]]
        model = SpanReader().to("cuda" if torch.cuda.is_available() else "cpu")
        if arguments.weights:
            model.load_state_dict(torch.load(arguments.weights, weights_only=True))
        else:
            print(f"run {number + 1} of {len(RUNS)}: {len(tasks)} groups, {tokens:,} tokens", flush=True)
            _train(model, list(_batches(tasks, rng)), arguments)
        mean.add(model.cpu(), weight=tokens)
    mean.put_into(model)
    arguments.work.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), arguments.work / "reader.pt")
    written = export(
        model,
        name="reader",
        outputs=["logits"],
        inputs=INPUTS,
        version=VERSION,
        folder=arguments.out,
        tokens=True,
        examples=examples,
        precise=PRECISE,
    )
    print(f"{written}: {written.stat().st_size:,} bytes")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of TimeQA's passages, questions and reading files")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the int8 graph goes")
    parser.add_argument("--work", type=Path, default=Path("build/reader"), help="where the float weights go")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--worlds", type=int, default=1_500, help="questions about made-up worlds")
    parser.add_argument("--news", type=int, help="questions about made-up news, instead of those of each run")
    parser.add_argument("--steps", type=int, help="stop each run after so many steps")
    parser.add_argument("--weights", type=Path, help="float weights to write out instead of training")
    parser.add_argument("--made-up-only", action="store_true", help="train on made-up worlds alone, without --data")
    arguments = parser.parse_args()
    if arguments.data is None and not arguments.made_up_only:
        parser.error(
            "give --data (with make: DATA=DIR), the folder of TimeQA's passages.jsonl, questions.jsonl and reading.jsonl "
            "(docs/benchmarks.md), or --made-up-only with --out elsewhere for a weaker reader"
        )
    return arguments


def _curriculum(
    run: Run, arguments: argparse.Namespace, pages: timeqa.Pages | None, rng: random.Random
) -> Iterator[Example]:
    """All examples of a run in the order in which they are learned."""
    reports = run.news if arguments.news is None else arguments.news
    made = [
        *worlds.examples(arguments.worlds, rng=rng, size=PASSAGES),
        *news.examples(reports, rng=rng, size=PASSAGES + 1),
    ]
    rng.shuffle(made)
    if pages is None:
        yield from made
        return
    plain = [piece for title, page in pages.passages.items() if not held_out(title) for piece in page]
    early = made[: len(made) // 4]
    first = [*cloze.examples(plain, count=run.cloze, rng=rng), *early]
    rng.shuffle(first)
    yield from first
    rest = made[len(early) :]
    for epoch in range(run.epochs):
        share = rest[epoch :: run.epochs]
        mixed = [*timeqa.examples(pages.train, pages=pages, size=PASSAGES, rng=rng), *share]
        rng.shuffle(mixed)
        yield from mixed


def _tasks(example: Example, number: int, tokenizer: Tokenizer) -> list[Task]:
    built = windows(example.question, evidence=example.evidence, tokenizer=tokenizer)
    return [
        Task(window, number, *_targets(window, example))
        if window.source in example.gold
        else Task(window, number, (), ())
        for window in built
    ]


def _inputs(tasks: Sequence[Task]) -> tuple[torch.Tensor, ...]:
    arrays = batch([task.window for task in tasks])
    return tuple(torch.from_numpy(arrays[name]) for name in INPUTS)


def _targets(window: Window, example: Example) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The tokens at which an answer of the example starts and ends in the window."""
    text = example.evidence[window.source].text.lower()
    starts, ends = set(), set()
    for answer in example.answers:
        for begin in _occurrences(text, answer.lower()):
            inside = np.flatnonzero((window.offsets[:, 0] < begin + len(answer)) & (window.offsets[:, 1] > begin))
            if len(inside):
                starts.add(window.first + int(inside[0]))
                ends.add(window.first + int(inside[-1]))
    return tuple(sorted(starts)), tuple(sorted(ends))


def _occurrences(text: str, answer: str) -> Iterator[int]:
    place = text.find(answer) if answer else -1
    while place >= 0:
        after = place + len(answer)
        if not (text[place - 1 : place].isalnum() or text[after : after + 1].isalnum()):
            yield place
        place = text.find(answer, place + 1)


def _batches(groups: Sequence[list[Task]], rng: random.Random) -> Iterator[list[Task]]:
    """Groups of like length together, in about the given order."""
    for start in range(0, len(groups), POOL):
        pool = sorted(groups[start : start + POOL], key=lambda group: max(len(task.window.ids) for task in group))
        made: list[list[Task]] = []
        rows: list[Task] = []
        for group in pool:
            longest = max(len(task.window.ids) for task in [*rows, *group])
            if rows and longest * (len(rows) + len(group)) > TOKENS:
                made.append(rows)
                rows = []
            rows = [*rows, *group]
        if rows:
            made.append(rows)
        rng.shuffle(made)
        yield from made


def _train(model: SpanReader, batches: Sequence[list[Task]], arguments: argparse.Namespace) -> None:
    inner = [p for name, p in model.named_parameters() if name.startswith("encoder") and p.requires_grad]
    outer = [p for name, p in model.named_parameters() if not name.startswith("encoder")]
    optimiser = torch.optim.AdamW(
        [{"params": inner, "lr": RATE}, {"params": outer, "lr": HEAD_RATE}], weight_decay=0.01
    )
    total = len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser,
        lambda step: min((step + 1) / (WARMUP * total), max(LEAST_RATE, (total - step) / (total * (1 - WARMUP)))),
    )
    model.train()
    mean = Mean()
    started, running, tokens = time.perf_counter(), 0.0, 0
    for step, tasks in enumerate(batches, start=1):
        value = loss(model, tasks, hidden=HIDDEN)
        value.backward()
        torch.nn.utils.clip_grad_norm_(inner + outer, 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad(set_to_none=True)
        running = 0.98 * running + 0.02 * value.item() if running else value.item()
        tokens += sum(len(task.window.ids) for task in tasks)
        if step % 50 == 0:
            spent = time.perf_counter() - started
            print(
                json.dumps(
                    {
                        "step": step,
                        "of": total,
                        "loss": round(running, 3),
                        "tokens_per_s": round(tokens / spent),
                        "minutes": round(spent / 60, 1),
                    }
                ),
                flush=True,
            )
        if step % CHECKPOINT == 0 and step > (1 - AVERAGED) * total:
            mean.add(model)
        if arguments.steps and step >= arguments.steps:
            break
    mean.add(model)
    mean.put_into(model)


if __name__ == "__main__":
    main()
