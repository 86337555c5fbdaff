"""Which pages and articles are kept from training, to measure on."""

from __future__ import annotations

import hashlib
from collections.abc import MutableMapping
from typing import Literal, cast, get_args

from dateline.errors import BadInput

Part = Literal["all", "validation"]
"""Everything, or only what the shipped reader was not trained on."""

VALIDATION = 0.15
"""Share of the pages that the shipped reader was not trained on."""


def held_out(title: str) -> bool:
    """Return whether a page is kept for validation, on every machine."""
    return int(hashlib.sha256(title.encode()).hexdigest(), 16) % 1000 < 1000 * VALIDATION


def read_part(options: MutableMapping[str, str], name: str) -> Part:
    """Take the option `name` that keeps to one part; by default all.

    Raises:
        BadInput: for another value.
    """
    part = options.pop(name, "all")
    if part not in get_args(Part):
        raise BadInput(f"Unknown {name} {part!r}; choose {' or '.join(get_args(Part))}.")
    return cast(Part, part)
