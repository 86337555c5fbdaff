"""Who may edit the store, and whether a person is asked first."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from asof.records import Record

Approval = Literal["auto", "ask"]
"""`auto`: edits land at once; `ask`: a dry run is shown to a person, and only what they approve lands."""


class Policy(Record):
    """What an update may do."""

    sources: tuple[str, ...] | None = Field(
        default=None, description="Names of the sources that may edit; None: every source."
    )
    approve: Approval = "auto"

    def allows(self, source: str) -> bool:
        """Whether evidence of this source may edit the store; letter case does not matter."""
        return self.sources is None or source.casefold() in {name.casefold() for name in self.sources}
