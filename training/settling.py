"""Fit how the reader weighs what it finds, and how its findings put a ranking in order:

    python training/settling.py [--without-rules]

Each question of `benchmarks/notes/fit` and of examples/ is searched and ranked. First the weights of
`dateline.reading.piece_order` are found under which documents that hold the answer are likeliest to come first; then, over
the best five pieces in the new order and over the first alone, those of `dateline.reading.settling`: of right
mentions among all, and of there being none. Printed: the weights, and how often the first document
and the answer are right by weights that were fitted on other corpora; examples/ is one of them, told apart. Without rules, the
model alone gives the signals.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from reading_tasks import NOTES, TOGETHER, Finder, FoundTask

from dateline.language.answer_type import AnswerType, answer_type
from dateline.protocols import ReadResult
from dateline.reading import ExtractiveReader, TrainedReader, piece_order, reading_ranker
from dateline.reading.announced import announced
from dateline.reading.look import Look
from dateline.reading.settling import Weights, mentions_of, settle, signals, signals_of_nothing
from dateline.records import Cost, Evidence, Reading
from dateline.temporal.constraint import Question

FOLDS = 5
ALONE = 1
"""Pieces that are read each alone, too; together they count as much as all at once. Only of the first can it be told what one piece
alone is worth: the second is read beside it."""
EXAMPLES = 1.4
"""What a question on the news of examples/ counts for: counted so, foreign notes lose half a point and the news gain 0.8. With 2, four of 890
questions over `further`, `fresh`, the wiki and the diary are lost."""
PENALTY = 1.0
"""Of the squared distance from where a fit starts, for signals of unit spread, in units of one question."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class RankRow:
    """The first pieces found for one question: signals (pieces, n), and which hold the answer."""

    group: str
    seen: Floats
    right: Bools


@dataclass(frozen=True)
class SpanRow:
    """One reading for a span: signals (mentions, n), which are right, and the signals of nothing.

    `share` of one question; `answer` is given by weights whether the answer would be right.
    """

    group: str
    seen: Floats
    right: Bools
    nothing: tuple[float, float]
    share: float
    answer: Callable[[Weights], bool] | None = None


Row = TypeVar("Row", RankRow, SpanRow)
Fitted = TypeVar("Fitted", Floats, Weights)


