"""The trace's section: premises checked, steps taken, cost."""

from __future__ import annotations

import json
from collections.abc import Sequence

from dateline import Cost, Step
from dateline_graphs.page.markup import NOTHING, Html, described, fold, join, said, tag
from dateline_graphs.page.pieces import Piece
from dateline_graphs.report import AnswerReport, TakenForGranted

_STANDING = {"holds": "✓", "fails": "✗", "open": "?"}
DETAILS = 4000
"""Characters shown of the particulars of a step."""


def premises(report: AnswerReport, pieces: Sequence[Piece]) -> Html:
    """Render the question's premises and their standing."""
    by_id = {piece.source.id: piece for piece in pieces}
    return tag("ul", *(_premise(one, by_id.get(one.evidence_id)) for one in report.premises), class_="premises")


def _premise(premise: TakenForGranted, piece: Piece | None) -> Html:
    sign = tag("span", _STANDING.get(premise.standing, "?"), aria_hidden="true")
    standing = tag("span", sign, f" {premise.standing}", class_="kind")
    said_so = NOTHING
    if premise.sentence:
        by = NOTHING
        if piece is not None:
            by = tag("span", piece.link(f"{piece.number} · {piece.date}"), class_="by")
        said_so = tag("p", said(premise.sentence, "q"), " ", by, class_="muted")
    return tag("li", standing, tag("div", tag("p", said(premise.text)), said_so), class_=premise.standing)


def cost(report: AnswerReport) -> Html:
    """Render the cost of all steps together."""
    spent = report.cost
    rows = (
        ("model calls", f"{spent.model_calls:,}"),
        ("tokens in", f"{spent.input_tokens:,}"),
        ("tokens out", f"{spent.output_tokens:,}"),
        ("searches", f"{spent.searches:,}"),
        ("time", seconds(spent.seconds)),
    )
    return described(rows, "cost")


def seconds(value: float) -> str:
    """A time in the unit that suits it."""
    if value < 1:
        return f"{1000 * value:.0f}\u00a0ms" if value >= 0.001 or value <= 0 else "<\u00a01\u00a0ms"
    return f"{value:.1f}\u00a0s" if value < 120 else f"{value / 60:.0f}\u00a0min"


def steps(report: AnswerReport) -> Html:
    """The trace, step by step."""
    if not report.steps:
        return tag("p", "No steps were recorded.", class_="muted")
    return tag("ol", *map(_step, report.steps), class_="steps")


def _step(step: Step) -> Html:
    head = tag("p", said(step.name.replace("_", " "), "strong"), " ", tag("span", _spent(step.cost), class_="muted"))
    particulars = NOTHING
    if step.details:
        written = json.dumps(step.details, indent=1, ensure_ascii=False, default=str)
        if len(written) > DETAILS:
            written = f"{written[:DETAILS]}\n… {len(written) - DETAILS:,} more characters"
        summary = join(["Particulars", tag("span", f" of {step.name}", class_="hidden")])
        block = tag("pre", written, tabindex="0", role="region", aria_label=f"Particulars of {step.name}", dir="auto")
        particulars = fold(summary, block)
    return tag("li", head, said(step.summary, "p"), particulars)


def _spent(cost: Cost) -> Html:
    told = [seconds(cost.seconds)] if cost.seconds else []
    for count, name in (
        (cost.model_calls, "model call"),
        (cost.searches, "search"),
        (cost.tokens, "token"),
    ):
        if count:
            plural = "" if count == 1 else "es" if name == "search" else "s"
            told.append(f"{count:,} {name}{plural}")
    return join(told, by=" · ")
