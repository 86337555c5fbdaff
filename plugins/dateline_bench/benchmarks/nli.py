"""NLI sets: does the judge find contradiction and support?

VitaminC (Schuster et al., 2021), SICK (Marelli et al., 2014), MultiNLI (Williams et al., 2018), CommitmentBank
(de Marneffe et al., 2019) and RTE (Dagan et al., 2006), whichever of them the folder holds.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dateline.certainty import auroc
from dateline.errors import BadInput
from dateline.protocols import Verdict
from dateline.reading import RuleJudge
from dateline.reading.trained_judge import VERDICTS, TrainedJudge
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown

CLASSES: Mapping[Verdict, str] = {"supports": "entailment", "contradicts": "contradiction", "neither": "neutral"}
"""What the sets call the verdicts."""

_FIELDS = {
    "vitaminc": ("evidence", "claim"),
    "mnli": ("premise", "hypothesis"),
    "cb": ("premise", "hypothesis"),
    "rte": ("premise", "hypothesis"),
}
_LABELS: Mapping[str, Verdict] = {
    "supports": "supports",
    "refutes": "contradicts",
    "not enough info": "neither",
    "entailment": "supports",
    "contradiction": "contradicts",
    "neutral": "neither",
    # RTE joins contradicted and open hypotheses in one class.
    "true": "supports",
    "false": "neither",
}
_SICK = ("sentence_A", "sentence_B", "entailment_judgment")
_CHUNK = 256


@dataclass(frozen=True)
class NliPair:
    """A premise, a hypothesis and the verdict that people gave."""

    premise: str
    hypothesis: str
    verdict: Verdict


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure the trained judge, with the rules as baseline.

    Reads `small/<set>/test.jsonl` of vitaminc, mnli, cb and rte, and all `SICK_*.txt`; `limit` pairs of each are
    drawn with `seed`. `<set>_contradiction_auroc` and `<set>_entailment_auroc`: how well that class's score (its
    probability; a verdict of rules) tells its pairs from all others, 0 to 100; `<set>_accuracy`; `<set>_<class>_as_<verdict>`:
    the share of a class's pairs that was so judged. RTE has no class of contradiction; its other class is judged right
    by both other verdicts.

    Raises:
        BadInput: for a malformed file, a folder with none of them, or an option (there is none).
    """
    refuse_unknown(options)
    sets = {name: given for name, found in _sets(folder) if (given := list(found))}
    if not sets:
        raise BadInput(f"{folder} holds no SICK_*.txt and no small/{{{','.join(_FIELDS)}}}/test.jsonl.")
    sets = {name: drawn(given, limit=limit, seed=seed) for name, given in sets.items()}
    judge, rules = TrainedJudge(), RuleJudge()
    total = sum(map(len, sets.values()))
    metrics: dict[str, float] = {}
    baseline: dict[str, float] = {}
    seconds, done = 0.0, 0
    for name, given in sets.items():
        pairs = [(one.premise, one.hypothesis) for one in given]
        truth = np.array([VERDICTS.index(one.verdict) for one in given])
        begun = time.perf_counter()
        parts = []
        for start in range(0, len(pairs), _CHUNK):
            parts.append(judge.probabilities(pairs[start : start + _CHUNK]))
            if progress is not None:
                progress("pairs", done + min(start + _CHUNK, len(pairs)), total)
        seconds += time.perf_counter() - begun
        done += len(pairs)
        metrics |= _figures(name, np.concatenate(parts), truth)
        baseline |= _figures(name, _as_scores(rules.judge(pairs)), truth)
    return BenchmarkReport(
        benchmark="nli",
        n=total,
        configuration={"judge": judge.name, "pairs": {name: len(given) for name, given in sets.items()}, "seed": seed},
        metrics=metrics,
        baselines={"rules": baseline},
        cost={"seconds": seconds, "ms_a_pair": 1000 * seconds / total},
    )


def _figures(name: str, scores: NDArray[np.floating[Any]], truth: NDArray[np.int64]) -> dict[str, float]:
    """Scores of shape (pairs, 3) against the classes that people gave."""
    judged = scores.argmax(axis=1)
    two_way = name == "rte"
    right = (judged == 0) == (truth == 0) if two_way else judged == truth
    figures = {f"{name}_accuracy": float(100 * right.mean())}
    for index, verdict in enumerate(VERDICTS[:2]):
        positive = truth == index
        if positive.any() and not positive.all():
            figures[f"{name}_{CLASSES[verdict]}_auroc"] = 100 * auroc(scores[:, index], correct=positive)
    for index, verdict in enumerate(VERDICTS):
        of_class = judged[truth == index]
        kind = "other" if two_way and verdict == "neither" else CLASSES[verdict]
        for other, said in enumerate(VERDICTS):
            if len(of_class):
                figures[f"{name}_{kind}_as_{CLASSES[said]}"] = float(100 * (of_class == other).mean())
    return figures


def _as_scores(verdicts: Sequence[Verdict]) -> NDArray[np.float64]:
    """Turn verdicts into scores: 1, 0, or a half between."""
    table = {"supports": (1.0, 0.0, 0.5), "contradicts": (0.0, 1.0, 0.5), "neither": (0.5, 0.5, 1.0)}
    return np.array([table[verdict] for verdict in verdicts])


def _sets(folder: Path) -> Iterator[tuple[str, Iterator[NliPair]]]:
    for name, (premise, hypothesis) in _FIELDS.items():
        path = next((path for path in sorted((folder / "small" / name).glob("test.jsonl*")) if path.is_file()), None)
        if path is not None:
            yield name, _pairs(path, rows.numbered(path), premise, hypothesis, "label")
    sick = sorted(folder.glob("SICK_*.txt"))
    if sick:
        yield "sick", (pair for path in sick for pair in _pairs(path, _table(path), *_SICK))


def _table(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The numbered rows of a file of tab-separated values with a head."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines() or [""]
    except UnicodeDecodeError as cause:
        raise BadInput(f"{path} is not text in UTF-8.") from cause
    head = lines[0].split("\t")
    for number, line in enumerate(lines[1:], start=2):
        if line.strip():
            yield number, dict(zip(head, line.split("\t"), strict=False))


def _pairs(
    path: Path, found: Iterable[tuple[int, Mapping[str, Any]]], premise: str, hypothesis: str, label: str
) -> Iterator[NliPair]:
    for number, row in found:
        try:
            yield _labelled(row, premise, hypothesis, label)
        except BadInput as cause:
            raise BadInput(f"Line {number} of {path} does not fit: {cause}") from cause


def _labelled(row: Mapping[str, Any], premise: str, hypothesis: str, label: str) -> NliPair:
    missing = {premise, hypothesis, label} - set(row)
    if missing:
        raise BadInput(f"it lacks the field {min(missing)!r}; see docs/benchmarks.md for the format.")
    verdict = _LABELS.get(str(row[label]).strip().lower())
    if verdict is None:
        raise BadInput(f"it has the label {row[label]!r}; the known ones are {', '.join(_LABELS)}.")
    return NliPair(str(row[premise]), str(row[hypothesis]), verdict)
