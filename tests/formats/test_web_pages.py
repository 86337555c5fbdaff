"""Dates of web pages: the most credible of the places where a page says one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dateline.errors import BadInput
from dateline.formats.html_page import read_html
from dateline.search import load_documents
from dateline_bench.benchmark import load

LINES = (
    "The quay of the old harbour was opened again by the mayor of the town, after eight months of work.",
    "Ferries to both islands leave from its northern end every hour, and on Sundays until midnight.",
    "Fishermen keep their berths at the southern end, where a crane for boats of ten tons was built.",
    "The works cost two million, a fifth less than the council had set aside for them in the spring.",
)
ARTICLE = f"<article><h1>Quay</h1>{''.join(f'<p>{line}</p>' for line in LINES)}</article>"


@pytest.mark.parametrize(
    ("page", "day", "place"),
    [
        ("<link rel=canonical href='https://n.example/2019/10/22/quay'><time datetime='2009-04-11'>then</time>", "2019-10-22", "address"),
        ("<meta name=dc.date content='2017-01-30'><meta itemprop=datePublished content='1988'>", "2017-01-30", "HTML metadata dc.date"),
        ("<meta property='article:modified_time' content='2022-02-08'><time datetime='2022-02-04'>x</time>", "2022-02-04", "<time>"),
        ("<time datetime='2020-01-01'>x</time><time itemprop='datePublished' datetime='2019-01-01'>y</time>", "2019-01-01", "<time>"),
        ("<time datetime='2020-01-01'>x</time><time pubdate datetime='2019-01-01'>y</time>", "2019-01-01", "<time>"),
        ("<time itemprop='datePublished' datetime='2019-01-01'>x</time><time itemprop='datePublished' datetime='2020-01-01'>y</time>", "2019-01-01", "<time>"),
        ("<p class='byline-date'>2. November 2021</p><p>Since 3 May 2019 it is open.</p>", "2021-11-02", "date element"),
        ("<p class='published'>jueves 2 de abril de 2020</p>", "2020-04-02", "date element"),
        ("<title>23.01.2022 - The quay</title><p>Since 3 May 2019 it is open.</p>", "2022-01-23", "title"),
        ("<p class='updated'>The update of 3 May 2019.</p>", "2019-05-03", "text"),
        ("<script>{'a': 1, \"uploadDate\": \"2019-10-16T18:15:00Z\"}</script>", "2019-10-16", "HTML metadata uploadDate"),
    ],
)  # fmt: skip
def test_a_page_is_dated_by_the_most_credible_place(page: str, day: str, place: str) -> None:
    found = read_html(page).dated(None, by_text=True)
    assert (str(found.published)[:10], found.by) == (day, place)


def test_the_moment_of_the_metadata_stays_within_the_day_of_the_address() -> None:
    page = "<meta property='og:url' content='https://n.example/2019/10/22/quay'><meta property='article:published_time' content='{}'>"
    assert str(read_html(page.format("2019-10-22T08:30:00")).dated(None).published) == "2019-10-22T08:30:00"
    assert str(read_html(page.format("2019-10-23T01:30:00")).dated(None).published) == "2019-10-22"


def test_with_the_extra_the_article_is_read_without_what_is_around_it(tmp_path: Path) -> None:
    pytest.importorskip("trafilatura")
    (tmp_path / "quay.html").write_text(
        f"<html><head><title>Quay</title></head><body><div class='menu'><a href='/'>Home</a> <a href='/b'>Boats</a></div>{ARTICLE}"
        "<div class='sidebar'>Buy our calendar</div><footer>Imprint</footer></body></html>"
    )
    (piece,) = load_documents(tmp_path).documents
    assert piece.title == "Quay"
    assert "opened again" in piece.text
    assert "Boats" not in piece.text


def test_the_benchmark_counts_found_wrong_and_missed_days(tmp_path: Path) -> None:
    meta = "<meta property='article:published_time' content='{}'><p>x</p>"
    pages = [
        {"url": "https://n.example/1", "date": "2021-05-06", "html": meta.format("2021-05-06")},
        {"url": "https://n.example/2", "date": "2021-05-07", "html": meta.format("2021-05-06")},
        {"url": "https://n.example/3", "date": "2021-05-07", "html": "<p>Nothing</p>"},
        {"url": "https://n.example/4", "date": None, "html": "<p>Nothing</p>"},
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, pages)))
    report = load("htmldate").run(tmp_path)
    assert report.n == 4
    assert (report.metrics["precision"], report.metrics["recall"], report.metrics["F"]) == (50, 50, 50)
    assert report.metrics["F_without_extra"] == 50
    with pytest.raises(BadInput, match="pages"):
        load("htmldate").run(tmp_path / "none")


@pytest.mark.parametrize("logo", ["<h1>\n<img src='a.png'>\n</h1>", "<h1>&nbsp;</h1>", "<h1></h1>"])
def test_a_heading_without_words_leaves_the_title_to_the_next(logo: str) -> None:
    page = f"<title>Quay opens</title>{logo}<p>Boats may land.</p>"
    assert read_html(page).title == "Quay opens"
    assert read_html(f"{page}<h1>The quay</h1>").title == read_html(f"<h1>The quay</h1>{page}").title == "The quay"


def test_a_heading_ends_with_any_headings_tag() -> None:
    page = read_html("<h1>Minutes</h2><p>Anna Berg is the mayor.</p>")
    assert (page.title, page.text) == ("Minutes", "Anna Berg is the mayor.")


def test_a_page_within_a_form_is_read_without_its_fields() -> None:
    page = read_html(
        "<body><form id='aspnetForm'><h1>Quay</h1><p>Boats may land.</p><select><option>Oslo</option></select>"
        "<textarea>Your words</textarea><button>Send</button><nav><button>Home</button></nav><p>All of them.</p></form></body>"
    )
    assert page.text.split("\n\n") == ["Boats may land.", "All of them."]


def test_what_is_hidden_ends_with_its_own_element() -> None:
    assert read_html("<nav>a<svg>b<nav>c</nav>d</svg>e</nav>f</nav></svg>g").text == "fg"


@pytest.mark.parametrize(
    "page",
    [
        '<div class="[&>p]:mt-4 text-sm"><p>The price is 9.</p></div>',
        "<p><img alt='a > b' src=x>The price is 9.</p>",
        "<p title = \"a > b\" lang='>'>The price is 9.</p>",
        "<p title=it's>The price is 9.</p><p title=it's></p>",
        '<p title="unclosed>The price is 9.</p>',
    ],
)
def test_a_sign_within_a_quoted_value_ends_no_tag(page: str) -> None:
    assert read_html(page).text == "The price is 9."


def test_a_date_is_read_of_a_tag_whose_values_hold_any_sign() -> None:
    page = "<meta name='date' content='2021-05-06' data-rule='a > b'><meta name='title' content='x > y'><p>Open.</p>"
    found = read_html(page)
    assert (str(found.dated(None).published), found.title, found.text) == ("2021-05-06", "x > y", "Open.")


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "part", ['<a b=">', "<a b='>", "<a b=\"<a b='>", '<a ="', "<a = >", '<a b=">"', "<a b=\"'>" * 3 + "='"]
)
def test_tags_that_never_end_cost_no_more_than_their_length(part: str) -> None:
    read_html(part * (2_000_000 // len(part)))
