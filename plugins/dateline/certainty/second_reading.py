"""Certainty of other models' answers, by a second reading."""

from __future__ import annotations

from collections.abc import Sequence

from dateline.certainty.batch_estimator import estimate_each
from dateline.certainty.margin import MarginEstimator
from dateline.certainty.signals import same
from dateline.flow import Flow, call, together, twins
from dateline.protocols import Estimator, Reader
from dateline.reading import local_reader
from dateline.records import Candidate, Certainty, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.text.words import spaced, words


class SecondReadingEstimator:
    """Estimates a model's, chain's or engine's answer by a second reading.

    A reader of one's own reads the same evidence; the answer is trusted as far as that reader trusts it.

    The answer is looked up among the reader's own candidates: it may be a whole sentence around one of them. An answer
    that the reader did not think of has nothing to stand on. Needs no log-probabilities and no further model call.

    Args:
        reader: by default the local one.
        estimator: judges the reader's own readings; by default `MarginEstimator`.

    Example:
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> evidence = [Evidence.make("Bo Lind chairs Borth Council.")]
        >>> told, made_up = (Reading(answer=answer) for answer in ("Bo Lind", "Ada Berg"))
        >>> estimator = SecondReadingEstimator(reader=ExtractiveReader())
        >>> [estimator.estimate(question, evidence=evidence, reading=one).label for one in (told, made_up)]
        ['reliable', 'misleading']
    """

    def __init__(self, *, reader: Reader | None = None, estimator: Estimator | None = None) -> None:
        self.reader = reader or local_reader()
        self.estimator = estimator or MarginEstimator(reader=self.reader)

    def _estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Flow[Certainty]:
        """Return the probabilities of the three labels."""
        own = (yield from call(self.reader.read, question, evidence=evidence)).reading
        found = as_read(reading, own=own)
        return (yield from call(self.estimator.estimate, question, evidence=evidence, reading=found))

    def _estimate_each(
        self, question: Question, *, evidence: Sequence[Evidence], readings: Sequence[Reading], known: int = 0
    ) -> Flow[list[Certainty]]:
        """Return the certainty of several answers, each from one document."""
        own = yield from together(call(self.reader.read, question, evidence=[piece]) for piece in evidence)
        found = [as_read(one, own=mine.reading) for one, mine in zip(readings, own, strict=True)]
        return (
            yield from call(estimate_each, self.estimator, question, evidence=evidence, readings=found, known=known)
        )

    estimate, aestimate = twins(_estimate)
    estimate_each, aestimate_each = twins(_estimate_each)


def as_read(reading: Reading, *, own: Reading) -> Reading:
    """Return a reader's reading with the given answer and its probability."""
    if not reading.answer.strip():
        return reading
    whole = spaced(reading.answer)
    known = (
        one
        for one in own.candidates
        if same(one.answer, reading.answer) or (words(one.answer) and spaced(one.answer) in whole)
    )
    found = next(known, Candidate(answer=reading.answer, probability=0.0))
    return own.model_copy(update={**dict(found), "choice": reading.choice})
