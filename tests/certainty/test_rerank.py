from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dateline import BadInput, Candidate, Certainty, Evidence, RankedEvidence, Reading
from dateline.certainty import answer_weight, most_reliable, rerank, rerank_scores, rescore, scale_for
from dateline.text.lexical import LexicalEmbeddings


def unit(seed: int, n: int = 1) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(n, 8))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@given(st.floats(0, 1), st.integers(0, 99))
def test_the_score_is_equation_three(weight: float, seed: int) -> None:
    question, answered, documents = unit(seed)[0], unit(seed + 1)[0], unit(seed + 2, 5)
    scores = rerank_scores(documents, question=question, with_answer=answered, weight=weight)
    for document, score in zip(documents, scores, strict=True):
        assert score == pytest.approx((1 - weight) * (question @ document) + weight * (answered @ document))


@given(st.floats(0, 1), st.floats(0, 10))
def test_the_weight_is_clamped(reliable: float, scale: float) -> None:
    assert 0 <= answer_weight(reliable, scale=scale) <= 1


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("all-MiniLM-L6-v2", 2.0),
        ("sentence-transformers/all-mpnet-base-v2", 2.0),
        ("sentence-transformers/bert-base-nli-mean-tokens", 2.0),
        ("C:\\models\\sbert-base\\", 2.0),
        ("sentence-transformers/contriever-base", 1.0),
        ("/models/minilm/facebook-contriever/", 1.0),
        ("sentence-transformers/gtr-t5-large", 1.0),
        ("text-embedding-3-small", 1.0),
    ],
)
def test_lambda_follows_the_encoders_own_name(name: str, scale: float) -> None:
    class Named:
        model_name = name

    assert scale_for(Named()) == scale
    assert scale_for(LexicalEmbeddings()) == 1.0


def test_the_document_with_the_highest_reliability_is_chosen() -> None:
    made = [Certainty(reliable=r, misleading=1 - r, uncertain=0.0) for r in (0.2, 0.7, 0.7)]
    assert most_reliable(made) == 1
    with pytest.raises(BadInput):
        most_reliable([])


PIECES = [Evidence.make(f"Nothing of note happened in week {n}.") for n in range(30)]


def again(pieces: list[Evidence], *, reliable: float, answer: str = "Ada Berg") -> list[Evidence]:
    ranked = rerank(
        pieces,
        question="Who leads the harbour board?",
        answer=answer,
        reliable=reliable,
        embeddings=LexicalEmbeddings(),
    )
    return [one.evidence for one in ranked]


def test_what_was_read_is_left_out_and_only_twenty_more_are_looked_at() -> None:
    late = Evidence.make("Ada Berg leads the harbour board.")
    assert late in again([*PIECES[:22], late], reliable=0.9)
    assert late not in again([*PIECES[:23], late], reliable=0.9)
    assert late not in again([late, *PIECES], reliable=0.9)


def test_an_unreliable_answer_does_not_steer() -> None:
    about_answer = Evidence.make("Ada Berg likes sailing with Ada Berg and Ada Berg.")
    about_question = Evidence.make("The harbour board has a new head who leads it.")
    pieces = [*PIECES[:3], about_answer, about_question, *PIECES[3:8]]
    assert again(pieces, reliable=0.0)[0] == about_question
    assert again(pieces, reliable=0.0) == again(pieces, reliable=0.0, answer="someone else")


def test_few_candidates_give_few() -> None:
    assert again(PIECES[:3], reliable=0.5) == []
    assert len(again(PIECES[:5], reliable=0.5)) == 2


def scored(*texts: str) -> list[RankedEvidence]:
    """Each with a score a little below the one before."""
    return [RankedEvidence(evidence=Evidence.make(text), score=1 - 0.1 * place) for place, text in enumerate(texts)]


READ = [Reading(answer="Ada Berg", candidates=(Candidate(answer="Ada Berg", probability=0.8),))]


@given(st.floats(0, 1), st.floats(0, 10))
def test_scores_of_a_ranking_are_adapted_by_equation_three(reliable: float, scale: float) -> None:
    unread = scored("The board met.", "Ada Berg spoke.")
    weight = answer_weight(reliable, scale=scale)
    found = rescore(unread, readings=READ, reliable=reliable, scale=scale)
    assert {one.evidence.text: one.score for one in found} == pytest.approx(
        {"The board met.": 1.0, "Ada Berg spoke.": (1 - weight) * 0.9 + weight * 0.9 * 1.8}
    )
    assert [one.score for one in unread] == [1.0, 0.9]


def test_what_names_an_answer_comes_forward_as_far_as_that_is_reliable() -> None:
    unread = scored("The board met.", "The adaberg is a ship.", "Ada Berg spoke.")
    assert rescore(unread, readings=READ, reliable=0.5)[0] == unread[2].model_copy(update={"score": 0.8 * 1.8})
    assert rescore(unread, readings=READ, reliable=0.0) == unread
    assert rescore(unread, readings=[], reliable=1.0, k=2) == unread[:2]
    assert rescore([], readings=READ, reliable=0.5) == []
    with pytest.raises(BadInput, match="at least 1"):
        rescore(unread, readings=READ, reliable=0.5, k=0)
