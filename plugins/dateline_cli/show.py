"""A report as text for a person, the answer first."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from dateline_graphs.report import AnswerReport


def print_json(value: Any) -> None:
    """Print a value as JSON; models and dataclasses in it too."""
    sys.stdout.write(TypeAdapter(Any).dump_json(value, indent=2).decode() + "\n")


def show_report(report: AnswerReport, *, console: Console) -> None:
    """Print a report."""
    console.print(Text(report.answer or "No answer found.", style="bold"))
    if report.asked.said not in ("", report.asked.question):
        console.print(Text(f"Understood as: {report.asked.question}"))
    console.print(Text(_standing(report)))
    for problem in report.problems:
        console.print(Text(f"Problem: {problem}", style="yellow"))
    if report.evidence:
        console.print(_evidence_table(report))
    console.print(Text(report.freshness.statement))
    if report.facts:
        console.print(Text(_facts_line(report.facts)))
    console.print(Text(_cost_line(report), style="dim"))


_DOUBTED = 0.5
"""Below this p(reliable) an answer that is kept is more likely wrong than right, and people are told so."""


def _standing(report: AnswerReport) -> str:
    constraint = report.asked.constraint
    asked = f" (asked for: {constraint.relation.replace('_', ' ')} {constraint.interval})" if constraint else ""
    from dateline_graphs.report import OUTCOMES

    outcome, certainty = report.decision.outcome, report.certainty
    doubted = outcome == "adopt" and certainty.label != "reliable" and certainty.reliable < _DOUBTED
    action = "Nothing adopted" if not report.answer else "Kept, not trusted" if doubted else OUTCOMES[outcome]
    return f"As of {report.asked.as_of[:10]}{asked}. {action}. {report.decision.reason}"


def _evidence_table(report: AnswerReport) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="Evidence, oldest to newest", title_justify="left")
    table.add_column("used", justify="center")
    table.add_column("date", no_wrap=True)
    table.add_column("title and source", ratio=1)
    table.add_column("score", justify="right")
    for piece in report.evidence:
        title = Text(piece.title or f"{piece.text[:100]}...", style="bold" if piece.used else "")
        table.add_row(
            "*" if piece.used else "",
            piece.date or "undated",
            Text.assemble(title, "\n", (piece.url or piece.source, "dim")),
            f"{piece.score:.2f}",
        )
    return table


def _facts_line(facts: dict[str, Any]) -> str:
    changes = [f"{len(v)} {name.replace('_', ' ')}" for name, v in facts.items() if isinstance(v, list) and v]
    return f"Facts: {', '.join(changes) or 'nothing changed'}."


def _cost_line(report: AnswerReport) -> str:
    cost = report.cost
    return (
        f"Cost: {cost.model_calls} model calls, {cost.input_tokens + cost.output_tokens} tokens, "
        f"{cost.searches} search{'' if cost.searches == 1 else 'es'}, {cost.seconds:.2f} s."
    )
