"""Pick one of several given answers by its evidence."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dateline.handwritten.reading.scored_sentences import ScoredSentence, folded, keys, rarity
from dateline.handwritten.reading.timing import closeness
from dateline.language.yes_no import verdicts_of
from dateline.records import Candidate, Evidence, Reading
from dateline.temporal.constraint import Question

_SHARPEN = 1.5
"""Rare words of a choice count for more than their inverse frequency alone."""
_SPECIFIC = 0.4
"""Exponent of a choice's length: a long choice is rarely found whole, and a specific one is likelier right."""
_FLOOR = 1e-4
"""Support that a choice has without any evidence."""

_INVERTED = re.compile(
    r"\bexcept\b|\bNOT\b|\b[Ww]hich (?:one )?(?:of (?:these|the following|them))?\b[^.?]{0,300}?(?:\bis|\bare|\bwas|\bwere|\bdid|"
    r"\bdoes|\bdo|\bhas|\bhave)(?:n['’]t| not)\b|\b(?:false|untrue|incorrect)\b(?!:)"
)
"""Questions that ask for the odd one out: the choice that the evidence does *not* speak of."""


def choose(
    question: Question, *, choices: Sequence[str], clues: Sequence[ScoredSentence], evidence: Sequence[Evidence]
) -> Reading:
    """The choice that relevant, well-dated sentences speak of most; of equal ones the first.

    A blank choice is never taken. Without evidence all are about equally probable and `no_answer` is 1.
    """
    support = supports(question, choices=choices, clues=clues, evidence=evidence)
    shares = _probabilities(question.text, choices, support)
    order = sorted(range(len(choices)), key=lambda index: -shares[index])
    candidates = [
        Candidate(
            answer=choices[index], probability=shares[index], evidence_ids=_mentions(choices[index], clues, evidence)
        )
        for index in order
    ]
    return Reading.of(candidates, no_answer=math.exp(-8 * float(support.sum())), choice=order[0])


def supports(
    question: Question, *, choices: Sequence[str], clues: Sequence[ScoredSentence], evidence: Sequence[Evidence]
) -> NDArray[np.float64]:
    """What the evidence says for each choice: over all sentences, mention squared x relevance x closeness in time.

    A mention is the share of the choice's own words in the sentence, rare ones and those that tell
    the choices apart weighing more; it counts double where the choice stands there word for word.
    """
    near = [closeness(piece.published, question) for piece in evidence]
    counts = Counter(key for clue in clues for key in clue.keys)
    weigh = np.array([clue.relevance**2 * near[clue.source] for clue in clues])
    asked = set(keys(question.text))
    terms = [list(dict.fromkeys(keys(choice) or folded(choice).split())) for choice in choices]
    shared = Counter(term for own in terms for term in own)
    result = np.zeros(len(choices))
    for index, (choice, own) in enumerate(zip(choices, terms, strict=True)):
        told = [term for term in own if term not in asked] or own
        if not told or not clues:
            continue
        rare = rarity(told, counts=counts, total=len(clues))
        weights = np.array([_telling(shared[term], len(choices)) * rare[term] ** _SHARPEN for term in told])
        present = np.array([[term in clue.keys for term in told] for clue in clues], dtype=np.float64)
        mention = present @ (weights / weights.sum())
        phrase = folded(choice)
        literal = np.array([phrase in clue.folded for clue in clues], dtype=np.float64)
        result[index] = float((mention**2 * (1 + literal) * weigh).sum())
    return result


def asks_for_the_odd_one(question: str) -> bool:
    """Whether the question asks which choice does not belong ("all of these, except", "which is not")."""
    return _INVERTED.search(question) is not None


def _telling(holders: int, choices: int) -> float:
    """1 for a word of one choice alone, next to 0 for a word of all."""
    return 1 - (holders - 1) / max(1, choices - 1) + 1e-6


def _probabilities(question: str, choices: Sequence[str], support: NDArray[np.float64]) -> list[float]:
    verdicts = verdicts_of(choices)
    if verdicts is not None:
        shares = [0.6 if verdict == "yes" else 0.4 for verdict in verdicts]
        return [share / sum(shares) for share in shares]
    lengths = np.array([len(choice.strip()) for choice in choices], dtype=np.float64)
    worth = (support + _FLOOR) * lengths**_SPECIFIC
    if asks_for_the_odd_one(question):
        worth = np.where(lengths > 0, 1 / (support + support.mean() + _FLOOR), 0.0)
    total = float(worth.sum())
    return [float(one) / total if total else 1 / len(choices) for one in worth]


def _mentions(choice: str, clues: Sequence[ScoredSentence], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    own = set(keys(choice))
    return tuple(dict.fromkeys(evidence[clue.source].id for clue in clues if own and own <= clue.keys))
