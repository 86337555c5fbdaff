"""CLARK's news as a stream: which answer holds at each step?

Files: `stream.jsonl` with date, text and url, in order of time, and `items.jsonl` with question, choices and answers, each
{answer, from, to}: what the stream makes known and from when to when (ERASE, section 5.1). A change is an answer becoming
known. When 20, 40, 60, 80 and 100 % of the changes have streamed in, every question with exactly one known answer is asked
as of that day; it is right when the reader takes that answer of all the choices ever true.

`accuracy_at_…` counts all of them alike. `changed_at_…` counts those whose answer is not that of the step before (at the
first step all), `unchanged_at_…` the others, and `balanced_at_…` is the mean of the two, which is what the paper's sample of
as many unchanged questions as changed ones estimates.

One local reader, four systems. `dateline`: a fact store that the local updater edits, read as of the day. `fact_rag`: the same
facts, each dated, never edited. `passages`: the nearest documents, without dates; `passages_dated`: with their dates.
The question about the first state, as of its own first day (table 4): `first_state_at_start`, asked on that day,
`first_state_at_end`, asked with the whole stream known, and `first_state_loss`, the points between.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from dateline.errors import BadInput
from dateline.facts import ExactIndex, FactStore, LocalUpdater, MemoryLedger, SlotPack
from dateline.facts.fact import FoundFact
from dateline.facts.fact_reader import facts_of
from dateline.facts.operation import AddFact
from dateline.records import Evidence
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval
from dateline.text.disk_cache import CachedEmbeddings
from dateline.text.embeddings import default_embeddings, embed
from dateline.text.memory_cache import RememberedEmbeddings
from dateline_bench import rows
from dateline_bench.benchmark import BenchmarkReport, Progress, drawn, refuse_unknown, watched
from dateline_bench.readers.headline import headline_of
from dateline_bench.readers.keyword_facts import KeywordFacts
from dateline_bench.readers.states import StateReader

STEPS = (20, 40, 60, 80, 100)
"""Percent of the changes that have streamed in when the questions are asked (section 5.1)."""

FACTS, PASSAGES = 20, 10
"""How many facts or documents a question gets."""

_LEARNT = datetime(2025, 1, 1, tzinfo=UTC)


class ClarkDocument(BaseModel):
    """One line of `stream.jsonl`."""

    model_config = ConfigDict(frozen=True)

    date: date
    text: str
    url: str | None = None


class ClarkAnswer(BaseModel):
    """Answer that the stream makes known, with its days."""

    model_config = ConfigDict(frozen=True)

    answer: str
    start: date = Field(alias="from")
    end: date | None = Field(alias="to")

    def at(self, day: date) -> bool:
        return self.start <= day and (self.end is None or day < self.end)


class ClarkItem(BaseModel):
    """Question with all answers ever true, and their days."""

    model_config = ConfigDict(frozen=True)

    question: str = Field(min_length=1)
    choices: tuple[str, ...] = Field(min_length=1)
    answers: tuple[ClarkAnswer, ...] = Field(min_length=1)

    def answer(self, day: date) -> str | None:
        """Return the one answer known on a day, or `None`."""
        known = [known.answer for known in self.answers if known.at(day)]
        return known[0] if len(known) == 1 else None


Finder = Callable[[str, date], Sequence[Evidence]]
"""What a system brings for a question asked as of a day, the best first."""

Asked = tuple[ClarkItem, date, str]
"""A question, the day that it is asked as of, and the right answer."""


def run(
    folder: Path, *, limit: int | None = None, seed: int = 0, progress: Progress | None = None, **options: str
) -> BenchmarkReport:
    """Measure; `limit` draws questions, the stream stays whole.

    Raises:
        BadInput: for a missing or malformed file, or an option (there is none).
    """
    refuse_unknown(options)
    started = time.perf_counter()
    documents, items = load(folder)
    days = steps_of(items)
    items = drawn(items, limit=limit, seed=seed)

    inner = default_embeddings()
    embeddings = RememberedEmbeddings(CachedEmbeddings(inner, name=inner.name))
    systems = ClarkSystems(documents, embeddings=embeddings, headed=True)
    embed([item.question for item in items], embeddings=embeddings)
    reader = StateReader(embeddings=embeddings)
    figures = _measured(systems, items, days=days, reader=reader, progress=progress)
    ours = figures.pop("dateline")
    flat = {
        metric.replace("accuracy", name): value
        for name, metrics in figures.items()
        for metric, value in metrics.items()
        if metric.startswith("accuracy")
    }
    gain = ours["accuracy_at_100"] - figures["passages"]["accuracy_at_100"]
    return BenchmarkReport(
        benchmark="clark",
        n=len(items),
        configuration={
            "embeddings": embeddings.name,
            "documents": len(documents),
            "facts": FACTS,
            "passages": PASSAGES,
            "days": {str(step): day.isoformat() for step, day in days.items()},
            "questions": {
                str(step): {"changed": sum(changed), "unchanged": len(changed) - sum(changed)}
                for step, (_, changed) in _steps_asked(items, days).items()
            },
            "made_false": systems.made_false,
            "chance": 100 * float(np.mean([1 / len(item.choices) for item in items])),
            "seed": seed,
        },
        metrics={**ours, **flat, "gain_over_passages_at_100": gain},
        baselines=figures,
        cost={"seconds": time.perf_counter() - started, "update_seconds": systems.update_seconds},
    )


def _measured(
    systems: ClarkSystems,
    items: Sequence[ClarkItem],
    *,
    days: Mapping[int, date],
    reader: StateReader,
    progress: Progress | None,
) -> dict[str, dict[str, float]]:
    """Stream day by day; return each system's figures."""
    figures: dict[str, dict[str, float]] = {name: {} for name in systems.finders}
    first = _first_states(items)
    at_start: dict[str, list[bool]] = {name: [] for name in systems.finders}
    steps = _steps_asked(items, days)
    moments = sorted({*days.values(), *(day for _, day, _ in first)})
    for moment in watched(moments, stage="stream", progress=progress):
        systems.stream(until=moment)
        new = [one for one in first if one[1] == moment]
        for name, finder in systems.finders.items():
            at_start[name] += rights(finder, new, reader=reader)
            for step in (step for step, day in days.items() if day == moment):
                asked, changed = steps[step]
                figures[name] |= step_figures(step, rights(finder, asked, reader=reader), changed=changed)
    systems.stream(until=None)
    for name, finder in systems.finders.items():
        start, end = _percent(at_start[name]), _percent(rights(finder, first, reader=reader))
        figures[name] |= {
            "first_state_at_start": start,
            "first_state_at_end": end,
            "first_state_loss": start - end,
        }
    return figures


