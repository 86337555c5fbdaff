"""Several answers to one question: the parts of a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dateline.reading.span_scores import Mention

_AS_WELL = 3.0
"""Logits by which a further part may fall short of the best. Chosen by hand."""
_MOST = 8
"""Parts of a list."""


def enumerate_parts(best: Mention, *, mentions: Sequence[Mention], count: int | None = None) -> Mention:
    """Join the best mention with those in its piece that answer, too.

    Parts do not overlap; they stand in the order of the text. With `count`, so many are taken, however much they fall short.

    Example:
        >>> text = "Ada, Bo and Cem have a key."
        >>> found = [Mention("Ada", 0, 0, 3, 9.0), Mention("Bo", 0, 5, 7, 8.0), Mention("Ada, Bo", 0, 0, 7, 7.5)]
        >>> enumerate_parts(found[0], mentions=found).text
        'Ada and Bo'
    """
    parts = [best]
    for mention in sorted(mentions, key=lambda one: -one.score):
        good = count is not None or mention.score >= best.score - _AS_WELL
        beside = mention.source == best.source and all(_apart(mention, part) for part in parts)
        if good and beside and len(parts) < (count or _MOST):
            parts.append(mention)
    texts = list(dict.fromkeys(part.text for part in sorted(parts, key=lambda one: one.start)))
    return replace(best, text=" and ".join((", ".join(texts[:-1]), texts[-1])) if len(texts) > 1 else texts[0])


def _apart(one: Mention, other: Mention) -> bool:
    return one.end <= other.start or other.end <= one.start
