"""Offices, occupations and titles, in one list."""

from __future__ import annotations

from typing import Literal

from dateline.language.word_lists import word_table

OfficeKind = Literal["office", "post", "rank", "degree", "occupation", "deputy", "address", "qualifier", "person"]
"""`office`: one person at a time holds it in one body; `post`: several do; `deputy`: stands before either of them;
`address`: before a name alone; `qualifier`: says which holder ("former"); `person`: other nouns for a person."""


def office_words(*kinds: OfficeKind) -> frozenset[str]:
    """Return the words of the given kinds, in small letters."""
    table = word_table("offices")
    return frozenset().union(*(table[kind] for kind in kinds))


PERSON_WORDS = office_words("office", "post", "occupation", "person")
"""Nouns that are answered by a person."""
TITLE_WORDS = office_words("office", "post", "rank", "occupation", "deputy", "address", "qualifier")
"""Words before the name of a person that are no part of it."""
