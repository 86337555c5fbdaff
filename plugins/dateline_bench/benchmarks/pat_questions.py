"""PAT-Questions as a stream: which answer holds at which date?

Files: the set's own, `PAT-singlehop.json` in one folder a date, named like `Dec2021`. Of each date, every question about
the present state ("… currently?") states one fact per answer, in words of ours; the facts enter the store in order of
time through the local updater, and then every question is asked as of every date.

`answer_R@k`: a normalised answer of that date stands in one of the k nearest facts. `stale@1`: the nearest fact holds
an answer of another date and none of this one. `changed_…`: over questions whose answers differ between the dates.

Baselines on the same sentences and embeddings: `vectors`, a plain vector store that holds them all; `vectors_dated`,
the same without what was stated after the asked date. Both know when a sentence was stated, not when it ceased to hold.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from dateline.errors import BadInput
from dateline.evaluation.metrics import holds_answer
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger
from dateline.records import Evidence
from dateline.temporal.interval import Interval
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.embeddings import default_embeddings, embed
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched

DEPTHS = (1, 5, 10)

SENTENCES = {
    "P6": "{answer} is the head of government of {subject}.",
    "P35": "{answer} is the head of state of {subject}.",
    "P39": "{subject} holds the position of {answer}.",
    "P54": "{subject} plays for {answer}.",
    "P102": "{subject} belongs to the political party {answer}.",
    "P108": "{subject} works for {answer}.",
    "P127": "{subject} is owned by {answer}.",
    "P286": "{answer} is the head coach of {subject}.",
    "P488": "{answer} is the chair of {subject}.",
}
"""How a relation (a Wikidata property) is stated."""

_LEARNT = datetime(2024, 1, 1, tzinfo=UTC)


class PatSubject(BaseModel):
    """The subject of a question."""

    model_config = ConfigDict(frozen=True)

    label: str = Field(alias="subLabel")


class PatEntry(BaseModel):
    """One question of a date's file."""

    model_config = ConfigDict(frozen=True)

    question: str
    template: str
    relations: tuple[str, ...] = Field(min_length=1)
    subject: PatSubject
    answers: tuple[str, ...] = Field(alias="text answers")


PAT_ENTRIES = TypeAdapter(dict[str, PatEntry])


@dataclass(frozen=True)
class PatQuestion:
    """One question at one date."""

    question: str
    when: Interval
    answers: tuple[str, ...]
    others: tuple[str, ...]


Answerer = Callable[[PatQuestion], Sequence[str]]
"""The sentences that a system brings, the best first."""


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure; `limit` questions are drawn with `seed`, the stream stays whole.

    Raises:
        BadInput: for a missing or malformed file, fewer than two dates, no question, or an option (there is none).
    """
    refuse_unknown(options)
    dates = _dates(folder)
    stream = [piece for when, entries in dates for entry in entries for piece in _stated(entry, when)]
    asked = _asked(dates)
    if not asked:
        raise BadInput(f'{folder} holds no question of the present ("currently") of a known relation.')
    asked = drawn(asked, limit=limit, seed=seed)

    inner = default_embeddings()
    embeddings = RememberedEmbeddings(CachedEmbeddings(inner, name=inner.name))
    with FactStore(MemoryLedger(), index=ExactIndex(), embeddings=embeddings) as store:
        # All at once, which is several times faster than one by one.
        texts, stated = [piece.text for piece in stream], np.array([_start(piece) for piece in stream])
        vectors = embed(texts, embeddings=embeddings)
        embed([question.question for question in asked], embeddings=embeddings)
        started = time.perf_counter()
        updater, made_false = LocalUpdater(store), 0
        for piece in watched(stream, stage="stream", progress=progress):
            (changes,) = updater.update([piece], known_at=_LEARNT)
            made_false += len(changes.made_false)
        streamed = time.perf_counter() - started

        def ours(question: PatQuestion) -> list[str]:
            return [found.fact.text for found in store.search(question.question, as_of=question.when, k=DEPTHS[-1])]

        def plain(question: PatQuestion, *, dated: bool) -> list[str]:
            scores = vectors @ embed([question.question], embeddings=embeddings)[0]
            if dated:
                scores = np.where(stated <= question.when.start, scores, -np.inf)
            nearest = np.argsort(-scores, kind="stable")[: DEPTHS[-1]]
            return [texts[row] for row in nearest if np.isfinite(scores[row])]

        systems: dict[str, Answerer] = {
            "dateline": ours,
            "vectors": lambda question: plain(question, dated=False),
            "vectors_dated": lambda question: plain(question, dated=True),
        }
        figures = {name: _measure(system, asked, progress=progress, stage=name) for name, system in systems.items()}
    return BenchmarkReport(
        benchmark="pat_questions",
        n=len(asked),
        configuration={
            "embeddings": embeddings.name,
            "dates": [str(when) for when, _ in dates],
            "facts_stated": len(stream),
            "made_false": made_false,
            "questions_changed": sum(bool(question.others) for question in asked),
            "hops": "single",
            "seed": seed,
        },
        metrics=figures.pop("dateline"),
        baselines=figures,
        cost={"stream_seconds": streamed, "milliseconds_per_fact": 1000 * streamed / len(stream)},
    )


def _dates(folder: Path) -> list[tuple[Interval, list[PatEntry]]]:
    """Return the set's dates with their questions, oldest first."""
    found = []
    for path in folder.glob("*/PAT-singlehop.json"):
        try:
            when = Interval.of_moment(datetime.strptime(path.parent.name, "%b%Y"))
            entries = PAT_ENTRIES.validate_json(path.read_bytes()).values()
        except ValueError as cause:
            raise BadInput(f"{path} is no file of PAT-Questions in a folder named like Dec2021.") from cause
        month = Interval.parse(when.isoformat()[:7])
        found.append((month, [entry for entry in entries if _is_present(entry)]))
    if len(found) < 2:
        raise BadInput(f"{folder} needs PAT-singlehop.json in two folders named like Dec2021; see docs/benchmarks.md.")
    return sorted(found, key=lambda date: date[0].start or 0)


