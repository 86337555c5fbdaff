"""Sentence labels (GrowOVER, section 3.2) against labels set by hand.

The shipped articles were written and labelled by the authors of the labeller; two thirds of them were used while it was
made (`development`), one third was measured when it was finished (`held_out`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast, get_args

from dateline.errors import BadInput, check_choice
from dateline.evolution import LabelMethod, SentenceLabeller
from dateline.protocols import Judge
from dateline.reading import RuleJudge
from dateline_bench.benchmark import BenchmarkReport, Progress, refuse_unknown, watched
from dateline_bench.snapshots import LABELS, SHIPPED, ArticlePair, JudgedSentence, LabelScores, read_pairs, scores_of

JUDGES = ("local", "rules")


def run(
    folder: Path | None = None,
    *,
    limit: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **options: str,
) -> BenchmarkReport:
    """Measure labels beside the published steps.

    Reads every `*.txt` of `folder` (by default the shipped set) but README.txt, each a part of its own; `limit` takes the first
    articles of each. Nothing is drawn, so `seed` changes nothing. Metrics: `macro_F1` over all labels, `F1_<label>`,
    `accuracy`, `pairs_right` (of the sentences that are labelled right and have old ones: the same old ones), the same for each
    part as `<part>_…`. The configuration holds the confusion tables, rows as labelled by hand, and how many were right of each
    kind of edit.

    Options: `method` (default, paper), `judge` (local, rules), `part` (the name of one file).

    Raises:
        BadInput: for a folder without articles, a file that cannot be read, or an unknown option.
    """
    refuse_unknown(options, "method", "judge", "part")
    method = read_method(options.get("method", "default"))
    parts = _parts(folder or SHIPPED, limit=limit, only=options.get("part", ""))
    judge = _judge(options.get("judge", "local"))
    labeller = SentenceLabeller(judge=judge, method=method)
    baseline = SentenceLabeller(embeddings=labeller.settings.embeddings, judge=judge, method="paper")
    judged: dict[str, list[JudgedSentence]] = {name: [] for name in parts}
    published: dict[str, list[JudgedSentence]] = {name: [] for name in parts}
    seconds = 0.0
    articles = [(name, pair) for name, pairs in parts.items() for pair in pairs]
    for name, pair in watched(articles, stage="articles", progress=progress):
        begun = time.perf_counter()
        judged[name] += compare(pair, labeller=labeller)
        seconds += time.perf_counter() - begun
        published[name] += compare(pair, labeller=baseline)
    everything = [one for some in judged.values() for one in some]
    scores = {"": scores_of(everything), **{f"{name}_": scores_of(some) for name, some in judged.items()}}
    theirs = {
        "": scores_of([one for some in published.values() for one in some]),
        **{f"{name}_": scores_of(some) for name, some in published.items()},
    }
    return BenchmarkReport(
        benchmark="labels",
        n=len(everything),
        configuration={
            "method": method,
            "judge": getattr(labeller.settings.judge, "name", type(labeller.settings.judge).__name__),
            "embeddings": getattr(labeller.settings.embeddings, "name", ""),
            "articles": {name: len(pairs) for name, pairs in parts.items()},
            **{f"{name}confusion": one.confusion for name, one in scores.items()},
            **{f"{name}right_by_kind": one.right_by_kind for name, one in scores.items()},
        },
        metrics=_figures(scores),
        baselines={"published": _figures(theirs)},
        cost={"seconds": seconds},
    )


def compare(pair: ArticlePair, *, labeller: SentenceLabeller) -> list[JudgedSentence]:
    """Pair the labels by hand with the labeller's."""
    labelling = labeller.label(pair.old, new=[line.text for line in pair.new])
    return [
        JudgedSentence(line.kind, line.label, one.label, frozenset(line.old), frozenset(one.old))
        for line, one in zip(pair.new, labelling.sentences, strict=True)
    ]


def read_method(name: str) -> LabelMethod:
    """The method of that name. Raises `BadInput` for an unknown one."""
    check_choice(name, name="method", choices=get_args(LabelMethod))
    return cast(LabelMethod, name)


def _figures(scores: Mapping[str, LabelScores]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for name, one in scores.items():
        figures[f"{name}macro_F1"] = one.macro_f1
        figures.update({f"{name}F1_{label}": one.f1[label] for label in LABELS})
        figures[f"{name}accuracy"] = one.accuracy
        figures[f"{name}pairs_right"] = one.pairs_right
    return figures


def _parts(folder: Path, *, limit: int | None, only: str) -> dict[str, Sequence[ArticlePair]]:
    files: dict[str, Path] = {path.stem: path for path in sorted(folder.glob("*.txt")) if path.name != "README.txt"}
    if only and only not in files:
        raise BadInput(f"There is no part {only!r} in {folder}; choose one of {', '.join(files) or 'none'}.")
    parts: dict[str, Sequence[ArticlePair]] = {
        name: read_pairs(path)[:limit] for name, path in files.items() if only in ("", name)
    }
    if not parts:
        raise BadInput(
            f"{folder} holds no articles; give *.txt files in the format of dateline_bench/snapshots/README.txt."
        )
    return parts


def _judge(name: str) -> Judge | None:
    check_choice(name, name="judge", choices=JUDGES)
    return RuleJudge() if name == "rules" else None
