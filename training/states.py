"""Fit the weights of `dateline.ranking.states` on made-up states, and check them on fields and look-alikes held out.

    python training/states.py [--folds 5]

The sentences are made of `state_fields.txt` by `state_worlds`; nothing else is learned from. Every sentence is looked at
with both encoders that ship, so that one set of weights serves either. Printed: AUROC of states against each kind of
look-alike, for whole fields and for whole kinds that were not learned from; then the weights.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from state_worlds import pools

from dateline.language.answer_type import answer_type
from dateline.ranking.features import logistic
from dateline.ranking.possible_answers import AnswerTable, PossibleAnswers, known_words
from dateline.ranking.sentence_words import SentenceWords
from dateline.ranking.state_features import AskedWords, state_features
from dateline.ranking.states import WEIGHTS, nearness
from dateline.text.embeddings import default_embeddings, embed
from dateline.text.lexical import LexicalEmbeddings

RIDGE = 3.0
"""How strongly weights of standardised features are drawn to 0."""

MOST = 3.0
"""No feature has a greater weight against a state: a mark that these fields hold on one side alone proves less than that."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rows:
    """A row is a sentence beside a question, seen with one encoder."""

    features: Floats
    kinds: NDArray[np.str_]
    fields: NDArray[np.str_]

    @property
    def states(self) -> NDArray[np.bool_]:
        """Which rows state what is asked."""
        return np.asarray(self.kinds == "state")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folds", type=int, default=5)
    options = parser.parse_args()
    rows = collect()
    names = sorted(set(rows.fields))
    fold = np.array([names.index(each) % options.folds for each in rows.fields])
    parts = [(fold != number, fold == number) for number in range(options.folds)]
    print("fields held out:", report(rows, checked(rows, parts)))
    kinds = sorted(set(rows.kinds) - {"state", "far"})
    # Of each kind held out, the states of other fields are what it is told from.
    odds = [checked(rows, [((rows.kinds != kind) & (fold > 0), np.ones(len(fold), bool))]) for kind in kinds]
    held_out = (
        f"{kind} {auroc(each[(rows.kinds == kind) & (fold == 0)], each[rows.states & (fold == 0)]):.3f}"
        for kind, each in zip(kinds, odds, strict=True)
    )
    print("kinds held out:", ", ".join(held_out))
    weights, bias = learn(rows, np.ones(len(fold), bool))
    for name, weight in zip(WEIGHTS, weights, strict=True):
        print(f'    "{name}": {weight:.2f},')
    print(f"BIAS = {bias:.2f}")


def collect() -> Rows:
    """Make the sentences and look at them with both encoders."""
    made = list(pools(rounds=1))
    features: list[Floats] = []
    for encoder in (default_embeddings(), LexicalEmbeddings()):
        for pool in made:
            texts = [line.text for line in pool.lines]
            vectors = embed([pool.question, *texts], embeddings=encoder)
            cosines = (vectors[1:] @ vectors[0]).astype(np.float64)
            asked, kind = AskedWords.of(pool.question), answer_type(pool.question).kind
            known = known_words(pool.question, title="")
            offers = AnswerTable.of(map(PossibleAnswers.of, texts)).has(
                kind, known=known, sentences=np.arange(len(texts))
            )
            above = np.zeros((len(texts), len(asked.roots)), dtype=np.bool_)
            words = state_features(asked, SentenceWords.of(texts), above=above)
            features.append(np.column_stack([words, *nearness(cosines, best=float(cosines.max())), offers]))
    lines = [(line.kind, pool.field) for pool in made for line in pool.lines] * 2
    kinds, fields = (np.array(each) for each in zip(*lines, strict=True))
    return Rows(np.concatenate(features), kinds, fields)


def checked(rows: Rows, parts: list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]) -> Floats:
    """Return the log-odds of rows by weights that were found on others."""
    odds = np.zeros(len(rows.kinds))
    for chosen, other in parts:
        weights, bias = learn(rows, chosen)
        odds[other] = rows.features[other] @ weights + bias
    return odds


def learn(rows: Rows, chosen: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Find weights and bias by Newton's method, each weight at least -`MOST`."""
    features, right = rows.features[chosen], rows.states[chosen].astype(np.float64)
    mean, spread = features.mean(0), features.std(0) + 1e-3
    table = np.column_stack([(features - mean) / spread, np.ones(len(features))])
    ridge = np.diag([RIDGE] * features.shape[1] + [0.0])
    weights = np.zeros(table.shape[1])
    for _ in range(12):
        found = logistic(table @ weights)
        slope = table.T @ (found - right) + ridge @ weights
        curve = (table * (found * (1 - found))[:, None]).T @ table + ridge
        weights -= np.linalg.solve(curve, slope)
    scaled = np.where(
        np.arange(len(mean)) < len(mean) - 4, np.maximum(weights[:-1] / spread, -MOST), weights[:-1] / spread
    )
    return scaled, float(weights[-1] - scaled @ mean)


def report(rows: Rows, odds: Floats) -> str:
    kinds = sorted(set(rows.kinds) - {"state"})
    parts = [f"{kind} {auroc(odds[rows.kinds == kind], odds[rows.states]):.3f}" for kind in kinds]
    return ", ".join([f"all {auroc(odds[~rows.states], odds[rows.states]):.3f}", *parts])


def auroc(low: Floats, high: Floats) -> float:
    """Return the probability that one of `high` is above one of `low`."""
    return float((np.searchsorted(np.sort(low), high) / max(len(low), 1)).mean())


if __name__ == "__main__":
    main()
