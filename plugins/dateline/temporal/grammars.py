"""The grammar of each language."""

from __future__ import annotations

from dateline.temporal.english_rules import ENGLISH_GRAMMAR
from dateline.temporal.european_rules import EUROPEAN_GRAMMAR
from dateline.temporal.grammar import Grammar
from dateline.temporal.vocabulary import ENGLISH, Vocabulary


def grammar_of(vocabulary: Vocabulary) -> Grammar:
    """Return the grammar whose rules a language's texts follow."""
    return ENGLISH_GRAMMAR if vocabulary is ENGLISH else EUROPEAN_GRAMMAR
