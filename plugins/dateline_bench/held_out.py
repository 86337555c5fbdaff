"""Which pages and articles are kept from training, to measure on."""

from __future__ import annotations

import hashlib

VALIDATION = 0.15
"""Share of the pages that the shipped reader was not trained on."""


def held_out(title: str) -> bool:
    """Return whether a page is kept for validation, on every machine."""
    return int(hashlib.sha256(title.encode()).hexdigest(), 16) % 1000 < 1000 * VALIDATION
