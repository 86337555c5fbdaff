"""Reading a sentence as a slot and its value: "the CEO of Acme" and "Bob Jones".

A slot holds one value at a time, so two values in one slot cannot both be true. Rules for English, made
for precision: a sentence that they cannot read has no slot, and what has no slot is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from asof.text.words import stem, words

Comparison = Literal["same", "conflict", "different"]
"""What a statement is to another: the same fact, one that cannot hold beside it, or neither."""


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))


_UNIQUE_ROLES = _stems(
    """administrator archbishop boss captain capital ceo cfo chair chairman chairperson chairwoman champion chancellor
    chief coach commander commissioner coo cto currency dean director editor emperor empress governor head
    headquarters king leader manager mayor minister monarch name owner patriarch pontiff pope premier president prime
    principal prince princess queen rector ruler secretary speaker sultan treasurer"""
)
"""Nouns for which "the X of Y" is one person or thing at a time."""

_MEASURES = _stems(
    """age balance capacity cost enrolment enrollment height length level number population price rank rate rating
    record revenue salary share size staff status temperature total turnover value weight"""
)
"""Nouns that take one amount at a time."""

_ENTER = r"(?:sworn in|elected|re-?elected|named|appointed|crowned|chosen|confirmed|installed|inaugurated)"
_RELATIONS = {
    "home": r"(?:is|are) (?:based|headquartered) (?:in|at)|(?:lives|resides|live) in",
    "head": r"(?:is|are) (?:led|headed|run|managed|coached|chaired|governed|ruled) by",
    "owner": r"(?:is|are) owned by|belongs? to",
    "spouse": r"is (?:married|engaged) to",
    "employer": r"works? (?:at|for)|is employed (?:at|by)",
    "team": r"plays? for",
    "amount": r"costs?|stands? at|totals?|amounts? to|numbers?|has|have|employs?",
    "identity": rf"(?:is|are|has been|was|were|becomes?|became|gets|got) {_ENTER}(?: as)?|becomes?|became|has become"
    r"|serves as|remains|takes over as|took over as|takes office as|took office as|is|are",
}
"""What a verb relates its subject to; each relation holds one value at a time.

Past events that end nothing ("visited", "won") and states that are over ("was", "lived in") are missing on purpose.
"""

_VERB = re.compile("|".join(rf"(?P<{name}>\b(?:{verbs})\b)" for name, verbs in _RELATIONS.items()), re.IGNORECASE)

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"\(?\b(?:(?:as of|since|on|in|from|by|early in|late in) )?(?:early |mid-?|late )?"
    rf"(?:{_DAY} {_MONTH}(?:,? \d{{4}})?|{_MONTH} {_DAY}(?:,? \d{{4}})?|{_MONTH} \d{{4}}"
    r"|\d{4}-\d\d(?:-\d\d)?|(?:19|20)\d\d(?![\d.,]*\d))(?!\w)\)?,?",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"\b(?:now|currently|still|today|tonight|yesterday|newly|officially|formally|also|at present|this morning|this afternoon"
    r"|this evening|this week|this month|this year|last night|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b,?",
    re.IGNORECASE,
)
_AFTERTHOUGHT = re.compile(
    r"\s*(?:[,;:(—–](?=\s|$|\()|\b(?:after|following|when|where|who|which|that|while|because|as he|as she|succeeding"
    r"|replacing|despite|amid|with effect|since|until)\b)",
    re.IGNORECASE,
)
_ARTICLES = frozenset({"the", "a", "an", "of", "its", "their"})
_PARTICLES = frozenset(
    ["al", "and", "bin", "da", "de", "del", "der", "di", "du", "el", "ibn", "la", "le", "of", "the", "van", "von", "y"]
)
_NUMBER = re.compile(r"\d[\d.,]*%?")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence as (slot, value); two statements with one slot are the same fact or in conflict.

    Attributes:
        words: the folded words, fillers such as "now" left out. Slot and value leave out dates too.
        slot: what it gives a value to, or `None` where the rules cannot tell.
        value: the folded words of the value.
    """

    words: tuple[str, ...]
    slot: str | None = None
    value: tuple[str, ...] = ()

    @classmethod
    def read(cls, sentence: str) -> Statement:
        """Take a sentence apart; never raises, whatever the text."""
        dated = " ".join(_FILLER.sub(" ", " ".join(sentence.split())).split()).rstrip(" .!")
        everything = (*words(dated), *_numbers(dated))
        plain = " ".join(_DATE.sub(" ", dated).split())
        verb = _VERB.search(plain)
        if verb is None or verb.lastgroup is None:
            return cls(everything)
        tail = plain[verb.end() :].strip()
        end = _AFTERTHOUGHT.search(tail)
        found = _slot(verb.lastgroup, _subject(plain[: verb.start()]), tail[: end.start()] if end else tail)
        return cls(everything) if found is None else cls(everything, *found)

    def compare(self, other: Statement) -> Comparison:
        """What `other` is to this one; symmetrical."""
        if self.words == other.words:
            return "same"
        if self.slot is None or self.slot != other.slot:
            return "different"
        mine, theirs = set(self.value), set(other.value)
        # "Starmer" and "Keir Starmer" are one holder; "5,100" and "5,200" are never one amount.
        return "same" if mine <= theirs or theirs <= mine else "conflict"


