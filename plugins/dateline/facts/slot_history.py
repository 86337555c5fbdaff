"""Values of a slot over time, and answers about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import combinations, groupby

from pydantic import Field

from dateline.facts.fact import (
    Derivation,
    Fact,
    FactHistory,
    FactJudgement,
    Moment,
    event_order,
    event_start,
    folded,
    last_second,
)
from dateline.facts.rivals import compare, is_rival
from dateline.facts.slot_reader import SlotReader
from dateline.facts.slots import Cardinality
from dateline.handwritten.facts.statement import Statement
from dateline.records import Record
from dateline.temporal.interval import Interval, beginning
from dateline.text.words import stems


class SlotPeriod(Record):
    """Stretch of time over which a slot had a value."""

    fact: Fact
    value: str
    since: Interval | None = Field(description="None: nobody said from when on.")
    until: Interval | None = Field(default=None, description="From when on it no longer held; None: not told.")
    lasting: bool = Field(default=False, description="It was told to hold until a day still to come.")
    affirmed: Interval | None = Field(default=None, description="When it was last said to hold, of what was read.")
    sources: tuple[str, ...] = Field(default=(), description="Whose word it is.")
    began: FactJudgement | None = Field(default=None, description="The word by which it began.")
    rests_on: frozenset[str] = Field(default=frozenset(), description="Keys of all slots that it follows from.")
    derivation: Derivation | None = Field(default=None, description="What it follows from; None: it was told.")
    ended_by: Derivation | None = Field(default=None, description="What its end follows from; None: that was told.")
    doubted: Derivation | None = Field(default=None, description="What changed since, on which it rested by a rule.")
    renamed: Derivation | None = Field(default=None, description="Why a value of another name is one of this subject.")

    def ended(self, *, at: Interval | None, derivation: Derivation | None) -> SlotPeriod:
        """Return the period with an end that follows from something."""
        return self.model_copy(update={"until": at, "ended_by": derivation})


class SlotHistory(Record):
    """Values that a subject's attribute had, by when each began."""

    subject: str
    attribute: str
    cardinality: Cardinality | None = Field(description="Declared or learnt; None: not known.")
    periods: tuple[SlotPeriod, ...] = ()


class SlotAnswer(Record):
    """Values that a slot had at a time.

    Attributes:
        value: the only value; `None` where there are none or several.

    Example:
        >>> SlotAnswer(subject="Lund", attribute="mayor", as_of="2019", known_from=Interval.of_year(2021)).describe()
        'Nothing is known of the mayor of Lund as of 2019: it is known only from 2021 on.'
    """

    subject: str
    attribute: str
    as_of: str
    periods: tuple[SlotPeriod, ...] = Field(default=(), description="The values that held then.")
    contested: bool = Field(default=False, description="They cannot hold together, and nothing tells which does.")
    stale: bool = Field(default=False, description="They were last said to hold longer ago than such values last.")
    known_until: Interval | None = Field(default=None, description="Where none held: when the last one before ended.")
    known_from: Interval | None = Field(default=None, description="Where none held: when the first one after began.")

    @property
    def values(self) -> tuple[str, ...]:
        """Each value once, however often and in whatever words it was told."""
        kept: list[SlotPeriod] = []
        for period in self.periods:
            if not any(_says_again(period, other) for other in kept):
                kept.append(period)
        return tuple(period.value for period in kept)

    @property
    def value(self) -> str | None:
        return self.values[0] if len(self.values) == 1 else None

    def describe(self) -> str:
        """Answer in words, also where nothing of that time is known."""
        if self.periods:
            told = " ".join(map(_shown, self.periods))
            told += " Contested: these cannot hold together." if self.contested else ""
            last = max((each.affirmed for each in self.periods), key=event_order)
            return f"{told} Perhaps no longer: last told of {last}." if self.stale else told
        known = {
            "known until": self.known_until,
            "again from" if self.known_until is not None else "known only from": self.known_from,
        }
        told = " and ".join(f"{words} {when}" for words, when in known.items() if when is not None)
        told += " on" if self.known_from is not None else ""
        nothing = f"Nothing is known of the {self.attribute} of {self.subject} as of {self.as_of}"
        return f"{nothing}: it is {told}." if told else f"{nothing}."


