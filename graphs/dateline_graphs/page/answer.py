"""Head of the page: question, answer, evidence behind it, decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dateline import Certainty
from dateline.certainty.doubt import DOUBT
from dateline.evidence.claims import Claim
from dateline.evidence.freshness import Freshness, days_off
from dateline_graphs.page.dates import read_moment, say_constraint, say_date, say_day, say_days
from dateline_graphs.page.markup import NOTHING, Html, described, fold, join, said, tag
from dateline_graphs.page.pieces import Piece
from dateline_graphs.report import AnswerReport

_SIGNS = {"adopt": "✓", "keep": "?", "abstain": "⊘", "retrieve": "↻"}
_LONG, _LONGER = 60, 260
"""Characters from which an answer is set smaller, and in the size of running text."""

_LONG_QUESTION = 180
"""Characters from which a question is set smaller."""

_QUOTES = 8
"""Quotes that stand open below an answer."""


def question(report: AnswerReport) -> Html:
    """The question's section: its text, asking date and constraint."""
    asked = report.asked
    moment = read_moment(asked.as_of)
    rows = [("Asked as of", tag("strong", say_day(moment) if moment is not None else asked.as_of))]
    if asked.constraint is None:
        rows.append(("Asked for", join(["how things stood then; the question names no time"])))
    else:
        words = asked.constraint.text
        told = join([" — the question says “", said(words), "”"]) if words else NOTHING
        rows.append(("Asked for", join([tag("strong", say_constraint(asked.constraint)), told])))
        if asked.constraint.ordinal:
            rows.append(("Of several", join([f"the {asked.constraint.ordinal} one"])))
    if asked.content.strip() and asked.content != asked.question:
        rows.append(("Searched for", said(asked.content)))
    if asked.sub_questions:
        rows.append(("In parts", tag("ol", *(said(part, "li") for part in asked.sub_questions))))
    size = "long" if len(asked.question) > _LONG_QUESTION else None
    return join([said(asked.question, "h1", class_=size), described(rows, "asked")])


def answer(report: AnswerReport, pieces: Sequence[Piece]) -> Html:
    """The answer's section: claims linked to evidence, and the decision."""
    by_id = {piece.source.id: piece for piece in pieces if piece.part != "unread"}
    size = "short" if len(report.answer) <= _LONG else "medium" if len(report.answer) <= _LONGER else "long"
    parts = [verdict(report)]
    parts += [] if report.adopted else [tag("p", report.headline, class_="given none")]
    if report.guess:
        parts.append(tag("p", f"{report.mark}:", class_="muted"))
    if report.answer.strip():
        parts.append(tag("p", _claims(report, by_id), class_=f"given {size if report.adopted else 'long'}"))
    if report.doubt:
        parts.append(tag("p", f"{DOUBT}: ", said(f"{report.doubt}."), class_="muted"))
    if report.reading.announced is not None:
        parts.append(tag("p", "Announced ", said(f"{report.reading.announced}."), class_="muted"))
    if report.worked_out:
        parts.append(tag("p", "Reasoning: ", said(report.worked_out), class_="muted"))
    if report.choice is not None:
        parts.append(tag("p", f"Choice {report.choice + 1} of those given.", class_="muted"))
    parts.append(_quotes(report, by_id))
    if report.problems:
        problems = (tag("li", tag("strong", "Problem: "), said(text)) for text in report.problems)
        parts.append(tag("ul", *problems, class_="problems"))
    return tag("div", *parts, _decision(report), class_="card answer")


def _claims(report: AnswerReport, by_id: Mapping[str, Piece]) -> Html:
    if not report.claims:
        used = [piece for piece in by_id.values() if piece.part == "used"]
        return join([said(report.answer), _references(used)])
    return join((_claim(i, claim, by_id) for i, claim in enumerate(report.claims, 1)), by=" ")


