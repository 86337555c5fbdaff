"""Engine results restricted to what was known on the asking day.

An engine answers as of today, whatever day the question is about.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from dateline.evidence.duplicates import dated_by_either
from dateline.evidence.knowledge import later_notes, split_known
from dateline.evidence.serp import SerpPage
from dateline.records import Evidence, EvidenceKind
from dateline.temporal.interval import Interval

LIVE_KINDS: frozenset[EvidenceKind] = frozenset({"answer_box", "knowledge_graph", "ai_overview"})
"""Parts of a page that show the state of the day of the search: undated, but not known before it."""


def known_on(pages: Iterable[SerpPage], *, as_of: datetime) -> tuple[list[Evidence], list[str]]:
    """Return the pages' known evidence, deduplicated, and notes on omissions.

    A date that only one of two equal results carries is kept. What was published later than the asking day is left out
    and counted; so are undated boxes of a page that was fetched later, because they show the state of that day.
    """
    seen: dict[str, Evidence] = {}
    skipped: list[str] = []
    live = 0
    asked = Interval.of_moment(as_of)
    for page in pages:
        skipped += page.skipped
        past = page.searched_at is not None and Interval.of_moment(page.searched_at).after(asked)
        for each in page.evidence:
            if past and each.kind in LIVE_KINDS and each.published is None:
                live += 1
            else:
                seen[each.id] = dated_by_either(seen.get(each.id, each), each)
    known, later = split_known(seen.values(), as_of=as_of)
    skipped += later_notes(len(later), as_of=as_of, what="result")
    if live:
        skipped.append(f"{live} of the page's boxes may show a later state than that of {as_of.date().isoformat()}")
    return known, skipped