def _first_states(items: Sequence[ClarkItem]) -> list[Asked]:
    """The questions as of their first days, where one answer was known."""
    started = [(item, min(known.start for known in item.answers)) for item in items]
    return [(item, day, answer) for item, day in started if (answer := item.answer(day)) is not None]


def _steps_asked(items: Sequence[ClarkItem], days: Mapping[int, date]) -> dict[int, tuple[list[Asked], list[bool]]]:
    """For each step, what is asked, and whether its answer changed."""
    found = {}
    for (step, day), before in zip(days.items(), [None, *days.values()], strict=False):
        asked = [(item, day, answer) for item in items if (answer := item.answer(day)) is not None]
        found[step] = (asked, [before is None or item.answer(before) != answer for item, _, answer in asked])
    return found


def step_figures(step: int, right: Sequence[bool], *, changed: Sequence[bool]) -> dict[str, float]:
    """Figures of one step: all questions, each kind, and both balanced.

    A kind without a question has no figure, and the balanced one is then the other's.
    """
    kinds = {
        name: [one for one, other in zip(right, changed, strict=True) if other is kind]
        for name, kind in (("changed", True), ("unchanged", False))
    }
    means = {name: _percent(some) for name, some in kinds.items() if some}
    balanced = {"balanced": float(np.mean(list(means.values())))} if means else {}
    named = {"accuracy": _percent(right), **means, **balanced}
    return {f"{name}_at_{step}": value for name, value in named.items()}


def load(folder: Path) -> tuple[list[Evidence], list[ClarkItem]]:
    """Load documents in order of time, and the questions."""
    stream = rows.read_as(ClarkDocument, rows.find(folder, "stream"))
    documents = [_document(number, row) for number, row in enumerate(stream)]
    items = list(rows.read_as(ClarkItem, rows.find(folder, "items")))
    if not documents or not items:
        raise BadInput(f"{folder} needs documents in stream.jsonl and questions in items.jsonl, and one holds none.")
    return sorted(documents, key=_start), items


def steps_of(items: Sequence[ClarkItem]) -> dict[int, date]:
    """Find the day by which each share of changes was known."""
    changes = sorted(known.start for item in items for known in item.answers)
    return {step: changes[math.ceil(step / 100 * len(changes)) - 1] for step in STEPS}


