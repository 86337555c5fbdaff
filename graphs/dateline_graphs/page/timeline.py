"""Time line of evidence by date and score, window, asking date.

Drawn in SVG whose places across are per cent and whose sizes are pixels, so that it fills any width while its letters
keep their size. It is drawn twice, for wide and for narrow pages, because what overlaps differs; one of them is hidden.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dateline import Interval
from dateline_graphs.page.dates import read_moment, say
from dateline_graphs.page.key import key
from dateline_graphs.page.markup import NOTHING, Html, join, tag
from dateline_graphs.page.names import Box, Head, name_pins
from dateline_graphs.page.pieces import Piece, is_long, is_over, middle_of, speaking
from dateline_graphs.page.places import Spot, spread
from dateline_graphs.page.scale import Scale, scale_of
from dateline_graphs.report import AnswerReport

TOP, PLOT, FOOT = 30, 150, 16
LANE = 24
HATCH = Html(
    '<svg width="0" height="0" class="lent" aria-hidden="true"><defs><pattern id="hatch" width="8" height="8" '
    'patternUnits="userSpaceOnUse"><path d="M-1 9L9 -1M3 13L13 3M-5 5L5 -5" class="hatch"/></pattern></defs></svg>'
)
"""The window's pattern; a hidden drawing could not lend it."""

WIDE, NARROW = 770, 290
"""Pixels across each drawing at least, by page.css: in a window of 57 rem, with a scroll bar, and of 360 px. What fits there, fits in wider ones."""

_RIGHT = 60.0
"""Per cent from the left beyond which the asking line's word stands to its left."""

NAMED = 8
"""Up to so many pieces read, all carry a name; of more, only those used."""

CROWD = 45
"""With more pieces read than this, only those used carry their number."""


@dataclass(frozen=True)
class Frame:
    """Measures of one drawing, where it is smallest."""

    kind: str
    width: int
    ticks: int
    left: float
    scale: Scale
    best: float
    small: bool
    asked: int | None

    def across(self, moment: int) -> float:
        """Per cent from the left."""
        right = 97.0
        return self.left + (right - self.left) * self.scale.place(moment)

    def stretch(self, interval: Interval) -> tuple[float, float]:
        """Return both ends in per cent; an open end is the edge."""
        start = self.left if interval.start is None else self.across(interval.start)
        return start, 100.0 if interval.end is None else self.across(interval.end)

    def height(self, score: float) -> float:
        """Pixels from the top."""
        return TOP + PLOT * (1 - max(0.0, min(1.0, score / self.best)))

    @property
    def floor(self) -> float:
        return TOP + PLOT + FOOT


def timeline(report: AnswerReport, pieces: Sequence[Piece]) -> Html:
    """Draw the time line, wide and narrow, with its key."""
    if not pieces:
        return tag("p", "No evidence was found.", class_="muted")
    asked = read_moment(report.asked.as_of)
    window = report.asked.constraint.window() if report.asked.constraint else None
    stated = [] if report.asked.constraint is None else [report.asked.constraint.interval, window]
    moments = [] if asked is None else [asked]
    read = [piece for piece in pieces if piece.part != "unread"]
    for interval in [*(p.published for p in pieces), *(p.spoken_of for p in speaking(read)), *stated]:
        if interval is not None:
            moments += [end for end in (interval.start, interval.end) if end is not None]
    scale = scale_of(moments, around=asked)
    undated = any(piece.published is None for piece in pieces)
    best = max((piece.source.score for piece in read), default=0.0) or 1.0
    crowd = len(read) > CROWD
    wide = Frame("wide", WIDE, 8, 13.0 if undated else 4.0, scale, best, crowd, asked)
    narrow = Frame("narrow", NARROW, 3, 24.0 if undated else 9.0, scale, best, crowd or len(read) > 14, asked)
    drawings = [_drawing(frame, pieces, window=window) for frame in (wide, narrow)]
    return tag("figure", HATCH, *drawings, key(report, pieces, scale=scale, asked=asked), class_="timeline card")


