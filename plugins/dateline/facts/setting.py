"""Place of a statement in its document.

That often tells of what it speaks: "New rate, $2,600 per day" does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from dateline.facts.fact import Fact
from dateline.protocols import PlacedStatement

MOST = 160
"""Characters of what stands before that are kept, some two sentences. Chosen by hand."""


class Setting(NamedTuple):
    """Title of a statement's document, and what stands before it there."""

    title: str = ""
    before: str = ""

    def of(self, text: str, day: date | None) -> PlacedStatement:
        """Place a text that was said on a day."""
        return PlacedStatement(text, day, self.title, self.before)


def settings_of(facts: Sequence[Fact]) -> list[Setting]:
    """Return where the facts of one document, in its order, stand."""
    return settings([fact.text for fact in facts], title=facts[0].about if facts else "")


def settings(texts: Sequence[str], *, title: str = "") -> list[Setting]:
    """Return where the statements of one document stand.

    Of what stands before, the end is kept, cut between words.

    Example:
        >>> settings(["The snooper is rented.", "New rate, $2,600 per day."])[1].before
        'The snooper is rented.'
    """
    found, before = [], ""
    for text in texts:
        found.append(Setting(title, before))
        before = f"{before} {text}".strip()
        if len(before) > MOST:
            before = before[-MOST:].partition(" ")[2] or before[-MOST:]
    return found
