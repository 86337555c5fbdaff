"""The evidence's section: texts with quotes, scores, and a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dateline.limits import shortened
from dateline_graphs.page import markup
from dateline_graphs.page.dates import say_date
from dateline_graphs.page.markup import NOTHING, Html, described, fold, join, link, said, tag, web_address
from dateline_graphs.page.pieces import IN_WORDS, Piece
from dateline_graphs.page.reasons import LEGEND

WHOLE = 800
"""Texts up to so many characters are shown whole; of longer ones an excerpt, the rest can be opened."""

EXCERPT = 520
NOTHING_SAID = 0.005
"""A lower score would be shown as 0.00."""

GLIMPSE = 240
"""Characters shown of a piece that was not read."""


def cards(pieces: Sequence[Piece]) -> Html:
    """Render a card for each piece read; fold the others below."""
    read = [piece for piece in pieces if piece.part != "unread"]
    unread = [piece for piece in pieces if piece.part == "unread"]
    best = max((piece.source.score for piece in read), default=0.0)
    parts: list[Html] = [] if read else [tag("p", "Nothing was read.")]
    for part, name in (("used", "The answer stands on"), ("read", "Read, and not used")):
        if group := [piece for piece in read if piece.part == part]:
            shown = (_card(piece, best=best) for piece in group)
            parts += [tag("p", name, class_="group"), tag("ol", *shown, class_="rail", aria_label=name)]
    if unread:
        count = f"{len(unread)} more {'piece was' if len(unread) == 1 else 'pieces were'} found and not read"
        listed = tag("ol", *map(_glimpse, unread), class_="glimpses")
        parts.append(fold(count, listed, class_="fold"))
    return join(parts)


def _card(piece: Piece, *, best: float) -> Html:
    source = piece.source
    badge = tag("span", str(piece.number), class_="badge", aria_hidden="true")
    state = tag("span", IN_WORDS[piece.part], class_="state")
    head = tag("h3", tag("span", f"Evidence {piece.number}: ", class_="hidden"), link(source.url, said(piece.title)))
    when = tag("p", tag("span", piece.date, class_="date"), " ", state, class_="when")
    reason = tag("p", piece.reason, class_="reason") if piece.reason else NOTHING
    article = tag("article", when, head, _origin(piece), reason, _text(piece), _scores(piece, best=best), _back(piece))
    return tag("li", badge, article, id=piece.anchor, class_=piece.part, tabindex="-1")


def _origin(piece: Piece) -> Html:
    source = piece.source
    told = [said(text) for text in (source.source, source.kind.replace("_", " ")) if text and text != piece.title]
    if source.dated_by:
        told.append(said(f"date from {source.dated_by}"))
    if source.url and not web_address(source.url):
        told.append(tag("span", "address not linked: ", said(source.url[:200]), class_="refused"))
    return tag("p", join(told, by=" · "), class_="origin")


def _text(piece: Piece) -> Html:
    text = piece.source.text
    if len(text) <= WHOLE:
        return said("", "p", class_="text") if not text else _paragraph(text, piece.quotes)
    start = next((max(0, at - EXCERPT // 4) for q in piece.quotes if (at := text.find(q)) >= 0), 0)
    cut = ("… " if start else "") + text[start : start + EXCERPT].strip() + " …"
    whole = fold(f"The whole text, {len(text):,} characters", _paragraph(text, piece.quotes))
    return join([_paragraph(cut, piece.quotes), whole])


def _paragraph(text: str, quotes: Iterable[str]) -> Html:
    parts, at = [], 0
    for start, end in _marked(text, quotes):
        parts += [text[at:start], tag("mark", text[start:end])]
        at = end
    return tag("p", *parts, text[at:], class_="text", dir="auto")


def _marked(text: str, quotes: Iterable[str]) -> list[tuple[int, int]]:
    """Locate the quotes, in order, none inside another."""
    found = sorted((at, at + len(quote)) for quote in quotes if quote and (at := text.find(quote)) >= 0)
    kept: list[tuple[int, int]] = []
    for start, end in found:
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def _scores(piece: Piece, *, best: float) -> Html:
    """Say how well a piece fits, beside the best one."""
    source = piece.source
    matched = say_date(source.matched) if source.matched else piece.date
    speaks = [("Speaks of", matched)] if matched != piece.date else []
    if source.score < NOTHING_SAID:
        low = tag("p", "Ranked near the end for this question; it was read all the same.", class_="rank")
        return join([low, described(speaks, "scores")]) if speaks else low
    share = source.score / best
    said_of_it = "the best of what was read" if share == 1 else f"{100 * share:.0f} % of the best"
    ground = tag("rect", width="100%", height=5, rx=2.5, class_="ground")
    bar = tag(
        "svg", ground, tag("rect", width=f"{100 * share:.1f}%", height=5, rx=2.5, class_="level"), width=64, height=5
    )
    fit = join([f"{said_of_it} ", tag("span", bar, aria_hidden="true", class_="bar")])
    return described([("Fits the question and its time", fit), *speaks], "scores")


def _back(piece: Piece) -> Html:
    if not piece.claims:
        return NOTHING
    several = len(piece.claims) > 1
    links = [
        tag("a", f"sentence {claim} of the answer" if several else "the answer", href=f"#c{claim}")
        for claim in piece.claims
    ]
    return tag("p", "Back to ", join(links, by=", "), class_="back")


def _glimpse(piece: Piece) -> Html:
    source = piece.source
    text = shortened(source.text, limit=GLIMPSE)
    line = tag("p", tag("span", piece.date, class_="date"), " · ", said(source.source))
    title = tag("strong", link(source.url, said(piece.title)))
    return tag("li", line, title, said(text, "p", class_="text"), id=piece.anchor, value=piece.number, tabindex="-1")


def table(pieces: Sequence[Piece]) -> Html:
    """Everything that the time line shows, as a table."""
    names = ("No.", "Published", "Title", "Role", "Score", "Content", "Time", "Speaks of")
    shown = markup.table("Every piece of evidence", names, map(_row, pieces), name="Evidence as a table")
    meaning = described(((name, f"{told}.") for name, told in LEGEND.items()), "asked")
    return fold("The time line as a table", join([shown, meaning]), class_="fold")


def _row(piece: Piece) -> list[str]:
    source = piece.source
    return [
        piece.link(str(piece.number)),
        piece.date,
        said(piece.title[:200]),
        IN_WORDS[piece.part],
        f"{source.score:.2f}",
        f"{source.semantic:.2f}",
        f"{source.temporal:.2f}",
        say_date(source.matched) if source.matched else "–",
    ]
