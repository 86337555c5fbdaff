"""The words of time of a language, in those of the grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dateline.temporal.calendar_words import CLASS_OF, FOREIGN_MONTHS, SPELLINGS
from dateline.temporal.number_classes import TOKEN, number_class

_RARE_IN_LOWER_CASE = frozenset(["may", "march", "mar", "sat", "sun", "ad", "ce"])
"""Lower-case, these are rarely of the calendar."""


class TokenClasses(dict[str, str]):
    """The class of each token seen so far, bounded in size."""

    _MOST, _LONGEST = 100_000, 24

    def __init__(self, class_of: Callable[[str], str]) -> None:
        super().__init__()
        self._class_of = class_of

    def __missing__(self, token: str) -> str:
        letter = self._class_of(token)
        if len(token) <= self._LONGEST and len(self) < self._MOST:
            self[token] = letter
        return letter


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words of time of one language.

    Attributes:
        code: its two letters.
        token: what its texts are cut into.
        classes: the class letter of a token.
        spellings: a word in lower case, and the grammar's word for it.
        day_first: "03/04/2021" is a day of April.
        bare_years: a year may stand without a preposition, as in "Wer war 2018 Direktor?".
        capital_months: months are written with a capital.
        from_is_since: "dal 2017" is since 2017.
        common: its commonest words, by which it is told from others.
    """

    code: str
    token: re.Pattern[str]
    classes: TokenClasses
    spellings: Mapping[str, str]
    day_first: bool = True
    bare_years: bool = False
    capital_months: bool = False
    from_is_since: bool = False
    common: frozenset[str] = field(default_factory=frozenset)

    def knows(self, token: str) -> bool:
        """Return whether a token is a common word or one of time."""
        return token.lower() in self.common or token.lower() in self.spellings

    def word(self, token: str) -> str:
        """Return the grammar's word for a token, else itself in lower case."""
        word = token.lower()
        known = self.spellings.get(word)
        if known is not None or self.code == "en":
            return known or word
        return self.spellings.get(token) or self.spellings.get(word.replace("’", "'").replace("\u00a0", " "), word)


def class_of(token: str) -> str:
    """Return an English token's class letter.

    `calendar_words` lists them; numbers: see `number_class`.
    """
    word = token.lower()
    letter = CLASS_OF.get(word)
    if letter is None:
        if any(map(str.isdigit, word[:8])):
            return number_class(word)
        return "J" if word in FOREIGN_MONTHS else "x"
    if token == word and word in _RARE_IN_LOWER_CASE:
        return "z" if letter in "mJ" else "x"
    return letter


ENGLISH = Vocabulary(
    code="en",
    token=re.compile(r"[ABCEPabcep]\.(?:[dDmM]\b|[cC]\.[eE]\b|[cCeE]\b)\.?|[Ww]/[CcEe]\b|" + TOKEN),
    classes=TokenClasses(class_of),
    spellings=SPELLINGS | FOREIGN_MONTHS,
    day_first=False,
)
