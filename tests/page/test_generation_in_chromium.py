"""The page of a text that was written with retrieval on the way, as a person meets it in a real Chromium."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from chromium import CONTRASTS, until

from dateline.dynamic import Generation

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_it_is_styled_and_runs_nothing_that_a_model_or_a_document_brought(
    show: Callable[..., Page], hostile_generation: Generation
) -> None:
    page = show(hostile_generation)
    assert page.evaluate("document.styleSheets.length") == 1
    assert page.evaluate("getComputedStyle(document.querySelector('.generated')).whiteSpace") == "pre-wrap"
    assert page.evaluate("document.querySelectorAll('script, img, iframe, style').length") == 1
    assert page.evaluate("'hit' in window") is False
    assert page.locator("a[href^='javascript']").count() == 0


@pytest.mark.parametrize("name", ["written", "hostile_generation", "unwritten"])
def test_on_a_phone_nothing_has_to_be_pushed_aside(
    show: Callable[..., Page], name: str, request: pytest.FixtureRequest
) -> None:
    page = show(request.getfixturevalue(name), width=360)
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_keyboard_goes_from_the_text_to_what_was_looked_up_and_back(
    show: Callable[..., Page], written: Generation
) -> None:
    page = show(written)
    order: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.getAttribute('href') || document.activeElement.tagName"))
        if order[-1] == "BODY":
            break
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid", order[-1]
    news, sections = "https://news.example/a", ("answer", "retrievals", "tokens", "cost")
    assert order == [
        "#answer", *(f"#{name}" for name in sections), "#r1", "#r2", news, "#a1", news, "#a2", "SUMMARY", "BODY",
    ]  # fmt: skip
    page.locator(".ref").last.focus()
    page.keyboard.press("Enter")
    until(page, "location.hash === '#r2'")
    until(page, "(r => r.top >= 0 && r.top < innerHeight)(document.querySelector('#r2').getBoundingClientRect())")
    page.locator("#r2 .back a").focus()
    page.keyboard.press("Enter")
    until(page, "document.querySelector(':target').id === 'a2'")
    until(page, "(r => r.top >= 0 && r.top < innerHeight)(document.querySelector('#a2').getBoundingClientRect())")


def test_the_table_of_tokens_is_unfolded_and_scrolled_by_keyboard(
    show: Callable[..., Page], written: Generation
) -> None:
    page = show(written, width=320)
    page.locator("summary").press("Enter")
    region = page.get_by_role("region", name="Tokens as a table")
    assert region.is_visible()
    assert region.locator("tbody tr").count() == len(written.tokens)
    region.focus()
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('.scroll').scrollLeft > 0")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground_also_where_doubt_is_greatest(
    show: Callable[..., Page], written: Generation, scheme: str
) -> None:
    page = show(written, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.locator(".generated .doubt4").count() > 0
    assert page.evaluate(CONTRASTS) == []
    grounds = page.evaluate(
        "[1, 2, 3, 4].map(n => getComputedStyle(document.querySelector('.generated .doubt' + n)).backgroundColor)"
    )
    assert len(set(grounds)) == 4, "each shade is another one"


def test_who_cannot_see_it_is_told_the_same(show: Callable[..., Page], written: Generation) -> None:
    page = show(written)
    told = page.locator("body").aria_snapshot().replace("\u00a0", " ")
    for part in (
        "banner", "main", "contentinfo", 'navigation "Sections"', 'region "Retrievals"', 'link "Retrieval 1"',
        'heading "Retrieval 1, rind:', "1 June 2024", "14 September 2021", "undated",
    ):  # fmt: skip
        assert part in told, part
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_it_stands_still_for_who_asks_for_that(show: Callable[..., Page], written: Generation) -> None:
    page = show(written, reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_it_prints_with_its_tokens_and_without_what_only_a_screen_needs(
    show: Callable[..., Page], written: Generation
) -> None:
    page = show(written, color_scheme="dark")
    assert page.pdf(format="A4").startswith(b"%PDF-")
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert not page.locator(".back").first.is_visible()
    assert page.locator("tbody tr").last.bounding_box() is not None
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate(CONTRASTS) == []


def test_where_nothing_was_written_the_page_says_so(show: Callable[..., Page], unwritten: Generation) -> None:
    page = show(unwritten)
    told = page.locator("body").inner_text()
    for sentence in ("Nothing was written.", "no date is known", "Nothing was looked up.", "No token was written."):
        assert sentence in told
