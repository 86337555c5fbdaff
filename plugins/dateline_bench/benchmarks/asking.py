"""Questions to a store of told facts.

Which value is asked for, by one fact or by two?

Files: `NAME.jsonl`, a small world in each line: many (attributes that have several values at a time), facts (subject, attribute, value,
since), and questions (question, answer: all values, or none; kind).

`right` counts answers with all values and no other, and questions that nothing answers where none is given; `wrong` counts wrong
answers. Baseline: the value of the nearest fact.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from dateline.facts import ExactIndex, FactStore, MemoryLedger, SlotPack
from dateline.facts.asking import FactAsker
from dateline.facts.slots import AttributeRule
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.shares import shares
from dateline_graphs.components import shared_embeddings

ASKED = "2025-06-01"
Kind = Literal["one", "forward", "backward", "past", "none"]
"""One fact answers; two, onwards from the name or back to it; one or two of an earlier time; nothing."""


class FactQuestion(BaseModel):
    """Question to a world, and all values that answer it."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    answer: tuple[str, ...] = ()
    kind: Kind


class FactWorld(BaseModel):
    """Facts, and questions about them."""

    model_config = ConfigDict(frozen=True)

    many: tuple[str, ...] = ()
    facts: tuple[tuple[str, str, str, str], ...] = Field(min_length=1)
    questions: tuple[FactQuestion, ...] = Field(min_length=1)

    def store(self) -> FactStore:
        """Return a store that was told the facts.

        Attributes that the shipped ones lack are declared.
        """
        shipped = SlotPack.shipped()
        several = {shipped.name(attribute) for attribute in self.many}
        named = {shipped.name(attribute) for _, attribute, _, _ in self.facts} - set(shipped.rules)
        own = {name: AttributeRule(values="many" if name in several else "one") for name in named}
        pack = SlotPack({**shipped.rules, **own}, shipped.inferences)
        store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=shared_embeddings(), slots=pack)
        for subject, attribute, value, since in self.facts:
            store.remember(subject, attribute=attribute, value=value, since=since)
        return store


@dataclass(frozen=True)
class _Result:
    asked: FactQuestion
    given: tuple[str, ...]

    @property
    def right(self) -> bool:
        return sorted(self.given) == sorted(self.asked.answer)


def load(folder: Path) -> list[FactWorld]:
    """Read the worlds of all files, NAME.jsonl each.

    Raises:
        BadInput: where there are none.
    """
    return [world for _, world in rows.read_folder(FactWorld, folder, holding="facts and questions")]


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure over `limit` worlds drawn with `seed`.

    Raises:
        BadInput: for a missing or malformed file, or an option (there is none).
    """
    refuse_unknown(options)
    worlds = drawn(load(folder), limit=limit, seed=seed)
    started = time.perf_counter()
    found: list[_Result] = []
    nearest: list[_Result] = []
    for world in watched(worlds, stage="worlds", progress=progress):
        with world.store() as store:
            found += _asked(world, FactAsker(store))
            nearest += [_Result(each, _nearest(each.question, store)) for each in world.questions]
    return BenchmarkReport(
        benchmark="asking",
        n=len(found),
        configuration={"seed": seed, "limit": limit},
        metrics=_figures(found),
        baselines={"the nearest fact": _figures(nearest)},
        cost={"seconds": time.perf_counter() - started},
    )


def _asked(world: FactWorld, asker: FactAsker) -> Iterator[_Result]:
    for each in world.questions:
        answer = asker.ask(each.question, as_of=ASKED)
        yield _Result(each, () if answer is None else answer.values)


def _nearest(question: str, store: FactStore) -> tuple[str, ...]:
    found = next(iter(store.search(question, as_of=ASKED, k=1)), None)
    return () if found is None or found.fact.slot is None else (found.fact.slot.value,)


def _figures(results: Sequence[_Result]) -> dict[str, float]:
    """Return shares in percent."""
    return shares(
        {
            "right": [each.right for each in results],
            **{f"right_{kind}": [one.right for one in results if one.asked.kind == kind] for kind in get_args(Kind)},
            "wrong": [bool(each.given) and not each.right for each in results],
        }
    )
