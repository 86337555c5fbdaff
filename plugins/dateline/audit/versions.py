"""Newer versions of one document among passages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import ceil

from dateline.documents.document_date import version_key
from dateline.facts.fact import event_start
from dateline.facts.late_documents import is_before
from dateline.formats.table import LINE_ENDINGS
from dateline.records import Evidence
from dateline.text.words import content_words

SAME = 0.7
"""Least share of a passage's words that a newer version of it repeats: a diary's next entry repeats fewer. Chosen by hand."""


def newer_versions(passages: Sequence[Evidence]) -> list[int | None]:
    """Return for each passage the place of its newest later version.

    Versions share their url, or their source and title, and most of the older one's words. Lines of one file are none, and facts
    of a store have a history in place of versions.

    Example:
        >>> from dateline.temporal.interval import Interval
        >>> told = (("The pool opens at 8. It is closed on Mondays.", "2021"), ("The pool opens at 9. It is closed on Mondays.", "2023"))
        >>> notes = [Evidence.make(text, published=Interval.parse(day), url="pool.example") for text, day in told]
        >>> newer_versions(notes)
        [1, None]
    """
    families: dict[str, list[int]] = defaultdict(list)
    for place, piece in enumerate(passages):
        if _has_versions(piece):
            families[version_key(piece)].append(place)
    found: list[int | None] = [None] * len(passages)
    for family in families.values():
        for place, newest in _newest(family, passages):
            found[place] = newest
    return found


def _has_versions(piece: Evidence) -> bool:
    if piece.kind == "fact" or piece.published is None:
        return False
    return bool(piece.url or (piece.source and not piece.source.endswith(tuple(LINE_ENDINGS))))


def _newest(family: Sequence[int], passages: Sequence[Evidence]) -> Iterator[tuple[int, int]]:
    """Yield each place that has later versions, with the newest.

    Whatever repeats enough of a passage's words has one of its rarest, so that only what has one is compared.
    """
    newest_first = sorted(family, key=lambda place: event_start(passages[place].published), reverse=True)
    words = {place: frozenset(content_words(passages[place].text)) for place in family}
    spread = Counter(word for own in words.values() for word in own)
    holding: dict[str, list[int]] = defaultdict(list)
    for rank, place in enumerate(newest_first):
        own, piece = words[place], passages[place]
        enough = max(1, ceil(SAME * len(own)))
        rarest = sorted(own, key=lambda word: (spread[word], word))[: len(own) - enough + 1]
        for other in (newest_first[each] for each in sorted({each for word in rarest for each in holding[word]})):
            later = is_before(piece.published, passages[other].published)
            if later and piece.text != passages[other].text and len(own & words[other]) >= enough:
                yield place, other
                break
        for word in own:
            holding[word].append(rank)
