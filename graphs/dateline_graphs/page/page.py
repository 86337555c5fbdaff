"""The whole page."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files

from dateline_graphs.page import answer, evidence, facts, trace
from dateline_graphs.page.dates import read_moment, say_day
from dateline_graphs.page.markup import Html, clean, join, tag
from dateline_graphs.page.pieces import pieces_of
from dateline_graphs.page.timeline import timeline
from dateline_graphs.report import AnswerReport

ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Cpath d='M1 12.5h14M8 12V5' stroke='%230b6b63' stroke-width='1.5'/%3E"
    "%3Ccircle cx='8' cy='4.5' r='3' fill='%230b6b63'/%3E%3C/svg%3E"
)


def render_answer(report: AnswerReport) -> str:
    """A report as one self-contained HTML document, to be stored as UTF-8.

    It holds no script and asks for nothing: its Content-Security-Policy allows its own style sheet and nothing else.
    Every text is escaped; addresses that are not http or https are shown, not linked.
    """
    pieces = pieces_of(report)
    sections = [
        section("answer", "Answer", answer.answer(report, pieces)),
        section("timeline", "Time line", join([timeline(report, pieces), evidence.table(pieces) if pieces else ""])),
        section("evidence", "Evidence", evidence.cards(pieces)),
        section("premises", "Premises", trace.premises(report, pieces)),
        section("facts", "What changed in the facts", facts.facts(report, pieces)),
        section("cost", "Cost", trace.cost(report)),
        section("steps", "Steps", trace.steps(report)),
    ]
    body = [
        tag("a", "Skip to the answer", href="#answer", class_="skip"),
        tag("header", tag("p", mark(), class_="mark"), answer.question(report), _navigation()),
        tag("main", *sections, id="main"),
        tag(
            "footer", tag("p", f"Written by dateline from report version {report.version}. This page asks for nothing.")
        ),
    ]
    moment = read_moment(report.asked.as_of)
    when = f" as of {say_day(moment)}" if moment is not None else ""
    return document(f"{report.asked.question[:120]}{when} – dateline", *body)


def document(title: str, *body: str, styles: tuple[str, ...] = ("page.css",)) -> str:
    """A whole document around its body; `styles` are files of this folder."""
    return f"<!doctype html>\n{tag('html', _head(title, styles), tag('body', *body), lang='en')}\n"


def _head(title: str, styles: tuple[str, ...]) -> Html:
    style = _style(styles)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="generator", content="dateline"),
        tag("title", title),
        Html(f'<link rel="icon" href="{ICON}">'),
        tag("style", Html(style)),
    )


@lru_cache(maxsize=4)
def _style(names: tuple[str, ...]) -> str:
    folder = files("dateline_graphs.page")
    return clean("".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names))


def section(id: str, title: str, content: Html) -> Html:
    """A part of the page under its title."""
    head = tag("h2", title, id=f"{id}-title")
    return tag("section", head, content, id=id, aria_labelledby=f"{id}-title", tabindex="-1")


def _navigation() -> Html:
    names = ("Answer", "Time line", "Evidence", "Premises", "Facts", "Cost", "Steps")
    items = [tag("li", tag("a", name, href=f"#{name.lower().replace(' ', '')}")) for name in names]
    return tag("nav", tag("ul", *items), aria_label="Sections")


def mark() -> Html:
    """The sign of dateline at the head of a page."""
    line = tag("path", d="M1 17.5h22M12 17V8", class_="line")
    dot = tag("circle", cx=12, cy=6.5, r=4, class_="dot")
    return join([tag("svg", line, dot, width=24, height=20, aria_hidden="true"), tag("span", "dateline")])
