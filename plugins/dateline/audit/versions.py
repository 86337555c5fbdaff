"""Newer versions of one document among passages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from dateline.evolution.gate import version_key
from dateline.facts.late_documents import is_before
from dateline.formats.table import LINE_ENDINGS
from dateline.records import Evidence
from dateline.text.words import content_words

SAME = 0.7
"""Least share of a passage's words that a newer version of it repeats: a diary's next entry repeats fewer. Chosen by hand."""


def newer_versions(passages: Sequence[Evidence]) -> list[int | None]:
    """Return for each passage the place of its newest later version.

    Versions share their url, or their source and title, and most of the older one's words. Lines of one file are none.

    Example:
        >>> from dateline.temporal.interval import Interval
        >>> told = (("The pool opens at 8. It is closed on Mondays.", "2021"), ("The pool opens at 9. It is closed on Mondays.", "2023"))
        >>> notes = [Evidence.make(text, published=Interval.parse(day), url="pool.example") for text, day in told]
        >>> newer_versions(notes)
        [1, None]
    """
    families: dict[str, list[int]] = defaultdict(list)
    for place, piece in enumerate(passages):
        if piece.url or (piece.source and not piece.source.endswith(tuple(LINE_ENDINGS))):
            families[version_key(piece)].append(place)
    found: list[int | None] = [None] * len(passages)
    for family in families.values():
        words = {place: frozenset(content_words(passages[place].text)) for place in family}
        for place in family:
            found[place] = _newest(place, family, passages, words)
    return found


def _newest(
    place: int, family: Sequence[int], passages: Sequence[Evidence], words: dict[int, frozenset[str]]
) -> int | None:
    newest: int | None = None
    for other in family:
        later = is_before(passages[place if newest is None else newest].published, passages[other].published)
        differs = passages[other].text != passages[place].text
        if later and differs and len(words[place] & words[other]) >= max(1, SAME * len(words[place])):
            newest = other
    return newest
