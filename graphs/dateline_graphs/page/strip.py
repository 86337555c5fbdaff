"""Bars over a scale of time: from when to when something held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dateline_graphs.page.markup import NOTHING, Html, join, said, tag
from dateline_graphs.page.scale import YEAR, Scale, scale_of

ROW, FOOT, LABEL = 34, 24, 16
"""Pixels of a row, of the axis below all, and from a row's top to its label."""


@dataclass(frozen=True)
class Bar:
    """A stretch of time in calendar seconds, perhaps open."""

    start: int | None
    end: int | None
    kind: Literal["held", "ended"] = "held"


@dataclass(frozen=True)
class Row:
    """A label and its bars, from top to bottom on one strip."""

    label: str
    bars: tuple[Bar, ...]


def strip(rows: Sequence[Row], *, asked: int | None = None) -> Html:
    """Draw rows of bars over one axis, if any is dated."""
    moments = [end for row in rows for bar in row.bars for end in (bar.start, bar.end) if end is not None]
    if not moments:
        return NOTHING
    known = [*moments, *([] if asked is None else [asked])]
    room = max((max(known) - min(known)) // 8, int(YEAR))  # what still holds runs on beyond the last change
    scale = scale_of([*known, max(known) + room], around=None)
    floor = ROW * len(rows) + 4
    drawn = [_row(row, scale, top=ROW * number) for number, row in enumerate(rows)]
    axis = tag("line", x1="0", x2="100%", y1=floor, y2=floor, class_="axis")
    ticks = [_tick(scale.place(moment), name, floor) for moment, name in scale.ticks(8)]
    asking = [] if asked is None else [_upright(scale.place(asked), floor)]
    return tag(
        "svg", *drawn, axis, *ticks, *asking, width="100%", height=floor + FOOT, role="img", aria_label="Time line"
    )


def _row(row: Row, scale: Scale, *, top: int) -> Html:
    bars = []
    for bar in row.bars:
        start = 0.0 if bar.start is None else scale.place(bar.start)
        end = 1.0 if bar.end is None else scale.place(bar.end)
        width = f"{100 * max(end - start, 0.004):.2f}%"
        bars.append(
            tag("rect", x=f"{100 * start:.2f}%", y=top + LABEL + 5, width=width, height=8, rx=3, class_=bar.kind)
        )
    return join([said(row.label, "text", x=0, y=top + LABEL - 3, class_="label"), *bars])


def _tick(place: float, name: str, floor: int) -> Html:
    anchor = "start" if place < 0.04 else "end" if place > 0.94 else "middle"
    return tag("text", name, x=f"{100 * place:.2f}%", y=floor + 17, text_anchor=anchor)


def _upright(place: float, floor: int) -> Html:
    return tag("line", x1=f"{100 * place:.2f}%", x2=f"{100 * place:.2f}%", y1=0, y2=floor, class_="asking")