class ClarkSystems:
    """The systems over one stream of documents, in order of time.

    Args:
        documents: what the facts are taken from.
        embeddings: the same for all.
        passages: what `passages` searches, where it is not the documents themselves.
        headed: keep facts behind their documents' headlines.
        slots: attributes and rules of the edited store; by default those that are shipped.
    """

    def __init__(
        self,
        documents: Sequence[Evidence],
        *,
        embeddings: RememberedEmbeddings,
        passages: Sequence[Evidence] | None = None,
        headed: bool = False,
        slots: SlotPack | None = None,
    ) -> None:
        self._documents = documents
        self._passages = documents if passages is None else passages
        self._embeddings = embeddings
        self._facts = [facts_of(document, headed=headed) for document in documents]
        # All at once, which is several times faster than one by one.
        embed([fact.text for facts in self._facts for fact in facts], embeddings=embeddings)
        self._vectors = embed([passage.text for passage in self._passages], embeddings=embeddings)
        self._starts = np.array([_start(passage) for passage in self._passages])
        self._edited, self._unedited = (
            FactStore(MemoryLedger(), index=ExactIndex(), embeddings=embeddings, slots=pack)
            for pack in (slots or SlotPack.shipped(), SlotPack({}))
        )
        self._edited_words, self._unedited_words = KeywordFacts(self._edited), KeywordFacts(self._unedited)
        self._updater = LocalUpdater(self._edited, headed=headed)
        self._done = 0
        self._until = -math.inf
        self.made_false = 0
        self.update_seconds = 0.0
        self.finders: dict[str, Finder] = {
            "dateline": self._read_edited,
            "passages": self._undated_passages,
            "passages_dated": self._nearest_passages,
            "fact_rag": self._read_unedited,
        }

    def stream(self, *, until: date | None) -> None:
        """Ingest all documents up to a day; `None`: all."""
        end = None if until is None else Interval.of_moment(until).end
        self._until = math.inf if end is None else end
        while self._done < len(self._documents) and _start(self._documents[self._done]) < self._until:
            self._take(self._documents[self._done], self._done)
            self._done += 1

    def _take(self, document: Evidence, number: int) -> None:
        started = time.perf_counter()
        (changes,) = self._updater.update([document], known_at=_LEARNT)
        self.update_seconds += time.perf_counter() - started
        self.made_false += len(changes.made_false)
        additions = [
            AddFact(document=document.id, when=document.published, known_at=_LEARNT, fact=fact)
            for fact in self._facts[number]
        ]
        self._unedited.apply(document.id, additions)

    def _read_edited(self, question: str, day: date) -> list[Evidence]:
        nearest = self._edited.search(question, as_of=day, k=FACTS)
        return _evidence([*nearest, *self._edited_words.search(question, as_of=day, k=FACTS)])

    def _read_unedited(self, question: str, day: date) -> list[Evidence]:
        nearest = self._unedited.search(question, k=FACTS)
        return _evidence([*nearest, *self._unedited_words.search(question, k=FACTS)])

    def _nearest_passages(self, question: str, day: date) -> list[Evidence]:
        scores = self._vectors @ embed([question], embeddings=self._embeddings)[0]
        nearest = np.argsort(np.where(self._starts < self._until, -scores, np.inf), kind="stable")[:PASSAGES]
        return [self._passages[row] for row in nearest if self._starts[row] < self._until]

    def _undated_passages(self, question: str, day: date) -> list[Evidence]:
        return [piece.model_copy(update={"published": None}) for piece in self._nearest_passages(question, day)]


def rights(finder: Finder, asked: Sequence[Asked], *, reader: StateReader) -> list[bool]:
    """For each question, whether it is read right."""
    return [_ask(finder, item, day, reader=reader) == answer for item, day, answer in asked]


def _percent(right: Sequence[bool]) -> float:
    return 100 * float(np.mean(right)) if right else 0.0


def _ask(finder: Finder, item: ClarkItem, day: date, *, reader: StateReader) -> str:
    question = decompose(item.question, as_of=datetime(day.year, day.month, day.day, 23, 59, tzinfo=UTC))
    return reader.read(question, evidence=finder(item.question, day), choices=item.choices).reading.answer


def _evidence(found: Sequence[FoundFact]) -> list[Evidence]:
    """Facts, each once, dated by the last word that they are true."""
    facts = {one.fact.id: one for one in found}
    return [
        Evidence(
            id=id,
            text=one.fact.text,
            published=next((entry.when for entry in reversed(one.entries) if entry.true), None),
            kind="fact",
        )
        for id, one in facts.items()
    ]


def _document(number: int, row: ClarkDocument) -> Evidence:
    url = row.url or ""
    return Evidence(
        id=f"{number} {url}",
        text=row.text,
        title=headline_of(url),
        url=url,
        published=Interval.of_moment(row.date),
    )


def _start(document: Evidence) -> int:
    return 0 if document.published is None or document.published.start is None else document.published.start
