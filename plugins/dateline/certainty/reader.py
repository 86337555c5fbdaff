"""A reader that checks itself: RiLM around any reader (GrowOVER, section 4)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dateline.certainty.answer import Answer
from dateline.certainty.answering import AnswerLoop, RankedSource, ReaderRounds, check_sizes
from dateline.certainty.gate import Gate
from dateline.certainty.rerank import POOL, TOP_K
from dateline.certainty.reranker import AnswerReranker, reranker_for
from dateline.flow import Flow, twins
from dateline.protocols import Estimator, Reader, ReadResult
from dateline.records import Evidence
from dateline.temporal.constraint import Question

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


class CheckedReader:
    """A reader that adopts its answer, reads other evidence, or abstains.

    Itself a `Reader`: the evidence it is given are the candidates of one retrieval, best first. The first `k` are read
    each alone; each further round reads the `k` best of the `candidates` behind them, ranked again with the answer, and
    the answer with the higher p(reliable) is kept. Without `per_document` a round is read at once, each further one
    together with all before it, and the last answer is kept. An abstention is an empty answer.

    Example:
        >>> from dateline.certainty import MarginEstimator
        >>> from dateline.reading import ExtractiveReader
        >>> checked = CheckedReader(ExtractiveReader(), estimator=MarginEstimator())
        >>> from dateline.temporal import decompose, now
        >>> question = decompose("Who chairs Borth Council?", as_of=now())
        >>> checked.check(question, evidence=[Evidence.make("Bo Lind chairs Borth Council.")]).answer
        'Bo Lind'
    """

    def __init__(
        self,
        reader: Reader,
        *,
        estimator: Estimator,
        embeddings: Embeddings | None = None,
        reranker: AnswerReranker | None = None,
        gate: Gate | None = None,
        k: int = TOP_K,
        candidates: int = POOL,
        per_document: bool = True,
        scale: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the parts.

        Args:
            embeddings: rank unread evidence by GrowOVER's eq. 3, as published; `None`: `rescore`.
            reranker: one of your own in their place.
            per_document: read each document alone, as published, or all of a round at once.
            scale: lambda of eq. 2 for `embeddings`; `None`: by the encoder's name.
            clock: seconds that only grow, for the gate's budget.

        Raises:
            BadInput: for `k` below 1 or `candidates` below 0.
        """
        check_sizes(k, candidates)
        self.reader, self.k, self.candidates = reader, k, candidates
        self.reranker = reranker or reranker_for(embeddings, scale=scale)
        rounds = ReaderRounds(reader, per_document)
        self._loop = AnswerLoop(rounds, estimator, gate or Gate(), per_document, clock=clock)

    def _check(self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()) -> Flow[Answer]:
        """Read, estimate, and read again while the gate asks for it."""
        source = RankedSource.in_order(evidence, k=self.k, candidates=self.candidates, reranker=self.reranker)
        return (yield from self._loop.answer(question, source=source, choices=choices)).answer

    def _read(
        self, question: Question, *, evidence: Sequence[Evidence], choices: Sequence[str] = ()
    ) -> Flow[ReadResult]:
        """Return the checked reading, without its trace."""
        made = yield from self._check(question, evidence=evidence, choices=choices)
        return ReadResult(made.reading.model_copy(update={"answer": made.answer, "choice": made.choice}), made.cost)

    check, acheck = twins(_check)
    read, aread = twins(_read)
