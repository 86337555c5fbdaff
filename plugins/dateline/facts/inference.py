"""Values of slots that follow from other slots, or end with them.

Nothing inferred is stored: it is worked out from what stood at the asked times, so that late documents, corrections and undo
hold for it as for what it rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

from dateline.facts.fact import Derivation, FactJudgement, FactSlot, event_order, event_start, folded, slot_key
from dateline.facts.inference_rule import InferenceRule, Pattern, filled, is_place
from dateline.facts.slot_history import SlotPeriod, by_beginning, give_way, stops
from dateline.facts.slots import SlotPack
from dateline.temporal.interval import Interval

_DEEPEST = 4
"""Rules that may rest on one another. Chosen by hand."""

_MOST = 256
"""Ways in which one rule may apply to one slot; what is beyond is not looked at, as docs/facts.md says. Chosen by hand."""


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
        # Values that replace each other are known only beside each other.
        sought = _ALL if self.pack.replaces(attribute) else wanted
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
        told = [self._ended(each, rules, subject, depth=depth) for each in told]
        if depth < 0:
            # What was told ends with what was told, before anything follows from it.
            return told
        found = [each for rule in rules for each in self._inferred(rule, subject, depth=depth, wanted=wanted)]
        inferred = [self._ended(each, rules, subject, depth=depth) for each in found]
        kept = told + [each for each in inferred if not any(_covers(other, each) for other in told)]
        kept = give_way(kept) if inferred and self.pack.replaces(attribute) else kept
        kept = [self._doubted(each, rules, subject, depth=depth) for each in kept]
        return by_beginning(kept)

    def _inferred(self, rule: InferenceRule, subject: str, *, depth: int, wanted: _Wanted) -> Iterator[SlotPeriod]:
        bound = _bind({}, rule.then[0], subject)
        if wanted.value is not None and is_place(rule.then[2]):
            bound = _bind(bound, rule.then[2], wanted.value)
        if bound is None or not rule.given:
            return
        seen: set[tuple[str, Interval | None, Interval | None]] = set()
        start = self._way(rule, subject, bound, avoiding=wanted.avoiding)
        for way in self._held(rule, rule.given, start, depth=depth):
            value = filled(rule.then[2], way.bound) or ""
            mark = (folded(value), way.since, way.until)
            if wanted.has(value) and folded(value) != folded(subject) and mark not in seen:
                seen.add(mark)
                yield self._period(rule, FactSlot(subject=subject, attribute=rule.then[1], value=value), way)

    def _way(
        self, rule: InferenceRule, subject: str, bound: Mapping[str, str], *, avoiding: frozenset[str] = frozenset()
    ) -> _Way:
        return _Way(bound, goal=slot_key(subject, self.pack.name(rule.then[1])), avoiding=avoiding)

    def _held(self, rule: InferenceRule, patterns: Sequence[Pattern], start: _Way, *, depth: int) -> Iterator[_Way]:
        """Yield ways in which patterns held at once and no exception did."""
        for way in islice(self._ways(patterns, start, depth=depth), _MOST):
            yield from way.outside(
                [bar for each in rule.unless for bar in self._ways([each], _Way(way.bound), depth=depth)], rule
            )

    def _period(self, rule: InferenceRule, slot: FactSlot, way: _Way) -> SlotPeriod:
        return SlotPeriod(
            fact=self.pack.fact(slot),
            value=slot.value,
            since=way.since,
            until=way.until,
            ended_by=way.ended_by,
            affirmed=min((each for each in way.affirmed if each is not None), key=event_order, default=None),
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
        rule, rest = self.pack.rule(known[1]), [each for each in patterns if each is not known]
        lasts = rule is not None and rule.changes == "never"
        for found, period, slot in self._matches(way, known, depth=depth):
            longer = way.taking(known, found, period, slot=slot, lasts=lasts)
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

    def _ended(self, period: SlotPeriod, rules: Sequence[InferenceRule], subject: str, *, depth: int) -> SlotPeriod:
        """End a value where what it needs has ceased."""
        for rule in rules:
            bound = _bind(_bind({}, rule.then[0], subject), rule.then[2], period.value)
            if bound is None or not rule.needed:
                continue
            ways = list(self._held(rule, rule.needed, self._way(rule, subject, bound), depth=depth))
            last = _last_needed(ways, since=period.since, affirmed=period.affirmed)
            if last is not None and stops(last.until) < stops(period.until):
                period = period.ended(at=last.until, derivation=last.ended_by or last.derivation(rule))
        return period

    def _doubted(self, period: SlotPeriod, rules: Sequence[InferenceRule], subject: str, *, depth: int) -> SlotPeriod:
        """Doubt a value told before that changed on which it rests.

        What follows from the change itself, where that is known, has ended it already.
        """
        if period.derivation is not None or period.until is not None:
            return period
        for rule in rules:
            for start, attribute, _ in () if rule.defines else rule.given[:1]:
                if start != rule.then[0] or not self.pack.replaces(attribute):
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
        affirmed: when each premise that may change was last said to hold.
        ended_by: what ended it while all premises held.
    """

    bound: Mapping[str, str]
    since: Interval | None = None
    until: Interval | None = None
    premises: tuple[SlotPeriod, ...] = ()
    goal: str = ""
    avoiding: frozenset[str] = frozenset()
    rests_on: frozenset[str] = frozenset()
    affirmed: tuple[Interval | None, ...] = ()
    ended_by: Derivation | None = None

    @property
    def avoided(self) -> frozenset[str]:
        """Return the slots on which no premise may rest."""
        return self.avoiding | {self.goal} if self.goal else self.avoiding

    def name(self, term: str) -> str | None:
        return filled(term, self.bound)

    def taking(self, pattern: Pattern, subject: str, period: SlotPeriod, *, slot: str, lasts: bool) -> _Way | None:
        """Add a premise, or return nothing.

        It must have held beside the others.
        """
        bound = _bind(_bind(self.bound, pattern[0], subject), pattern[2], period.value)
        since = max(self.since, period.since, key=event_start)
        until = min(self.until, period.until, key=stops)
        if bound is None or stops(until) <= event_start(since):
            return None
        return replace(
            self,
            bound=bound,
            since=since,
            until=until,
            premises=(*self.premises, period),
            rests_on=self.rests_on | period.rests_on | {slot},
            affirmed=self.affirmed if lasts else (*self.affirmed, period.affirmed),
        )

    def outside(self, others: Iterable[_Way], rule: InferenceRule) -> Iterator[_Way]:
        """Yield what is left of its time outside that of others."""
        since = self.since
        beside = [each for each in others if event_start(each.since) < stops(self.until)]
        for other in sorted(beside, key=lambda each: event_start(each.since)):
            if event_start(since) < event_start(other.since):
                yield replace(self, since=since, until=other.since, ended_by=other.derivation(rule))
            if other.until is None:
                return
            since = max(since, other.until, key=event_start)
        if event_start(since) < stops(self.until):
            yield replace(self, since=since)

    def derivation(self, rule: InferenceRule) -> Derivation:
        return Derivation(rule=rule.name, premises=tuple({each.fact.id: each.fact for each in self.premises}.values()))


