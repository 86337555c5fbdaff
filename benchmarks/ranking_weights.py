"""Find the weights of `dateline.ranking` by maximum likelihood over TimeQA questions.

    python benchmarks/ranking_weights.py FOLDER [--folds 4]

FOLDER holds `passages.jsonl.gz` and `questions.jsonl.gz` (see `dateline_bench.benchmarks.timeqa`). The model is the ranker's
own: a sentence scores exp(topic) x logistic(time), a passage takes its best sentence, and a gold passage competes
with all others proposed. Weights are first checked on pages that they were not found on, then found on all pages
and printed. Needs torch.
"""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from dateline.evaluation.metrics import normalise
from dateline.ranking import fit, topic
from dateline.ranking.features import WEIGHTS, temporal_features
from dateline.ranking.groups import members_of
from dateline_bench.benchmarks import timeqa

KEY_SHARE = 0.3
"""How much a question with the dates of the text counts beside one with other dates: the latter cannot be matched."""
FIXED = {"meets": 1.5, "ended": -1.5}
"""Set, not found: a date that meets the asked time is never worse than one before it, and what had ended is over.
Wikipedia's biographies hardly show either, because their passages tell of many dates."""
RIDGE = 3e-4
SHARPNESS = 4.0
"""The maximum over sentences is smoothed to log(sum(exp(4 x))) / 4 while weights are found."""


