"""Train the local reader: `make train-reader DATA=DIR`, or

    python training/reader.py --data DIR [--out plugins/dateline/reading/models] [--seed 0]

DIR holds the folders `timeqa` and `squad`. Plain questions come first (`squad.py`, and `cloze.py`, made from passages), then
questions about a time: TimeQA's with other constraints (`timeqa.py`), mixed with made-up notes (`made_up_notes.py`), news (`news.py`) and
histories (`worlds.py`), notes written for it (`written_notes.py`), pairs of the judge (`judged.py`) and the rest of the plain ones. Last come
written notes in which much changes, as a search finds them (`histories.py`), with some of the others, and these once more beside all
plain questions, notes of further fields and short facts (`path_lessons.py`). A run that was cut off goes
on at its last checkpoint in --work, where the float weights stay; the same seed gives the same weights on one machine. The mean of
the weights of a stage's last steps is what the next one starts from, and what ships.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import cloze
import histories
import judged
import made_up_notes
import news
import numpy as np
import path_lessons
import squad
import still_questions
import timeqa
import torch
import worlds
import written_notes
from averaging import Mean
from export import export
from reader_model import UNKNOWN, SpanReader, Task, loss, small_tokens
from timeqa import Example
from unpack import unpack

from dateline.reading.encoding import TextTokens, Window, batch, windows
from dateline.reading.model_files import FOLDER
from dateline.reading.verdicts import VERDICTS
from dateline_bench.held_out import held_out

VERSION = "10"


Stage = Literal["plain", "time", "histories", "again"]
STAGES: tuple[Stage, ...] = get_args(Stage)
LATE: tuple[Stage, ...] = ("histories", "again")
"""The stages that go on from a good reader."""
SQUAD, TIMEQA, EARLY = 1.0, 1.0, 0.75
"""Shares of SQuAD's and of TimeQA's questions that are asked, and how many of SQuAD's in the first stage."""
CLOZE, NOTES, NEWS, WORLDS, JUDGED = 2_000, 7_500, 2_000, 1_500, 6_000
WRITTEN, EPOCHS = 2, 2
"""Made-up questions of each kind; and how often each annotated question of TimeQA is asked."""
HISTORIES, AGAIN, FIELDS, PATHS, KNOWN = 3, 2, 1, 2, 3_000
"""How often each question on histories is asked; then how often the plain ones and TimeQA's, each time with so often the written notes of
all fields, and short facts; and how many questions of before are among them."""
UNTITLED = 0.5
"""Share of the plain questions that are asked again without their article's title: people's texts often have none."""
INPUTS = ("ids", "mask", "segments", "marks")
CALIBRATED = 100
"""Groups from which the ranges of activations are learned."""
PRECISE = r"layer\.[01]/output/dense"
"""The first two of the layers that narrow the hidden state again: in floats they take three times as long, and quantising what comes into
any of these two moves one or two best spans in a hundred; in the other four together, one in two hundred (377 windows of notes)."""
PASSAGES = 3
"""Pieces of evidence in a group at most."""
TOKENS = 4096
"""About this many tokens make a step."""
RATE, HEAD_RATE, WARMUP = 2e-4, 1e-3, 0.06
SLOWER = 0.5
"""Of these rates in the last stage, which is short and goes on from a good reader."""
KEPT: dict[Stage, float] = {"histories": 0.5, "again": 0.25}
"""Share of the weights before a late stage in those it leaves (Wortsman et al., 2022): after histories alone, undated text was read worse,
with the mean as well as before, and notes better. Chosen on the pages of TimeQA held out and `benchmarks/notes/seen`; the second among
a quarter, a half and the mean of three runs, which hardly differ, for what it tells of ends."""
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
    texts = small_tokens()
    arguments.work.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(arguments.seed)
    model = SpanReader().to("cuda" if torch.cuda.is_available() else "cpu")
    tasks: list[list[Task]] = []
    if arguments.onward:
        model.load_state_dict(_weights(arguments.onward, model))
    # Of weights that are there already only the ranges of activations are to be learned.
    for stage in STAGES[-1:] if arguments.weights or arguments.onward else STAGES:
        torch.manual_seed(arguments.seed)
        rng = random.Random(f"{stage} {arguments.seed}")
        groups = list(_examples(stage, arguments, rng))
        groups = groups[: int(len(groups) * arguments.share)]
        if not groups:
            continue
        tasks = [_tasks(example, place, texts) for place, example in enumerate(groups)]
        if arguments.weights is None:
            tokens = sum(len(task.window.ids) for group in tasks for task in group)
            print(f"{stage}: {len(tasks)} groups, {tokens:,} tokens", flush=True)
            before = {name: part.clone() for name, part in model.state_dict().items()}
            _train(model, list(_batches(tasks, rng)), stage=stage, arguments=arguments)
            if stage in LATE:
                after = model.state_dict()
                model.load_state_dict({name: torch.lerp(after[name], before[name], KEPT[stage]) for name in after})
    if arguments.weights:
        model.load_state_dict(_weights(arguments.weights, model))
    model = model.cpu()
    torch.save(model.state_dict(), arguments.work / "reader.pt")
    written = export(
        model,
        name="reader",
        outputs=["logits", "states", "verdicts"],
        inputs=INPUTS,
        version=VERSION,
        folder=arguments.out,
        tokens=True,
        examples=[_inputs(group) for group in tasks[-CALIBRATED:]],
        precise=PRECISE,
    )
    print(f"{written}: {written.stat().st_size:,} bytes")


