"""Changed facts, before and after, with the documents behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dateline_graphs.page.dates import read_date, say
from dateline_graphs.page.markup import Html, fold, join, said, tag
from dateline_graphs.page.pieces import Piece
from dateline_graphs.report import AnswerReport

_KINDS = {
    "rewritten": ("±", "rewritten"),
    "made_false": ("−", "made false"),
    "reopened": ("↺", "true again"),
    "withdrawn": ("×", "withdrawn"),
    "added": ("+", "added"),
    "reinforced": ("=", "said again"),
}
"""In the order in which they are shown: what takes something back comes first."""

SHOWN = 12
"""Changes that stand open; the others can be opened."""


def told(report: AnswerReport) -> bool:
    """Return whether a fact store was kept or edits wait."""
    return bool(report.facts) or bool(_waits(report))


def facts(report: AnswerReport, pieces: Sequence[Piece]) -> Html:
    """Render all changes of facts and all waiting edits."""
    by_id = {piece.source.id: piece for piece in pieces}
    changes = [_change(kind, item, by_id) for kind in _KINDS for item in _items(report.facts.get(kind))]
    waiting = [_waiting(item) for item in _waits(report)]
    if not changes and not waiting:
        return tag("p", f"Nothing changed: {_why(report)}.", class_="muted")
    parts = [tag("ol", *changes[:SHOWN], class_="changes")] if changes else []
    if len(changes) > SHOWN:
        more = f"{len(changes) - SHOWN} more changes"
        parts.append(fold(more, tag("ol", *changes[SHOWN:], class_="changes"), class_="fold"))
    if waiting:
        parts += [tag("h3", f"{len(waiting)} waiting"), tag("ol", *waiting, class_="changes")]
    return join(parts)


def _change(kind: str, item: Mapping[str, Any], by_id: Mapping[str, Piece]) -> Html:
    sign, word = _KINDS[kind]
    fact, into = _fact(item.get("fact")), _fact(item.get("into"))
    shown = tag("p", said(fact))
    if into:
        shown = join([tag("p", tag("del", said(fact))), tag("p", tag("ins", said(into)))])
    before, after = _truth(item.get("before")), _truth(item.get("after"))
    truth = tag("span", f"before: {before} ", tag("span", "→", aria_hidden="true"), f" after: {after}", class_="truth")
    told: list[str] = [truth]
    if when := _interval(item.get("when")):
        told.append(f"from {when.removeprefix('since ')}")
    document = str(item.get("document") or "")
    if document in by_id:
        told.append(by_id[document].link(f"evidence {by_id[document].number}"))
    elif document:
        told.append(tag("span", "document ", said(document[:120])))
    reason = str(item.get("reason") or "")
    if reason:
        told.append(said(reason))
    return _entry(sign, word, kind, shown, told)


def _waiting(item: Mapping[str, Any]) -> Html:
    fact, into = str(item.get("fact") or ""), str(item.get("into") or "")
    shown = tag("p", said(f"{fact} → {into}" if into else fact))
    edit = str(item.get("edit") or "edit").replace("_", " ")
    told: list[str] = [said(f"now: {item.get('before', '')}"), said(f"then: {item.get('after', '')}")]
    if item.get("reason"):
        told.append(said(str(item["reason"])))
    return _entry("?", f"{edit}, waits", "waits", shown, told)


def _entry(sign: str, word: str, kind: str, shown: Html, told: Sequence[str]) -> Html:
    tagged = tag("span", tag("span", sign, aria_hidden="true"), f" {word}", class_="kind")
    return tag("li", tagged, tag("div", shown, tag("p", join(told, by=" · "), class_="muted")), class_=kind)


def _items(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list | tuple) else []


def _waits(report: AnswerReport) -> list[Mapping[str, Any]]:
    """Return the edits that still wait for a person."""
    last = next((step for step in reversed(report.steps) if step.name in ("update_facts", "approve_facts")), None)
    return _items(last.details.get("pending")) if last is not None else []


def _why(report: AnswerReport) -> str:
    step = next((step for step in report.steps if step.name == "update_facts"), None)
    return step.summary if step is not None and step.summary else "no fact store is kept"


def _fact(value: Any) -> str:
    return str(value.get("text") or "") if isinstance(value, Mapping) else str(value or "")


def _truth(value: Any) -> str:
    return "not known" if value is None else "true" if value else "false"


def _interval(value: Any) -> str:
    if not isinstance(value, Mapping):
        return ""
    start, end = value.get("start"), value.get("end")
    interval = read_date(f"{start or '..'}/{end or '..'}")
    return say(interval) if interval is not None else ""
