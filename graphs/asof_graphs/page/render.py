"""The page of a run, whichever kind of run it is."""

from __future__ import annotations

from asof.dynamic import Generation
from asof_graphs.page.generation import render_generation
from asof_graphs.page.page import render_answer
from asof_graphs.report import AnswerReport


def render(run: AnswerReport | Generation) -> str:
    """One self-contained HTML page, to be stored as UTF-8."""
    return render_answer(run) if isinstance(run, AnswerReport) else render_generation(run)
