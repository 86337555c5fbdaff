"""Words for yes and no."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

_WORDS = MappingProxyType({"yes": "yes", "true": "yes", "no": "no", "false": "no"})


def verdicts_of(choices: Sequence[str]) -> list[str] | None:
    """Return the yes or no that each choice means, if all do.

    Example:
        >>> verdicts_of(["True", "False"]), verdicts_of(["yes", "perhaps"])
        (['yes', 'no'], None)
    """
    read = [_WORDS.get(choice.strip().lower()) for choice in choices]
    known = [verdict for verdict in read if verdict is not None]
    return known if known and len(known) == len(read) else None
