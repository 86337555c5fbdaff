"""The page as text: complete, linked, and made of nothing that somebody else wrote."""

from __future__ import annotations

import ast
import base64
import hashlib
import math
import re
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dateline import Certainty, Constraint, Interval
from dateline.certainty.gate import GateDecision
from dateline_graphs import AnswerReport
from dateline_graphs.page import render
from dateline_graphs.page.dates import read_date, say, say_constraint, say_date, say_days
from dateline_graphs.page.markup import Html, clean, join, safe, tag, web_address
from dateline_graphs.page.names import Head, name_pins
from dateline_graphs.page.places import Spot, spread
from dateline_graphs.page.scale import scale_of

ROOT = Path(__file__).parent.parent.parent
REPORTS = ("plain", "hostile", "crowded", "bare")
TAGS = frozenset(
    [
        "html",
        "head",
        "meta",
        "title",
        "link",
        "style",
        "body",
        "a",
        "p",
        "header",
        "main",
        "section",
        "footer",
        "nav",
        "h1",
        "h2",
        "h3",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "div",
        "span",
        "bdi",
        "strong",
        "article",
        "figure",
        "figcaption",
        "details",
        "summary",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "mark",
        "q",
        "del",
        "ins",
        "pre",
        "svg",
        "defs",
        "pattern",
        "path",
        "line",
        "circle",
        "rect",
        "text",
    ]
)


