"""`RindPublished` beside the published procedure in plain arithmetic, over thirty questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dynamic_parts import tiny

pytest.importorskip("torch")

from dragin_decisions import compared, decision, generator_for

PLACES = ("observatory", "harbour", "mill", "tower", "bridge", "museum")
QUESTIONS = [
    f"{asked} the {place}?" for place in PLACES for asked in ("Who led", "When was", "Where is", "What is", "Who built")
]


@pytest.fixture(scope="module")
def generator() -> Any:
    made = tiny("llama")
    return generator_for(made.model, tokenizer=made.tokenizer, length=16)


def test_decisions_are_those_of_the_procedure_where_the_same_tokens_attend(generator: Any) -> None:
    rows = compared(generator, QUESTIONS, thetas=(3.0, 6.0), alone=True)
    assert len(rows) == 60
    decided = [theirs is not None for _, _, _, theirs, _ in rows]
    assert 35 < sum(decided) < 55  # both outcomes occur
    agreeing = sum(theirs == own for _, _, _, theirs, own in rows)
    assert agreeing >= 59


def test_an_unfinished_sentence_at_the_limit_is_decided_on(generator: Any) -> None:
    rows = compared(generator, QUESTIONS[:3], thetas=(0.0,))
    assert all(own == theirs == 0 for _, _, _, theirs, own in rows)


def test_the_procedure_by_hand() -> None:
    texts = [" Anna", " Be", "rg", ".", " She", " sang", "."]
    entropies = [0.5, 2.0, 0.0, 0.0, 0.0, 3.0, 0.0]
    attention = np.zeros((2, 7, 7), dtype=np.float32)
    attention[0, 1, 0], attention[1, 2, 0] = 0.4, 0.2  # Anna: the mean over heads of each one's most is 0.3
    attention[:, 3, 1], attention[:, 3, 2] = 0.1, 0.2  # Berg: 0.1 + 0.2
    attention[:, 6, 5] = 0.5
    # Berg: 0.3 / 0.6 of the attention x (2 + 0 + 0) / 3 nats x 2 words; Anna: 0.3 / 0.6 x 0.5 x 2.
    for theta, sentence in ((0.6, 0), (0.7, 1), (9.0, None)):
        made = decision(texts, entropies=entropies, attention=attention, theta=theta)
        assert made.sentence == sentence
    attention[:, 5, 0] = 0.9  # the second sentence attends to Anna: 0.9 / 1.2 x 0.5 x 2
    assert decision(texts, entropies=entropies, attention=attention, theta=0.7).sentence == 0
    assert decision(texts, entropies=entropies, attention=attention, theta=0.7, alone=True).sentence == 1