class NoRules(ExtractiveReader):
    """Rules that read nothing."""

    def read(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> ReadResult:
        return ReadResult(Reading(answer="", no_answer=1.0), Cost())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without-rules", action="store_true")
    rules = NoRules() if parser.parse_args().without_rules else ExtractiveReader()
    torch.set_num_threads(2)
    reader = TrainedReader()
    finder = Finder(reader)
    tasks = [*finder.notes(NOTES[:1]), *finder.news()]
    ranks = [row for task in tasks if (row := _rank_row(task, reader)) is not None]
    told = left_out(ranks, fit_ranks, lambda row, fitted: bool(row.right[(row.seen @ fitted).argmax()]))
    before = np.mean([row.right[0] for row in ranks])
    print(f"{len(ranks)} with the document found: first in {100 * before:.1f}, by reading in {told}")
    ranking = tuple(fit_ranks(ranks).round(2).tolist())
    print(f"piece_order.FITTED = {ranking}", flush=True)

    spans: list[SpanRow] = []
    for task in tasks:
        wanted = answer_type(task.question.text)
        if wanted.kind != "yes_no":
            spans += _span_rows(task, _in_order(task, ranking, reader), wanted, reader, rules)
    asked = [row for row in spans if row.answer is not None]
    told = left_out(spans, fit_spans, lambda row, fitted: row.answer and row.answer(fitted))
    print(f"{len(asked)} answerable, answered right: {told}")
    print(f"settling.FITTED = {fit_spans(spans)}")


def _rank_row(task: FoundTask, reader: TrainedReader) -> RankRow | None:
    first = task.ranked[: reading_ranker.DEPTH]
    right = np.array([one.evidence.id in task.gold for one in first])
    if not (task.answerable and right.any()):
        return None
    pieces = [one.evidence for one in first]
    look = reader.look(task.question, evidence=pieces)
    seen = piece_order.signals(task.question, evidence=pieces, look=look, scores=[one.score for one in first])
    return RankRow(task.group, seen, right)


def _in_order(task: FoundTask, weights: Sequence[float], reader: TrainedReader) -> list[Evidence]:
    """The pieces that are read, in the order of newly fitted weights."""
    ranked = reading_ranker.reorder(task.ranked, question=task.question, reader=reader, weights=weights)
    return [one.evidence for one in ranked[:TOGETHER]]


def _span_rows(
    task: FoundTask, first: Sequence[Evidence], wanted: AnswerType, reader: TrainedReader, rules: ExtractiveReader
) -> Iterator[SpanRow]:
    """One row of all pieces, and one of each that is read alone."""
    for pieces, share in [(first, 1.0), *(([piece], 1 / ALONE) for piece in first[:ALONE])]:
        look = reader.look(task.question, evidence=pieces)
        mentions = mentions_of(look, task.question, pieces, wanted=wanted)
        if not mentions:
            continue
        ruled = rules.read(task.question, evidence=pieces).reading

        def answer(
            weights: Weights, look: Look = look, pieces: Sequence[Evidence] = pieces, ruled: Reading = ruled
        ) -> bool:
            settled = settle(look, task.question, pieces, wanted=wanted, rules=ruled, weights=weights)
            return task.accepts(settled.answer)

        yield SpanRow(
            task.group,
            signals(
                mentions,
                announced(mentions, question=task.question, evidence=pieces),
                question=task.question,
                evidence=pieces,
                rules=ruled,
            ),
            np.array([task.accepts(one.text) for one in mentions]),
            signals_of_nothing(look),
            share * (EXAMPLES if task.item is None else 1.0),
            answer if pieces is first and task.answerable else None,
        )


def left_out(
    rows: Sequence[Row], fit: Callable[[list[Row]], Fitted], right: Callable[[Row, Fitted], bool | None]
) -> str:
    """Tell how often rows are right by fits without their group, foreign notes and examples apart."""
    groups = sorted({row.group for row in rows} - {"examples"})
    folds = [groups[fold::FOLDS] for fold in range(FOLDS)] + [["examples"]]
    found: dict[str, list[bool]] = {"notes": [], "examples": []}
    for apart in folds:
        held = [row for row in rows if row.group in apart]
        if held:
            fitted = fit([row for row in rows if row.group not in apart])
            outcomes = [outcome for row in held if (outcome := right(row, fitted)) is not None]
            found["examples" if apart == ["examples"] else "notes"] += outcomes
    return ", ".join(f"{name} {100 * np.mean(each):.1f} (n = {len(each)})" for name, each in found.items() if each)


def fit_ranks(rows: Sequence[RankRow]) -> Floats:
    """Weights under which right documents are likeliest to come first."""
    seen, there, right = _padded(rows)
    spread = seen[there].std(0) + 1e-6

    def lost(weights: torch.Tensor) -> torch.Tensor:
        return _surprise(seen / spread @ weights, there, right).sum()

    return (_least(lost, torch.zeros(seen.shape[2], dtype=torch.double)) / spread).numpy()


def fit_spans(rows: Sequence[SpanRow]) -> Weights:
    """Weights of mentions and of nothing, by penalised maximum likelihood."""
    seen, there, right = _padded(rows)
    nothing = torch.tensor([row.nothing for row in rows], dtype=torch.double)
    share = torch.tensor([row.share for row in rows], dtype=torch.double)
    spread, some = seen[there].std(0) + 1e-6, right.any(1)
    start = torch.zeros(seen.shape[2] + nothing.shape[1], dtype=torch.double)
    start[0] = spread[0]
    own = len(spread)

    def lost(weights: torch.Tensor) -> torch.Tensor:
        none = nothing @ weights[own:]
        among = torch.where(some, _surprise(seen / spread @ weights[:own], there, right), 0.0)
        return (share * (among + torch.nn.functional.softplus(torch.where(some, none, -none)))).sum()

    found = _least(lost, start)
    mention, none = (found[:own] / spread).tolist(), found[own:].tolist()
    return Weights(tuple(round(one, 3) for one in mention), tuple(round(one, 3) for one in none))


def _padded(rows: Sequence[RankRow] | Sequence[SpanRow]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Signals (rows, most, n), which are there and which are right (rows, most)."""
    most = max(len(row.seen) for row in rows)
    seen = torch.zeros(len(rows), most, rows[0].seen.shape[1], dtype=torch.double)
    there, right = (torch.zeros(len(rows), most, dtype=torch.bool) for _ in range(2))
    for number, row in enumerate(rows):
        seen[number, : len(row.seen)] = torch.from_numpy(row.seen)
        there[number, : len(row.seen)] = True
        right[number, : len(row.seen)] = torch.from_numpy(row.right)
    return seen, there, right


def _surprise(worths: torch.Tensor, there: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Negative log-probability, per row, that a right one is chosen."""
    worths = worths.masked_fill(~there, -1e9)
    return torch.logsumexp(worths, 1) - torch.logsumexp(worths.masked_fill(~right, -1e9), 1)


def _least(lost: Callable[[torch.Tensor], torch.Tensor], start: torch.Tensor) -> torch.Tensor:
    """The weights of the least loss, held near the start."""
    weights = start.clone().requires_grad_(True)
    optimiser = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        total = lost(weights) + PENALTY * ((weights - start) ** 2).sum()
        total.backward()
        return total

    optimiser.step(closure)
    return weights.detach()


if __name__ == "__main__":
    main()
