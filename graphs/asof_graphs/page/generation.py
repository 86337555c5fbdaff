"""A generation with retrieval as one HTML page: the text with each token's score, where it looked things up, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asof.dynamic import Generation, Retrieval, TokenScore
from asof.records import Evidence
from asof_graphs.page.markup import Html, join, link, number, said, tag
from asof_graphs.page.page import document, mark, section

LEVELS = 5
"""Shades of doubt; the darkest is the greatest score of the text."""


def render_generation(generation: Generation, *, threshold: float | None = None) -> str:
    """A generation as one self-contained HTML document, to be stored as UTF-8: no script, no request, all text escaped.

    `threshold` is the trigger's, where it has one; it is shown, not used.
    """
    sections = [
        section("answer", "Answer", _answer(generation)),
        section("retrievals", "Retrievals", _retrievals(generation, threshold)),
        section("tokens", "Tokens", _table(generation.tokens)),
        section("cost", "Cost", _cost(generation)),
    ]
    names = ("Answer", "Retrievals", "Tokens", "Cost")
    items = [tag("li", tag("a", name, href=f"#{name.lower()}")) for name in names]
    header = tag(
        "header",
        tag("p", mark(), class_="mark"),
        said(generation.question, "h1", class_="long" if len(generation.question) > 140 else None),
        tag("nav", tag("ul", *items), aria_label="Sections"),
    )
    body = [
        tag("a", "Skip to the answer", href="#answer", class_="skip"),
        header,
        tag("main", *sections, id="main"),
        tag("footer", tag("p", "Written by asof. This page asks for nothing.")),
    ]
    return document(f"{generation.question[:120]} – asof", *body, styles=("page.css", "generation.css"))


def score_of(token: TokenScore) -> float:
    """What a token is shaded by: RIND, and where no attention is known the entropy of a word that carries meaning."""
    if token.rind is not None:
        return token.rind
    return (token.entropy or 0.0) if token.word and not token.stopword else 0.0


def _answer(generation: Generation) -> Html:
    text = tag("p", *_marked(generation), class_="given long generated", dir="auto")
    key = tag("p", "The darker a word, the greater its score; point at it for the figures. ", class_="muted")
    legend = tag("p", *(tag("span", "  ", class_=f"doubt{level}") for level in range(LEVELS)), aria_hidden="true")
    return tag("div", text, tag("p", generation.statement, class_="muted"), key, legend, class_="card")


def _marked(generation: Generation) -> Iterator[Html]:
    greatest = max(map(score_of, generation.tokens), default=0.0)
    places: dict[int, list[Retrieval]] = {}
    for one in generation.retrievals:
        places.setdefault(min(one.position, len(generation.tokens)), []).append(one)
    for place in range(len(generation.tokens) + 1):
        for one in places.get(place, ()):
            yield tag("a", str(one.number), href=f"#r{one.number}", class_="ref", title=f"Retrieval {one.number}")
        if place < len(generation.tokens):
            yield _token(generation.tokens[place], greatest)


def _token(token: TokenScore, greatest: float) -> Html:
    share = score_of(token) / greatest if greatest > 0 else 0.0
    level = min(LEVELS - 1, int(share * LEVELS))
    return tag("span", token.text, class_=f"doubt{level}" if level else None, title=_figures(token))


def _figures(token: TokenScore) -> str:
    parts = [("probability", token.probability), ("entropy", token.entropy), ("attention", token.max_attention)]
    told = [f"{name} {number(value, places=3)}" for name, value in [*parts, ("RIND", token.rind)] if value is not None]
    return "; ".join([*told, "stopword"] if token.stopword else told) or "no scores are known"


def _retrievals(generation: Generation, threshold: float | None) -> Html:
    if not generation.retrievals:
        return tag("p", "Nothing was looked up.", class_="muted")
    above = tag("p", f"Threshold: {number(threshold, places=3)}.", class_="muted") if threshold is not None else ""
    return join([above, tag("ol", *map(_retrieval, generation.retrievals), class_="steps")])


def _retrieval(one: Retrieval) -> Html:
    withdrawn = tag("p", "Withdrawn: ", tag("del", said(one.withdrawn_text))) if one.withdrawn_text.strip() else ""
    return tag(
        "li",
        tag("h3", f"{one.trigger}: ", said(one.reason)),
        tag("p", f"At token {one.position}, score {number(one.score, places=3)}.", class_="muted"),
        tag("p", "Asked: ", said(one.query, "q")),
        withdrawn,
        tag("p", one.note, class_="refused") if one.note else "",
        tag("ul", *map(_document, one.documents), class_="glimpses"),
        id=f"r{one.number}",
        tabindex="-1",
    )


def _document(each: Evidence) -> Html:
    day = tag("span", str(each.published) if each.published else "undated", class_="date")
    title = said(each.title or each.source or each.url or "Without a title")
    return tag("li", day, " ", link(each.url, title) if each.url else title, said(each.text, "p", class_="text"))


def _table(tokens: Sequence[TokenScore]) -> Html:
    heads = ("", "token", "word", "probability", "entropy", "attention", "RIND")
    rows = [
        tag(
            "tr",
            tag("td", str(token.index)),
            tag("td", said(token.text.replace("\n", "⏎") or "…")),
            tag("td", said(token.word), " (stopword)" if token.stopword else ""),
            *(tag("td", "" if value is None else f"{value:.3f}") for value in _scores(token)),
        )
        for token in tokens
    ]
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in heads)))
    table = tag("table", tag("caption", "Every token of the answer."), head, tag("tbody", *rows))
    return tag("details", tag("summary", f"All {len(tokens)} tokens"), tag("div", table, class_="scroll", tabindex="0"))


def _scores(token: TokenScore) -> tuple[float | None, ...]:
    return token.probability, token.entropy, token.max_attention, token.rind


def _cost(generation: Generation) -> Html:
    cost = generation.cost
    parts = [
        ("passes of the model", str(cost.model_calls)),
        ("tokens read", str(cost.input_tokens)),
        ("tokens written", str(cost.output_tokens)),
        ("searches", str(cost.searches)),
        ("seconds", number(cost.seconds)),
    ]
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in parts), class_="cost")
