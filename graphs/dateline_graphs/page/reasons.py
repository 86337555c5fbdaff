"""Why a piece of evidence is used or not, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from dateline import Reading
from dateline.certainty.signals import same
from dateline_graphs.page.dates import read_date
from dateline_graphs.page.markup import Html, join, said
from dateline_graphs.report import AnswerReport, CitedSource

_LONGEST = 80
"""Characters of another answer that are shown."""

LEGEND = {
    "Score": "what the pieces are put in order by, 0 to 1: content, time and what the reader finds in each; no product of two of them",
    "Content": "how likely its words alone make it, beside the other pieces, that the piece answers, 0 to 1",
    "Time": "how well the piece's time fits the time that is asked for, 0 to 1; half where it has none",
}
"""What the numbers of the table mean."""


def reasons(report: AnswerReport) -> dict[str, Html]:
    """Say what each piece that was read is to the answer.

    Returns:
        by the pieces' ids; empty where nothing is answered.
    """
    if not report.reading.answer.strip():
        return {}
    used = [source for source in report.evidence if source.used]
    newest = max((start for source in used if (start := _start(source)) is not None), default=None)
    return {
        source.id: _of_used(source, used, newest) if source.used else _of_other(source, report.reading, newest)
        for source in report.evidence
    }


def _of_used(source: CitedSource, used: Sequence[CitedSource], newest: int | None) -> Html:
    if len(used) == 1:
        return join(["The answer stands on this one alone."])
    start = _start(source)
    if start is None:
        return join(["One of those that the answer stands on; it has no date."])
    return join(
        [
            "The newest that the answer stands on."
            if start == newest
            else "The answer stands on this one too; it is not the newest."
        ]
    )


def _of_other(source: CitedSource, reading: Reading, newest: int | None) -> Html:
    own = (one.answer for one in reading.candidates if source.id in one.evidence_ids)
    other = next((answer for answer in own if not same(answer, reading.answer)), None)
    if other is None:
        return join(["Nothing in it was taken for an answer."])
    quoted = join(["“", said(shorten(other, _LONGEST, placeholder=" …")), "”"])
    start = _start(source)
    if start is None:
        return join(["Without a date; its ", quoted, " is less likely the answer."])
    if newest is None or start == newest:
        return join(["Its ", quoted, " is less likely the answer."])
    if start < newest:
        return join(["Older; from it the answer would be ", quoted, "."])
    return join(["Newer, but its ", quoted, " is less likely the answer."])


def _start(source: CitedSource) -> int | None:
    read = read_date(source.date)
    return None if read is None else read.start
