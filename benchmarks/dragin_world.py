"""DRAGIN and its rivals over a made-up world of which a small language model knows some facts and not others.

    python benchmarks/dragin_world.py [--json FILE] [--figure docs/figures/theta.png] [--model build/multihop-model]
                                      [--seed 0] [--questions 120] [--tuning 30] [--only dragin-sentence,...]

Trains the model first (`training/multihop_model.py`) unless a folder with one is given. Questions over two or three
facts, kept out of the training; BM25 over pages that tell every fact. Each method that has a setting tries as many
(`TRIES`) on `--tuning` questions and keeps the one with the best EM (then F1, then the fewest retrievals); all figures
are over the other `--questions`. Theta is then swept over them as in DRAGIN's table 5, n of the query as chosen, and at
`SCOPE_THETA` the part of the text that the query's words come from.
Intervals are 95 % by resampling the questions 2,000 times.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from dateline.dynamic import AttentionQuery, Bm25Search, CertainSentence, DynamicGenerator, Rind, method
from dateline.dynamic.prompt import PromptText
from dateline.dynamic.queries import QuestionQuery
from dateline.dynamic.queries.attention import SCOPES
from dateline.dynamic.triggers import Never
from dateline.records import Evidence
from dateline_bench.reasoned import ReasonedAnswer, ReasonedQuestion, answer_all, summary

sys.path.insert(0, str(Path(__file__).parent.parent / "training"))

import multihop_model
import multihop_world
import world_model
from multihop_world import MultihopWorld, Route

Setting = Mapping[str, float]

MIXED = "rind with flare's query"
"""DRAGIN's trigger with the query of its rival: which of the two a difference comes from (as in table 6)."""
TRIES: dict[str, list[Setting]] = {
    "wo-rag": [{}],
    "sr-rag": [{}],
    "fl-rag": [{"n": n} for n in (4, 6, 8, 10, 12, 16)],
    "fs-rag": [{}],
    "flare": [{"threshold": p} for p in (0.2, 0.3, 0.4, 0.5, 0.6, 0.8)],
    "dragin-published": [{"threshold": t, "n": n} for n in (8, 25) for t in (0.3, 0.6, 1.0)],
    MIXED: [{"threshold": t} for t in (0.05, 0.1, 0.15, 0.2, 0.3, 0.5)],
    "dragin": [{"threshold": t, "n": n} for n in (8, 25) for t in (0.1, 0.3, 0.6)],
    "dragin-sentence": [{"threshold": t, "n": n} for n in (8, 25) for t in (0.05, 0.1, 0.3)],
}
SWEEP = (0.05, 0.1, 0.2, 0.4, 0.8)
SCOPE_THETA, SCOPE_N = 0.05, 25
NEW_TOKENS = 48
DRAWN = 360
"""Questions drawn at least, so that fewer of them are the first of more."""


@dataclass(frozen=True, slots=True)
class WorldLayout:
    """The prompt that the model learnt with."""

    def prompt(self, question: str, *, documents: Sequence[Evidence], as_of: datetime | None) -> PromptText:
        text = multihop_model.prompt_of(question, pages=[each.text for each in documents])
        start = text.rindex(question)
        return PromptText(text, (start, start + len(question)), special=False)


def asked_of(routes: Sequence[Route]) -> list[ReasonedQuestion]:
    return [ReasonedQuestion(str(place), route.question, (route.answer,)) for place, route in enumerate(routes)]


def generator_over(model: Any, *, tokens: Any, world: MultihopWorld) -> DynamicGenerator:
    """Greedy, three pages in front."""
    return DynamicGenerator(
        model,
        tokenizer=tokens,
        retriever=Bm25Search(world.pages),
        trigger=Never(),
        query=QuestionQuery(),
        layout=WorldLayout(),
        max_new_tokens=NEW_TOKENS,
    )


def with_method(generator: DynamicGenerator, name: str, setting: Setting) -> DynamicGenerator:
    given: dict[str, Any] = dict(setting)
    if name == MIXED:
        return generator.with_options(trigger=Rind(**given), query=CertainSentence())
    trigger, query = method(name, **given)  # type: ignore[arg-type]
    return generator.with_options(trigger=trigger, query=query)