class Looked(HTMLParser):
    """What a page is made of."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "elements are closed in order"

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def values(self, name: str) -> list[str]:
        return [value for _, attributes in self.tags if (value := attributes.get(name)) is not None]


@pytest.fixture(params=REPORTS)
def report(request: pytest.FixtureRequest) -> AnswerReport:
    found: AnswerReport = request.getfixturevalue(request.param)
    return found


def test_a_page_is_made_of_known_elements_only_and_runs_nothing(report: AnswerReport) -> None:
    looked = Looked(render(report))
    assert {name for name, _ in looked.tags} <= TAGS
    assert looked.open == []
    names = {key for _, attributes in looked.tags for key in attributes}
    assert not {name for name in names if name.startswith("on")} | (names & {"style", "src", "srcset", "srcdoc"})
    assert all(href.startswith(("#", "https://", "http://", "data:image/svg")) for href in looked.values("href"))


def test_its_policy_allows_its_own_style_sheet_and_nothing_else(plain: AnswerReport) -> None:
    page = render(plain)
    style = page[page.index("<style>") + 7 : page.index("</style>")]
    policy = next(a["content"] for _, a in Looked(page).tags if a.get("http-equiv") == "Content-Security-Policy")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"url\(|@import", style)


def test_every_link_inside_the_page_leads_somewhere_and_every_place_is_one(report: AnswerReport) -> None:
    looked = Looked(render(report))
    ids = looked.values("id")
    assert len(ids) == len(set(ids))
    assert {href[1:] for href in looked.values("href") if href.startswith("#")} <= set(ids)
    assert set(looked.values("aria-labelledby")) <= set(ids)


def test_everything_of_the_run_is_on_the_page(plain: AnswerReport) -> None:
    text = " ".join(Looked(render(plain)).text).replace("\u00a0", " ")
    told = [
        plain.asked.question, plain.asked.content, "in 2022", "1 January 2022", "Carl Dahl was named director.",
        "Adopted", "after 2 readings", "The answer is reliable.", "75%", "Title of none", "undated", "March 2015",
        "14 September 2021", "read, not used", "2 more pieces were found and not read", "Title of three",
        "no evidence linked", "There is an observatory.", "holds", "open", "Anna Berg is director.",
        "Carl Dahl is director.", "before: true", "after: false", "1 waiting", "make false, waits", "1,234", "1.2 s",
        "One search failed.", "found 5 pieces", "0.90", "0.25",
    ]  # fmt: skip
    assert [said for said in told if said not in text] == []


def test_each_piece_stands_on_both_drawings_in_the_table_and_among_the_cards(plain: AnswerReport) -> None:
    page = render(plain)
    assert len(re.findall(r"<title>Evidence \d+, ", page)) == 2 * 5
    for number in range(1, 6):
        assert page.count(f'id="e{number}"') == 1
    # Two drawings and the table; those used also beside the answer.
    assert page.count('href="#e1"') == 3
    assert page.count('href="#e3"') > 4


def test_where_nothing_was_found_the_page_says_so(bare: AnswerReport) -> None:
    page = render(bare)
    assert "No evidence was found." in page
    assert "No answer in these documents" in page
    assert "<figure" not in page
    assert "<table" not in page


@pytest.mark.parametrize(
    ("reliable", "first", "mark"),
    [
        (0.2, "No answer in these documents", "Best guess, not trusted:"),
        (0.4, "No answer in these documents is certain", "Not sure:"),
    ],
)
def test_a_guess_stands_marked_beneath_the_word_that_there_is_no_answer(
    make_report: Callable[..., AnswerReport], reliable: float, first: str, mark: str
) -> None:
    kept = make_report(
        decision=GateDecision(outcome="keep", reason="Nothing is left."),
        label="uncertain",
        certainty=Certainty(reliable=reliable, misleading=0.1, uncertain=0.9 - reliable),
    )
    told = Looked(render(kept)).text
    assert first in told
    text = " ".join(told)
    order = [text.index(said) for said in (first, mark, "Carl Dahl was named")]
    assert order == sorted(order)
    assert "Kept, not trusted" in text
    assert "Adopted" not in text


def test_an_adopted_answer_is_marked_as_nothing_less(plain: AnswerReport) -> None:
    page = render(plain)
    assert "No answer" not in page
    assert "guess" not in page


def test_a_quote_is_marked_in_the_text_it_comes_from(plain: AnswerReport) -> None:
    assert "A text. <mark>The sentence of two.</mark> The end." in render(plain)


def test_hundreds_of_pieces_are_drawn_quickly(crowded: AnswerReport) -> None:
    started = time.process_time()
    page = render(crowded)
    assert time.process_time() - started < 2
    assert len(page) < 1_500_000


def test_the_page_is_utf8_without_what_no_page_can_hold(hostile: AnswerReport) -> None:
    page = render(hostile).encode().decode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", page)


def test_the_page_is_imported_only_when_one_is_made() -> None:
    for path in [*(ROOT / "graphs").rglob("*.py"), *(ROOT / "plugins" / "dateline_cli").rglob("*.py")]:
        if path.parent.name != "page":
            body = ast.parse(path.read_text(encoding="utf-8")).body
            imported = [node.module or "" for node in body if isinstance(node, ast.ImportFrom)]
            assert not [name for name in imported if name.startswith("dateline_graphs.page")], path


ANY = st.text(max_size=60) | st.sampled_from(["<script>", "\u202e<", "&lt;", "\ud800", "]]>", "-->", "javascript:0"])


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ANY, ANY, ANY)
def test_no_text_becomes_markup(make_report: Callable[..., AnswerReport], one: str, two: str, three: str) -> None:
    one, two, three = (clean(text) for text in (one, two, three))
    asked = make_report().asked.model_copy(update={"question": one, "content": two})
    report = make_report(asked=asked, answer=three, claims=(), problems=(one, two))
    looked = Looked(render(report))
    assert {name for name, _ in looked.tags} <= TAGS
    assert one in looked.text or not one


@settings(max_examples=50)
@given(ANY)
def test_markup_escapes_whatever_is_not_markup(text: str) -> None:
    assert "<" not in safe(text)
    assert tag("p", text, title=text).count("<") == 2
    assert safe(safe(text)) == safe(text)
    assert isinstance(join([text, Html("<br>")]), Html)


@pytest.mark.parametrize(
    ("url", "leads"),
    [
        ("https://a.example/x?y=1", True),
        ("http://a.example", True),
        ("javascript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("//a.example", False),
        ("file:///etc/passwd", False),
        ("https://", False),
        ("https://[", False),
        ("https://a.example/" + "x" * 3000, False),
        ("", False),
    ],
)
def test_only_web_addresses_are_linked(url: str, leads: bool) -> None:
    assert bool(web_address(url)) == leads


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("2019", "2019"),
        ("2019-05", "May 2019"),
        ("2019-05-06", "6 May 2019"),
        ("2019-05-06T14:30:00", "6 May 2019, 14:30"),
        ("2013-01-01/2016-01-01", "2013 to 2015"),
        ("2013-01-01/2013-04-01", "January 2013 to March 2013"),
        ("2013-01-05/2013-01-09", "5 January 2013 to 8 January 2013"),
        ("../2013-01-01", "up to 31 December 2012"),
        ("2013-01-01/..", "since 1 January 2013"),
        ("2013/..", "since 2013"),
        ("2013-05/..", "since May 2013"),
        ("2013/2015-01-01", "2013 to 2014"),
        ("soon/..", "soon/.."),
        ("-0043", "44 BCE"),
        ("0476", "476 CE"),
        ("12019-05", "May 12019"),
        ("../..", "../.."),
        ("soon", "soon"),
        (None, "undated"),
    ],
)
def test_dates_are_said_in_words(written: str | None, words: str) -> None:
    assert say_date(written).replace("\u00a0", " ") == words


@given(st.integers(-2000, 12_000), st.integers(1, 12), st.integers(1, 28))
def test_whatever_date_a_report_writes_is_read_back(year: int, month: int, day: int) -> None:
    for interval in (Interval.of_day(year, month, day), Interval.of_month(year, month), Interval.of_year(year)):
        assert read_date(interval.isoformat()) == interval
        assert say(interval)


@pytest.mark.parametrize(
    ("relation", "words"),
    [("at", "in 2012"), ("before", "before 2012"), ("between", "within 2012"), ("as_of", "as things stood at 2012")],
)
def test_a_constraint_is_said_in_words(relation: str, words: str) -> None:
    assert say_constraint(Constraint(relation, Interval.of_year(2012))) == words  # type: ignore[arg-type]
    assert say_constraint(Constraint("at", Interval.of_day(2012, 5, 6))).startswith("on 6")
    assert say_constraint(Constraint("since", Interval(0, None))).replace("\u00a0", " ") == "since 1 January 1970"


def test_an_age_is_said_in_the_unit_that_suits_it() -> None:
    assert [say_days(days) for days in (0, 1, 82, 400, 4162)] == ["0 days", "1 day", "82 days", "13 months", "11 years"]


MOMENTS = st.lists(st.integers(-(10**11), 3 * 10**11), min_size=1, max_size=30)


@settings(max_examples=50)
@given(MOMENTS, st.none() | st.integers(0, 2 * 10**9), st.integers(2, 9))
def test_a_later_moment_never_stands_further_left(moments: list[int], around: int | None, most: int) -> None:
    scale = scale_of(moments if around is None else [*moments, around], around=around)
    places = [scale.place(moment) for moment in sorted(moments)]
    assert places == sorted(places)
    assert all(0 <= place <= 1 for place in places)
    ticks = scale.ticks(most)
    assert len(ticks) <= most
    assert [moment for moment, _ in ticks] == sorted(moment for moment, _ in ticks)
    assert all(scale.first <= moment <= scale.last for moment, _ in ticks)


def test_one_piece_of_antiquity_does_not_press_the_last_years_into_a_point() -> None:
    day, year = 86_400, 365 * 86_400
    now = 53 * year
    recent = [now - n * year for n in range(12)]
    scale = scale_of([-2000 * year, *recent, now], around=now)
    assert scale.around == now
    assert scale.place(now) - scale.place(now - 11 * year) > 0.2
    assert scale_of([*recent, now - day], around=now).around is None


@settings(max_examples=50)
@given(
    st.lists(
        st.builds(Spot, st.floats(20, 380), st.floats(0, 100), st.booleans(), upto=st.sampled_from([200, math.inf])),
        max_size=14,
    )
)
def test_pins_are_moved_apart_and_stay_on_the_drawing(spots: list[Spot]) -> None:
    placed = spread(spots, radius=5, width=400)
    assert [(spot.x, spot.y) for spot in placed] == [(spot.x, spot.y) for spot in spots]
    assert all(spot.x + spot.dx <= max(spot.x, spot.upto) for spot in placed)
    heads = [(spot.x + spot.dx, spot.y) for spot in placed]
    assert all(0 < x < 400 for x, _ in heads)
    for index, (x, y) in enumerate(heads):
        assert all((x - a) ** 2 + (y - b) ** 2 >= 10**2 for a, b in heads[:index])


def test_what_was_known_is_never_drawn_behind_the_asking_day(make_report: Callable[..., AnswerReport]) -> None:
    plain = make_report()
    dates = ["2021-12-28", "2021-12-29", "2021-12-30", "2021-12-31", "2022", "2022-01", *["2021-12-31"] * 3]
    evidence = tuple(
        plain.evidence[1].model_copy(update={"id": f"e{number}", "date": date, "score": 0.5, "matched": None})
        for number, date in enumerate(["2015-03-02", *dates])
    )
    drawn = render(make_report(evidence=evidence, unread=(), claims=()))
    for kind, width in (("wide", 880), ("narrow", 296)):
        svg = drawn.split(f'class="{kind}"')[1].split("figcaption")[0].split('class="narrow"')[0]
        (line,) = re.findall(r'<line x1="([\d.]+)%"[^>]*class="asking"', svg)
        heads = re.findall(r'<svg x="([\d.]+)%"[^>]*class="pin used"><a[^>]*>.*?<circle cx="([-\d.]+)"', svg)
        assert len(heads) >= len(evidence)
        assert all(float(foot) / 100 * width + float(aside) <= float(line) / 100 * width + 0.1 for foot, aside in heads)


def test_a_name_is_not_written_nearer_to_another_pin_nor_over_what_is_written_there() -> None:
    crowded = [Head(100, 40, radius=12, name="First"), Head(125, 40, radius=12, name="Second")]
    asked = (88.0, 0.0, 130.0, 16.0)
    for width in (140, 400):
        for head, placed in zip(crowded, name_pins(crowded, width=width, taken=[asked]), strict=True):
            if placed is None:
                continue
            long, side = 7.5 * len(placed.name), 1 if placed.anchor == "start" else -1
            middle = (head.x + placed.dx + side * long / 2, head.y + placed.dy - 4)
            nearest = min(crowded, key=lambda one: math.hypot(one.x - middle[0], one.y - middle[1]))
            assert nearest is head
    assert name_pins([Head(100, 12, radius=12, name="Alone")], width=400, taken=[(0, 0, 400, 30)]) == [None]


def test_the_axis_begins_where_something_is_drawn(plain: AnswerReport) -> None:
    old = plain.evidence[0].model_copy(update={"id": "u", "date": None, "matched": "1919", "used": False})
    drawn = render(plain.model_copy(update={"unread": (old, *plain.unread)}))
    ticks = [int(year) for year in re.findall(r'class="tick">(?:\w+.)?(\d{4})<', drawn)]
    assert ticks
    assert min(ticks) > 1990


def test_a_time_that_was_over_when_asked_is_marked_as_ended(plain: AnswerReport) -> None:
    told = "a time that was over by then"
    first = plain.evidence[0].model_copy(update={"date": "2020-01-01", "matched": "2019-03-01/2019-09-01"})
    lasting = first.model_copy(update={"matched": "2019-03-01/.."})
    ended, going = (
        render(plain.model_copy(update={"evidence": (one, *plain.evidence[1:])})) for one in (first, lasting)
    )
    assert told in ended
    assert 'class="over"' in ended
    assert told not in going
