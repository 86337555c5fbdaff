"""Verbs in the past, told by form."""

from __future__ import annotations

from dateline.language.word_lists import word_list, word_set

PAST = word_set(
    "said told was were had did met went left found began came gave took made saw held won lost sent fell rose shipped"
)
"""Verbs that are not told by their ending, the frequent ones."""
_NO_PAST = word_list("no_past_forms")


def is_past(word: str) -> bool:
    """Return whether a lower-case word looks like a verb in the past."""
    return word in PAST or (len(word) > 4 and word.endswith("ed") and word not in _NO_PAST)