def _drawing(frame: Frame, pieces: Sequence[Piece], *, window: Interval | None) -> Html:
    read = [piece for piece in pieces if piece.part != "unread"]
    unread = [piece for piece in pieces if piece.part == "unread"]
    spoken = speaking(read)
    lane = frame.floor + 30
    parts = [_window(frame, window), _grid(frame), _axis(frame), _asking(frame)]
    if any(piece.published is None for piece in pieces):
        parts.append(tag("text", "undated", x=f"{frame.left / 2:.2f}%", y=frame.floor + 17, class_="tick"))
    if spoken:
        parts += [_spoken(frame, piece, lane + 12) for piece in spoken]
        lane += LANE
    if unread:
        parts += [_rug(frame, piece, lane + 4) for piece in unread]
        lane += LANE
    radius, farthest = (4.0, 1) if frame.small else (10.5, 16)
    spots = spread(_spots(frame, read, radius), radius=radius, width=frame.width, farthest=farthest)
    # All stems lie below all heads, or they would cross out each other's numbers.
    pins = list(zip(read, spots, strict=True))
    parts += [_stem(frame, piece, spot) for piece, spot in pins]
    if frame.small:
        pins.sort(key=lambda pin: pin[0].part == "used")  # what carries a number lies on top
    parts += _names(frame, pins)
    parts += [_head(frame, piece, spot) for piece, spot in pins]
    name = f"Time line of {len(pieces)} pieces of evidence; the same as a table follows it."
    size: dict[str, str | float] = {"width": "100%", "height": lane + 4}
    return tag("svg", *parts, class_=frame.kind, **size, role="group", aria_label=name, focusable="false")


def _names(frame: Frame, pins: Sequence[tuple[Piece, Spot]]) -> Iterator[Html]:
    """Write the names of the used, or of a few."""
    all_named = len(pins) <= NAMED
    heads = [
        Head(
            spot.x + spot.dx,
            spot.y,
            radius=12.0 if piece.part == "used" or not frame.small else 4.0,
            name=piece.title if piece.part == "used" or all_named else "",
        )
        for piece, spot in pins
    ]
    used_first = sorted(range(len(pins)), key=lambda place: pins[place][0].part != "used")
    placed = name_pins([heads[place] for place in used_first], width=frame.width, taken=_written(frame))
    for place, name in zip(used_first, placed, strict=True):
        if name is not None:
            piece, spot = pins[place]
            shown = tag(
                "text", name.name, x=spot.dx + name.dx, y=spot.y + name.dy, text_anchor=name.anchor, class_="name"
            )
            yield _at(frame, piece, shown)


def _written(frame: Frame) -> list[Box]:
    """Return the room of the axes' words and of the asking line."""
    axis = (0.0, frame.floor - 1, float(frame.width), frame.floor + 24)
    levels = [axis, *((0.0, y - 16, 30.0, y) for y in map(frame.height, (frame.best, frame.best / 2)))]
    if frame.asked is None:
        return levels
    x, word = frame.across(frame.asked) / 100 * frame.width, 42.0
    left = x - word if frame.across(frame.asked) > _RIGHT else x
    return [*levels, (left, 0.0, left + word, 16.0), (x - 1, 4.0, x + 1, frame.floor)]


def _spots(frame: Frame, read: Iterable[Piece], radius: float) -> list[Spot]:
    """Return heads; one of the past is not moved into the future."""
    line = math.inf if frame.asked is None else frame.across(frame.asked) / 100 * frame.width
    feet = ((piece, _foot(frame, piece) / 100 * frame.width) for piece in read)
    return [
        Spot(
            foot,
            frame.height(piece.source.score),
            first=piece.part == "used",
            upto=line - radius if foot <= line else math.inf,
        )
        for piece, foot in feet
    ]


def _foot(frame: Frame, piece: Piece) -> float:
    """Return where a piece stands, at the latest on the asking day."""
    if piece.published is None:
        return frame.left / 2
    start, middle = piece.published.start, middle_of(piece.published)
    begun = frame.asked is not None and (start is None or start <= frame.asked)
    return frame.across(min(middle, frame.asked or middle) if begun else middle)


def _stem(frame: Frame, piece: Piece, spot: Spot) -> Html:
    """Draw a piece's stem, and its date's stretch if long."""
    extent = NOTHING
    if piece.published is not None and is_long(piece.published):
        extent = _extent(frame, piece.published, frame.floor, "extent")
    if frame.small and piece.part != "used":
        return extent
    return join([extent, _at(frame, piece, tag("line", x1=0, y1=frame.floor, x2=spot.dx, y2=spot.y, class_="stem"))])


