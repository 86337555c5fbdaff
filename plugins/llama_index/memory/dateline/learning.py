"""The part of an updater that a memory block needs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

from dateline import Evidence
from dateline.facts import Changes


@runtime_checkable
class LearnsLater(Protocol):
    """An updater that can be awaited: `LocalUpdater`, `ChatUpdater` or your own."""

    async def aupdate(self, evidence: Sequence[Evidence], *, known_at: datetime) -> Sequence[Changes]:
        """Return changes by document."""
        ...