def _is_present(entry: PatEntry) -> bool:
    return "currently" in entry.template and entry.relations[0] in SENTENCES and bool(entry.answers)


def _stated(entry: PatEntry, when: Interval) -> list[Evidence]:
    sentence, subject = SENTENCES[entry.relations[0]], entry.subject.label
    texts = [sentence.format(subject=subject, answer=answer) for answer in entry.answers]
    return [Evidence.make(text, title=str(when), source="Wikidata", published=when) for text in dict.fromkeys(texts)]


def _asked(dates: Sequence[tuple[Interval, list[PatEntry]]]) -> list[PatQuestion]:
    """Every question that the set asks at every date, as of each."""
    answers = [{entry.question: entry.answers for entry in entries} for _, entries in dates]
    shared = [question for question in answers[0] if all(question in at for at in answers)]
    return [
        PatQuestion(question, when, at[question], _others(question, at, answers))
        for (when, _), at in zip(dates, answers, strict=True)
        for question in shared
    ]


def _others(
    question: str, here: dict[str, tuple[str, ...]], everywhere: Sequence[dict[str, tuple[str, ...]]]
) -> tuple[str, ...]:
    """The answers of other dates that are no answers here."""
    return tuple({answer for at in everywhere for answer in at[question]} - set(here[question]))


def _measure(
    system: Answerer, asked: Sequence[PatQuestion], *, progress: Progress | None, stage: str
) -> dict[str, float]:
    rows: list[tuple[bool, dict[str, float]]] = []
    for question in watched(asked, stage=stage, progress=progress):
        found = system(question)
        row = {f"answer_R@{k}": float(any(_holds(text, question.answers) for text in found[:k])) for k in DEPTHS}
        first = found[0] if found else ""
        row["stale@1"] = float(_holds(first, question.others) and not _holds(first, question.answers))
        rows.append((bool(question.others), row))
    changed = [row for has_changed, row in rows if has_changed]
    every = [row for _, row in rows]
    return {
        f"{prefix}{metric}": 100 * mean(row[metric] for row in some)
        for prefix, some in (("", every), ("changed_", changed))
        for metric in (*(f"answer_R@{k}" for k in DEPTHS), "stale@1")
        if some
    }


def _holds(text: str, answers: Sequence[str]) -> bool:
    return holds_answer(text, golds=answers)


def _start(piece: Evidence) -> int:
    return 0 if piece.published is None or piece.published.start is None else piece.published.start
