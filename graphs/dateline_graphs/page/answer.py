"""Head of the page: question, answer, evidence behind it, decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dateline import Certainty
from dateline.evidence.claims import Claim
from dateline.evidence.freshness import Freshness
from dateline_graphs.page.dates import read_moment, say_constraint, say_date, say_day, say_days
from dateline_graphs.page.markup import NOTHING, Html, join, said, tag
from dateline_graphs.page.pieces import Piece
from dateline_graphs.report import OUTCOMES, AnswerReport

_SIGNS = {"adopt": "✓", "abstain": "⊘", "retrieve": "↻"}
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
    listed = join(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows)
    size = "long" if len(asked.question) > _LONG_QUESTION else None
    return join([said(asked.question, "h1", class_=size), tag("dl", listed, class_="asked")])


def answer(report: AnswerReport, pieces: Sequence[Piece]) -> Html:
    """The answer's section: claims linked to evidence, and the decision."""
    by_id = {piece.source.id: piece for piece in pieces if piece.part != "unread"}
    size = "short" if len(report.answer) <= _LONG else "medium" if len(report.answer) <= _LONGER else "long"
    if not report.answer.strip():
        given = tag("p", "No answer is given.", class_="given none")
    else:
        given = tag("p", _claims(report, by_id), class_=f"given {size}")
    chosen = NOTHING
    if report.choice is not None:
        chosen = tag("p", f"Choice {report.choice + 1} of those given.", class_="muted")
    problems = NOTHING
    if report.problems:
        problems = tag("ul", *(tag("li", _problem(text)) for text in report.problems), class_="problems")
    parts = [given, chosen, _quotes(report, by_id), problems, _decision(report)]
    return tag("div", *parts, class_="card answer")


def _problem(text: str) -> Html:
    return join([tag("strong", "Problem: "), said(text)])


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
    links = [
        tag("a", str(piece.number), href=f"#{piece.anchor}", aria_label=piece.label(), class_="ref") for piece in pieces
    ]
    return tag("span", join(links, by="\u200a"), class_="refs") if links else NOTHING


def _quotes(report: AnswerReport, by_id: Mapping[str, Piece]) -> Html:
    """The sentences of the evidence that hold the words of the claims."""
    items = []
    for claim in report.claims:
        for one in claim.support:
            piece = by_id.get(one.evidence_id)
            if piece is not None and one.sentence:
                items.append(_quote(piece, one.sentence))
    items = list(dict.fromkeys(items))
    if not items:
        return NOTHING
    rest = NOTHING
    if len(items) > _QUOTES:
        more = tag("summary", f"{len(items) - _QUOTES} more")
        rest = tag("details", more, tag("ul", *items[_QUOTES:], class_="quotes"))
    head = tag("h3", "Where the evidence says it")
    return join([head, tag("ul", *items[:_QUOTES], class_="quotes"), rest])


def _quote(piece: Piece, sentence: str) -> Html:
    by = tag("a", f"{piece.number} · {piece.date}", href=f"#{piece.anchor}", aria_label=piece.label())
    return tag("li", said(sentence, "q"), " ", tag("span", by, class_="by"))


def _decision(report: AnswerReport) -> Html:
    decision = report.decision
    sign, word = _SIGNS[decision.outcome], OUTCOMES[decision.outcome]
    rounds = f"after {report.rounds + 1} reading{'s' if report.rounds else ''} of the evidence"
    head = tag("h3", "The gate’s decision")
    line = tag(
        "p",
        tag("span", tag("span", sign, aria_hidden="true"), f" {word}", class_=f"pill {decision.outcome}"),
        f" {rounds}. ",
        said(decision.reason),
    )
    fresh = tag("p", _freshness(report.freshness), class_="muted")
    return tag("div", head, line, _certainty(report.certainty), fresh, class_="decision")


def _freshness(freshness: Freshness) -> str:
    if freshness.newest is None:
        return freshness.statement
    age = freshness.newest_age_days
    before = "" if age is None else ", on the asking date" if age == 0 else f", {say_days(age)} before the asking date"
    told = f"The newest evidence used is of {say_date(freshness.newest)}{before}"
    if freshness.oldest not in (None, freshness.newest):
        told += f"; the oldest of {say_date(freshness.oldest)}"
    if freshness.undated:
        told += f"; {freshness.undated} of the pieces used {'is' if freshness.undated == 1 else 'are'} undated"
    return f"{told}."


def _certainty(certainty: Certainty) -> Html:
    """Draw the certainty as three named, patterned shares of a bar."""
    shares = (
        ("reliable", certainty.reliable),
        ("uncertain", certainty.uncertain),
        ("misleading", certainty.misleading),
    )
    bars, at = [], 0.0
    for name, share in shares:
        width = 100 * share
        place: dict[str, str | float] = {"x": f"{at:.2f}%", "y": 0, "width": f"{width:.2f}%", "height": 12}
        bars.append(tag("rect", **place, class_=name))
        if name == "misleading":
            bars.append(tag("rect", **place, fill="url(#hatch)"))
        at += width
    bar = tag("svg", *bars, width="100%", height=12, class_="certainty", aria_hidden="true")
    items = [
        tag("li", tag("span", class_=f"swatch {name}"), tag("span", name), " ", tag("strong", f"{share:.0%}"))
        for name, share in shares
    ]
    return join([bar, tag("ul", *items, class_="shares")])
