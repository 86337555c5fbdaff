"""A generation with retrieval as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dateline.dynamic import Generation, Retrieval
from dateline.dynamic.values import TokenScore
from dateline.records import Evidence
from dateline.temporal.interval import seconds_of
from dateline_graphs.page.dates import say, say_day
from dateline_graphs.page.markup import NOTHING, Html, join, link, number, said, tag
from dateline_graphs.page.page import document, mark, section

LEVELS = 5
"""Shades of doubt; the darkest is the greatest score of the text."""


def render_generation(generation: Generation) -> str:
    """Render a generation as one self-contained HTML document.

    To be stored as UTF-8; it holds no script, makes no request, and all text is escaped.
    """
    sections = [
        section("answer", "Answer", _answer(generation)),
        section("retrievals", "Retrievals", _retrievals(generation)),
        section("tokens", "Tokens", _table(generation.tokens)),
        section("cost", "Cost", _cost(generation)),
    ]
    names = ("Answer", "Retrievals", "Tokens", "Cost")
    items = [tag("li", tag("a", name, href=f"#{name.lower()}")) for name in names]
    header = tag(
        "header",
        tag("p", mark(), class_="mark"),
        said(generation.question, "h1", class_="long" if len(generation.question) > 140 else None),
        tag("dl", join(_asked(generation)), class_="asked"),
        tag("nav", tag("ul", *items), aria_label="Sections"),
    )
    body = [
        tag("a", "Skip to the answer", href="#answer", class_="skip"),
        header,
        tag("main", *sections, id="main"),
        tag("footer", tag("p", "Written by dateline. This page asks for nothing.")),
    ]
    return document(f"{generation.question[:120]} – dateline", *body, styles=("page.css", "generation.css"))


def score_of(token: TokenScore) -> float:
    """Return the score that shades a token.

    RIND; where no attention is known, the entropy of a word that carries meaning.
    """
    if token.rind is not None:
        return token.rind
    return (token.entropy or 0.0) if token.word and not token.stopword else 0.0


def _asked(generation: Generation) -> Iterator[Html]:
    as_of = generation.as_of
    day = tag("strong", say_day(seconds_of(as_of))) if as_of is not None else "no date is known"
    yield tag("div", tag("dt", "Asked as of"), tag("dd", day))
    if generation.threshold is not None:
        yield tag("div", tag("dt", "Threshold"), tag("dd", number(generation.threshold, places=3)))


# -- the text -------------------------------------------------------------------------------------


def _answer(generation: Generation) -> Html:
    if not generation.text and not generation.tokens:
        return tag(
            "div",
            tag("p", "Nothing was written.", class_="given none"),
            tag("p", generation.statement, class_="muted"),
            class_="card",
        )
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
    rows = [
        tag(
            "tr",
            tag("th", str(token.index), scope="row"),
            tag("td", said(token.text.replace("\n", "⏎") or "…")),
            tag("td", said(token.word), " (stopword)" if token.stopword else ""),
            *(tag("td", "–" if value is None else f"{value:.3f}") for value in _scores(token)),
        )
        for token in tokens
    ]
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in heads)))
    table = tag("table", tag("caption", "Every token of the answer"), head, tag("tbody", *rows), class_="tokens")
    region = tag("div", table, class_="scroll", role="region", aria_label="Tokens as a table", tabindex="0")
    return tag("details", tag("summary", f"All {len(tokens)} tokens"), region)


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
