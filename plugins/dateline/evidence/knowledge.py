"""Knowledge time: what could have been read at a moment.

Only what was certainly published later than the asking day is unknown: undated evidence stays, and so does a month or
a year that had begun.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from dateline.records import Evidence
from dateline.temporal.interval import DAY, Interval, seconds_of

ALWAYS = -(2**52)
"""The second from which undated evidence counts as known.

No store's number is too small for it, and whatever was dated is later.
"""

FOREVER = 2**52
"""The second for what has no end."""

TEXT_DATED = 0.5
"""The weight of a date that stands in running text beside dates of metadata, front matter and file names.

Whoever writes a text dates it as he likes, and a text may open with another day than its own. Chosen by hand: half a
word, so that two such documents weigh as one, and the newest of them does not overtake an older one that is as close
to the question.
"""


def is_text_dated(evidence: Evidence) -> bool:
    """Return whether a document's date was found in its text alone."""
    return evidence.published is not None and evidence.dated_by.partition(",")[0] == "text"


def is_well_dated(evidence: Evidence) -> bool:
    """Return whether a document's date stands elsewhere than in its text."""
    return evidence.published is not None and not is_text_dated(evidence)


def best_dated(evidence: Sequence[Evidence]) -> list[bool]:
    """Mark the documents that are dated as well as any.

    A date that only a text states does not count beside better ones.

    Example:
        >>> best_dated([Evidence.make("A"), Evidence.make("B")])
        [True, True]
    """
    well = [is_well_dated(piece) for piece in evidence]
    return well if any(well) else [True] * len(well)


def known_from(published: Interval | None) -> int:
    """Return the earliest second at which something can have been published.

    What is undated counts as published long before everything.
    """
    return ALWAYS if published is None or published.start is None else published.start


def published_from(evidence: Evidence) -> int:
    """Return the earliest second evidence can have been published."""
    return known_from(evidence.published)


def oldest_first(evidence: Evidence) -> tuple[bool, int]:
    """Return a key that sorts evidence oldest first, undated last."""
    return evidence.published is None, published_from(evidence)


def end_of_knowledge(as_of: datetime) -> int:
    """The first second after the asking day, of its own time zone."""
    return (seconds_of(as_of) // DAY + 1) * DAY


def was_known(evidence: Evidence, *, as_of: datetime) -> bool:
    """Return whether evidence was known on the day of `as_of`."""
    return published_from(evidence) < end_of_knowledge(as_of)


def split_known(evidence: Iterable[Evidence], *, as_of: datetime) -> tuple[list[Evidence], list[Evidence]]:
    """(known at `as_of`, published later), each in the given order."""
    known: list[Evidence] = []
    later: list[Evidence] = []
    for each in evidence:
        (known if was_known(each, as_of=as_of) else later).append(each)
    return known, later


KEEP_LATER = "Keep documents published after the asking moment, which nobody knew then."
"""The description of the option of that name, wherever there is one."""


def visible(evidence: Sequence[Evidence], *, as_of: datetime, keep_later: bool = False) -> list[Evidence]:
    """Return what was known at `as_of`, or all with `keep_later`."""
    return list(evidence) if keep_later else split_known(evidence, as_of=as_of)[0]


def later_notes(count: int, *, as_of: datetime, what: str) -> list[str]:
    """Note the results left out, if any.

    Example:
        >>> later_notes(2, as_of=datetime(2021, 5, 6), what="result")
        ['2 results were published after 2021-05-06']
    """
    were = " was" if count == 1 else "s were"
    return [f"{count} {what}{were} published after {as_of.date().isoformat()}"] if count else []
