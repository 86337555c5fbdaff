"""Records as small pictures for notebooks: without scripts, links or network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import Any

from dateline import Evidence
from dateline.certainty.doubt import DOUBT
from dateline.channels import GIVEN
from dateline.facts.fact import FactHistory, FactJudgement, FoundFact
from dateline.facts.slot_history import SlotHistory
from dateline.limits import shortened
from dateline_graphs.page.answer import verdict
from dateline_graphs.page.dates import read_moment, say_date, say_day
from dateline_graphs.page.document import file
from dateline_graphs.page.markup import NOTHING, Html, join, said, tag
from dateline_graphs.page.strip import Bar, Row, strip
from dateline_graphs.report import AnswerReport

SHOWN = 4
"""Pieces of evidence that are listed, beside all that are used."""

GLIMPSE = 280
"""Characters of a text that are shown."""


class SideBySide:
    """Values next to each other, such as an answer before and after.

    Example:
        >>> both = SideBySide(before="The older note.", after=Evidence.make("The newer note."))
        >>> both._repr_html_().count("<h4>")
        2
    """

    def __init__(self, **values: object) -> None:
        self.values = values

    def __repr__(self) -> str:
        return "\n".join(f"{_name(name)}: {value}" for name, value in self.values.items())

    def _repr_html_(self) -> str:
        parts = (
            tag(
                "div",
                tag("h4", _name(name)),
                _body(value) or tag("p", said(str(value)[:2000]), class_="plain"),
                class_="dateline",
            )
            for name, value in self.values.items()
        )
        return join([_style(), tag("div", *parts, class_="dateline beside")])


def draw(value: object) -> str:
    """Return a record's picture, or "" for a kind that has none."""
    body = _body(value)
    return join([_style(), tag("div", body, class_="dateline")]) if body else ""


@singledispatch
def _body(value: Any) -> Html:
    return NOTHING


@_body.register
def _report(report: AnswerReport) -> Html:
    moment = read_moment(report.asked.as_of)
    when = "" if moment is None else f" As of {say_day(moment)}."
    ordered = sorted(report.evidence, key=lambda source: not source.used)
    shown = [source for place, source in enumerate(ordered) if source.used or place < SHOWN]
    rows = ((source.used, source.date, source.title or source.text[:80]) for source in shown)
    more = len(ordered) - len(shown)
    return join(
        [
            said(report.asked.question, "p", class_="ask"),
            verdict(report),
            said(report.headline, "p", class_="given" if report.adopted else "given none"),
            *([tag("p", f"{report.mark}: ", said(report.guess))] if report.guess else []),
            *([tag("p", f"{DOUBT}: ", said(f"{report.doubt}."), class_="soft")] if report.doubt else []),
            tag("p", f"{report.freshness.statement}{when}", class_="soft"),
            _table(("", "published", "evidence"), rows),
            tag("p", f"{more} more read, and not used.", class_="soft") if more else NOTHING,
        ]
    )


@_body.register
def _evidence(piece: Evidence) -> Html:
    told = [text for text in (piece.source, piece.dated_by and f"date from {piece.dated_by}") if text]
    text = shortened(piece.text, limit=GLIMPSE)
    head = tag("p", tag("strong", say_date(_said(piece.published))), " ", said(piece.title))
    return join([head, said(text, "p"), tag("p", join(map(said, told), by=" · "), class_="soft")])


@_body.register
def _history(history: FactHistory) -> Html:
    return _judged(history.fact.text, history.entries)


@_body.register
def _found(found: FoundFact) -> Html:
    return _judged(found.fact.text, found.entries)


@_body.register
def _slot(history: SlotHistory) -> Html:
    rows = [Row(period.value, (Bar(_start(period.since), _start(period.until)),)) for period in history.periods]
    told = (
        (period.until is None, _said(period.since), period.value + _speakers(period.sources))
        for period in history.periods
    )
    head = said(f"{history.attribute} of {history.subject}", "p", class_="ask")
    return join([head, strip(rows), _table(("", "since", "value"), told)])


def _judged(text: str, entries: Sequence[FactJudgement]) -> Html:
    counted = [entry for entry in entries if entry.undone_at is None]
    dated = [entry for entry in counted if _start(entry.when) is not None]
    ends = [*(_start(entry.when) for entry in dated[1:]), None]
    bars = tuple(
        Bar(_start(entry.when), end, "held" if entry.true else "ended") for entry, end in zip(dated, ends, strict=True)
    )
    rows = (
        (entry.true, _said(entry.when), f"{'true' if entry.true else 'false'}: {entry.origin or entry.document}")
        for entry in counted
    )
    return join(
        [
            said(text, "p", class_="ask"),
            strip([Row("from when to when it was true" if any(entry.true for entry in dated) else "", bars)]),
            _table(("", "from", "said by"), rows),
        ]
    )


def _table(heads: Sequence[str], rows: Iterable[tuple[bool, str | None, str]]) -> Html:
    """A table whose first column marks what counts."""
    shown = [
        tag(
            "tr",
            tag("td", "●" if marked else ""),
            tag("td", say_date(date)),
            said(text, "td"),
            class_="used" if marked else None,
        )
        for marked, date, text in rows
    ]
    head = tag("tr", *(tag("th", name) for name in heads))
    return tag("table", head, *shown) if shown else NOTHING


def _speakers(sources: Sequence[str]) -> str:
    named = [source for source in sources if source != GIVEN]
    return f" ({', '.join(named)})" if named else ""


def _start(when: Any) -> int | None:
    return None if when is None else when.start


def _said(when: Any) -> str | None:
    return None if when is None else when.isoformat()


def _name(name: str) -> str:
    return name.replace("_", " ")


def _style() -> Html:
    tokens = file("tokens.css").replace(":root", ".dateline")
    return tag("style", Html(tokens + file("picture.css")))
