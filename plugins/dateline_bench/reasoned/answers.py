"""Final answers of reasoned texts, and their scores (DRAGIN, section 4.2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from dateline.evaluation.metrics import normalise
from dateline.text.sentences import split_sentences

CLOSING = "So the answer is"
_ANSWER_IS = r"the\s+(?:final\s+|correct\s+)?answer\s+is\b\s*:?"
_CLOSINGS = [re.compile(rf"\b{begun}{_ANSWER_IS}", re.IGNORECASE) for begun in (r"so,?\s+", "")]
_CLOSED = frozenset({"yes", "no", "noanswer"})


class AnswerOverlap(NamedTuple):
    """Token overlap of two answers, each figure 0.0 to 1.0."""

    f1: float
    precision: float
    recall: float


def final_answer(text: str) -> str | None:
    """Return the text after "(So) the answer is", or `None`.

    A line's end ends the answer as well, so that a model that goes on with another question is not scored for it.
    """
    found = next(filter(None, (closing.search(text) for closing in _CLOSINGS)), None)
    return None if found is None else _first_sentence(text[found.end() :])


def _first_sentence(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    sentences = split_sentences(line)
    first = line[: sentences[1].start] if len(sentences) > 1 else line
    return first.strip().rstrip(".").strip(" \"'")


def yes_or_no(answer: str) -> str | None:
    """Return an answer's leading yes or no, or true or false."""
    first = next(iter(normalise(answer).split()), "")
    return {"yes": "yes", "true": "yes", "no": "no", "false": "no"}.get(first)


def overlap(answer: str, *, golds: Sequence[str]) -> AnswerOverlap:
    """Return the best overlap with a gold answer.

    Yes and no have nothing in common with longer answers.
    """
    return max((_overlap(normalise(answer), normalise(gold)) for gold in golds), default=AnswerOverlap(0.0, 0.0, 0.0))


def _overlap(answer: str, gold: str) -> AnswerOverlap:
    if answer != gold and (answer in _CLOSED or gold in _CLOSED):
        return AnswerOverlap(0.0, 0.0, 0.0)
    ours, theirs = answer.split(), gold.split()
    common = sum((Counter(ours) & Counter(theirs)).values())
    if not common:
        return AnswerOverlap(*[float(ours == theirs)] * 3)
    precision, recall = common / len(ours), common / len(theirs)
    return AnswerOverlap(2 * precision * recall / (precision + recall), precision, recall)
