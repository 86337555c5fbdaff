"""BLEU (Papineni et al., 2002), GrowOVER's score of dialogues."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from dateline.errors import BadInput, check_least

_TOKENS = re.compile(r"\w+|[^\w\s]")


def sentence_bleu(candidate: str, *, references: Sequence[str], order: int = 4) -> float:
    """Return one text's BLEU, 0 to 100, smoothed (Lin and Och, 2004).

    Lower-cased; punctuation marks are words. The paper does not state its smoothing, so compare only figures made alike.

    Raises:
        BadInput: when there is no reference, or `order` is below 1.
    """
    matches, totals, length, reference = _counts(candidate, references, order)
    if not matches[0]:
        return 0.0
    logs = [math.log(matches[0] / totals[0])]
    logs += [math.log((match + 1) / (total + 1)) for match, total in zip(matches[1:], totals[1:], strict=True)]
    return 100 * _brevity(length, reference) * math.exp(sum(logs) / order)


def corpus_bleu(candidates: Sequence[str], *, references: Sequence[Sequence[str]], order: int = 4) -> float:
    """Return the BLEU of all texts, 0 to 100, unsmoothed.

    It is 0 where no run of `order` words is shared anywhere.

    Raises:
        BadInput: when there are not as many lists of references as candidates, none, or an empty one.
    """
    if len(candidates) != len(references) or not candidates:
        raise BadInput(f"BLEU needs one list of references a text; there are {len(candidates)} and {len(references)}.")
    found = [_counts(text, expected, order) for text, expected in zip(candidates, references, strict=True)]
    matches = [sum(each[0][run] for each in found) for run in range(order)]
    totals = [sum(each[1][run] for each in found) for run in range(order)]
    if not all(matches):
        return 0.0
    logs = [math.log(match / total) for match, total in zip(matches, totals, strict=True)]
    return 100 * _brevity(sum(each[2] for each in found), sum(each[3] for each in found)) * math.exp(sum(logs) / order)


def _counts(candidate: str, references: Sequence[str], order: int) -> tuple[list[int], list[int], int, int]:
    """Count runs and shared runs by length, and both texts' words."""
    check_least(1, order=order)
    if not references or isinstance(references, str):
        raise BadInput("BLEU needs at least one reference, in a list.")
    words, expected = _words(candidate), [_words(reference) for reference in references]
    matches, totals = [], []
    for run in range(1, order + 1):
        mine = _runs(words, run)
        most: Counter[tuple[str, ...]] = Counter()
        for reference in expected:
            most |= _runs(reference, run)
        matches.append(sum((mine & most).values()))
        totals.append(sum(mine.values()))
    nearest = min((len(reference) for reference in expected), key=lambda length: (abs(length - len(words)), length))
    return matches, totals, len(words), nearest


def _words(text: str) -> list[str]:
    return _TOKENS.findall(text.lower())


def _runs(words: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + length]) for start in range(len(words) - length + 1))


def _brevity(length: int, reference: int) -> float:
    return 1.0 if length >= reference else math.exp(1 - reference / length) if length else 0.0