def _head(frame: Frame, piece: Piece, spot: Spot) -> Html:
    """The head of a pin: a link to its piece."""
    used = piece.part == "used"
    radius = 10.0 if used or not frame.small else 3.5
    shown = [
        tag("circle", cx=spot.dx, cy=spot.y, r=15, class_="reach"),
        tag("circle", cx=spot.dx, cy=spot.y, r=radius + (1 if used else 0), class_="head"),
    ]
    if radius == 10:
        shown.append(tag("text", str(piece.number), x=spot.dx, y=spot.y + 4, class_="no"))
    return _at(frame, piece, piece.link(tag("title", piece.label()), *shown))


def _at(frame: Frame, piece: Piece, shape: Html) -> Html:
    return tag("svg", shape, x=f"{_foot(frame, piece):.2f}%", overflow="visible", class_=f"pin {piece.part}")


def _extent(frame: Frame, interval: Interval, y: float, kind: str) -> Html:
    start, end = frame.stretch(interval)
    is_open = " open" if interval.start is None or interval.end is None else ""
    line = tag("line", x1=f"{start:.2f}%", x2=f"{end:.2f}%", y1=y, y2=y, class_=kind + is_open)
    return join([line, _upright(end, y - 6, y + 6, "over")]) if is_over(interval, frame.asked) else line


def _spoken(frame: Frame, piece: Piece, y: float) -> Html:
    """Draw the time in the text, a diamond joined to its date."""
    assert piece.spoken_of is not None
    there = frame.across(middle_of(piece.spoken_of))
    extent = _extent(frame, piece.spoken_of, y, "extent spoken") if is_long(piece.spoken_of) else NOTHING
    join_line = tag("line", x1=f"{_foot(frame, piece):.2f}%", y1=frame.floor, x2=f"{there:.2f}%", y2=y, class_="speaks")
    title = tag("title", f"Evidence {piece.number} speaks of {say(piece.spoken_of)}")
    diamond = tag("path", title, d=f"M0 {y - 5}L5 {y}L0 {y + 5}L-5 {y}Z", class_=f"diamond {piece.part}")
    return join([join_line, extent, tag("svg", diamond, x=f"{there:.2f}%", overflow="visible")])


def _rug(frame: Frame, piece: Piece, y: float) -> Html:
    return _upright(_foot(frame, piece), y, y + 12, "rug", tag("title", piece.label()))


def _upright(x: float, top: float, bottom: float, kind: str, *children: Html) -> Html:
    """Draw a vertical line at a percentage from the left."""
    return tag("line", *children, x1=f"{x:.2f}%", x2=f"{x:.2f}%", y1=top, y2=bottom, class_=kind)


def _window(frame: Frame, window: Interval | None) -> Html:
    if window is None:
        return NOTHING
    start, end = frame.stretch(window)
    place: dict[str, str | float] = {"x": f"{start:.2f}%", "y": TOP - 12, "width": f"{max(end - start, 0.3):.2f}%"}
    place["height"] = PLOT + FOOT + 12
    known = ((start, window.start), (end, window.end))
    edges = [_upright(x, TOP - 12, frame.floor, "edge") for x, at in known if at is not None]
    return join([tag("rect", **place, class_="window"), tag("rect", **place, fill="url(#hatch)"), *edges])


def _grid(frame: Frame) -> Html:
    lines = []
    for share, name in ((1.0, "best"), (0.5, "half"), (0.0, "")):
        y = frame.height(frame.best * share)
        lines.append(tag("line", x1="0", x2="100%", y1=y, y2=y, class_="grid"))
        lines.append(tag("text", name, x=0, y=y - 4, class_="level"))
    return join(lines)


def _axis(frame: Frame) -> Html:
    line = tag("line", x1=f"{frame.left - 1:.2f}%", x2="100%", y1=frame.floor, y2=frame.floor, class_="axis")
    ticks = []
    for moment, name in frame.scale.ticks(frame.ticks):
        x = frame.across(moment)
        ticks.append(_upright(x, frame.floor, frame.floor + 5, "axis"))
        anchor = "start" if x < frame.left + 4 else "end" if x > 94 else "middle"
        ticks.append(tag("text", name, x=f"{x:.2f}%", y=frame.floor + 19, text_anchor=anchor, class_="tick"))
    return join([line, *ticks])


def _asking(frame: Frame) -> Html:
    if frame.asked is None:
        return NOTHING
    x = frame.across(frame.asked)
    anchor, nudge = ("end", -5) if x > _RIGHT else ("start", 5)
    text = tag("text", "asked", x=nudge, y=12, text_anchor=anchor, class_="asked")
    return join([_upright(x, 4, frame.floor, "asking"), tag("svg", text, x=f"{x:.2f}%", overflow="visible")])