def _weights(path: Path, model: SpanReader) -> dict[str, torch.Tensor]:
    if path.suffix == ".onnx":
        return unpack(path, names=model.state_dict())
    stored: dict[str, torch.Tensor] = torch.load(path, weights_only=True)
    return stored


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the folders timeqa and squad")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the int8 graph goes")
    parser.add_argument("--work", type=Path, default=Path("build/reader"), help="where the float weights go")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    for name, count in (
        ("squad", SQUAD),
        ("timeqa", TIMEQA),
        ("cloze", CLOZE),
        ("notes", NOTES),
        ("news", NEWS),
        ("worlds", WORLDS),
        ("judged", JUDGED),
        ("written", WRITTEN),
        ("epochs", EPOCHS),
        ("histories", HISTORIES),
        ("again", AGAIN),
        ("fields", FIELDS),
        ("paths", PATHS),
    ):
        parser.add_argument(
            f"--{name}", type=type(count), default=count, help=f"instead of {count}, to see what each brings"
        )
    parser.add_argument(
        "--share", type=float, default=1.0, help="of each stage's examples, to see sooner what each brings"
    )
    parser.add_argument("--steps", type=int, help="stop after so many steps")
    parser.add_argument("--weights", type=Path, help="float weights to write out instead of training")
    parser.add_argument(
        "--onward", type=Path, help="a shipped graph or float weights from which the last stage goes on"
    )
    parser.add_argument("--made-up-only", action="store_true", help="train on made-up worlds alone, without --data")
    arguments = parser.parse_args()
    if arguments.data is None and not arguments.made_up_only:
        parser.error(
            "give --data (with make: DATA=DIR), the folder of the folders timeqa and squad (docs/benchmarks.md), or "
            "--made-up-only with --out elsewhere for a weaker reader"
        )
    return arguments


def _examples(stage: Stage, arguments: argparse.Namespace, rng: random.Random) -> Iterator[Example]:
    """All examples of a stage in the order in which they are learned."""
    pages = timeqa.load(arguments.data / "timeqa") if arguments.data else None
    plain = _squad(arguments, random.Random(arguments.seed))
    early = int(len(plain) * EARLY)
    if stage == "plain":
        yield from _plain(plain[:early], pages, arguments, rng)
        return
    rest = [
        *worlds.examples(arguments.worlds, rng=rng, size=PASSAGES),
        *news.examples(arguments.news, rng=rng, size=PASSAGES + 1),
        *made_up_notes.examples(arguments.notes, rng=rng, size=PASSAGES + 1),
        *[one for _ in range(arguments.written) for one in written_notes.examples(rng=rng)],
        *judged.examples(arguments.judged, data=arguments.data, rng=rng),
        *plain[early:],
    ]
    rng.shuffle(rest)
    if stage in LATE:
        yield from _late(stage, rest, pages, arguments, rng)
        return
    for epoch in range(arguments.epochs):
        mixed = [*_timed(pages, arguments, rng), *rest[epoch :: arguments.epochs]]
        rng.shuffle(mixed)
        yield from mixed


def _plain(
    asked: Sequence[Example], pages: timeqa.Pages | None, arguments: argparse.Namespace, rng: random.Random
) -> Iterator[Example]:
    titles = pages.passages if pages else {}
    passages = [piece for title, page in titles.items() if not held_out(title) for piece in page]
    opening = [*cloze.examples(passages, count=arguments.cloze, rng=rng)] if passages else []
    opening += asked
    rng.shuffle(opening)
    yield from opening


