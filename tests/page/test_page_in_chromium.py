"""The page as a person meets it: in a real Chromium, by keyboard, on a phone, in the dark, on paper."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from chromium import CONTRASTS, until

from dateline_graphs import AnswerReport
from dateline_graphs.report import CitedSource

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_it_is_styled_and_runs_nothing_that_a_document_brought(
    show: Callable[..., Page], hostile: AnswerReport
) -> None:
    page = show(hostile)
    assert page.evaluate("document.styleSheets.length") == 1
    assert page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius") == "12px"
    assert page.evaluate("'hit' in window") is False
    assert page.evaluate("document.querySelectorAll('script, img, iframe, style').length") == 1
    page.locator(".text").first.dispatch_event("click")
    assert page.evaluate("'hit' in window") is False


@pytest.mark.parametrize("name", ["plain", "hostile", "crowded", "bare"])
def test_on_a_phone_nothing_has_to_be_pushed_aside(
    show: Callable[..., Page], name: str, request: pytest.FixtureRequest
) -> None:
    page = show(request.getfixturevalue(name), width=360)
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    if name != "bare":
        assert page.locator("svg.narrow").is_visible()
        assert not page.locator("svg.wide").is_visible()


def test_the_keyboard_reaches_evidence_and_claims_and_enter_goes_there(
    show: Callable[..., Page], plain: AnswerReport
) -> None:
    page = show(plain)
    order: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.getAttribute('href') || document.activeElement.tagName"))
        if order[-1] == "BODY":
            break
        seen = page.evaluate(
            "(e => e.closest('.pin') ? getComputedStyle(e.querySelector('.reach')).strokeWidth"
            " : getComputedStyle(e).outlineStyle)(document.activeElement)"
        )
        assert seen in ("2.5px", "solid"), f"the focus on {order[-1]} can be seen"
    assert order[:8] == [
        "#answer",
        *(f"#{n}" for n in ["answer", "timeline", "evidence", "premises", "facts", "cost", "steps"]),
    ]
    assert order[8:10] == ["#e3", "#e2"], "first the evidence of the claims"
    assert {"#e1", "#c1", "SUMMARY"} <= set(order[10:])
    page.locator(".ref").first.focus()
    page.keyboard.press("Enter")
    until(page, "location.hash === '#e3'")
    until(page, "(r => r.top >= 0 && r.top < innerHeight)(document.querySelector('#e3').getBoundingClientRect())")
    page.locator("#e3 .back a").focus()
    page.keyboard.press("Enter")
    until(page, "document.querySelector(':target').id === 'c1'")


def test_a_link_to_what_is_folded_unfolds_it(show: Callable[..., Page], plain: AnswerReport) -> None:
    page = show(plain, reduced_motion="reduce")
    page.locator("summary", has_text="as a table").press("Enter")
    assert not page.locator("#e5").is_visible()
    page.locator("table a[href='#e5']").press("Enter")
    until(page, "document.querySelector('#e5').checkVisibility()")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground_by_day_and_by_night(
    show: Callable[..., Page], plain: AnswerReport, scheme: str
) -> None:
    page = show(plain, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate(CONTRASTS) == []
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == {"light": "rgb(250, 249, 246)", "dark": "rgb(20, 23, 26)"}[scheme]


def test_who_cannot_see_it_is_told_the_same(show: Callable[..., Page], plain: AnswerReport) -> None:
    page = show(plain)
    told = page.locator("body").aria_snapshot().replace("\u00a0", " ")
    for part in (
        "banner",
        "main",
        "contentinfo",
        'navigation "Sections"',
        'region "Time line"',
        "heading",
        "[level=1]",
    ):
        assert part in told, part
    assert 'link "Evidence 3, 14 September 2021, score 0.90, used: Title of two"' in told
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_it_stands_still_for_who_asks_for_that(show: Callable[..., Page], plain: AnswerReport) -> None:
    page = show(plain, reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_it_prints_with_all_that_is_folded_and_without_what_only_a_screen_needs(
    show: Callable[..., Page], plain: AnswerReport
) -> None:
    page = show(plain, color_scheme="dark")
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF-")
    assert len(printed) > 10_000
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.locator("#e5").bounding_box() is not None
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate(CONTRASTS) == []


def test_names_on_the_time_line_stay_on_it(
    show: Callable[..., Page], make_report: Callable[..., AnswerReport], make_source: Callable[..., CitedSource]
) -> None:
    """Whatever fits beside a pin in the narrowest window of a drawing fits in all."""
    for length in range(14, 35, 4):
        source = make_source("s", date="2021-06-20", title="Wembley has named Tom Brown manager."[:length], used=True)
        early = make_source("t", date="2015-03-02", title="", score=0.1)
        none: dict[str, Any] = {"claims": (), "premises": (), "unread": (), "facts": {}}
        page = show(make_report(evidence=(early, source), evidence_ids=("s",), **none))
        for width in (360, 500, 700, 896, 912, 1100):
            page.set_viewport_size({"width": width, "height": 900})
            assert not page.evaluate(
                "[...document.querySelectorAll('.timeline > svg')].flatMap(s => [...s.querySelectorAll('.pin .name')]"
                ".map(n => [s.getBoundingClientRect(), n.getBoundingClientRect()]))"
                ".filter(([s, n]) => n.width && (n.left < s.left || n.right > s.right + 1))"
                ".map(([s, n]) => n.right - s.right)"
            ), (length, width)
