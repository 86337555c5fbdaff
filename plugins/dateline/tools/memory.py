"""Tools over a fact store: remember, history, questions, what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dateline.evidence.sanitize import inert
from dateline.facts import Changes, FactAsker, FactTurn, ReviewQueue, SlotPeriod
from dateline.flow import Flow, call, call_in_thread
from dateline.temporal.as_of import AsOf, Clock, is_given
from dateline.temporal.asking import asking_moment
from dateline.temporal.interval import beginning
from dateline.text.words import words
from dateline.tools.arguments import ChangedPeriod, HistoryQuery, MemoryQuestion, ValueToRemember
from dateline.tools.tool import Toolbox, ToolResult

MOST_TURNS = 50
"""Changes that are told at once, the latest ones. Chosen by hand."""


def remember(toolbox: Toolbox, told: ValueToRemember) -> Flow[ToolResult]:
    """Store a value from its day on, under the store's policy."""
    changed = yield from call(
        _queue(toolbox).remember,
        told.subject,
        attribute=told.attribute,
        value=told.value,
        since=told.since,
        until=told.until,
        source=told.source,
        channel=toolbox.channel,
        known_at=toolbox.clock(),
    )
    return ToolResult(text="\n".join(_lines(changed)), data=changed.model_dump(mode="json", exclude={"pending"}))


def history(toolbox: Toolbox, asked: HistoryQuery) -> Flow[ToolResult]:
    """Tell the values that an attribute had, and when each held."""
    store = _queue(toolbox).store
    day = _day(asked.as_of, clock=store.clock)
    found = yield from call(store.history_of, asked.subject, attribute=asked.attribute, as_of=day)
    now = yield from call(store.value, asked.subject, attribute=asked.attribute, as_of=day)
    return ToolResult(
        text="\n".join([*map(_period_line, found.periods), inert(now.describe())]),
        data={
            "subject": found.subject,
            "attribute": found.attribute,
            "values": [_period(each) for each in found.periods],
            "holds": list(now.values),
            "contested": now.contested,
        },
    )


def ask_facts(toolbox: Toolbox, asked: MemoryQuestion) -> Flow[ToolResult]:
    """Answer from values, with the facts that lead there."""
    # The reader that all askers share is loaded for the first of them.
    store = _queue(toolbox).store
    asker = yield from call_in_thread(FactAsker, store)
    found = yield from call(asker.ask, asked.question, as_of=_day(asked.as_of, clock=store.clock))
    if found is None:
        nothing: dict[str, Any] = {"values": [], "contested": False, "chance": 0.0, "facts": []}
        return ToolResult(text="Nothing that is remembered answers this.", data=nothing)
    return ToolResult(
        text=inert(found.describe()),
        data={
            "values": list(found.values),
            "contested": found.answer is not None and found.answer.contested,
            "chance": found.chance,
            "facts": [{"fact": fact.text, "fact_id": fact.id} for fact in found.facts],
        },
    )


def what_changed(toolbox: Toolbox, asked: ChangedPeriod) -> Flow[ToolResult]:
    """List what became true, or ceased to be, in a time.

    Nothing behind the asking day is told.
    """
    day = asking_moment(asked.as_of, clock=toolbox.clock)
    found = yield from call(_queue(toolbox).store.what_changed, since=asked.since, until=asked.until, as_of=day)
    wanted = set(words(asked.about))
    turns = [turn for turn in found if wanted <= set(words(turn.fact.text))]
    shown = turns[-MOST_TURNS:]
    lines = [
        f"{beginning(turn.when, unknown='undated')}: {inert(turn.fact.text)}{'' if turn.true else ' (no longer)'}"
        for turn in shown
    ]
    left = len(turns) - len(shown)
    lines += [f"{left} earlier changes are left out; ask about a shorter time."] if left else []
    return ToolResult(
        text="\n".join(lines) or "Nothing changed in that time, as far as is known.",
        data={"changes": [_turn(turn) for turn in shown], "left_out": left},
    )


def _day(given: AsOf, *, clock: Clock) -> AsOf:
    """Return the day that is given, or else the asking moment."""
    # A day that is given may lie ahead: what is announced is asked for so.
    return given if is_given(given) else asking_moment(None, clock=clock)


def _queue(toolbox: Toolbox) -> ReviewQueue:
    assert toolbox.facts is not None
    return toolbox.facts


def _lines(changed: Changes) -> Sequence[str]:
    kinds = {
        "added": "remembered",
        "reinforced": "confirmed",
        "made_false": "no longer holds",
        "rewritten": "rewritten",
    }
    lines = [
        f"{kinds.get(one.kind, one.kind)}: {inert(one.fact.text)} (from {beginning(one.when)} on)"
        for one in changed.changes
    ]
    lines += [
        f"waits for {'a person' if one.waits_for == 'person' else 'more sources'}: {inert(one.fact)}"
        for one in changed.pending
    ]
    return [*lines, *map(inert, changed.skipped)] or ["That was known already."]


def _period_line(period: SlotPeriod) -> str:
    until = f" until {period.until}" if period.until is not None else ""
    return f"{inert(period.value)}: from {beginning(period.since)}{until}"


def _period(period: SlotPeriod) -> dict[str, Any]:
    return {
        "value": period.value,
        "since": None if period.since is None else period.since.isoformat(),
        "until": None if period.until is None else period.until.isoformat(),
        "sources": list(period.sources),
        "fact_id": period.fact.id,
    }


def _turn(turn: FactTurn) -> dict[str, Any]:
    when = None if turn.when is None else turn.when.isoformat()
    return {"when": when, "fact": turn.fact.text, "true": turn.true, "fact_id": turn.fact.id, "document": turn.document}
