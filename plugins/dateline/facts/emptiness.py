"""Note on a fact store that holds nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dateline.visible import logger, warn_once

if TYPE_CHECKING:
    from dateline.facts.store import FactStore

NOTHING = (
    "The fact store holds nothing yet; fill it with an updater or remember(), or by: dateline facts add STORE PATH"
)

_LOG = logger(__name__)


def emptiness(store: FactStore) -> str:
    """Say that a store is empty and how to fill it; else ""."""
    return "" if store.ledger.last() else NOTHING


def tell_emptiness(store: FactStore) -> None:
    """Log once that a store which is read is empty."""
    if said := emptiness(store):
        warn_once(_LOG, f"{said}.")
