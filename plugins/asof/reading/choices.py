"""Pick one of several given answers by how the evidence speaks of each."""

from __future__ import annotations

import math
from collections.abc import Sequence

from asof.reading.clues import Clue
from asof.records import Candidate, Evidence, Reading
from asof.temporal.constraint import Question
from asof.text.words import content_words, words


def choose(
    question: Question, *, choices: Sequence[str], clues: Sequence[Clue], evidence: Sequence[Evidence]
) -> Reading:
    """The choice that relevant, well-dated sentences speak of most; ties go to the first.

    With no evidence the choices are equally probable and `no_answer` is 1.
    """
    asked_for = set(content_words(question.text))
    scores = [_support(choice, clues, asked_for) for choice in choices]
    total = sum(scores)
    shares = [(score + 0.05) / (total + 0.05 * len(choices)) for score in scores]
    order = sorted(range(len(choices)), key=lambda index: -shares[index])
    candidates = tuple(
        Candidate(
            answer=choices[index],
            probability=shares[index],
            evidence_ids=_mentions(choices[index], clues, evidence),
        )
        for index in order
    )
    best = order[0]
    return Reading(
        answer=choices[best],
        probability=shares[best],
        no_answer=math.exp(-total),
        evidence_ids=candidates[0].evidence_ids,
        choice=best,
        candidates=candidates,
    )


def _support(choice: str, clues: Sequence[Clue], asked_for: set[str]) -> float:
    stems = [stem for stem in dict.fromkeys(content_words(choice) or words(choice)) if stem not in asked_for]
    if not stems:
        return 0.0
    support = 0.0
    for clue in clues:
        share = sum(stem in clue.stems for stem in stems) / len(stems)
        support += share**2 * clue.relevance * clue.fit / (1 + 0.2 * clue.source)
    return support


def _mentions(choice: str, clues: Sequence[Clue], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    stems = set(content_words(choice) or words(choice))
    return tuple(dict.fromkeys(evidence[clue.source].id for clue in clues if stems and stems <= clue.stems))
