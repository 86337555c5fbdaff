"""Coreference in a chat: candidates for "she", "its" and "there"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import dropwhile

from dateline.language.calendar import CALENDAR
from dateline.language.names import CAPITAL, LetterPattern, find_names, may_begin_name
from dateline.language.offices import office_words
from dateline.language.organisations import NO_PERSON
from dateline.reading.reply import is_unknown
from dateline.text.words import STOPWORDS, words

_LONGEST_ANSWER = 8
"""Words of an answer that is itself a name; a longer one holds names."""

_ASKS_FOR_A_PERSON = re.compile(r"\b(?:who|whom|whose)\b", re.I)
_ASKS_FOR_A_PLACE = re.compile(r"^\W*(?:where|in (?:which|what))\b", re.I)
_ROLE_WORDS = office_words("office", "post", "deputy")
_SMALL = frozenset({"the", "of", "and", "for", "de", "la", "van", "von"})
_TIME_AT_END = re.compile(r"(?: (?:in|for|and|of|the)){0,6} \d{4}$")
_PHRASE = re.compile(r"\b((?:the|a|an) (?:[\w'’-]+ ){0,2}[\w'’-]+)\s*$", re.I)
_NO_NAME = LetterPattern(rf"(?i:yes|no|nobody)\b(?! {CAPITAL})")
"""What an answer opens with that names nothing, unless it goes on like a name: "No Country for Old Men"."""


@dataclass(frozen=True, slots=True)
class DialogueContext:
    """Last standalone question of a chat and its answer, or "".

    Example:
        >>> DialogueContext("Who is the mayor of Oslo?", "Anne Lindboe").person()
        'Anne Lindboe'
    """

    question: str
    answer: str = ""

    def person(self) -> str:
        """Resolve "he" or "she", or ""."""
        answered = self.named_answer()
        if answered and _ASKS_FOR_A_PERSON.search(self.question):
            return answered
        people = [name for name in names_in(self.question) if is_person(name)]
        if people:
            return people[-1]
        return answered if answered and not _ASKS_FOR_A_PLACE.search(self.question) and is_person(answered) else ""

    def thing(self) -> str:
        """Resolve "it", with its article, or ""."""
        answered = self.named_answer()
        if answered and not _ASKS_FOR_A_PERSON.search(self.question):
            return answered
        things = [name for name in names_in(self.question) if not is_person(name)]
        if things:
            return with_article(things[-1], self.question)
        phrase = _PHRASE.search(self.question.rstrip(" ?.!"))
        if phrase is not None and not names_role(phrase[1]):
            return phrase[1]
        return answered

    def group(self) -> str:
        """Resolve "they", or ""."""
        return self.named_answer() or self.thing() or self.person()

    def place(self) -> str:
        """Resolve "there", or ""."""
        answered = self.named_answer()
        if answered and _ASKS_FOR_A_PLACE.search(self.question):
            return answered
        return "" if not (thing := self.thing()) or is_person(thing) else thing

    def named_answer(self) -> str:
        """Return the answer's name: all of it, or the first new one."""
        plain = " ".join(self.answer.split()).rstrip(" .")
        found = words(plain)
        if not found:
            return ""
        if len(found) <= _LONGEST_ANSWER and not re.search(r"\b(?:is|was|are|were|has|had)\b", plain):
            named = may_begin_name(plain) and not plain.isnumeric() and (len(found) < 4 or bool(names_in(plain)))
            return plain if named and not (is_unknown(plain) or _NO_NAME.match(plain)) else ""
        asked = set(words(self.question))
        return next((name for name in names_in(plain) if not set(words(name)) <= asked), "")


def names_in(text: str) -> list[str]:
    """Find the names in a text, in order.

    Of "the Prime Minister of France" only "France" counts; months and question words do not.
    """
    names = []
    for match in find_names(text):
        name = _without_role(_tail(match.group()))
        if name and not _is_time(name):
            names.append(name)
    return names


def is_person(name: str) -> bool:
    """Return whether a name has the form of a person's.

    Two to four capitalised words, none of which belongs to a place, an organisation or an office.
    """
    parts = name.split()
    plain = {part.casefold().strip(".") for part in parts}
    return (
        2 <= len(parts) <= 4
        and not plain & (NO_PERSON | _ROLE_WORDS | {"the", "of"})
        and not any(map(str.isdigit, name))
    )


def names_role(phrase: str) -> bool:
    """Return whether a phrase names an office: "the deputy director"."""
    return bool(_ROLE_WORDS & set(words(phrase)))


def with_article(name: str, text: str) -> str:
    """The name as the text says it: "the United Kingdom"."""
    found = re.search(rf"\bthe {re.escape(name)}\b", text, re.I)
    return found.group() if found and name[:4].casefold() != "the " else name


def _says_nothing(word: str) -> bool:
    return len(word) > 1 and word.casefold().rstrip("'’s") in STOPWORDS


def _tail(name: str) -> str:
    """A capitalised run without the stop words at its start ("Who", "The")."""
    parts = list(dropwhile(_says_nothing, name.split()))
    text = _TIME_AT_END.sub("", " ".join(parts))
    return re.sub(r"['’]s?$", "", text).strip(" .,")


def _without_role(name: str) -> str:
    head, _, rest = name.partition(" of ")
    if rest and _ROLE_WORDS & set(words(head)):
        return re.sub(r"^the ", "", rest, flags=re.I)
    if not rest and set(words(name)) <= _ROLE_WORDS | {"prime", "first"}:
        return ""
    return name


def _is_time(name: str) -> bool:
    return all(word in CALENDAR or word.isdigit() for word in words(name) if word not in _SMALL)
