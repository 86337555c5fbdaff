"""Training questions to short facts, over one of them or two.

    examples(folder, rng, size) -> Iterator[Example]

FOLDER holds worlds as of `dateline evaluate asking`. A group has what a store knows around a question's names, worded as a store asks
its reader; what leads to all values that are asked for, and to no other, answers. One file is `HELD`: `asking.py` fits by it which
path is chosen, and no questions of it are asked.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from timeqa import Example

from dateline.facts.asking import asked_of, paths_of, plain
from dateline.facts.fact_paths import FactPath
from dateline.records import Evidence
from dateline_bench import rows
from dateline_bench.benchmarks.asking import ASKED, FactQuestion, FactWorld

WORLDS = Path(__file__).parent / "worlds"
HELD = "c"


def examples(folder: Path = WORLDS, *, rng: random.Random, size: int) -> Iterator[Example]:
    """One group of at most `size` paths for each question that names something known."""
    for file in sorted(folder.glob("*.jsonl")):
        for world in rows.read_as(FactWorld, file) if file.stem != HELD else ():
            with world.store() as store:
                for each in world.questions:
                    asked = asked_of(each.question, as_of=ASKED, clock=store.clock)
                    group = _group(each, paths_of(asked, store=store), rng, size)
                    if group:
                        evidence = tuple(Evidence.make(path.text) for path in group)
                        right = [place for place, path in enumerate(group) if _answers(path, each)]
                        yield Example(
                            plain(asked), evidence, each.answer if right else (), frozenset(right), kind="path"
                        )


def _group(question: FactQuestion, paths: Sequence[FactPath], rng: random.Random, size: int) -> list[FactPath]:
    right = [path for path in paths if _answers(path, question)]
    others = [path for path in paths if not any(value in path.text for value in question.answer)]
    drawn = right[:1] + rng.sample(others, min(len(others), size - 1))
    rng.shuffle(drawn)
    return drawn


def _answers(path: FactPath, question: FactQuestion) -> bool:
    return bool(question.answer) and sorted(path.values) == sorted(question.answer)
