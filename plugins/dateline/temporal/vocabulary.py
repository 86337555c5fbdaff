"""The words of time of a language, in those of the grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dateline.temporal.calendar_words import CLASS_OF, FOREIGN_MONTHS, SPELLINGS
from dateline.temporal.number_classes import TOKEN, number_class

_RARE_IN_LOWER_CASE = frozenset(["may", "march", "mar", "ad", "ce"])
"""Lower-case, these are rarely of the calendar."""


class TokenTable(dict[str, str]):
    """Findings of each token seen so far, bounded in size."""

    _MOST, _LONGEST = 100_000, 24

    def __init__(self, found: Callable[[str], str]) -> None:
        super().__init__()
        self._found = found

    def __missing__(self, token: str) -> str:
        found = self._found(token)
        if len(token) <= self._LONGEST and len(self) < self._MOST:
            self[token] = found
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words of time of one language.

    Attributes:
        code: its two letters.
        token: what its texts are cut into.
        classes: the class letter of a token.
        words: the grammar's word for a token, else the token in lower case.
        spellings: the forms of the language, each with the grammar's word for it.
        day_first: "03/04/2021" is a day of April.
        bare_years: a year may stand without a preposition, as in "Wer war 2018 Direktor?".
        capital_months: months are written with a capital.
        common: its commonest words, by which it is told from others.
        bounding: single words that bound a time ("avant", "après"), so that a number behind them is a year.
        final: words of the last of several ("letzte"), which is not the one before ("vorige").
    """

    code: str
    token: re.Pattern[str]
    classes: TokenTable
    words: TokenTable
    spellings: Mapping[str, str]
    day_first: bool = True
    bare_years: bool = False
    capital_months: bool = False
    common: frozenset[str] = field(default_factory=frozenset)
    bounding: frozenset[str] = field(default_factory=frozenset)
    final: frozenset[str] = field(default_factory=frozenset)

    def knows(self, token: str) -> bool:
        """Return whether a token is a common word or one of time."""
        return token.lower() in self.common or token.lower() in self.spellings


def spelt(spellings: Mapping[str, str], *, future: str | None = None) -> TokenTable:
    """Return the grammar's words for the tokens of a language.

    A verb whose form matches `future` is "will".
    """
    ahead = re.compile(future or r"(?!)")

    def word_of(token: str) -> str:
        word = token.lower().replace("’", "'").replace("\u00a0", " ")
        known = spellings.get(token) or spellings.get(word)
        return known or ("will" if ahead.fullmatch(token) else token.lower())

    return TokenTable(word_of)


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
    classes=TokenTable(class_of),
    words=spelt(SPELLINGS | FOREIGN_MONTHS),
    spellings=SPELLINGS | FOREIGN_MONTHS,
    day_first=False,
    final=frozenset(["last"]),
)
