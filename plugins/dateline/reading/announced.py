"""Answers that a change to come brings, and those that it replaces."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dateline.language.quantities import CURRENCY
from dateline.reading.span_scores import Mention
from dateline.reading.temporal_tags import DatedText, read_times
from dateline.records import Announcement, Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.interval import DAY, Interval, iso_of, moment_of
from dateline.temporal.tense import looks_ahead
from dateline.text.answer_key import answer_key

_BEHIND = re.compile(
    r"\b(?:(?:until|till|up to) (?:now|then)|so far|was|were|before|formerly|previously|instead of|in place of|rather than"
    r"|no longer|replac(?:es?|ed|ing)|succeed(?:s|ed|ing)?|tak(?:es?|ing) over from|took over from)"
    rf"[\s:,]+(?-i:[a-z]{{1,12}}\s+)?(?:[\"'(]|{CURRENCY})*$",
    re.I,
)
_FROM, _TO = (
    re.compile(rf"\bfrom\s+(?-i:[a-z]{{1,12}}\s+)?{CURRENCY}?$", re.I),
    re.compile(r"[^.;,]{0,20}?\bto\b", re.I),
)
_UNTIL = re.compile(r"[.;,()\n]\s*(?:\w+\s+)?(?:until|till|up to) (?:now|then)\b[^.;,()\n]*$", re.I)
"""What holds until then stands in a clause that begins with it ("Until then it stays at 25")."""
_AHEAD = re.compile(r"[^.;,()]{0,12}\b(?:until|till|up to) (?:now|then)\b|,? as before\b", re.I)
"""Words behind and before which stands what a change replaces ("from 3 to 5 mm", "45 instead of 40", "until now 0.30")."""
_FAR = 6.0
"""Logits by which what is announced may be less likely than the answer. Chosen by hand, as in `outdated`."""
_REACH = 40
"""Characters beside a mention that are looked at."""
_CLAUSE = 120
"""Characters before a mention in which its clause begins, if it is to be looked at. Chosen by hand."""


class Announced(NamedTuple):
    """Which mentions are told for later, and which hold until then.

    Each of shape (mentions,), with the times that they are told for.
    """

    later: NDArray[np.bool_]
    still: NDArray[np.bool_]
    times: Sequence[Interval | None]


def announced(mentions: Sequence[Mention], *, question: Question, evidence: Sequence[Evidence]) -> Announced:
    """Tell which mentions a change to come brings, and which it replaces.

    The day that stands nearest in its sentence tells of when a mention is, of "will be" the nearest that was still to come; where the
    sentence has none, the last day before it, else one in the next sentence. A mention that is a day itself is neither.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline.temporal import decompose
        >>> asked = decompose("Who leads?", as_of=datetime(2030, 2, 1, tzinfo=UTC))
        >>> text = "From 1 May 2031 Bo leads instead of Ann."
        >>> said = [Mention("Bo", 0, 16, 18, 9.0), Mention("Ann", 0, 36, 39, 9.0)]
        >>> found = announced(said, question=asked, evidence=[Evidence.make(text)])
        >>> found.later.tolist(), found.still.tolist()
        ([True, False], [False, True])
    """
    asked = question.effective_constraint().interval
    dated = {source: _days(evidence[source]) for source in {mention.source for mention in mentions}}
    times = [_told_for(mention, dated[mention.source], piece=evidence[mention.source]) for mention in mentions]
    ahead = np.array([time is not None and time.after(asked) for time in times], dtype=np.bool_)
    replaced = np.array([_is_replaced(mention, evidence[mention.source].text) for mention in mentions], dtype=np.bool_)
    return Announced(ahead & ~replaced, ahead & replaced, times)


def day_ahead(piece: Evidence, *, question: Question) -> datetime | None:
    """Return the first moment to come of which a piece tells.

    None where it tells of none after the time asked.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline.temporal import decompose
        >>> asked = decompose("Who leads?", as_of=datetime(2030, 2, 1, tzinfo=UTC))
        >>> day_ahead(Evidence.make("From 1 May 2031 Bo leads."), question=asked).date().isoformat()
        '2031-05-01'
    """
    asked = question.effective_constraint().interval
    ahead = [time.start for _, _, time in _days(piece).times if time.start is not None and time.after(asked)]
    return moment_of(min(ahead)) if ahead else None


def asks_of_now(question: Question) -> bool:
    """Return whether a question is about the day of asking.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline.temporal import decompose
        >>> day = datetime(2030, 2, 1, tzinfo=UTC)
        >>> [asks_of_now(decompose(text, as_of=day)) for text in ("Who leads?", "Who leads today?", "Who led in 2029?")]
        [True, True, False]
    """
    named, day = question.constraint, Interval.of_moment(question.as_of)
    return named is None or (named.relation in ("at", "as_of") and named.interval == day)


def announcement(
    answer: str, mentions: Sequence[Mention], told: Announced, *, question: Question, evidence: Sequence[Evidence]
) -> Announcement | None:
    """Return what is told to be the answer from a later day.

    It is the likeliest mention that is told for later, the best of its window beside those that hold until then, and hardly less
    likely than `answer`. What is told to hold already is no announcement, and a question about another time than that of asking has
    none. `told` is what `announced` says of the mentions.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline.temporal import decompose
        >>> asked = decompose("Who leads?", as_of=datetime(2030, 2, 1, tzinfo=UTC))
        >>> text = "From 1 May 2031 Bo leads instead of Ann."
        >>> said = [Mention("Bo", 0, 16, 18, 9.0), Mention("Ann", 0, 36, 39, 9.0)]
        >>> told = announced(said, question=asked, evidence=[Evidence.make(text)])
        >>> str(announcement("Ann", said, told, question=asked, evidence=[Evidence.make(text)]))
        'from 2031-05-01: Bo'
    """
    if not asks_of_now(question):
        return None
    key = answer_key(answer)
    least = max((one.score for one in mentions if answer_key(one.text) == key), default=0.0) - _FAR
    still = [one for one, held in zip(mentions, told.still, strict=True) if held]
    ousted = {one.source for one in still if not one.behind}
    best: dict[int, tuple[Mention, Interval | None]] = {}
    holds = any(answer_key(one.text) == key for one in still)
    for one, late, time in zip(mentions, told.later, told.times, strict=True):
        if one.score <= least or any(one.overlaps(held) and one.score <= held.score for held in still):
            continue
        holds |= not late and answer_key(one.text) == key
        leads = one.source not in best or one.score > best[one.source][0].score
        if leads and (not one.behind or one.source in ousted):
            best[one.source] = one, time if late else None
    found = [
        (one, time.start)
        for one, time in best.values()
        if time is not None and time.start is not None and not (holds and answer_key(one.text) == key)
    ]
    if not found:
        return None
    first, since = max(found, key=lambda pair: pair[0].score)
    return Announcement(answer=first.text, since=iso_of(since)[:10], evidence_id=evidence[first.source].id)


def _days(piece: Evidence) -> DatedText:
    """Return sentences and times, those of the day left out."""
    dated = read_times(piece.text, piece.published)
    return DatedText(dated.sentences, tuple(one for one in dated.times if not _within_a_day(one[2])))


def _within_a_day(time: Interval) -> bool:
    return time.start is not None and time.end is not None and time.end - time.start < DAY


def _told_for(mention: Mention, dated: DatedText, *, piece: Evidence) -> Interval | None:
    near = slice(*(bisect_left(dated.times, edge, key=itemgetter(0)) for edge in (mention.start, mention.end)))
    near = slice(max(0, near.start - 1), near.stop)
    within = [min(end, mention.end) - max(start, mention.start) for start, end, _ in dated.times[near]]
    if any(2 * shared > mention.end - mention.start for shared in within):
        return None
    place = dated.sentence_at(mention.start)
    first, last = dated.sentences[place] if place >= 0 else (0, mention.end)
    before, behind = (bisect_left(dated.times, edge, key=itemgetter(0)) for edge in (first, last))
    if before == behind:
        following = dated.sentences[place + 1][1] if place + 1 < len(dated.sentences) else last
        told = dated.times[before - 1 : before] if before else [one for one in dated.times[:1] if one[0] < following]
        return told[0][2] if told else None
    there = dated.times[before:behind]
    if piece.published is not None and _will_be(mention, piece.text[first : mention.start]):
        written = piece.published
        there = tuple(one for one in there if one[2].after(written)) or there  # "..., as was announced on Monday"
    gaps = [max(start - mention.end, mention.start - end) for start, end, _ in there]
    return there[int(np.argmin(gaps))][2]


def _will_be(mention: Mention, before: str) -> bool:
    words = before.split()
    return looks_ahead([*words, *mention.text.split()], len(words), len(words))


def _is_replaced(mention: Mention, text: str) -> bool:
    before = text[max(0, mention.start - _REACH) : mention.start]
    clause = f"\n{text}"[max(0, mention.start - _CLAUSE) : mention.start + 1]
    behind = text[mention.end : mention.end + _REACH]
    moved = ":" not in mention.text and _FROM.search(before) and _TO.match(behind)
    return bool(moved or _BEHIND.search(before) or _UNTIL.search(clause) or _AHEAD.match(behind))
