"""Reading foreign text takes time in proportion to its length, whatever it is made of."""

from __future__ import annotations

import gc
import time
from contextlib import suppress

import pytest
from scanners import METHODS, NO_SCANNERS, WITH_MORE, Scanner, found, scanners

from dateline.errors import BadInput

TIMES = 4
"""How many times as long the second text is: the larger, the further what is linear lies from what is not."""

MOST_GROWTH = 6.5
"""Time of the longer text over that of the shorter, at most; what is quadratic goes to 16.

Where memory leaves a cache a linear function grows by up to 5, and is found so again at each length.
"""

ENOUGH, QUICK, CLEAR, LONG = 0.004, 0.008, 0.02, 0.05
"""Seconds of a run from which on a growth is looked at once; under which the longest text is quick enough; from which on a
growth is believed, and from which on texts grow no more."""

TRIES, SURE = 3, 12.0
"""How often a growth is measured, each time by the shortest of three runs, before it is believed; a large one at once."""

FIRST, LAST = 500, 64_000
"""Characters of the shortest and the longest text; what takes less than `QUICK` for the longest is quick enough."""

PATTERNS: dict[str, str] = {
    "dots": ".",
    "initials": "A. A. ",
    "marks and a letter": "...!x",
    "digits and a letter": "000!x",
    "openings": "([",
    "closings": ")]",
    "braces": '{"a":',
    "tags": "<p>",
    "tags that hide": "<nav></svg>",
    "digits": "0",
    "numbers": "1,000 ",
    "dashes": "-",
    "rules": "---\n",
    "quotes": "\"'",
    "spaces": " ",
    "lines": "\n",
    "lists": "\n- ",
    "commas": "a,",
    "letters": "a",
    "capitals": "Aa ",
    "long names": "A",
    "names": "Ada of the ",
    "months": "May May ",
    "years": "2021 2021 ",
    "ranges": "2021-",
    "dates": "10 May 2021, ",
    "number words": "one million ",
    "denials": "not a ",
    "claims": "X is the head of Y, who was ",
    "alphabets": "Åé\u0301ʼЊ٣年\u200b",
    "labels": "F1 answer: \n",
    "a month, then spaces": "May" + " " * 999,
    "a number, then spaces": "1" + " " * 999,
    "a name, then commas": "who is" + " ," * 500,
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(scanners()))
@pytest.mark.timeout(600)
def test_a_longer_text_takes_longer_in_proportion(name: str) -> None:
    scan = scanners()[name]
    slow = {told: growth for told, pattern in PATTERNS.items() if (growth := growth_of(scan, pattern)) > MOST_GROWTH}
    assert not slow


def test_every_function_that_takes_a_text_is_timed_or_says_why_not() -> None:
    more = {name for name, (_, alone) in found().items() if not alone}
    assert not more - WITH_MORE.keys() - NO_SCANNERS.keys(), "list them in scanners.py"


def test_the_list_names_no_function_that_is_gone() -> None:
    assert not (WITH_MORE.keys() | NO_SCANNERS.keys()) - found().keys()
    assert len(METHODS) > 10


def test_a_quadratic_function_is_seen() -> None:
    assert growth_of(lambda text: sum(1 for _ in text for _ in text), "a") > MOST_GROWTH


def growth_of(scan: Scanner, pattern: str) -> float:
    """Time of a text over that of one a quarter as long; 0.0 where even the longest text takes hardly any."""
    size = FIRST
    while (seconds := timed(scan, text_of(pattern, size))) < ENOUGH and size < LAST:
        size = min(LAST, size * (2 if seconds > ENOUGH / 4 else 4))
    if size == LAST and seconds < QUICK:
        return 0.0
    growth = timed(scan, text_of(pattern, TIMES * size)) / seconds
    return growth if growth <= MOST_GROWTH else clear_growth(scan, pattern, size=size)


def clear_growth(scan: Scanner, pattern: str, *, size: int) -> float:
    """The same by the shortest of several runs, long enough to be believed."""
    while timed(scan, text_of(pattern, size)) < CLEAR:
        size *= 2
    growths: list[float] = []
    while len(growths) < TRIES and MOST_GROWTH < min(growths, default=MOST_GROWTH + 1) < SURE:
        once = _shortest(scan, pattern, size)
        growths.append(_shortest(scan, pattern, TIMES * size) / once)
        size *= 2 if once < LONG else 1
    return min(growths)


def _shortest(scan: Scanner, pattern: str, size: int) -> float:
    return min(timed(scan, text_of(pattern, size)) for _ in range(3))


def text_of(pattern: str, size: int) -> str:
    """A text of about that length, which no cache has seen."""
    text_of.made += 1  # type: ignore[attr-defined]
    return f"{pattern * max(1, size // len(pattern))}\n!{text_of.made}"  # type: ignore[attr-defined]


text_of.made = 0  # type: ignore[attr-defined]


def timed(scan: Scanner, text: str) -> float:
    """Processor seconds of one call; a text may be refused."""
    gc.disable()
    begun = time.process_time()
    with suppress(BadInput, KeyError):
        made = scan(text)
        list(made) if hasattr(made, "__next__") else made
    seconds = time.process_time() - begun
    gc.enable()
    return seconds
