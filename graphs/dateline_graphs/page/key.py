"""The time line's key: its signs, in words."""

from __future__ import annotations

from collections.abc import Sequence

from dateline_graphs.page.dates import say_constraint, say_day
from dateline_graphs.page.markup import Html, join, tag
from dateline_graphs.page.pieces import IN_WORDS, Piece, is_over, speaking
from dateline_graphs.page.scale import Scale
from dateline_graphs.report import AnswerReport


def key(report: AnswerReport, pieces: Sequence[Piece], *, scale: Scale, asked: int | None) -> Html:
    """Explain the signs that occur, in words."""
    parts = {piece.part for piece in pieces}
    circle = tag("circle", cx=9, cy=9, r=7, class_="head")
    rows = [(circle, "used", "used by the answer")] if "used" in parts else []
    if "read" in parts:
        rows.append((circle, "read", IN_WORDS["read"]))
    if "unread" in parts:
        rows.append((tag("line", x1=9, x2=9, y1=3, y2=15, class_="rug"), "unread", IN_WORDS["unread"]))
    if any(piece.spoken_of is not None and piece.part != "unread" for piece in pieces):
        diamond = tag("path", d="M9 3L15 9L9 15L3 9Z", class_="diamond read")
        rows.append((diamond, "", "time that the text speaks of"))
    read = speaking([piece for piece in pieces if piece.part != "unread"])
    if any(is_over(piece.spoken_of, asked) for piece in read if piece.spoken_of is not None):
        ended = join([tag("line", x1=1, x2=15, y1=9, y2=9, class_="extent spoken"), _upright_at(15)])
        rows.append((ended, "", "a time that was over by then"))
    constraint = report.asked.constraint
    if constraint is not None:
        box = tag("rect", x=1, y=3, width=16, height=12, class_="window")
        hatched = tag("rect", x=1, y=3, width=16, height=12, fill="url(#hatch)", class_="boxed")
        rows.append((join([box, hatched]), "", f"asked for: {say_constraint(constraint)}"))
    if asked is not None:
        line = tag("line", x1=9, x2=9, y1=1, y2=17, class_="asking")
        rows.append((line, "", f"asked as of {say_day(asked)}"))
    items = [tag("li", _sign(shape, kind), tag("span", text)) for shape, kind, text in rows]
    note = "From left to right: the day of publication. The higher a pin, the better it fits the question and its time, beside the best one."
    if scale.around is not None:
        note += " Distances from the asking date are compressed: the farther, the more."
    return tag("figcaption", tag("ul", *items, class_="key"), tag("p", note, class_="muted"))


def _upright_at(x: int) -> Html:
    return tag("line", x1=x, x2=x, y1=3, y2=15, class_="over")


def _sign(shape: Html, kind: str) -> Html:
    return tag("svg", shape, width=18, height=18, aria_hidden="true", class_=f"pin {kind}")