def tuned(
    generator: DynamicGenerator, *, name: str, questions: Sequence[ReasonedQuestion]
) -> tuple[Setting, dict[str, float]]:
    """The best of a method's settings, and its figures on the questions it was chosen with."""
    if len(TRIES[name]) == 1:
        return TRIES[name][0], {}
    found = [
        (setting, summary(answer_all(questions, generator=with_method(generator, name, setting))))
        for setting in TRIES[name]
    ]
    for setting, row in found:
        print(f"  {name} {dict(setting)}: EM {row['EM']:.1f}, {row['retrievals']:.2f} retrievals", flush=True)
    return max(found, key=lambda each: (each[1]["EM"], each[1]["F1"], -each[1]["retrievals"]))


def interval(values: Sequence[float], *, seed: int) -> tuple[float, float]:
    """95 % of the mean in percent."""
    rng = np.random.default_rng(seed)
    drawn = rng.choice(np.asarray(values), size=(2000, len(values))).mean(axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return round(100 * float(low), 1), round(100 * float(high), 1)


def by_unknown(told: Sequence[ReasonedAnswer], *, routes: Sequence[Route], world: MultihopWorld) -> dict[str, float]:
    """EM by how many of a question's facts are not familiar."""
    groups: dict[str, list[float]] = defaultdict(list)
    for one, route in zip(told, routes, strict=True):
        unknown = sum(world.familiarity[fact] != "well" for fact in route.facts)
        groups[f"{unknown} unfamiliar"].append(one.figures["EM"])
    return {
        f"{name} (n = {len(group)})": round(100 * float(np.mean(group)), 1) for name, group in sorted(groups.items())
    }


def measure(
    model: Any,
    *,
    tokens: Any,
    world: MultihopWorld,
    seed: int,
    questions: int = 120,
    tuning: int = 30,
    only: Sequence[str] = tuple(TRIES),
) -> dict[str, Any]:
    """All figures, of some methods or of all."""
    generator = generator_over(model, tokens=tokens, world=world)
    routes = world.asked(max(DRAWN, questions + tuning), rng=random.Random(seed))
    tune_on, test_routes = asked_of(routes[:tuning]), routes[tuning : tuning + questions]
    test = asked_of(test_routes)
    methods: dict[str, Any] = {}
    right: dict[str, list[float]] = {}
    for name in only:
        setting, on_tuning = tuned(generator, name=name, questions=tune_on)
        told = answer_all(test, generator=with_method(generator, name, setting))
        right[name] = [one.figures["EM"] for one in told]
        methods[name] = {
            "setting": dict(setting),
            "tries": len(TRIES[name]),
            "tuning_EM": on_tuning.get("EM"),
            **{key: round(value, 3) for key, value in summary(told).items()},
            "EM_interval": interval(right[name], seed=seed),
            "EM_by": by_unknown(told, routes=test_routes, world=world),
        }
        row = methods[name]
        print(
            f"{name} {dict(setting)}: EM {row['EM']:.1f}, F1 {row['F1']:.1f}, {row['retrievals']:.2f} retrievals",
            flush=True,
        )
    found = {"n": len(test), "tuned_on": len(tune_on), "methods": methods, "minus": gaps(right, seed=seed)}
    if "dragin" in only:
        found["theta"] = swept(generator, questions=test, n=methods["dragin"]["setting"]["n"])
        found["scopes"] = scopes(generator, questions=test, seed=seed)
    return found


def gaps(right: Mapping[str, Sequence[float]], *, seed: int) -> dict[str, dict[str, tuple[float, float]]]:
    """95 % of each method of DRAGIN's less each other method."""
    ours = [name for name in ("dragin", "dragin-sentence") if name in right]
    return {
        name: {
            other: interval(np.subtract(right[name], right[other]).tolist(), seed=seed)
            for other in right
            if other != name
        }
        for name in ours
    }


def swept(
    generator: DynamicGenerator, *, questions: Sequence[ReasonedQuestion], n: float
) -> dict[str, dict[str, float]]:
    """DRAGIN's figures by theta."""
    found = {}
    for theta in SWEEP:
        print(f"theta {theta}", flush=True)
        told = answer_all(questions, generator=with_method(generator, "dragin", {"threshold": theta, "n": n}))
        found[str(theta)] = {key: round(value, 3) for key, value in summary(told).items()}
    return found


def scopes(
    generator: DynamicGenerator, *, questions: Sequence[ReasonedQuestion], seed: int
) -> dict[str, dict[str, Any]]:
    """Figures by the part of the text that QFS takes its words from."""
    found = {}
    for scope in SCOPES:
        query = AttentionQuery(SCOPE_N, scope=scope)
        told = answer_all(questions, generator=generator.with_options(trigger=Rind(SCOPE_THETA), query=query))
        row = summary(told)
        low, high = interval([one.figures["EM"] for one in told], seed=seed)
        found[scope] = {
            "EM": round(row["EM"], 1),
            "EM_interval": (low, high),
            "retrievals": round(row["retrievals"], 2),
        }
        print(f"scope {scope}: {found[scope]}", flush=True)
    return found


def table(figures: dict[str, Any]) -> str:
    """A row a method."""
    lines = ["| method | setting | EM | F1 | retrievals | tokens |", "|---|---|---|---|---|---|"]
    for name, row in figures["methods"].items():
        setting = ", ".join(f"{key} {value:g}" for key, value in row["setting"].items())
        low, high = row["EM_interval"]
        lines.append(
            f"| {name} | {setting} | {row['EM']:.1f} ({low:.1f} to {high:.1f}) | {row['F1']:.1f} "
            f"| {row['retrievals']:.2f} | {row['generated_tokens']:.1f} |"
        )
    return "\n".join(lines)


def draw(figures: dict[str, Any], *, path: Path) -> None:
    """EM and retrievals a question over theta, the other methods beside them."""
    from dateline.errors import require

    require("matplotlib", package="matplotlib", extra="figures").use("Agg")
    pyplot = require("matplotlib.pyplot", package="matplotlib", extra="figures")
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    thetas = [float(theta) for theta in figures["theta"]]
    for axes, key, name in ((left, "EM", "exact match, %"), (right, "retrievals", "retrievals a question")):
        axes.plot(thetas, [row[key] for row in figures["theta"].values()], marker="o", color="#4c78a8", label="DRAGIN")
        for (other, row), colour in zip(
            ((m, r) for m, r in figures["methods"].items() if m != "dragin"),
            ("#888888", "#54a24b", "#b279a2", "#e45756", "#f58518", "#72b7b2", "#9d755d", "#eeca3b"),
            strict=False,
        ):
            axes.axhline(row[key], linestyle="--", linewidth=1, color=colour, label=other)
        axes.set_xlabel("theta")
        axes.set_ylabel(name)
    right.legend(fontsize=8)
    figure.suptitle(f"Theta of RIND over the made-up world, n = {figures['n']}")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def loaded(folder: Path | None, *, world: MultihopWorld, seed: int, steps: int) -> tuple[Any, Any]:
    """The model of a folder, or one trained now and saved."""
    if folder is None:
        plan = replace(multihop_model.PLAN, seed=seed, steps=steps)
        model, tokens = multihop_model.train(world, plan=plan)
        world_model.save(model, tokens=tokens, folder=Path("build/multihop-model"), plan=plan)
        return model, tokens
    from transformers import AutoModelForCausalLM, AutoTokenizer

    return AutoModelForCausalLM.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--model", type=Path, help="a folder that training/multihop_model.py wrote with the same seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--steps", type=int, default=multihop_model.PLAN.steps, help="of the training, where there is one"
    )
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--tuning", type=int, default=30)
    parser.add_argument("--only", default=",".join(TRIES), help="the methods to measure, by their names")
    options = parser.parse_args()
    if unknown := sorted(set(options.only.split(",")) - set(TRIES)):
        parser.error(f"no method {unknown[0]!r}; choose among {', '.join(TRIES)}")
    started = time.process_time()
    world = multihop_world.build(seed=options.seed)
    model, tokens = loaded(options.model, world=world, seed=options.seed, steps=options.steps)
    learnt = time.process_time()
    figures = measure(
        model,
        tokens=tokens,
        world=world,
        seed=options.seed,
        questions=options.questions,
        tuning=options.tuning,
        only=options.only.split(","),
    )
    figures |= {
        "seed": options.seed,
        "training_core_s": None if options.model else round(learnt - started),
        "measuring_core_s": round(time.process_time() - learnt),
    }
    print(table(figures))
    print(json.dumps({key: figures[key] for key in ("theta", "scopes", "minus") if key in figures}, indent=2))
    if options.figure and "theta" in figures:
        draw(figures, path=options.figure)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
