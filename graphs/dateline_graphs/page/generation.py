"""A generation with retrieval as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dateline.dynamic import Generation, Retrieval
from dateline.dynamic.values import TokenScore
from dateline.records import Evidence
from dateline.temporal.interval import seconds_of
from dateline_graphs.page.dates import say, say_day
from dateline_graphs.page.document import document
from dateline_graphs.page.markup import NOTHING, Html, described, fold, join, link, number, said, table, tag

LEVELS = 5
"""Shades of doubt; the darkest is the greatest score of the text."""


def render_generation(generation: Generation) -> str:
    """Render a generation as one HTML document, like `render`."""
    asked = generation.question
    return document(
        f"{asked[:120]} – dateline",
        head=join(
            [said(asked, "h1", class_="long" if len(asked) > 140 else None), described(_asked(generation), "asked")]
        ),
        sections={
            "Answer": _answer(generation),
            "Retrievals": _retrievals(generation),
            "Tokens": _table(generation.tokens),
            "Cost": _cost(generation),
        },
        styles=("tokens.css", "page.css", "generation.css"),
    )


def score_of(token: TokenScore) -> float:
    """Return the score that shades a token: RIND, or a word's entropy."""
    if token.rind is not None:
        return token.rind
    return (token.entropy or 0.0) if token.word and not token.stopword else 0.0


def _asked(generation: Generation) -> Iterator[tuple[str, str]]:
    as_of = generation.as_of
    yield "Asked as of", tag("strong", say_day(seconds_of(as_of))) if as_of is not None else "no date is known"
    if generation.threshold is not None:
        yield "Threshold", number(generation.threshold, places=3)


# -- the text -------------------------------------------------------------------------------------


def _answer(generation: Generation) -> Html:
    if not generation.text and not generation.tokens:
        nothing = tag("p", "Nothing was written.", class_="given none")
        return tag("div", nothing, tag("p", generation.statement, class_="muted"), class_="card")
    text = tag("p", *_marked(generation), class_="given long generated", dir="auto")
    shades = join((tag("span", str(level), class_=f"doubt{level}") for level in range(LEVELS)), by=" ")
    told = "The darker a word, the greater its score, from 0 to the greatest of this text. Numbers in a pill are "
    told += "retrievals. The figures of every token stand in the table below."
    key = tag("p", tag("span", shades, class_="shades", aria_hidden="true"), told, class_="muted")
    return tag("div", text, tag("p", generation.statement, class_="muted"), key, class_="card")


def _marked(generation: Generation) -> Iterator[Html]:
    greatest = max(map(score_of, generation.tokens), default=0.0)
    places: dict[int, list[Retrieval]] = {}
    for one in generation.retrievals:
        places.setdefault(min(one.position, len(generation.tokens)), []).append(one)
    for place in range(len(generation.tokens) + 1):
        for one in places.get(place, ()):
            label = f"Retrieval {one.number}"
            yield tag("a", str(one.number), href=f"#r{one.number}", id=f"a{one.number}", class_="ref", aria_label=label)
        if place < len(generation.tokens):
            yield _token(generation.tokens[place], greatest, first=place == 0)


def _token(token: TokenScore, greatest: float, *, first: bool) -> Html:
    share = score_of(token) / greatest if greatest > 0 else 0.0
    level = max(0, min(LEVELS - 1, int(share * LEVELS)))
    text = token.text.lstrip() if first else token.text
    return tag("span", text, class_=f"doubt{level}" if level else None, title=_figures(token))


def _figures(token: TokenScore) -> str:
    parts = [("probability", token.probability), ("entropy", token.entropy), ("attention", token.max_attention)]
    told = [f"{name} {number(value, places=3)}" for name, value in [*parts, ("RIND", token.rind)] if value is not None]
    return "; ".join([*told, "stopword"] if token.stopword else told) or "no scores are known"


# -- what was looked up ---------------------------------------------------------------------------


def _retrievals(generation: Generation) -> Html:
    if not generation.retrievals:
        return tag("p", "Nothing was looked up.", class_="muted")
    return tag("ol", *map(_retrieval, generation.retrievals), class_="steps")


def _retrieval(one: Retrieval) -> Html:
    withdrawn = tag("p", "Withdrawn: ", tag("del", said(one.withdrawn_text))) if one.withdrawn_text.strip() else NOTHING
    return tag(
        "li",
        tag("h3", tag("span", f"Retrieval {one.number}, ", class_="hidden"), f"{one.trigger}: ", said(one.reason)),
        tag("p", f"At token {one.position}, score {number(one.score, places=3)}.", class_="muted"),
        tag("p", "Asked: ", said(one.query, "q")),
        withdrawn,
        tag("p", said(one.note), class_="refused") if one.note else NOTHING,
        tag("ul", *map(_document, one.documents), class_="glimpses") if one.documents else NOTHING,
        tag("p", "Back to ", tag("a", "its place in the answer", href=f"#a{one.number}"), class_="back"),
        id=f"r{one.number}",
        tabindex="-1",
    )


def _document(each: Evidence) -> Html:
    day = tag("span", say(each.published) if each.published else "undated", class_="date")
    title = link(each.url, said(each.title or each.source or each.url or "Without a title"))
    return tag("li", day, " ", title, said(each.text, "p", class_="text"))


# -- the figures ----------------------------------------------------------------------------------


def _table(tokens: Sequence[TokenScore]) -> Html:
    if not tokens:
        return tag("p", "No token was written.", class_="muted")
    heads = ("No.", "Token", "Word", "Probability", "Entropy", "Attention", "RIND")
    shown = table("Every token of the answer", heads, map(_row, tokens), name="Tokens as a table", class_="tokens")
    return fold(f"All {len(tokens)} tokens", shown)


def _row(token: TokenScore) -> list[str]:
    scores = (token.probability, token.entropy, token.max_attention, token.rind)
    word = join([said(token.word), " (stopword)" if token.stopword else ""])
    written = ("–" if score is None else f"{score:.3f}" for score in scores)
    return [str(token.index), said(token.text.replace("\n", "⏎") or "…"), word, *written]


def _cost(generation: Generation) -> Html:
    cost = generation.cost
    parts = [
        ("passes of the model", str(cost.model_calls)),
        ("tokens read", str(cost.input_tokens)),
        ("tokens written", str(cost.output_tokens)),
        ("searches", str(cost.searches)),
        ("seconds", number(cost.seconds)),
    ]
    return described(parts, "cost")
