"""Reader of sentences as values of slots.

Inference, retirement of facts and search all read by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from dateline.facts.attribute_names import AttributeNames
from dateline.facts.fact import Fact, FactSlot, folded
from dateline.facts.slots import Shape, SlotPack, told_tags
from dateline.handwritten.facts.clause import asserted_clause, is_told, named_values, value_of
from dateline.handwritten.facts.statement import Comparison, names_nobody, says_same, value_words
from dateline.handwritten.facts.verb_clause import VerbClauses
from dateline.language.names import MAY_BEGIN_NAME, PARTICLES, WORD, LetterPattern, find_names
from dateline.language.quantities import CURRENCY
from dateline.text.words import stems

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

_REMEMBERED, _LONGEST = 8192, 600
"""Texts that are kept as read, and the characters of one that is read at all."""

_ASKED = 4
"""Attributes that a question may be about. Chosen by hand."""


class StatedSlot(NamedTuple):
    """Value of a slot that a sentence states, or denies.

    Attributes:
        among: whether it is told as one of several, and so not as the value: "a director of Tolvex".
    """

    slot: FactSlot
    ended: bool = False
    among: bool = False


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
        return tuple(each for each in self._told(text) if not each.among)

    def _told(self, text: str) -> tuple[StatedSlot, ...]:
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[text] = tuple(self._read(text)) if len(text) <= _LONGEST else ()
        return found

    def of(self, fact: Fact) -> tuple[StatedSlot, ...]:
        """Return a fact's slots, told or read."""
        return tuple(each for each in self._told_by(fact) if not each.among)

    def tags(self, text: str) -> tuple[str, ...]:
        """Return the tags of the slots that a sentence fills."""
        slots = [each.slot for each in self.read(text)]
        return tuple(dict.fromkeys(tag for slot in slots for tag in told_tags(slot)))

    def compare(self, fact: Fact, other: Fact) -> Comparison | None:
        """Compare two facts by their slots, where these tell.

        They conflict where they give one slot, declared to have one value at a time, two values, or one ends the other's. Where
        they agree on a slot, give one with many another value, or speak of other subjects, neither ends the other. A value that says
        more than the other ("engineer", "senior engineer") tells nothing.
        """
        pairs = [(mine, theirs) for mine in self._told_by(fact) for theirs in self._told_by(other)]
        shared = [(mine, theirs) for mine, theirs in pairs if mine.slot.key == theirs.slot.key]
        if any(self._clash(mine, theirs) for mine, theirs in shared):
            return "conflict"
        beside = any(self._beside(mine, theirs) for mine, theirs in shared)
        apart = pairs and all(
            _told_apart(mine.slot.subject).isdisjoint(_told_apart(theirs.slot.subject)) for mine, theirs in pairs
        )
        return "different" if beside or apart else None

    def _told_by(self, fact: Fact) -> tuple[StatedSlot, ...]:
        return (StatedSlot(self.pack.own(fact.slot)),) if fact.slot is not None else self._told(fact.text)

    def _beside(self, mine: StatedSlot, theirs: StatedSlot) -> bool:
        """Check that two values of a slot hold beside each other.

        So do a value and the end of another.
        """
        several = mine.among or theirs.among or self.pack.cardinality(mine.slot.attribute) == "many"
        agree = self._is_same(mine, theirs) == (mine.ended == theirs.ended)
        return several or (agree and not self._says_more(mine, theirs))

    def _clash(self, mine: StatedSlot, theirs: StatedSlot) -> bool:
        same = self._is_same(mine, theirs)
        if mine.ended or theirs.ended:
            return same and mine.ended != theirs.ended
        replaces = self.pack.replaces(mine.slot.attribute) and not (mine.among or theirs.among)
        return replaces and not same and not self._says_more(mine, theirs)

    def _is_same(self, mine: StatedSlot, theirs: StatedSlot) -> bool:
        one, other = (value_words(each.slot.value) for each in (mine, theirs))
        return says_same(one, other, person=self._is_of_people(mine.slot.attribute))

    def _says_more(self, mine: StatedSlot, theirs: StatedSlot) -> bool:
        """Check that one of two values says more: "engineer", "senior engineer".

        With more words a name is another one ("York", "New York").
        """
        named = any(_NAME.match(each.slot.value) for each in (mine, theirs))
        one, other = (set(value_words(each.slot.value)) for each in (mine, theirs))
        return not named and (one < other or other < one) and not self._is_same(mine, theirs)

    def _is_of_people(self, attribute: str) -> bool:
        rule = self.pack.rule(attribute)
        return rule is not None and rule.shape == "person"

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
        for told in (*self._by_verb(clause), *self._by_noun(clause)):
            mark = told.slot.key, folded(told.slot.value)
            if mark not in seen and self._is_told(told.slot):
                seen.add(mark)
                yield told

    def _is_told(self, slot: FactSlot) -> bool:
        own = folded(slot.subject) != folded(slot.value)
        return own and is_told(slot.subject) and self._is_value(slot.value, slot.attribute)

    def _is_value(self, value: str, attribute: str) -> bool:
        rule = self.pack.rule(attribute)
        return is_told(value) and (rule is None or _SHAPES[rule.shape](value))

    def _by_verb(self, clause: str) -> Iterator[StatedSlot]:
        for said in self._verbs.read(clause):
            known = self._kind_of(said.value)
            value, attribute = (said.value, said.attribute) if known is None else known
            yield from (_stated(said.subject, attribute, each, said.ended) for each in self._each(value, attribute))

    def _kind_of(self, value: str) -> tuple[str, str] | None:
        """Split a value that names its attribute: "the shipping industry"."""
        noun, of, rest = value.partition(" of ")
        if not of:
            rest, _, noun = value.rpartition(" ")
        attribute = self.names.exact(noun) if rest and noun[:1].islower() else None
        return (rest, attribute) if attribute is not None else None

    def _by_noun(self, clause: str) -> Iterator[StatedSlot]:
        for said in named_values(clause):
            attribute = self._verbs.among(said.value) or self.names.of(said.noun)
            among = said.among and not said.ended and self.pack.cardinality(attribute) == "one"
            for value in self._each(said.value, attribute):
                yield _stated(said.subject, attribute, value, said.ended, among)
        for subject, noun, value in self._verbs.objects(clause):
            known = self.names.exact(noun)
            # "Ada remains director of Tolvex": what people hold has its holder elsewhere.
            if known is not None and not self._is_of_people(known):
                yield _stated(subject, known, value)

    def _each(self, value: str, attribute: str) -> Iterable[str]:
        several = self.pack.cardinality(attribute) == "many"
        return (value_of(each) for each in _LIST.split(value)) if several else (value,)


def _stated(subject: str, attribute: str, value: str, ended: bool = False, among: bool = False) -> StatedSlot:
    return StatedSlot(FactSlot(subject=subject, attribute=attribute, value=value), ended, among)


_NAME, _AMOUNT = LetterPattern(rf"(?:{PARTICLES} )?(?:{WORD}|{MAY_BEGIN_NAME})"), LetterPattern(rf"{CURRENCY}?\d")
_LIST = re.compile(r", and |, | and ")


def _is_name(value: str) -> bool:
    return _NAME.match(value) is not None and not names_nobody(value)


_SHAPES: Mapping[Shape, Callable[[str], bool]] = {
    "any": bool,
    "name": _is_name,
    "person": _is_name,
    "amount": lambda value: _AMOUNT.match(value) is not None,
}


def _told_apart(subject: str) -> set[str]:
    """Return a subject's numbers, or else its words."""
    return set(_NUMBER.findall(subject)) or set(stems(subject))


_NUMBER = re.compile(r"\d[\d.,:]*")
