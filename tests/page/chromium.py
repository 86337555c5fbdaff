"""What the tests of pages in a real Chromium share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

CONTRASTS = """() => {
  // color-mix() is told as color(srgb 0.5 0.5 0.5), whose channels run from 0 to 1.
  const parts = color => color.match(/[\\d.]+/g).map((n, i) => n * (color.startsWith('color(') && i < 3 ? 255 : 1));
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const color = parts(getComputedStyle(e).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color;
    }
  };
  const low = [];
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('svg') || element.closest('.hidden') || !element.checkVisibility()) continue;
    if (![...element.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const [a, b] = [light(parts(getComputedStyle(element).color)), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push([element.className, element.textContent.slice(0, 30), ratio]);
  }
  return low;
}"""
"""The visible texts that stand out too little from their ground: class, beginning, ratio."""


def until(page: Page, expression: str) -> None:
    """Wait until it is so, asking from outside: what waits inside a page evaluates strings, which its policy forbids."""
    for _ in range(200):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {expression}")
