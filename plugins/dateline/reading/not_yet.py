"""Answers that hold only from a day after the asked time."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from dateline.reading.span_scores import Mention
from dateline.reading.temporal_tags import DatedText, is_after, read_times
from dateline.records import Evidence
from dateline.temporal.constraint import Question
from dateline.temporal.interval import Interval


def not_yet(mentions: Sequence[Mention], *, question: Question, evidence: Sequence[Evidence]) -> NDArray[np.bool_]:
    """Return which mentions are told for later, shape (mentions,).

    The time that stands nearest in its sentence tells when a mention holds; where the sentence has none, the last time before it.

    Example:
        >>> from datetime import UTC, datetime
        >>> from dateline.temporal import decompose
        >>> text = "Ann leads. From 1 May 2031 Bo leads."
        >>> asked = decompose("Who leads?", as_of=datetime(2030, 2, 1, tzinfo=UTC))
        >>> said = [Mention("Ann", 0, 0, 3, 9.0), Mention("Bo", 0, 27, 29, 9.0)]
        >>> not_yet(said, question=asked, evidence=[Evidence.make(text)]).tolist()
        [False, True]
    """
    asked = question.effective_constraint().interval
    dated = {
        source: read_times(evidence[source].text, evidence[source].published) for source in {m.source for m in mentions}
    }
    times = (_told_for(mention, dated[mention.source]) for mention in mentions)
    return np.array([time is not None and is_after(time, asked) for time in times], dtype=np.bool_)


def _told_for(mention: Mention, dated: DatedText) -> Interval | None:
    place = bisect_right(dated.sentences, mention.start, key=itemgetter(0)) - 1
    first, last = dated.sentences[place] if place >= 0 else (0, mention.end)
    before, behind = (bisect_left(dated.times, edge, key=itemgetter(0)) for edge in (first, last))
    if before == behind:
        return dated.times[before - 1][2] if before else None
    others = [time for time in dated.times[before:behind] if time[1] <= mention.start or time[0] >= mention.end]
    gaps = [max(start - mention.end, mention.start - end) for start, end, _ in others]
    return others[int(np.argmin(gaps))][2] if others else None
