"""RiLM with the local reader: gate and adaptive re-retrieval (GrowOVER).

`DIR` is the folder of `timeqa` or of `realtimeqa`. The first three pieces of the first retrieval are read, each alone;
the answer with the highest p(reliable) is adopted from 0.5 on (`--option adopt=label`: where reliable is the most
probable label, as published; or another number), else three of the twenty pieces behind are read by adaptive
re-retrieval, and the more reliable of both answers is kept (section 4). `--option pages=validation` keeps to the pages of
TimeQA that the shipped reader was not trained on.

Labels: reliable, the answer is right (token F1 from 0.5 on, or the right choice); misleading, it is wrong although the
piece speaks of the matter (it holds the right answer, or the answer was right at another time); uncertain, nothing
there answers. Probabilities are calibrated on one half of the pages (or questions) and used on the other, both ways.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dateline.certainty import MarginEstimator, Platt, auroc, expected_calibration_error, keep_better
from dateline.certainty.rerank import POOL, TOP_K, answer_weight, most_reliable, rerank, rescore, scale_for
from dateline.errors import BadInput, check_least
from dateline.protocols import Reader
from dateline.reading import TrainedReader
from dateline.records import Certainty, CertaintyLabel, Evidence, RankedEvidence, Reading
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.embeddings import default_embeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench.benchmark import BenchmarkReport, Progress, refuse_unknown, watched
from dateline_bench.held_out import read_part
from dateline_bench.rilm_tasks import RilmTask, load

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


@dataclass(frozen=True, slots=True)
class RilmAnswer:
    """Most reliable of several readings (eq. 1), with its certainty."""

    reading: Reading
    readings: tuple[Reading, ...]
    certainty: Certainty
    f1: float
    right: bool
    label: CertaintyLabel


@dataclass(frozen=True, slots=True)
class RilmSecondRound:
    """Outcome of retrieving again, 1.0 or 0.0 for each way."""

    found: dict[str, float]
    answer: RilmAnswer


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `limit` questions drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, a folder without questions, or an unknown option or value.
    """
    adopt = options.pop("adopt", "0.5")
    adopts = _adopts(adopt)
    pages = read_part(options, "pages")
    refuse_unknown(options, "adopt", "pages")
    check_least(1, limit=limit)
    name, tasks = load(folder, size=TOP_K + POOL, pages=pages, limit=limit, seed=seed, progress=progress)
    tasks = [task for task in tasks if task.candidates]
    if not tasks:
        raise BadInput(f"{folder} holds no question with evidence.")
    started = time.perf_counter()
    reader = TrainedReader()
    first = [
        answer(task, task.candidates[:TOP_K], reader=reader) for task in watched(tasks, stage="read", progress=progress)
    ]
    joint = [
        task.f1(_read_together(task, reader=reader))
        for task in watched(tasks, stage="read together", progress=progress)
    ]
    calibrated = calibrate(tasks, first)
    adopted = [adopts(one.certainty) for one in calibrated]
    again = _retrieved(tasks, first, calibrated, adopted, reader=reader, progress=progress)
    return BenchmarkReport(
        benchmark="rilm",
        n=len(tasks),
        configuration={
            "data": name,
            "pages": pages,
            "reader": "TrainedReader",
            "estimator": "MarginEstimator",
            "calibration": "Platt, two halves of the pages" if name == "timeqa" else "Platt, two halves",
            "adopt": adopt if adopt == "label" else float(adopt),
            "k": TOP_K,
            "pool": POOL,
            "lambda": scale_for(default_embeddings()),
            "labels": dict(Counter(one.label for one in first)),
            "asked_again": sum(one is not None for one in again),
            "seed": seed,
        },
        metrics=figures(tasks, calibrated, adopted, again),
        baselines={
            "uncalibrated": _trust([one.certainty.reliable for one in first], first),
            "the reader's own probability": _trust([one.reading.probability for one in first], first),
            "all three read together": {"final_F1": 100 * float(np.mean(joint))},
        },
        cost={"seconds": time.perf_counter() - started},
    )


