"""Event handlers for the evidence, freshness and cost of answers."""

from __future__ import annotations

from collections.abc import Callable

from llama_index.core.bridge.pydantic import PrivateAttr

from dateline import Cost
from dateline.documents import DateField
from dateline.evidence.freshness import Freshness, freshness_of
from dateline.evidence.traces import KEPT, AnswerTrace, latest_asked
from dateline.listener import tell
from dateline.options import checked_arguments
from dateline.temporal.as_of import AsOf, Clock, checked, now
from dateline.temporal.asking import asking_moment
from llama_index.callbacks.dateline.answers import AnswerEventHandler, Gathered


@checked_arguments
class EvidenceTraceEventHandler(AnswerEventHandler[AnswerTrace]):
    """A record of each answer's evidence, with its retriever and dates.

    Of a retriever inside another one, only the outer one's nodes count.

    Args:
        date_field: the field or fields of the date in what is retrieved, or `DateRules`; empty: the usual ones.
        keep: how many answers are remembered, the latest ones.

    Raises:
        BadInput: for a `keep` below 1.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.testing import FixedSearch
        >>> from llama_index.retrievers.dateline import EvidenceRetriever
        >>> retriever = EvidenceRetriever(FixedSearch([Evidence.make("Ben leads Acme.")]))
        >>> with EvidenceTraceEventHandler() as handler:
        ...     nodes = retriever.retrieve("Who leads Acme?")
        >>> handler.answers[0].retrievals[0].evidence[0].text
        'Ben leads Acme.'
    """

    def answer_ended(self, gathered: Gathered, *, seconds: float) -> None:
        """Keep its trace, where anything was asked."""
        if gathered.asked:
            self._answers.append(AnswerTrace(gathered.asked, tuple(gathered.retrievals), seconds))


@checked_arguments
class FreshnessEventHandler(AnswerEventHandler[Freshness]):
    """A record of each answer's newest and oldest evidence.

    An answer that retrieved nothing has none.

    Of a query engine it is what the engine shows as its sources, postprocessors applied.

    Args:
        as_of: the asking moment; `None`: that of the retrievers, else when the answer is complete.
        on_answer: is called with each, for instance to warn of stale answers, but not with those that it causes itself; what
            it raises is logged, not raised.
        date_field: the field or fields of the date in what is retrieved, or `DateRules`; empty: the usual ones.
        keep: how many answers are remembered, the latest ones.
        clock: gives the moment where `as_of` is left out.

    Raises:
        BadInput: for an unreadable date, or a `keep` below 1.

    Example:
        >>> from dateline import Evidence, Interval
        >>> from dateline.testing import FixedSearch
        >>> from llama_index.retrievers.dateline import EvidenceRetriever
        >>> news = Evidence.make("Ben leads Acme.", published=Interval.of_year(2021))
        >>> with FreshnessEventHandler(as_of="2024") as handler:
        ...     nodes = EvidenceRetriever(FixedSearch([news])).retrieve("Who leads Acme?")
        >>> handler.answers[0].statement
        'The newest evidence retrieved is of 2021 (1096 days before the asking date).'
    """

    _as_of: AsOf = PrivateAttr()
    _on_answer: Callable[[Freshness], None] | None = PrivateAttr()
    _clock: Clock = PrivateAttr()

    def __init__(
        self,
        *,
        as_of: AsOf = None,
        on_answer: Callable[[Freshness], None] | None = None,
        date_field: DateField = (),
        keep: int = KEPT,
        clock: Clock = now,
    ) -> None:
        super().__init__(date_field=date_field, keep=keep)
        self._as_of, self._on_answer, self._clock = checked(as_of, clock=clock), on_answer, clock

    def answer_ended(self, gathered: Gathered, *, seconds: float) -> None:
        """Say how fresh it is."""
        if gathered.shown is None and not gathered.retrievals:
            return
        retrieved = {piece.id: piece for each in gathered.retrievals for piece in each.evidence}
        told = freshness_of(
            tuple(retrieved.values()) if gathered.shown is None else gathered.shown,
            as_of=asking_moment(self._as_of, latest_asked(gathered.retrievals), clock=self._clock),
            standing="retrieved" if gathered.shown is None else "shown",
        )
        self._answers.append(told)
        tell(self._on_answer, told)


@checked_arguments
class CostEventHandler(AnswerEventHandler[Cost]):
    """A record of each answer's model calls, reported tokens, retrievals and seconds.

    A retrieval is one that is in no other one. A call that streams is counted, its tokens are not. `total` is the sum
    over all answers.

    Args:
        keep: how many answers are remembered, the latest ones.

    Raises:
        BadInput: for a `keep` below 1.

    Example:
        >>> from dateline import Evidence
        >>> from dateline.testing import FixedSearch
        >>> from llama_index.retrievers.dateline import EvidenceRetriever
        >>> with CostEventHandler() as handler:
        ...     nodes = EvidenceRetriever(FixedSearch([Evidence.make("Ben leads Acme.")])).retrieve("Who leads Acme?")
        >>> handler.total.searches
        1
    """

    _total: Cost = PrivateAttr(default_factory=Cost)

    @property
    def total(self) -> Cost:
        """Return the cost of all answers."""
        return self._total

    def answer_ended(self, gathered: Gathered, *, seconds: float) -> None:
        """Keep its cost."""
        cost = gathered.cost + Cost(seconds=seconds)
        self._answers.append(cost)
        with self._lock:
            self._total += cost
