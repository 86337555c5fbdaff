"""Reports of answers, kept for whoever asked."""

from __future__ import annotations

from typing import Any, NamedTuple
from uuid import uuid4

from dateline import BadInput

KEPT, KEPT_OF_ONE = 1_000, 100
"""Reports kept in all, and of one user, the latest; chosen by hand."""

BEGIN = "dateline://reports/"


class KeptReport(NamedTuple):
    """A report, its address and its owner."""

    owner: str
    uri: str
    report: dict[str, Any]


class ReportShelf:
    """The latest reports, each readable by its owner alone.

    Example:
        >>> shelf = ReportShelf()
        >>> uri = shelf.keep({"answer": "Ben"}, owner="ann")
        >>> shelf.read(uri, owner="ann")
        {'answer': 'Ben'}
        >>> shelf.read(uri, owner="bob")
        Traceback (most recent call last):
        dateline.errors.BadInput: There is no such report; ask again, and read the address that ask_as_of gives.
    """

    def __init__(self) -> None:
        self._kept: dict[str, KeptReport] = {}

    def keep(self, report: dict[str, Any], *, owner: str) -> str:
        """Keep a report; return its address."""
        kept = KeptReport(owner, f"{BEGIN}{uuid4().hex}", report)
        self._kept[kept.uri] = kept
        own = [each.uri for each in self._kept.values() if each.owner == owner]
        for uri in (*own[:-KEPT_OF_ONE], *list(self._kept)[:-KEPT]):
            self._kept.pop(uri, None)
        return kept.uri

    def read(self, uri: str, *, owner: str) -> dict[str, Any]:
        """Return a report.

        Raises:
            BadInput: for an address that is unknown, no longer kept, or somebody else's.
        """
        kept = self._kept.get(uri)
        if kept is None or kept.owner != owner:
            raise BadInput("There is no such report; ask again, and read the address that ask_as_of gives.")
        return kept.report

    def of(self, owner: str) -> list[KeptReport]:
        """List a user's reports, the latest first."""
        return [each for each in reversed(self._kept.values()) if each.owner == owner]