@dataclass(frozen=True)
class Rows:
    """A row is one time of one sentence of one proposed passage of one question."""

    about: torch.Tensor
    when: torch.Tensor
    passage: torch.Tensor
    question: torch.Tensor
    gold: torch.Tensor
    answered: torch.Tensor
    perturbed: NDArray[np.bool_]
    fold: NDArray[np.int64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--folds", type=int, default=4)
    options = parser.parse_args()
    torch.set_num_threads(2)
    rows = collect(options.folder, folds=options.folds)
    held_out = torch.zeros(len(rows.question))
    for fold in range(options.folds):
        weights = learn(rows, torch.tensor(rows.fold != fold))
        chosen = torch.tensor(rows.fold == fold)[rows.question]
        held_out[chosen] = scores(rows, weights)[chosen]
    print("checked on other pages:", report(rows, held_out))
    weights = learn(rows, torch.ones(len(rows.fold), dtype=torch.bool))
    print("on all pages:          ", report(rows, scores(rows, weights)))
    for name, weight in zip([*topic.WEIGHTS, *WEIGHTS], weights.tolist(), strict=True):
        print(f"    {name!r}: {weight:.2f},")


def collect(folder: Path, *, folds: int) -> Rows:
    corpus, questions = timeqa.load(folder)
    index = timeqa.build_index(corpus)
    passages, timeline = index.passages, index.passages.timeline
    about, when, passage, question, gold, answered = [], [], [], [], [], []
    total = 0
    for number, asked in enumerate(questions):
        found = topic.Topic.of(asked.question, passages=passages, embeddings=index.ranker.embeddings)
        candidates = index.candidates(asked.question, topic=found)
        sentences, sizes = members_of(passages.bounds, candidates)
        places, counts = members_of(timeline.bounds, sentences)
        low, high = fit.asked_stretch(asked.question.effective_constraint())
        times = temporal_features(timeline.take(places), low=low, high=high)
        undated = np.flatnonzero(counts == 0)
        owner = np.concatenate([np.repeat(np.arange(len(sentences)), counts), undated])
        features = found.features(candidates=candidates, sentences=sentences, sizes=sizes)
        about.append(features[owner])
        when.append(np.concatenate([times, np.zeros((len(undated), len(WEIGHTS)))]))
        passage.append(total + np.repeat(np.arange(len(candidates)), sizes)[owner])
        question.append(np.full(len(candidates), number))
        gold.append(np.isin(candidates, list(asked.gold)))
        answers = [f" {normalise(answer)} " for answer in asked.answers]
        answered.append([any(answer in corpus.normalised[place] for answer in answers) for place in candidates])
        total += len(candidates)
    pages = [corpus.evidence[min(asked.gold)].title for asked in questions]
    return Rows(
        about=torch.tensor(np.concatenate(about), dtype=torch.float32),
        when=torch.tensor(np.concatenate(when), dtype=torch.float32),
        passage=torch.tensor(np.concatenate(passage)),
        question=torch.tensor(np.concatenate(question)),
        gold=torch.tensor(np.concatenate(gold)),
        answered=torch.tensor(np.concatenate(answered)),
        perturbed=np.array([asked.kind == "perturbed" for asked in questions]),
        fold=np.array([int(hashlib.sha256(page.encode()).hexdigest(), 16) % folds for page in pages]),
    )


def learn(rows: Rows, chosen: torch.Tensor) -> torch.Tensor:
    kept = chosen[rows.question]
    places = torch.cumsum(kept, 0) - 1
    inside = kept[rows.passage]
    about, when, passage = rows.about[inside], rows.when[inside], places[rows.passage[inside]]
    question, gold, size = rows.question[kept], rows.gold[kept], int(kept.sum())
    share = torch.tensor(np.where(rows.perturbed, 1.0, KEY_SHARE), dtype=torch.float32)
    weights = torch.ones(about.shape[1] + when.shape[1])
    weights[about.shape[1] :] = 0
    free = torch.ones_like(weights)
    for name, value in FIXED.items():
        place = about.shape[1] + list(WEIGHTS).index(name)
        weights[place], free[place] = value, 0
    weights.requires_grad_()
    optimiser = torch.optim.LBFGS([weights], max_iter=60, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        single = about @ weights[: about.shape[1]] + torch.nn.functional.logsigmoid(when @ weights[about.shape[1] :])
        best = gather(SHARPNESS * single, passage, size) / SHARPNESS
        among = gather(best, question, len(chosen))
        right = gather(torch.where(gold, best, torch.full_like(best, -1e4)), question, len(chosen))
        used = chosen & (right > -1e3)
        value = ((among - right) * share)[used].sum() / share[used].sum() + RIDGE * (weights**2).sum()
        value.backward()
        weights.grad *= free
        return value

    optimiser.step(loss)
    return weights.detach()


def scores(rows: Rows, weights: torch.Tensor) -> torch.Tensor:
    split = rows.about.shape[1]
    single = rows.about @ weights[:split] + torch.nn.functional.logsigmoid(rows.when @ weights[split:])
    return torch.full((len(rows.question),), -1e9).scatter_reduce(0, rows.passage, single, "amax")


def gather(values: torch.Tensor, places: torch.Tensor, size: int) -> torch.Tensor:
    """log(sum(exp)) of the values at each place."""
    highest = torch.full((size,), -1e9).scatter_reduce(0, places, values, "amax").detach()
    total = torch.zeros(size).scatter_add(0, places, torch.exp(values - highest[places]))
    return total.clamp_min(1e-30).log() + highest


def report(rows: Rows, score: torch.Tensor) -> str:
    order = np.lexsort((-score.numpy(), rows.question.numpy()))
    first = np.searchsorted(rows.question.numpy(), np.arange(len(rows.fold)))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order)) - first[rows.question.numpy()[order]]
    parts = []
    for name, kind in (("perturbed", rows.perturbed), ("key", ~rows.perturbed)):
        for metric, right in (("AR", rows.answered), ("ER", rows.gold)):
            best = np.full(len(rows.fold), 10**6)
            np.minimum.at(best, rows.question.numpy()[right.numpy()], rank[right.numpy()])
            parts += [f"{name}_{metric}@{depth} {100 * (best[kind] < depth).mean():.1f}" for depth in (1, 5)]
    return ", ".join(parts)


if __name__ == "__main__":
    main()