def _adopts(adopt: str) -> Callable[[Certainty], bool]:
    """Make the rule that adopts, by label or least p(reliable).

    Raises `BadInput`.
    """
    if adopt == "label":
        return lambda certainty: certainty.most_probable == "reliable"
    try:
        least = float(adopt)
    except ValueError:
        least = -1.0
    if not 0 <= least <= 1:
        raise BadInput(f"Cannot adopt from {adopt!r} on; write adopt=label or a number from 0 to 1.")
    return lambda certainty: certainty.reliable >= least


def answer(task: RilmTask, pieces: Sequence[Evidence], *, reader: Reader, before: Sequence[Reading] = ()) -> RilmAnswer:
    """Read each piece alone; return the most reliable answer.

    `before` was read in the first pieces.
    """
    told = [reader.read(task.question, evidence=[piece], choices=task.choices).reading for piece in pieces]
    shown = [*task.candidates[: len(before)], *pieces]
    every = MarginEstimator(reader=reader).estimate_each(task.question, evidence=shown, readings=[*before, *told])
    certainties = every[len(before) :]
    chosen = most_reliable(certainties)
    reading, right = told[chosen], task.is_right(told[chosen])
    speaks = task.speaks(pieces[chosen], reading=reading)
    return RilmAnswer(
        reading=reading,
        readings=tuple(told),
        certainty=certainties[chosen],
        f1=task.f1(reading),
        right=right,
        label="reliable" if right else "misleading" if speaks else "uncertain",
    )


def calibrate(tasks: Sequence[RilmTask], answers: Sequence[RilmAnswer]) -> list[RilmAnswer]:
    """Calibrate each half by the other's Platt map.

    The other two labels keep their proportion.
    """
    maps = calibrations(tasks, answers)
    return [
        replace(one, certainty=recalibrated(one.certainty, by=maps[half(task.group)]))
        for task, one in zip(tasks, answers, strict=True)
    ]


def calibrations(tasks: Sequence[RilmTask], answers: Sequence[RilmAnswer]) -> tuple[Platt | None, Platt | None]:
    """Fit a Platt map on each half, for the other.

    `None` where a half is empty.
    """
    found: list[Platt | None] = []
    for mine in (0, 1):
        other = [one for task, one in zip(tasks, answers, strict=True) if half(task.group) != mine]
        trust = [one.certainty.reliable for one in other]
        found.append(Platt.fit(trust, correct=[one.right for one in other]) if other else None)
    return found[0], found[1]


def recalibrated(certainty: Certainty, *, by: Platt | None) -> Certainty:
    """A certainty with p(reliable) mapped; the rest shared out as before."""
    if by is None:
        return certainty
    reliable = float(by.apply([certainty.reliable])[0])
    rest = certainty.misleading + certainty.uncertain
    misleading = (1 - reliable) * (certainty.misleading / rest if rest else 0.0)
    return Certainty(reliable=reliable, misleading=misleading, uncertain=max(0.0, 1 - reliable - misleading))


def half(group: str) -> int:
    """0 or 1, the same on every machine."""
    return hashlib.sha256(f"half {group}".encode()).digest()[0] % 2


def choose_again(
    task: RilmTask, *, answer: RilmAnswer, readings: Sequence[Reading], embeddings: Embeddings
) -> dict[str, list[Evidence]]:
    """Three pieces behind the first three, in each way.

    The next ones; by eq. 3 over embeddings with w = 0, w = 1 and, as published, w = lambda p(reliable); and
    `adaptive`, eq. 3 over the first retrieval's own scores, or where it has none over embeddings.
    """
    rest, reliable = list(task.candidates[TOP_K:]), answer.certainty.reliable
    weights = {
        "question": 0.0,
        "question_answer": 1.0,
        "published": answer_weight(reliable, scale=scale_for(embeddings)),
    }
    chosen = {"next": rest[:TOP_K]}
    for name, weight in weights.items():
        ranked = rerank(
            rest,
            question=task.question.text,
            answer=answer.reading.answer,
            reliable=weight,
            embeddings=embeddings,
            skip=0,
            scale=1.0,
        )
        chosen[name] = [one.evidence for one in ranked]
    if not task.scores:
        return {**chosen, "adaptive": chosen["published"]}
    unread = [
        RankedEvidence(evidence=piece, score=score) for piece, score in zip(rest, task.scores[TOP_K:], strict=True)
    ]
    again = rescore(unread, readings=readings, reliable=reliable)
    return {**chosen, "adaptive": [one.evidence for one in again]}


