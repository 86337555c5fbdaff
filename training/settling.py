"""Fit how the reader weighs what it finds, and how its findings put a ranking in order:

    python training/settling.py [--without-rules]

Each question is searched and ranked. First the networks of `dateline.reading.piece_order` are fitted on the notes of
`ORDERED`, so that documents that hold the answer are likeliest to come first, and written to
plugins/dateline/reading/piece_order.json; each question is shown to them as a ranking finds it, and once more in any order without
how it was found. Then, on `benchmarks/notes/fit` and examples/, over the best five pieces in the new order and over the first alone, the weights of
`dateline.reading.settling` are found: of right mentions among all, and of there being none. Printed: the weights, and how often the
first document and the answer are right by what was fitted on other corpora; examples/ is one of them, told apart. Without
rules, the model alone gives the signals.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import networks
import numpy as np
import torch
from numpy.typing import NDArray
from reading_tasks import NOTES, ORDERED, TOGETHER, Finder, FoundTask

from dateline.language.answer_type import AnswerType, answer_type
from dateline.networks import Networks
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
ORDER = networks.Recipe(hidden=24, nets=3, epochs=30, batch=128, rate=0.01, decay=0.1)
"""With whole fields left out, the right document comes first in 80.2 of 100 questions so, in 79.5 by a
linear model of these and some more signals, in 78.2 by one of seven."""
PENALTY = 1.0
"""Of the squared distance from where a fit starts, for signals of unit spread, in units of one question."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class RankRow:
    """The first pieces found for one question: signals (pieces, n), and which hold the answer.

    `source` is the folder of its notes.
    """

    group: str
    seen: Floats
    right: Bools
    source: str


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
    finder = Finder()
    found = {folder: list(finder.notes([folder])) for folder in ORDERED}
    ranks = [row for folder, each in found.items() for task in each if (row := _rank_row(task, reader, folder))]
    for name, told in left_out_ranks(ranks).items():
        print(f"{name}: first in {told[0]:.1f}, by reading in {told[1]:.1f} (n = {told[2]})")
    model = fit_ranks(ranks)
    piece_order.MODEL.write_text(model.to_json() + "\n", encoding="utf-8")

    tasks = [*found[NOTES[0]], *finder.news()]
    spans: list[SpanRow] = []
    for task in tasks:
        wanted = answer_type(task.question.text)
        if wanted.kind != "yes_no":
            spans += _span_rows(task, _in_order(task, model, reader), wanted, reader, rules)
    asked = [row for row in spans if row.answer is not None]
    print(f"{len(asked)} answerable, answered right: {left_out_spans(spans)}")
    print(f"settling.FITTED = {fit_spans(spans)}")


def _rank_row(task: FoundTask, reader: TrainedReader, folder: Path) -> RankRow | None:
    if not (task.answerable and task.gold):
        return None
    first, look = reading_ranker.looked_at(task.ranked, question=task.question, reader=reader)
    right = np.array([one.evidence.id in task.gold for one in first])
    pieces = [one.evidence for one in first]
    seen = piece_order.signals(task.question, evidence=pieces, look=look, found=first)
    return RankRow(task.group, seen, right, folder.name)


def _in_order(task: FoundTask, model: Networks, reader: TrainedReader) -> list[Evidence]:
    """The pieces that are read, in the order of a newly fitted model."""
    ranked = reading_ranker.reorder(task.ranked, question=task.question, reader=reader, model=model)
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


def left_out_spans(rows: Sequence[SpanRow]) -> str:
    """Tell how often answers are right by fits without their group, foreign notes and examples apart."""
    groups = sorted({row.group for row in rows} - {"examples"})
    folds = [groups[fold::FOLDS] for fold in range(FOLDS)] + [["examples"]]
    found: dict[str, list[bool]] = {"notes": [], "examples": []}
    for apart in folds:
        held = [row for row in rows if row.group in apart]
        if held:
            fitted = fit_spans([row for row in rows if row.group not in apart])
            outcomes = [row.answer(fitted) for row in held if row.answer is not None]
            found["examples" if apart == ["examples"] else "notes"] += outcomes
    return ", ".join(f"{name} {100 * np.mean(each):.1f} (n = {len(each)})" for name, each in found.items() if each)


def left_out_ranks(rows: Sequence[RankRow]) -> dict[str, tuple[float, float, int]]:
    """How often right documents come first as found and by reading, and of how many, by fits without their group."""
    groups = sorted({row.group for row in rows})
    firsts: dict[str, list[tuple[bool, bool]]] = {}
    for fold in range(FOLDS):
        apart = groups[fold::FOLDS]
        model = fit_ranks([row for row in rows if row.group not in apart])
        for row in (one for one in rows if one.group in apart):
            by_reading = bool(row.right[model.odds(row.seen).argmax()])
            firsts.setdefault(row.source, []).append((bool(row.right[0]), by_reading))
    return {name: (*(100 * np.mean(each, axis=0)).tolist(), len(each)) for name, each in firsts.items()}


def fit_ranks(rows: Sequence[RankRow]) -> Networks:
    """Networks by which right documents are likeliest to come first."""
    some, rng = [row for row in rows if row.right.any()], np.random.default_rng(0)
    seen, there, right = _padded([*some, *(_as_given(row, rng) for row in some)])
    features = seen.numpy()

    def lost(worths: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        return _surprise(worths, there[chosen], right[chosen]).mean()

    return networks.learn(features, rows=features[there.numpy()], lost=lost, recipe=ORDER)


def _as_given(row: RankRow, rng: np.random.Generator) -> RankRow:
    """The same pieces in any order, without how they were found."""
    seen, place = row.seen.copy(), piece_order.SIGNALS.index("place")
    seen[:, :place] = 0.0
    seen[:, place] = np.log1p(rng.permutation(len(seen)))
    return replace(row, seen=seen)


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