class FactTurn(Record):
    """Fact that became true, or ceased to be, on its day."""

    fact: Fact
    true: bool
    when: Interval | None
    document: str


def _says_again(period: SlotPeriod, other: SlotPeriod) -> bool:
    return folded(period.value) == folded(other.value) or compare(period.fact, other.fact) == "same"


def are_contested(facts: Iterable[Fact], *, slots: SlotReader) -> bool:
    """Check that two facts give one slot two values."""
    return any(is_rival(fact, other, slots=slots) for fact, other in combinations(facts, 2))


def periods_of(
    values: Iterable[tuple[FactHistory, str]], *, known_at: datetime | None, as_of: Moment | None = None
) -> list[SlotPeriod]:
    """List the stretches over which facts gave these values."""
    return by_beginning(period for history, value in values for period in _periods(history, value, as_of, known_at))


def by_beginning(periods: Iterable[SlotPeriod]) -> list[SlotPeriod]:
    """List periods in the order in which they began."""
    return sorted(periods, key=lambda each: (*event_order(each.since), each.fact.id))


def told_again(periods: Sequence[SlotPeriod]) -> list[SlotPeriod]:
    """List periods, and anew each told again after another name's value."""
    again = [each.model_copy(update={"since": each.affirmed}) for each in periods if _was_replaced(each, periods)]
    return by_beginning([*periods, *again])


def _was_replaced(period: SlotPeriod, periods: Sequence[SlotPeriod]) -> bool:
    """Check that another name's value came before it was told again."""
    return event_start(period.affirmed) < stops(period.until) and any(
        event_start(period.since) < event_start(told) < event_start(period.affirmed)
        for each in periods
        if each.renamed != period.renamed and folded(each.value) != folded(period.value)
        for told in (each.since, each.affirmed)
    )


def give_way(periods: Sequence[SlotPeriod]) -> list[SlotPeriod]:
    """End each value where the next begins."""
    return [
        each
        if (other := _next(each, periods)) is None
        else each.ended(at=other.since, derivation=other.derivation or each.derivation or other.renamed or each.renamed)
        for each in periods
    ]


def _next(period: SlotPeriod, periods: Sequence[SlotPeriod]) -> SlotPeriod | None:
    """Return the first other value that began while one held."""
    others = (
        each
        for each in periods
        if folded(each.value) != folded(period.value)
        and event_start(period.since) < event_start(each.since) < stops(period.until)
    )
    return min(others, key=lambda each: event_order(each.since), default=None)


def stops(when: Interval | None) -> float:
    """Return the second at which a period ends; one may never."""
    return float("inf") if when is None else event_start(when)


def turns_of(history: FactHistory, *, window: tuple[int, int], known_at: datetime | None) -> list[FactTurn]:
    """List a fact's turns between two seconds, both included."""
    turns: list[FactTurn] = []
    true: bool | None = None
    for start, entries in _by_start(history, None, known_at):
        turned, true = (true or False) is not entries[-1].true, entries[-1].true
        if turned and window[0] <= start <= window[1]:
            last = entries[-1]
            turns.append(FactTurn(fact=history.fact, true=true, when=_day(last.when), document=last.document))
    return turns


