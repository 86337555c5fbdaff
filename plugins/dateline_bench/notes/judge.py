"""Rules by which answers to questions over notes are right.

Lenient on purpose: one value in many spellings is one, an answer may say a little more than the accepted one, and a
surname stands for a name. A number that is not in the accepted answer makes it wrong.
"""

from __future__ import annotations

import re
import unicodedata
from calendar import month_name
from collections.abc import Callable
from functools import lru_cache, reduce

from dateline_bench.notes.questions import NoteQuestion

MORE_WORDS = 12
"""How many words an answer may have beyond the accepted one."""

_NUMBER_WORDS = {
    word: str(value)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty",
        "zeroth first second third fourth fifth sixth",
    )
    for value, word in enumerate(words.split())
}
_ARTICLES = {"a", "an", "the"}
_SAME_WORD = {"true": "yes", "false": "no"}

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_STANCE = re.compile(r"\W*(yes|no|higher|lower|true|false)\b")
_CODE = re.compile(r"(?a:[^\W\d_])\d")
"""A letter before a digit, as in an identifier, whose digits are no measure with a unit."""

_UNIT = re.compile(r"(?<=\d)(?=(?a:[^\W\d_])|%)")
_DAY = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_MONTH = re.compile(r"\b(\d{4})-(\d\d)\b")


def is_right(answer: str, *, item: NoteQuestion) -> bool:
    """Judge an answer; where there is none to give, silence is right."""
    if item.match == "none":
        return not answer.strip()
    if item.match == "yesno":
        stance = _STANCE.match(answer.lower())
        return stance is not None and _SAME_WORD.get(stance[1], stance[1]) in item.choices
    if item.match == "all":
        return any(all(contains(answer, gold=part) for part in parts) for parts in item.alternatives)
    return any(agrees(answer, gold=gold) for gold in item.choices)


def agrees(answer: str, *, gold: str) -> bool:
    """Compare an answer with an accepted one."""
    said, accepted = normal(answer), normal(gold)
    if said == accepted:
        return bool(said)
    if contains(answer, gold=gold) and len(said.split()) <= len(accepted.split()) + MORE_WORDS:
        numbers = _numbers(accepted)
        return not numbers or _numbers(said) <= numbers
    return not _numbers(accepted) and said != "" and said == _surname(gold)


def contains(text: str, *, gold: str) -> bool:
    """Find an accepted answer, as whole words, in a text."""
    return f" {normal(gold)} " in f" {normal(text)} "


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """Return a text in the one spelling in which answers are compared."""
    plain = reduce(lambda made, step: step(made), _STEPS, unicodedata.normalize("NFKC", text).lower())
    return " ".join(_NUMBER_WORDS.get(word, word) for word in plain.split() if word not in _ARTICLES)


def _numbers(normalised: str) -> set[str]:
    return set(_NUMBER.findall(normalised))


def _surname(gold: str) -> str:
    """Return the last part of a name of two, else nothing."""
    parts = gold.split()
    return normal(parts[1]) if len(parts) == 2 and all(part[0].isupper() for part in parts) else ""


def _replaced(pattern: str, by: str) -> Callable[[str], str]:
    compiled = re.compile(pattern)
    return lambda text: compiled.sub(by, text)


def _calendar_words(text: str) -> str:
    """Write ISO days and months as "4 may 2021" and "may 2021"."""

    def day(found: re.Match[str]) -> str:
        name = _name_of_month(found[2])
        return f"{int(found[3])} {name} {found[1]}" if name else found[0]

    def month(found: re.Match[str]) -> str:
        name = _name_of_month(found[2])
        return f"{name} {found[1]}" if name else found[0]

    return _MONTH.sub(month, _DAY.sub(day, text))


def _name_of_month(number: str) -> str:
    return month_name[int(number)].lower() if 1 <= int(number) <= 12 else ""


def _units_apart(text: str) -> str:
    """Part "25mb" and "5%", except in texts that hold an identifier."""
    return text if _CODE.search(text) else _UNIT.sub(" ", text)


_STEPS: tuple[Callable[[str], str], ...] = (
    _replaced("\u2019", "'"),
    _replaced(r"\bper ?cent\b", "%"),
    _replaced("[$€£]", " "),
    _calendar_words,
    # Commas between thousands, and the endings of ordinals.
    _replaced(r"(?<=\d),(?=\d{3}\b)", ""),
    _replaced(r"\b(\d+)(?:st|nd|rd|th)\b", r"\1"),
    _units_apart,
    # Of signs only those stay that join two characters of one value.
    _replaced(r"[^\w\s.,:%/&-]", " "),
    _replaced(r"(?<!\d)[.,:]|[.,:](?!\d)", " "),
    _replaced(r"(?<!\w)-|-(?!\w)", " "),
    _replaced("%", " % "),
)
