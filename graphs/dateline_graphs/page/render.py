"""The page of a run, whichever kind of run it is."""

from __future__ import annotations

from dateline.dynamic import Generation
from dateline_graphs.page import answer, evidence, facts, trace
from dateline_graphs.page.dates import read_moment, say_day
from dateline_graphs.page.document import document
from dateline_graphs.page.generation import render_generation
from dateline_graphs.page.markup import join
from dateline_graphs.page.pieces import pieces_of
from dateline_graphs.page.timeline import timeline
from dateline_graphs.report import AnswerReport


def render(run: AnswerReport | Generation) -> str:
    """Return one self-contained HTML page, to be stored as UTF-8.

    It holds no script and asks for nothing: its Content-Security-Policy allows its own style sheet and nothing else.
    Every text is escaped; addresses that are not http or https are shown, not linked.
    """
    return _render_answer(run) if isinstance(run, AnswerReport) else render_generation(run)


def _render_answer(report: AnswerReport) -> str:
    pieces = pieces_of(report)
    sections = {
        "Answer": answer.answer(report, pieces),
        "Time line": join([timeline(report, pieces), evidence.table(pieces) if pieces else ""]),
        "Evidence": evidence.cards(pieces),
        **({"Premises": trace.premises(report, pieces)} if report.premises else {}),
        **({"Facts": facts.facts(report, pieces)} if facts.told(report) else {}),
        "Cost": trace.cost(report),
        "Steps": trace.steps(report),
    }
    moment = read_moment(report.asked.as_of)
    when = f" as of {say_day(moment)}" if moment is not None else ""
    return document(
        f"{report.asked.question[:120]}{when} – dateline",
        head=answer.question(report),
        sections=sections,
        origin=f" from report version {report.version}",
    )
