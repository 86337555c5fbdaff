"""Negation: the words that turn what is said into its opposite."""

from __future__ import annotations

import re

from dateline.language.word_lists import word_list

NEGATIONS = word_list("negations")
"""Folded words that negate, contractions without their apostrophe among them."""


def _counted(words: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(words))})\b|n['’]t\b", re.IGNORECASE)


REVERSALS = NEGATIONS | word_list("denials")
"""These, and the words by which something is said not to be so."""
_NEGATION, _REVERSAL = _counted(NEGATIONS), _counted(REVERSALS)


def negations(text: str) -> int:
    """Return how many words of a text negate: "not", "never", "isn't"."""
    return len(_NEGATION.findall(text))


def reversals(text: str) -> int:
    """Count the words that negate or deny: "not", "refused", "false"."""
    return len(_REVERSAL.findall(text))