def answer(
    periods: Sequence[SlotPeriod],
    *,
    ever: Callable[[], Iterable[SlotPeriod]],
    slot: tuple[str, str],
    as_of: Moment,
    many: bool,
    lasts: int | None,
    reader: SlotReader,
) -> SlotAnswer:
    """Tell the values at a moment, or when some are known.

    Args:
        periods: what was told and inferred of the time up to that moment.
        ever: the same of all time; only asked where no value held.
        slot: subject and attribute.
        many: values of the slot hold beside each other.
        lasts: seconds for which a value is taken to hold that nobody tells again.
        reader: reads values that were told in sentences.
    """
    subject, attribute = slot
    held = tuple(each for each in periods if each.until is None)
    others = [] if held else list(ever())
    ends = [each.until for each in others if each.until is not None and event_start(each.until) <= last_second(as_of)]
    later = [each.since for each in others if event_start(each.since) > last_second(as_of)]
    return SlotAnswer(
        subject=subject,
        attribute=attribute,
        as_of=str(as_of if isinstance(as_of, Interval) else Interval.of_moment(as_of)),
        periods=held,
        contested=not many
        and (
            are_contested((each.fact for each in held), slots=reader)
            # Facts of two names are of two slots.
            or (any(each.renamed is not None for each in held) and len({folded(each.value) for each in held}) > 1)
        ),
        stale=bool(held)
        and lasts is not None
        and all(not each.lasting and _is_older(each.affirmed, as_of, lasts) for each in held),
        known_until=max(ends, key=event_order, default=None),
        known_from=min(later, key=event_order, default=None),
    )


def _shown(period: SlotPeriod) -> str:
    since = f"since {beginning(period.since)}"
    follows = "" if period.derivation is None else f"; follows by {period.derivation.describe()}"
    doubt = "" if period.doubted is None else f"; doubtful by {period.doubted.describe()}"
    name = "" if period.renamed is None else f"; {period.renamed.rule}"
    return f"{period.fact.text} ({since}{name}{follows}{doubt})"


def _is_older(when: Interval | None, as_of: Moment, lasts: int) -> bool:
    """Check that a known date lies further back than that."""
    return when is not None and when.last is not None and when.last + lasts < last_second(as_of)


def _by_start(
    history: FactHistory, as_of: Moment | None, known_at: datetime | None
) -> Iterable[tuple[int, list[FactJudgement]]]:
    entries = sorted(history.visible(as_of=as_of, known_at=known_at), key=FactJudgement.order)
    grouped = groupby(entries, key=lambda entry: event_start(entry.when))
    return ((start, list(some)) for start, some in grouped)


def _periods(history: FactHistory, value: str, as_of: Moment | None, known_at: datetime | None) -> list[SlotPeriod]:
    periods: list[SlotPeriod] = []
    said: list[FactJudgement] = []
    for _, entries in _by_start(history, as_of, known_at) if value else ():
        if entries[-1].true:
            said += [entry for entry in entries if entry.true]
        elif said:
            periods.append(_period(history.fact, value, said, until=entries[-1].when))
            said = []
    if not said:
        return periods
    last = _period(history.fact, value, said, until=None)
    return [*periods, last.model_copy(update={"lasting": _is_lasting(history, as_of, known_at)})]


def _is_lasting(history: FactHistory, as_of: Moment | None, known_at: datetime | None) -> bool:
    """Check that a value was told to hold until a later day."""
    stated = {entry.document for entry in history.visible(known_at=known_at) if entry.true}
    last = (entries[-1] for _, entries in _by_start(history, None, known_at))
    end = next((entry for entry in last if not entry.true and not entry.holds_by(as_of)), None)
    # An announced value that ends it does not say that it holds until then.
    return end is not None and end.document in stated and not end.rests_on


def _period(fact: Fact, value: str, said: Sequence[FactJudgement], *, until: Interval | None) -> SlotPeriod:
    sources = tuple(dict.fromkeys(entry.speaker for entry in said))
    return SlotPeriod(
        fact=fact,
        value=value,
        since=said[0].when,
        until=_day(until),
        affirmed=said[-1].when,
        sources=sources,
        began=said[0],
    )


def _day(when: Interval | None) -> Interval | None:
    """Return the period with which an open time begins."""
    if when is None or when.start is None or when.end is not None:
        return when
    if when.granularity in ("year", "month", "day"):
        return Interval.parse(beginning(when))
    return Interval.of_second(when.start)


def stated_value(fact: Fact) -> str:
    """Return the value that a fact states; nothing for one that denies."""
    if fact.slot is not None:
        return fact.slot.value
    read = set(Statement.read(fact.text).value)
    named = [token for token in fact.text.split() if (found := set(stems(token))) and found <= read]
    return " ".join(named).strip(".,;:!?\"'()“”") or fact.text
