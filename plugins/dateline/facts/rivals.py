"""Facts that cannot hold together, by slots or by judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from dateline.facts.fact import Fact, FactHistory, FactJudgement
from dateline.facts.late_documents import ended_before, first_true_after, is_before, last_true_before
from dateline.facts.onset import day_of, onset_day
from dateline.facts.setting import Setting
from dateline.facts.slot_reader import SlotReader
from dateline.handwritten.facts.statement import Comparison, Statement
from dateline.language.assertion import unasserted
from dateline.protocols import ONSETS, EffectJudge, Onset, PlacedStatement
from dateline.temporal.interval import Interval

ENDS = 0.8
"""Least probability at which the judge ends a fact. Chosen on notes of `benchmarks/notes`, docs/facts_measured.md."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A stored fact, and what a statement is to it.

    Attributes:
        starts: of a conflict, the day from which the statement holds, where its text tells another than its own.
        chance: of a conflict, how likely the judge holds it; 1 where slots decide.
    """

    history: FactHistory
    comparison: Comparison
    starts: Interval | None = None
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class _InOrder:
    """A document's statement and the stored word beside it, in time.

    Attributes:
        said: what the stored fact was said by.
        is_later: whether the document's own is the later.
        before: when the earlier was said.
    """

    said: FactJudgement
    is_later: bool
    later: Fact
    when: Interval | None
    earlier: Fact
    before: Interval | None

    def placed(self, own: Setting, *, other: Setting) -> tuple[PlacedStatement, PlacedStatement]:
        """Place the later and the earlier."""
        later, earlier = (own, other) if self.is_later else (other, own)
        return later.of(self.later.text, day_of(self.when)), earlier.of(self.earlier.text, day_of(self.before))


def compared(
    facts: Sequence[Fact],
    close: Sequence[Sequence[FactHistory]],
    *,
    when: Interval | None,
    settings: Sequence[Setting],
    settings_of: Callable[[Sequence[FactJudgement]], Sequence[Setting]],
    judge: EffectJudge,
    slots: SlotReader | None = None,
) -> list[list[Compared]]:
    """Compare a document's statements with the facts close to each.

    A slot that both fill decides; of all other pairs the judge tells whether the later ends the earlier. Where dates cannot tell
    which is the later, nothing is settled.

    Args:
        when: when the document was published.
        settings: of its statements.
        settings_of: returns where close facts were said.
        slots: reads which slots they fill.
    """
    found = [
        [Compared(other, compare(fact, other.fact, slots=slots)) for other in near]
        for fact, near in zip(facts, close, strict=True)
    ]
    undecided = [
        (row, column, pair)
        for row, fact in enumerate(facts)
        for column, each in enumerate(found[row])
        if each.comparison == "different"
        and not _slots_tell(fact, each.history.fact, slots)
        and (pair := _in_order(fact, each.history, when)) is not None
    ]
    if undecided:
        others = settings_of([pair.said for _, _, pair in undecided])
        asked = [
            pair.placed(settings[row], other=other) for (row, _, pair), other in zip(undecided, others, strict=True)
        ]
        effects = judge.effects(asked)
        ended = [place for place, chances in enumerate(effects.chances) if chances[0] >= ENDS]
        beside = [_beside(pair, close[row]) for row, _, pair in (undecided[place] for place in ended)]
        misled = _misled([asked[place] for place in ended], beside=beside, settings_of=settings_of, judge=judge)
        for place in (place for place, wrong in zip(ended, misled, strict=True) if not wrong):
            row, column, pair = undecided[place]
            chance = float(effects.chances[place, 0])
            starts = _starts(pair, ONSETS[effects.onsets[place].argmax()]) if pair.is_later else None
            found[row][column] = replace(found[row][column], comparison="conflict", starts=starts, chance=chance)
    return found


def _beside(pair: _InOrder, near: Sequence[FactHistory]) -> list[tuple[Fact, FactJudgement]]:
    """List near facts that another document told on the earlier one's day."""
    return [
        (history.fact, entry)
        for history in near
        if history.fact.id not in (pair.earlier.id, pair.later.id)
        for entry in history.visible()
        if entry.true and entry.when == pair.before and entry.document != pair.said.document
    ]


