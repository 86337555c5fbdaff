"""Lines that a model reads: dated, on one line, without live links."""

from __future__ import annotations

from dateline.evidence.sanitize import inert
from dateline.records import Evidence

MAX_QUOTE = 300
"""Characters of a passage that a model is shown; the data has all of it. Chosen by hand."""


def source_line(number: int, *, date: str | None, dated_by: str, title: str, origin: str, text: str) -> str:
    """Write one dated source on a line.

    A date that only the text states is marked.

    Example:
        >>> source_line(1, date="2021", dated_by="text", title="News", origin="", text="Ben leads Acme.")
        '[1] 2021 (says its text) | News | Ben leads Acme.'
    """
    dated = f"{date or 'undated'}{' (says its text)' if dated_by == 'text' else ''}"
    named = filter(None, (inert(title, limit=160), inert(origin, limit=160, addresses=False)))
    return " | ".join((f"[{number}] {dated}", *named, inert(text, limit=MAX_QUOTE)))


def evidence_line(number: int, piece: Evidence) -> str:
    """Write one piece of evidence on a line."""
    return source_line(
        number, date=date_of(piece), dated_by=piece.dated_by, title=piece.title, origin=piece.origin, text=piece.text
    )


def date_of(piece: Evidence) -> str | None:
    """Return when it was published, as ISO text."""
    return None if piece.published is None else piece.published.isoformat()
