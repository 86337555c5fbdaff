"""Fit how the reader weighs mentions against each other and against "nothing here answers":

    python training/settling.py

Each question of `benchmarks/notes/fit` is searched and ranked, and the best five pieces are looked at. The weights of a
conditional logit model are found under which right mentions are likeliest, or nothing where none is right; and what must be
added to "yes". Printed: `dateline.reading.settling.FITTED`, and how often the best mention is right with weights fitted on other
corpora, five ways, beside the sum of logits alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from certainty import NoteTask, note_tasks
from dateline.language.answer_type import AnswerKind, answer_type
from dateline.reading import ExtractiveReader, TrainedReader
from dateline.reading.look import Look
from dateline.reading.settling import Weights, cut_mentions, signals, signals_of_nothing
from dateline.reading.verdicts import weigh
from dateline.records import Reading
from dateline_bench.notes.judge import is_right

FOLDS = 5
PENALTY = 1.0
"""Of the squared distance from equal weights, for signals of unit spread, in units of one question."""


@dataclass(frozen=True)
class Row:
    """One question for a span: signals (mentions, 5), which are right, and the signals of nothing."""

    group: str
    mentions: NDArray[np.float64]
    right: NDArray[np.bool_]
    nothing: tuple[float, float]
    answerable: bool


def main() -> None:
    torch.set_num_threads(2)
    reader, rules, rows = TrainedReader(), ExtractiveReader(), []
    said: list[tuple[NDArray[np.float32], bool]] = []
    for task in note_tasks():
        look = reader.look(task.question, evidence=task.candidates)
        wanted = answer_type(task.question.text).kind
        if task.item is None or not task.candidates:
            continue
        if wanted == "yes_no" and task.item.match == "yesno":
            said.append((np.stack(look.verdicts), task.item.choices == ("yes",)))
        elif wanted != "yes_no" and task.item.match != "yesno":
            rows.append(_row(task, look, wanted, rules.read(task.question, evidence=task.candidates).reading))
    groups = sorted({row.group for row in rows})
    right, alone = 0, 0
    for fold in range(FOLDS):
        apart = groups[fold::FOLDS]
        fitted = fit([row for row in rows if row.group not in apart])
        for row in (row for row in rows if row.group in apart):
            right += row.right[int((row.mentions @ fitted[0]).argmax())]
            alone += row.right[int(row.mentions[:, 0].argmax())]
    asked = sum(row.answerable for row in rows)
    print(
        f"{asked} answerable: best mention right in {100 * right / asked:.1f}, by logits alone {100 * alone / asked:.1f}"
    )
    mention, nothing = fit(rows)
    print(Weights(tuple(mention.round(3).tolist()), tuple(nothing.round(3).tolist()), yes=_yes(said)))


def _row(task: NoteTask, look: Look, wanted: AnswerKind, rules: Reading) -> Row:
    mentions = cut_mentions(look, wanted)
    assert task.item is not None
    return Row(
        task.group,
        signals(mentions, question=task.question, evidence=task.candidates, rules=rules),
        np.array([task.item.answerable and is_right(one.text, item=task.item) for one in mentions]),
        signals_of_nothing(look),
        task.item.answerable,
    )


def fit(rows: Sequence[Row]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights of mentions and of nothing, by penalised maximum likelihood."""
    most = max(len(row.mentions) for row in rows)
    seen = torch.zeros(len(rows), most, rows[0].mentions.shape[1], dtype=torch.double)
    there, right = (torch.zeros(len(rows), most + 1, dtype=torch.bool) for _ in range(2))
    for number, row in enumerate(rows):
        seen[number, : len(row.mentions)] = torch.from_numpy(row.mentions)
        there[number, : len(row.mentions)] = True
        right[number, : len(row.mentions)] = torch.from_numpy(row.right)
        right[number, most] = not row.right.any()
    there[:, most] = True
    nothing = torch.tensor([row.nothing for row in rows], dtype=torch.double)
    spread = seen[there[:, :most]].std(0) + 1e-6
    start = torch.zeros(seen.shape[2] + nothing.shape[1], dtype=torch.double)
    start[0] = spread[0]
    weights = start.clone().requires_grad_(True)
    optimiser = torch.optim.LBFGS([weights], max_iter=100, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        own, none = weights[: len(spread)], weights[len(spread) :]
        scores = torch.cat([(seen / spread) @ own, (nothing @ none)[:, None]], dim=1).masked_fill(~there, -1e9)
        lost = torch.logsumexp(scores, 1) - torch.logsumexp(scores.masked_fill(~right, -1e9), 1)
        total = lost.sum() + PENALTY * ((weights - start) ** 2).sum()
        total.backward()
        return total

    optimiser.step(closure)
    found = weights.detach()
    return (found[: len(spread)] / spread).numpy(), found[len(spread) :].numpy()


def _yes(said: Sequence[tuple[NDArray[np.float32], bool]]) -> float:
    """What is added to "yes" where yes and no are then told apart best; of several, the one in the middle."""
    odds = np.array([float(np.subtract(*np.log(weigh(verdicts)[:2]))) for verdicts, _ in said])
    yes = np.array([one for _, one in said])
    tried = np.arange(-3, 3.05, 0.1)
    hits = np.array([np.mean((odds + 2 * each > 0) == yes) for each in tried])
    best = tried[hits == hits.max()]
    print(
        f"{len(said)} for yes or no: right {100 * np.mean((odds > 0) == yes):.1f}, with {best.mean():.2f} {100 * hits.max():.1f}"
    )
    return round(float(np.median(best)), 2)


if __name__ == "__main__":
    main()