def _claim(index: int, claim: Claim, by_id: Mapping[str, Piece]) -> Html:
    found = [by_id[one.evidence_id] for one in claim.support if one.evidence_id in by_id]
    links = _references(found) if found else tag("span", "no evidence linked", class_="unlinked")
    return tag("span", said(claim.text), links, id=f"c{index}", class_="claim", tabindex="-1")


def _references(pieces: Sequence[Piece]) -> Html:
    links = [piece.link(str(piece.number), class_="ref") for piece in pieces]
    return tag("span", join(links, by="\u200a"), class_="refs") if links else NOTHING


def _quotes(report: AnswerReport, by_id: Mapping[str, Piece]) -> Html:
    """The sentences of the evidence that hold the words of the claims."""
    told = [one for claim in report.claims for one in claim.support if one.sentence and one.evidence_id in by_id]
    items = list(dict.fromkeys(_quote(by_id[one.evidence_id], one.sentence) for one in told))
    if not items:
        return NOTHING
    rest = NOTHING
    if len(items) > _QUOTES:
        rest = fold(f"{len(items) - _QUOTES} more", tag("ul", *items[_QUOTES:], class_="quotes"))
    head = tag("h3", "Where the evidence says it")
    return join([head, tag("ul", *items[:_QUOTES], class_="quotes"), rest])


def _quote(piece: Piece, sentence: str) -> Html:
    by = tag("span", piece.link(f"{piece.number} · {piece.date}"), class_="by")
    return tag("li", said(sentence, "q"), " ", by)


def verdict(report: AnswerReport) -> Html:
    """The gate's decision in the words of the command, before anything else."""
    outcome = "abstain" if report.decision.outcome == "adopt" and not report.adopted else report.decision.outcome
    sign = tag("span", _SIGNS[outcome], aria_hidden="true")
    certainty = f"p(reliable) = {report.certainty.shown}"
    return tag(
        "p", tag("span", sign, f" {report.standing}", class_=f"pill {outcome}"), f" {certainty}", class_="verdict muted"
    )


def _decision(report: AnswerReport) -> Html:
    rounds = f"Decided after {report.rounds + 1} reading{'s' if report.rounds else ''} of the evidence: "
    head = tag("h3", "Why")
    line = tag("p", rounds, said(report.decision.reason))
    fresh = tag("p", _freshness(report.freshness), class_="muted")
    return tag("div", head, line, _certainty(report.certainty), fresh, class_="decision")


def _freshness(freshness: Freshness) -> str:
    if freshness.newest is None:
        return freshness.statement
    age = freshness.newest_age_days
    off = "" if age is None else f", {days_off(age, days=say_days(abs(age)))}"
    told = f"The newest evidence used is of {say_date(freshness.newest)}{off}"
    if freshness.oldest not in (None, freshness.newest):
        told += f"; the oldest of {say_date(freshness.oldest)}"
    if freshness.undated:
        told += f"; {freshness.undated} of the pieces used {'is' if freshness.undated == 1 else 'are'} undated"
    return f"{told}."


def _certainty(certainty: Certainty) -> Html:
    """Draw the certainty as three named, patterned shares of a bar."""
    shares = {name: getattr(certainty, name) for name in ("reliable", "uncertain", "misleading")}
    bars, at = [], 0.0
    for name, share in shares.items():
        place: dict[str, str | float] = {"x": f"{at:.2f}%", "y": 0, "width": f"{100 * share:.2f}%", "height": 12}
        bars.append(tag("rect", **place, class_=name))
        at += 100 * share
    bars.append(tag("rect", **place, fill="url(#hatch)"))
    bar = tag("svg", *bars, width="100%", height=12, class_="certainty", aria_hidden="true")
    items = [
        tag("li", tag("span", class_=f"swatch {name}"), tag("span", name), " ", tag("strong", f"{share:.0%}"))
        for name, share in shares.items()
    ]
    return join([bar, tag("ul", *items, class_="shares")])
