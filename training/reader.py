"""Train the local reader: `make train-reader DATA=DIR`, or

    python training/reader.py --data DIR [--out plugins/dateline/reading/models] [--seed 0]

DIR holds the folders `timeqa` and `squad`. Plain questions come first (`squad.py`). Then all kinds are mixed: archives of notes in
which much changes, as a search finds them (`archive_lessons.py`, `histories.py`), TimeQA's questions with other constraints (`timeqa.py`),
made-up notes (`made_up_notes.py`), news (`news.py`) and lives (`worlds.py`), notes written for it (`written_notes.py`) and pairs of the judge
(`judged.py`). There each group is read piece by piece and as a digest of what the model of the first stage finds in its pieces
(`dateline.reading.digest`). A run that was cut off goes on at its last checkpoint in --work, where the float weights stay; the same
seed gives the same weights on one machine. The mean of the weights of a stage's last steps is what the next one starts from, and what
ships.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import archive_lessons
import histories
import judged
import made_up_notes
import news
import numpy as np
import squad
import timeqa
import torch
import worlds
import written_notes
from averaging import Mean
from export import export
from reader_model import UNKNOWN, SpanReader, Task, base_model, loss
from timeqa import Example
from tokenizers import Tokenizer

from dateline.reading.digest import NOBODY, digest
from dateline.reading.encoding import TextTokens, Window, batch, windows
from dateline.reading.model_files import FOLDER
from dateline.reading.span_scores import Mention, score
from dateline.reading.verdicts import VERDICTS

VERSION = "6"

Place = tuple[int, int, int]
"""A piece's place in its group, and characters (start, end) in it."""
Stage = Literal["plain", "mixed"]
STAGES: tuple[Stage, ...] = get_args(Stage)
NOTES, NEWS, WORLDS, JUDGED = 2_500, 1_500, 500, 1_500
"""Made-up questions of each kind."""
SQUAD, ARCHIVES, HISTORIES, WRITTEN, TIMED = 1.0, 0.7, 0.5, 0.7, 1.0
"""Shares of SQuAD's questions that are asked, of those on archives, histories and written notes, and of TimeQA's."""
INPUTS = ("ids", "mask", "segments", "marks")
CALIBRATED = 100
"""Groups from which the ranges of activations are learned."""
PRECISE = r"layer\.\d+/output/dense"
"""The layers that narrow the hidden state again: quantising what comes into them costs two points of exact match."""
PASSAGES, TOGETHER = 3, 4
"""Pieces of evidence in a group at most, and in one of an archive."""
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
ALONE = 0.2
"""Share of the single pieces that have a digest, too."""
READ_AT_ONCE = 32
"""Windows that are read at once to make digests."""


