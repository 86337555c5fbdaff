"""The page of a run, whichever kind of run it is."""

from __future__ import annotations

from dateline.dynamic import Generation
from dateline_graphs.page.generation import render_generation
from dateline_graphs.page.page import render_answer
from dateline_graphs.report import AnswerReport


def render(run: AnswerReport | Generation) -> str:
    """One self-contained HTML page, to be stored as UTF-8."""
    return render_answer(run) if isinstance(run, AnswerReport) else render_generation(run)
