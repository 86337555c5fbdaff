"""Structured reads of a fact store: values of slots, told and inferred."""

from __future__ import annotations

from datetime import datetime

from dateline.errors import BadInput
from dateline.facts.fact import event_start, folded, last_second
from dateline.facts.ruled_facts import RuledFacts
from dateline.facts.slot_history import FactTurn, SlotAnswer, SlotHistory, answer, turns_of
from dateline.facts.slots import LASTS
from dateline.temporal.as_of import AsOf, is_given, read_time
from dateline.temporal.interval import Interval, seconds_of


class SlotReads(RuledFacts):
    """Structured reads of `FactStore`."""

    def value(self, subject: str, *, attribute: str, as_of: AsOf = None, known_at: AsOf = None) -> SlotAnswer:
        """Tell a slot's value at a time, or when one is known.

        `None` means as for `search`. Values that documents stated in sentences of their own count where those can be read.
        """
        asked, known = self._moments(as_of, known_at)
        name = self.slots.name(attribute)
        rule = self.slots.rule(name)
        return answer(
            self._periods(subject, name, as_of=asked, known_at=known),
            ever=lambda: self._periods(subject, name, as_of=None, known_at=known),
            slot=(subject, name),
            as_of=asked,
            many=self._cardinality(name, known_at=known) == "many",
            lasts=None if rule is None else LASTS.get(rule.changes),
            reader=self.reader,
        )

    def holders(self, attribute: str, *, value: str, as_of: AsOf = None, known_at: AsOf = None) -> list[str]:
        """List the subjects whose attribute had a value at a time.

        It was told, or follows by a rule. `None` means as for `search`.
        """
        asked, known = self._moments(as_of, known_at)
        name = self.slots.name(attribute)
        with self._up_to_date():
            inference = self._inference(asked, known)
            held = {each: inference.periods(each, name) for each in inference.subjects(name, value)}
        return [
            subject
            for subject, periods in held.items()
            if any(each.until is None and folded(each.value) == folded(value) for each in periods)
        ]

    def history_of(self, subject: str, *, attribute: str, as_of: AsOf = None, known_at: AsOf = None) -> SlotHistory:
        """List the values that a slot had up to `as_of`.

        `None` means as for `search`; name a later `as_of` to see what is announced.
        """
        asked, known = self._moments(as_of, known_at)
        name = self.slots.name(attribute)
        periods = self._periods(subject, name, as_of=asked, known_at=known)
        cardinality = self._cardinality(name, known_at=known)
        return SlotHistory(subject=subject, attribute=name, cardinality=cardinality, periods=tuple(periods))

    def what_changed(
        self, *, since: AsOf, until: AsOf = None, as_of: AsOf = None, known_at: AsOf = None
    ) -> list[FactTurn]:
        """List what became true or ceased to be in a time.

        `changes` lists what the store *learnt* in a window of knowledge time: a move of 2020 that is told today is a change of
        today there, and one of 2020 here.

        Args:
            since: the first day or period of the window.
            until: the last; `None` is now.
            as_of: the asking day, behind which nothing is told; `None` leaves all of the window.
        """
        first = event_time(read_time(since, clock=self.clock))
        last, known = self._moments(until, known_at)
        window = event_start(first or Interval(None, None)), last_second(last)
        if window[1] < window[0]:
            raise BadInput(f"The window from {since} to {until or 'now'} ends before it begins; swap since and until.")
        if is_given(as_of):
            window = window[0], min(window[1], last_second(self._moments(as_of, None)[0]))
        with self._up_to_date() as fold:
            histories = fold.histories(fold.judged_between(*window)) if window[0] <= window[1] else []
        turns = [turn for history in histories for turn in turns_of(history, window=window, known_at=known)]
        return sorted(turns, key=lambda turn: (event_start(turn.when), turn.true, turn.fact.text))


def event_time(read: datetime | Interval | None) -> Interval | None:
    """Return a moment as the second that it is."""
    return Interval.of_second(seconds_of(read)) if isinstance(read, datetime) else read
