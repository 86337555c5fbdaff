"""Expected type of an answer, from its question's words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from dateline.language.names import CAPITAL, LETTER, LetterPattern
from dateline.language.numbers import CARDINALS
from dateline.language.offices import PERSON_WORDS
from dateline.language.word_lists import word_table

AnswerKind = Literal[
    "person", "place", "date", "count", "money", "measure", "version", "role", "name", "yes_no", "phrase"
]
"""What an answer must look like: a person's name; a place; a time; a bare number; a sum of money; another quantity;
a release with its number; an office or occupation; any other name; yes or no; a free phrase."""

_WH = re.compile(r"\b(who|whom|whose|what|which|when|where|how|why)\b", re.I)
_NOUN_END = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|that|who|whose|of|in|on|at|"
    r"to|for|by|from|with|as|called|won|win|wins|became|took|has)\b|[?,;:]",
    re.I,
)
_COPULA = re.compile(
    r"(?:is|are|was|were|will be|'s|’s)\s+(?:the\s+|an?\s+)?(?:(?:official\s+)?(?:name|title)\s+of\s+)?(.*)",
    re.I | re.S,
)
_SENTENCE_END = LetterPattern(rf"[.?!:]\s+(?={CAPITAL})")
_SENTENCES = re.compile(r"(?<=[.?!])\s+(?=\S)")
_CLAUSES = re.compile(r"[,;:]\s+|\s[-–—]\s")
_OF_NAME = LetterPattern(rf"{CAPITAL}\w{{0,60}} of (?:the )?{CAPITAL}\w*\s")
_OBJECT = re.compile(r"(?:[\w'’-]+\s){1,4}(?:did|does|do|was|were)\s", re.I)
_ORDERS = ("name", "tell", "give", "identify", "list")
_PLURAL = re.compile(r"(?:are|were)\s.*\b(?:champions|winners|holders|owners|hosts|finalists|makers)\b", re.I)
"""Teams, countries and firms are asked for by "who" as well."""
_SOME_OF = re.compile(r"of\s(?:[\w'’-]+\s){1,4}(?:are|were|have|do)\b", re.I)
_PLURAL_NOUN = re.compile(r"people|children|men|women|\w{2,}[^\Wsui]s", re.I)
_KINDS: tuple[AnswerKind, ...] = ("name", "person", "place", "date", "count", "money", "measure", "version", "role")
"""Kinds that a noun of the question can name, in the order in which they are tried."""
_WORDS = {**word_table("answer_types"), "person": PERSON_WORDS}


@dataclass(frozen=True, slots=True)
class AnswerType:
    """Kind of answer, and its noun ("city" in "Which city hosts")."""

    kind: AnswerKind
    head: str = ""
    named: bool = False
    """Whether the answer is said to *be* the head ("What is the largest city"), rather than where something is."""
    object: bool = False
    """Whether the answer is what a verb or preposition is followed by ("Which team did she play for")."""
    several: bool = False
    """Whether more than one answer is asked for ("Which teams")."""
    parts: int | None = None
    """How many, where the question says it ("Which two boats")."""


def answer_type(question: str) -> AnswerType:
    """Classify the kind of answer a question asks for, else "phrase"."""
    parts = _asked_number(question)
    return replace(_kind_of(question), several=parts is not None or _asks_for_several(question), parts=parts)


def _kind_of(question: str) -> AnswerType:
    match = _asking_word(question)
    first = _first_word(question).lower()
    if first in _WORDS["auxiliaries"] or _asks_yes_or_no(question):
        return AnswerType("yes_no")
    if match is None:
        return (
            _what(f"is {question.split(maxsplit=1)[1]}")
            if first in _ORDERS and len(question.split(maxsplit=1)) > 1
            else AnswerType("phrase")
        )
    rest = question[match.end() :].strip()
    match match.group(1).lower():
        case "who" | "whom":
            return AnswerType("name" if _PLURAL.match(rest) else "person")
        case "whose":
            return AnswerType("person")
        case "when":
            return AnswerType("date")
        case "where":
            return AnswerType("place")
        case "how":
            return _how(rest)
        case "why":
            return AnswerType("phrase")
        case _:
            found = _what(rest)
            return replace(found, object=_OBJECT.match(rest) is not None or _behind_verb(question, match.start()))


def _asks_yes_or_no(question: str) -> bool:
    """Return whether a later clause asks for yes or no.

    In the last sentence, and before any asking word ("We have two dogs, may both come?", "I read about it. Is it over?").
    """
    sentence = _SENTENCES.split(question.strip())[-1]
    asking = _WH.search(sentence)
    opening, *later = _CLAUSES.split(sentence[: asking.start()] if asking else sentence)
    # "April, May and June" begin with capitals, and no clause does.
    begun = [opening.lower(), *(clause for clause in later if clause[:1].islower())]
    return any(_first_word(clause) in _WORDS["auxiliaries"] for clause in begun)


def _first_word(clause: str) -> str:
    return clause.split(maxsplit=1)[0] if clause.split() else ""


def _asked_number(question: str) -> int | None:
    """Return the number above one that follows the asking word."""
    match = _asking_word(question)
    following = question[match.end() :].split(maxsplit=1)[:1] if match else []
    number = CARDINALS.get(following[0].lower(), 0) if following else 0
    return number if number > 1 else None


def _asks_for_several(question: str) -> bool:
    """Return whether the question asks for more than one answer."""
    match = _asking_word(question)
    if match is None:
        order, _, asked = question.partition(" ")
        return order.lower() in _ORDERS and any(map(_PLURAL_NOUN.fullmatch, _phrase(asked)[:3]))
    rest = question[match.end() :].strip()
    if match.group(1).lower() not in ("which", "what", "who"):
        return False
    if _SOME_OF.match(rest):
        return True
    if match.group(1).lower() == "who":
        return rest.split(maxsplit=1)[:1] in (["all"], ["are"], ["were"])
    # Of two words the second may be the noun; of more it is as likely a verb.
    phrase = _phrase(rest)
    return any(_PLURAL_NOUN.fullmatch(word) for word in (phrase if len(phrase) == 2 else phrase[:1]))


def _behind_verb(question: str, start: int) -> bool:
    """Return whether the asking word is not at the sentence's head."""
    before = question[max((match.end() for match in _SENTENCE_END.finditer(question[:start])), default=0) : start]
    return len(before.split()) > 2


