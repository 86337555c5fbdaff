"""The methods of DRAGIN's Table 1, each a trigger and a query."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from dateline.dynamic.queries import AttentionQuery, CertainSentence, LastSentence, LastTokens, Query, QuestionQuery
from dateline.dynamic.triggers import (
    AnyOf,
    Entropy,
    EverySentence,
    EveryTokens,
    Flare,
    LookAhead,
    Never,
    Once,
    Rind,
    RindPublished,
    Trigger,
)
from dateline.errors import BadInput

MethodName = Literal[
    "wo-rag",
    "sr-rag",
    "fl-rag",
    "fs-rag",
    "flare",
    "dragin",
    "dragin-published",
    "dragin-sentence",
    "dragin-first",
    "entropy",
    "look-ahead",
]
METHODS: tuple[str, ...] = get_args(MethodName)
CALIBRATED: tuple[MethodName, ...] = ("dragin", "dragin-sentence", "dragin-first", "entropy")
"""Methods that have no threshold of their own, and get one by `calibrate` that fits a rate of retrieval."""

FLARE_THRESHOLD = 0.4
"""Where none is given; FLARE has no value that fits every model."""


class Method(NamedTuple):
    """A retrieval method: a trigger and its query."""

    trigger: Trigger
    query: Query


def method(name: MethodName, *, threshold: float | None = None, n: int = 25) -> Method:
    """Return a method of Table 1.

    Args:
        name: wo-rag (never), sr-rag (once before), fl-rag (every `n` tokens), fs-rag (every sentence), flare, dragin
            (equations 1 to 5) or dragin-published (the trigger of its code, with the thresholds of Table 9); ours:
            dragin-sentence (a word's pieces count together, and the query comes from the sentence in doubt), dragin-first
            (that, after one retrieval with the question), and for models behind an API entropy (dragin without attention)
            and look-ahead (every sentence is a draft that is looked up).
        threshold: of flare (a probability, 0.4 by default), those of dragin and entropy (no default).
        n: tokens between retrievals and in the query of fl-rag; tokens of dragin's query.

    Raises:
        BadInput: for another name, or one of dragin or entropy without a threshold.
    """
    match name:
        case "wo-rag":
            return Method(Never(), QuestionQuery())
        case "sr-rag":
            return Method(Once(), QuestionQuery())
        case "fl-rag":
            return Method(EveryTokens(n), LastTokens(n))
        case "fs-rag":
            return Method(EverySentence(), LastSentence())
        case "flare":
            level = FLARE_THRESHOLD if threshold is None else threshold
            return Method(Flare(level, cut="sentence"), CertainSentence(level))
        case "dragin":
            return Method(Rind(_given(threshold, name), pieces="largest"), AttentionQuery(n, scope="everything"))
        case "dragin-published":
            query = AttentionQuery(n, scope="question and answer")
            return Method(RindPublished(_given(threshold, name)), query)
        case "dragin-sentence":
            return Method(Rind(_given(threshold, name)), AttentionQuery(n))
        case "dragin-first":
            return Method(AnyOf([Once(), Rind(_given(threshold, name))]), AttentionQuery(n))
        case "entropy":
            return Method(Entropy(_given(threshold, name)), CertainSentence())
        case "look-ahead":
            return Method(LookAhead(), CertainSentence(0.0))
    raise BadInput(f"Unknown method {name!r}; choose one of {', '.join(METHODS)}.")


def _given(threshold: float | None, name: str) -> float:
    if threshold is None:
        raise BadInput(
            f"The method {name} needs a threshold; pass one, or find it with dateline.dynamic.calibrate on sample questions."
        )
    return threshold
