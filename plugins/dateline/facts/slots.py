"""Attributes as declared: how many values, and how fast they change."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, TypeAdapter, ValidationError

from dateline.errors import BadInput
from dateline.facts.fact import Fact, FactSlot, folded, slot_key
from dateline.facts.inference_rule import InferenceRule
from dateline.files import expanded
from dateline.handwritten.facts.statement import Statement
from dateline.records import Record
from dateline.temporal.interval import DAY

Cardinality = Literal["one", "many"]
"""How many values an attribute has at one time."""

Shape = Literal["any", "name", "person", "amount"]
"""What the values of an attribute look like in sentences."""

Pace = Literal["never", "years", "months", "days"]
"""The time in which a value may change; one that never does is only ever contested."""

LASTS: Mapping[Pace, int] = {"years": 5 * 366 * DAY, "months": 366 * DAY, "days": 30 * DAY}
"""Seconds after which a value that nobody told again counts as stale. Chosen by hand."""

_SHIPPED = Path(__file__).parent / "data" / "slots.toml"
_PART = re.compile(r"\{(\w+)\}")
_ONE, _SEVERAL = "The {attribute} of {subject} is {value}.", "One {attribute} of {subject} is {value}."
_ATTRIBUTE = "attribute:"

ImportTag = Literal["about", "relation", "metadata", "categories", "attributes"]
"""With what the tags of imported facts begin."""

_NO_SLOTS = (_ATTRIBUTE, *(f"{name}{mark}" for name in get_args(ImportTag) for mark in ":."))
"""Beginnings of tags that name no slot."""

_STAND_INS = ("Ada Berg", "12")
"""A name and a number: values by which it is told which slot the sentence of an attribute fills."""


class AttributeRule(Record):
    """Declaration of one attribute.

    Attributes:
        values: how many it has at one time.
        changes: in which time they may change.
        aliases: its other names.
        verbs: what stands between subject and value ("lives in").
        inverse: what stands between value and subject ("leads", of a team's head).
        among: values that tell the attribute by themselves.
        shape: what its values look like in sentences: names begin with a capital letter, amounts with a number; a person has a
            name, and may be called by a part of it.
        text: the sentence that states it.
    """

    values: Cardinality
    changes: Pace = "years"
    aliases: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    inverse: tuple[str, ...] = ()
    among: tuple[str, ...] = ()
    shape: Shape = "any"
    text: Annotated[str, Field(pattern=r"\{subject\}.*\{value\}|\{value\}.*\{subject\}")] | None = None

    @property
    def replaces(self) -> bool:
        """A newer value ends the older one."""
        return self.values == "one" and self.changes != "never"


_RULES = TypeAdapter(dict[str, AttributeRule])
_INFERENCES = TypeAdapter(tuple[InferenceRule, ...])


@dataclass(frozen=True)
class SlotPack:
    """Attributes that are declared, by name.

    Attributes:
        rules: declarations by the attribute's own name.
        inferences: what follows from what.

    Example:
        >>> pack = SlotPack.shipped()
        >>> pack.name("Phone  number"), pack.rule("members").values, pack.rule("mentor")
        ('phone', 'many', None)
    """

    rules: Mapping[str, AttributeRule]
    inferences: tuple[InferenceRule, ...] = ()

    @classmethod
    def shipped(cls) -> Self:
        """Return the attributes and rules that come with the library."""
        return cls(*_shipped())

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read attributes and rules from a TOML file, over the shipped ones.

        A rule takes the place of the shipped one of its name.

        Raises:
            BadInput: when it cannot be read, or declares something else.
        """
        shipped, (rules, inferences) = cls.shipped(), _read(expanded(path))
        own = {rule.name: rule for rule in (*shipped.inferences, *inferences)}
        return cls({**shipped.rules, **rules}, tuple(own.values()))

    def name(self, attribute: str) -> str:
        """Return an attribute's own name, which an undeclared one has already."""
        name = folded(attribute)
        return name if name in self.rules else self._aliases.get(name, name)

    def names(self, attribute: str) -> tuple[str, ...]:
        """List an attribute's names, its own first.

        What was told before it was declared stands under another of them.
        """
        own = self.name(attribute)
        return self._names.get(own, (own,))

    def rule(self, attribute: str) -> AttributeRule | None:
        """Find an attribute's declaration by any of its names."""
        return self.rules.get(self.name(attribute))

    def cardinality(self, attribute: str) -> Cardinality | None:
        """Return how many values an attribute is declared to have, if any."""
        rule = self.rule(attribute)
        return None if rule is None else rule.values

    def replaces(self, attribute: str) -> bool:
        """Check for an attribute declared to give up its older value."""
        rule = self.rule(attribute)
        return rule is not None and rule.replaces

    def inferring(self, attribute: str) -> tuple[InferenceRule, ...]:
        """List the rules that give an attribute values, or end them."""
        return tuple(rule for rule in self.inferences if self.name(rule.then[1]) == self.name(attribute))

    @property
    def in_rules(self) -> frozenset[str]:
        """Return the attributes of all rules."""
        patterns = (each for rule in self.inferences for each in (rule.then, *rule.premises, *rule.unless))
        return frozenset(self.name(attribute) for _, attribute, _ in patterns)

    def fact(self, slot: FactSlot) -> Fact:
        """Build the fact that states a value, in words and as fields.

        It carries the tags of its slot: its own, and that of documents that state it as the sentence does.
        """
        slot = self.own(slot)
        read = None if self.cardinality(slot.attribute) == "many" else Statement.read(self._text(slot)).slot
        return Fact.make(self._text(slot), tags=(*told_tags(slot), *([read] if read else [])), slot=slot)

    def own(self, slot: FactSlot) -> FactSlot:
        """Return a slot under its attribute's own name."""
        own = self.name(slot.attribute)
        return slot if own == slot.attribute else slot.model_copy(update={"attribute": own})

    def keys(self, subject: str, attribute: str) -> tuple[str, ...]:
        """Return the tags of a slot, by every name of its attribute."""
        return tuple(slot_key(subject, each) for each in self.names(attribute))

    def attribute_tags(self, attribute: str) -> tuple[str, ...]:
        """Return the tags of an attribute's facts, by every name of it."""
        return tuple(map(attribute_tag, self.names(attribute)))

    def value_tags(self, attribute: str, value: str) -> tuple[str, ...]:
        """Return the tags of facts with a value, by every name."""
        return tuple(value_tag(each, value) for each in self.names(attribute))

    def tags(self, subject: str, attribute: str) -> tuple[str, ...]:
        """Return the tags under which values of a slot are found."""
        slots = (FactSlot(subject=subject, attribute=attribute, value=value) for value in _STAND_INS)
        tags = dict.fromkeys(tag for slot in slots for tag in slot_tags(self.fact(slot)))
        return tuple(dict.fromkeys([*self.keys(subject, attribute), *tags]))

    @cached_property
    def _aliases(self) -> Mapping[str, str]:
        return {folded(alias): name for name, rule in self.rules.items() for alias in (*rule.aliases, *rule.verbs)}

    @cached_property
    def _names(self) -> Mapping[str, tuple[str, ...]]:
        others = {name: [alias for alias, own in self._aliases.items() if own == name] for name in self.rules}
        return {name: (name, *(each for each in some if each not in self.rules)) for name, some in others.items()}

    def _text(self, slot: FactSlot) -> str:
        rule = self.rule(slot.attribute)
        text = (rule.text if rule is not None else None) or (
            _SEVERAL if self.cardinality(slot.attribute) == "many" else _ONE
        )
        parts = slot.model_dump()
        return _PART.sub(lambda part: parts.get(part[1], part[0]), text)


def told_tags(slot: FactSlot) -> tuple[str, ...]:
    """Return the tags of a fact that gives a slot a value."""
    return slot.key, attribute_tag(slot.attribute), value_tag(slot.attribute, slot.value)


def attribute_tag(attribute: str) -> str:
    """Return the tag of all facts of an attribute, whatever the subject."""
    return f"{_ATTRIBUTE}{folded(attribute)}"


def value_tag(attribute: str, value: str) -> str:
    """Return the tag of facts that give any subject a value."""
    return f"{attribute_tag(attribute)}={folded(value)}"


def slot_tags(fact: Fact) -> tuple[str, ...]:
    """Return the tags of a fact that name its slots."""
    return tuple(tag for tag in fact.tags if not tag.startswith(_NO_SLOTS))


@cache
def _shipped() -> tuple[Mapping[str, AttributeRule], tuple[InferenceRule, ...]]:
    return _read(_SHIPPED)


def _read(path: Path) -> tuple[Mapping[str, AttributeRule], tuple[InferenceRule, ...]]:
    try:
        declared: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as cause:
        raise BadInput(f"Cannot read the attributes in {path}: {cause}.") from cause
    try:
        inferences = _INFERENCES.validate_python(declared.pop("inference", ()))
    except ValidationError as cause:
        where, why = _fault(cause)
        raise BadInput(
            f'{path} does not declare an inference at {where}: {why}; write name = "…", then = ["X", "attribute", "Y"] and '
            'given (or needs) = [["X", "attribute", "Z"], …].'
        ) from cause
    try:
        return {folded(name): rule for name, rule in _RULES.validate_python(declared).items()}, inferences
    except ValidationError as cause:
        where, why = _fault(cause)
        raise BadInput(
            f'{path} does not declare an attribute at {where}: {why}; write values = "one" or "many", changes = '
            '"never", "years", "months" or "days", aliases = […], text = "… {subject} … {value} …".'
        ) from cause


def _fault(cause: ValidationError) -> tuple[str, str]:
    """Return where a declaration is at fault, and why."""
    (first, *_) = cause.errors()
    return ".".join(map(str, first["loc"])), first["msg"]
