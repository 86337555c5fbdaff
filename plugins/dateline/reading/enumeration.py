"""Several answers to one question: the parts of a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dateline.reading.span_scores import Mention

_AS_WELL = 3.0
"""Logits by which a further part may fall short of the best. Chosen on benchmarks/notes/fit."""
_MOST = 8
"""Parts of a list."""


def enumerate_parts(best: Mention, *, mentions: Sequence[Mention]) -> Mention:
    """Join the best mention with those in its piece that answer, too.

    Parts do not overlap; they stand in the order of the text.

    Example:
        >>> text = "Ada, Bo and Cem have a key."
        >>> found = [Mention("Ada", 0, 0, 3, 9.0), Mention("Bo", 0, 5, 7, 8.0), Mention("Ada, Bo", 0, 0, 7, 7.5)]
        >>> enumerate_parts(found[0], mentions=found).text
        'Ada and Bo'
    """
    parts = [best]
    for mention in sorted(mentions, key=lambda one: -one.score):
        near = mention.source == best.source and mention.score >= best.score - _AS_WELL
        if near and len(parts) < _MOST and all(_apart(mention, part) for part in parts):
            parts.append(mention)
    texts = list(dict.fromkeys(part.text for part in sorted(parts, key=lambda one: one.start)))
    return replace(best, text=" and ".join((", ".join(texts[:-1]), texts[-1])) if len(texts) > 1 else texts[0])


def _apart(one: Mention, other: Mention) -> bool:
    return one.end <= other.start or other.end <= one.start