def _slot(relation: str, subject: str, tail: str) -> tuple[str, tuple[str, ...]] | None:
    """(slot, value) of a subject, a relation and what follows it, or `None`."""
    if not subject or not tail:
        return None
    if relation == "identity":
        return _identity(subject, tail)
    if relation == "amount":
        return _amount(subject, tail) if _is_name(subject) or _has(subject, _MEASURES) else None
    if _is_name(subject) and _is_name(tail):
        return f"{relation}:{_key(subject)}", _folded(tail)
    return None


def _identity(subject: str, tail: str) -> tuple[str, tuple[str, ...]] | None:
    """ "The R of S is A", "A is the R of S" or "the measure of S is 5": a role has one holder, a measure one amount."""
    if _has(subject, _UNIQUE_ROLES) and _is_name(tail):
        return f"role:{_key(subject)}", _folded(tail)
    if _is_name(subject) and _has(tail, _UNIQUE_ROLES) and not _INDEFINITE.search(tail):
        return f"role:{_key(tail)}", _folded(subject)
    if _has(subject, _MEASURES):
        return _amount(subject, tail)
    return None


def _amount(subject: str, tail: str) -> tuple[str, tuple[str, ...]] | None:
    """The numbers in what follows are the value, all other words belong to the slot."""
    numbers = _numbers(tail)
    return (f"amount:{_key(subject)}:{_key(_NUMBER.sub(' ', tail))}", numbers) if numbers else None


def _subject(head: str) -> str:
    """The subject in what stands before the verb: without an apposition behind it or an adverbial before it."""
    parts = [part.strip() for part in head.split(",") if part.strip()]
    if len(parts) < 2:
        return head.strip()
    return next((part for part in (parts[0], parts[-1]) if _is_name(part)), "")


def _has(text: str, nouns: frozenset[str]) -> bool:
    """Whether a text names one of `nouns`, and says of what."""
    found = _folded(text)
    return len(found) > 1 and not nouns.isdisjoint(found)


def _is_name(text: str) -> bool:
    """Whether every word could be part of a name; a leading article may stand before it."""
    parts = text.split()
    if len(parts) > 1 and parts[0].casefold() in ("the", "a", "an"):
        parts = parts[1:]
    capital = [part for part in parts if part.casefold() not in _PARTICLES]
    return 0 < len(capital) <= 8 and all(part.lstrip("\"'“‘(")[:1].isupper() for part in capital)


def _folded(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in words(text) if word not in _ARTICLES)


def _key(text: str) -> str:
    """The words of a part in one order, so that "Acme's CEO" and "the CEO of Acme" are one slot."""
    return " ".join(sorted(_folded(text)))


def _numbers(text: str) -> tuple[str, ...]:
    return tuple(number.rstrip(".,") for number in _NUMBER.findall(text))


_INDEFINITE = re.compile(r"^(?:an?|one|another|not|no|former|ex-?)\b|\bof an?\b|\bformer\b", re.IGNORECASE)
