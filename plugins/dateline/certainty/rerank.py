"""Adaptive re-retrieval: candidates scored with the answer (GrowOVER, eq. 1-3).

`rerank` is equation 3 over embeddings, as published. `rescore` is the same equation over the scores of a first retrieval
that knows more than likeness, such as time: what that liked, and what names an answer that was read, comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dateline.errors import BadInput, check_least
from dateline.ranking.prepared import headed
from dateline.records import Certainty, Evidence, RankedEvidence, Reading
from dateline.text.embeddings import embed, name_of
from dateline.text.words import spaced

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

TOP_K = 3
"""Documents read at a time (GrowOVER, section 5.1)."""

POOL = 20
"""Further candidates that the re-retrieval chooses from."""

_SENTENCE_BERT, _OTHERS = 2.0, 1.0
"""lambda of eq. 2 by encoder (GrowOVER, appendix A)."""

_SENTENCE_BERTS = ("sbert", "sentbert", "sentence-bert", "mean-tokens", "minilm", "mpnet")
"""Parts of the names of Sentence-BERT's models."""

RESCORED = 2.0
"""lambda of eq. 2 over the scores of a ranking."""


def most_reliable(certainties: Sequence[Certainty]) -> int:
    """Return the index of the highest p(reliable) (eq. 1).

    The earlier one at a tie.

    Raises:
        BadInput: when there is none.
    """
    if not certainties:
        raise BadInput("There is no certainty to choose from; read at least one document.")
    return max(range(len(certainties)), key=lambda index: (certainties[index].reliable, -index))


def answer_weight(reliable: float, *, scale: float) -> float:
    """omega = lambda p(reliable), kept within 0 and 1 (eq. 2)."""
    return min(1.0, max(0.0, scale * reliable))


def scale_for(embeddings: Any) -> float:
    """Return lambda by the encoder's own name (GrowOVER, appendix A).

    The folder or account in front of it says nothing: sentence-transformers holds other encoders as well.
    """
    name = name_of(embeddings).lower()
    own = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return _SENTENCE_BERT if any(each in own for each in _SENTENCE_BERTS) else _OTHERS


def rerank_scores(
    documents: NDArray[np.floating[Any]],
    *,
    question: NDArray[np.floating[Any]],
    with_answer: NDArray[np.floating[Any]],
    weight: float,
) -> NDArray[np.float64]:
    """Return the score of each document by eq. 3.

    (1 - omega) sim(Q, D) + omega sim([Q; y], D).

    Args:
        documents: (n, d) vectors of length 1.
        question, with_answer: (d,) vectors of length 1 of Q and of [Q; y].
        weight: omega, 0 to 1.
    """
    if not 0 <= weight <= 1:
        raise BadInput(f"The weight of the answer must lie between 0 and 1, not {weight}; see answer_weight().")
    mixed = (1 - weight) * question + weight * with_answer
    scores: NDArray[np.float64] = (documents @ mixed).astype(np.float64)
    return scores


def rerank(
    candidates: Sequence[Evidence],
    *,
    question: str,
    answer: str,
    reliable: float,
    embeddings: Embeddings,
    k: int = TOP_K,
    skip: int = TOP_K,
    pool: int = POOL,
    scale: float | None = None,
) -> list[RankedEvidence]:
    """Return the `k` best of the unread candidates by eq. 3.

    Those are the `pool` behind the first `skip`, which were read already.

    Args:
        candidates: in the first retrieval's order.
        scale: lambda, by default that of the encoder.
    """
    check_least(1, k=k, pool=pool)
    check_least(0, skip=skip)
    rest = list(candidates[skip : skip + pool])
    if not rest:
        return []
    texts = [question, f"{question} {answer}".strip(), *map(headed, rest)]
    vectors = embed(texts, embeddings=embeddings)
    weight = answer_weight(reliable, scale=scale_for(embeddings) if scale is None else scale)
    scores = rerank_scores(vectors[2:], question=vectors[0], with_answer=vectors[1], weight=weight)
    order = np.argsort(-scores, kind="stable")[:k]
    return [
        RankedEvidence(evidence=rest[i], score=max(0.0, float(scores[i])), semantic=float(np.clip(scores[i], 0, 1)))
        for i in order
    ]


def rescore(
    unread: Sequence[RankedEvidence],
    *,
    readings: Sequence[Reading],
    reliable: float,
    k: int = TOP_K,
    scale: float = RESCORED,
) -> list[RankedEvidence]:
    """Return the `k` best unread by eq. 3 over a ranking's scores.

    sim(Q, D) is D's score s; sim([Q; y], D) is s (1 + p), p being the probability that a reading gave the likeliest of
    its answers that D names, 0 when it names none.

    Args:
        unread: best first; copies with the new scores are given.
        readings: what was read so far.
        reliable: p(reliable) of the answer that stands.
        scale: lambda.
    """
    check_least(1, k=k)
    weight = answer_weight(reliable, scale=scale)
    answers = [(spaced(one.answer), one.probability) for reading in readings for one in reading.candidates]
    scored = []
    for one in unread:
        text = spaced(headed(one.evidence))
        named = max((probability for answer, probability in answers if answer.strip() and answer in text), default=0.0)
        scored.append(one.model_copy(update={"score": one.score * (1 + weight * named)}))
    return sorted(scored, key=lambda one: -one.score)[:k]
