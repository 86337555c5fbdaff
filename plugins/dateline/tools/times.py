"""Tool that reads times: which days a text speaks of."""

from __future__ import annotations

from dateline.evidence.sanitize import inert
from dateline.flow import Flow
from dateline.temporal.expressions import find_expressions
from dateline.temporal.interval import Interval, iso_of
from dateline.tools.arguments import TimeText
from dateline.tools.tool import Toolbox, ToolResult


def resolve_time(toolbox: Toolbox, asked: TimeText) -> Flow[ToolResult]:
    """Tell the days that a text's times mean."""
    yield from ()
    question = toolbox.asked(asked.text, as_of=asked.as_of)
    found = find_expressions(asked.text, anchor=Interval.of_moment(question.as_of), ranges="closed")
    times = [(each.text, each.interval) for each in found if each.interval is not None]
    constraint = question.constraint
    lines = [f"{inert(words)}: {_days(interval)}" for words, interval in times]
    if constraint is not None:
        window = constraint.window()
        lines.append(
            f"asked about: {constraint.relation.replace('_', ' ')} {constraint.interval}, that is {_days(window)}"
        )
    return ToolResult(
        text="\n".join(lines) or "No time is named; what holds on the asking day is meant.",
        data={
            "as_of": question.as_of.isoformat(),
            "content": question.content,
            "constraint": None
            if constraint is None
            else {"relation": constraint.relation, "words": constraint.text, **_ends(constraint.window())},
            "times": [{"words": words, **_ends(interval)} for words, interval in times],
        },
    )


def _days(interval: Interval) -> str:
    ends = _ends(interval)
    first, last = ends["first_day"], ends["last_day"]
    if first == last:
        return first or "any day"
    return f"{first or 'any day'} to {last or 'any later day'}"


def _ends(interval: Interval) -> dict[str, str | None]:
    """Return the first and the last day, as ISO text."""
    last = interval.last
    return {
        "first_day": None if interval.start is None else iso_of(interval.start).partition("T")[0],
        "last_day": None if last is None else iso_of(last).partition("T")[0],
    }
