"""A report as text for a person, the answer first."""

from __future__ import annotations

import codecs
import json
import os
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

from pydantic import TypeAdapter
from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from dateline.counted import counted
from dateline.visible import visible

if TYPE_CHECKING:
    from dateline_graphs.report import AnswerReport, CitedSource

Item = TypeVar("Item")

_SENTENCE = 200
"""Characters of a sentence that are shown."""
_REASONING = 500
"""Characters of an answer's reasoning that are shown."""
_LITTLE = 0.05
"""Pieces with a lower score are counted only, where they are not used."""


class SafeConsole(Console):
    """A console on which foreign text moves no cursor and hides nothing.

    With `NO_COLOR` set it is plain: neither colours nor bold nor dim.
    """

    def __init__(self, **settings: Any) -> None:
        plain = {"color_system": None} if os.environ.get("NO_COLOR") else {}
        super().__init__(**{**settings, **plain})

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Render without control characters, whatever the text."""
        for each in super().render(renderable, options):
            yield each if each.control else Segment(visible(each.text, lines=True), each.style)

    def on_broken_pipe(self) -> NoReturn:
        """Leave it to the command, as where `print` finds nobody who reads."""
        raise BrokenPipeError


@contextmanager
def stages_shown() -> Iterator[Callable[[str, int, int], None]]:
    """Show on a terminal how far stages are (stage, done, total)."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    console = SafeConsole(stderr=True)
    told = TextColumn("{task.description}", markup=False)
    columns = (told, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        tasks: dict[str, TaskID] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield tell


def tracked(items: Iterable[Item], *, total: int) -> Iterable[Item]:
    """Yield items; show on a terminal how many of `total` are done."""
    from rich.progress import track

    console = SafeConsole(stderr=True)
    return track(items, total=total, console=console, transient=True, disable=not console.is_terminal)


def print_lines(text: str, *, file: TextIO | None = None) -> None:
    """Print text of any origin, with its line breaks."""
    print(visible(text, lines=True), file=file, flush=True)


def print_json(value: Any) -> None:
    """Print a value as JSON; models and dataclasses in it too."""
    made = TypeAdapter(Any).dump_json(value, indent=2).decode()
    escaped = _escaped if _writes_utf8(sys.stdout) else _in_ascii
    sys.stdout.write("".join(map(escaped, made)) + "\n")
    sys.stdout.flush()


def _writes_utf8(stream: TextIO) -> bool:
    # A stream in memory has no encoding, and takes every character.
    return codecs.lookup(stream.encoding or "utf-8").name == "utf-8"


@cache
def _escaped(char: str) -> str:
    # What a terminal obeys is escaped, not left out: a program reads the same value.
    return char if char in "\n " or unicodedata.category(char) not in ("Cc", "Cf") else json.dumps(char)[1:-1]


def _in_ascii(char: str) -> str:
    return _escaped(char) if char <= "~" else json.dumps(char)[1:-1]


def show_report(report: AnswerReport, *, console: Console) -> None:
    """Print a report."""
    console.print(Text(report.headline, style="bold"))
    for remark in report.remarks:
        console.print(Text(remark))
    if report.worked_out:
        console.print(Text(f"Reasoning: {shorten(report.worked_out, _REASONING, placeholder=' ...')}"))
    if report.asked.said not in ("", report.asked.question):
        console.print(Text(f"Understood as: {report.asked.question}"))
    console.print(Text(_standing(report)))
    for problem in report.problems:
        console.print(Text(f"Problem: {problem}", style="yellow"))
    if report.evidence:
        shown = [piece for piece in report.evidence if piece.used or piece.score >= _LITTLE] or report.evidence
        console.print(_evidence_table(report, shown))
        if left := len(report.evidence) - len(shown):
            console.print(Text(f"{counted(left, 'more piece')} with a score below {_LITTLE}.", style="dim"))
    console.print(Text(report.freshness.statement))
    if report.facts:
        console.print(Text(_facts_line(report.facts)))
    console.print(Text(_cost_line(report), style="dim"))


def _standing(report: AnswerReport) -> str:
    constraint = report.asked.constraint
    asked = f" (asked for: {constraint.relation.replace('_', ' ')} {constraint.interval})" if constraint else ""
    return f"As of {report.asked.as_of[:10]}{asked}. {report.standing}. {report.decision.reason}"


def _evidence_table(report: AnswerReport, shown: Sequence[CitedSource]) -> Table:
    rounds = f" of {report.rounds + 1} rounds" if report.rounds else ""
    named = f"Evidence{rounds}, oldest to newest"
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=named, title_justify="left")
    table.add_column("used", justify="center")
    table.add_column("date", no_wrap=True)
    table.add_column("title and source", ratio=1)
    table.add_column("score", justify="right")
    told = _sentences(report)
    for piece in shown:
        title = Text(piece.title or f"{piece.text[:100]}...", style="bold" if piece.used else "")
        lines = [title, Text(piece.url or piece.source, style="dim")]
        if piece.id in told:
            lines.append(Text(told[piece.id], style="italic"))
        table.add_row("*" if piece.used else "", piece.date or "undated", Text("\n").join(lines), f"{piece.score:.2f}")
    return table


def _sentences(report: AnswerReport) -> dict[str, str]:
    """Return what is shown of texts.

    It is where the answer stands, and the beginning of those that are called alike.
    """
    called = Counter((piece.title, piece.source) for piece in report.evidence)
    shown = {piece.id: piece.text for piece in report.evidence if called[piece.title, piece.source] > 1}
    shown |= {one.evidence_id: one.sentence for claim in report.claims for one in claim.support if one.sentence}
    return {place: f'"{shorten(text, _SENTENCE, placeholder=" ...")}"' for place, text in shown.items()}


def _facts_line(facts: dict[str, Any]) -> str:
    changes = [f"{len(v)} {name.replace('_', ' ')}" for name, v in facts.items() if isinstance(v, list) and v]
    return f"Facts: {', '.join(changes) or 'nothing changed'}."


def _cost_line(report: AnswerReport) -> str:
    cost = report.cost
    return (
        f"Cost: {counted(cost.model_calls, 'model call')}, {counted(cost.tokens, 'token')}, "
        f"{counted(cost.searches, 'search')}, {cost.seconds:.2f} s."
    )