def _asking_word(question: str) -> re.Match[str] | None:
    """Find the asking word of the last sentence; "what" precedes clauses' "when"."""
    words = list(_WH.finditer(question))
    if not words:
        return None
    starts = (match.end() for match in _SENTENCE_END.finditer(question))
    start = max((start for start in starts if start <= words[-1].start()), default=0)
    found = [match for match in words if match.start() >= start]
    asking = [match for match in found if match.group().lower() not in ("when", "where")]
    return asking[0] if asking and found[0].start() > start else found[0]


def _how(rest: str) -> AnswerType:
    word, _, behind = rest.partition(" ")
    if word.lower() == "many":
        phrase = _phrase(behind)
        return AnswerType("count", phrase[-1] if phrase else "")
    if word.lower() == "much":
        return AnswerType("money")
    return AnswerType("measure") if word.lower() in _WORDS["measured_by"] else AnswerType("phrase")


def _what(rest: str) -> AnswerType:
    fronted = _phrase(rest)
    phrase = fronted or _phrase(_behind_copula(rest))
    if fronted:
        verb = next((index for index, word in enumerate(phrase) if index and word.endswith("ed")), len(phrase))
        phrase = phrase[:verb]
    if len(phrase) > 1 and phrase[1] in _WORDS["name"]:
        phrase = phrase[1:]  # of two nouns the second is the head: a "record label" is no record
    for word in phrase if fronted else reversed(phrase):
        singular = word[:-1] if word.endswith("s") else word
        for kind in _KINDS:
            if word in _WORDS[kind] or singular in _WORDS[kind]:
                return AnswerType(kind, word, named=not fronted)
    return AnswerType("name", phrase[-1] if phrase else "", named=not fronted)


def _behind_copula(rest: str) -> str:
    """Return "capital of France" for "is the capital of France"."""
    behind = _COPULA.match(rest)
    if behind is None:
        return ""
    plain = _OF_NAME.sub("", behind.group(1))
    return re.sub(r"^(?:(?!\bof\b)[^?])*?['’]s\s+", "", plain)


def _phrase(rest: str) -> list[str]:
    """Return a noun phrase's words, lower case."""
    end = _NOUN_END.search(rest)
    words = re.findall(rf"{LETTER}[\w'’-]*", rest[: end.start()] if end else rest)
    return [re.sub(r"['’]s$", "", word.lower()) for word in words] if len(words) <= 8 else []
