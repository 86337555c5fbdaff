"""Adaptive re-retrieval: score the candidates again with the answer, as far as it is reliable (GrowOVER, eq. 1-3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from asof.errors import BadInput
from asof.ranking.documents import headed
from asof.records import Certainty, Evidence, RankedEvidence
from asof.text.embeddings import embed

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

TOP_K = 3
"""Documents read at a time (GrowOVER, section 5.1)."""

POOL = 20
"""Further candidates that the re-retrieval chooses from."""

_PRIOR = 0.5
"""The power of the first retrieval's own scores, chosen on TimeQA questions that were not adopted."""

_SENTENCE_BERT, _OTHERS = 2.0, 1.0
"""lambda of eq. 2 by encoder (GrowOVER, appendix A)."""


def most_reliable(certainties: Sequence[Certainty]) -> int:
    """Index of the document with the highest p(reliable) (eq. 1); the earlier one at a tie.

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
    """lambda for an encoder: 2.0 for MiniLM and other sentence-BERT models, else 1.0; told by its name."""
    name = str(getattr(embeddings, "name", "") or getattr(embeddings, "model_name", "") or "").lower()
    return _SENTENCE_BERT if "minilm" in name or "sbert" in name or "sentence" in name else _OTHERS


def rerank_scores(
    documents: NDArray[np.floating[Any]],
    *,
    question: NDArray[np.floating[Any]],
    with_answer: NDArray[np.floating[Any]],
    weight: float,
) -> NDArray[np.float64]:
    """(1 - omega) sim(Q, D) + omega sim([Q; y], D) for each document (eq. 3).

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
    prior: Sequence[float] | None = None,
) -> list[RankedEvidence]:
    """The `k` best of the `pool` candidates behind the first `skip`, which were read already.

    Args:
        candidates: in the first retrieval's order.
        scale: lambda, by default that of the encoder.
        prior: the first retrieval's own score of each candidate, at least 0, by whose root eq. 3 is multiplied: a
            first retrieval that knows more than likeness, such as time, keeps its say. `None`: eq. 3 as published.
    """
    if min(k, pool) < 1 or skip < 0:
        raise BadInput(f"k and pool must be at least 1 and skip at least 0, not {k}, {pool} and {skip}.")
    if prior is not None and len(prior) != len(candidates):
        raise BadInput(f"prior needs one score for each of {len(candidates)} candidates, not {len(prior)}.")
    rest = list(candidates[skip : skip + pool])
    if not rest:
        return []
    texts = [question, f"{question} {answer}".strip(), *map(headed, rest)]
    vectors = embed(texts, embeddings=embeddings)
    weight = answer_weight(reliable, scale=scale_for(embeddings) if scale is None else scale)
    scores = rerank_scores(vectors[2:], question=vectors[0], with_answer=vectors[1], weight=weight)
    if prior is not None:
        scores = np.clip(scores, 0, None) * np.asarray(prior[skip : skip + pool], dtype=np.float64) ** _PRIOR
    order = np.argsort(-scores, kind="stable")[:k]
    return [
        RankedEvidence(evidence=rest[i], score=max(0.0, float(scores[i])), semantic=float(np.clip(scores[i], 0, 1)))
        for i in order
    ]
