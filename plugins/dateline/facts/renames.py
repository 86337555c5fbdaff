"""A subject's other names; facts of one count for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dateline.facts.fact import Derivation, Fact, Moment, event_start, folded, last_second
from dateline.facts.slot_history import SlotPeriod, by_beginning, stops
from dateline.temporal.interval import Interval, beginning

NAME = "name"
"""The attribute by whose values subjects are renamed."""

_MOST = 16
"""Names of one subject that are followed. Chosen by hand."""


class OtherName(NamedTuple):
    """Name under which values of a subject were told, too.

    Attributes:
        since: what held under it at some time from then on is the subject's; `None`: all of it.
        until: up to then; `None`: up to now.
        renamings: in words, with the facts that tell them.
        left: when a later name took its place; what took it over afterwards is something else.
    """

    name: str
    since: Interval | None = None
    until: Interval | None = None
    renamings: tuple[tuple[str, Fact], ...] = ()
    left: Interval | None = None

    def has(self, period: SlotPeriod) -> bool:
        """Check that a value held while the subject had this name."""
        return event_start(self.since) < stops(period.until) and event_start(period.since) < stops(self.until)

    def had(self, when: Interval | None) -> bool:
        """Check that the subject had this name on a day, if dated."""
        return when is None or (event_start(self.since) <= last_second(when) and event_start(when) <= stops(self.until))

    def taking(self, period: SlotPeriod) -> SlotPeriod:
        """Return a value that is told under this name as the subject's."""
        words, facts = zip(*self.renamings, strict=True)
        return period.model_copy(update={"renamed": Derivation(rule=", ".join(words), premises=facts)})


@dataclass(frozen=True)
class Renames:
    """Finder of the other names that subjects had by a time.

    A subject's new names count from their day on, its old ones always. A name that two subjects were given tells of neither.
    What renamed a name before the subject had it was about something else.

    Attributes:
        names: the names of a subject, as they were told.
        bearers: the subjects that were ever told to have a name.

    Example:
        >>> from dateline.facts.slots import SlotPack
        >>> from dateline.facts.fact import FactSlot
        >>> fact = SlotPack.shipped().fact(FactSlot(subject="Twitter", attribute="name", value="X"))
        >>> told = {"Twitter": [SlotPeriod(fact=fact, value="X", since=Interval.of_year(2023))]}
        >>> renames = Renames(lambda subject: told.get(subject, []), lambda name: ["Twitter"] if name == "X" else [])
        >>> [(each.name, each.renamings[0][0]) for each in renames.of("Twitter", as_of=None)]
        [('X', 'Twitter is named X since 2023')]
        >>> renames.of("Twitter", as_of=Interval.of_year(2022)), [each.name for each in renames.of("X", as_of=None)]
        ([], ['Twitter'])
    """

    names: Callable[[str], Sequence[SlotPeriod]]
    bearers: Callable[[str], Sequence[str]]

    def told(
        self, subject: str, *, under: Callable[[str], Sequence[SlotPeriod]], as_of: Moment | None
    ) -> list[SlotPeriod]:
        """List what was told of a subject under all its names.

        Args:
            under: what was told under one name.
        """
        others = [
            other.taking(period)
            for other in self.of(subject, as_of=as_of)
            for period in under(other.name)
            if other.has(period)
        ]
        return by_beginning([*under(subject), *others]) if others else list(under(subject))

    def of(self, subject: str, *, as_of: Moment | None) -> list[OtherName]:
        """List a subject's other names, however often it was renamed."""
        found = {folded(subject): OtherName(subject)}
        # Later names come first: in a circle they were taken by then.
        for step in (self._later, self._earlier, self._later):
            after = list(found.values())
            while after and len(found) < _MOST:
                for other in step(after.pop(0), as_of):
                    if folded(other.name) not in found:
                        found[folded(other.name)] = other
                        after.append(other)
        return [each for each in found.values() if each.renamings]

    def _later(self, known: OtherName, as_of: Moment | None) -> Iterator[OtherName]:
        for period in self.names(known.name):
            begun = as_of is None or event_start(period.since) <= last_second(as_of)
            if begun and known.had(period.since) and len(self._bearers(period.value)) == 1:
                yield OtherName(
                    period.value, period.since, period.until, (*known.renamings, _renaming(known.name, period))
                )

    def _earlier(self, known: OtherName, _: Moment | None) -> Iterator[OtherName]:
        bearers = self._bearers(known.name)
        for bearer in bearers if len(bearers) == 1 else ():
            for period in self._named(bearer, known.name):
                if known.left is None or event_start(period.since) <= last_second(known.left):
                    renamings = (*known.renamings, _renaming(bearer, period))
                    yield OtherName(bearer, renamings=renamings, left=period.since)

    def _bearers(self, name: str) -> list[str]:
        """List the subjects that had a name by what is known."""
        every = list(self.bearers(name))
        if len(every) > _MOST:  # a name of so many tells of nobody
            return every
        some = [bearer for bearer in every if self._named(bearer, name)]
        # What is itself a name of another bearer is the same subject.
        others = {folded(period.value) for bearer in some for period in self.names(bearer)}
        return [bearer for bearer in some if folded(bearer) not in others] or some

    def _named(self, bearer: str, name: str) -> list[SlotPeriod]:
        return [period for period in self.names(bearer) if folded(period.value) == folded(name)]


def _renaming(old: str, period: SlotPeriod) -> tuple[str, Fact]:
    return f"{old} is named {period.value} since {beginning(period.since)}", period.fact
