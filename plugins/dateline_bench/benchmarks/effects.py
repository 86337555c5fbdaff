"""Pairs of notes: earlier facts that later notes end.

Files: `NAME.jsonl` of each field with kind, old and new (date and text each, with what stands before it where it needs that), effect (ends, restates, leaves) and, where the
later note tells another day than its own, `from`.

Each pair goes into a store of its own by the local updater. `retired` counts the earlier notes that the later one ends and that
are not true when both are in force; `too_early` those of an announcement that are not true the day before; `wrongly_ended` those that
are ended and go on to hold. Each later note goes into another store alone: `announced_in_time` counts the announcements that are not
true the day before they are in force and true on it, `told_in_time` the others (but those that leave the earlier one) that are true
on their own day. The baseline takes the newest of what is near, at once: any fact that a newer one comes as near as the updater asks for.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings

from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.facts.fact_reader import facts_of
from dateline.facts.local_updater import THRESHOLD
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline.text.embeddings import embed
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.benchmarks.onsets import in_time
from dateline_bench.effects.pairs import Note, NotePair, load
from dateline_bench.notes.questions import AFTER
from dateline_bench.shares import shares
from dateline_graphs.components import shared_embeddings


@dataclass(frozen=True)
class Outcome:
    """Fate of the earlier note.

    Attributes:
        ended: it is not true when the later one is in force.
        early: it was not true the day before an announced change.
        in_time: the later note is true when it is in force, and if it is announced, not before.
    """

    ended: bool
    early: bool = False
    in_time: bool = True


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `limit` pairs drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, or an option (there is none).
    """
    refuse_unknown(options)
    pairs = drawn(load(folder), limit=limit, seed=seed)
    embeddings = shared_embeddings()
    started = time.perf_counter()
    outcomes = [learnt(pair, embeddings) for pair in watched(pairs, stage="pairs", progress=progress)]
    seconds = time.perf_counter() - started
    return BenchmarkReport(
        benchmark="effects",
        n=len(pairs),
        configuration={"fields": sorted({pair.field for pair in pairs}), "seed": seed, "limit": limit},
        metrics=figures_of(pairs, outcomes),
        baselines={"newest of the near": figures_of(pairs, newest_of_near(pairs, embeddings))},
        cost={"seconds": seconds, "milliseconds_per_pair": 1000 * seconds / len(pairs)},
    )


def learnt(pair: NotePair, embeddings: Embeddings) -> Outcome:
    """Take both notes into a store by the local updater."""
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=embeddings) as store:
        updater = LocalUpdater(store)
        first, _ = updater.update([_document(note) for note in (pair.old, pair.new)], known_at=AFTER)
        before = {fact.id for fact in facts_of(_piece(pair.old.before, note=pair.old))}
        stated = [change.fact.id for change in first.changes if change.fact.id not in before]
        in_force = max(pair.new.date, pair.starts or pair.new.date)

        def gone(day: date) -> bool:
            return any(store.true(one, as_of=day) is False for one in stated)

        ahead = pair.is_ahead
        told = in_time(pair.new.text, said=pair.new.date, starts=pair.starts if ahead else None, embeddings=embeddings)
        return Outcome(gone(in_force), ahead and gone(in_force - timedelta(days=1)), told)


def newest_of_near(pairs: Sequence[NotePair], embeddings: Embeddings) -> list[Outcome]:
    """End what is near to the newer note."""
    older, newer = (
        embed([note.text for note in notes], embeddings=embeddings)
        for notes in zip(*((p.old, p.new) for p in pairs), strict=True)
    )
    near = np.einsum("ij,ij->i", older, newer) >= THRESHOLD
    ahead = [pair.is_ahead for pair in pairs]
    return [Outcome(bool(one), bool(one) and late, not late) for one, late in zip(near, ahead, strict=True)]


def figures_of(pairs: Sequence[NotePair], outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return shares in percent; a kind's is the share done right."""
    both = list(zip(pairs, outcomes, strict=True))
    kinds = sorted({pair.kind for pair in pairs})
    return shares(
        {
            "retired": (outcome.ended for pair, outcome in both if pair.effect == "ends"),
            "too_early": (outcome.early for pair, outcome in both if pair.is_ahead),
            "wrongly_ended": (outcome.ended for pair, outcome in both if pair.effect != "ends"),
            "announced_in_time": (one.in_time for pair, one in both if pair.is_ahead),
            "told_in_time": (one.in_time for pair, one in both if not pair.is_ahead and pair.effect != "leaves"),
            **{
                f"right_{kind}": [one.ended == (p.effect == "ends") for p, one in both if p.kind == kind]
                for kind in kinds
            },
        }
    )


def _document(note: Note) -> Evidence:
    return _piece(f"{note.before}\n{note.text}".strip(), note=note)


def _piece(text: str, *, note: Note) -> Evidence:
    return Evidence.make(text, title=note.title, published=Interval.of_moment(note.date))
