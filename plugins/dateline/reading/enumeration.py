"""Several answers to one question: the parts of a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dateline.reading.span_scores import Mention
from dateline.text.sentences import split_sentences
from dateline.text.words import word_f1

_AS_WELL, _LISTED = 3.0, 6.0
"""Logits by which a further part may fall short of the best, and a span that enumerates it with others. Chosen by hand, the second
on the thirteen lists of benchmarks/notes/fit."""
_MOST = 8
"""Parts of a list."""
_JOINT = re.compile(r",\s|;\s|\s(?:and|or|&)\s")
"""What stands between the parts of an enumeration."""
_BETWEEN = re.compile(r"[\s,;)]*(?:(?:and|or|&)\s)?[\s(]*")
_SAME = 0.6
"""Words that a part shares with the best, as F1, to be the same said again."""
_ASIDE = re.compile(r"\s*\([^()]*\)?")


def enumerate_parts(best: Mention, *, mentions: Sequence[Mention], text: str = "", count: int | None = None) -> Mention:
    """Join the best mention with those in its piece that answer, too.

    Where spans enumerate it with others, all that they cover of `text`, the piece's, is the answer. Else parts do not
    overlap; they stand in the order of the text. With `count`, so many are taken, however much they fall short.

    Example:
        >>> text = "Ada, Bo and Cem have a key."
        >>> found = [Mention("Ada", 0, 0, 3, 9.0), Mention("Bo", 0, 5, 7, 8.0), Mention("Ada, Bo", 0, 0, 7, 3.5)]
        >>> enumerate_parts(found[0], mentions=found).text
        'Ada and Bo'
        >>> enumerate_parts(found[0], mentions=[*found, Mention("Bo and Cem", 0, 5, 15, 6.0)], text=text).text
        'Ada, Bo and Cem'
    """
    listed = _listed(best, mentions, text)
    if listed is not None:
        return listed
    parts = [best]
    for mention in sorted(mentions, key=lambda one: -one.score):
        good = count is not None or mention.score >= best.score - _AS_WELL
        beside = mention.source == best.source and all(_apart(mention, part) for part in parts)
        if good and beside and len(parts) < (count or _MOST):
            parts.append(mention)
    texts = list(dict.fromkeys(part.text for part in sorted(parts, key=lambda one: one.start)))
    return replace(best, text=" and ".join((", ".join(texts[:-1]), texts[-1])) if len(texts) > 1 else texts[0])


def _listed(best: Mention, mentions: Sequence[Mention], text: str) -> Mention | None:
    """Return the stretch of text in which spans enumerate the best."""
    near = [one for one in mentions if one.source == best.source and one.score >= best.score - _LISTED]
    lists = [one for one in sorted(near, key=lambda one: -one.score) if _enumerates(one.text)]
    if all(_apart(one, best) for one in lists):
        best = next((one for one in lists if _says_again(one.text, best.text)), best)
    start, end = best.start, best.end
    for one in lists:
        between = text[min(end, one.end) : max(start, one.start)]
        if max(start, one.start) < min(end, one.end) or _BETWEEN.fullmatch(between):
            start, end = min(start, one.start), max(end, one.end)
    whole = _ASIDE.sub("", text[start:end])
    return replace(best, text=whole, start=start, end=end) if _JOINT.search(whole) else None


def _enumerates(text: str) -> bool:
    return _JOINT.search(text) is not None and ":" not in text and len(split_sentences(text)) == 1


def _says_again(listed: str, text: str) -> bool:
    return any(word_f1(part, text) >= _SAME for part in _JOINT.split(listed))


def _apart(one: Mention, other: Mention) -> bool:
    return one.end <= other.start or other.end <= one.start