def _last_needed(ways: Sequence[_Way], *, since: Interval | None, affirmed: Interval | None) -> _Way | None:
    """Return the way with which a need, once met, ceased to be.

    Args:
        since: when what needs it began.
        affirmed: when that was last said to hold: no lapse before then has ended it, if the need was met again.
    """
    later = sorted(
        (way for way in ways if stops(way.until) > event_start(since)), key=lambda way: event_start(way.since)
    )
    first = min((max(event_start(way.since), event_start(since)) for way in later), default=0)
    met = [way.bound for way in later if event_start(way.since) <= first]
    last: _Way | None = None
    for way in (each for each in later if each.bound in met):
        goes_on = last is None or event_start(way.since) <= stops(last.until) < stops(way.until)
        if goes_on or (last is not None and stops(last.until) <= event_start(affirmed) < stops(way.until)):
            last = way
    return last


def _bind(bound: Mapping[str, str] | None, term: str, name: str) -> Mapping[str, str] | None:
    """Let a term stand for a name; nothing where it cannot."""
    if bound is None:
        return None
    known = filled(term, bound)
    if known is None:
        return {**bound, term: name}
    return bound if folded(known) == folded(name) else None


def _covers(period: SlotPeriod, other: SlotPeriod) -> bool:
    """Check that a period says all that another one says."""
    return (
        folded(period.value) == folded(other.value)
        and event_start(period.since) <= event_start(other.since)
        and stops(other.until) <= stops(period.until)
    )
