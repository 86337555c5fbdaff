"""Kinds of words beside names, titles and numbers.

Works, labels, streets, units, persons and more: what a candidate belongs to is told by the kind of its neighbours, whatever
the word and the language.
"""

from __future__ import annotations

from functools import cache

from dateline.language.word_lists import word_table
from dateline.temporal.language_files import name_forms
from dateline.temporal.vocabulary import TokenTable

_SHORTEST = 4
"""Letters of the last part of a compound: "Startnummer", "Kerkstraat"."""
_LONGEST = 24
"""Letters at the end of a word among which that part is looked for."""
_COMPOUNDING = ("de", "nl")


@cache
def name_kinds(code: str) -> TokenTable:
    """Return the kind of each word of a language, "" for most.

    English kinds are `data/name_kinds.json`, those of another language `[names]` of its file.

    Example:
        >>> name_kinds("en")["albums"], name_kinds("de")["Hausnummer"]
        ('work', 'label')
    """
    kinds = _kinds_by_word(code)
    compounds = code in _COMPOUNDING

    def kind_of(token: str) -> str:
        word = token.lower()
        known = kinds.get(word) or kinds.get(word.removesuffix("s"))
        if known is None and compounds:
            end = word[1:][-_LONGEST:]
            parts = (kinds.get(end[start:]) for start in range(len(end) - _SHORTEST + 1))
            known = next(filter(None, parts), None)
        return known or ""

    return TokenTable(kind_of)


def _kinds_by_word(code: str) -> dict[str, str]:
    table = word_table("name_kinds") if code == "en" else name_forms(code)
    return {word: kind for kind, words in table.items() for word in words}
