"""Foreign text without characters that hide or steer a terminal."""

from __future__ import annotations

import logging
import re
import traceback
import unicodedata
from functools import lru_cache

from dateline.secrets import masked

_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and symbols that are drawn as nothing."""

_SIGNS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
"""Format characters that are drawn: signs around Arabic, Syriac and Kaithi numbers."""

_SELECTORS = ((0x034F, 0x034F), (0x17B4, 0x17B5), (0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
"""Marks that are never drawn: joiners of graphemes, inherent vowels, variation selectors."""

_JOINERS = "\u200c\u200d"
# Words of Persian, Kurdish and the scripts of India change without them; nothing else needs them. A family of emoji falls
# apart into its people, which a reader understands.
_JOINED = "[\u0620-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]"
_LONE_JOINER = re.compile(f"(?<!{_JOINED})[{_JOINERS}]|[{_JOINERS}](?!{_JOINED})")


class _Visible(dict[int, str | None]):
    """Allow-list by Unicode category, read once for each character."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        found = char
        category = unicodedata.category(char)
        if category in ("Cc", "Zl", "Zp", "Zs") or char in _BLANKS:
            found = " "
        elif (category[0] == "C" and char not in _SIGNS and char not in _JOINERS) or any(
            first <= code <= last for first, last in _SELECTORS
        ):
            found = ""
        self[code] = found
        return found


_ONE_LINE, _LINES = _Visible(), _Visible({ord("\n"): "\n", ord("\t"): "\t"})


def visible(text: str, *, lines: bool = False) -> str:
    """Return `text` without control, format, private and unassigned characters.

    Control characters and blanks become spaces; what has no width goes. ZWJ and ZWNJ stay inside words of the scripts
    that need them. With `lines`, line breaks and tabs stay.

    Example:
        >>> visible("a\\x1b[31m red\\u202e title\\nforged")
        'a [31m red title forged'
    """
    if lines:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _LONE_JOINER.sub("", text.translate(_LINES if lines else _ONE_LINE))


class _Shown(logging.Filter):
    """Makes the lines of a logger visible, tracebacks included, without keys."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = masked(visible(record.getMessage())), None
        if record.exc_info and record.exc_info[0] is not None and not record.exc_text:
            told = "".join(traceback.format_exception(*record.exc_info)).rstrip()
            record.exc_text = masked(visible(told, lines=True))
        return True


def logger(name: str) -> logging.Logger:
    """Return a logger whose lines hold no control characters and no keys."""
    found = logging.getLogger(name)
    if not any(isinstance(each, _Shown) for each in found.filters):
        found.addFilter(_Shown())
    return found


@lru_cache(maxsize=1000)
def warn_once(log: logging.Logger, line: str) -> None:
    """Log a line once in a process."""
    log.warning("%s", line, stacklevel=2)
