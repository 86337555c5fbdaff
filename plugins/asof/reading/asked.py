"""What kind of answer a question asks for, read from its own words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from asof.reading.vocabulary import AUXILIARIES, COUNT_UNITS, DATE_HEADS, PERSON_HEADS, PLACE_HEADS

AnswerKind = Literal["person", "place", "date", "count", "amount", "name", "yes_no", "phrase"]
"""What an answer must look like: a person's name, a place, a time, a bare number, a number with a unit or a
currency, any other name, yes or no, or a free phrase."""

_WH = re.compile(r"\b(who|whom|whose|what|which|when|where|how|why)\b", re.I)
_HEAD_END = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|that|who|of|in|on|at|to|for|"
    r"by|from|with|as)\b|[?,;:]",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """The kind of answer, and the noun that names it ("city" in "Which city hosts ...")."""

    kind: AnswerKind
    head: str = ""


def asked(question: str) -> Asked:
    """The kind of answer that `question` asks for; "phrase" when nothing says more."""
    match = _WH.search(question)
    first = question.split(maxsplit=1)[0].lower() if question.split() else ""
    if match is None or (first in AUXILIARIES and match.start() > 0):
        return Asked("yes_no" if first in AUXILIARIES else "phrase")
    word, rest = match.group(1).lower(), question[match.end() :].strip()
    if word in ("who", "whom", "whose"):
        return Asked("person")
    if word == "when":
        return Asked("date")
    if word == "where":
        return Asked("place")
    if word == "how":
        return _how(rest)
    if word == "why":
        return Asked("phrase")
    return _what(rest)


def _how(rest: str) -> Asked:
    word = rest.split(maxsplit=1)[0].lower() if rest.split() else ""
    if word == "many":
        return Asked("count", _noun(rest[len("many") :]))
    return Asked("amount") if word in COUNT_UNITS else Asked("phrase")


def _what(rest: str) -> Asked:
    head = _noun(rest)
    if not head:  # "What is the capital of ...": the noun behind the verb
        behind = re.match(r"(?:is|are|was|were)\s+(?:the|a|an)?\s*(?:name|title)?\s*(?:of\s+the\s+)?(.*)", rest, re.I)
        head = _noun(behind.group(1)) if behind else ""
    return Asked(_kind_of(head), head)


def _noun(rest: str) -> str:
    """The last word before the verb or preposition that ends a noun phrase."""
    end = _HEAD_END.search(rest)
    words = re.findall(r"[^\W\d_][\w'’-]*", rest[: end.start()] if end else rest)
    return words[-1].lower().removesuffix("'s").removesuffix("’s") if words and len(words) <= 6 else ""


def _kind_of(head: str) -> AnswerKind:
    singular = head[:-1] if head.endswith("s") and head[:-1] else head
    for word in (head, singular):
        if word in PERSON_HEADS:
            return "person"
        if word in PLACE_HEADS:
            return "place"
        if word in DATE_HEADS:
            return "date"
        if word in ("number", "percentage", "percent", "population", "amount", "price", "cost", "age", "score", "rate"):
            return "amount"
    return "name"
