"""Pronouns: the words that stand for what was named before."""

from __future__ import annotations

from dateline.language.word_lists import word_table

_TABLE = word_table("pronouns")

THIRD_PERSON = _TABLE["third"] | _TABLE["possessive"]
"""Whoever or whatever is spoken of, and what is theirs."""
DEMONSTRATIVES = _TABLE["demonstrative"]
"""What is pointed at."""
PRONOUNS = THIRD_PERSON | DEMONSTRATIVES | _TABLE["first"]
"""These, and who speaks or is spoken to."""
