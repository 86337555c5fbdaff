"""Read a sentence as a slot and its value.

A slot holds one value at a time, so two values in one slot cannot both be true. Rules for English, made
for precision: a sentence that they cannot read has no slot, and what has no slot is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from dateline.handwritten.facts.role import read_role, read_unit
from dateline.handwritten.facts.wording import AFTERTHOUGHT, HEADING, undated, unfilled
from dateline.language.assertion import asserted_part
from dateline.language.countries import ADJECTIVES
from dateline.language.names import DOTTED, PARTICLES, LetterPattern, is_name
from dateline.language.quantities import CURRENCY
from dateline.text.words import stem, stems, words

Comparison = Literal["same", "conflict", "different"]
"""What a statement is to another: the same fact, one that cannot hold beside it, or neither."""


_MEASURES = frozenset(
    stems(
        """age balance capacity cost enrolment enrollment height length level number population price rank rate rating
        record revenue salary share size staff status temperature total turnover value weight"""
    )
)
"""Nouns that take one amount at a time."""

_ENTER = r"(?:sworn in|elected|re-?elected|named|appointed|crowned|chosen|confirmed|installed|inaugurated)"
_RELATIONS = {
    "home": r"(?:is|are) (?:based|headquartered) (?:in|at)|(?:lives|resides|live) in",
    "head": r"(?:is|are) (?:led|headed|run|managed|coached|chaired|governed|ruled) by",
    "owner": r"(?:is|are) owned by|belongs? to",
    "heads": r"leads|heads|manages|runs",
    "owns": r"owns",
    "spouse": r"is (?:married|engaged) to",
    "employer": r"works? (?:at|for)|is employed (?:at|by)",
    "team": r"plays? for|(?:has |have )?sign(?:s|ed) (?:for|with)|(?:transfers|transferred|was traded|is traded) to",
    "amount": r"costs?|stands? at|totals?|amounts? to|numbers?|has|have|employs?",
    "succession": r"(?:succeeds|succeeded|replaces|replaced|takes over from|took over from|has succeeded|has replaced)",
    "identity": rf"(?:is|are|has been|have been|was|were|becomes?|became|gets|got) {_ENTER}(?: as)?|becomes?|became"
    rf"|has become|serves as|remains|(?:takes|took|has taken) (?:over|office)(?: \w+){{0,2}} as|{_ENTER} as|is|are",
}
"""What a verb relates its subject to; each relation holds one value at a time.

Past events that end nothing ("visited", "won") and states that are over ("was", "lived in") are missing on purpose.
"""

_VERB = re.compile("|".join(rf"(?P<{name}>\b(?:{verbs})\b)" for name, verbs in _RELATIONS.items()), re.IGNORECASE)

_HELD = {"heads": "head", "owns": "owner"}
"""The same relations told from the holder's side."""

_OF_PEOPLE = ("role:", "head:", "spouse:")
"""Slots whose values are people."""
_OF_OTHERS = ("role:capital ", "role:currency ", "role:headquarters ", "role:owner ")
"""Roles that a place, a thing or a firm may have."""

_LONGEST = 600
"""Characters of a sentence that is still taken apart."""

_LONGEST_UNIT = 4
"""Words beside a number that can still be its unit; more tell a story."""

_ARTICLES = frozenset({"the", "a", "an", "of", "its", "their"})
_STARTS_WITH_NUMBER = re.compile(
    rf"(?:(?:about|around|roughly|nearly|almost|over|more than|at least|some|up to|approximately) )?{CURRENCY}?\d",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"{CURRENCY}?\d[\d.,]*%?")


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
    @lru_cache(maxsize=4096)  # a statement is compared with many others
    def read(cls, sentence: str) -> Statement:
        """Take apart what a sentence asserts as fact; never raises, whatever the text."""
        whole = cls.read_as_written(sentence)
        if whole.slot is None or (asserted := asserted_part(sentence)) == sentence:
            return whole
        return replace(cls.read_as_written(asserted), words=whole.words)

    @classmethod
    def read_as_written(cls, sentence: str) -> Statement:
        """Take a sentence apart, asserted or not: "If elected, Ada Berg is the mayor" too."""
        dated = unfilled(sentence)
        everything = (*words(dated), *_numbers(dated))
        plain = undated(dated)
        if len(plain) > _LONGEST:
            return cls(everything)
        plain = HEADING.sub("", plain)
        for verb in _VERB.finditer(plain):
            found = _slot(str(verb.lastgroup), plain[: verb.start()].strip(), plain[verb.end() :].strip())
            if found is not None and found[1]:
                return cls(everything, *found)
        return cls(everything)

    def compare(self, other: Statement) -> Comparison:
        """What `other` is to this one; symmetrical."""
        if self.words == other.words:
            return "same"
        if self.slot is None or self.slot != other.slot:
            return "different"
        return "same" if says_same(self.value, other.value, person=self._is_of_person) else "conflict"

    @property
    def _is_of_person(self) -> bool:
        return self.slot is not None and self.slot.startswith(_OF_PEOPLE) and not self.slot.startswith(_OF_OTHERS)


