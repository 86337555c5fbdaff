"""Names as they are written, in the letters of every alphabet.

A name is seen by its capitals, and a capital is what Unicode calls one: "Élisabeth", "Łukasz", "Şahin", "Њ". Letters of
scripts that have no case (Arabic, Chinese, Hindi) may begin a name, but do not mark one.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

CAPITAL, SMALL, LETTER = "[A-Z]", "[a-z]", r"[^\W\d_]"
"""One capital, small letter, or letter; the first two stand for those of every alphabet inside of a `LetterPattern` alone."""
MAY_BEGIN_NAME = rf"(?!{SMALL}){LETTER}"
"""A capital, or a letter of a script without capitals."""
IN_NAME = r"[\w'’ʼ&-]"
"""What may follow the first letter of a name's word; "." is left to whoever reads initials."""

PARTICLES = (
    r"(?:af|al|av|bin|bint|da|das|de la|de las|de los|de|dei|del|della|den|der|di|do|dos|du|el|ibn|la|le|ter|ten|van de|van den"
    r"|van der|van|vom|von der|von|y|zu|zum)"
)
"""Small words inside of a person's name."""
LINKS = rf"(?:{PARTICLES}|of the|of|the|and|for|in)"
"""The same, and those inside of the name of an office or a body."""

_FRONT = rf"(?:(?:a[dlnrstz]|ash|ath|dell|el|nell|ul|d|l|o)[-'’](?={CAPITAL})|{SMALL}(?={CAPITAL}))?"
"""What a capital may follow inside of its word: "al-Assad", "d'Estaing", "iPhone"."""
WORD = rf"{_FRONT}{CAPITAL}{IN_NAME}*"
"""A word of a name, without dots."""
DOTTED = rf"{_FRONT}{CAPITAL}(?:{IN_NAME}|\.)*"
"""The same with its dots: "J.R.R.", "Jr."; a full stop at its end is taken with it."""


@dataclass(frozen=True, slots=True)
class LetterMatch:
    """Match of a `LetterPattern`, in words of the searched text."""

    text: str
    found: re.Match[str]

    def __getitem__(self, group: int | str) -> str:
        start, end = self.found.span(group)
        return self.text[start:end] if start >= 0 else ""

    def group(self, group: int | str = 0) -> str:
        """Return what a group matched, or "" where it took no part."""
        return self[group]

    def has(self, group: int | str) -> bool:
        """Return whether a group took part."""
        return group in self.found.re.groupindex and self.found.start(group) >= 0

    def start(self, group: int | str = 0) -> int:
        """Return where a group begins."""
        return self.found.start(group)

    def end(self, group: int | str = 0) -> int:
        """Return where a group ends."""
        return self.found.end(group)


class LetterPattern:
    """Regular expression whose `CAPITAL` and `SMALL` cover every alphabet.

    The standard library's expressions know no classes of letters, and writing out those of Unicode takes seconds to compile.
    So an expression is matched against the text's shape, in which other letters are replaced by ASCII ones, place by place.

    Example:
        >>> LetterPattern(CAPITAL + r"\\w+").search("in Łódź")[0]
        'Łódź'
    """

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        self._pattern = re.compile(pattern, flags)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[LetterMatch]:
        """Find all matches, in order."""
        return (LetterMatch(text, found) for found in self._pattern.finditer(_shape(text), start, end))

    def search(self, text: str, start: int = 0) -> LetterMatch | None:
        """Find the first match."""
        return _wrapped(text, self._pattern.search(_shape(text), start))

    def match(self, text: str, start: int = 0) -> LetterMatch | None:
        """Match at a place of a text."""
        return _wrapped(text, self._pattern.match(_shape(text), start))

    def fullmatch(self, text: str) -> LetterMatch | None:
        """Match a whole text."""
        return _wrapped(text, self._pattern.fullmatch(_shape(text)))

    def findall(self, text: str) -> list[str]:
        """Return the words of all matches."""
        return [match[0] for match in self.finditer(text)]

    def sub(self, put: str | Callable[[LetterMatch], str], text: str, *, count: int = 0) -> str:
        """Replace matches by what `put` says."""
        parts, last = [], 0
        for number, match in enumerate(self.finditer(text), 1):
            parts += [text[last : match.start()], put if isinstance(put, str) else put(match)]
            last = match.end()
            if number == count:
                break
        return "".join((*parts, text[last:]))


def _wrapped(text: str, found: re.Match[str] | None) -> LetterMatch | None:
    return None if found is None else LetterMatch(text, found)


class _Shapes(dict[int, str]):
    """Map letters to ASCII of their case, marks to "q"."""

    def __missing__(self, point: int) -> str:
        letter = chr(point)
        if letter.isascii():
            shape = letter
        elif is_capital(letter):
            shape = "Q"
        elif (letter.islower() and letter.isalpha()) or unicodedata.category(letter).startswith("M"):
            shape = "q"
        else:
            shape = letter
        self[point] = shape
        return shape


_SHAPES: Mapping[int, str] = _Shapes()


def _shape(text: str) -> str:
    return text if text.isascii() else _translated(text)


@lru_cache(maxsize=4096)
def _translated(text: str) -> str:
    return text.translate(_SHAPES)


def is_capital(letter: str) -> bool:
    """Return whether a character is a capital of any alphabet, "ǅ" included."""
    return letter.istitle() and letter.isalpha()


_NUMBERED = rf"(?:{DOTTED}|\d+{CAPITAL}(?:{IN_NAME}|\.)*)"
_NAME = LetterPattern(rf"(?<!\w){_NUMBERED}(?: (?:{LINKS} ){{0,2}}(?:{_NUMBERED}|\d+\b))*")
_WORD = LetterPattern(rf"(?<!\w){WORD}")
_SHORT = LetterPattern(rf"{WORD}(?: (?:{PARTICLES} )?{DOTTED}){{0,2}}")
_SMALL_WORDS = frozenset(re.findall(r"\w+", LINKS)) - {"for", "in"}


def find_names(text: str) -> Iterator[LetterMatch]:
    """Find runs of words written like names, a sentence's first included."""
    return _NAME.finditer(text)


def name_words(text: str) -> Iterator[LetterMatch]:
    """Find single words written like parts of names, in order."""
    return _WORD.finditer(text)


def may_begin_name(word: str) -> bool:
    """Return whether a word opens with a capital or a caseless letter."""
    return word[:1].isalpha() and not word[:1].islower()


def begins_name(text: str) -> bool:
    """Return whether a text opens like a name: "Łódź", "al-Assad"."""
    return _WORD.match(text) is not None


def is_name(text: str, *, most: int = 8) -> bool:
    """Return whether every word but particles and articles may be a name's."""
    parts = text.split()
    if len(parts) > 1 and parts[0].casefold() in ("the", "a", "an"):
        parts = parts[1:]
    own = [part.lstrip("\"'“‘(") for part in parts if part.casefold() not in _SMALL_WORDS]
    return 0 < len(own) <= most and all(may_begin_name(part) or begins_name(part) for part in own)


def is_short_name(text: str) -> bool:
    """Return whether a text is one name of at most three words."""
    return _SHORT.fullmatch(text) is not None
