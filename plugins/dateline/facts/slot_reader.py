"""Reader of sentences as values of slots.

Inference, retirement of facts and search all read by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from dateline.facts.attribute_names import AttributeNames
from dateline.facts.fact import Fact, FactSlot, folded
from dateline.facts.slots import SlotPack, attribute_tag, value_tag
from dateline.handwritten.facts.clause import asserted_clause, is_told, named_values, value_of
from dateline.handwritten.facts.statement import Comparison
from dateline.handwritten.facts.verb_clause import VerbClauses
from dateline.language.names import CAPITAL, LetterPattern, find_names
from dateline.text.words import stem, words

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

_REMEMBERED, _LONGEST = 8192, 600
"""Texts that are kept as read, and the characters of one that is read at all."""

_ASKED = 4
"""Attributes that a question may be about. Chosen by hand."""


class StatedSlot(NamedTuple):
    """Value of a slot that a sentence states, or denies."""

    slot: FactSlot
    ended: bool = False


@dataclass(frozen=True)
class SlotReader:
    """Reader of slots in texts.

    Attributes are named as the pack names them; a noun that it does not know is an attribute of its own.

    Attributes:
        pack: attributes, with the words that state them.
        embeddings: the encoder that compares questions with names of attributes; without one only words count.

    Example:
        >>> reader = SlotReader(SlotPack.shipped())
        >>> [tuple(each.slot.model_dump().values()) for each in reader.read("Ada works as a cook at Tolvex.")]
        [('Ada', 'job title', 'cook'), ('Ada', 'employer', 'Tolvex')]
        >>> [each.slot.key for each in reader.read("Ada and Jon are coworkers.")]
        ['slot:colleague:ada', 'slot:colleague:jon']
    """

    pack: SlotPack
    embeddings: Embeddings | None = None
    _known: dict[str, tuple[StatedSlot, ...]] = field(default_factory=dict, repr=False, compare=False)

    def read(self, text: str) -> tuple[StatedSlot, ...]:
        """Read the values that a sentence asserts."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[text] = tuple(self._read(text)) if len(text) <= _LONGEST else ()
        return found

    def of(self, fact: Fact) -> tuple[StatedSlot, ...]:
        """Return a fact's slots, told or read."""
        return (StatedSlot(fact.slot),) if fact.slot is not None else self.read(fact.text)

    def tags(self, text: str) -> tuple[str, ...]:
        """Return the tags of the slots that a sentence fills."""
        slots = [each.slot for each in self.read(text)]
        return tuple(dict.fromkeys(tag for slot in slots for tag in _tags(slot)))

    def compare(self, fact: Fact, other: Fact) -> Comparison | None:
        """Compare two facts by their slots, where these tell.

        They conflict where they give one slot, declared to have one value at a time, two values, or one ends the other's. Where
        they agree on a slot, give one with many another value, or speak of other subjects, neither ends the other. A noun that says
        more ("engineer", "senior engineer") tells nothing.
        """
        pairs = [(mine, theirs) for mine in self.of(fact) for theirs in self.of(other)]
        shared = [(mine, theirs) for mine, theirs in pairs if mine.slot.key == theirs.slot.key]
        if any(self._clash(mine, theirs) for mine, theirs in shared):
            return "conflict"
        beside = any(self._beside(mine, theirs) for mine, theirs in shared)
        apart = pairs and all(
            _told_apart(mine.slot.subject).isdisjoint(_told_apart(theirs.slot.subject)) for mine, theirs in pairs
        )
        return "different" if beside or apart else None

    def _beside(self, mine: StatedSlot, theirs: StatedSlot) -> bool:
        """Check that two values of a slot hold beside each other.

        So do a value and the end of another.
        """
        rule = self.pack.rule(mine.slot.attribute)
        many = rule is not None and rule.values == "many"
        return many or (not _says_more(mine, theirs) and _alike(mine, theirs) == (mine.ended == theirs.ended))

    def _clash(self, mine: StatedSlot, theirs: StatedSlot) -> bool:
        alike = _alike(mine, theirs)
        if mine.ended or theirs.ended:
            return alike and mine.ended != theirs.ended
        rule = self.pack.rule(mine.slot.attribute)
        return rule is not None and rule.replaces and not alike

    def subjects(self, question: str) -> list[str]:
        """List the names in a question."""
        # The first word has its capital from the sentence.
        names = [found for text in (question.partition(" ")[2], question) for found in find_names(text)]
        return list(dict.fromkeys(name for each in names if (name := each.group().rstrip(".?'’").removesuffix("'s"))))

    def asked(self, question: str) -> list[str]:
        """List the attributes that a question may ask for."""
        for name in self.subjects(question):
            question = question.replace(name, "it")
        return self.names.asked(question, most=_ASKED)

    @cached_property
    def names(self) -> AttributeNames:
        return AttributeNames(self.pack, self.embeddings)

    @cached_property
    def _verbs(self) -> VerbClauses:
        return VerbClauses.of(self.pack.rules)

    def _read(self, text: str) -> Iterator[StatedSlot]:
        clause = asserted_clause(text)
        seen: set[tuple[str, str]] = set()
        for subject, attribute, value, ended in (*self._by_verb(clause), *self._by_noun(clause)):
            slot = FactSlot(subject=subject, attribute=attribute, value=value)
            mark = slot.key, folded(value)
            if (
                self._is_value(value, attribute)
                and is_told(subject)
                and folded(subject) != folded(value)
                and mark not in seen
            ):
                seen.add(mark)
                yield StatedSlot(slot, ended)

    def _is_value(self, value: str, attribute: str) -> bool:
        rule = self.pack.rule(attribute)
        return is_told(value) and (rule is None or rule.shape == "any" or bool(_SHAPES[rule.shape].match(value)))

    def _by_verb(self, clause: str) -> Iterator[tuple[str, str, str, bool]]:
        for said in self._verbs.read(clause):
            known = self._kind_of(said.value)
            value, attribute = (said.value, said.attribute) if known is None else known
            yield from ((said.subject, attribute, each, said.ended) for each in self._each(value, attribute))

    def _kind_of(self, value: str) -> tuple[str, str] | None:
        """Split a value that names its attribute: "the shipping industry"."""
        noun, of, rest = value.partition(" of ")
        if not of:
            rest, _, noun = value.rpartition(" ")
        attribute = self.names.exact(noun) if rest and noun[:1].islower() else None
        return (rest, attribute) if attribute is not None else None

    def _by_noun(self, clause: str) -> Iterator[tuple[str, str, str, bool]]:
        for said in named_values(clause):
            attribute = self._verbs.among(said.value) or self.names.of(said.noun)
            for value in self._each(said.value, attribute):
                yield said.subject, attribute, value, said.ended
        for subject, noun, value in self._verbs.objects(clause):
            known = self.names.exact(noun)
            if known is not None:
                yield subject, known, value, False

    def _each(self, value: str, attribute: str) -> Iterable[str]:
        rule = self.pack.rule(attribute)
        several = rule is not None and rule.values == "many"
        return (value_of(each) for each in _LIST.split(value)) if several else (value,)


_SHAPES = {"name": LetterPattern(CAPITAL), "amount": LetterPattern(r"[$€£¥]?\d")}
_LIST = re.compile(r", and |, | and ")


def _tags(slot: FactSlot) -> tuple[str, ...]:
    return slot.key, attribute_tag(slot.attribute), value_tag(slot.attribute, slot.value)


def _alike(mine: StatedSlot, theirs: StatedSlot) -> bool:
    """Check that one value says the other: "Starmer" is "Keir Starmer"."""
    one, other = (_told_apart(each.slot.value) for each in (mine, theirs))
    return one <= other or other <= one


def _says_more(mine: StatedSlot, theirs: StatedSlot) -> bool:
    """Check that one of two nouns says more: "engineer", "senior engineer"."""
    named = any(_SHAPES["name"].match(each.slot.value) for each in (mine, theirs))
    return not named and _alike(mine, theirs) and _told_apart(mine.slot.value) != _told_apart(theirs.slot.value)


def _told_apart(value: str) -> set[str]:
    """Return a value's numbers, or else its words."""
    return set(_NUMBER.findall(value)) or {stem(word) for word in words(value)}


_NUMBER = re.compile(r"\d[\d.,:]*")
