"""Rules of what follows from what, as declared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from dateline.records import Record

Pattern = tuple[str, str, str]
"""Subject, attribute and value; a single capital letter stands for anything, the same letter for the same. In a subject or value
of several words it stands in braces: "{T} at {E}"."""

_IN_BRACES = re.compile(r"\{(\w)\}")


class InferenceRule(Record):
    """Rule by which values of slots follow, or end.

    Attributes:
        name: shown with what it infers.
        then: what follows. Its subject and value are never the same.
        given: `then` holds while all of these do.
        unless: it does not follow while one of these holds too.
        defines: nothing else gives it: what was told of `then` ends where that, having followed, ceases to.
        needs: what stands as `then` ends where these, as they held when it began or first after, cease to hold together;
            what never held ends nothing, nor does a lapse before it was last told, if they came back.

    Example:
        >>> given = [["X", "team", "T"], ["T", "location", "P"]]
        >>> rule = InferenceRule(name="works where the team is", given=given, then=["X", "workplace", "P"])
        >>> rule.then[1], is_place(rule.then[2]), is_place("Porto")
        ('workplace', True, False)
    """

    name: Annotated[str, Field(min_length=1)]
    then: Pattern
    given: tuple[Pattern, ...] = ()
    unless: tuple[Pattern, ...] = ()
    defines: bool = False
    needs: tuple[Pattern, ...] = ()

    @property
    def premises(self) -> tuple[Pattern, ...]:
        return self.given or self.needs

    @property
    def needed(self) -> tuple[Pattern, ...]:
        """Return what `then` ends with."""
        return self.given if self.defines else self.needs

    @model_validator(mode="after")
    def _chained(self) -> Self:
        """Check that each premise hangs together with what is known before it."""
        if bool(self.given) == bool(self.needs):
            raise ValueError("a rule has either given or needs")
        if self.needs and (self.unless or self.defines):
            raise ValueError("unless and defines go with given")
        known = {self.then[0], *(self.then[::2] if self.needs else ())}
        for subject, _, value in self.premises:
            if not known & {subject, value} and is_place(subject) and is_place(value):
                raise ValueError(
                    f"nothing before tells what {subject} or {value} stands for; put the premises in order"
                )
            unknown = (places(subject) | places(value)) - {subject, value} - known
            if unknown:
                raise ValueError(f"nothing before tells what {unknown.pop()} stands for; put the premises in order")
            known |= {subject, value}
        strange = {place for subject, _, value in self.unless for place in places(subject) | places(value)} - known
        if strange:
            raise ValueError(f"no premise tells what {strange.pop()} stands for")
        if is_place(self.then[2]) and self.then[2] not in known:
            raise ValueError(f"no premise tells what {self.then[2]} stands for")
        return self


def is_place(term: str) -> bool:
    """Check that a term of a pattern stands for anything."""
    return len(term) == 1 and term.isupper()


def places(term: str) -> set[str]:
    """Return the letters of a term that stand for anything."""
    return {term} if is_place(term) else set(filter(is_place, _IN_BRACES.findall(term)))


def filled(term: str, bound: Mapping[str, str]) -> str | None:
    """Return what a term stands for; nothing where that is not known."""
    if is_place(term):
        return bound.get(term)
    return _IN_BRACES.sub(lambda found: bound.get(found[1], found[0]), term)
