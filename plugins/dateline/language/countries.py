"""Countries: their names, and the adjectives of what belongs to them."""

from __future__ import annotations

from dateline.language.word_lists import word_list, word_rows

_ROWS = word_rows("countries")

COUNTRIES = frozenset(name for (name,), others, _ in _ROWS for name in (name, *others))
"""Countries of today and of the last hundred years, under all of their names."""
ADJECTIVES = {adjective: name for (name,), _, adjectives in _ROWS for adjective in adjectives}
"""What belongs to a country, and the country: "French" to "France"."""
CANONICAL = ADJECTIVES | {other: name for (name,), others, _ in _ROWS for other in others}
"""Adjectives and other names, and the one name that stands for them: "British", "UK" for "United Kingdom"."""
US_STATES = word_list("us_states")
"""The states of the United States."""
