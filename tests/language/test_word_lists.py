"""There is one list of each kind of words, and nobody keeps another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dateline.language.countries import CANONICAL, COUNTRIES, US_STATES
from dateline.language.negation import NEGATIONS, negations, reversals
from dateline.language.offices import PERSON_WORDS, TITLE_WORDS, office_words
from dateline.language.organisations import NO_PERSON
from dateline.text.words import words

PLUGINS = Path(__file__).parents[2] / "plugins"
LISTS = {
    "offices": PERSON_WORDS | TITLE_WORDS | office_words("degree"),
    "organisations": NO_PERSON,
    "countries": {word for name in (*COUNTRIES, *CANONICAL) for word in words(name)},
    "negations": NEGATIONS,
}
LEAST = 8
"""Words that make a list."""


def lists_of(path: Path) -> Iterator[tuple[str, frozenset[str]]]:
    """The words of each module-level value."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            texts = [
                one.value
                for one in ast.walk(node.value)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            yield ast.unparse(node).split("=")[0], frozenset(re.findall(r"[^\W\d_]{2,}", " ".join(texts).casefold()))


@pytest.mark.parametrize("kind", LISTS)
def test_nobody_keeps_a_list_of_their_own(kind: str) -> None:
    for path in PLUGINS.rglob("*.py"):
        place = path.relative_to(PLUGINS).as_posix()
        if place.startswith(("dateline/language/", "dateline/handwritten/")):
            continue
        for named, held in lists_of(path):
            assert len(held) < LEAST or 2 * len(held & LISTS[kind]) <= len(held), f"{place}: {named}: {sorted(held)}"


def test_an_office_for_one_is_an_office_for_all() -> None:
    assert {"bishop", "professor", "mayor", "editor"} <= PERSON_WORDS & TITLE_WORDS


def test_every_other_name_of_a_country_stands_for_one_that_is_known() -> None:
    assert set(CANONICAL.values()) <= COUNTRIES
    assert CANONICAL["Dutch"] == CANONICAL["Holland"] == "Netherlands"
    assert len(US_STATES) == 50


def test_negation_counts_each_word_once() -> None:
    assert negations("She isn't, and never was, without friends.") == 3
    assert (negations("They refused."), reversals("They refused.")) == (0, 1)
    assert negations("Knots and notes") == 0
