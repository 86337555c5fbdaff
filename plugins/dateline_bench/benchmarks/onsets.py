"""Sentences that name a day to come: from when are they true?

Files: `NAME.jsonl` with date and text of a sentence, onset (`later`: what it says holds from a day to come; `then`: it does so already),
and of a later one the day, `from`.

Each goes into a store of its own by the local updater. `announced_in_time` counts those for later that are not true the day before and
true on it, `told_in_time` the others that are true on their own day, `right` both. Baselines: what is told is true at once; and it is
true from the first day to come that it names.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Literal

from langchain_core.embeddings import Embeddings
from pydantic import BaseModel, ConfigDict, Field, model_validator

from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.facts.onset import day_of, onset_day
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.notes.questions import AFTER
from dateline_bench.shares import shares
from dateline_graphs.components import shared_embeddings


class ToldAhead(BaseModel):
    """A sentence of a day that names a later one.

    Attributes:
        starts: the day from which it holds; none where it holds from its own.
    """

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    said: date = Field(alias="date")
    text: str = Field(min_length=1)
    onset: Literal["then", "later"]
    starts: date | None = Field(default=None, alias="from")

    @model_validator(mode="after")
    def _is_to_come(self) -> ToldAhead:
        if (self.onset == "later") != (self.starts is not None and self.starts > self.said):
            raise ValueError(
                f"from is {self.starts} and onset {self.onset}; give a later day where it is later, else none"
            )
        return self


def load(folder: Path) -> list[ToldAhead]:
    """Read the sentences of all files, NAME.jsonl each.

    Raises:
        BadInput: where there are none.
    """
    return [told for _, told in rows.read_folder(ToldAhead, folder, holding="sentences")]


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `limit` sentences drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, or an option (there is none).
    """
    refuse_unknown(options)
    told = drawn(load(folder), limit=limit, seed=seed)
    embeddings = shared_embeddings()
    started = time.perf_counter()
    right = []
    for one in watched(told, stage="sentences", progress=progress):
        right.append(in_time(one.text, said=one.said, starts=one.starts, embeddings=embeddings))
    return BenchmarkReport(
        benchmark="onsets",
        n=len(told),
        configuration={"seed": seed, "limit": limit},
        metrics=_figures(told, right),
        baselines={
            "true at once": _figures(told, [one.starts is None for one in told]),
            "true from the first day to come": _figures(told, [_first_ahead(one) == one.starts for one in told]),
        },
        cost={"seconds": time.perf_counter() - started},
    )


def in_time(text: str, *, said: date, starts: date | None, embeddings: Embeddings) -> bool:
    """Check that a note, alone in a store, holds from its day.

    One from which no fact is taken does not.

    Args:
        starts: the day to come from which it holds; none: its own.
    """
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=embeddings) as store:
        piece = Evidence.make(text, published=Interval.of_moment(said))
        [told] = LocalUpdater(store).update([piece], known_at=AFTER)
        stated = [change.fact.id for change in told.changes]
        day = starts or said
        begun = bool(stated) and all(store.true(one, as_of=day) for one in stated)
        early = starts is not None and any(store.true(one, as_of=day - timedelta(days=1)) for one in stated)
        return begun and not early


def _first_ahead(one: ToldAhead) -> date | None:
    return day_of(onset_day(one.text, anchor=Interval.of_moment(one.said), onset="later"))


def _figures(told: Sequence[ToldAhead], right: Sequence[bool]) -> dict[str, float]:
    """Return shares in percent."""
    return shares(
        {
            "right": right,
            "announced_in_time": [good for one, good in zip(told, right, strict=True) if one.onset == "later"],
            "told_in_time": [good for one, good in zip(told, right, strict=True) if one.onset == "then"],
        }
    )
