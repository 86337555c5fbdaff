"""RiLM over a made-up world that changed since the model read of it (GrowOVER, section 4 and tables 2 to 4 and 7).

    python benchmarks/rilm_world.py --json FILE [--model build/world-model] [--seed 0] [--figure FILE.png]

Trains the small language model first (`training/world_model.py`) unless a folder with one is given. One half of
the facts, drawn with the seed, trains the certainty classifier as published: reliable is an unchanged fact with its
page, misleading a changed one with a wrong page, uncertain a new one with a wrong page, where the wrong page is the
best one that the retriever finds. All figures are over the other half; calibration is fitted on one half of that.
Retrieval ranks all pages of today's corpus by the lexical embeddings.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings

from dateline.certainty import Answer, CheckedReader, Gate
from dateline.certainty.calibrated import fit_calibration, rescaled
from dateline.certainty.hidden_states import HiddenStateEstimator
from dateline.certainty.rerank import POOL, TOP_K, rerank
from dateline.evaluation.metrics import exact_match, token_f1
from dateline.reading.causal_model import CausalModel
from dateline.reading.transformers_reader import TransformersReader
from dateline.records import CertaintyLabel, Evidence
from dateline.text.embeddings import embed
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench.certainty_training.assessment import Assessment, assess
from dateline_bench.certainty_training.head_training import HeadTraining, train_head

sys.path.insert(0, str(Path(__file__).parent.parent / "training"))

import made_up_world
import world_lessons
import world_model
from made_up_world import Fact, World

STATUSES = ("new", "changed", "unchanged")
LABEL_OF: dict[str, CertaintyLabel] = {"unchanged": "reliable", "changed": "misleading", "new": "uncertain"}
PUBLISHED = {
    "Vanilla": {"new": 13.4, "changed": 6.1, "unchanged": 18.0, "all": 17.4},
    "RaLM": {"new": 38.2, "changed": 24.9, "unchanged": 43.1, "all": 42.5},
    "RaLM-D*": {"new": 37.9, "changed": 25.1, "unchanged": 44.3, "all": 43.5},
    "RiLM": {"new": 39.4, "changed": 28.2, "unchanged": 45.7, "all": 44.9},
}
"""GrowOVER, table 4, September: Llama2-7B, k = 3."""


OURS = HeadTraining(learning_rate=3e-3, epochs=50, batch=8, standardise=True)
"""For states of 128 numbers and a few hundred rows; chosen by four-fold cross-validation over the training half with seed 0."""


@dataclass(frozen=True, slots=True)
class Item:
    """A fact, a question for it, the pages that the retriever finds, best first, and the page that tells it."""

    fact: Fact
    question: str
    candidates: tuple[Evidence, ...]
    gold: Evidence

    @property
    def wrong(self) -> Evidence:
        """The best page found that does not hold the answer."""
        return next(piece for piece in self.candidates if self.fact.value not in piece.text)


def items(world: World, *, seed: int, embeddings: Embeddings) -> list[Item]:
    """One question a fact, with the `TOP_K + POOL` pages nearest to it."""
    rng = random.Random(seed)
    pieces = [Evidence.make(page.text) for page in world.pages]
    gold = {page.fact: piece for page, piece in zip(world.pages, pieces, strict=True) if page.fact}
    questions = [fact.question(rng) for fact in world.facts]
    pages = embed([piece.text for piece in pieces], embeddings=embeddings)
    scores = embed(questions, embeddings=embeddings) @ pages.T
    order = np.argsort(-scores, axis=1, kind="stable")[:, : TOP_K + POOL]
    return [
        Item(fact, question, tuple(pieces[place] for place in row), gold[fact])
        for fact, question, row in zip(world.facts, questions, order, strict=True)
    ]


def halves(all_items: Sequence[Item], *, seed: int) -> tuple[list[Item], list[Item]]:
    """Two halves with equal shares of each status."""
    rng = random.Random(seed)
    first: list[Item] = []
    second: list[Item] = []
    for status in STATUSES:
        group = [item for item in all_items if item.fact.status == status]
        rng.shuffle(group)
        first += group[: len(group) // 2]
        second += group[len(group) // 2 :]
    return first, second


def labelled(group: Iterable[Item]) -> tuple[list[str], list[CertaintyLabel]]:
    """Prompts and labels as GrowOVER assumes them."""
    prompts, labels = [], []
    for item in group:
        label = LABEL_OF[item.fact.status]
        page = item.gold if label == "reliable" else item.wrong
        prompts.append(world_lessons.rendered(item.question, documents=[page.text]))
        labels.append(label)
    return prompts, labels


def more_labelled(group: Iterable[Item]) -> tuple[list[str], list[CertaintyLabel]]:
    """The same labels over both wordings of the question, the second with the next wrong page where there is one."""
    prompts, labels = [], []
    for item in group:
        label = LABEL_OF[item.fact.status]
        wrong = [piece for piece in item.candidates if item.fact.value not in piece.text]
        for place, asked in enumerate(item.fact.relation.asked):
            page = item.gold if label == "reliable" else wrong[min(place, len(wrong) - 1)]
            question = asked.replace("{s}", item.fact.subject)
            prompts.append(world_lessons.rendered(question, documents=[page.text]))
            labels.append(label)
    return prompts, labels


def f1(answers: Sequence[str], group: Sequence[Item]) -> dict[str, float]:
    """Mean token F1 by status and over all, 0 to 100."""
    scores = [token_f1(answer, golds=[item.fact.value]) for answer, item in zip(answers, group, strict=True)]
    parts = {
        status: [s for s, item in zip(scores, group, strict=True) if item.fact.status == status] for status in STATUSES
    }
    return {name: percent(np.mean(part)) for name, part in {**parts, "all": scores}.items() if part}


def percent(share: Any) -> float:
    return round(100 * float(share), 1)


async def checked(group: Sequence[Item], *, reader: CheckedReader) -> list[Answer]:
    """All questions side by side, so that their prompts share forward passes."""
    return await asyncio.gather(
        *(reader.acheck(world_lessons.ask(item.question), evidence=item.candidates) for item in group)
    )


async def read(group: Sequence[Item], *, reader: TransformersReader, pages: str) -> list[str]:
    """Answers from no page, from the first three, or from the right one."""
    chosen = {"none": lambda i: (), "first": lambda i: i.candidates[:TOP_K], "gold": lambda i: (i.gold,)}[pages]
    results = await asyncio.gather(
        *(reader.aread(world_lessons.ask(item.question), evidence=chosen(item)) for item in group)
    )
    return [result.reading.answer for result in results]


def found_again(group: Sequence[Item], firsts: Sequence[Answer], *, embeddings: Embeddings) -> dict[str, float]:
    """Table 3: how often three further pages hold the one that tells, by the query they are ranked with."""
    weights = {"Q, the next k": (0.0, None), "[Q:y]": (1.0, None), "ARR": (1.0, "p")}
    hits: dict[str, list[bool]] = {name: [] for name in weights}
    for item, first in zip(group, firsts, strict=True):
        for name, (scale, by) in weights.items():
            ranked = rerank(
                item.candidates,
                question=item.question,
                answer=first.reading.answer,
                reliable=first.certainty.reliable if by else 1.0,
                embeddings=embeddings,
                scale=scale,
            )
            hits[name].append(any(one.evidence.id == item.gold.id for one in ranked))
    return {name: percent(np.mean(row)) if row else 0.0 for name, row in hits.items()}


def measure(
    model: CausalModel, *, world: World, seed: int, settings: HeadTraining | None = None
) -> tuple[dict[str, Any], dict[str, Assessment], HiddenStateEstimator]:
    """All figures, the assessments behind the diagram, and the trained estimator."""
    embeddings = RememberedEmbeddings(LexicalEmbeddings())
    train, test = halves(items(world, seed=seed, embeddings=embeddings), seed=seed)
    test_prompts, test_labels = labelled(test)
    published = train_head(
        model.states(labelled(train)[0]), labels=labelled(train)[1], settings=HeadTraining(seed=seed)
    )
    judged = HiddenStateEstimator(model, head=published, prompt=world_lessons.PROMPT).judge(test_prompts)
    as_published = assess(judged, labels=test_labels)
    prompts, labels = more_labelled(train)
    settings = settings or OURS.model_copy(update={"seed": seed})
    head = train_head(model.states(prompts), labels=labels, settings=settings)
    estimator = HiddenStateEstimator(model, head=head, prompt=world_lessons.PROMPT)
    three_way = assess(estimator.judge(test_prompts), labels=test_labels)

    apart = TransformersReader(model, prompt=world_lessons.PROMPT, max_new_tokens=5)
    together = TransformersReader(model, prompt=world_lessons.PROMPT, max_new_tokens=5, documents="together")
    firsts, finals = (
        asyncio.run(
            checked(
                test,
                reader=CheckedReader(apart, estimator=estimator, embeddings=embeddings, gate=Gate(max_rounds=rounds)),
            )
        )
        for rounds in (0, 1)
    )
    answers = {
        "Vanilla": asyncio.run(read(test, reader=apart, pages="none")),
        "RaLM": asyncio.run(read(test, reader=together, pages="first")),
        "RaLM-D*": [one.reading.answer for one in firsts],
        "RiLM": [one.reading.answer for one in finals],
        "with the right page": asyncio.run(read(test, reader=apart, pages="gold")),
    }
    assessed = calibration_of(firsts, test, seed=seed)
    figures = {
        "train": {label: labels.count(label) for label in LABEL_OF.values()},
        "test": {status: sum(item.fact.status == status for item in test) for status in STATUSES},
        "three_way_accuracy": percent(three_way.accuracy),
        "three_way_accuracy_published_settings": percent(as_published.accuracy),
        "three_way_majority": percent(max(test_labels.count(label) for label in set(test_labels)) / len(test_labels)),
        "found_in_first_three": percent(np.mean([item.gold in item.candidates[:TOP_K] for item in test])),
        "f1": {name: f1(given, test) for name, given in answers.items()},
        "published_f1": PUBLISHED,
        "gate": gate_of(test, firsts=firsts, finals=finals, embeddings=embeddings),
        "calibration": {
            name: {"n": one.n, "ece": percent(one.ece), "auroc": percent(one.auroc)} for name, one in assessed.items()
        },
    }
    return figures, assessed, estimator


def gate_of(
    test: Sequence[Item],
    *,
    firsts: Sequence[Answer],
    finals: Sequence[Answer],
    embeddings: Embeddings,
) -> dict[str, Any]:
    """Tables 2, 3 and 7: adopted and not, before and after the re-retrieval, and what that finds."""
    scores = [token_f1(one.reading.answer, golds=[item.fact.value]) for one, item in zip(firsts, test, strict=True)]
    last = [token_f1(one.reading.answer, golds=[item.fact.value]) for one, item in zip(finals, test, strict=True)]
    adopted = [one.certainty.label == "reliable" for one in firsts]
    open_ = [place for place, taken in enumerate(adopted) if not taken]
    return {
        "adopted_share": percent(np.mean(adopted)),
        "adopted_f1": percent(np.mean([s for s, taken in zip(scores, adopted, strict=True) if taken] or [0.0])),
        "not_adopted_f1_before": percent(np.mean([scores[place] for place in open_] or [0.0])),
        "not_adopted_f1_final": percent(np.mean([last[place] for place in open_] or [0.0])),
        "not_adopted": len(open_),
        "found_again": found_again([test[p] for p in open_], [firsts[p] for p in open_], embeddings=embeddings),
    }


def calibration_of(firsts: Sequence[Answer], test: Sequence[Item], *, seed: int) -> dict[str, Assessment]:
    """p(reliable) of first answers against being exactly right: as it is, and calibrated on the other half."""
    order = list(range(len(test)))
    random.Random(seed).shuffle(order)
    right = [
        exact_match(one.reading.answer, golds=[item.fact.value]) == 1 for one, item in zip(firsts, test, strict=True)
    ]
    fit, rest = order[: len(order) // 2], order[len(order) // 2 :]
    raw, outcomes = [firsts[place].certainty for place in rest], [right[place] for place in rest]
    found = {"as trained": assess(raw, correct=outcomes)}
    for method in ("temperature", "isotonic"):
        fitted = fit_calibration([firsts[p].certainty for p in fit], correct=[right[p] for p in fit], method=method)
        found[method] = assess([rescaled(one, calibration=fitted) for one in raw], correct=outcomes)
    return found


def table(figures: dict[str, Any]) -> str:
    """Ours and the published F1, a row a method."""
    columns = [*STATUSES, "all"]
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name, row in figures["f1"].items():
        published = figures["published_f1"].get(name)
        cells = [f"{row[c]:.1f}" + (f" ({published[c]:.1f})" if published else "") for c in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, help="a folder that training/world_model.py wrote with the same seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--steps", type=int, default=world_model.Plan().steps, help="of the training, where there is one"
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--classifier", type=Path, help="save the trained classifier there")
    options = parser.parse_args()
    world = made_up_world.build(seed=options.seed)
    started = time.process_time()
    if options.model:
        model = CausalModel.load(options.model, batch=64)
    else:
        plan = world_model.Plan(seed=options.seed, steps=options.steps)
        trained, tokens = world_model.train(world, plan=plan)
        world_model.save(trained, tokens=tokens, folder=Path("build/world-model"), plan=plan)
        model = CausalModel(trained, tokenizer=tokens, batch=64)
    learnt = time.process_time() - started
    figures, assessed, estimator = measure(model, world=world, seed=options.seed)
    figures |= {
        "seed": options.seed,
        "training_core_s": None if options.model else round(learnt),
        "measuring_core_s": round(time.process_time() - started - learnt),
    }
    print(table(figures))
    print(json.dumps({name: value for name, value in figures.items() if name not in ("f1", "published_f1")}, indent=2))
    if options.classifier:
        estimator.save(options.classifier)
    if options.figure:
        from dateline_bench.certainty_training.figure import reliability_figure

        reliability_figure(assessed, path=options.figure, title="p(reliable) of first answers, the made-up world")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