def _late(
    stage: Stage,
    rest: Sequence[Example],
    pages: timeqa.Pages | None,
    arguments: argparse.Namespace,
    rng: random.Random,
) -> Iterator[Example]:
    """Histories, then once more beside the plain questions; each time with some of what was learned before, lest it be forgotten."""
    timed = _timed(pages, arguments, rng)
    if stage == "histories":
        known = [*rest, *timed]
        known = rng.sample(known, min(KNOWN, len(known)))
        for epoch in range(arguments.histories):
            mixed = [*_changing(arguments, rng), *known[epoch :: arguments.histories]]
            rng.shuffle(mixed)
            yield from mixed
        return
    known = rng.sample(rest, min(KNOWN, len(rest)))
    for epoch in range(arguments.again):
        mixed = [*_squad(arguments, rng, untitled=UNTITLED), *timed, *known[epoch :: arguments.again]]
        for _ in range(arguments.fields):
            for folder in (histories.HISTORIES, histories.FIELDS, histories.TURNS):
                mixed += histories.examples(folder, rng=rng, size=PASSAGES + 2)
        for _ in range(arguments.paths):
            mixed += path_lessons.examples(rng=rng, size=PASSAGES + 2)
        mixed += still_questions.examples(rng=rng) if arguments.histories else []
        rng.shuffle(mixed)
        yield from mixed


def _changing(arguments: argparse.Namespace, rng: random.Random) -> list[Example]:
    return list(histories.examples(rng=rng, size=PASSAGES + 2)) if arguments.histories else []


def _squad(arguments: argparse.Namespace, rng: random.Random, *, untitled: float = 0.0) -> list[Example]:
    if not arguments.data:
        return []
    made = list(squad.examples(arguments.data / "squad", rng=rng, untitled=untitled))
    return made[: int(len(made) * arguments.squad)]


def _timed(pages: timeqa.Pages | None, arguments: argparse.Namespace, rng: random.Random) -> list[Example]:
    made = list(timeqa.examples(pages.train, pages=pages, size=PASSAGES + 2, rng=rng)) if pages else []
    return made[: int(len(made) * arguments.timeqa)]


def _tasks(example: Example, number: int, texts: TextTokens) -> list[Task]:
    built = windows(example.question, evidence=example.evidence, tokens=texts)
    return [
        Task(
            window,
            number,
            *(_targets(window, example) if window.source in example.gold else ((), ())),
            states=tuple(_states(window, example)),
            verdict=_verdict(window, example),
        )
        for window in built
    ]


def _verdict(window: Window, example: Example) -> int:
    if example.verdict is None:
        return UNKNOWN
    return VERDICTS.index(example.verdict if window.source in example.gold else "unsaid")


def _states(window: Window, example: Example) -> Iterator[tuple[int, int, int]]:
    for source, start, end, kind in example.states:
        inside = _inside(window, start, end)
        if source == window.source and len(inside):
            yield window.first + int(inside[0]), window.first + int(inside[-1]) + 1, kind


def _inside(window: Window, start: int, end: int) -> np.ndarray:
    """The tokens of the window's text within characters of its evidence."""
    return np.flatnonzero((window.offsets[:, 0] < end) & (window.offsets[:, 1] > start))


def _inputs(tasks: Sequence[Task]) -> tuple[torch.Tensor, ...]:
    arrays = batch([task.window for task in tasks])
    return tuple(torch.from_numpy(arrays[name]) for name in INPUTS)


def _targets(window: Window, example: Example) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The tokens at which an answer of the example starts and ends in the window."""
    text = example.evidence[window.source].text.lower()
    found = [(begin, begin + len(answer)) for answer in example.answers for begin in _occurrences(text, answer.lower())]
    starts, ends = set(), set()
    for start, end in example.spans or found:
        inside = _inside(window, start, end)
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


def _train(model: SpanReader, batches: Sequence[list[Task]], *, stage: Stage, arguments: argparse.Namespace) -> None:
    if not batches:
        return
    inner = [p for name, p in model.named_parameters() if name.startswith("encoder") and p.requires_grad]
    outer = [p for name, p in model.named_parameters() if not name.startswith("encoder")]
    slower = SLOWER if stage in LATE else 1.0
    optimiser = torch.optim.AdamW(
        [{"params": inner, "lr": slower * RATE}, {"params": outer, "lr": slower * HEAD_RATE}], weight_decay=0.01
    )
    total = len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser,
        lambda step: min((step + 1) / (WARMUP * total), max(LEAST_RATE, (total - step) / (total * (1 - WARMUP)))),
    )
    model.train()
    mean, running, tokens, done = Mean(), 0.0, 0, 0
    kept = arguments.work / f"{stage}.pt"
    if kept.exists():
        state = torch.load(kept, weights_only=True)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        torch.set_rng_state(state["random"])
        mean.load(state["mean"])
        done = state["step"]
    started = time.perf_counter()
    for step, tasks in enumerate(batches[done:], start=done + 1):
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
        if step % CHECKPOINT == 0:
            if step > (1 - AVERAGED) * total:
                mean.add(model)
            parts = {"model": model, "optimiser": optimiser, "schedule": schedule}
            whole = {name: part.state_dict() for name, part in parts.items()}
            torch.save({**whole, "mean": mean.state(), "random": torch.get_rng_state(), "step": step}, kept)
        if arguments.steps and step >= arguments.steps:
            break
    mean.add(model)
    mean.put_into(model)


if __name__ == "__main__":
    main()
