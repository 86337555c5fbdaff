"""Split a sentence at a verb that is known to give an attribute its value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from dateline.handwritten.facts.clause import NAME, value_of, whose
from dateline.language.names import LetterPattern

_SUBJECT = LetterPattern(
    rf"^(?:(?:[Tt]he |[Oo]ur |[Aa]n? )?(?:{NAME}|[\w-]+)|(?:[Tt]he|[Oo]ur|[Aa]n?)(?: [\w-]+){{2,6}})$"
)
_BEFORE_VERB = LetterPattern(rf"^(?P<s>{NAME}) (?:is |are )?[a-z]+$")
_BOTH = LetterPattern(rf"^(?P<x>{NAME}) and (?P<y>{NAME})$")
_AUX = r"(?:(?:is|are|has been|have been|has|have|get|gets|got) )?(?:(?P<not>no longer|not|never) )?(?:(?:just|recently|then) )?"
_JOINED = LetterPattern(rf"^(?P<s>{NAME}) (?!and\b)[a-z].* and(?: then)?$")
_OBJECT_OF = LetterPattern(rf"^(?P<s>{NAME}) (?!is\b|are\b)\w+ (?:an? |the )?(?:[a-z-]+ )?(?P<n>[a-z-]+) of (?P<v>.+)$")
_AS_OBJECT = LetterPattern(
    r"^(?P<s>.{1,60}?) (?:[a-z]+s|[a-z]+ed|took|takes) (?:up |on )?(?P<v>.{1,40}?) as (?:an? |the |one of )?(?:new )?"
    r"(?P<n>[a-z-]+)(?: (?:for|of) (?P<for>.{1,40}))?$"
)
_ANYBODY = frozenset({"one", "you", "anybody", "anyone", "everybody", "everyone", "people"})
_BEFORE_ANY = frozenset({"is", "was"})
"""Words of a verb that go with every other: "is in" does not tell that "is called" says more of a place."""


def _plural(verb: str) -> str:
    """Return a verb as it stands beside "we": "works at" as "work at"."""
    first, space, rest = verb.partition(" ")
    return f"{first.removesuffix('s')}{space}{rest}" if len(first) > 2 else verb


class AttributeWords(Protocol):
    """Words that state an attribute."""

    @property
    def verbs(self) -> tuple[str, ...]: ...

    @property
    def inverse(self) -> tuple[str, ...]: ...

    @property
    def among(self) -> tuple[str, ...]: ...


class VerbValue(NamedTuple):
    """Value of an attribute that a verb states."""

    subject: str
    attribute: str
    value: str
    ended: bool = False


@dataclass(frozen=True)
class VerbClauses:
    """Reader of clauses with known verbs.

    Attributes:
        attributes: the attribute that each verb states, and whether its subject is the value.
        values: values that tell their attribute by themselves.
    """

    attributes: Mapping[str, tuple[str, bool]]
    values: Mapping[str, str]
    pattern: LetterPattern

    @classmethod
    def of(cls, rules: Mapping[str, AttributeWords]) -> VerbClauses:
        """Build it of attributes by name."""
        verbs = {verb.casefold(): (name, False) for name, rule in rules.items() for verb in rule.verbs}
        verbs |= {verb.casefold(): (name, True) for name, rule in rules.items() for verb in rule.inverse}
        verbs = {_plural(verb): told for verb, told in verbs.items()} | verbs
        values = {value.casefold(): name for name, rule in rules.items() for value in rule.among}
        some = "|".join(re.escape(verb) for verb in sorted(verbs, key=len, reverse=True)) or r"(?!)"
        return cls(verbs, values, LetterPattern(rf"\b{_AUX}(?P<verb>{some})(?= |$)"))

    def read(self, clause: str) -> Iterator[VerbValue]:
        """Yield what a clause says by known verbs, and by values that are known."""
        for verb in self.pattern.finditer(clause):
            head, tail = clause[: verb.start()].strip(" ,"), clause[verb.end() :].strip()
            subject = self._subject(head)
            if subject:
                yield from self._said(subject, verb["verb"], tail, ended=verb.has("not"))
                yield from self._further(subject, verb["verb"], tail, ended=verb.has("not"))
                return
        head, _, last = clause.rpartition(" ")
        before = _BEFORE_VERB.match(head)
        if before is not None and (attribute := self.among(last)):
            yield VerbValue(whose(before["s"]), attribute, last)

    def among(self, value: str) -> str:
        """Return the attribute that a value tells by itself."""
        return self.values.get(value.casefold(), "")

    def objects(self, clause: str) -> Iterator[tuple[str, str, str]]:
        """Yield subject, noun and value of "earns a salary of 5", "needs bait as equipment for fishing"."""
        of = _OBJECT_OF.match(clause)
        if of is not None:
            yield of["s"], of["n"], value_of(of["v"])
        as_one = _AS_OBJECT.match(clause)
        if as_one is not None:
            anybody = as_one["s"].casefold() in _ANYBODY
            if not anybody or as_one.has("for"):
                yield whose(as_one["for"] if anybody else as_one["s"]), as_one["n"], value_of(as_one["v"])

    def _subject(self, head: str) -> str:
        """Return the subject before a verb, or before another that is joined to it."""
        joined = _JOINED.match(head)
        if joined is not None:
            return joined["s"]
        return head if _BOTH.match(head) or _SUBJECT.match(head) else ""

    def _said(self, subject: str, verb: str, tail: str, *, ended: bool) -> Iterator[VerbValue]:
        attribute, inverse = self.attributes[verb.casefold()]
        value = value_of(self._cut(verb, tail))
        both = _BOTH.match(subject)
        if not value and both is not None:
            yield VerbValue(both["x"], attribute, both["y"], ended)
            yield VerbValue(both["y"], attribute, both["x"], ended)
        elif value and inverse:
            yield VerbValue(whose(value), attribute, whose(subject), ended)
        elif value:
            some = (both["x"], both["y"]) if both is not None else (subject,)
            yield from (VerbValue(whose(each), attribute, value, ended) for each in some)

    def _further(self, subject: str, verb: str, tail: str, *, ended: bool) -> Iterator[VerbValue]:
        """Yield what other prepositions of a verb say: "works as a cook at Tolvex"."""
        stated = self.attributes[verb.casefold()][0]
        for found in self._prepositions(verb, tail):
            other = self._with(found.group().strip(), stated)
            yield from self._said(subject, other, tail[found.end() :].strip(), ended=ended)

    def _with(self, preposition: str, stated: str) -> str:
        """Return the verb with a preposition among those that stand for one."""
        return next(each for stem in self._stems(stated) if (each := f"{stem} {preposition}") in self.attributes)

    def _stems(self, attribute: str) -> dict[str, None]:
        """Return the first words of an attribute's verbs that are its own."""
        first = (verb.split()[0] for verb, (stated, _) in self.attributes.items() if stated == attribute)
        return dict.fromkeys(word for word in first if word not in _BEFORE_ANY)

    def _cut(self, verb: str, tail: str) -> str:
        first = next(iter(self._prepositions(verb, tail)), None)
        return tail[: first.start()] if first is not None else tail

    def _prepositions(self, verb: str, tail: str) -> list[re.Match[str]]:
        stems = self._stems(self.attributes[verb.casefold()][0])
        known = [rest for each in self.attributes if (rest := each.partition(" ")[2]) and each.split()[0] in stems]
        return list(re.finditer(rf" (?:{'|'.join(map(re.escape, known))})(?= )", tail)) if known else []