def _misled(
    pairs: Sequence[tuple[PlacedStatement, PlacedStatement]],
    *,
    beside: Sequence[Sequence[tuple[Fact, FactJudgement]]],
    settings_of: Callable[[Sequence[FactJudgement]], Sequence[Setting]],
    judge: EffectJudge,
) -> list[bool]:
    """Tell where the judge contradicts what the store knows.

    It would end an earlier statement by one that was told beside it. Both were told of one day, so that neither ended the other: of
    their kind the judge is not to be believed.

    Args:
        pairs: those of which it says that the later ends the earlier.
        beside: what was told beside each earlier one.
    """
    told = [(number, fact, entry) for number, some in enumerate(beside) for fact, entry in some]
    if not told:
        return [False] * len(pairs)
    places = settings_of([entry for _, _, entry in told])
    effects = judge.effects(
        [
            (place.of(fact.text, pairs[number][0].day), pairs[number][1])
            for (number, fact, _), place in zip(told, places, strict=True)
        ]
    )
    wrong = {number for (number, _, _), chances in zip(told, effects.chances, strict=True) if chances[0] >= ENDS}
    return [number in wrong for number in range(len(pairs))]


def _starts(pair: _InOrder, onset: Onset) -> Interval | None:
    starts = onset_day(pair.later.text, anchor=pair.when, onset=onset)
    return starts if is_before(pair.before, starts) else None


def is_rival(fact: Fact, other: Fact, *, slots: SlotReader) -> bool:
    """Check that two facts give one slot two values."""
    return compare(fact, other, slots=slots) == "conflict"


def compare(fact: Fact, other: Fact, *, slots: SlotReader | None = None) -> Comparison:
    """Compare two facts by their fields, or else their texts and validities.

    `slots` reads what a document stated in a sentence.
    """
    if fact.slot is not None and other.slot is not None:
        one, two = (each if slots is None else slots.pack.own(each) for each in (fact.slot, other.slot))
        return one.compare(two)
    if _of_other_times(fact.validity, other.validity):
        return "different"
    found = Statement.read(fact.text).compare(Statement.read(other.text))
    rivals = found == "different" and slots is not None and slots.compare(fact, other) == "conflict"
    return "conflict" if rivals else found


def _slots_tell(fact: Fact, other: Fact, slots: SlotReader | None) -> bool:
    """Check that slots alone decide, as of two coworkers of one."""
    if slots is not None and slots.compare(fact, other) is not None:
        return True
    return None not in (Statement.read(fact.text).slot, Statement.read(other.text).slot)


def _in_order(fact: Fact, other: FactHistory, when: Interval | None) -> _InOrder | None:
    """Order two facts in time, where there is something to settle.

    Hopes, rumours and orders to the reader end nothing, so that the judge is not asked of a later statement that is not
    asserted as a whole, unless it denies something ("not 6 but 5"), or plans it for a day: an announcement.
    """
    pair = _dated(fact, other, when)
    return pair if pair is not None and _is_said(pair.later.text, pair.when) else None


def _is_said(text: str, when: Interval | None) -> bool:
    kinds = {stretch.kind for stretch in unasserted(text)} - {"denial"}
    return not kinds or (kinds == {"plan"} and onset_day(text, anchor=when, onset="later") is not None)


def _dated(fact: Fact, other: FactHistory, when: Interval | None) -> _InOrder | None:
    if _of_other_times(fact.validity, other.fact.validity):
        return None
    later = first_true_after(other, when)
    if later is not None:
        return _InOrder(later, False, later=other.fact, when=later.when, earlier=fact, before=when)
    said = last_true_before(other, when)
    if said is None or ended_before(other, when):
        return None
    return _InOrder(said, True, later=fact, when=when, earlier=other.fact, before=said.when)


def _of_other_times(mine: Interval | None, theirs: Interval | None) -> bool:
    """Check that two validities do not meet, so that both can hold."""
    return mine is not None and theirs is not None and not mine.overlaps(theirs)