def main() -> None:
    arguments = _arguments()
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(arguments.threads)
    tokenizer = Tokenizer.from_file(str(base_model() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    texts = TextTokens(tokenizer)
    arguments.work.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(arguments.seed)
    model = SpanReader().to("cuda" if torch.cuda.is_available() else "cpu")
    tasks: list[list[Task]] = []
    # Of weights that are there already only the ranges of activations are to be learned.
    for stage in STAGES[-1:] if arguments.weights else STAGES:
        torch.manual_seed(arguments.seed)
        rng = random.Random(f"{stage} {arguments.seed}")
        groups = list(_examples(stage, arguments, rng))
        if not groups:
            continue
        tasks = [_tasks(example, place, texts) for place, example in enumerate(groups)]
        if arguments.weights is None:
            if stage == STAGES[-1]:
                several = [group for group in tasks if len(groups[group[0].group].evidence) > 1 or rng.random() < ALONE]
                tasks += list(_digests(model, groups, several, texts))
            tokens = sum(len(task.window.ids) for group in tasks for task in group)
            print(f"{stage}: {len(groups)} groups, {tokens:,} tokens", flush=True)
            _train(model, list(_batches(tasks, rng)), stage=stage, arguments=arguments)
    if arguments.weights:
        model.load_state_dict(torch.load(arguments.weights, weights_only=True))
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


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the folders timeqa and squad")
    parser.add_argument("--out", type=Path, default=FOLDER, help="where the int8 graph goes")
    parser.add_argument("--work", type=Path, default=Path("build/reader"), help="where the float weights go")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    for name, count in (
        ("squad", SQUAD),
        ("notes", NOTES),
        ("news", NEWS),
        ("worlds", WORLDS),
        ("judged", JUDGED),
        ("archives", ARCHIVES),
        ("histories", HISTORIES),
        ("written", WRITTEN),
        ("timed", TIMED),
    ):
        parser.add_argument(
            f"--{name}", type=type(count), default=count, help=f"instead of {count}, to see what each brings"
        )
    parser.add_argument("--steps", type=int, help="stop after so many steps")
    parser.add_argument("--weights", type=Path, help="float weights to write out instead of training")
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
    if stage == "plain":
        if arguments.data:
            yield from _share(squad.examples(arguments.data / "squad", rng=rng), arguments.squad, rng)
        return
    mixed = [
        *worlds.examples(arguments.worlds, rng=rng, size=PASSAGES),
        *news.examples(arguments.news, rng=rng, size=PASSAGES + 1),
        *made_up_notes.examples(arguments.notes, rng=rng, size=PASSAGES + 1),
        *judged.examples(arguments.judged, data=arguments.data, rng=rng),
        *_share(written_notes.examples(rng=rng), arguments.written, rng),
        *_share(histories.examples(rng=rng, size=TOGETHER), arguments.histories, rng),
        *archive_lessons.examples(rng=rng, size=TOGETHER, share=arguments.archives),
    ]
    if arguments.data:
        asked = timeqa.load(arguments.data / "timeqa")
        mixed += _share(timeqa.examples(asked.train, pages=asked, size=PASSAGES, rng=rng), arguments.timed, rng)
    rng.shuffle(mixed)
    yield from mixed


def _share(examples: Iterable[Example], share: float, rng: random.Random) -> list[Example]:
    every = list(examples) if share else []
    return every if share >= 1 else rng.sample(every, int(len(every) * share))


def _tasks(example: Example, number: int, texts: TextTokens) -> list[Task]:
    built = windows(example.question, evidence=example.evidence, tokens=texts)
    right = right_places(example)
    return [
        Task(
            window,
            number,
            *_edges(_targets(window, right)),
            older=tuple(_targets(window, example.older)),
            states=tuple(_states(window, example)),
            verdict=_verdict(example, said=window.source in example.gold),
        )
        for window in built
    ]


def _verdict(example: Example, *, said: bool) -> int:
    if example.verdict is None:
        return UNKNOWN
    return VERDICTS.index(example.verdict if said else "unsaid")


def _edges(tokens: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(sorted({start for start, _ in tokens})), tuple(sorted({end for _, end in tokens}))


def _digests(
    model: SpanReader, examples: Sequence[Example], tasks: Sequence[list[Task]], texts: TextTokens
) -> Iterator[list[Task]]:
    """A digest of each group, by what the model finds in its windows."""
    for start in range(0, len(tasks), POOL):
        near = tasks[start : start + POOL]
        rows = sorted((task for group in near for task in group), key=lambda task: len(task.window.ids))
        found: dict[int, list[Mention]] = {}
        for first in range(0, len(rows), READ_AT_ONCE):
            some = rows[first : first + READ_AT_ONCE]
            with torch.no_grad():
                logits = model(*(part.to(model.head.weight.device) for part in _inputs(some)))[0].cpu().numpy()
            for task, seen in zip(some, logits, strict=True):
                scored = score(task.window, logits=seen, evidence=examples[task.group].evidence)
                found.setdefault(task.group, []).extend(scored.mentions)
        for group in near:
            yield [_digest(examples[group[0].group], group[0].group, found[group[0].group], texts)]


def _digest(example: Example, number: int, mentions: Sequence[Mention], texts: TextTokens) -> Task:
    made = digest(example.question, evidence=example.evidence, mentions=mentions, tokens=texts)
    right = [
        tokens
        for source, start, end in right_places(example)
        if (tokens := made.tokens_of(source, start, end)) is not None
    ]
    if example.answers == (NOBODY,) and any(one.source in example.gold for one in made.excerpts):
        right = [(made.nobody, made.nobody)]
    said = any(one.source in example.gold for one in made.excerpts)
    return Task(made, -1 - number, *_edges(right), verdict=_verdict(example, said=said))


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


def right_places(example: Example) -> list[Place]:
    """Where right answers stand: the place of the evidence and the characters in it."""
    if example.spans or example.answers == (NOBODY,):
        return list(example.spans)
    return [
        (place, begin, begin + len(answer))
        for place in sorted(example.gold)
        for answer in example.answers
        for begin in _occurrences(example.evidence[place].text.lower(), answer.lower())
    ]


def _targets(window: Window, places: Sequence[Place]) -> list[tuple[int, int]]:
    """The first and last token of each place in the window."""
    found = []
    for source, start, end in places:
        inside = _inside(window, start, end) if source == window.source else ()
        if len(inside):
            found.append((window.first + int(inside[0]), window.first + int(inside[-1])))
    return found


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
    optimiser = torch.optim.AdamW(
        [{"params": inner, "lr": RATE}, {"params": outer, "lr": HEAD_RATE}], weight_decay=0.01
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
