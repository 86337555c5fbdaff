"""CLARK's conversations: questions about a made-up world that changes.

No files: worlds and conversations are made from the seed (ERASE, section 4.2 and appendix B.2), by templates of our own, so
the folder may be any and is not read. Options: `worlds` (how many of each setting, 5), `steps` (changes of each, 6) and `rules` (what the
store is told of how such worlds hang together: those of this world, or the shipped ones alone).

After every change, all questions whose answer it changed are asked as of that day, and as many of those that it did not.
Single values are chosen among all that anybody ever had; lists are right when the sets are equal (section 5.1), and are
read among the values of all relations of everybody until then, which tells nothing of who or what belongs there. Figures are
means over the worlds, with standard errors in the configuration: `single_0`, `single_1`, `single_2+` by how often the
answer had changed, where all consequences are said, and `multi_…`, where they must be inferred.

Systems with the same local readers: `dateline` (a fact store that the local updater edits, with what follows), `no_edits` (the same
facts, never edited, without rules), `passages` (the nearest chunks, undated).
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import get_args

import numpy as np

from dateline.errors import BadInput, check_choice
from dateline.facts import SlotPack
from dateline.facts.slot_reader import SlotReader
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval
from dateline.text.embeddings import default_embeddings, embed
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench.benchmark import BenchmarkReport, Progress, refuse_unknown, watched
from dateline_bench.benchmarks.clark import ClarkSystems, Finder
from dateline_bench.conversations import RULES, ConversationChunk, Setting, WorldQuestion, conversation, questions
from dateline_bench.readers.members import SEPARATOR, MembersReader
from dateline_bench.readers.states import StateReader

WORLDS, STEPS = 5, 6
"""ERASE makes fifty worlds of each setting; six transitions lie between twelve chunks (section 4.2)."""

BUCKETS = ("0", "1", "2+")
"""How often the right answer had changed (table 3)."""

PACKS = {"world": lambda: SlotPack.load(RULES), "shipped": SlotPack.shipped}
"""Whether the store is told the rules of the world beside those that are shipped."""

NAMES = {"dateline": "dateline", "fact_rag": "no_edits", "passages": "passages"}
"""The systems as they are called here."""

Scores = dict[str, dict[str, list[float]]]
"""For each system and figure, one value a world."""


def run(
    folder: Path | None = None,
    *,
    limit: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **options: str,
) -> BenchmarkReport:
    """Measure; `limit` bounds the questions after each change, drawn with `seed`.

    Raises:
        BadInput: for an unknown option, or one that is no number of at least 1.
    """
    refuse_unknown(options, "rules", "steps", "worlds")
    rules = options.pop("rules", "world")
    check_choice(rules, name="rules", choices=PACKS)
    slots = PACKS[rules]()
    worlds, steps = _numbers(options, worlds=WORLDS, steps=STEPS)
    embeddings = RememberedEmbeddings(default_embeddings())
    started, scores, asked = time.perf_counter(), defaultdict[str, dict[str, list[float]]](dict), Counter[str]()
    for setting in get_args(Setting):
        for number in watched(range(worlds), stage=setting, progress=progress):
            rng = random.Random(f"{seed} {setting} {number}")
            chunks = conversation(rng, setting=setting, steps=steps)
            rights = _measure(chunks, rng=rng, limit=limit, embeddings=embeddings, slots=slots)
            asked.update({f"{setting}_{bucket}": len(right) for bucket, right in rights["dateline"].items()})
            for system, buckets in rights.items():
                for bucket, right in buckets.items():
                    scores[system].setdefault(f"{setting}_{bucket}", []).append(100 * float(np.mean(right)))
    figures = {
        system: {name: float(np.mean(values)) for name, values in sorted(found.items())}
        for system, found in scores.items()
    }
    return BenchmarkReport(
        benchmark="clark_conversations",
        n=asked.total(),
        configuration={
            "embeddings": embeddings.name,
            "worlds": worlds,
            "steps": steps,
            "rules": rules,
            "seed": seed,
            "questions": dict(sorted(asked.items())),
            "standard_errors": {
                system: {name: _error(values) for name, values in sorted(found.items())}
                for system, found in scores.items()
            },
        },
        metrics=figures.pop("dateline"),
        baselines=figures,
        cost={"seconds": time.perf_counter() - started},
    )


def _measure(
    chunks: Sequence[ConversationChunk],
    *,
    rng: random.Random,
    limit: int | None,
    embeddings: RememberedEmbeddings,
    slots: SlotPack,
) -> dict[str, dict[str, list[bool]]]:
    """For every system and bucket, whether each question was answered right."""
    turns = [turn for chunk in chunks for turn in _turns(chunk)]
    systems = ClarkSystems(turns, embeddings=embeddings, passages=[_passage(chunk) for chunk in chunks], slots=slots)
    states, members = StateReader(embeddings=embeddings), MembersReader(slots=SlotReader(slots))
    rights: dict[str, dict[str, list[bool]]] = {name: defaultdict(list) for name in NAMES.values()}
    asked = [questions(chunks, at, rng=rng) for at in range(len(chunks))]
    if limit is not None:
        asked = [rng.sample(some, min(limit, len(some))) for some in asked]
    # All at once, which is several times faster than one by one.
    embed([one.question for some in asked for one in some], embeddings=embeddings)
    for chunk, some in zip(chunks, asked, strict=True):
        systems.stream(until=chunk.day)
        for one in some:
            for system, name in NAMES.items():
                found = _answer(one, systems.finders[system], chunk.day, states=states, members=members)
                rights[name][BUCKETS[min(one.updates, 2)]].append(found == one.answers)
    return rights


def _answer(
    asked: WorldQuestion, finder: Finder, day: date, *, states: StateReader, members: MembersReader
) -> frozenset[str]:
    question = decompose(asked.question, as_of=datetime(day.year, day.month, day.day, 23, 59, tzinfo=UTC))
    reader = members if asked.several else states
    reading = reader.read(question, evidence=finder(asked.question, day), choices=asked.choices).reading
    return frozenset(filter(None, reading.answer.split(SEPARATOR))) if asked.several else frozenset({reading.answer})


def _turns(chunk: ConversationChunk) -> list[Evidence]:
    """Each turn as a document by its speaker."""
    return [
        Evidence(id=f"{chunk.day} {number}", text=said, title=speaker, published=Interval.of_moment(chunk.day))
        for number, (speaker, said) in enumerate(chunk.lines)
    ]


def _passage(chunk: ConversationChunk) -> Evidence:
    return Evidence(id=str(chunk.day), text=chunk.text, published=Interval.of_moment(chunk.day))


def _error(values: Sequence[float]) -> float:
    """The standard error of a mean, 0 for one value."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def _numbers(options: Mapping[str, str], **defaults: int) -> list[int]:
    values = {**{name: str(value) for name, value in defaults.items()}, **options}
    for name, value in values.items():
        if not value.isdecimal() or int(value) < 1:
            raise BadInput(f"The option {name} is a number of at least 1, not {value!r}.")
    return [int(value) for value in values.values()]
