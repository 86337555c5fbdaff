"""What a model is sure of and what has changed since: `Outdated` and dated queries over the made-up world of `dragin_world`.

    python benchmarks/dragin_outdated.py --model build/multihop-model [--seed 0] [--questions 120] [--json FILE]

The model learnt the world as it was; a third of what it knows well has changed since, and questions ask about today.
BM25 over pages of today, or over those of both editions, each with its year in the title; the model is shown no title.
Intervals are 95 % by resampling the questions 2,000 times.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from dragin_world import DRAWN, generator_over, interval, loaded

from dateline import Evidence, Interval
from dateline.dynamic import AnyOf, AttentionQuery, Bm25Search, Dated, DynamicGenerator, Outdated, Rind
from dateline.dynamic.triggers import Never
from dateline.evaluation.metrics import exact_match
from dateline_bench.reasoned import final_answer

sys.path.insert(0, str(Path(__file__).parent.parent / "training"))

import multihop_world
from multihop_world import MultihopWorld, Route

CHANGED = 1 / 3
"""Of what the model knows well."""

LEARNT, ASKED = Interval.parse("2023"), datetime(2026, 6, 1, tzinfo=UTC)
THETA = 0.05

QUERY = AttentionQuery()
TRIGGERS = {
    "no retrieval": Never(),
    "Rind": Rind(THETA),
    "Outdated": Outdated(LEARNT),
    "Outdated or Rind": AnyOf([Outdated(LEARNT), Rind(THETA)]),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one trigger and query: EM of each question, retrievals of each."""

    right: tuple[float, ...]
    retrievals: tuple[int, ...]


def today(world: MultihopWorld, *, seed: int) -> MultihopWorld:
    """The same world after a while: what changed keeps in `before` what the model learnt."""
    rng = random.Random(seed)
    now = {}
    for fact, how in world.familiarity.items():
        if how == "well" and rng.random() < CHANGED:
            value = world.names.value(fact.relation, rng=rng, but=fact.value)
            fact = replace(fact, value=value)
        now[fact] = how
    facts = tuple(now)
    pages = tuple(multihop_world.pages_of(facts, rng=rng))
    return MultihopWorld(replace(world.world, facts=facts), now, pages)


def edition(pages: Sequence[str], *, year: int) -> list[Evidence]:
    """Pages of a year, which their titles tell."""
    return [Evidence.make(text, title=f"Almanac of {year}", published=Interval.parse(f"{year}-01")) for text in pages]


def ask(generator: DynamicGenerator, *, routes: Sequence[Route]) -> Measured:
    """Every question, as of today."""
    made = [generator.generate(route.question, as_of=ASKED) for route in routes]
    right = [
        exact_match(final_answer(one.text) or "", golds=(route.answer,))
        for one, route in zip(made, routes, strict=True)
    ]
    return Measured(tuple(right), tuple(len(one.retrievals) for one in made))


def row(measured: Measured, *, routes: Sequence[Route], seed: int) -> dict[str, Any]:
    """Figures of all questions, and of those that lead over a fact that changed."""
    moved = [any(fact.before != fact.value for fact in route.facts) for route in routes]
    groups = {"all": [True] * len(routes), "changed": moved, "unchanged": [not each for each in moved]}
    told: dict[str, Any] = {"retrievals": round(float(np.mean(measured.retrievals)), 2)}
    for name, chosen in groups.items():
        right = [value for value, wanted in zip(measured.right, chosen, strict=True) if wanted]
        told[name] = {
            "n": len(right),
            "EM": round(100 * float(np.mean(right)), 1),
            "interval": interval(right, seed=seed),
        }
    return told


def measure(model: Any, *, tokens: Any, world: MultihopWorld, seed: int, questions: int = 120) -> dict[str, Any]:
    """All rows, by corpus and by trigger and query."""
    now = today(world, seed=seed)
    routes = now.asked(max(DRAWN, questions), rng=random.Random(seed))[:questions]
    generator = generator_over(model, tokens=tokens, world=now)
    new, old = edition(now.pages, year=2026), edition(world.pages, year=2023)
    both = {f"{name}{', dated' if dated else ''}": (trigger, Dated(QUERY) if dated else QUERY)
            for name, trigger in TRIGGERS.items() if name != "no retrieval" for dated in (False, True)}  # fmt: skip
    plans: Mapping[str, tuple[list[Evidence], Mapping[str, Any]]] = {
        "pages of today": (new, {name: (trigger, QUERY) for name, trigger in TRIGGERS.items()}),
        "pages of both editions": (old + new, both),
    }
    found: dict[str, Any] = {}
    for corpus, (pages, parts) in plans.items():
        over = generator.with_retriever(Bm25Search(pages))
        found[corpus] = {}
        for name, (trigger, query) in parts.items():
            figures = row(ask(over.with_options(trigger=trigger, query=query), routes=routes), routes=routes, seed=seed)
            found[corpus][name] = figures
            print(f"{corpus}, {name}: {json.dumps(figures)}", flush=True)
    return {"n": len(routes), "seed": seed, "corpora": found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="a folder of training/multihop_model.py, same seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    world = multihop_world.build(seed=options.seed)
    model, tokens = loaded(options.model, world=world, seed=options.seed, steps=0)
    figures = measure(model, tokens=tokens, world=world, seed=options.seed, questions=options.questions)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
