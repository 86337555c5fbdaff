"""Precision, recall, F1 and confusion of sentence labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, get_args

from dateline.records import Record, SentenceLabel
from dateline_bench.shares import share

LABELS: tuple[SentenceLabel, ...] = get_args(SentenceLabel)


class JudgedSentence(NamedTuple):
    """One sentence: what was labelled by hand, and by the labeller."""

    kind: str
    gold: SentenceLabel
    given: SentenceLabel
    gold_old: frozenset[int] = frozenset()
    given_old: frozenset[int] = frozenset()


class LabelScores(Record):
    """All shares run from 0 to 100."""

    n: int
    f1: dict[SentenceLabel, float]
    precision: dict[SentenceLabel, float]
    recall: dict[SentenceLabel, float]
    macro_f1: float
    accuracy: float
    confusion: dict[SentenceLabel, dict[SentenceLabel, int]]
    right_by_kind: dict[str, tuple[int, int]]
    pairs_right: float


def scores_of(judged: Sequence[JudgedSentence]) -> LabelScores:
    """Score all sentences; macro F1 over the labels that occur."""
    confusion = {gold: dict.fromkeys(LABELS, 0) for gold in LABELS}
    kinds: dict[str, tuple[int, int]] = {}
    for one in judged:
        confusion[one.gold][one.given] += 1
        right, total = kinds.get(one.kind, (0, 0))
        kinds[one.kind] = (right + (one.gold == one.given), total + 1)
    given = Counter(one.given for one in judged)
    gold = Counter(one.gold for one in judged)
    hits = {label: confusion[label][label] for label in LABELS}
    f1 = {label: share(2 * hits[label], given[label] + gold[label]) for label in LABELS}
    paired = [one for one in judged if one.gold == one.given and one.gold_old]
    return LabelScores(
        n=len(judged),
        f1=f1,
        precision={label: share(hits[label], given[label]) for label in LABELS},
        recall={label: share(hits[label], gold[label]) for label in LABELS},
        macro_f1=sum(f1[label] for label in gold) / len(gold) if gold else 0.0,
        accuracy=share(sum(hits.values()), len(judged)),
        confusion=confusion,
        right_by_kind=dict(sorted(kinds.items())),
        pairs_right=share(sum(one.gold_old == one.given_old for one in paired), len(paired)),
    )
