"""Values of slots that follow from other slots, or end with them.

Nothing inferred is stored: it is worked out from what stood at the asked times, so that late documents, corrections and undo
hold for it as for what it rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from dateline.facts.fact import Derivation, FactJudgement, FactSlot, event_order, event_start, folded, slot_key
from dateline.facts.inference_rule import InferenceRule, Pattern, filled, is_place
from dateline.facts.slot_history import SlotPeriod
from dateline.facts.slots import SlotPack
from dateline.temporal.interval import Interval

_DEEPEST = 4
"""Rules that may rest on one another. Chosen by hand."""

_MOST = 256
"""Ways in which one rule may apply to one slot; what is beyond is not looked at. Chosen by hand."""


class _Wanted(NamedTuple):
    """Which periods of a slot are looked for.

    Attributes:
        value: only those with this value; `None`: with any.
        avoiding: none that rest on these slots, from which nothing new would follow.
    """

    value: str | None = None
    avoiding: frozenset[str] = frozenset()

    def has(self, value: str) -> bool:
        return self.value is None or folded(value) == folded(self.value)

    def takes(self, period: SlotPeriod) -> bool:
        return self.has(period.value) and self.avoiding.isdisjoint(period.rests_on)


_ALL = _Wanted()


@dataclass(frozen=True)
class Inference:
    """Reader of slots that follows the rules of a pack.

    Attributes:
        pack: attributes and rules.
        told: the periods of a slot, by subject and attribute, as they were told.
        holders: the subjects that were told to have a value of an attribute.

    Example:
        >>> from dateline.facts import ExactIndex, FactStore, MemoryLedger
        >>> from dateline.text.lexical import LexicalEmbeddings
        >>> store = FactStore(MemoryLedger(), index=ExactIndex(), embeddings=LexicalEmbeddings())
        >>> _ = store.remember("Ada Berg", attribute="spouse", value="Jon Holm", since="2019")
        >>> answer = store.value("Jon Holm", attribute="spouse", as_of="2020")
        >>> answer.value, answer.periods[0].derivation.rule
        ('Ada Berg', 'spouses have each other')
    """

    pack: SlotPack
    told: Callable[[str, str], Sequence[SlotPeriod]]
    holders: Callable[[str, str], Iterable[str]]
    _worked_out: dict[tuple[str, str, int, _Wanted], list[SlotPeriod]] = field(
        default_factory=dict, repr=False, compare=False
    )
    _listed: dict[tuple[str, str, int, frozenset[str]], list[str]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def periods(self, subject: str, attribute: str) -> list[SlotPeriod]:
        """List the values of a slot, told and inferred, by their beginnings."""
        return self._periods(subject, attribute, depth=_DEEPEST)

    def subjects(self, attribute: str, value: str) -> list[str]:
        """List the subjects that may have a value, told or inferred."""
        return self._subjects(attribute, value, depth=_DEEPEST)

    def _subjects(self, attribute: str, value: str, *, depth: int, avoiding: frozenset[str] = frozenset()) -> list[str]:
        goal = attribute, folded(value), depth, avoiding
        if goal not in self._listed:
            self._listed[goal] = self._list(attribute, value, depth=depth, avoiding=avoiding)
        return self._listed[goal]

    def _list(self, attribute: str, value: str, *, depth: int, avoiding: frozenset[str]) -> list[str]:
        found = {folded(each): each for each in self.holders(attribute, value)}
        for rule in self.pack.inferring(attribute) if depth > 0 else ():
            bound = _bind({}, rule.then[2], value)
            if bound is not None and rule.given:
                for way in islice(self._ways(rule.given, _Way(bound, avoiding=avoiding), depth=depth - 1), _MOST):
                    subject = filled(rule.then[0], way.bound)
                    found.setdefault(folded(subject or ""), subject or "")
        return [each for each in found.values() if each]

    def _periods(self, subject: str, attribute: str, *, depth: int, wanted: _Wanted = _ALL) -> list[SlotPeriod]:
        rule = self.pack.rule(attribute)
        # Values that replace each other are known only beside each other.
        sought = _ALL if rule is not None and rule.replaces else wanted
        goal = folded(subject), attribute, depth, sought
        if goal not in self._worked_out:
            self._worked_out[goal] = self._work_out(subject, attribute, depth=depth, wanted=sought)
        return [each for each in self._worked_out[goal] if wanted.takes(each)]

    def _work_out(self, subject: str, attribute: str, *, depth: int, wanted: _Wanted) -> list[SlotPeriod]:
        told = [each for each in self.told(subject, attribute) if wanted.takes(each)]
        rules = self.pack.inferring(attribute)
        if not rules or depth < 0:
            return told
        depth -= 1
        if depth < 0:
            # What was told ends with what was told, before anything follows from it.
            return [self._ended(each, rules, subject, depth=depth) for each in told]
        inferred = [found for rule in rules for found in self._inferred(rule, subject, depth=depth, wanted=wanted)]
        kept = told + [each for each in inferred if not any(_covers(other, each) for other in told)]
        kept = self._replaced(kept, attribute) if inferred else kept
        kept = [self._ended(each, rules, subject, depth=depth) for each in kept]
        kept = [self._doubted(each, rules, subject, depth=depth) for each in kept]
        return sorted(kept, key=lambda each: (*event_order(each.since), each.fact.id))

    def _inferred(self, rule: InferenceRule, subject: str, *, depth: int, wanted: _Wanted) -> Iterator[SlotPeriod]:
        bound = _bind({}, rule.then[0], subject)
        if wanted.value is not None and is_place(rule.then[2]):
            bound = _bind(bound, rule.then[2], wanted.value)
        if bound is None or not rule.given:
            return
        seen: set[tuple[str, Interval | None, Interval | None]] = set()
        start = self._way(rule, subject, bound, avoiding=wanted.avoiding)
        for way in islice(self._ways(rule.given, start, depth=depth), _MOST):
            value = filled(rule.then[2], way.bound) or ""
            mark = (folded(value), way.since, way.until)
            new = wanted.has(value) and folded(value) != folded(subject) and mark not in seen
            if new and not self._barred(rule, way, depth=depth):
                seen.add(mark)
                yield self._period(rule, FactSlot(subject=subject, attribute=rule.then[1], value=value), way)

    def _way(
        self, rule: InferenceRule, subject: str, bound: Mapping[str, str], *, avoiding: frozenset[str] = frozenset()
    ) -> _Way:
        return _Way(bound, goal=slot_key(subject, self.pack.name(rule.then[1])), avoiding=avoiding)

    def _barred(self, rule: InferenceRule, way: _Way, *, depth: int) -> bool:
        """Check that what a rule excludes holds while its premises do."""
        excluding = (found for each in rule.unless for found in self._ways([each], _Way(way.bound), depth=depth))
        return any(event_start(each.since) <= event_start(way.since) < _stops(each.until) for each in excluding)

    def _period(self, rule: InferenceRule, slot: FactSlot, way: _Way) -> SlotPeriod:
        return SlotPeriod(
            fact=self.pack.fact(slot),
            value=slot.value,
            since=way.since,
            until=way.until,
            affirmed=max((each.affirmed for each in way.premises), key=event_order),
            sources=tuple(dict.fromkeys(source for each in way.premises for source in each.sources)),
            began=max((each.began for each in way.premises if each.began), key=FactJudgement.order, default=None),
            rests_on=way.rests_on,
            derivation=way.derivation(rule),
        )

    def _ways(self, patterns: Sequence[Pattern], way: _Way, *, depth: int) -> Iterator[_Way]:
        """Yield the ways in which all patterns held at once."""
        if not patterns:
            yield way
            return
        # Whatever is known of a way is followed first: forwards from a subject, backwards from a value.
        known = next((each for each in patterns if way.name(each[0]) or way.name(each[2])), None)
        if known is None:
            return
        (subject, _, value), rest = known, [each for each in patterns if each is not known]
        for found, period, slot in self._matches(way, known, depth=depth):
            longer = way.taking(subject, found, value, period, slot=slot)
            if longer is not None:
                yield from self._ways(rest, longer, depth=depth)

    def _matches(self, way: _Way, pattern: Pattern, *, depth: int) -> Iterator[tuple[str, SlotPeriod, str]]:
        """Yield subjects, with their periods and slots, that fit a pattern."""
        subject, attribute, value = way.name(pattern[0]), self.pack.name(pattern[1]), way.name(pattern[2])
        subjects = (
            [subject]
            if subject is not None
            else self._subjects(attribute, value or "", depth=depth, avoiding=way.avoided)
        )
        for found in subjects:
            slot = slot_key(found, attribute)
            if slot not in way.avoiding:
                for period in self._periods(found, attribute, depth=depth, wanted=_Wanted(value, way.avoided)):
                    yield found, period, slot

    def _replaced(self, periods: Sequence[SlotPeriod], attribute: str) -> list[SlotPeriod]:
        """End each value where the next begins, of one at a time."""
        rule = self.pack.rule(attribute)
        if rule is None or not rule.replaces:
            return list(periods)
        return [
            _end(each, at=other.since, derivation=other.derivation or each.derivation)
            if (other := _next(each, periods)) is not None
            else each
            for each in periods
        ]

    def _ended(self, period: SlotPeriod, rules: Sequence[InferenceRule], subject: str, *, depth: int) -> SlotPeriod:
        """End a value where what it needs has ceased."""
        for rule in rules:
            bound = _bind(_bind({}, rule.then[0], subject), rule.then[2], period.value)
            if bound is None:
                continue
            barring = [
                way for each in rule.unless for way in islice(self._ways([each], _Way(bound), depth=depth), _MOST)
            ]
            first = min(barring, key=lambda way: event_start(way.since), default=None)
            if first is not None and event_start(period.since) < event_start(first.since) < _stops(period.until):
                period = _end(period, at=first.since, derivation=first.derivation(rule))
            if not rule.needed:
                continue
            ways = list(islice(self._ways(rule.needed, self._way(rule, subject, bound), depth=depth), _MOST))
            last = max(_needed(ways, since=period.since), key=lambda way: _stops(way.until), default=None)
            if last is not None and _stops(last.until) < _stops(period.until):
                period = _end(period, at=last.until, derivation=last.derivation(rule))
        return period

    def _doubted(self, period: SlotPeriod, rules: Sequence[InferenceRule], subject: str, *, depth: int) -> SlotPeriod:
        """Doubt a value told before that changed on which it rests.

        What follows from the change itself, where that is known, has ended it already.
        """
        if period.derivation is not None or period.until is not None:
            return period
        for rule in rules:
            for start, attribute, _ in () if rule.defines else rule.given[:1]:
                replaced = (known := self.pack.rule(attribute)) is not None and known.replaces
                if start != rule.then[0] or not replaced:
                    continue
                periods = self._periods(subject, self.pack.name(attribute), depth=depth)
                later = [each for each in periods[1:] if event_start(period.affirmed) < event_start(each.since)]
                if later:
                    doubt = Derivation(rule=rule.name, premises=(later[-1].fact,))
                    return period.model_copy(update={"doubted": doubt})
        return period


@dataclass(frozen=True)
class _Way:
    """A way in which patterns held, and when.

    Attributes:
        goal: the slot that it is to give a value, and on which no premise may rest.
        avoiding: slots on which the value itself may not rest.
    """

    bound: Mapping[str, str]
    since: Interval | None = None
    until: Interval | None = None
    premises: tuple[SlotPeriod, ...] = ()
    goal: str = ""
    avoiding: frozenset[str] = frozenset()
    rests_on: frozenset[str] = frozenset()

    @property
    def avoided(self) -> frozenset[str]:
        """Return the slots on which no premise may rest."""
        return self.avoiding | {self.goal} if self.goal else self.avoiding

    def name(self, term: str) -> str | None:
        return filled(term, self.bound)

    def taking(self, subject: str, found: str, value: str, period: SlotPeriod, *, slot: str) -> _Way | None:
        """Add a premise, or return nothing.

        It must have held beside the others.
        """
        bound = _bind(_bind(self.bound, subject, found), value, period.value)
        since = max(self.since, period.since, key=event_start)
        until = min(self.until, period.until, key=_stops)
        if bound is None or _stops(until) <= event_start(since):
            return None
        premises, rests_on = (*self.premises, period), self.rests_on | period.rests_on | {slot}
        return _Way(bound, since, until, premises, self.goal, self.avoiding, rests_on)

    def derivation(self, rule: InferenceRule) -> Derivation:
        return Derivation(rule=rule.name, premises=tuple({each.fact.id: each.fact for each in self.premises}.values()))


def _needed(ways: Sequence[_Way], *, since: Interval | None) -> list[_Way]:
    """List the ways in which a need was first met."""
    later = [way for way in ways if _stops(way.until) > event_start(since)]
    first = min((max(event_start(way.since), event_start(since)) for way in later), default=0)
    met = [way.bound for way in later if event_start(way.since) <= first]
    return [way for way in later if way.bound in met]


def _bind(bound: Mapping[str, str] | None, term: str, name: str) -> Mapping[str, str] | None:
    """Let a term stand for a name; nothing where it cannot."""
    if bound is None:
        return None
    known = filled(term, bound)
    if known is None:
        return {**bound, term: name}
    return bound if folded(known) == folded(name) else None


def _stops(when: Interval | None) -> float:
    return float("inf") if when is None else event_start(when)


def _covers(period: SlotPeriod, other: SlotPeriod) -> bool:
    """Check that a period says all that another one says."""
    return (
        folded(period.value) == folded(other.value)
        and event_start(period.since) <= event_start(other.since)
        and _stops(other.until) <= _stops(period.until)
    )


def _next(period: SlotPeriod, periods: Sequence[SlotPeriod]) -> SlotPeriod | None:
    """Return the first other value that began while one held."""
    others = (
        each
        for each in periods
        if folded(each.value) != folded(period.value)
        and event_start(period.since) < event_start(each.since) < _stops(period.until)
    )
    return min(others, key=lambda each: event_order(each.since), default=None)


def _end(period: SlotPeriod, *, at: Interval | None, derivation: Derivation | None) -> SlotPeriod:
    return period.model_copy(update={"until": at, "ended_by": derivation})
