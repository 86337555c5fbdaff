"""Lines of a text as files have them."""

from __future__ import annotations

import io
from collections.abc import Iterator


def file_lines(text: str) -> Iterator[str]:
    r"""Yield a text's lines, as files have them, with their ends.

    These are \n, \r or both. Other characters that end a line for `str.splitlines`, U+2028 or a form feed say, are part of
    what a line holds.

    Example:
        >>> list(file_lines("a\u2028b\r\nc"))
        ['a\u2028b\r\n', 'c']
    """
    yield from io.StringIO(text, newline="")
