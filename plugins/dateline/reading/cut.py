"""Answers trimmed to the question's type, and keys that match wordings."""

from __future__ import annotations

import re

from dateline.language.answer_type import AnswerKind
from dateline.language.names import CAPITAL, LETTER, LetterPattern
from dateline.language.numbers import MULTIPLIER, NUMBER
from dateline.remember import remember
from dateline.temporal.expressions import TimeExpression, find_expressions
from dateline.text.words import words

_EDGES = " \t\n,;:.-–—/\"'“”‘’«»`"
_PAIRS = (("(", ")"), ("[", "]"))
_CODE = LetterPattern(rf"\b(?:{CAPITAL}{{1,4}}\s?|{LETTER}+-)\d")
"""The number in "BE-4471" or "NY 031" is none by itself."""
_COUNT = re.compile(rf"{NUMBER.pattern}(?:[ \u00a0-]{MULTIPLIER}s?\b)?")
"""A number with the word that multiplies it: of "13 million people", 13 would be another answer."""
_ARTICLE = re.compile(r"^(?:the|an?)\s+(?=\w)", re.I)


def cut(text: str, *, kind: AnswerKind) -> str:
    """Trim an answer to its type.

    Loose punctuation goes; a "when" keeps its date and a "how many" its number with what multiplies it, where the text holds
    exactly one; codes stay whole.
    """
    trimmed = _balanced(text.strip(_EDGES))
    if kind == "date":
        dates = [one.text for one in find_expressions(trimmed) if one.interval is not None]
        return dates[0] if len(dates) == 1 else trimmed
    if kind == "count":
        numbers = _COUNT.findall(trimmed)
        return numbers[0] if len(numbers) == 1 and not (_CODE.search(trimmed) or _is_date(trimmed)) else trimmed
    return trimmed


@remember
def answer_key(text: str) -> str:
    """Return a key that is equal for different wordings of an answer.

    Letter case, articles, punctuation, thousands separators and the spelling of dates make no difference.
    """
    date = _whole_date(text)
    if date is not None and date.interval is not None:
        return f"{date.interval.start}..{date.interval.end}"
    plain = NUMBER.sub(lambda number: number.group().replace(",", ""), _ARTICLE.sub("", text))
    return " ".join(words(plain))


def _is_date(text: str) -> bool:
    return _whole_date(text) is not None


def _whole_date(text: str) -> TimeExpression | None:
    if not any(map(str.isdigit, text)):
        return None
    found = find_expressions(text)
    whole = len(found) == 1 and found[0].interval is not None and found[0].text.strip() == text.strip()
    return found[0] if whole else None


def _balanced(text: str) -> str:
    """Without a bracket at an end whose partner lies outside."""
    for opening, closing in _PAIRS:
        if text.count(opening) != text.count(closing):
            text = text.removeprefix(opening).removesuffix(closing)
    return text.strip(_EDGES)
