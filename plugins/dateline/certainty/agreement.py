"""Certainty by asking again: self-consistency of a reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dateline.certainty.gate import NOTHING
from dateline.certainty.samples import checked_samples, sampled
from dateline.flow import Flow, twins
from dateline.protocols import Reader
from dateline.records import Certainty, Evidence, Reading
from dateline.temporal.constraint import Question
from dateline.text.answer_key import content_key


class AgreementEstimator:
    """Estimates certainty from the answers of repeated readings.

    The same question is read `samples` more times, the evidence rotated by one each time.

    reliable = share of readings with the same answer, misleading = share of all others that name an
    answer, uncertain = share without one. With a chat reader at a temperature above 0 the answers
    vary by themselves too. Each sample costs one reading.

    Example:
        >>> from dateline.reading import ExtractiveReader
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> evidence = [Evidence.make("Bo Lind chairs Borth Council.")]
        >>> estimator = AgreementEstimator(ExtractiveReader(), samples=2)
        >>> estimator.estimate(question, evidence=evidence, reading=Reading(answer="Bo Lind")).reliable
        1.0
    """

    def __init__(self, reader: Reader, *, samples: int = 4) -> None:
        self.reader, self.samples = reader, checked_samples(samples)

    def _estimate(self, question: Question, *, evidence: Sequence[Evidence], reading: Reading) -> Flow[Certainty]:
        """Return the three labels' probabilities, the samples read side by side."""
        others = yield from sampled(self.reader, question=question, evidence=evidence, samples=self.samples)
        return shares(reading.answer, others=others)

    estimate, aestimate = twins(_estimate)


def shares(answer: str, *, others: Sequence[str]) -> Certainty:
    """Return the labels' shares among `others`; an empty `answer` is uncertain."""
    key = content_key(answer)
    if not key or not others:
        return NOTHING
    counts = Counter(
        "none" if not (said := content_key(other)) else "same" if said == key else "other" for other in others
    )
    same, other = counts["same"] / len(others), counts["other"] / len(others)
    return Certainty(reliable=same, misleading=other, uncertain=max(0.0, 1 - same - other))
