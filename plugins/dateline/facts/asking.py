"""Questions answered from a fact store, over one or two facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dateline.facts.fact import Fact, event_start, last_second
from dateline.facts.fact_paths import FactPath, FactPaths
from dateline.facts.slot_history import SlotAnswer
from dateline.facts.store import FactStore
from dateline.reading.local import local_reader
from dateline.reading.look import Look
from dateline.reading.trained_reader import TrainedReader
from dateline.records import Evidence, Record
from dateline.softmax import log_odds, softmax
from dateline.stopping import in_thread
from dateline.temporal.as_of import AsOf, Clock, read_moment
from dateline.temporal.constraint import Question
from dateline.temporal.decomposition import decompose
from dateline.temporal.interval import Interval
from dateline.text.embeddings import embed

Signals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PathWeights:
    """Log-odds of a path, fitted by `training/asking.py`.

    Attributes:
        signals: for each of `path_signals`.
        none: of there being no answer.
    """

    signals: tuple[float, ...]
    none: float


FITTED = PathWeights(signals=(0.839, 13.879), none=9.792)
_LIKELIER = 0.5
_NEVER = 1e-6
"""The least chance that facts answer, or do not."""


class FactAnswer(Record):
    """Answer of a fact store.

    Attributes:
        values: what is asked for; several where several hold.
        facts: the facts that lead there, in order.
        answer: the slot of the values, which tells whether they are contested or stale; `None` where they are those who have
            a value ("Who lives in Porto?").
        chance: how likely the answer is held, 0 to 1.

    Example:
        >>> FactAnswer(values=("Lund",), facts=(Fact.make("Tolvex is based in Lund."),), chance=0.9).describe()
        'Lund, by: Tolvex is based in Lund.'
    """

    values: tuple[str, ...]
    facts: tuple[Fact, ...]
    answer: SlotAnswer | None = None
    chance: float

    def describe(self) -> str:
        """Answer in words, with the facts that lead there."""
        contested = " (contested)" if self.answer is not None and self.answer.contested else ""
        return f"{', '.join(self.values)}{contested}, by: {' '.join(dict.fromkeys(each.text for each in self.facts))}"


class SpanLook(Protocol):
    """Reader that shows where in evidence an answer may stand."""

    def look(self, question: Question, *, evidence: Sequence[Evidence]) -> Look:
        """The reader's view of the evidence, before anything is decided."""
        ...


class FactAsker:
    """Answers questions by values around the names in them.

    What is known of a name is followed by one fact more, in either direction ("the project that Ada works on", "the person who
    works on Atlas"). Which of these values is asked for, or none, is told by how near the question is to the plain one that a
    value answers, and by whether a trained reader finds an answer in the facts.

    Args:
        store: the facts; the weights were fitted with the shipped encoder.
        reader: tells whether facts answer; by default the local one.

    Example:
        >>> from dateline.facts import ExactIndex, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> changes = store.remember("Ada Berg", attribute="employer", value="Tolvex", since="2020")
        >>> changes = store.remember("Tolvex", attribute="headquarters", value="Lund", since="2019")
        >>> FactAsker(store).ask("What is the headquarters of Ada Berg's employer?").values
        ('Lund',)
    """

    def __init__(self, store: FactStore, *, reader: SpanLook | None = None) -> None:
        self._store = store
        self._reader = reader or _shared_reader()

    def ask(self, question: str, *, as_of: AsOf = None, known_at: AsOf = None) -> FactAnswer | None:
        """Answer by the facts that were true at the time asked for.

        That is the time which the question names, or else `as_of`, by default now.

        Returns:
            `None` where the question names nothing that is known, or what is known answers it less likely than not.

        Raises:
            BadInput: for a time that cannot be read.
        """
        asked = asked_of(question, as_of=as_of, clock=self._store.clock)
        paths = paths_of(asked, store=self._store, known_at=known_at)
        if not paths:
            return None
        return answered(paths, path_signals(asked, paths, store=self._store, reader=self._reader))

    async def aask(self, question: str, *, as_of: AsOf = None, known_at: AsOf = None) -> FactAnswer | None:
        """Answer on a thread of its own."""
        return await in_thread(self.ask, question, as_of=as_of, known_at=known_at)


def _shared_reader() -> SpanLook:
    """Return the local reader that all share."""
    reader = local_reader("trained")
    assert isinstance(reader, TrainedReader)
    return reader


def asked_of(question: str, *, as_of: AsOf, clock: Clock) -> Question:
    """Take a question apart, also one of a day to come."""
    return decompose(question, as_of=read_moment(as_of, clock=clock, future_ok=True))


def paths_of(asked: Question, *, store: FactStore, known_at: AsOf = None) -> list[FactPath]:
    """List what is known around a question's names, at its time."""
    return FactPaths(asked.content, store=store, as_of=time_asked(asked), known_at=known_at).every()


def time_asked(asked: Question) -> datetime | Interval:
    """Return the time that is named, or the asking day inside it."""
    window = asked.effective_constraint().window()
    return asked.as_of if event_start(window) <= last_second(asked.as_of) <= last_second(window) else window


def plain(asked: Question) -> Question:
    """Return a question without its time.

    The paths are of that time already.
    """
    return Question(asked.content, asked.content, None, asked.as_of)


def path_signals(asked: Question, paths: Sequence[FactPath], *, store: FactStore, reader: SpanLook) -> Signals:
    """Return two signals for each path, shape (paths, 2).

    The log-odds that its facts answer, and the cosine of question and path.
    """
    look = reader.look(plain(asked), evidence=[Evidence.make(path.text) for path in paths])
    nothing = [min((each.nothing for each in look.of([place]).scored), default=0.0) for place in range(len(paths))]
    own, *others = embed([asked.content, *(path.asked for path in paths)], embeddings=store.embeddings)
    return np.column_stack([-log_odds(np.exp(nothing), least=_NEVER), np.asarray(others) @ own])


def answered(paths: Sequence[FactPath], signals: Signals, *, weights: PathWeights = FITTED) -> FactAnswer | None:
    """Choose by a conditional logit (McFadden, 1974) over all paths, and none.

    Paths to the same values add up; an answer is given where it is likelier than not.
    """
    likely = softmax(np.append(signals @ np.array(weights.signals), weights.none))
    alike: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, path in enumerate(paths):
        alike[tuple(sorted(path.values))].append(place)
    best = max(alike.values(), key=lambda places: float(likely[places].sum()))
    chance = float(likely[best].sum())
    if chance < _LIKELIER:
        return None
    path = paths[max(best, key=lambda place: float(likely[place]))]
    return FactAnswer(values=path.values, facts=path.facts, answer=path.answer, chance=chance)