def says_same(one: Sequence[str], other: Sequence[str], *, person: bool) -> bool:
    """Check that two values are one, by their words in order.

    A person may be called by a part of the name: "Starmer" is "Keir Starmer". "York" is not "New York".
    """
    return tuple(one) == tuple(other) or (person and (set(one) <= set(other) or set(other) <= set(one)))


def value_words(text: str) -> tuple[str, ...]:
    """Return the stems of a value's words, units and currency signs among them.

    Example:
        >>> value_words("the 9am train") == value_words("9 am train"), value_words("$5") == value_words("€5")
        (True, False)
    """
    return (*_folded(_UNIT_STARTS.sub(" ", text)), *_SIGN.findall(text))


def names_nobody(value: str) -> bool:
    """Check for the adjective of a country, a capital and all: "Swedish"."""
    return value in ADJECTIVES


def _slot(relation: str, head: str, tail: str) -> tuple[str, tuple[str, ...]] | None:
    """(slot, value) of what stands before a verb, the verb's relation and what follows it, or `None`."""
    if not head or not tail:
        return None
    if relation == "succession":
        return _held(head, _SUCCEEDED.sub("", tail, count=1))
    if relation == "identity":
        return _held(head, tail) or _holder(head, tail) or _amount(head, tail)
    if relation == "amount":
        return _amount(head, tail)
    if relation in _HELD:
        return _unit_held(_HELD[relation], unit=_phrase(tail), holder=_subject(head))
    subject, value = _subject(head), _phrase(tail)
    if is_name(subject) and is_name(value):
        return f"{relation}:{_key(subject)}", _folded(value)
    return _unit_held(relation, unit=head, holder=value) if relation in _HELD.values() else None


def _unit_held(relation: str, *, unit: str, holder: str) -> tuple[str, tuple[str, ...]] | None:
    """ "A leads the billing team", "The billing team is led by A"; of other things than units one cannot tell that way."""
    named = read_unit(unit)
    return (f"{relation}:{_key(named)}", _folded(holder)) if named and is_name(holder) else None


def _held(head: str, tail: str) -> tuple[str, tuple[str, ...]] | None:
    """ "A is the R of S"."""
    role, subject = read_role(tail), _subject(head)
    return (f"role:{role.key}", _folded(subject)) if role is not None and is_name(subject) else None


def _holder(head: str, tail: str) -> tuple[str, tuple[str, ...]] | None:
    """ "The R of S is A"."""
    role, value = read_role(head), _phrase(tail)
    whole = role is not None and role.end == len(head)
    named = is_name(value) and not names_nobody(value)
    return (f"role:{role.key}", _folded(value)) if role is not None and whole and named else None


def _amount(head: str, tail: str) -> tuple[str, tuple[str, ...]] | None:
    """ "The measure of S is 5", "S has 5 of T": the numbers are the value, all other words belong to the slot."""
    if not is_name(head) and not _has(head, _MEASURES):
        return None
    phrase = _phrase(tail)
    if not _STARTS_WITH_NUMBER.match(phrase):
        return None
    numbers, unit = _numbers(phrase), _key(_NUMBER.sub(" ", phrase))
    if not numbers or len(unit.split()) > _LONGEST_UNIT:
        return None
    return f"amount:{_key(head)}:{unit}", numbers


def _phrase(tail: str) -> str:
    """What follows a verb, up to an afterthought."""
    end = AFTERTHOUGHT.search(tail)
    return tail[: end.start()] if end else tail


def _subject(head: str) -> str:
    """The name that a verb's subject is: all that stands before it, a name with an apposition, or the name just before."""
    parts = [part.strip() for part in head.split(",") if part.strip()]
    whole = next((part for part in (head, parts[0], parts[-1]) if is_name(part)), "")
    if whole or head.endswith(","):
        return whole
    before = _NAME_AT_END.search(head)
    return before.group() if before else ""


def _has(text: str, nouns: frozenset[str]) -> bool:
    """Whether a text names one of `nouns`, and says of what."""
    found = _folded(text)
    return len(found) > 1 and not nouns.isdisjoint(found)


def _folded(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in words(text) if word not in _ARTICLES)


def _key(text: str) -> str:
    """The words of a part in one order, so that "Acme's CEO" and "the CEO of Acme" are one slot."""
    return " ".join(sorted(_folded(text)))


def _numbers(text: str) -> tuple[str, ...]:
    return tuple(number.rstrip(".,") for number in _NUMBER.findall(text))


_UNIT_STARTS = re.compile(r"(?<=\d)(?=[^\W\d_])")
_SIGN = re.compile(rf"{CURRENCY}|%")
_SUCCEEDED = re.compile(r"^.{1,60}?\bas ")
_NAME_AT_END = LetterPattern(rf"{DOTTED}(?: (?:{PARTICLES} )?{DOTTED}){{1,4}}$")
