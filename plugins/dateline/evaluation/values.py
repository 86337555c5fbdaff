"""Amounts and dates in answers, compared by value: "132K" is 132,000."""

from __future__ import annotations

from dateline.language.quantities import MAX_TEXT, Quantity, is_pronoun, quantities
from dateline.temporal.expressions import TimeExpression, find_expressions
from dateline.temporal.interval import Interval


def amounts(text: str) -> list[Quantity]:
    """Return the numbers of a text in order, "3rd" too, "third" not."""
    return [
        each
        for each in quantities(text)
        if (each.kind == "number" or not each.worded) and not is_pronoun(each, text=text)
    ]


def dates(text: str, *, anchor: Interval | None = None) -> list[TimeExpression]:
    """Return a text's dates with their intervals, in order."""
    found = find_expressions(text[:MAX_TEXT], anchor=anchor)
    return [each for each in found if each.kind in ("date", "time") and each.interval is not None]
