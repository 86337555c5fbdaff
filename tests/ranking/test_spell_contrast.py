"""The right one of ten comparable passages comes first, in every relation and every way of telling."""

from __future__ import annotations

from collections import defaultdict

import pytest
from langchain_core.embeddings import Embeddings
from spell_contrast import cases

from dateline.ranking import HybridRanker
from dateline.temporal.scoring import MragScorer
from dateline.text import encoder
from dateline.text.lexical import LexicalEmbeddings
from dateline.text.memory_cache import RememberedEmbeddings

ALL = cases()


def shares(ranker: HybridRanker) -> dict[str, float]:
    """The share of cases whose right passage ranks first: of all, by style and by kind of question."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for case in ALL:
        best = ranker.rank(case.question, evidence=case.evidence, k=1)[0].evidence
        for key in ("all", case.style, case.kind):
            hits[key].append(best.id == case.evidence[case.right].id)
    return {key: sum(found) / len(found) for key, found in hits.items()}


def test_there_are_enough_questions_of_every_kind() -> None:
    assert len(ALL) >= 400
    assert {case.kind for case in ALL} >= {
        f"{o} {r}" for o in ("first", "last") for r in ("before", "after", "between")
    }


@pytest.mark.parametrize("embeddings", ["lexical", "minilm"])
def test_the_right_passage_of_ten_comes_first(embeddings: str) -> None:
    if embeddings == "minilm" and not encoder.available():
        pytest.skip("the extra embeddings is not installed")
    inner: Embeddings = LexicalEmbeddings() if embeddings == "lexical" else encoder.MiniLMEmbeddings()
    found = shares(HybridRanker(embeddings=RememberedEmbeddings(inner)))
    assert found["all"] >= 0.9, found
    assert min(found.values()) >= 0.7, found


def test_the_published_score_cannot_tell_comparable_events_apart() -> None:
    published = shares(HybridRanker(embeddings=RememberedEmbeddings(LexicalEmbeddings()), temporal=MragScorer()))
    ours = shares(HybridRanker(embeddings=RememberedEmbeddings(LexicalEmbeddings())))
    assert published["all"] < ours["all"] - 0.2
