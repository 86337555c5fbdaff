"""Answers trimmed to the question's type."""

from __future__ import annotations

import re

from dateline.language.answer_type import AnswerKind
from dateline.language.names import CAPITAL, LETTER, LetterPattern
from dateline.language.numbers import MULTIPLIER, NUMBER
from dateline.temporal.expressions import find_expressions
from dateline.text.answer_key import whole_date

_EDGES = " \t\n,;:.-–—/\"'“”‘’«»`"
_SIGNS = "-−"
_PAIRS = (("(", ")"), ("[", "]"))
_CODE = LetterPattern(rf"\b(?:{CAPITAL}{{1,4}}\s?|{LETTER}+-)\d")
"""The number in "BE-4471" or "NY 031" is none by itself."""
_COUNT = re.compile(rf"{NUMBER.pattern}(?:[ \u00a0-]{MULTIPLIER}s?\b)?")
"""A number with the word that multiplies it: of "13 million people", 13 would be another answer."""


def cut(text: str, *, kind: AnswerKind) -> str:
    """Trim an answer to its type.

    Loose punctuation goes; a "when" keeps its date and a "how many" its number with what multiplies it, where the text holds
    exactly one; codes stay whole.
    """
    trimmed = _balanced(_without_edges(text))
    if kind == "date":
        dates = [one.text for one in find_expressions(trimmed) if one.interval is not None]
        return dates[0] if len(dates) == 1 else trimmed
    if kind == "count":
        numbers = _COUNT.findall(trimmed)
        return numbers[0] if len(numbers) == 1 and not (_CODE.search(trimmed) or whole_date(trimmed)) else trimmed
    return trimmed


def _balanced(text: str) -> str:
    """Without a bracket at an end whose partner lies outside."""
    for opening, closing in _PAIRS:
        if text.count(opening) != text.count(closing):
            text = text.removeprefix(opening).removesuffix(closing)
    return _without_edges(text)


def _without_edges(text: str) -> str:
    """Strip loose punctuation, but no sign of a number ("-12 °C")."""
    trimmed = text.strip(_EDGES)
    place = text.find(trimmed)
    signed = trimmed[:1].isdigit() and text[place - 1 : place] in tuple(_SIGNS) and not text[: place - 1].strip()
    return text[place - 1] + trimmed if signed else trimmed