def _retrieved(
    tasks: Sequence[RilmTask],
    first: Sequence[RilmAnswer],
    calibrated: Sequence[RilmAnswer],
    adopted: Sequence[bool],
    *,
    reader: Reader,
    progress: Progress | None,
) -> list[RilmSecondRound | None]:
    """Retrieve again for each question not adopted, candidates permitting.

    Answers of the second round are calibrated among themselves: what stands behind the first three is less often right.
    """
    inner = default_embeddings()
    # The passages of an index were embedded for it; a question with its answer is looked at several times.
    embeddings = RememberedEmbeddings(CachedEmbeddings(inner, name=inner.name))
    places = [p for p, task in enumerate(tasks) if not adopted[p] and len(task.candidates) > TOP_K]

    def again(place: int) -> RilmSecondRound:
        task, one = tasks[place], calibrated[place]
        chosen = choose_again(task, answer=one, readings=first[place].readings, embeddings=embeddings)
        found = {name: float(any(piece.id in task.gold for piece in pieces)) for name, pieces in chosen.items()}
        return RilmSecondRound(found, answer(task, chosen["adaptive"], reader=reader, before=first[place].readings))

    told = [again(place) for place in watched(places, stage="retrieve again", progress=progress)]
    trusted = calibrate([tasks[place] for place in places], [one.answer for one in told])
    result: list[RilmSecondRound | None] = [None] * len(tasks)
    for place, one, better in zip(places, told, trusted, strict=True):
        result[place] = replace(one, answer=better)
    return result


def figures(
    tasks: Sequence[RilmTask],
    first: Sequence[RilmAnswer],
    adopted: Sequence[bool],
    again: Sequence[RilmSecondRound | None],
) -> dict[str, float]:
    """Return tables 2, 3 and 7 in percent, without empty figures."""
    final = [
        one
        if more is None or more.answer is None
        else (one, more.answer)[keep_better(one.certainty, more.answer.certainty)]
        for one, more in zip(first, again, strict=True)
    ]
    took = [one for one, taken in zip(first, adopted, strict=True) if taken]
    left = [one for one, taken in zip(first, adopted, strict=True) if not taken]
    retried = [more for more in again if more is not None]
    found = {
        "adopted_share": [100.0 * taken for taken in adopted],
        "label_accuracy": [100.0 * (one.certainty.most_probable == one.label) for one in first],
        "first_F1": [100 * one.f1 for one in first],
        "adopted_F1": [100 * one.f1 for one in took],
        "not_adopted_F1": [100 * one.f1 for one in left],
        "not_adopted_again_F1": [100 * more.answer.f1 for more in retried],
        "not_adopted_final_F1": [100 * one.f1 for one, taken in zip(final, adopted, strict=True) if not taken],
        "final_F1": [100 * one.f1 for one in final],
        **{f"gold_{way}": [100 * more.found[way] for more in retried] for way in (retried[0].found if retried else ())},
    }
    result = {name: float(np.mean(values)) for name, values in found.items() if values}
    if took and left:
        result["adopted_minus_not_adopted_F1"] = result["adopted_F1"] - result["not_adopted_F1"]
    return {**result, **_trust([one.certainty.reliable for one in first], first)}


def _trust(trust: Sequence[float], answers: Sequence[RilmAnswer]) -> dict[str, float]:
    right = [one.right for one in answers]
    return {
        "auroc": 100 * auroc(trust, correct=right),
        "ece": 100 * expected_calibration_error(trust, correct=right),
    }


def _read_together(task: RilmTask, *, reader: Reader) -> Reading:
    return reader.read(task.question, evidence=task.candidates[:TOP_K], choices=task.choices).reading
